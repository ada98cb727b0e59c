# Generated from tools/asm/int8/thumb_m3/probability.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Softmax for Armv7-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_ROWS = const(24)
_SIZE = const(28)


@micropython.asm_thumb
def softmax(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  rows: left
    push({r8, r9, r10, r11})
    data(2, 0xB081)  # sub sp, 4; STACK
    # r0 is the row, r1 where it goes, r2 the powers, r3 the row's largest number, r6 the sum of its powers,
    # r7 a number's place, r8 how many a row has, r9 half of the sum, r10 the row's mask, r11 the first one's.
    ldr(r4, [r3, _ROWS])
    data(2, 0x9400)  # str r4, [sp, 0]; rows
    ldr(r4, [r3, _SIZE])
    mov(r8, r4)
    ldr(r1, [r3, _OUTPUT])
    add(r1, r1, r0)
    ldr(r5, [r3, _INPUT])
    add(r0, r0, r5)
    label(ROW)
    mov(r7, r8)
    mov(r3, 0)
    label(LARGEST)
    sub(r7, 1)
    data(2, 0x5DC5)  # ldrb r5, [r0, r7]
    cmp(r5, r3)
    bls(NOT_LARGER)
    mov(r3, r5)
    label(NOT_LARGER)
    cmp(r7, 0)
    bne(LARGEST)

    mov(r7, r8)
    mov(r6, 0)
    label(ADD)
    sub(r7, 1)
    data(2, 0x5DC5)  # ldrb r5, [r0, r7]
    sub(r5, r3, r5)
    lsl(r5, r5, 2)
    data(2, 0x5955)  # ldr r5, [r2, r5]
    add(r6, r6, r5)
    label(NOT_ADDED)
    cmp(r7, 0)
    bne(ADD)

    mov(r7, r8)
    lsr(r5, r6, 1)
    mov(r9, r5)
    label(NUMBER)
    sub(r7, 1)
    data(2, 0x5DC5)  # ldrb r5, [r0, r7]
    sub(r5, r3, r5)
    lsl(r5, r5, 2)
    data(2, 0x5955)  # ldr r5, [r2, r5]
    lsl(r5, r5, 8)
    data(2, 0x444D)  # add r5, r9
    mov(r12, r7)
    udiv(r4, r5, r6)
    data(2, 0xF384, 0x0408)  # usat r4, 8, r4
    mov(r7, r12)
    label(DONE)
    data(2, 0x55CC)  # strb r4, [r1, r7]
    cmp(r7, 0)
    bne(NUMBER)
    b(NEXT_ROW)
    label(HIDDEN)
    mov(r4, 0)
    b(DONE)

    label(NEXT_ROW)
    data(2, 0x4440)  # add r0, r8
    data(2, 0x4441)  # add r1, r8
    data(2, 0x9C00)  # ldr r4, [sp, 0]; rows
    sub(r4, 1)
    data(2, 0x9400)  # str r4, [sp, 0]; rows
    beq(ALL_ROWS)
    b(ROW)
    label(ALL_ROWS)
    data(2, 0xB001)  # add sp, 4; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
