# Generated from tools/asm/int8/thumb_dsp/dense.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The dense layer for Armv7E-M: four outputs share each number that comes in."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_ZERO = const(16)
_RESCALE = const(20)
_ROWS = const(24)
_INPUTS = const(28)
_OUTPUTS = const(32)


@micropython.asm_thumb
def linear(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  bias: of the next output
    #    4  to_rescaling: from a bias to its rescaling word
    #    8  place: of the next output
    #   12  zero_low: ZERO - LOW
    #   16  over: 255 - (HIGH - LOW)
    #   20  excess: 255 - HIGH
    #   24  inputs
    #   28  tail_mask: of the last inputs, 0 where they fill a word
    #   32  x: of this row
    #   36  weights: of the next output
    #   40  outputs: left in this row
    #   44  rows: left
    #   48  all_outputs
    #   52  all_biases
    #   56  all_weights
    push({r8, r9, r10, r11})
    data(2, 0xB08F)  # sub sp, 60; STACK
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9408)  # str r4, [sp, 32]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9402)  # str r4, [sp, 8]; place
    data(2, 0x920D)  # str r2, [sp, 52]; all_biases
    data(2, 0x910E)  # str r1, [sp, 56]; all_weights
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9401)  # str r4, [sp, 4]; to_rescaling
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    ldr(r6, [r3, _ZERO])
    sub(r6, r6, r4)
    data(2, 0x9603)  # str r6, [sp, 12]; zero_low
    mov(r6, 255)
    sub(r7, r6, r5)
    data(2, 0x9705)  # str r7, [sp, 20]; excess
    add(r7, r7, r4)
    data(2, 0x9704)  # str r7, [sp, 16]; over
    ldr(r4, [r3, _INPUTS])
    data(2, 0x9406)  # str r4, [sp, 24]; inputs
    lsl(r5, r4, 30)
    lsr(r5, r5, 27)
    mov(r6, 1)
    lsl(r6, r5)
    sub(r6, r6, 1)
    data(2, 0x9607)  # str r6, [sp, 28]; tail_mask
    ldr(r4, [r3, _ROWS])
    data(2, 0x940B)  # str r4, [sp, 44]; rows
    ldr(r4, [r3, _OUTPUTS])
    data(2, 0x940C)  # str r4, [sp, 48]; all_outputs

    label(ROW)
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; all_biases
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; all_weights
    data(2, 0x9409)  # str r4, [sp, 36]; weights
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; all_outputs
    data(2, 0x940A)  # str r4, [sp, 40]; outputs

    # Up to four outputs: their sums r4-r7, their weights r9-r12, x r8, the end of x in whole words lr. Where
    # fewer are left, the last one's weights stand for those that are missing.
    label(OUTPUTS)
    data(2, 0x9B06)  # ldr r3, [sp, 24]; inputs
    data(2, 0x9A0A)  # ldr r2, [sp, 40]; outputs
    data(2, 0xF8DD, 0x9024)  # ldr r9, [sp, 36]; weights
    mov(r10, r9)
    cmp(r2, 2)
    it(cs)
    data(2, 0x449A)  # addcs r10, r3
    mov(r11, r10)
    cmp(r2, 3)
    it(cs)
    data(2, 0x449B)  # addcs r11, r3
    mov(r12, r11)
    cmp(r2, 4)
    it(cs)
    data(2, 0x449C)  # addcs r12, r3
    data(2, 0xEB0C, 0x0403)  # add r4, r12, r3
    data(2, 0x9409)  # str r4, [sp, 36]; weights
    data(2, 0xF8DD, 0x8020)  # ldr r8, [sp, 32]; x
    data(2, 0xF023, 0x0E03)  # bic lr, r3, 3
    data(2, 0x44C6)  # add lr, r8
    mov(r4, 0)
    mov(r5, r4)
    mov(r6, r4)
    mov(r7, r4)
    data(2, 0x45F0)  # cmp r8, lr
    beq_w(REST)
    lsl(r3, r3, 29)
    bmi(SECOND)

    # Two words of x, or one at the first time; r0 and r1 are a word's numbers 0 and 2, 1 and 3; r2 and r3 the
    # weights of one output.
    label(FIRST)
    data(2, 0xF858, 0x1B04)  # ldr r1, [r8], 4
    data(2, 0xFA3F, 0xF081)  # uxtb16 r0, r1
    data(2, 0xFA3F, 0xF191)  # uxtb16 r1, r1, ror 8
    data(2, 0xF859, 0x3B04)  # ldr r3, [r9], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x4402)  # smlad r4, r0, r2, r4
    data(2, 0xFB21, 0x4403)  # smlad r4, r1, r3, r4
    data(2, 0xF85A, 0x3B04)  # ldr r3, [r10], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x5502)  # smlad r5, r0, r2, r5
    data(2, 0xFB21, 0x5503)  # smlad r5, r1, r3, r5
    data(2, 0xF85B, 0x3B04)  # ldr r3, [r11], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x6602)  # smlad r6, r0, r2, r6
    data(2, 0xFB21, 0x6603)  # smlad r6, r1, r3, r6
    data(2, 0xF85C, 0x3B04)  # ldr r3, [r12], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x7702)  # smlad r7, r0, r2, r7
    data(2, 0xFB21, 0x7703)  # smlad r7, r1, r3, r7
    label(SECOND)
    data(2, 0xF858, 0x1B04)  # ldr r1, [r8], 4
    label(MASKED)
    data(2, 0xFA3F, 0xF081)  # uxtb16 r0, r1
    data(2, 0xFA3F, 0xF191)  # uxtb16 r1, r1, ror 8
    data(2, 0xF859, 0x3B04)  # ldr r3, [r9], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x4402)  # smlad r4, r0, r2, r4
    data(2, 0xFB21, 0x4403)  # smlad r4, r1, r3, r4
    data(2, 0xF85A, 0x3B04)  # ldr r3, [r10], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x5502)  # smlad r5, r0, r2, r5
    data(2, 0xFB21, 0x5503)  # smlad r5, r1, r3, r5
    data(2, 0xF85B, 0x3B04)  # ldr r3, [r11], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x6602)  # smlad r6, r0, r2, r6
    data(2, 0xFB21, 0x6603)  # smlad r6, r1, r3, r6
    data(2, 0xF85C, 0x3B04)  # ldr r3, [r12], 4
    data(2, 0xFA2F, 0xF283)  # sxtb16 r2, r3
    data(2, 0xFA2F, 0xF393)  # sxtb16 r3, r3, ror 8
    data(2, 0xFB20, 0x7702)  # smlad r7, r0, r2, r7
    data(2, 0xFB21, 0x7703)  # smlad r7, r1, r3, r7
    data(2, 0x45F0)  # cmp r8, lr
    bcc(FIRST)
    bhi(SUMMED)
    # What is left of x fills no word: what lies behind it becomes 0. Afterwards r8 is beyond lr.
    label(REST)
    data(2, 0x9B07)  # ldr r3, [sp, 28]; tail_mask
    cmp(r3, 0)
    beq(SUMMED)
    data(2, 0xF858, 0x1B04)  # ldr r1, [r8], 4
    and_(r1, r3)
    b(MASKED)

    # Each sum becomes an output: r8 its bias, r9 from there to its rescaling word, r10 its place, r11, r12,
    # lr the numbers that make ZERO and a cut to LOW..HIGH of two saturating instructions.
    label(SUMMED)
    data(2, 0xE89D, 0x5F00)  # ldm sp, {r8, r9, r10, r11, r12, lr}
    data(2, 0x9A0A)  # ldr r2, [sp, 40]; outputs
    sub(r3, r2, 4)
    it(cc)
    mov(r3, 0)
    data(2, 0x930A)  # str r3, [sp, 40]; outputs
    sub(r3, r2, r3)
    label(OUTPUT)
    data(2, 0xF858, 0x1009)  # ldr r1, [r8, r9]
    data(2, 0xF858, 0x2B04)  # ldr r2, [r8], 4
    add(r0, r4, r2)
    data(2, 0xF3C1, 0x4204)  # ubfx r2, r1, 16, 5
    asr(r0, r2)
    data(2, 0xF300, 0x000F)  # ssat r0, 16, r0
    data(2, 0xFB10, 0xF001)  # smulbb r0, r0, r1
    lsr(r1, r1, 24)
    asr(r0, r1)
    data(2, 0xEB50, 0x000B)  # adcs r0, r0, r11
    data(2, 0xF380, 0x0008)  # usat r0, 8, r0
    data(2, 0xFA80, 0xF05C)  # uqadd8 r0, r0, r12
    data(2, 0xEBA0, 0x000E)  # sub r0, r0, lr
    data(2, 0xF80A, 0x0B01)  # strb r0, [r10], 1
    mov(r4, r5)
    mov(r5, r6)
    mov(r6, r7)
    sub(r3, r3, 1)
    bne(OUTPUT)
    data(2, 0xF8CD, 0x8000)  # str r8, [sp, 0]; bias
    data(2, 0xF8CD, 0xA008)  # str r10, [sp, 8]; place
    data(2, 0x9A0A)  # ldr r2, [sp, 40]; outputs
    cmp(r2, 0)
    bne_w(OUTPUTS)

    data(2, 0x9C08)  # ldr r4, [sp, 32]; x
    data(2, 0x9B06)  # ldr r3, [sp, 24]; inputs
    add(r4, r4, r3)
    data(2, 0x9408)  # str r4, [sp, 32]; x
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; rows
    sub(r4, r4, 1)
    data(2, 0x940B)  # str r4, [sp, 44]; rows
    bne_w(ROW)
    data(2, 0xB00F)  # add sp, 60; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
