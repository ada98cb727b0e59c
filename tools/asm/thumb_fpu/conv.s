.python
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
.end

@ What the assembler is told, and keeps, in words: where they are, in bytes. First what moves on as it works:
.equ X, 0               @ where the image is in x, then the address of the group's first plane
.equ WEIGHT, 4          @ the address of the output channel's weights
.equ OUT, 8             @ where the image is in out, then the address of the next number
.equ BIAS, 12           @ the address of the output channel's bias, or 0
.equ GROUPS, 16         @ yet to do
.equ OUTPUT, 20         @ channels of the group yet to do
.equ ROW, 24            @ of the output
.equ COLUMN, 28
.equ LINE, 32           @ the address in x of the line that the first tap inside meets
.equ TAP, 36            @ the bytes of weights before that tap
.equ LINES, 40          @ how many lines of taps lie inside
.equ PLANE_STEP, 44     @ from behind the last tap's line to the next plane's first
.equ WEIGHT_STEP, 48
@ Then what it finds out first:
.equ REACH, 52          @ from the first number that four windows meet to behind the last
.equ WEIGHTS, 56        @ bytes of an output channel's weights
.equ OUT_PLANE, 60      @ bytes
@ And what stays:
.equ OUTPUTS, 64        @ a group
.equ CHANNELS, 68       @ a group
.equ KERNEL_HEIGHT, 72
.equ KERNEL_WIDTH, 76
.equ HEIGHT, 80
.equ WIDTH, 84
.equ OUT_HEIGHT, 88
.equ OUT_WIDTH, 92
.equ STRIDE_Y, 96
.equ STRIDE_X, 100
.equ PADDING_Y, 104
.equ PADDING_X, 108
.equ DILATION_Y, 112
.equ DILATION_X, 116

.python
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
.end

.include "macros.inc"

.macro window sum, step                 @ a number of x × the weight
    vldr s8, [r0]
    adds r0, r0, \step
    vfma.f32 \sum, s8, s12
.endm

.macro window_of_pair first, second, step=r5
    window \first, \step
    vfma.f32 \second, s8, s13
.endm

.macro weight_of_pair
    load s12, [r1], r7; load s13, [r1, r2], r7
    adds r1, 4
.endm

.macro single_tap                       @ of one channel and four windows
    load s12, [r1], r7
    adds r1, 4
    window s0, r5; window s1, r5; window s2, r5; window s3, r6
.endm

.macro pair_tap                         @ of two channels and four windows
    weight_of_pair
    window_of_pair s0, s4; window_of_pair s1, s5; window_of_pair s2, s6
    window_of_pair s3, s7, r6
.endm

.macro one_tap                          @ of two channels and one window
    weight_of_pair
    window_of_pair s0, s4
.endm

.macro every_tap tap                    @ from line to line, from plane to plane
PLANE:
    set r11, [r3, LINES], r7
LINE:
    mov r4, r8
TAP:
    \tap
    subs r4, 1; bne TAP
    add r0, r9; add r1, r10
    subs r11, r11, 1; bne LINE
    plus r0, [r3, PLANE_STEP], r7; plus r1, [r3, WEIGHT_STEP], r7
    subs lr, lr, 1; bne PLANE
.endm

.macro unless_pair label                @ r4 the first channel's outputs, r5 the second's
    ldr r4, [r3, OUT]; ldr r5, [r3, OUT_PLANE]
    adds r5, r5, r4
    mov r6, r12
    cmp r6, 0; beq \label
.endm

