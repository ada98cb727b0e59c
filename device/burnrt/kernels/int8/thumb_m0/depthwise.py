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
    #   52  any_column: the same for any window
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

    # Any window, number by number.
    label(ANYWAY)
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x940C)  # str r4, [sp, 48]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x940E)  # str r4, [sp, 56]; rows
    label(ANY_ROW)
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x940D)  # str r4, [sp, 52]; any_column
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x9409)  # str r4, [sp, 36]; windows

    # A window: r0 a number's column, r1 the columns inside, r2 its line, r3 a weight, r4 its row, r5 the next
    # weight, r6 numbers left in the line, r7 the number, r8 lines left, r9 from column to column, lr the sum.
    label(ANY_WINDOW)
    ldr(r7, [r3, _DILATION_ACROSS])
    mov(r9, r7)
    data(2, 0x9D13)  # ldr r5, [sp, 76]; bias
    ldr(r7, [r5, 0])
    mov(lr, r7)
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; row
    data(2, 0x9D12)  # ldr r5, [sp, 72]; weights
    ldr(r7, [r3, _KERNEL_DOWN])
    label(ANY_LINE)
    mov(r8, r7)
    ldr(r6, [r3, _KERNEL_ACROSS])
    ldr(r7, [r3, _HEIGHT])
    data(2, 0x9A05)  # ldr r2, [sp, 20]; width
    mov(r1, 0)
    cmp(r4, r7)
    bcs(OUTSIDE)
    mov(r1, r2)
    label(OUTSIDE)
    mul(r2, r4)
    data(2, 0x9810)  # ldr r0, [sp, 64]; x
    add(r2, r2, r0)
    data(2, 0x980D)  # ldr r0, [sp, 52]; any_column
    label(NUMBER)
    data(2, 0x9F04)  # ldr r7, [sp, 16]; pad
    cmp(r0, r1)
    bcs(CHOSEN)
    data(2, 0x5C17)  # ldrb r7, [r2, r0]
    label(CHOSEN)
    ldrb(r3, [r5, 0])
    data(2, 0xB25B)  # sxtb r3, r3
    mul(r3, r7)
    data(2, 0x449E)  # add lr, r3
    add(r5, 1)
    data(2, 0x4448)  # add r0, r9
    sub(r6, 1)
    bne(NUMBER)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r7, [r3, _DILATION_DOWN])
    add(r4, r4, r7)
    mov(r7, r8)
    sub(r7, 1)
    bne(ANY_LINE)
    data(2, 0x9813)  # ldr r0, [sp, 76]; bias
    data(2, 0x9914)  # ldr r1, [sp, 80]; to_rescaling
    data(2, 0x5841)  # ldr r1, [r0, r1]
    mov(r6, lr)
    lsl(r4, r1, 11)
    lsr(r4, r4, 27)
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
    data(2, 0xB28C)  # uxth r4, r1
    mul(r6, r4)
    lsr(r1, r1, 24)
    mov(r4, r12)
    asr(r6, r1)
    adc(r6, r4)
    data(2, 0x4556)  # cmp r6, r10
    bge(AT_LEAST_2)
    mov(r6, r10)
    label(AT_LEAST_2)
    data(2, 0x455E)  # cmp r6, r11
    ble(AT_MOST_2)
    mov(r6, r11)
    label(AT_MOST_2)
    data(2, 0x9F0B)  # ldr r7, [sp, 44]; place
    strb(r6, [r7, 0])
    add(r7, 1)
    data(2, 0x970B)  # str r7, [sp, 44]; place

    ldr(r4, [r3, _STRIDE_ACROSS])
    data(2, 0x980D)  # ldr r0, [sp, 52]; any_column
    add(r0, r0, r4)
    data(2, 0x900D)  # str r0, [sp, 52]; any_column
    data(2, 0x9809)  # ldr r0, [sp, 36]; windows
    sub(r0, 1)
    data(2, 0x9009)  # str r0, [sp, 36]; windows
    bne(ANY_WINDOW)
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0x980C)  # ldr r0, [sp, 48]; row
    add(r0, r0, r4)
    data(2, 0x900C)  # str r0, [sp, 48]; row
    data(2, 0x980E)  # ldr r0, [sp, 56]; rows
    sub(r0, 1)
    data(2, 0x900E)  # str r0, [sp, 56]; rows
    bne(ANY_ROW)
    data(2, 0x9512)  # str r5, [sp, 72]; weights
    data(2, 0x9813)  # ldr r0, [sp, 76]; bias
    add(r0, 4)
    data(2, 0x9013)  # str r0, [sp, 76]; bias
    data(2, 0x9810)  # ldr r0, [sp, 64]; x
    data(2, 0x9911)  # ldr r1, [sp, 68]; plane
    add(r0, r0, r1)
    data(2, 0x9010)  # str r0, [sp, 64]; x
    data(2, 0x9815)  # ldr r0, [sp, 84]; channels
    sub(r0, 1)
    data(2, 0x9015)  # str r0, [sp, 84]; channels
    beq(DONE)
    b(ANYWAY)

    label(DONE)
    data(2, 0xB046)  # add sp, 280; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
