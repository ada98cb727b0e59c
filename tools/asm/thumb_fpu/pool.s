.python
"""Pooling for a floating-point unit. Planes are handled one by one."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart
.end

@ What the assembler is told, and keeps, in words: where they are, in bytes. First what moves on as it works:
.equ PLANES, 0          @ yet to do
.equ ROW, 4             @ of the output
.equ COLUMN, 8
.equ LINE, 12           @ the address in x of the first line inside the window
.equ LINES, 16          @ how many lie inside
.equ TALL, 20           @ the window's height as the mean counts it
.equ WIDE, 24           @ its width
@ Then what stays; strides, paddings and dilations are (vertical, horizontal).
.equ KERNEL_HEIGHT, 28
.equ KERNEL_WIDTH, 32
.equ HEIGHT, 36
.equ WIDTH, 40
.equ OUT_HEIGHT, 44
.equ OUT_WIDTH, 48
.equ STRIDE_Y, 52
.equ STRIDE_X, 56
.equ PADDING_Y, 60
.equ PADDING_X, 64
.equ DILATION_Y, 68
.equ DILATION_X, 72
.equ KIND, 76

.equ LARGEST, 0
.equ MEAN, 1            @ of what lies inside
.equ PADDED_MEAN, 2     @ of that and the padding, zeros

.python
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
.end

.include "macros.inc"

.function _slide, r0, r1, r2
    @ r0: x. r1: out. r2: words.
    push {r8, r9}                       @ a list of one register is no such instruction
    mov r3, r2; mov r2, r1; mov r8, r0

PLANE:
    @ r2: the next number of out. r3: words. r8: the plane's address.
    count_down [r3, PLANES]; bpl BEGIN; b END
BEGIN:
    movs r4, 0

ROW:
    str r4, [r3, ROW]
    times r4, [r3, STRIDE_Y]
    minus r4, [r3, PADDING_Y]
    ldr r6, [r3, KERNEL_HEIGHT]; ldr r7, [r3, HEIGHT]
    bl COUNTED
    str r0, [r3, TALL]
    ldr r5, [r3, DILATION_Y]
    bl CUT
    str r6, [r3, LINES]
    times r4, [r3, WIDTH]
    lsls r4, r4, 2
    mov r5, r8
    adds r4, r4, r5; str r4, [r3, LINE]
    movs r4, 0

COLUMN:
    str r4, [r3, COLUMN]
    times r4, [r3, STRIDE_X]
    minus r4, [r3, PADDING_X]
    ldr r6, [r3, KERNEL_WIDTH]; ldr r7, [r3, WIDTH]
    bl COUNTED
    str r0, [r3, WIDE]
    ldr r5, [r3, DILATION_X]
    bl CUT
    @ r0: the number that is met. r1: lines yet to do. r4: from behind a line to the next. r5: from number to
    @ number. r6: numbers in a line.
    lsls r4, r4, 2
    ldr r0, [r3, LINE]
    adds r0, r0, r4
    ldr r4, [r3, DILATION_Y]
    times r4, [r3, WIDTH], r7
    mov r7, r6
    muls r7, r5
    subs r4, r4, r7
    lsls r4, r4, 2; lsls r5, r5, 2
    ldr r1, [r3, LINES]
    unless [r3, KIND], LARGEST, SUM, r7

    @ s0: the largest so far. Once it is NaN it stays: NaN is no less than anything, and sums with it are NaN.
    movwt r7, 0xFF800000  @ minus infinity
    vmov s0, r7
    cmp r6, 0; beq.w STORE
LARGEST_LINE:
    subs r1, 1; bmi.w STORE
    mov r7, r6
LARGEST:
    vldr s1, [r0]
    adds r0, r0, r5
    vcmpe.f32 s0, s1
    vmrs APSR_nzcv, FPSCR
    it mi                               @ less
    vmovmi.f32 s0, s1
    it vs                               @ one of them is NaN
    vaddvs.f32 s0, s0, s1
    subs r7, 1; bne LARGEST
    adds r0, r0, r4
    b LARGEST_LINE

SUM:
    movs r7, 0
    vmov s0, r7
    cmp r6, 0; beq DIVIDE
SUM_LINE:
    subs r1, 1; bmi DIVIDE
    mov r7, r6
ADD:
    vldr s1, [r0]
    adds r0, r0, r5
    vadd.f32 s0, s0, s1
    subs r7, 1; bne ADD
    adds r0, r0, r4
    b SUM_LINE

DIVIDE:
    ldr r7, [r3, KIND]
    cmp r7, PADDED_MEAN; beq WITH_PADDING
    ldr r7, [r3, LINES]
    muls r7, r6
    b COUNT
WITH_PADDING:
    ldr r7, [r3, TALL]
    times r7, [r3, WIDE], r6
COUNT:
    vmov s1, r7
    vcvt.f32.s32 s1, s1
    vdiv.f32 s0, s0, s1

STORE:
    vstr s0, [r2]
    adds r2, 4
    ldr r4, [r3, COLUMN]
    adds r4, 1
    while_below [r3, OUT_WIDTH], COLUMN
    ldr r4, [r3, ROW]
    adds r4, 1
    while_below [r3, OUT_HEIGHT], ROW
    ldr r4, [r3, HEIGHT]
    times r4, [r3, WIDTH]
    lsls r4, r4, 2
    mov r5, r8
    adds r4, r4, r5
    mov r8, r4
    b PLANE

COUNTED:
    @ r0: how many of r6 places, from r4 on, are within the r7 of the input and the padding behind, r5.
    adds r0, r7, r5
    subs r0, r0, r4
    cmp r0, r6; ble COUNTED_DONE
    mov r0, r6
COUNTED_DONE:
    bx lr

CUT:
    @ Of r6 taps, from place r4 on and r5 apart, leaves those in 0..r7-1: r4 is where the first one is, r6 how
    @ many there are.
    cmp r4, 0; bge BEYOND
    adds r4, r4, r5
    subs r6, 1; bgt CUT
    cut_behind

END:
    movs r0, 0
    pop {r8, r9}
.end