.function _convolve, r0, r1, r2, r3
    @ r0: x. r1: weight, at any address. r2: out. r3: words.
    push {r8, r9, r10, r11}
    plus r0, [r3, X], r4; str r0, [r3, X]
    str r1, [r3, WEIGHT]
    plus r2, [r3, OUT], r4; str r2, [r3, OUT]
    ldr r6, [r3, KERNEL_WIDTH]; ldr r4, [r3, KERNEL_HEIGHT]
    muls r4, r6
    times r4, [r3, CHANNELS]
    lsls r4, r4, 2; str r4, [r3, WEIGHTS]
    ldr r4, [r3, OUT_HEIGHT]
    times r4, [r3, OUT_WIDTH]
    lsls r4, r4, 2; str r4, [r3, OUT_PLANE]
    subs r6, 1
    times r6, [r3, DILATION_X], r4
    plus r6, [r3, STRIDE_X], r4
    adds r6, r6, r4; adds r6, r6, r4; adds r6, 1; str r6, [r3, REACH]

GROUP:
    copy [r3, OUTPUTS], [r3, OUTPUT]

OUTPUT:
    @ r12: from the weights of the first channel to those of the second, or 0 for one channel alone.
    @ s14, s15: their biases.
    movs r5, 0; movs r6, 0
    ldr r4, [r3, OUTPUT]
    cmp r4, 2; blt ALONE
    ldr r5, [r3, WEIGHTS]
    movs r6, 4
ALONE:
    mov r12, r5
    load s14, [r3, BIAS], r4
    vmov s15, r4
    cmp r4, 0; beq NO_BIAS
    load s14, [r4], r5
    adds r4, r4, r6
    load s15, [r4], r5
NO_BIAS:
    movs r4, 0; str r4, [r3, ROW]

ROW:
    times r4, [r3, STRIDE_Y]
    minus r4, [r3, PADDING_Y]
    ldr r5, [r3, DILATION_Y]; ldr r6, [r3, KERNEL_HEIGHT]; ldr r7, [r3, HEIGHT]
    bl CUT
    str r6, [r3, LINES]
    @ The weights before the first line of taps inside, and behind the last.
    ldr r5, [r3, KERNEL_WIDTH]
    lsls r5, r5, 2
    muls r0, r5; str r0, [r3, TAP]
    ldr r7, [r3, KERNEL_HEIGHT]
    subs r7, r7, r6
    muls r7, r5; str r7, [r3, WEIGHT_STEP]
    @ The line that it meets, and the way from behind the last one to the next plane.
    ldr r5, [r3, WIDTH]
    lsls r5, r5, 2
    muls r4, r5
    plus r4, [r3, X], r7; str r4, [r3, LINE]
    times r6, [r3, DILATION_Y], r7
    ldr r7, [r3, HEIGHT]
    subs r7, r7, r6
    muls r7, r5; str r7, [r3, PLANE_STEP]
    movs r4, 0

COLUMN:
    @ r4: the first window of the row that is not done.
    str r4, [r3, COLUMN]
    mov r6, r4
    adds r6, 4
    times r4, [r3, STRIDE_X]
    minus r4, [r3, PADDING_X]; blt.w ONE
    ldr r5, [r3, OUT_WIDTH]
    cmp r6, r5; bgt.w ONE
    ldr r5, [r3, REACH]
    adds r5, r5, r4
    ldr r6, [r3, WIDTH]
    cmp r5, r6; bgt.w ONE
    movs r0, 0
    ldr r6, [r3, KERNEL_WIDTH]
    bl PLACE
    set lr, [r3, CHANNELS], r7
    vmov.f32 s0, s14; vmov.f32 s1, s14; vmov.f32 s2, s14; vmov.f32 s3, s14
    vmov.f32 s4, s15; vmov.f32 s5, s15; vmov.f32 s6, s15; vmov.f32 s7, s15
    ldr r6, [r3, LINES]
    cmp r6, 0; beq.w STORE_FOUR
    @ r5, r6: from window to window, and from the fourth on to the next tap in the first.
    ldr r7, [r3, STRIDE_X]
    lsls r5, r7, 2
    ldr r6, [r3, DILATION_X]
    subs r6, r6, r7; subs r6, r6, r7; subs r6, r6, r7
    lsls r6, r6, 2
    cmp r2, 0; bne.w PAIR

    every_tap single_tap
    b STORE_FOUR

PAIR:
    every_tap pair_tap

