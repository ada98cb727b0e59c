# Generated from tools/asm/thumb_fpu/conv.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Convolution for a floating-point unit.

Two channels of the output at a time, and of each four windows side by side wherever all four lie between the
input's left and right edge: the eight sums stay in registers while the taps go by. Where an edge cuts
windows they are handled one by one, and the taps outside are not met.
"""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart, are_layers_floats, keep

# What the assembler is told, and keeps, in words: where they are, in bytes. First what moves on as it works:
_X = const(0)  # where the image is in x, then the address of the group's first plane
_WEIGHT = const(4)  # the address of the output channel's weights
_OUT = const(8)  # where the image is in out, then the address of the next number
_BIAS = const(12)  # the address of the output channel's bias, or 0
_GROUPS = const(16)  # yet to do
_OUTPUT = const(20)  # channels of the group yet to do
_ROW = const(24)  # of the output
_COLUMN = const(28)
_LINE = const(32)  # the address in x of the line that the first tap inside meets
_TAP = const(36)  # the bytes of weights before that tap
_LINES = const(40)  # how many lines of taps lie inside
_PLANE_STEP = const(44)  # from behind the last tap's line to the next plane's first
_WEIGHT_STEP = const(48)
# Then what it finds out first:
_REACH = const(52)  # from the first number that four windows meet to behind the last
_WEIGHTS = const(56)  # bytes of an output channel's weights
_OUT_PLANE = const(60)  # bytes
# And what stays:
_OUTPUTS = const(64)  # a group
_CHANNELS = const(68)  # a group
_KERNEL_HEIGHT = const(72)
_KERNEL_WIDTH = const(76)
_HEIGHT = const(80)
_WIDTH = const(84)
_OUT_HEIGHT = const(88)
_OUT_WIDTH = const(92)
_STRIDE_Y = const(96)
_STRIDE_X = const(100)
_PADDING_Y = const(104)
_PADDING_X = const(108)
_DILATION_Y = const(112)
_DILATION_X = const(116)

_ONES = (1, 1)
_ZEROS = (0, 0)

_words = array("i", range(30))


def conv2d(x, x_shape, weight, weight_shape, bias, out, out_shape, stride, padding, dilation, groups):
    outputs, channels, kernel_height, kernel_width = weight_shape
    taps = channels * kernel_height * kernel_width
    if apart(x, out) or not are_layers_floats(weight, outputs * taps, bias, outputs):
        rest = (out_shape, stride, padding, dilation, groups)
        plain.conv2d(x, x_shape, weight, weight_shape, bias, out, *rest)
        return
    images, planes, height, width = x_shape
    _, _, out_height, out_width = out_shape
    dilation_y, dilation_x = dilation
    if taps == channels and stride == _ONES and padding == _ZEROS:
        # One line, in which the taps lie as far apart as the planes did.
        out_width = dilation_x = height * width
        width, height, out_height = channels * out_width, 1, 1
        kernel_width, channels = channels, 1
    words = _words
    words[_OUTPUTS // 4], words[_CHANNELS // 4] = outputs // groups, channels
    words[_KERNEL_HEIGHT // 4], words[_KERNEL_WIDTH // 4] = kernel_height, kernel_width
    words[_HEIGHT // 4], words[_WIDTH // 4] = height, width
    words[_OUT_HEIGHT // 4], words[_OUT_WIDTH // 4] = out_height, out_width
    words[_STRIDE_Y // 4], words[_STRIDE_X // 4] = stride
    words[_PADDING_Y // 4], words[_PADDING_X // 4] = padding
    words[_DILATION_Y // 4], words[_DILATION_X // 4] = dilation_y, dilation_x
    size, out_size = planes * x_shape[2] * x_shape[3], outputs * out_height * out_width
    image = 0
    while image < images:
        words[_X // 4], words[_OUT // 4] = 4 * image * size, 4 * image * out_size
        words[_GROUPS // 4] = groups
        keep(words, _BIAS, bias)
        _convolve(x, weight, out, words)
        image += 1


@micropython.asm_thumb
def _convolve(r0, r1, r2, r3):
    # r0: x. r1: weight, at any address. r2: out. r3: words.
    push({r8, r9, r10, r11})
    ldr(r4, [r3, _X])
    add(r0, r0, r4)
    str(r0, [r3, _X])
    str(r1, [r3, _WEIGHT])
    ldr(r4, [r3, _OUT])
    add(r2, r2, r4)
    str(r2, [r3, _OUT])
    ldr(r6, [r3, _KERNEL_WIDTH])
    ldr(r4, [r3, _KERNEL_HEIGHT])
    mul(r4, r6)
    ldr(r5, [r3, _CHANNELS])
    mul(r4, r5)
    lsl(r4, r4, 2)
    str(r4, [r3, _WEIGHTS])
    ldr(r4, [r3, _OUT_HEIGHT])
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    lsl(r4, r4, 2)
    str(r4, [r3, _OUT_PLANE])
    sub(r6, 1)
    ldr(r4, [r3, _DILATION_X])
    mul(r6, r4)
    ldr(r4, [r3, _STRIDE_X])
    add(r6, r6, r4)
    add(r6, r6, r4)
    add(r6, r6, r4)
    add(r6, 1)
    str(r6, [r3, _REACH])

    label(GROUP)
    ldr(r4, [r3, _OUTPUTS])
    str(r4, [r3, _OUTPUT])

    label(OUTPUT)
    # r12: from the weights of the first channel to those of the second, or 0 for one channel alone.
    # s14, s15: their biases.
    mov(r5, 0)
    mov(r6, 0)
    ldr(r4, [r3, _OUTPUT])
    cmp(r4, 2)
    blt(ALONE)
    ldr(r5, [r3, _WEIGHTS])
    mov(r6, 4)
    label(ALONE)
    mov(r12, r5)
    ldr(r4, [r3, _BIAS])
    vmov(s14, r4)
    vmov(s15, r4)
    cmp(r4, 0)
    beq(NO_BIAS)
    ldr(r5, [r4, 0])
    vmov(s14, r5)
    add(r4, r4, r6)
    ldr(r5, [r4, 0])
    vmov(s15, r5)
    label(NO_BIAS)
    mov(r4, 0)
    str(r4, [r3, _ROW])

    label(ROW)
    ldr(r5, [r3, _STRIDE_Y])
    mul(r4, r5)
    ldr(r5, [r3, _PADDING_Y])
    sub(r4, r4, r5)
    ldr(r5, [r3, _DILATION_Y])
    ldr(r6, [r3, _KERNEL_HEIGHT])
    ldr(r7, [r3, _HEIGHT])
    bl(CUT)
    str(r6, [r3, _LINES])
    # The weights before the first line of taps inside, and behind the last.
    ldr(r5, [r3, _KERNEL_WIDTH])
    lsl(r5, r5, 2)
    mul(r0, r5)
    str(r0, [r3, _TAP])
    ldr(r7, [r3, _KERNEL_HEIGHT])
    sub(r7, r7, r6)
    mul(r7, r5)
    str(r7, [r3, _WEIGHT_STEP])
    # The line that it meets, and the way from behind the last one to the next plane.
    ldr(r5, [r3, _WIDTH])
    lsl(r5, r5, 2)
    mul(r4, r5)
    ldr(r7, [r3, _X])
    add(r4, r4, r7)
    str(r4, [r3, _LINE])
    ldr(r7, [r3, _DILATION_Y])
    mul(r6, r7)
    ldr(r7, [r3, _HEIGHT])
    sub(r7, r7, r6)
    mul(r7, r5)
    str(r7, [r3, _PLANE_STEP])
    mov(r4, 0)

    label(COLUMN)
    # r4: the first window of the row that is not done.
    str(r4, [r3, _COLUMN])
    mov(r6, r4)
    add(r6, 4)
    ldr(r5, [r3, _STRIDE_X])
    mul(r4, r5)
    ldr(r5, [r3, _PADDING_X])
    sub(r4, r4, r5)
    blt_w(ONE)
    ldr(r5, [r3, _OUT_WIDTH])
    cmp(r6, r5)
    bgt_w(ONE)
    ldr(r5, [r3, _REACH])
    add(r5, r5, r4)
    ldr(r6, [r3, _WIDTH])
    cmp(r5, r6)
    bgt_w(ONE)
    mov(r0, 0)
    ldr(r6, [r3, _KERNEL_WIDTH])
    bl(PLACE)
    ldr(r7, [r3, _CHANNELS])
    mov(lr, r7)
    data(2, 0xEEB0, 0x0A47)  # vmov.f32 s0, s14
    data(2, 0xEEF0, 0x0A47)  # vmov.f32 s1, s14
    data(2, 0xEEB0, 0x1A47)  # vmov.f32 s2, s14
    data(2, 0xEEF0, 0x1A47)  # vmov.f32 s3, s14
    data(2, 0xEEB0, 0x2A67)  # vmov.f32 s4, s15
    data(2, 0xEEF0, 0x2A67)  # vmov.f32 s5, s15
    data(2, 0xEEB0, 0x3A67)  # vmov.f32 s6, s15
    data(2, 0xEEF0, 0x3A67)  # vmov.f32 s7, s15
    ldr(r6, [r3, _LINES])
    cmp(r6, 0)
    beq_w(STORE_FOUR)
    # r5, r6: from window to window, and from the fourth on to the next tap in the first.
    ldr(r7, [r3, _STRIDE_X])
    lsl(r5, r7, 2)
    ldr(r6, [r3, _DILATION_X])
    sub(r6, r6, r7)
    sub(r6, r6, r7)
    sub(r6, r6, r7)
    lsl(r6, r6, 2)
    cmp(r2, 0)
    bne_w(PAIR)

    label(PLANE)
    ldr(r7, [r3, _LINES])
    mov(r11, r7)
    label(LINE)
    mov(r4, r8)
    label(TAP)
    ldr(r7, [r1, 0])
    vmov(s12, r7)
    add(r1, 4)
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEA4, 0x0A06)  # vfma.f32 s0, s8, s12
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEE4, 0x0A06)  # vfma.f32 s1, s8, s12
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEA4, 0x1A06)  # vfma.f32 s2, s8, s12
    vldr(s8, [r0, 0])
    add(r0, r0, r6)
    data(2, 0xEEE4, 0x1A06)  # vfma.f32 s3, s8, s12
    sub(r4, 1)
    bne(TAP)
    data(2, 0x4448)  # add r0, r9
    data(2, 0x4451)  # add r1, r10
    data(2, 0xF1BB, 0x0B01)  # subs r11, r11, 1
    bne(LINE)
    ldr(r7, [r3, _PLANE_STEP])
    add(r0, r0, r7)
    ldr(r7, [r3, _WEIGHT_STEP])
    add(r1, r1, r7)
    data(2, 0xF1BE, 0x0E01)  # subs lr, lr, 1
    bne(PLANE)
    b(STORE_FOUR)

    label(PAIR)
    label(PLANE_2)
    ldr(r7, [r3, _LINES])
    mov(r11, r7)
    label(LINE_2)
    mov(r4, r8)
    label(TAP_2)
    ldr(r7, [r1, 0])
    vmov(s12, r7)
    data(2, 0x588F)  # ldr r7, [r1, r2]
    vmov(s13, r7)
    add(r1, 4)
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEA4, 0x0A06)  # vfma.f32 s0, s8, s12
    data(2, 0xEEA4, 0x2A26)  # vfma.f32 s4, s8, s13
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEE4, 0x0A06)  # vfma.f32 s1, s8, s12
    data(2, 0xEEE4, 0x2A26)  # vfma.f32 s5, s8, s13
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEA4, 0x1A06)  # vfma.f32 s2, s8, s12
    data(2, 0xEEA4, 0x3A26)  # vfma.f32 s6, s8, s13
    vldr(s8, [r0, 0])
    add(r0, r0, r6)
    data(2, 0xEEE4, 0x1A06)  # vfma.f32 s3, s8, s12
    data(2, 0xEEE4, 0x3A26)  # vfma.f32 s7, s8, s13
    sub(r4, 1)
    bne(TAP_2)
    data(2, 0x4448)  # add r0, r9
    data(2, 0x4451)  # add r1, r10
    data(2, 0xF1BB, 0x0B01)  # subs r11, r11, 1
    bne(LINE_2)
    ldr(r7, [r3, _PLANE_STEP])
    add(r0, r0, r7)
    ldr(r7, [r3, _WEIGHT_STEP])
    add(r1, r1, r7)
    data(2, 0xF1BE, 0x0E01)  # subs lr, lr, 1
    bne(PLANE_2)

    label(STORE_FOUR)
    ldr(r4, [r3, _OUT])
    ldr(r5, [r3, _OUT_PLANE])
    add(r5, r5, r4)
    mov(r6, r12)
    cmp(r6, 0)
    beq(FIRST_FOUR)
    vstr(s4, [r5, 0])
    vstr(s5, [r5, 4])
    vstr(s6, [r5, 8])
    vstr(s7, [r5, 12])
    label(FIRST_FOUR)
    data(2, 0xECA4, 0x0A04)  # vstmia r4!, {s0-s3}
    str(r4, [r3, _OUT])
    ldr(r4, [r3, _COLUMN])
    add(r4, 4)
    b(COLUMN_DONE)

    label(ONE)
    # The same for one window, which an edge may cut. A channel alone is summed twice.
    ldr(r5, [r3, _DILATION_X])
    ldr(r6, [r3, _KERNEL_WIDTH])
    ldr(r7, [r3, _WIDTH])
    bl(CUT)
    bl(PLACE)
    ldr(r7, [r3, _CHANNELS])
    mov(lr, r7)
    data(2, 0xEEB0, 0x0A47)  # vmov.f32 s0, s14
    data(2, 0xEEB0, 0x2A67)  # vmov.f32 s4, s15
    cmp(r6, 0)
    beq(STORE_ONE)
    ldr(r6, [r3, _LINES])
    cmp(r6, 0)
    beq(STORE_ONE)
    ldr(r5, [r3, _DILATION_X])
    lsl(r5, r5, 2)

    label(PLANE_3)
    ldr(r7, [r3, _LINES])
    mov(r11, r7)
    label(LINE_3)
    mov(r4, r8)
    label(TAP_3)
    ldr(r7, [r1, 0])
    vmov(s12, r7)
    data(2, 0x588F)  # ldr r7, [r1, r2]
    vmov(s13, r7)
    add(r1, 4)
    vldr(s8, [r0, 0])
    add(r0, r0, r5)
    data(2, 0xEEA4, 0x0A06)  # vfma.f32 s0, s8, s12
    data(2, 0xEEA4, 0x2A26)  # vfma.f32 s4, s8, s13
    sub(r4, 1)
    bne(TAP_3)
    data(2, 0x4448)  # add r0, r9
    data(2, 0x4451)  # add r1, r10
    data(2, 0xF1BB, 0x0B01)  # subs r11, r11, 1
    bne(LINE_3)
    ldr(r7, [r3, _PLANE_STEP])
    add(r0, r0, r7)
    ldr(r7, [r3, _WEIGHT_STEP])
    add(r1, r1, r7)
    data(2, 0xF1BE, 0x0E01)  # subs lr, lr, 1
    bne(PLANE_3)

    label(STORE_ONE)
    ldr(r4, [r3, _OUT])
    ldr(r5, [r3, _OUT_PLANE])
    add(r5, r5, r4)
    mov(r6, r12)
    cmp(r6, 0)
    beq(FIRST_ONE)
    vstr(s4, [r5, 0])
    label(FIRST_ONE)
    vstr(s0, [r4, 0])
    add(r4, 4)
    str(r4, [r3, _OUT])
    ldr(r4, [r3, _COLUMN])
    add(r4, 1)

    label(COLUMN_DONE)
    ldr(r5, [r3, _OUT_WIDTH])
    cmp(r4, r5)
    bge(PASSED)
    b(COLUMN)
    label(PASSED)
    ldr(r4, [r3, _ROW])
    add(r4, 1)
    str(r4, [r3, _ROW])
    ldr(r5, [r3, _OUT_HEIGHT])
    cmp(r4, r5)
    bge(PASSED_2)
    b(ROW)
    label(PASSED_2)

    # r4: how many channels that was, less 1. The second one's plane is done with the first one's.
    mov(r5, r12)
    mov(r4, 0)
    cmp(r5, 0)
    beq(COUNT)
    mov(r4, 1)
    ldr(r5, [r3, _OUT])
    ldr(r6, [r3, _OUT_PLANE])
    add(r5, r5, r6)
    str(r5, [r3, _OUT])
    label(COUNT)
    add(r4, 1)
    ldr(r5, [r3, _WEIGHTS])
    mul(r5, r4)
    ldr(r6, [r3, _WEIGHT])
    add(r6, r6, r5)
    str(r6, [r3, _WEIGHT])
    ldr(r6, [r3, _BIAS])
    cmp(r6, 0)
    beq(NEXT)
    lsl(r5, r4, 2)
    add(r6, r6, r5)
    str(r6, [r3, _BIAS])
    label(NEXT)
    ldr(r5, [r3, _OUTPUT])
    sub(r5, r5, r4)
    str(r5, [r3, _OUTPUT])
    ble(GROUP_DONE)
    b(OUTPUT)

    label(GROUP_DONE)
    ldr(r4, [r3, _CHANNELS])
    ldr(r5, [r3, _HEIGHT])
    mul(r4, r5)
    ldr(r5, [r3, _WIDTH])
    mul(r4, r5)
    lsl(r4, r4, 2)
    ldr(r5, [r3, _X])
    add(r5, r5, r4)
    str(r5, [r3, _X])
    ldr(r4, [r3, _GROUPS])
    sub(r4, 1)
    str(r4, [r3, _GROUPS])
    ble(END)
    b(GROUP)

    label(CUT)
    # Of r6 taps, from place r4 on and r5 apart, leaves those in 0..r7-1: r4 is where the first one is, r6 how
    # many there are, r0 how many came before.
    mov(r0, 0)
    label(BEFORE)
    cmp(r4, 0)
    bge(BEYOND)
    add(r4, r4, r5)
    add(r0, 1)
    sub(r6, 1)
    bgt(BEFORE)
    mov(r6, 0)
    mov(r4, 0)
    bx(lr)
    label(BEYOND)
    add(r7, r7, r5)
    sub(r7, 1)
    sub(r7, r7, r4)
    sdiv(r7, r7, r5)
    cmp(r7, r6)
    bge(CUT_DONE)
    mov(r6, r7)
    cmp(r6, 0)
    bge(CUT_DONE)
    mov(r6, 0)
    label(CUT_DONE)
    bx(lr)

    label(PLACE)
    # From what CUT leaves: r0 is the address of the first number met, r1 of the first weight, r2 the second
    # channel's distance, r8 taps a line, r9 and r10 from behind a line to the next in x and in weights.
    ldr(r1, [r3, _WEIGHT])
    ldr(r5, [r3, _TAP])
    add(r1, r1, r5)
    lsl(r0, r0, 2)
    add(r1, r1, r0)
    ldr(r0, [r3, _LINE])
    lsl(r4, r4, 2)
    add(r0, r0, r4)
    mov(r2, r12)
    mov(r8, r6)
    ldr(r4, [r3, _DILATION_Y])
    ldr(r5, [r3, _WIDTH])
    mul(r4, r5)
    ldr(r5, [r3, _DILATION_X])
    mul(r5, r6)
    sub(r4, r4, r5)
    lsl(r4, r4, 2)
    mov(r9, r4)
    ldr(r4, [r3, _KERNEL_WIDTH])
    sub(r4, r4, r6)
    lsl(r4, r4, 2)
    mov(r10, r4)
    bx(lr)

    label(END)
    mov(r0, 0)
    pop({r8, r9, r10, r11})
