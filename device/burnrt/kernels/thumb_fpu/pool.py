# Generated from tools/asm/thumb_fpu/pool.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Pooling for a floating-point unit. Planes are handled one by one."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart

# What the assembler is told, and keeps, in words: where they are, in bytes. First what moves on as it works:
_PLANES = const(0)  # yet to do
_ROW = const(4)  # of the output
_COLUMN = const(8)
_LINE = const(12)  # the address in x of the first line inside the window
_LINES = const(16)  # how many lie inside
_TALL = const(20)  # the window's height as the mean counts it
_WIDE = const(24)  # its width
# Then what stays; strides, paddings and dilations are (vertical, horizontal).
_KERNEL_HEIGHT = const(28)
_KERNEL_WIDTH = const(32)
_HEIGHT = const(36)
_WIDTH = const(40)
_OUT_HEIGHT = const(44)
_OUT_WIDTH = const(48)
_STRIDE_Y = const(52)
_STRIDE_X = const(56)
_PADDING_Y = const(60)
_PADDING_X = const(64)
_DILATION_Y = const(68)
_DILATION_X = const(72)
_KIND = const(76)

_LARGEST = const(0)
_MEAN = const(1)  # of what lies inside
_PADDED_MEAN = const(2)  # of that and the padding, zeros

_ONES = (1, 1)
_ZEROS = (0, 0)

_words = array("i", range(20))