STORE_FOUR:
    unless_pair FIRST_FOUR
    vstr s4, [r5]; vstr s5, [r5, 4]; vstr s6, [r5, 8]; vstr s7, [r5, 12]
FIRST_FOUR:
    vstmia r4!, {s0-s3}
    str r4, [r3, OUT]
    ldr r4, [r3, COLUMN]
    adds r4, 4
    b COLUMN_DONE

ONE:
    @ The same for one window, which an edge may cut. A channel alone is summed twice.
    ldr r5, [r3, DILATION_X]; ldr r6, [r3, KERNEL_WIDTH]; ldr r7, [r3, WIDTH]
    bl CUT
    bl PLACE
    set lr, [r3, CHANNELS], r7
    vmov.f32 s0, s14; vmov.f32 s4, s15
    cmp r6, 0; beq STORE_ONE
    ldr r6, [r3, LINES]
    cmp r6, 0; beq STORE_ONE
    ldr r5, [r3, DILATION_X]
    lsls r5, r5, 2

    every_tap one_tap

STORE_ONE:
    unless_pair FIRST_ONE
    vstr s4, [r5]
FIRST_ONE:
    vstr s0, [r4]
    adds r4, 4; str r4, [r3, OUT]
    ldr r4, [r3, COLUMN]
    adds r4, 1

COLUMN_DONE:
    while_below [r3, OUT_WIDTH], COLUMN
    ldr r4, [r3, ROW]
    adds r4, 1; str r4, [r3, ROW]
    while_below [r3, OUT_HEIGHT], ROW

    @ r4: how many channels that was, less 1. The second one's plane is done with the first one's.
    mov r5, r12
    movs r4, 0
    cmp r5, 0; beq COUNT
    movs r4, 1
    increase_from [r3, OUT], [r3, OUT_PLANE], r5, r6
COUNT:
    adds r4, 1
    ldr r5, [r3, WEIGHTS]
    muls r5, r4
    increase [r3, WEIGHT], r5, r6
    ldr r6, [r3, BIAS]
    cmp r6, 0; beq NEXT
    lsls r5, r4, 2
    adds r6, r6, r5; str r6, [r3, BIAS]
NEXT:
    ldr r5, [r3, OUTPUT]
    subs r5, r5, r4; str r5, [r3, OUTPUT]; ble GROUP_DONE; b OUTPUT

GROUP_DONE:
    ldr r4, [r3, CHANNELS]
    times r4, [r3, HEIGHT]; times r4, [r3, WIDTH]
    lsls r4, r4, 2
    increase [r3, X], r4, r5
    count_down [r3, GROUPS]; ble END; b GROUP

CUT:
    @ Of r6 taps, from place r4 on and r5 apart, leaves those in 0..r7-1: r4 is where the first one is, r6 how
    @ many there are, r0 how many came before.
    movs r0, 0
BEFORE:
    cmp r4, 0; bge BEYOND
    adds r4, r4, r5; adds r0, 1
    subs r6, 1; bgt BEFORE
    cut_behind

PLACE:
    @ From what CUT leaves: r0 is the address of the first number met, r1 of the first weight, r2 the second
    @ channel's distance, r8 taps a line, r9 and r10 from behind a line to the next in x and in weights.
    ldr r1, [r3, WEIGHT]
    plus r1, [r3, TAP]
    lsls r0, r0, 2
    adds r1, r1, r0
    ldr r0, [r3, LINE]
    lsls r4, r4, 2
    adds r0, r0, r4
    mov r2, r12; mov r8, r6
    ldr r4, [r3, DILATION_Y]
    times r4, [r3, WIDTH]
    ldr r5, [r3, DILATION_X]
    muls r5, r6
    subs r4, r4, r5
    lsls r4, r4, 2
    mov r9, r4
    ldr r4, [r3, KERNEL_WIDTH]
    subs r4, r4, r6
    lsls r4, r4, 2
    mov r10, r4
    bx lr

END:
    movs r0, 0
    pop {r8, r9, r10, r11}
.end
