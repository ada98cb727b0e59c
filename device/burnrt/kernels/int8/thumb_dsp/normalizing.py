# Generated from tools/asm/int8/thumb_dsp/normalizing.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Rows normalised by their own mean and variance, for Armv7E-M."""

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
    #   32  inner: numbers that have one
    #   36  over: 255 - (HIGH - LOW), four times
    #   40  excess: 255 - HIGH, four times
    #   44  lows: LOW, four times
    push({r8, r9, r10, r11})
    data(2, 0xB08C)  # sub sp, 48; STACK
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
    ldr(r4, [r3, _INNER])
    data(2, 0x9408)  # str r4, [sp, 32]; inner
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    data(2, 0xF085, 0x05FF)  # eor r5, r5, 255
    add(r6, r4, r5)
    data(2, 0xEA44, 0x2404)  # orr r4, r4, r4, lsl 8
    data(2, 0xEA45, 0x2505)  # orr r5, r5, r5, lsl 8
    data(2, 0xEA46, 0x2606)  # orr r6, r6, r6, lsl 8
    data(2, 0xEA44, 0x4404)  # orr r4, r4, r4, lsl 16
    data(2, 0xEA45, 0x4505)  # orr r5, r5, r5, lsl 16
    data(2, 0xEA46, 0x4606)  # orr r6, r6, r6, lsl 16
    data(2, 0x9609)  # str r6, [sp, 36]; over
    data(2, 0x950A)  # str r5, [sp, 40]; excess
    data(2, 0x940B)  # str r4, [sp, 44]; lows

    label(ROW)
    data(2, 0x9901)  # ldr r1, [sp, 4]; x
    data(2, 0x9B03)  # ldr r3, [sp, 12]; count
    mov(r5, 0)
    mov(r6, 0)
    mov(r7, 0)
    sub(r3, 8)
    bcc(FEW)
    label(EIGHT)
    data(2, 0xF851, 0x8B04)  # ldr r8, [r1], 4
    data(2, 0xFB78, 0x5507)  # usada8 r5, r8, r7, r5
    data(2, 0xFA3F, 0xF988)  # uxtb16 r9, r8
    data(2, 0xFA3F, 0xF898)  # uxtb16 r8, r8, ror 8
    data(2, 0xFB29, 0x6609)  # smlad r6, r9, r9, r6
    data(2, 0xFB28, 0x6608)  # smlad r6, r8, r8, r6
    data(2, 0xF851, 0x8B04)  # ldr r8, [r1], 4
    data(2, 0xFB78, 0x5507)  # usada8 r5, r8, r7, r5
    data(2, 0xFA3F, 0xF988)  # uxtb16 r9, r8
    data(2, 0xFA3F, 0xF898)  # uxtb16 r8, r8, ror 8
    data(2, 0xFB29, 0x6609)  # smlad r6, r9, r9, r6
    data(2, 0xFB28, 0x6608)  # smlad r6, r8, r8, r6
    sub(r3, 8)
    bcs(EIGHT)
    label(FEW)
    add(r3, 8)
    beq(TAKEN)
    label(ONE)
    data(2, 0xF811, 0x8B01)  # ldrb r8, [r1], 1
    data(2, 0xEB05, 0x0508)  # add r5, r5, r8
    data(2, 0xFB08, 0x6608)  # mla r6, r8, r8, r6
    sub(r3, 1)
    bne(ONE)

    label(TAKEN)
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
    # The sum with MEAN_BITS / the count.
    ldr(r0, [r3, _MEAN_BITS])
    mov(r7, r5)
    lsl(r7, r0)
    lsr(r1, r2, 1)
    add(r7, r7, r1)
    udiv(r7, r7, r2)
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

    # r0 becomes SHIFT, r12 LOW four times; r1 and r3 are where the row's numbers come from and go.
    ldr(r0, [r3, _SHIFT])
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; lows
    mov(r12, r4)
    ldr(r4, [r3, _SIZE])
    data(2, 0x9407)  # str r4, [sp, 28]; pairs
    data(2, 0x9A05)  # ldr r2, [sp, 20]; row_pairs
    data(2, 0x9901)  # ldr r1, [sp, 4]; x
    data(2, 0x9B02)  # ldr r3, [sp, 8]; place
    data(2, 0x9C08)  # ldr r4, [sp, 32]; inner
    cmp(r4, 1)
    bne(RUN)

    data(2, 0x9C03)  # ldr r4, [sp, 12]; count
    sub(r4, 4)
    bcc(REST)
    label(FOUR)
    data(2, 0xE8B2, 0x0C00)  # ldmia r2!, {r10, r11}
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0x8906)  # mla r9, r9, r6, r8
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xFB09, 0xB90A)  # mla r9, r9, r10, r11
    data(2, 0xFA49, 0xF900)  # asr r9, r9, r0
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE8B2, 0x0C00)  # ldmia r2!, {r10, r11}
    data(2, 0xF811, 0x5B01)  # ldrb r5, [r1], 1
    data(2, 0xFB05, 0x8506)  # mla r5, r5, r6, r8
    data(2, 0xFA45, 0xF507)  # asr r5, r5, r7
    data(2, 0xFB05, 0xB50A)  # mla r5, r5, r10, r11
    data(2, 0xFA45, 0xF500)  # asr r5, r5, r0
    data(2, 0xF385, 0x0508)  # usat r5, 8, r5
    data(2, 0xEA49, 0x2905)  # orr r9, r9, r5, lsl 8
    data(2, 0xE8B2, 0x0C00)  # ldmia r2!, {r10, r11}
    data(2, 0xF811, 0x5B01)  # ldrb r5, [r1], 1
    data(2, 0xFB05, 0x8506)  # mla r5, r5, r6, r8
    data(2, 0xFA45, 0xF507)  # asr r5, r5, r7
    data(2, 0xFB05, 0xB50A)  # mla r5, r5, r10, r11
    data(2, 0xFA45, 0xF500)  # asr r5, r5, r0
    data(2, 0xF385, 0x0508)  # usat r5, 8, r5
    data(2, 0xEA49, 0x4905)  # orr r9, r9, r5, lsl 16
    data(2, 0xE8B2, 0x0C00)  # ldmia r2!, {r10, r11}
    data(2, 0xF811, 0x5B01)  # ldrb r5, [r1], 1
    data(2, 0xFB05, 0x8506)  # mla r5, r5, r6, r8
    data(2, 0xFA45, 0xF507)  # asr r5, r5, r7
    data(2, 0xFB05, 0xB50A)  # mla r5, r5, r10, r11
    data(2, 0xFA45, 0xF500)  # asr r5, r5, r0
    data(2, 0xF385, 0x0508)  # usat r5, 8, r5
    data(2, 0xEA49, 0x6905)  # orr r9, r9, r5, lsl 24
    data(2, 0xE9DD, 0x5E09)  # ldrd r5, lr, [sp, 36]; over
    data(2, 0xFAC9, 0xF95C)  # uqsub8 r9, r9, r12
    data(2, 0xFA89, 0xF955)  # uqadd8 r9, r9, r5
    data(2, 0xEBA9, 0x090E)  # sub r9, r9, lr
    data(2, 0xF843, 0x9B04)  # str r9, [r3], 4
    sub(r4, 4)
    bcs(FOUR)
    label(REST)
    add(r4, 4)
    beq(NEXT_ROW)
    label(NUMBER)
    data(2, 0xE8B2, 0x0C00)  # ldmia r2!, {r10, r11}
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0x8906)  # mla r9, r9, r6, r8
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xFB09, 0xB90A)  # mla r9, r9, r10, r11
    data(2, 0xFA49, 0xF900)  # asr r9, r9, r0
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE9DD, 0x5E09)  # ldrd r5, lr, [sp, 36]; over
    data(2, 0xFAC9, 0xF95C)  # uqsub8 r9, r9, r12
    data(2, 0xFA89, 0xF955)  # uqadd8 r9, r9, r5
    data(2, 0xEBA9, 0x090E)  # sub r9, r9, lr
    data(2, 0xF803, 0x9B01)  # strb r9, [r3], 1
    sub(r4, 1)
    bne(NUMBER)
    b(NEXT_ROW)

    label(RUN)
    data(2, 0xE8B2, 0x0C00)  # ldmia r2!, {r10, r11}
    data(2, 0x9C08)  # ldr r4, [sp, 32]; inner
    sub(r4, 4)
    bcc(REST_OF_RUN)
    label(FOUR_OF_RUN)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0x8906)  # mla r9, r9, r6, r8
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xFB09, 0xB90A)  # mla r9, r9, r10, r11
    data(2, 0xFA49, 0xF900)  # asr r9, r9, r0
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xF811, 0x5B01)  # ldrb r5, [r1], 1
    data(2, 0xFB05, 0x8506)  # mla r5, r5, r6, r8
    data(2, 0xFA45, 0xF507)  # asr r5, r5, r7
    data(2, 0xFB05, 0xB50A)  # mla r5, r5, r10, r11
    data(2, 0xFA45, 0xF500)  # asr r5, r5, r0
    data(2, 0xF385, 0x0508)  # usat r5, 8, r5
    data(2, 0xEA49, 0x2905)  # orr r9, r9, r5, lsl 8
    data(2, 0xF811, 0x5B01)  # ldrb r5, [r1], 1
    data(2, 0xFB05, 0x8506)  # mla r5, r5, r6, r8
    data(2, 0xFA45, 0xF507)  # asr r5, r5, r7
    data(2, 0xFB05, 0xB50A)  # mla r5, r5, r10, r11
    data(2, 0xFA45, 0xF500)  # asr r5, r5, r0
    data(2, 0xF385, 0x0508)  # usat r5, 8, r5
    data(2, 0xEA49, 0x4905)  # orr r9, r9, r5, lsl 16
    data(2, 0xF811, 0x5B01)  # ldrb r5, [r1], 1
    data(2, 0xFB05, 0x8506)  # mla r5, r5, r6, r8
    data(2, 0xFA45, 0xF507)  # asr r5, r5, r7
    data(2, 0xFB05, 0xB50A)  # mla r5, r5, r10, r11
    data(2, 0xFA45, 0xF500)  # asr r5, r5, r0
    data(2, 0xF385, 0x0508)  # usat r5, 8, r5
    data(2, 0xEA49, 0x6905)  # orr r9, r9, r5, lsl 24
    data(2, 0xE9DD, 0x5E09)  # ldrd r5, lr, [sp, 36]; over
    data(2, 0xFAC9, 0xF95C)  # uqsub8 r9, r9, r12
    data(2, 0xFA89, 0xF955)  # uqadd8 r9, r9, r5
    data(2, 0xEBA9, 0x090E)  # sub r9, r9, lr
    data(2, 0xF843, 0x9B04)  # str r9, [r3], 4
    sub(r4, 4)
    bcs(FOUR_OF_RUN)
    label(REST_OF_RUN)
    add(r4, 4)
    beq(NEXT_RUN)
    label(NUMBER_OF_RUN)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0x8906)  # mla r9, r9, r6, r8
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xFB09, 0xB90A)  # mla r9, r9, r10, r11
    data(2, 0xFA49, 0xF900)  # asr r9, r9, r0
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE9DD, 0x5E09)  # ldrd r5, lr, [sp, 36]; over
    data(2, 0xFAC9, 0xF95C)  # uqsub8 r9, r9, r12
    data(2, 0xFA89, 0xF955)  # uqadd8 r9, r9, r5
    data(2, 0xEBA9, 0x090E)  # sub r9, r9, lr
    data(2, 0xF803, 0x9B01)  # strb r9, [r3], 1
    sub(r4, 1)
    bne(NUMBER_OF_RUN)
    label(NEXT_RUN)
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
    data(2, 0xB00C)  # add sp, 48; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
