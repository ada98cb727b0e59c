# Generated from tools/asm/int8/thumb_m0/depthwise.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Convolution of each channel on its own for Armv6-M, at its best for windows of 3 × 3."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_ZERO = const(16)
_RESCALE = const(20)
_PAD = const(28)
_CHANNELS = const(32)
_HEIGHT = const(36)
_WIDTH = const(40)
_OUT_HEIGHT = const(44)
_OUT_WIDTH = const(48)
_KERNEL_DOWN = const(52)
_KERNEL_ACROSS = const(56)
_STRIDE_DOWN = const(60)
_STRIDE_ACROSS = const(64)
_PADDING_DOWN = const(68)
_PADDING_ACROSS = const(72)
_DILATION_DOWN = const(76)
_DILATION_ACROSS = const(80)


@micropython.asm_thumb
def depthwise2d(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  first_shift: of this channel
    #    4  factor
    #    8  second_shift
    #   12  start: sum to begin with, as if all were PAD
    #   16  pad
    #   20  width
    #   24  stride: across
    #   28  line: the first of this row's windows
    #   32  line_weights: in the middle
    #   36  windows: left in this row
    #   40  column: where a window starts
    #   44  place: of the next output
    #   48  row: where a window starts
    #   52  any_column: the same for any windows
    #   56  rows: of outputs left
    #   60  words
    #   64  x: the plane
    #   68  plane: size of an input plane
    #   72  weights: of this channel
    #   76  bias: of this channel
    #   80  to_rescaling: from a bias to its rescaling word
    #   84  channels: left
    #   88  last_row: HEIGHT - 3
    #   92  last_column: WIDTH - 3
    #   96  right: weights over the right edge: five lines of 3 words, the first and the last 0
    #  156  middle: the same in the middle
    #  216  left: and over the left edge
    #   96  last_two: of any windows: where two that lie inside may start at most, if at all
    #  100  to_line: from line to line
    #  104  all_padding: sum to begin with as if all were PAD
    #  108  next_weights: of the next channel, 0 where all_padding is yet unknown
    #  112  start_inside: sum as if what is outside in this row of windows were
    #  116  inside_line: the first of this row that is inside
    #  120  inside_weights: of that
    #  124  weights_size: of these and those of all lines inside
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0C6)  # sub sp, 280; STACK
    data(2, 0x930F)  # str r3, [sp, 60]; words
    data(2, 0x9112)  # str r1, [sp, 72]; weights
    data(2, 0x9213)  # str r2, [sp, 76]; bias
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9410)  # str r4, [sp, 64]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x940B)  # str r4, [sp, 44]; place
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9415)  # str r4, [sp, 84]; channels
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9414)  # str r4, [sp, 80]; to_rescaling
    ldr(r4, [r3, _LOW])
    mov(r10, r4)
    ldr(r4, [r3, _HIGH])
    mov(r11, r4)
    ldr(r4, [r3, _ZERO])
    mov(r12, r4)
    ldr(r4, [r3, _PAD])
    data(2, 0x9404)  # str r4, [sp, 16]; pad
    ldr(r7, [r3, _STRIDE_ACROSS])
    data(2, 0x9706)  # str r7, [sp, 24]; stride
    ldr(r1, [r3, _WIDTH])
    data(2, 0x9105)  # str r1, [sp, 20]; width
    ldr(r0, [r3, _HEIGHT])
    mov(r2, r0)
    mul(r2, r1)
    data(2, 0x9211)  # str r2, [sp, 68]; plane

    # The fast way is for windows of 3 × 3 that reach over an edge by at most 1: r0 HEIGHT - 3, r1 WIDTH - 3.
    sub(r0, 3)
    data(2, 0x9016)  # str r0, [sp, 88]; last_row
    bmi(ANY)
    sub(r1, 3)
    data(2, 0x9117)  # str r1, [sp, 92]; last_column
    bmi(ANY)
    ldr(r4, [r3, _KERNEL_DOWN])
    cmp(r4, 3)
    bne(ANY)
    ldr(r4, [r3, _KERNEL_ACROSS])
    cmp(r4, 3)
    bne(ANY)
    ldr(r4, [r3, _DILATION_DOWN])
    cmp(r4, 1)
    bne(ANY)
    ldr(r4, [r3, _DILATION_ACROSS])
    cmp(r4, 1)
    bne(ANY)
    ldr(r4, [r3, _PADDING_DOWN])
    cmp(r4, 1)
    bhi(ANY)
    ldr(r5, [r3, _PADDING_ACROSS])
    cmp(r5, 1)
    bhi(ANY)
    ldr(r6, [r3, _OUT_HEIGHT])
    sub(r6, 1)
    ldr(r2, [r3, _STRIDE_DOWN])
    mul(r6, r2)
    sub(r6, r6, r4)
    sub(r6, 1)
    cmp(r6, r0)
    bgt(ANY)
    ldr(r6, [r3, _OUT_WIDTH])
    sub(r6, 1)
    mul(r6, r7)
    sub(r6, r6, r5)
    sub(r6, 1)
    cmp(r6, r1)
    ble(NINE)
    label(ANY)
    b(ANYWAY)

    # All weights are 0 for now: the first and the last lines will stay so.
    label(NINE)
    data(2, 0xAC18)  # add r4, sp, 96; right
    mov(r5, 180)
    mov(r6, 0)
    label(CLEAR)
    sub(r5, 4)
    data(2, 0x5166)  # str r6, [r4, r5]
    bne(CLEAR)

    # A channel: r0 weights, r1 where they go in the middle, r6 over the right edge, r2 lines left, r3 0, r4 a
    # weight, r5 their sum.
    label(CHANNEL)
    data(2, 0x9812)  # ldr r0, [sp, 72]; weights
    data(2, 0xA92A)  # add r1, sp, 168; middle
    mov(r5, 0)
    mov(r2, 3)
    mov(r3, 0)
    label(WEIGHTS)
    data(2, 0x56C4)  # ldrsb r4, [r0, r3]
    add(r5, r5, r4)
    str(r4, [r1, 0])
    mov(r6, r1)
    sub(r6, 56)
    str(r4, [r6, 0])
    add(r0, 1)
    data(2, 0x56C4)  # ldrsb r4, [r0, r3]
    add(r5, r5, r4)
    str(r4, [r1, 4])
    str(r4, [r6, 4])
    str(r4, [r1, 60])
    add(r0, 1)
    data(2, 0x56C4)  # ldrsb r4, [r0, r3]
    add(r5, r5, r4)
    str(r4, [r1, 8])
    str(r4, [r1, 64])
    add(r0, 1)
    add(r1, 12)
    sub(r2, 1)
    bne(WEIGHTS)
    data(2, 0x9012)  # str r0, [sp, 72]; weights
    data(2, 0x9C04)  # ldr r4, [sp, 16]; pad
    mul(r5, r4)
    data(2, 0x9813)  # ldr r0, [sp, 76]; bias
    ldr(r4, [r0, 0])
    add(r5, r5, r4)
    data(2, 0x9503)  # str r5, [sp, 12]; start
    data(2, 0x9C14)  # ldr r4, [sp, 80]; to_rescaling
    data(2, 0x5904)  # ldr r4, [r0, r4]
    add(r0, 4)
    data(2, 0x9013)  # str r0, [sp, 76]; bias
    lsl(r5, r4, 11)
    lsr(r5, r5, 27)
    data(2, 0x9500)  # str r5, [sp, 0]; first_shift
    data(2, 0xB2A5)  # uxth r5, r4
    data(2, 0x9501)  # str r5, [sp, 4]; factor
    lsr(r4, r4, 24)
    data(2, 0x9402)  # str r4, [sp, 8]; second_shift
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x940C)  # str r4, [sp, 48]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x940E)  # str r4, [sp, 56]; rows

    # A row of windows. Over the upper or the lower edge, all lines are taken from inside, and the weights of
    # one more or one less: so the line outside has no weights, and another one weights of 0.
    label(ROW)
    data(2, 0x980C)  # ldr r0, [sp, 48]; row
    mov(r2, r0)
    cmp(r2, 0)
    bge(UPPER)
    mov(r2, 0)
    label(UPPER)
    data(2, 0x9916)  # ldr r1, [sp, 88]; last_row
    cmp(r2, r1)
    ble(LOWER)
    mov(r2, r1)
    label(LOWER)
    sub(r1, r2, r0)
    mov(r4, 12)
    mul(r1, r4)
    add(r1, 168)
    data(2, 0x4469)  # add r1, sp, r1
    data(2, 0x9108)  # str r1, [sp, 32]; line_weights
    data(2, 0x9905)  # ldr r1, [sp, 20]; width
    mul(r2, r1)
    data(2, 0x9910)  # ldr r1, [sp, 64]; x
    add(r2, r2, r1)
    data(2, 0x9207)  # str r2, [sp, 28]; line
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x9409)  # str r4, [sp, 36]; windows
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x940A)  # str r4, [sp, 40]; column

    # A run of windows: the one over the left edge, all in the middle, or the one over the right edge. r0
    # becomes the column of its first, r3 its weights, r7 how many it has.
    label(RUN)
    data(2, 0x980A)  # ldr r0, [sp, 40]; column
    data(2, 0x9917)  # ldr r1, [sp, 92]; last_column
    data(2, 0x9A06)  # ldr r2, [sp, 24]; stride
    data(2, 0x9B08)  # ldr r3, [sp, 32]; line_weights
    mov(r7, 1)
    cmp(r0, 0)
    bmi(LEFT)
    mov(r7, 0)
    cmp(r0, r1)
    bgt(RIGHT)
    data(2, 0x9E09)  # ldr r6, [sp, 36]; windows
    mov(r4, r0)
    label(COUNT)
    add(r7, 1)
    add(r4, r4, r2)
    cmp(r7, r6)
    bcs(RUN_READY)
    cmp(r4, r1)
    ble(COUNT)
    b(RUN_READY)
    label(LEFT)
    mov(r4, r2)
    sub(r4, 1)
    mov(r0, 0)
    add(r3, 60)
    b(RUN_READY)
    label(RIGHT)
    mov(r7, 1)
    mov(r0, r1)
    sub(r3, 60)
    label(RUN_READY)
    data(2, 0x940A)  # str r4, [sp, 40]; column
    mov(r9, r7)
    mov(r8, r2)
    data(2, 0x9C09)  # ldr r4, [sp, 36]; windows
    sub(r4, r4, r7)
    data(2, 0x9409)  # str r4, [sp, 36]; windows
    # The sum to begin with, less what it has for places that are inside, r6.
    ldr(r6, [r3, 0])
    ldr(r4, [r3, 4])
    add(r6, r6, r4)
    ldr(r4, [r3, 8])
    add(r6, r6, r4)
    ldr(r4, [r3, 12])
    add(r6, r6, r4)
    ldr(r4, [r3, 16])
    add(r6, r6, r4)
    ldr(r4, [r3, 20])
    add(r6, r6, r4)
    ldr(r4, [r3, 24])
    add(r6, r6, r4)
    ldr(r4, [r3, 28])
    add(r6, r6, r4)
    ldr(r4, [r3, 32])
    add(r6, r6, r4)
    data(2, 0x9C04)  # ldr r4, [sp, 16]; pad
    mul(r6, r4)
    data(2, 0x9C03)  # ldr r4, [sp, 12]; start
    sub(r4, r4, r6)
    mov(lr, r4)

    # A window: r0, r1 and r2 its lines, r3 its weights, r4 a number, r5 a weight, r6 the sum, r7 where it
    # goes; r8 from window to window, r9 windows left, r10 LOW, r11 HIGH, r12 ZERO, lr the sum to begin with.
    data(2, 0x9907)  # ldr r1, [sp, 28]; line
    add(r0, r0, r1)
    data(2, 0x9A05)  # ldr r2, [sp, 20]; width
    add(r1, r0, r2)
    add(r2, r1, r2)
    data(2, 0x9F0B)  # ldr r7, [sp, 44]; place
    label(WINDOW)
    mov(r6, lr)
    ldrb(r4, [r0, 0])
    ldr(r5, [r3, 0])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r0, 1])
    ldr(r5, [r3, 4])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r0, 2])
    ldr(r5, [r3, 8])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r1, 0])
    ldr(r5, [r3, 12])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r1, 1])
    ldr(r5, [r3, 16])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r1, 2])
    ldr(r5, [r3, 20])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r2, 0])
    ldr(r5, [r3, 24])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r2, 1])
    ldr(r5, [r3, 28])
    mul(r4, r5)
    add(r6, r6, r4)
    ldrb(r4, [r2, 2])
    ldr(r5, [r3, 32])
    mul(r4, r5)
    add(r6, r6, r4)
    data(2, 0x9C00)  # ldr r4, [sp, 0]; first_shift
    asr(r6, r4)
    data(2, 0xB234)  # sxth r4, r6
    cmp(r4, r6)
    beq(SHIFTED)
    asr(r6, r6, 31)
    mov(r4, 255)
    lsl(r4, r4, 7)
    add(r4, 127)
    eor(r6, r4)
    label(SHIFTED)
    data(2, 0x9C01)  # ldr r4, [sp, 4]; factor
    mul(r6, r4)
    data(2, 0x9C02)  # ldr r4, [sp, 8]; second_shift
    asr(r6, r4)
    mov(r4, r12)
    adc(r6, r4)
    data(2, 0x4556)  # cmp r6, r10
    bge(AT_LEAST)
    mov(r6, r10)
    label(AT_LEAST)
    data(2, 0x455E)  # cmp r6, r11
    ble(AT_MOST)
    mov(r6, r11)
    label(AT_MOST)
    strb(r6, [r7, 0])
    add(r7, 1)
    data(2, 0x4440)  # add r0, r8
    data(2, 0x4441)  # add r1, r8
    data(2, 0x4442)  # add r2, r8
    mov(r4, r9)
    sub(r4, 1)
    mov(r9, r4)
    bne(WINDOW)
    data(2, 0x970B)  # str r7, [sp, 44]; place
    data(2, 0x9C09)  # ldr r4, [sp, 36]; windows
    cmp(r4, 0)
    beq(NEXT_ROW)
    b(RUN)

    label(NEXT_ROW)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0x9D0C)  # ldr r5, [sp, 48]; row
    add(r5, r5, r4)
    data(2, 0x950C)  # str r5, [sp, 48]; row
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; rows
    sub(r4, 1)
    data(2, 0x940E)  # str r4, [sp, 56]; rows
    beq(NEXT_CHANNEL)
    b(ROW)
    label(NEXT_CHANNEL)
    data(2, 0x9C10)  # ldr r4, [sp, 64]; x
    data(2, 0x9D11)  # ldr r5, [sp, 68]; plane
    add(r4, r4, r5)
    data(2, 0x9410)  # str r4, [sp, 64]; x
    data(2, 0x9C15)  # ldr r4, [sp, 84]; channels
    sub(r4, 1)
    data(2, 0x9415)  # str r4, [sp, 84]; channels
    beq(ALL_CHANNELS)
    b(CHANNEL)
    label(ALL_CHANNELS)
    b(DONE)

    # Any windows: two at once where they lie inside side by side, else one. Of each, only what lies inside is
    # walked over. `start_inside` is the sum to begin with for a window of which all columns lie inside; for
    # another, it is as if all numbers were PAD, which is then taken from each.
    label(ANYWAY)
    data(2, 0x9905)  # ldr r1, [sp, 20]; width
    ldr(r4, [r3, _KERNEL_ACROSS])
    data(2, 0x9D06)  # ldr r5, [sp, 24]; stride
    sub(r4, r1, r4)
    sub(r4, r4, r5)
    ldr(r5, [r3, _DILATION_ACROSS])
    cmp(r5, 1)
    bne(APART)
    b(NEXT_TO_EACH_OTHER)
    label(APART)
    mov(r4, 0)
    sub(r4, 1)
    label(NEXT_TO_EACH_OTHER)
    data(2, 0x9418)  # str r4, [sp, 96]; last_two
    ldr(r4, [r3, _DILATION_DOWN])
    mul(r1, r4)
    data(2, 0x9119)  # str r1, [sp, 100]; to_line
    label(ANY_CHANNEL)
    data(2, 0x9D13)  # ldr r5, [sp, 76]; bias
    data(2, 0x9C14)  # ldr r4, [sp, 80]; to_rescaling
    data(2, 0x592C)  # ldr r4, [r5, r4]
    ldr(r6, [r5, 0])
    add(r5, 4)
    data(2, 0x9513)  # str r5, [sp, 76]; bias
    data(2, 0x9603)  # str r6, [sp, 12]; start
    lsl(r5, r4, 11)
    lsr(r5, r5, 27)
    data(2, 0x9500)  # str r5, [sp, 0]; first_shift
    data(2, 0xB2A5)  # uxth r5, r4
    data(2, 0x9501)  # str r5, [sp, 4]; factor
    lsr(r4, r4, 24)
    data(2, 0x9402)  # str r4, [sp, 8]; second_shift
    mov(r5, 0)
    data(2, 0x951B)  # str r5, [sp, 108]; next_weights
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x940C)  # str r4, [sp, 48]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x940E)  # str r4, [sp, 56]; rows

    # A row of windows.
    label(ANY_ROW)
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; row
    ldr(r5, [r3, _DILATION_DOWN])
    ldr(r6, [r3, _KERNEL_DOWN])
    ldr(r7, [r3, _HEIGHT])
    data(2, 0x9812)  # ldr r0, [sp, 72]; weights
    ldr(r2, [r3, _KERNEL_ACROSS])
    # Of r6 numbers from r4 on, r5 apart, the r6 are left that lie inside, r4 the first; for each that lay
    # before, something has been skipped. r1 is free.
    b(FIRST)
    label(OUTSIDE)
    add(r4, r4, r5)
    add(r0, r0, r2)
    sub(r6, 1)
    label(FIRST)
    cmp(r4, 0)
    blt(OUTSIDE)
    sub(r1, r6, 1)
    mul(r1, r5)
    add(r1, r1, r4)
    b(LAST)
    label(BEHIND)
    sub(r1, r1, r5)
    sub(r6, 1)
    label(LAST)
    cmp(r1, r7)
    bge(BEHIND)
    data(2, 0x9D05)  # ldr r5, [sp, 20]; width
    mul(r4, r5)
    data(2, 0x9D10)  # ldr r5, [sp, 64]; x
    add(r4, r4, r5)
    data(2, 0x941D)  # str r4, [sp, 116]; inside_line
    data(2, 0x901E)  # str r0, [sp, 120]; inside_weights
    data(2, 0x9C03)  # ldr r4, [sp, 12]; start
    ldr(r5, [r3, _KERNEL_DOWN])
    mul(r2, r6)
    data(2, 0x921F)  # str r2, [sp, 124]; weights_size
    cmp(r5, r6)
    beq(WHOLE)
    bl(PADDED)
    mov(r4, r5)
    data(2, 0x9F1F)  # ldr r7, [sp, 124]; weights_size
    mov(r2, r0)
    add(r2, r2, r7)
    neg(r7, r7)
    mov(r5, 0)
    label(WEIGHT)
    data(2, 0x57D1)  # ldrsb r1, [r2, r7]
    add(r5, r5, r1)
    add(r7, 1)
    bne(WEIGHT)
    data(2, 0x9904)  # ldr r1, [sp, 16]; pad
    mul(r5, r1)
    sub(r4, r4, r5)
    label(WHOLE)
    data(2, 0x941C)  # str r4, [sp, 112]; start_inside
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x940D)  # str r4, [sp, 52]; any_column
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x9409)  # str r4, [sp, 36]; windows

    label(ANY_WINDOWS)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; to_line
    mov(r8, r4)
    ldr(r4, [r3, _KERNEL_ACROSS])
    mov(r9, r4)
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; inside_weights
    add(r5, r5, r4)
    data(2, 0x9E1F)  # ldr r6, [sp, 124]; weights_size
    add(r5, r5, r6)
    mov(r11, r5)
    neg(r4, r4)
    mov(r10, r4)
    label(NEXT_WINDOWS)
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; any_column
    data(2, 0x9D18)  # ldr r5, [sp, 96]; last_two
    cmp(r4, 0)
    blt(ONE_WINDOW)
    cmp(r4, r5)
    bgt(ONE_WINDOW)
    data(2, 0x9D09)  # ldr r5, [sp, 36]; windows
    cmp(r5, 2)
    bcc(ONE_WINDOW)

    # Two windows: r1 where their weights' line ends, r2 and r3 where their numbers' does, r0 from there to a
    # number, r4 the number, r5 its weight, r6 and r7 the sums; r8 and r9 to the next line of numbers and of
    # weights, r10 a line's length below 0, r11 where weights end.
    data(2, 0x9A1D)  # ldr r2, [sp, 116]; inside_line
    add(r2, r2, r4)
    data(2, 0x444A)  # add r2, r9
    data(2, 0x9B06)  # ldr r3, [sp, 24]; stride
    add(r3, r2, r3)
    data(2, 0x991E)  # ldr r1, [sp, 120]; inside_weights
    data(2, 0x4449)  # add r1, r9
    data(2, 0x9E1C)  # ldr r6, [sp, 112]; start_inside
    mov(r7, r6)
    label(TWO_LINES)
    mov(r0, r10)
    label(TWO_NUMBERS)
    data(2, 0x560D)  # ldrsb r5, [r1, r0]
    data(2, 0x5C14)  # ldrb r4, [r2, r0]
    mul(r4, r5)
    add(r6, r6, r4)
    data(2, 0x5C1C)  # ldrb r4, [r3, r0]
    mul(r4, r5)
    add(r7, r7, r4)
    add(r0, 1)
    bne(TWO_NUMBERS)
    data(2, 0x4442)  # add r2, r8
    data(2, 0x4443)  # add r3, r8
    data(2, 0x4449)  # add r1, r9
    data(2, 0x4559)  # cmp r1, r11
    bne(TWO_LINES)
    bl(FINISH)
    mov(r6, r7)
    bl(FINISH)
    data(2, 0x9C06)  # ldr r4, [sp, 24]; stride
    lsl(r4, r4, 1)
    data(2, 0x9D0D)  # ldr r5, [sp, 52]; any_column
    add(r5, r5, r4)
    data(2, 0x950D)  # str r5, [sp, 52]; any_column
    data(2, 0x9C09)  # ldr r4, [sp, 36]; windows
    sub(r4, 2)
    data(2, 0x9409)  # str r4, [sp, 36]; windows
    bne(NEXT_WINDOWS)
    b(ANY_ROW_DONE)

    # One window: r1 where its weights' line ends, r0 from there to a weight, r2 its numbers, r3 what is taken
    # from each, r4 the number, r5 its weight, r6 the sum; r9 to the next line of weights, lr to that of
    # numbers, r12 from number to number, r10 a line's length below 0, r11 where weights end.
    label(ONE_WINDOW)
    ldr(r5, [r3, _DILATION_ACROSS])
    ldr(r6, [r3, _KERNEL_ACROSS])
    data(2, 0x9F05)  # ldr r7, [sp, 20]; width
    data(2, 0x981E)  # ldr r0, [sp, 120]; inside_weights
    mov(r12, r5)
    # Of r6 numbers from r4 on, r5 apart, the r6 are left that lie inside, r4 the first; for each that lay
    # before, something has been skipped. r1 is free.
    b(FIRST_2)
    label(OUTSIDE_2)
    add(r4, r4, r5)
    add(r0, r0, 1)
    sub(r6, 1)
    label(FIRST_2)
    cmp(r4, 0)
    blt(OUTSIDE_2)
    sub(r1, r6, 1)
    mul(r1, r5)
    add(r1, r1, r4)
    b(LAST_2)
    label(BEHIND_2)
    sub(r1, r1, r5)
    sub(r6, 1)
    label(LAST_2)
    cmp(r1, r7)
    bge(BEHIND_2)
    data(2, 0x9D1C)  # ldr r5, [sp, 112]; start_inside
    mov(r1, 0)
    data(2, 0x454E)  # cmp r6, r9
    beq(ALL_INSIDE)
    bl(PADDED)
    data(2, 0x9904)  # ldr r1, [sp, 16]; pad
    label(ALL_INSIDE)
    data(2, 0x9A1D)  # ldr r2, [sp, 116]; inside_line
    add(r4, r4, r2)
    mov(r2, r4)
    mov(r3, r1)
    mov(r4, r12)
    mul(r4, r6)
    mov(r7, r8)
    sub(r7, r7, r4)
    mov(lr, r7)
    add(r1, r0, r6)
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; weights_size
    add(r0, r0, r4)
    add(r0, r0, r6)
    mov(r11, r0)
    neg(r6, r6)
    mov(r10, r6)
    mov(r6, r5)
    label(ONE_LINE)
    mov(r0, r10)
    label(ONE_NUMBER)
    ldrb(r4, [r2, 0])
    data(2, 0x560D)  # ldrsb r5, [r1, r0]
    sub(r4, r4, r3)
    mul(r4, r5)
    add(r6, r6, r4)
    data(2, 0x4462)  # add r2, r12
    add(r0, 1)
    bne(ONE_NUMBER)
    data(2, 0x4472)  # add r2, lr
    data(2, 0x4449)  # add r1, r9
    data(2, 0x4559)  # cmp r1, r11
    bne(ONE_LINE)
    bl(FINISH)
    data(2, 0x9C06)  # ldr r4, [sp, 24]; stride
    data(2, 0x9D0D)  # ldr r5, [sp, 52]; any_column
    add(r5, r5, r4)
    data(2, 0x950D)  # str r5, [sp, 52]; any_column
    data(2, 0x9C09)  # ldr r4, [sp, 36]; windows
    sub(r4, 1)
    data(2, 0x9409)  # str r4, [sp, 36]; windows
    beq(ANY_ROW_DONE)
    b(ANY_WINDOWS)

    label(ANY_ROW_DONE)
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0x980C)  # ldr r0, [sp, 48]; row
    add(r0, r0, r4)
    data(2, 0x900C)  # str r0, [sp, 48]; row
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; rows
    sub(r4, 1)
    data(2, 0x940E)  # str r4, [sp, 56]; rows
    beq(ANY_CHANNEL_DONE)
    b(ANY_ROW)
    label(ANY_CHANNEL_DONE)
    ldr(r4, [r3, _KERNEL_DOWN])
    ldr(r5, [r3, _KERNEL_ACROSS])
    mul(r4, r5)
    data(2, 0x9812)  # ldr r0, [sp, 72]; weights
    add(r0, r0, r4)
    data(2, 0x9012)  # str r0, [sp, 72]; weights
    data(2, 0x9810)  # ldr r0, [sp, 64]; x
    data(2, 0x9911)  # ldr r1, [sp, 68]; plane
    add(r0, r0, r1)
    data(2, 0x9010)  # str r0, [sp, 64]; x
    data(2, 0x9C15)  # ldr r4, [sp, 84]; channels
    sub(r4, 1)
    data(2, 0x9415)  # str r4, [sp, 84]; channels
    beq(ALL_DONE)
    b(ANY_CHANNEL)
    label(ALL_DONE)
    b(DONE)

    # The sum r6 becomes an output, r3 the words.
    label(FINISH)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9C00)  # ldr r4, [sp, 0]; first_shift
    asr(r6, r4)
    data(2, 0xB234)  # sxth r4, r6
    cmp(r4, r6)
    beq(ANY_SHIFTED)
    asr(r6, r6, 31)
    mov(r4, 255)
    lsl(r4, r4, 7)
    add(r4, 127)
    eor(r6, r4)
    label(ANY_SHIFTED)
    data(2, 0x9C01)  # ldr r4, [sp, 4]; factor
    mul(r6, r4)
    data(2, 0x9C02)  # ldr r4, [sp, 8]; second_shift
    ldr(r5, [r3, _ZERO])
    asr(r6, r4)
    adc(r6, r5)
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    cmp(r6, r4)
    bge(AT_LEAST_2)
    mov(r6, r4)
    label(AT_LEAST_2)
    cmp(r6, r5)
    ble(AT_MOST_2)
    mov(r6, r5)
    label(AT_MOST_2)
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; place
    strb(r6, [r4, 0])
    add(r4, 1)
    data(2, 0x940B)  # str r4, [sp, 44]; place
    bx(lr)

    # r5 becomes the sum to begin with as if all were PAD: found out once a channel, where that is asked.
    label(PADDED)
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; all_padding
    data(2, 0x9A1B)  # ldr r2, [sp, 108]; next_weights
    cmp(r2, 0)
    bne(KNOWN)
    data(2, 0x9A12)  # ldr r2, [sp, 72]; weights
    ldr(r7, [r3, _KERNEL_DOWN])
    ldr(r1, [r3, _KERNEL_ACROSS])
    mul(r7, r1)
    add(r2, r2, r7)
    neg(r7, r7)
    mov(r5, 0)
    label(WEIGHT_2)
    data(2, 0x57D1)  # ldrsb r1, [r2, r7]
    add(r5, r5, r1)
    add(r7, 1)
    bne(WEIGHT_2)
    data(2, 0x9904)  # ldr r1, [sp, 16]; pad
    mul(r5, r1)
    data(2, 0x9903)  # ldr r1, [sp, 12]; start
    add(r5, r5, r1)
    data(2, 0x951A)  # str r5, [sp, 104]; all_padding
    data(2, 0x921B)  # str r2, [sp, 108]; next_weights
    label(KNOWN)
    bx(lr)

    label(DONE)
    data(2, 0xB046)  # add sp, 280; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
