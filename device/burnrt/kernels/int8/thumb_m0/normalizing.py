# Generated from tools/asm/int8/thumb_m0/normalizing.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Rows normalised by their own mean and variance, for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_CENTER = const(20)
_ROWS = const(24)
_SIZE = const(28)
_INNER = const(32)
_NEXT = const(36)
_SHIFT = const(40)
_MEAN_BITS = const(44)
_VARIANCE_BITS = const(48)
_EPSILON = const(52)


@micropython.asm_thumb
def normalize(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  words
    #    4  x: of this row
    #    8  place: of its first output
    #   12  count: of numbers in a row
    #   16  rows: left
    #   20  row_pairs: this row's first gain
    #   24  pairs_step: from there to the next row's
    #   28  pairs: left
    #   32  pair: the next gain
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB089)  # sub sp, 36; STACK
    data(2, 0x9300)  # str r3, [sp, 0]; words
    data(2, 0x9205)  # str r2, [sp, 20]; row_pairs
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9401)  # str r4, [sp, 4]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9402)  # str r4, [sp, 8]; place
    ldr(r4, [r3, _SIZE])
    ldr(r5, [r3, _INNER])
    mul(r4, r5)
    data(2, 0x9403)  # str r4, [sp, 12]; count
    ldr(r4, [r3, _ROWS])
    data(2, 0x9404)  # str r4, [sp, 16]; rows
    ldr(r4, [r3, _NEXT])
    lsl(r4, r4, 3)
    data(2, 0x9406)  # str r4, [sp, 24]; pairs_step

    label(ROW)
    data(2, 0x9901)  # ldr r1, [sp, 4]; x
    data(2, 0x9C03)  # ldr r4, [sp, 12]; count
    add(r2, r1, r4)
    mov(r5, 7)
    neg(r4, r4)
    and_(r4, r5)
    sub(r1, r1, r4)
    lsl(r4, r4, 3)
    mov(r5, 0)
    mov(r6, 0)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(EIGHT)
    ldrb(r4, [r1, 0])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 1])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 2])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 3])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 4])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 5])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 6])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    ldrb(r4, [r1, 7])
    add(r5, r5, r4)
    mul(r4, r4)
    add(r6, r6, r4)
    add(r1, 8)
    cmp(r1, r2)
    bne(EIGHT)

    # r0 becomes the correction, r4 the byte that distances are from, r8 the mean with MEAN_BITS.
    data(2, 0x9B00)  # ldr r3, [sp, 0]; words
    data(2, 0x9A03)  # ldr r2, [sp, 12]; count
    ldr(r7, [r3, _CENTER])
    lsr(r4, r7, 8)
    bne(OWN_MEAN)
    mov(r4, r7)
    ldr(r0, [r3, _MEAN_BITS])
    lsl(r7, r0)
    mov(r8, r7)
    mov(r0, 0)
    b(CENTERED)
    label(OWN_MEAN)
    # The sum with MEAN_BITS r0 / the count r1, shifted to the bit r4 of the quotient r7.
    ldr(r4, [r3, _MEAN_BITS])
    mov(r0, r5)
    lsl(r0, r4)
    lsr(r1, r2, 1)
    add(r0, r0, r1)
    add(r4, 7)
    mov(r1, r2)
    lsl(r1, r4)
    mov(r7, 1)
    lsl(r7, r4)
    mov(r4, r7)
    mov(r7, 0)
    label(DIVIDE)
    cmp(r0, r1)
    bcc(LESS)
    sub(r0, r0, r1)
    add(r7, r7, r4)
    label(LESS)
    lsr(r1, r1, 1)
    lsr(r4, r4, 1)
    bne(DIVIDE)

    mov(r8, r7)
    ldr(r0, [r3, _MEAN_BITS])
    mov(r4, 1)
    lsl(r4, r0)
    lsr(r4, r4, 1)
    add(r4, r4, r7)
    lsr(r4, r0)
    mov(r1, r4)
    lsl(r1, r0)
    sub(r1, r7, r1)
    mov(r0, r4)
    mul(r0, r2)
    sub(r0, r5, r0)
    mul(r0, r1)
    ldr(r1, [r3, _MEAN_BITS])
    ldr(r7, [r3, _VARIANCE_BITS])
    sub(r1, r1, r7)
    asr(r0, r1)

    label(CENTERED)
    mov(r1, r4)
    mul(r1, r2)
    lsl(r5, r5, 1)
    sub(r5, r5, r1)
    mul(r5, r4)
    sub(r6, r6, r5)
    ldr(r7, [r3, _VARIANCE_BITS])
    lsl(r6, r7)
    sub(r6, r6, r0)
    ldr(r0, [r3, _EPSILON])
    add(r6, r6, r0)
    # r6 becomes the squares × 4^n from 2^13 to 2^15, r5 the shift, which is n less.
    lsr(r7, r7, 1)
    mov(r5, 14)
    sub(r5, r5, r7)
    mov(r0, 1)
    lsl(r0, r0, 13)
    lsl(r1, r0, 2)
    b(SMALL)
    label(SMALLER)
    lsl(r6, r6, 2)
    sub(r5, 1)
    label(SMALL)
    cmp(r6, r0)
    bcc(SMALLER)
    b(NOT_SMALL)
    label(LARGER)
    lsr(r6, r6, 2)
    add(r5, 1)
    label(NOT_SMALL)
    cmp(r6, r1)
    bcs(LARGER)
    # r7 becomes the root of their reciprocal, first by a line: 34898 - 39 / 64 × r6.
    mov(r7, 39)
    mul(r7, r6)
    lsr(r7, r7, 6)
    mov(r1, 136)
    lsl(r1, r1, 8)
    add(r1, 82)
    sub(r7, r1, r7)
    mov(r0, 3)
    lsl(r0, r0, 14)
    mov(r1, r7)
    mul(r1, r1)
    lsr(r1, r1, 14)
    mul(r1, r6)
    lsr(r1, r1, 15)
    sub(r1, r0, r1)
    lsr(r1, r1, 1)
    mul(r7, r1)
    lsr(r7, r7, 14)
    mov(r1, r7)
    mul(r1, r1)
    lsr(r1, r1, 14)
    mul(r1, r6)
    lsr(r1, r1, 15)
    sub(r1, r0, r1)
    lsr(r1, r1, 1)
    mul(r7, r1)
    lsr(r7, r7, 14)
    mov(r1, r7)
    mul(r1, r1)
    lsr(r1, r1, 14)
    mul(r1, r6)
    lsr(r1, r1, 15)
    sub(r1, r0, r1)
    lsr(r1, r1, 1)
    mul(r7, r1)
    lsr(r7, r7, 14)

    # A number × r6 + r8, r7 bits less, is its distance.
    lsl(r6, r7, 7)
    mov(r0, r8)
    ldr(r1, [r3, _MEAN_BITS])
    sub(r1, 7)
    lsr(r0, r1)
    mul(r0, r7)
    mov(r1, 1)
    lsl(r1, r5)
    lsr(r1, r1, 1)
    sub(r1, r1, r0)
    mov(r8, r1)
    mov(r7, r5)
    # r0 SHIFT, r10 -LOW << SHIFT, r11 HIGH - LOW, r12 LOW.
    ldr(r0, [r3, _SHIFT])
    ldr(r4, [r3, _LOW])
    ldr(r1, [r3, _HIGH])
    mov(r12, r4)
    sub(r1, r1, r4)
    mov(r11, r1)
    mov(r5, 1)
    lsl(r5, r5, 30)
    lsr(r5, r0)
    cmp(r4, r5)
    bcs(LARGE)
    mov(r5, r4)
    label(LARGE)
    lsl(r5, r0)
    neg(r5, r5)
    mov(r10, r5)
    ldr(r4, [r3, _INNER])
    ldr(r5, [r3, _SIZE])
    data(2, 0x9507)  # str r5, [sp, 28]; pairs
    data(2, 0x9A05)  # ldr r2, [sp, 20]; row_pairs
    data(2, 0x9208)  # str r2, [sp, 32]; pair
    data(2, 0x9901)  # ldr r1, [sp, 4]; x
    data(2, 0x9B02)  # ldr r3, [sp, 8]; place
    cmp(r4, 1)
    bne(RUN)

    data(2, 0x9C03)  # ldr r4, [sp, 12]; count
    add(r5, r3, r4)
    mov(r9, r5)
    mov(r2, 3)
    neg(r4, r4)
    and_(r4, r2)
    sub(r1, r1, r4)
    sub(r3, r3, r4)
    data(2, 0x9A05)  # ldr r2, [sp, 20]; row_pairs
    lsl(r5, r4, 3)
    sub(r2, r2, r5)
    mov(r5, 36)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(EACH)
    ldrb(r4, [r1, 0])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    ldr(r5, [r2, 0])
    mul(r4, r5)
    ldr(r5, [r2, 4])
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    ldr(r5, [r2, 8])
    mul(r4, r5)
    ldr(r5, [r2, 12])
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_2)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_2)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    ldr(r5, [r2, 16])
    mul(r4, r5)
    ldr(r5, [r2, 20])
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_3)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_3)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    ldr(r5, [r2, 24])
    mul(r4, r5)
    ldr(r5, [r2, 28])
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_4)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_4)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r3, 4)
    add(r2, 32)
    data(2, 0x454B)  # cmp r3, r9
    bne(EACH)
    b(NEXT_ROW)

    label(RUN)
    data(2, 0x9A08)  # ldr r2, [sp, 32]; pair
    ldr(r5, [r2, 4])
    data(2, 0x4455)  # add r5, r10
    mov(lr, r5)
    ldr(r5, [r2, 0])
    add(r2, 8)
    data(2, 0x9208)  # str r2, [sp, 32]; pair
    data(2, 0x9A00)  # ldr r2, [sp, 0]; words
    ldr(r4, [r2, _INNER])
    add(r2, r3, r4)
    mov(r9, r2)
    mov(r2, 3)
    neg(r4, r4)
    and_(r4, r2)
    sub(r1, r1, r4)
    sub(r3, r3, r4)
    mov(r2, 30)
    mul(r4, r2)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(SAME)
    ldrb(r4, [r1, 0])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    mul(r4, r5)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_5)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_5)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    mul(r4, r5)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_6)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_6)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    mul(r4, r5)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_7)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_7)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    mul(r4, r6)
    data(2, 0x4444)  # add r4, r8
    asr(r4, r7)
    mul(r4, r5)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_8)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_8)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r3, 4)
    data(2, 0x454B)  # cmp r3, r9
    bne(SAME)
    data(2, 0x9C07)  # ldr r4, [sp, 28]; pairs
    sub(r4, 1)
    data(2, 0x9407)  # str r4, [sp, 28]; pairs
    bne(RUN)

    label(NEXT_ROW)
    data(2, 0x9101)  # str r1, [sp, 4]; x
    data(2, 0x9302)  # str r3, [sp, 8]; place
    data(2, 0x9C05)  # ldr r4, [sp, 20]; row_pairs
    data(2, 0x9D06)  # ldr r5, [sp, 24]; pairs_step
    add(r4, r4, r5)
    data(2, 0x9405)  # str r4, [sp, 20]; row_pairs
    data(2, 0x9C04)  # ldr r4, [sp, 16]; rows
    sub(r4, 1)
    data(2, 0x9404)  # str r4, [sp, 16]; rows
    beq(DONE)
    b(ROW)
    label(DONE)
    data(2, 0xB009)  # add sp, 36; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