def max_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, dilation):
    if apart(x, out):
        plain.max_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, dilation)
        return
    _words[_KIND // 4] = _LARGEST
    _words[_KERNEL_HEIGHT // 4], _words[_KERNEL_WIDTH // 4] = kernel
    _words[_STRIDE_Y // 4], _words[_STRIDE_X // 4] = stride
    _pool(x, x_shape, out, out_shape, padding, dilation)


def avg_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, count_include_pad):
    if apart(x, out):
        plain.avg_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, count_include_pad)
        return
    _words[_KIND // 4] = _PADDED_MEAN if count_include_pad else _MEAN
    _words[_KERNEL_HEIGHT // 4], _words[_KERNEL_WIDTH // 4] = kernel
    _words[_STRIDE_Y // 4], _words[_STRIDE_X // 4] = stride
    _pool(x, x_shape, out, out_shape, padding, _ONES)


def adaptive_avg_pool2d(x, x_shape, out, out_shape):
    if apart(x, out) or x_shape[2] % out_shape[2] or x_shape[3] % out_shape[3]:
        plain.adaptive_avg_pool2d(x, x_shape, out, out_shape)
        return
    _words[_KIND // 4] = _MEAN
    # Parts of one size are windows side by side.
    _words[_KERNEL_HEIGHT // 4] = _words[_STRIDE_Y // 4] = x_shape[2] // out_shape[2]
    _words[_KERNEL_WIDTH // 4] = _words[_STRIDE_X // 4] = x_shape[3] // out_shape[3]
    _pool(x, x_shape, out, out_shape, _ZEROS, _ONES)


def _pool(x, x_shape, out, out_shape, padding, dilation):
    words = _words
    words[_PLANES // 4] = x_shape[0] * x_shape[1]
    words[_HEIGHT // 4], words[_WIDTH // 4] = x_shape[2], x_shape[3]
    words[_OUT_HEIGHT // 4], words[_OUT_WIDTH // 4] = out_shape[2], out_shape[3]
    words[_PADDING_Y // 4], words[_PADDING_X // 4] = padding
    words[_DILATION_Y // 4], words[_DILATION_X // 4] = dilation
    _slide(x, out, words)


@micropython.asm_thumb
def _slide(r0, r1, r2):
    # r0: x. r1: out. r2: words.
    push({r8, r9})  # a list of one register is no such instruction
    mov(r3, r2)
    mov(r2, r1)
    mov(r8, r0)

    label(PLANE)
    # r2: the next number of out. r3: words. r8: the plane's address.
    ldr(r4, [r3, _PLANES])
    sub(r4, 1)
    str(r4, [r3, _PLANES])
    bpl(BEGIN)
    b(END)
    label(BEGIN)
    mov(r4, 0)

    label(ROW)
    str(r4, [r3, _ROW])
    ldr(r5, [r3, _STRIDE_Y])
    mul(r4, r5)
    ldr(r5, [r3, _PADDING_Y])
    sub(r4, r4, r5)
    ldr(r6, [r3, _KERNEL_HEIGHT])
    ldr(r7, [r3, _HEIGHT])
    bl(COUNTED)
    str(r0, [r3, _TALL])
    ldr(r5, [r3, _DILATION_Y])
    bl(CUT)
    str(r6, [r3, _LINES])
    ldr(r5, [r3, _WIDTH])
    mul(r4, r5)
    lsl(r4, r4, 2)
    mov(r5, r8)
    add(r4, r4, r5)
    str(r4, [r3, _LINE])
    mov(r4, 0)

    label(COLUMN)
    str(r4, [r3, _COLUMN])
    ldr(r5, [r3, _STRIDE_X])
    mul(r4, r5)
    ldr(r5, [r3, _PADDING_X])
    sub(r4, r4, r5)
    ldr(r6, [r3, _KERNEL_WIDTH])
    ldr(r7, [r3, _WIDTH])
    bl(COUNTED)
    str(r0, [r3, _WIDE])
    ldr(r5, [r3, _DILATION_X])
    bl(CUT)
    # r0: the number that is met. r1: lines yet to do. r4: from behind a line to the next. r5: from number to
    # number. r6: numbers in a line.
    lsl(r4, r4, 2)
    ldr(r0, [r3, _LINE])
    add(r0, r0, r4)
    ldr(r4, [r3, _DILATION_Y])
    ldr(r7, [r3, _WIDTH])
    mul(r4, r7)
    mov(r7, r6)
    mul(r7, r5)
    sub(r4, r4, r7)
    lsl(r4, r4, 2)
    lsl(r5, r5, 2)
    ldr(r1, [r3, _LINES])
    ldr(r7, [r3, _KIND])
    cmp(r7, _LARGEST)
    bne(SUM)

    # s0: the largest so far. Once it is NaN it stays: NaN is no less than anything, and sums with it are NaN.
    movwt(r7, 0xFF800000)  # minus infinity
    vmov(s0, r7)
    cmp(r6, 0)
    beq_w(STORE)
    label(LARGEST_LINE)
    sub(r1, 1)
    bmi_w(STORE)
    mov(r7, r6)
    label(LARGEST)
    vldr(s1, [r0, 0])
    add(r0, r0, r5)
    vcmp(s0, s1)
    vmrs(APSR_nzcv, FPSCR)
    it(mi)  # less
    data(2, 0xEEB0, 0x0A60)  # vmovmi.f32 s0, s1
    it(vs)  # one of them is NaN
    vadd(s0, s0, s1)
    sub(r7, 1)
    bne(LARGEST)
    add(r0, r0, r4)
    b(LARGEST_LINE)

    label(SUM)
    mov(r7, 0)
    vmov(s0, r7)
    cmp(r6, 0)
    beq(DIVIDE)
    label(SUM_LINE)
    sub(r1, 1)
    bmi(DIVIDE)
    mov(r7, r6)
    label(ADD)
    vldr(s1, [r0, 0])
    add(r0, r0, r5)
    vadd(s0, s0, s1)
    sub(r7, 1)
    bne(ADD)
    add(r0, r0, r4)
    b(SUM_LINE)

    label(DIVIDE)
    ldr(r7, [r3, _KIND])
    cmp(r7, _PADDED_MEAN)
    beq(WITH_PADDING)
    ldr(r7, [r3, _LINES])
    mul(r7, r6)
    b(COUNT)
    label(WITH_PADDING)
    ldr(r7, [r3, _TALL])
    ldr(r6, [r3, _WIDE])
    mul(r7, r6)
    label(COUNT)
    vmov(s1, r7)
    vcvt_f32_s32(s1, s1)
    vdiv(s0, s0, s1)

    label(STORE)
    vstr(s0, [r2, 0])
    add(r2, 4)
    ldr(r4, [r3, _COLUMN])
    add(r4, 1)
    ldr(r5, [r3, _OUT_WIDTH])
    cmp(r4, r5)
    bge(PASSED)
    b(COLUMN)
    label(PASSED)
    ldr(r4, [r3, _ROW])
    add(r4, 1)
    ldr(r5, [r3, _OUT_HEIGHT])
    cmp(r4, r5)
    bge(PASSED_2)
    b(ROW)
    label(PASSED_2)
    ldr(r4, [r3, _HEIGHT])
    ldr(r5, [r3, _WIDTH])
    mul(r4, r5)
    lsl(r4, r4, 2)
    mov(r5, r8)
    add(r4, r4, r5)
    mov(r8, r4)
    b(PLANE)

    label(COUNTED)
    # r0: how many of r6 places, from r4 on, are within the r7 of the input and the padding behind, r5.
    add(r0, r7, r5)
    sub(r0, r0, r4)
    cmp(r0, r6)
    ble(COUNTED_DONE)
    mov(r0, r6)
    label(COUNTED_DONE)
    bx(lr)

    label(CUT)
    # Of r6 taps, from place r4 on and r5 apart, leaves those in 0..r7-1: r4 is where the first one is, r6 how
    # many there are.
    cmp(r4, 0)
    bge(BEYOND)
    add(r4, r4, r5)
    sub(r6, 1)
    bgt(CUT)
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

    label(END)
    mov(r0, 0)
    pop({r8, r9})
