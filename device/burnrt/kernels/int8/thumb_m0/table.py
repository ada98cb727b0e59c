# Generated from tools/asm/int8/thumb_m0/table.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Tables of vectors for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_WIDE = const(20)
_COUNT = const(24)
_SIZE = const(28)
_ENTRIES = const(32)


@micropython.asm_thumb
def embedding(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  left: of indices
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB081)  # sub sp, 4; STACK
    # r0 becomes the index, r2 where its entry goes, r8 the numbers of one, r9 the last entry,
    # r10 whether an index has 16 bits.
    ldr(r4, [r3, _COUNT])
    data(2, 0x9400)  # str r4, [sp, 0]; left
    ldr(r2, [r3, _OUTPUT])
    add(r2, r2, r0)
    ldr(r5, [r3, _INPUT])
    add(r0, r0, r5)
    ldr(r6, [r3, _SIZE])
    ldr(r4, [r3, _ENTRIES])
    sub(r4, 1)
    mov(r8, r6)
    mov(r9, r4)
    ldr(r4, [r3, _WIDE])
    mov(r10, r4)
    mov(r7, 128)
    label(ENTRY)
    ldrb(r3, [r0, 0])
    add(r0, 1)
    mov(r4, r10)
    cmp(r4, 0)
    beq(WHOLE)
    ldrb(r4, [r0, 0])
    add(r0, 1)
    lsl(r4, r4, 8)
    orr(r3, r4)
    label(WHOLE)
    data(2, 0x454B)  # cmp r3, r9
    bls(KNOWN)
    mov(r3, r9)
    label(KNOWN)
    mov(r6, r8)
    mul(r3, r6)
    add(r3, r3, r1)
    sub(r6, 1)
    label(NUMBER)
    data(2, 0x5D9C)  # ldrb r4, [r3, r6]
    eor(r4, r7)
    data(2, 0x5594)  # strb r4, [r2, r6]
    sub(r6, 1)
    bpl(NUMBER)
    data(2, 0x4442)  # add r2, r8
    data(2, 0x9C00)  # ldr r4, [sp, 0]; left
    sub(r4, 1)
    data(2, 0x9400)  # str r4, [sp, 0]; left
    bne(ENTRY)
    data(2, 0xB001)  # add sp, 4; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
