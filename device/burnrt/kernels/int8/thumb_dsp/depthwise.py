# Generated from tools/asm/int8/thumb_dsp/depthwise.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Convolution of each channel on its own for Armv7E-M, at its best for windows of 3 × 3."""

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
    #    4  rescaling: its rescaling word
    #    8  zero_low: ZERO - LOW
    #   12  over: 255 - (HIGH - LOW), twice
    #   16  excess: 255 - HIGH, twice
    #   20  start: sum to begin with
    #   24  run_end: of this run of windows
    #   28  width
    #   32  stride: across
    #   36  line: the first of this row's windows
    #   40  line_weights: in the middle run
    #   44  next_run: of this row
    #   48  x: the plane
    #   52  plane: size of an input plane
    #   56  weights: of this channel
    #   60  bias: of this channel
    #   64  to_rescaling: from a bias to its rescaling word
    #   68  channels: left
    #   72  row: where a window starts
    #   76  rows: of outputs left
    #   80  words
    #   84  last_row: HEIGHT - 3
    #   88  runs_end
    #   92  spare
    #   96  runs: over the left edge, in the middle, over the right one: where in a line each starts,
    #         where its weights lie from those in the middle, its length
    #  132  right: weights over the right edge: five lines, of which the first and the last are 0,
    #         each as its weights 0 and 2, then 1
    #  172  middle: the same in the middle
    #  212  left: and over the left edge
    #   36  any_column: of any windows: where the next one starts
    #   40  windows: and how many are left in this row
    #   96  place: of the next output
    #  100  apart: from number to number in a line
    #  104  span: of a window's line
    #  108  to_line: from line to line
    #  112  last_four: where four windows inside may start at most
    #  116  all_padding: sum to begin with, as if all were PAD
    #  120  start_inside: the same as if what lies outside in this row of windows were
    #  124  lines: of a window inside
    #  128  line_end: of the first that is inside
    #  132  inside_weights: of that
    #  136  next_weights: of the next channel, 0 where all_padding is yet unknown
    #  140  steps: from window to window × from number to number
    push({r8, r9, r10, r11})
    data(2, 0xB0C0)  # sub sp, 256; STACK
    data(2, 0x9314)  # str r3, [sp, 80]; words
    data(2, 0x910E)  # str r1, [sp, 56]; weights
    data(2, 0x920F)  # str r2, [sp, 60]; bias
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x940C)  # str r4, [sp, 48]; x
    ldr(r4, [r3, _OUTPUT])
    data(2, 0xEB04, 0x0E00)  # add lr, r4, r0
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9411)  # str r4, [sp, 68]; channels
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9410)  # str r4, [sp, 64]; to_rescaling
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    ldr(r6, [r3, _ZERO])
    sub(r6, r6, r4)
    data(2, 0x9602)  # str r6, [sp, 8]; zero_low
    mov(r6, 255)
    sub(r7, r6, r5)
    add(r4, r4, r7)
    data(2, 0xEA47, 0x2707)  # orr r7, r7, r7, lsl 8
    data(2, 0x9704)  # str r7, [sp, 16]; excess
    data(2, 0xEA44, 0x2404)  # orr r4, r4, r4, lsl 8
    data(2, 0x9403)  # str r4, [sp, 12]; over
    ldr(r4, [r3, _STRIDE_ACROSS])
    data(2, 0x9408)  # str r4, [sp, 32]; stride
    ldr(r1, [r3, _WIDTH])
    data(2, 0x9107)  # str r1, [sp, 28]; width
    ldr(r0, [r3, _HEIGHT])
    mov(r2, r0)
    mul(r2, r1)
    data(2, 0x920D)  # str r2, [sp, 52]; plane
    sub(r0, 3)
    data(2, 0x9015)  # str r0, [sp, 84]; last_row

    # The fast way is for windows of 3 × 3 that reach over an edge by at most 1: r0 HEIGHT - 3, r1 WIDTH - 3.
    bmi(ANY)
    sub(r1, 3)
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
    ldr(r5, [r3, _PADDING_ACROSS])
    data(2, 0xEA44, 0x0605)  # orr r6, r4, r5
    cmp(r6, 1)
    bhi(ANY)
    ldr(r6, [r3, _OUT_HEIGHT])
    sub(r6, 1)
    ldr(r7, [r3, _STRIDE_DOWN])
    mul(r6, r7)
    sub(r6, r6, r4)
    sub(r6, 1)
    cmp(r6, r0)
    bgt(ANY)
    ldr(r6, [r3, _OUT_WIDTH])
    ldr(r7, [r3, _STRIDE_ACROSS])
    sub(r4, r6, 1)
    mul(r4, r7)
    sub(r4, r4, r5)
    sub(r4, 1)
    cmp(r4, r1)
    ble(RUNS)
    label(ANY)
    b(ANYWAY)

    # The runs: r0 how many windows are over the left edge, r2 in the middle, r6 over the right one.
    label(RUNS)
    mov(r0, r5)
    add(r2, r1, r5)
    udiv(r2, r2, r7)
    add(r2, r2, 1)
    sub(r2, r2, r0)
    sub(r6, r6, r0)
    cmp(r2, r6)
    it(gt)
    mov(r2, r6)
    sub(r6, r6, r2)
    data(2, 0xAC18)  # add r4, sp, 96; runs
    cmp(r0, 0)
    beq(NO_LEFT)
    mov(r3, 0)
    str(r3, [r4, 0])
    mov(r3, 40)
    str(r3, [r4, 4])
    str(r7, [r4, 8])
    add(r4, 12)
    sub(r0, r7, r5)
    label(NO_LEFT)
    str(r0, [r4, 0])
    mov(r3, 0)
    str(r3, [r4, 4])
    mul(r2, r7)
    str(r2, [r4, 8])
    add(r4, 12)
    cmp(r6, 0)
    beq(NO_RIGHT)
    str(r1, [r4, 0])
    sub(r3, 40)
    str(r3, [r4, 4])
    str(r7, [r4, 8])
    add(r4, 12)
    label(NO_RIGHT)
    data(2, 0x9416)  # str r4, [sp, 88]; runs_end
    mov(r0, 0)
    mov(r1, 0)
    data(2, 0xE9CD, 0x0121)  # strd r0, r1, [sp, 132]; right
    data(2, 0xE9CD, 0x0129)  # strd r0, r1, [sp, 164]; right
    data(2, 0xE9CD, 0x012B)  # strd r0, r1, [sp, 172]; middle
    data(2, 0xE9CD, 0x0133)  # strd r0, r1, [sp, 204]; middle
    data(2, 0xE9CD, 0x0135)  # strd r0, r1, [sp, 212]; left
    data(2, 0xE9CD, 0x013D)  # strd r0, r1, [sp, 244]; left
    data(2, 0x9B14)  # ldr r3, [sp, 80]; words
    ldr(r0, [r3, _PAD])
    neg(r0, r0)
    data(2, 0xEAC0, 0x4C00)  # pkhbt r12, r0, r0, lsl 16

    # A channel: its sum to begin with, r6, is as if each number were PAD, as PAD is taken from each number
    # later.
    label(CHANNEL)
    data(2, 0xE9DD, 0x760E)  # ldrd r7, r6, [sp, 56]; weights
    data(2, 0x9D10)  # ldr r5, [sp, 64]; to_rescaling
    data(2, 0x5970)  # ldr r0, [r6, r5]
    data(2, 0xF856, 0x5B04)  # ldr r5, [r6], 4
    data(2, 0x960F)  # str r6, [sp, 60]; bias
    mov(r6, r5)
    data(2, 0xF3C0, 0x4104)  # ubfx r1, r0, 16, 5
    data(2, 0xE9CD, 0x1000)  # strd r1, r0, [sp, 0]; first_shift
    ldr(r5, [r3, _PAD])
    data(2, 0xEA45, 0x4505)  # orr r5, r5, r5, lsl 16
    data(2, 0xAC2D)  # add r4, sp, 180; middle
    data(2, 0xF04F, 0x0803)  # mov r8, 3
    label(WEIGHTS)
    ldr(r0, [r7, 0])
    add(r7, 3)
    data(2, 0xF020, 0x407F)  # bic r0, r0, 0xFF000000
    data(2, 0xF420, 0x017F)  # bic r1, r0, 0xFF0000
    lsl(r1, r1, 8)
    lsr(r2, r0, 8)
    data(2, 0xFA2F, 0xF380)  # sxtb16 r3, r0
    data(2, 0xFA2F, 0xF090)  # sxtb16 r0, r0, ror 8
    data(2, 0xE9C4, 0x3000)  # strd r3, r0, [r4]
    data(2, 0xFB23, 0x6605)  # smlad r6, r3, r5, r6
    data(2, 0xFB20, 0x6605)  # smlad r6, r0, r5, r6
    data(2, 0xFA2F, 0xF381)  # sxtb16 r3, r1
    data(2, 0xFA2F, 0xF191)  # sxtb16 r1, r1, ror 8
    data(2, 0xE944, 0x310A)  # strd r3, r1, [r4, -40]
    data(2, 0xFA2F, 0xF382)  # sxtb16 r3, r2
    data(2, 0xFA2F, 0xF292)  # sxtb16 r2, r2, ror 8
    data(2, 0xE9C4, 0x320A)  # strd r3, r2, [r4, 40]
    add(r4, 8)
    data(2, 0xF1B8, 0x0801)  # subs r8, r8, 1
    bne(WEIGHTS)
    data(2, 0x970E)  # str r7, [sp, 56]; weights
    data(2, 0x9605)  # str r6, [sp, 20]; start
    data(2, 0x9B14)  # ldr r3, [sp, 80]; words
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x9412)  # str r4, [sp, 72]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x9413)  # str r4, [sp, 76]; rows

    # A row of windows. Over the upper or the lower edge, all lines are taken from inside, and the weights of
    # one more or one less: so the line outside has no weights, and another one weights of 0.
    label(ROW)
    data(2, 0x9812)  # ldr r0, [sp, 72]; row
    data(2, 0x9915)  # ldr r1, [sp, 84]; last_row
    mov(r2, r0)
    cmp(r2, 0)
    it(lt)
    mov(r2, 0)
    cmp(r2, r1)
    it(gt)
    mov(r2, r1)
    sub(r3, r2, r0)
    lsl(r3, r3, 3)
    add(r3, 180)
    data(2, 0x446B)  # add r3, sp, r3
    data(2, 0x930A)  # str r3, [sp, 40]; line_weights
    data(2, 0x9907)  # ldr r1, [sp, 28]; width
    data(2, 0x9B0C)  # ldr r3, [sp, 48]; x
    data(2, 0xFB01, 0x3202)  # mla r2, r1, r2, r3
    data(2, 0x9209)  # str r2, [sp, 36]; line
    data(2, 0xAB18)  # add r3, sp, 96; runs

    # A run of windows: r0 and r1, r1 × 2 behind it three lines, r4-r9 their weights.
    label(RUN)
    data(2, 0xE8B3, 0x0007)  # ldmia.w r3!, {r0, r1, r2}
    data(2, 0x930B)  # str r3, [sp, 44]; next_run
    cmp(r2, 0)
    beq_w(NEXT_RUN)
    data(2, 0xE9DD, 0x4509)  # ldrd r4, r5, [sp, 36]; line
    add(r1, r1, r5)
    add(r0, r0, r4)
    add(r2, r2, r0)
    data(2, 0x9206)  # str r2, [sp, 24]; run_end
    data(2, 0xE891, 0x03F0)  # ldm r1, {r4, r5, r6, r7, r8, r9}
    data(2, 0x9907)  # ldr r1, [sp, 28]; width
    data(2, 0xF8DD, 0xB020)  # ldr r11, [sp, 32]; stride
    data(2, 0xF1BB, 0x0F01)  # cmp r11, 1
    bne(ONE)
    sub(r2, 1)
    data(2, 0x9206)  # str r2, [sp, 24]; run_end
    cmp(r0, r2)
    beq(ONE)

    # Two windows, one number apart: of a line's four numbers, r2 are 0 and 2, r3 1 and 3, each less PAD.
    label(TWO)
    data(2, 0xF8DD, 0xA014)  # ldr r10, [sp, 20]; start
    mov(r11, r10)
    ldr(r3, [r0, 0])
    data(2, 0xFA3C, 0xF283)  # uxtab16 r2, r12, r3
    data(2, 0xFA3C, 0xF393)  # uxtab16 r3, r12, r3, ror 8
    data(2, 0xFB22, 0xAA04)  # smlad r10, r2, r4, r10
    data(2, 0xFB23, 0xAA05)  # smlad r10, r3, r5, r10
    data(2, 0xFB23, 0xBB04)  # smlad r11, r3, r4, r11
    data(2, 0xFB22, 0xBB15)  # smladx r11, r2, r5, r11
    data(2, 0x5843)  # ldr r3, [r0, r1]
    data(2, 0xFA3C, 0xF283)  # uxtab16 r2, r12, r3
    data(2, 0xFA3C, 0xF393)  # uxtab16 r3, r12, r3, ror 8
    data(2, 0xFB22, 0xAA06)  # smlad r10, r2, r6, r10
    data(2, 0xFB23, 0xAA07)  # smlad r10, r3, r7, r10
    data(2, 0xFB23, 0xBB06)  # smlad r11, r3, r6, r11
    data(2, 0xFB22, 0xBB17)  # smladx r11, r2, r7, r11
    data(2, 0xF850, 0x3011)  # ldr r3, [r0, r1, lsl 1]
    data(2, 0xFA3C, 0xF283)  # uxtab16 r2, r12, r3
    data(2, 0xFA3C, 0xF393)  # uxtab16 r3, r12, r3, ror 8
    data(2, 0xFB22, 0xAA08)  # smlad r10, r2, r8, r10
    data(2, 0xFB23, 0xAA09)  # smlad r10, r3, r9, r10
    data(2, 0xFB23, 0xBB08)  # smlad r11, r3, r8, r11
    data(2, 0xFB22, 0xBB19)  # smladx r11, r2, r9, r11
    # The sums become outputs at lr.
    data(2, 0xE9DD, 0x2300)  # ldrd r2, r3, [sp, 0]; first_shift
    data(2, 0xFA4A, 0xFA02)  # asr r10, r10, r2
    data(2, 0xF30A, 0x0A0F)  # ssat r10, 16, r10
    data(2, 0xFB1A, 0xFA03)  # smulbb r10, r10, r3
    data(2, 0xFA4B, 0xFB02)  # asr r11, r11, r2
    data(2, 0xF30B, 0x0B0F)  # ssat r11, 16, r11
    data(2, 0xFB1B, 0xFB03)  # smulbb r11, r11, r3
    lsr(r3, r3, 24)
    data(2, 0x9A02)  # ldr r2, [sp, 8]; zero_low
    data(2, 0xFA5A, 0xFA03)  # asrs r10, r10, r3
    data(2, 0xEB4A, 0x0A02)  # adc r10, r10, r2
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xFA5B, 0xFB03)  # asrs r11, r11, r3
    data(2, 0xEB4B, 0x0B02)  # adc r11, r11, r2
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xEA4A, 0x2A0B)  # orr r10, r10, r11, lsl 8
    data(2, 0xE9DD, 0x2303)  # ldrd r2, r3, [sp, 12]; over
    data(2, 0xFA8A, 0xFA52)  # uqadd8 r10, r10, r2
    data(2, 0xEBAA, 0x0A03)  # sub r10, r10, r3
    data(2, 0xF82E, 0xAB02)  # strh r10, [lr], 2
    add(r0, 2)
    data(2, 0x9A06)  # ldr r2, [sp, 24]; run_end
    cmp(r0, r2)
    bcc(TWO)
    bne(NEXT_RUN)
    data(2, 0xF8DD, 0xB020)  # ldr r11, [sp, 32]; stride

    # One window: r11 is where the next starts.
    label(ONE)
    data(2, 0xF8DD, 0xA014)  # ldr r10, [sp, 20]; start
    ldr(r3, [r0, 0])
    data(2, 0xFA3C, 0xF283)  # uxtab16 r2, r12, r3
    data(2, 0xFA3C, 0xF393)  # uxtab16 r3, r12, r3, ror 8
    data(2, 0xFB22, 0xAA04)  # smlad r10, r2, r4, r10
    data(2, 0xFB23, 0xAA05)  # smlad r10, r3, r5, r10
    data(2, 0x5843)  # ldr r3, [r0, r1]
    data(2, 0xFA3C, 0xF283)  # uxtab16 r2, r12, r3
    data(2, 0xFA3C, 0xF393)  # uxtab16 r3, r12, r3, ror 8
    data(2, 0xFB22, 0xAA06)  # smlad r10, r2, r6, r10
    data(2, 0xFB23, 0xAA07)  # smlad r10, r3, r7, r10
    data(2, 0xF850, 0x3011)  # ldr r3, [r0, r1, lsl 1]
    data(2, 0xFA3C, 0xF283)  # uxtab16 r2, r12, r3
    data(2, 0xFA3C, 0xF393)  # uxtab16 r3, r12, r3, ror 8
    data(2, 0xFB22, 0xAA08)  # smlad r10, r2, r8, r10
    data(2, 0xFB23, 0xAA09)  # smlad r10, r3, r9, r10
    data(2, 0xE9DD, 0x2300)  # ldrd r2, r3, [sp, 0]; first_shift
    data(2, 0xFA4A, 0xFA02)  # asr r10, r10, r2
    data(2, 0xF30A, 0x0A0F)  # ssat r10, 16, r10
    data(2, 0xFB1A, 0xFA03)  # smulbb r10, r10, r3
    lsr(r3, r3, 24)
    data(2, 0x9A02)  # ldr r2, [sp, 8]; zero_low
    data(2, 0xFA5A, 0xFA03)  # asrs r10, r10, r3
    data(2, 0xEB4A, 0x0A02)  # adc r10, r10, r2
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xE9DD, 0x2303)  # ldrd r2, r3, [sp, 12]; over
    data(2, 0xFA8A, 0xFA52)  # uqadd8 r10, r10, r2
    data(2, 0xEBAA, 0x0A03)  # sub r10, r10, r3
    data(2, 0xF80E, 0xAB01)  # strb r10, [lr], 1
    data(2, 0x4458)  # add r0, r11
    data(2, 0x9A06)  # ldr r2, [sp, 24]; run_end
    cmp(r0, r2)
    bcc(ONE)

    label(NEXT_RUN)
    data(2, 0x9B0B)  # ldr r3, [sp, 44]; next_run
    data(2, 0x9A16)  # ldr r2, [sp, 88]; runs_end
    cmp(r3, r2)
    bne_w(RUN)
    data(2, 0x9B14)  # ldr r3, [sp, 80]; words
    ldr(r0, [r3, _STRIDE_DOWN])
    data(2, 0xE9DD, 0x1212)  # ldrd r1, r2, [sp, 72]; row
    add(r1, r1, r0)
    sub(r2, 1)
    data(2, 0xE9CD, 0x1212)  # strd r1, r2, [sp, 72]; row
    bne_w(ROW)
    data(2, 0xE9DD, 0x010C)  # ldrd r0, r1, [sp, 48]; x
    add(r0, r0, r1)
    data(2, 0x900C)  # str r0, [sp, 48]; x
    data(2, 0x9811)  # ldr r0, [sp, 68]; channels
    sub(r0, 1)
    data(2, 0x9011)  # str r0, [sp, 68]; channels
    bne_w(CHANNEL)
    b(DONE)

    # Any window: four at once where they lie inside side by side, else one. Of each, only what lies inside is
    # walked over. `start_inside` is the sum to begin with where all lines lie inside; where not, and for one
    # window, it is as if all numbers were PAD, which is then taken from each.
    label(ANYWAY)
    data(2, 0xF8CD, 0xE060)  # str lr, [sp, 96]; place
    data(2, 0xE9DD, 0x4503)  # ldrd r4, r5, [sp, 12]; over
    data(2, 0xEA44, 0x4404)  # orr r4, r4, r4, lsl 16
    data(2, 0xEA45, 0x4505)  # orr r5, r5, r5, lsl 16
    data(2, 0xE9CD, 0x4503)  # strd r4, r5, [sp, 12]; over
    data(2, 0x9907)  # ldr r1, [sp, 28]; width
    ldr(r4, [r3, _KERNEL_ACROSS])
    ldr(r5, [r3, _DILATION_ACROSS])
    data(2, 0x9519)  # str r5, [sp, 100]; apart
    mul(r4, r5)
    data(2, 0x941A)  # str r4, [sp, 104]; span
    sub(r4, r1, r4)
    add(r4, r4, r5)
    sub(r4, 1)
    data(2, 0x9D08)  # ldr r5, [sp, 32]; stride
    data(2, 0xEB05, 0x0645)  # add r6, r5, r5, lsl 1
    sub(r4, r4, r6)
    data(2, 0x941C)  # str r4, [sp, 112]; last_four
    data(2, 0x9C19)  # ldr r4, [sp, 100]; apart
    mul(r4, r5)
    data(2, 0x9423)  # str r4, [sp, 140]; steps
    ldr(r4, [r3, _DILATION_DOWN])
    mul(r4, r1)
    data(2, 0x941B)  # str r4, [sp, 108]; to_line
    label(ANY_CHANNEL)
    data(2, 0x9E0F)  # ldr r6, [sp, 60]; bias
    data(2, 0x9C10)  # ldr r4, [sp, 64]; to_rescaling
    data(2, 0x5930)  # ldr r0, [r6, r4]
    data(2, 0xF856, 0x5B04)  # ldr r5, [r6], 4
    data(2, 0x960F)  # str r6, [sp, 60]; bias
    data(2, 0x9505)  # str r5, [sp, 20]; start
    data(2, 0xF3C0, 0x4104)  # ubfx r1, r0, 16, 5
    data(2, 0xE9CD, 0x1000)  # strd r1, r0, [sp, 0]; first_shift
    mov(r4, 0)
    data(2, 0x9422)  # str r4, [sp, 136]; next_weights
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x9412)  # str r4, [sp, 72]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x9413)  # str r4, [sp, 76]; rows

    # A row of windows.
    label(ANY_ROW)
    data(2, 0x9C12)  # ldr r4, [sp, 72]; row
    ldr(r5, [r3, _DILATION_DOWN])
    ldr(r6, [r3, _KERNEL_DOWN])
    ldr(r7, [r3, _HEIGHT])
    data(2, 0x980E)  # ldr r0, [sp, 56]; weights
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
    data(2, 0x9021)  # str r0, [sp, 132]; inside_weights
    data(2, 0x961F)  # str r6, [sp, 124]; lines
    data(2, 0x9907)  # ldr r1, [sp, 28]; width
    data(2, 0x9D0C)  # ldr r5, [sp, 48]; x
    data(2, 0xFB04, 0x5401)  # mla r4, r4, r1, r5
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; span
    add(r4, r4, r5)
    data(2, 0x9420)  # str r4, [sp, 128]; line_end
    data(2, 0x9D05)  # ldr r5, [sp, 20]; start
    ldr(r4, [r3, _KERNEL_DOWN])
    cmp(r4, r6)
    beq(WHOLE)
    bl(PADDED)
    ldr(r7, [r3, _PAD])
    ldr(r1, [r3, _KERNEL_ACROSS])
    neg(r7, r7)
    mov(r9, r7)
    mov(r7, r6)
    mov(r2, r0)
    mul(r7, r1)
    label(PADDING)
    data(2, 0xF912, 0x1B01)  # ldrsb r1, [r2], 1
    data(2, 0xFB01, 0x5509)  # mla r5, r1, r9, r5
    sub(r7, 1)
    bne(PADDING)
    label(WHOLE)
    data(2, 0x951E)  # str r5, [sp, 120]; start_inside
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x9409)  # str r4, [sp, 36]; any_column
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x940A)  # str r4, [sp, 40]; windows

    label(ANY_WINDOW)
    data(2, 0xE9DD, 0x4109)  # ldrd r4, r1, [sp, 36]; any_column
    data(2, 0x9A1C)  # ldr r2, [sp, 112]; last_four
    data(2, 0x9E08)  # ldr r6, [sp, 32]; stride
    cmp(r4, 0)
    blt_w(ONE_WINDOW)
    cmp(r4, r2)
    bgt(FEW)
    cmp(r1, 4)
    bcs(FOUR_WINDOWS)

    # Where two or three are left, some from before are computed once more.
    label(FEW)
    data(2, 0xEB02, 0x0546)  # add r5, r2, r6, lsl 1
    cmp(r4, r5)
    bgt_w(ONE_WINDOW)
    data(2, 0xEBB4, 0x0F46)  # cmp r4, r6, lsl 1
    blt_w(ONE_WINDOW)
    cmp(r1, 2)
    bcc_w(ONE_WINDOW)
    data(2, 0x9D18)  # ldr r5, [sp, 96]; place
    label(BACK)
    sub(r4, r4, r6)
    sub(r5, 1)
    add(r1, 1)
    cmp(r4, r2)
    bgt(BACK)
    cmp(r1, 4)
    bcc(BACK)
    data(2, 0x9518)  # str r5, [sp, 96]; place
    data(2, 0xE9CD, 0x4109)  # strd r4, r1, [sp, 36]; any_column

    # Four windows: r0 their weights, r1-r4 where their lines end, r5 from there to a number, lr from number
    # to number, r8-r11 the sums, r12 lines left.
    label(FOUR_WINDOWS)
    data(2, 0x9920)  # ldr r1, [sp, 128]; line_end
    add(r1, r1, r4)
    add(r2, r1, r6)
    add(r3, r2, r6)
    add(r4, r3, r6)
    data(2, 0xF8DD, 0x8078)  # ldr r8, [sp, 120]; start_inside
    data(2, 0xF8DD, 0xC07C)  # ldr r12, [sp, 124]; lines
    data(2, 0xF8DD, 0xE064)  # ldr lr, [sp, 100]; apart
    mov(r9, r8)
    mov(r10, r8)
    mov(r11, r8)
    data(2, 0x9821)  # ldr r0, [sp, 132]; inside_weights
    label(FOUR_LINES)
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; span
    data(2, 0x9E23)  # ldr r6, [sp, 140]; steps
    neg(r5, r5)
    cmp(r6, 1)
    bne(FOUR_NUMBERS)
    # Where all steps are 1, four numbers of each at once: r2 and lr their weights. Each pair of numbers two
    # apart is of two windows.
    add(r7, r5, 4)
    bgt(REST)
    label(FOUR_BY_FOUR)
    data(2, 0xF850, 0x2B04)  # ldr r2, [r0], 4
    data(2, 0xFA2F, 0xFE82)  # sxtb16 lr, r2
    data(2, 0xFA2F, 0xF292)  # sxtb16 r2, r2, ror 8
    data(2, 0x594E)  # ldr r6, [r1, r5]
    data(2, 0xFA3F, 0xF786)  # uxtb16 r7, r6
    data(2, 0xFB27, 0x880E)  # smlad r8, r7, lr, r8
    data(2, 0xFA3F, 0xF696)  # uxtb16 r6, r6, ror 8
    data(2, 0xFB26, 0x8802)  # smlad r8, r6, r2, r8
    data(2, 0xFB26, 0x990E)  # smlad r9, r6, lr, r9
    data(2, 0x595F)  # ldr r7, [r3, r5]
    data(2, 0xFA3F, 0xF687)  # uxtb16 r6, r7
    data(2, 0xFB26, 0x9902)  # smlad r9, r6, r2, r9
    data(2, 0xFB26, 0xAA0E)  # smlad r10, r6, lr, r10
    data(2, 0xFA3F, 0xF797)  # uxtb16 r7, r7, ror 8
    data(2, 0xFB27, 0xAA02)  # smlad r10, r7, r2, r10
    data(2, 0xFB27, 0xBB0E)  # smlad r11, r7, lr, r11
    data(2, 0x5966)  # ldr r6, [r4, r5]
    data(2, 0xFA3F, 0xF696)  # uxtb16 r6, r6, ror 8
    data(2, 0xFB26, 0xBB02)  # smlad r11, r6, r2, r11
    add(r5, 4)
    add(r7, r5, 4)
    ble(FOUR_BY_FOUR)
    data(2, 0xF04F, 0x0E01)  # mov lr, 1
    add(r2, r1, 1)
    label(REST)
    cmp(r5, 0)
    beq(FOUR_DONE)
    label(FOUR_NUMBERS)
    data(2, 0xF910, 0x7B01)  # ldrsb r7, [r0], 1
    data(2, 0x5D4E)  # ldrb r6, [r1, r5]
    data(2, 0xFB06, 0x8807)  # mla r8, r6, r7, r8
    data(2, 0x5D56)  # ldrb r6, [r2, r5]
    data(2, 0xFB06, 0x9907)  # mla r9, r6, r7, r9
    data(2, 0x5D5E)  # ldrb r6, [r3, r5]
    data(2, 0xFB06, 0xAA07)  # mla r10, r6, r7, r10
    data(2, 0x5D66)  # ldrb r6, [r4, r5]
    data(2, 0xFB06, 0xBB07)  # mla r11, r6, r7, r11
    data(2, 0xEB15, 0x050E)  # adds r5, r5, lr
    bne(FOUR_NUMBERS)
    label(FOUR_DONE)
    data(2, 0x9E1B)  # ldr r6, [sp, 108]; to_line
    add(r1, r1, r6)
    add(r2, r2, r6)
    add(r3, r3, r6)
    add(r4, r4, r6)
    data(2, 0xF1BC, 0x0C01)  # subs r12, r12, 1
    bne(FOUR_LINES)
    data(2, 0xE9DD, 0x2300)  # ldrd r2, r3, [sp, 0]; first_shift
    data(2, 0xFA48, 0xF802)  # asr r8, r8, r2
    data(2, 0xF308, 0x080F)  # ssat r8, 16, r8
    data(2, 0xFB18, 0xF803)  # smulbb r8, r8, r3
    data(2, 0xFA49, 0xF902)  # asr r9, r9, r2
    data(2, 0xF309, 0x090F)  # ssat r9, 16, r9
    data(2, 0xFB19, 0xF903)  # smulbb r9, r9, r3
    data(2, 0xFA4A, 0xFA02)  # asr r10, r10, r2
    data(2, 0xF30A, 0x0A0F)  # ssat r10, 16, r10
    data(2, 0xFB1A, 0xFA03)  # smulbb r10, r10, r3
    data(2, 0xFA4B, 0xFB02)  # asr r11, r11, r2
    data(2, 0xF30B, 0x0B0F)  # ssat r11, 16, r11
    data(2, 0xFB1B, 0xFB03)  # smulbb r11, r11, r3
    lsr(r3, r3, 24)
    data(2, 0x9A02)  # ldr r2, [sp, 8]; zero_low
    data(2, 0xFA58, 0xF803)  # asrs r8, r8, r3
    data(2, 0xEB48, 0x0802)  # adc r8, r8, r2
    data(2, 0xF388, 0x0808)  # usat r8, 8, r8
    data(2, 0xFA59, 0xF903)  # asrs r9, r9, r3
    data(2, 0xEB49, 0x0902)  # adc r9, r9, r2
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xFA5A, 0xFA03)  # asrs r10, r10, r3
    data(2, 0xEB4A, 0x0A02)  # adc r10, r10, r2
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xFA5B, 0xFB03)  # asrs r11, r11, r3
    data(2, 0xEB4B, 0x0B02)  # adc r11, r11, r2
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xEA48, 0x2809)  # orr r8, r8, r9, lsl 8
    data(2, 0xEA48, 0x480A)  # orr r8, r8, r10, lsl 16
    data(2, 0xEA48, 0x680B)  # orr r8, r8, r11, lsl 24
    data(2, 0xE9DD, 0x2303)  # ldrd r2, r3, [sp, 12]; over
    data(2, 0xFA88, 0xF852)  # uqadd8 r8, r8, r2
    data(2, 0xEBA8, 0x0803)  # sub r8, r8, r3
    data(2, 0x9C18)  # ldr r4, [sp, 96]; place
    data(2, 0xF8C4, 0x8000)  # str r8, [r4, 0]
    add(r4, 4)
    data(2, 0x9418)  # str r4, [sp, 96]; place
    data(2, 0x9B14)  # ldr r3, [sp, 80]; words
    data(2, 0x9C08)  # ldr r4, [sp, 32]; stride
    data(2, 0xE9DD, 0x0109)  # ldrd r0, r1, [sp, 36]; any_column
    data(2, 0xEB00, 0x0084)  # add r0, r0, r4, lsl 2
    sub(r1, 4)
    data(2, 0xE9CD, 0x0109)  # strd r0, r1, [sp, 36]; any_column
    bne_w(ANY_WINDOW)
    b(ANY_ROW_DONE)

    # One window: r0 its weights, r1 where its line ends, r5 from there to a number, lr from number to number,
    # r8 what of a line's weights is left out, r9 PAD, r10 the sum, r12 lines left.
    label(ONE_WINDOW)
    data(2, 0x9D19)  # ldr r5, [sp, 100]; apart
    ldr(r6, [r3, _KERNEL_ACROSS])
    data(2, 0x9F07)  # ldr r7, [sp, 28]; width
    data(2, 0x9821)  # ldr r0, [sp, 132]; inside_weights
    mov(r8, r6)
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
    data(2, 0xF8DD, 0xA078)  # ldr r10, [sp, 120]; start_inside
    data(2, 0xF04F, 0x0900)  # mov r9, 0
    data(2, 0xEBB8, 0x0806)  # subs r8, r8, r6
    beq(ALL_INSIDE)
    bl(PADDED)
    mov(r10, r5)
    label(ALL_INSIDE)
    data(2, 0x9D19)  # ldr r5, [sp, 100]; apart
    mov(lr, r5)
    mul(r6, r5)
    data(2, 0x9920)  # ldr r1, [sp, 128]; line_end
    data(2, 0x9A1A)  # ldr r2, [sp, 104]; span
    sub(r1, r1, r2)
    add(r1, r1, r4)
    add(r1, r1, r6)
    neg(r2, r6)
    data(2, 0xF8DD, 0xC07C)  # ldr r12, [sp, 124]; lines
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; to_line
    label(ONE_LINE)
    mov(r5, r2)
    label(ONE_NUMBER)
    data(2, 0x5D4E)  # ldrb r6, [r1, r5]
    data(2, 0xEBA6, 0x0609)  # sub r6, r6, r9
    data(2, 0xF910, 0x7B01)  # ldrsb r7, [r0], 1
    data(2, 0xFB06, 0xAA07)  # mla r10, r6, r7, r10
    data(2, 0xEB15, 0x050E)  # adds r5, r5, lr
    bne(ONE_NUMBER)
    data(2, 0x4440)  # add r0, r8
    add(r1, r1, r4)
    data(2, 0xF1BC, 0x0C01)  # subs r12, r12, 1
    bne(ONE_LINE)
    data(2, 0xE9DD, 0x0100)  # ldrd r0, r1, [sp, 0]; first_shift
    data(2, 0xFA4A, 0xFA00)  # asr r10, r10, r0
    data(2, 0xF30A, 0x0A0F)  # ssat r10, 16, r10
    data(2, 0xFB1A, 0xFA01)  # smulbb r10, r10, r1
    lsr(r1, r1, 24)
    data(2, 0x9802)  # ldr r0, [sp, 8]; zero_low
    data(2, 0xFA5A, 0xFA01)  # asrs r10, r10, r1
    data(2, 0xEB4A, 0x0A00)  # adc r10, r10, r0
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xE9DD, 0x0103)  # ldrd r0, r1, [sp, 12]; over
    data(2, 0xFA8A, 0xFA50)  # uqadd8 r10, r10, r0
    data(2, 0xEBAA, 0x0A01)  # sub r10, r10, r1
    data(2, 0x9C18)  # ldr r4, [sp, 96]; place
    data(2, 0xF804, 0xAB01)  # strb r10, [r4], 1
    data(2, 0x9418)  # str r4, [sp, 96]; place
    data(2, 0x9C08)  # ldr r4, [sp, 32]; stride
    data(2, 0xE9DD, 0x0109)  # ldrd r0, r1, [sp, 36]; any_column
    add(r0, r0, r4)
    sub(r1, 1)
    data(2, 0xE9CD, 0x0109)  # strd r0, r1, [sp, 36]; any_column
    bne_w(ANY_WINDOW)

    label(ANY_ROW_DONE)
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0xE9DD, 0x0112)  # ldrd r0, r1, [sp, 72]; row
    add(r0, r0, r4)
    sub(r1, 1)
    data(2, 0xE9CD, 0x0112)  # strd r0, r1, [sp, 72]; row
    bne_w(ANY_ROW)
    ldr(r4, [r3, _KERNEL_DOWN])
    ldr(r5, [r3, _KERNEL_ACROSS])
    mul(r4, r5)
    data(2, 0x980E)  # ldr r0, [sp, 56]; weights
    add(r0, r0, r4)
    data(2, 0x900E)  # str r0, [sp, 56]; weights
    data(2, 0xE9DD, 0x010C)  # ldrd r0, r1, [sp, 48]; x
    add(r0, r0, r1)
    data(2, 0x900C)  # str r0, [sp, 48]; x
    data(2, 0x9811)  # ldr r0, [sp, 68]; channels
    sub(r0, 1)
    data(2, 0x9011)  # str r0, [sp, 68]; channels
    bne_w(ANY_CHANNEL)
    b(DONE)

    # r5 becomes the sum to begin with as if all were PAD, r9 PAD: found out once a channel, where that is
    # asked.
    label(PADDED)
    data(2, 0xF8D3, 0x901C)  # ldr r9, [r3, 28]; PAD
    data(2, 0x9A22)  # ldr r2, [sp, 136]; next_weights
    data(2, 0x9D1D)  # ldr r5, [sp, 116]; all_padding
    cmp(r2, 0)
    bne(KNOWN)
    data(2, 0x9A0E)  # ldr r2, [sp, 56]; weights
    data(2, 0x9D05)  # ldr r5, [sp, 20]; start
    ldr(r7, [r3, _KERNEL_DOWN])
    ldr(r1, [r3, _KERNEL_ACROSS])
    mul(r7, r1)
    label(PADDING_2)
    data(2, 0xF912, 0x1B01)  # ldrsb r1, [r2], 1
    data(2, 0xFB01, 0x5509)  # mla r5, r1, r9, r5
    sub(r7, 1)
    bne(PADDING_2)
    data(2, 0x951D)  # str r5, [sp, 116]; all_padding
    data(2, 0x9222)  # str r2, [sp, 136]; next_weights
    label(KNOWN)
    bx(lr)

    label(DONE)
    data(2, 0xB040)  # add sp, 256; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
