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
    # r1 and r2 become the numbers, r3 where their sums go, r0 the shift, r6 and r7 the factors, r8 the bias,
    # less LOW << SHIFT, r9 HIGH - LOW, r10 LOW, r11 where sums end.
    ldr(r6, [r3, _BIAS])
    ldr(r5, [r3, _SHIFT])
    ldr(r4, [r3, _LOW])
    mov(r10, r4)
    ldr(r7, [r3, _HIGH])
    sub(r7, r7, r4)
    mov(r9, r7)
    mov(r7, 1)
    lsl(r7, r7, 30)
    lsr(r7, r5)
    cmp(r4, r7)
    bcs(LARGE)
    mov(r7, r4)
    label(LARGE)
    lsl(r7, r5)
    sub(r6, r6, r7)
    mov(r8, r6)
    ldr(r1, [r3, _INPUT])
    add(r1, r1, r0)
    ldr(r2, [r3, _OTHER])
    add(r2, r2, r0)
    ldr(r6, [r3, _FIRST_FACTOR])
    ldr(r7, [r3, _SECOND_FACTOR])
    ldr(r4, [r3, _COUNT])
    ldr(r3, [r3, _OUTPUT])
    add(r3, r3, r0)
    add(r4, r4, r3)
    mov(r11, r4)
    mov(r0, r5)
    # Of four numbers, the last ones are done first, so that what is left is fours.
    sub(r4, r3, r4)
    mov(r5, 3)
    and_(r4, r5)
    sub(r1, r1, r4)
    sub(r2, r2, r4)
    sub(r3, r3, r4)
    mov(r5, 30)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(FOUR)
    ldrb(r4, [r1, 0])
    ldrb(r5, [r2, 0])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r0)
    data(2, 0x454C)  # cmp r4, r9
    bls(IN_RANGE)
    mov(r5, r9)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE)
    data(2, 0x4454)  # add r4, r10
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    ldrb(r5, [r2, 1])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r0)
    data(2, 0x454C)  # cmp r4, r9
    bls(IN_RANGE_2)
    mov(r5, r9)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_2)
    data(2, 0x4454)  # add r4, r10
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    ldrb(r5, [r2, 2])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r0)
    data(2, 0x454C)  # cmp r4, r9
    bls(IN_RANGE_3)
    mov(r5, r9)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_3)
    data(2, 0x4454)  # add r4, r10
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    ldrb(r5, [r2, 3])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r0)
    data(2, 0x454C)  # cmp r4, r9
    bls(IN_RANGE_4)
    mov(r5, r9)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_4)
    data(2, 0x4454)  # add r4, r10
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r2, 4)
    add(r3, 4)
    data(2, 0x455B)  # cmp r3, r11
    bne(FOUR)

    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)


@micropython.asm_thumb
def lookup(r0, r1, r2, r3):
    # r1 the table; r2 and r3 become what comes in and what goes out, r4 how many. Of eight numbers, the last
    # ones are done first, so that what is left is eights.
    ldr(r4, [r3, _COUNT])
    ldr(r2, [r3, _INPUT])
    add(r2, r2, r0)
    ldr(r3, [r3, _OUTPUT])
    add(r3, r3, r0)
    mov(r5, 7)
    neg(r0, r4)
    and_(r0, r5)
    sub(r2, r2, r0)
    sub(r3, r3, r0)
    add(r4, r4, r0)
    mov(r5, 6)
    mul(r0, r5)
    sub(r0, 2)
    data(2, 0x4487)  # add pc, r0
    label(EIGHT)
    ldrb(r0, [r2, 0])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 0])
    ldrb(r0, [r2, 1])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 1])
    ldrb(r0, [r2, 2])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 2])
    ldrb(r0, [r2, 3])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 3])
    ldrb(r0, [r2, 4])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 4])
    ldrb(r0, [r2, 5])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 5])
    ldrb(r0, [r2, 6])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 6])
    ldrb(r0, [r2, 7])
    data(2, 0x5C08)  # ldrb r0, [r1, r0]
    strb(r0, [r3, 7])
    add(r2, 8)
    add(r3, 8)
    sub(r4, 8)
    bne(EIGHT)
    mov(r0, 0)
