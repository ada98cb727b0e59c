# Generated from tools/asm/int8/thumb_m0/elementwise.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Adding and looking up for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_OTHER = const(20)
_COUNT = const(24)
_FIRST_FACTOR = const(28)
_SECOND_FACTOR = const(32)
_BIAS = const(36)
_SHIFT = const(40)


@micropython.asm_thumb
def add(r0, r1, r2, r3):
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    # r1 and r2 become the ends of the numbers, r3 the end of their sums, r0 from there to the next; r6 and r7
    # the factors, r8 the bias, r9 the shift, r10 LOW, r11 HIGH.
    ldr(r4, [r3, _BIAS])
    mov(r8, r4)
    ldr(r4, [r3, _SHIFT])
    mov(r9, r4)
    ldr(r4, [r3, _LOW])
    mov(r10, r4)
    ldr(r4, [r3, _HIGH])
    mov(r11, r4)
    ldr(r6, [r3, _FIRST_FACTOR])
    ldr(r7, [r3, _SECOND_FACTOR])
    ldr(r4, [r3, _COUNT])
    add(r0, r0, r4)
    ldr(r1, [r3, _INPUT])
    add(r1, r1, r0)
    ldr(r2, [r3, _OTHER])
    add(r2, r2, r0)
    ldr(r3, [r3, _OUTPUT])
    add(r3, r3, r0)
    neg(r0, r4)

    label(NUMBER)
    data(2, 0x5C0C)  # ldrb r4, [r1, r0]
    data(2, 0x5C15)  # ldrb r5, [r2, r0]
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4444)  # add r4, r8
    mov(r5, r9)
    asr(r4, r5)
    data(2, 0x4554)  # cmp r4, r10
    bge(AT_LEAST)
    mov(r4, r10)
    label(AT_LEAST)
    data(2, 0x455C)  # cmp r4, r11
    ble(AT_MOST)
    mov(r4, r11)
    label(AT_MOST)
    data(2, 0x541C)  # strb r4, [r3, r0]
    add(r0, 1)
    bne(NUMBER)

    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)


@micropython.asm_thumb
def lookup(r0, r1, r2, r3):
    # r1 the table; r2 and r3 become the ends of what comes in and what goes out, r0 from there to the next.
    ldr(r4, [r3, _COUNT])
    add(r0, r0, r4)
    ldr(r2, [r3, _INPUT])
    add(r2, r2, r0)
    ldr(r3, [r3, _OUTPUT])
    add(r3, r3, r0)
    neg(r0, r4)
    label(NUMBER)
    data(2, 0x5C14)  # ldrb r4, [r2, r0]
    data(2, 0x5D0C)  # ldrb r4, [r1, r4]
    data(2, 0x541C)  # strb r4, [r3, r0]
    add(r0, 1)
    bne(NUMBER)
