.python
"""Convolution of each channel on its own for Armv6-M, at its best for windows of 3 × 3."""
.end
.include "../words.inc"
.include "macros.inc"

.macro tap line, column, weight         @ a number of a line × its weight, to the sum
    ldrb r4, [\line, \column]
    times r4, [r3, \weight]
    adds r6, r6, r4
.endm

.macro next_weight                      @ to their sum, and where it goes in the middle
    ldrsb r4, [r0, r3]
    adds r5, r5, r4
.endm

.function depthwise2d, r0, r1, r2, r3
    .stack 280
        first_shift     @ of this channel
        factor
        second_shift
        start           @ sum to begin with, as if all were PAD
        pad
        width
        stride          @ across
        line            @ the first of this row's windows
        line_weights    @ in the middle
        windows         @ left in this row
        column          @ where a window starts
        place           @ of the next output
        row             @ where a window starts
        any_column      @ the same for any window
        rows            @ of outputs left
        words
        x               @ the plane
        plane           @ size of an input plane
        weights         @ of this channel
        bias            @ of this channel
        to_rescaling    @ from a bias to its rescaling word
        channels        @ left
        last_row        @ HEIGHT - 3
        last_column     @ WIDTH - 3
        right 60        @ weights over the right edge: five lines of 3 words, the first and the last 0
        middle 60       @ the same in the middle
        left 60         @ and over the left edge
    .end
    enter
    str r3, [sp, words]; str r1, [sp, weights]; str r2, [sp, bias]
    copy_address INPUT, x
    copy_address OUTPUT, place
    copy [r3, CHANNELS], [sp, channels]
    copy_to_rescaling
    set r10, [r3, LOW]; set r11, [r3, HIGH]; set r12, [r3, ZERO]
    copy [r3, PAD], [sp, pad]; copy [r3, STRIDE_ACROSS], [sp, stride], r7
    copy [r3, WIDTH], [sp, width], r1
    ldr r0, [r3, HEIGHT]
    mov r2, r0
    muls r2, r1; str r2, [sp, plane]

    @ The fast way is for windows of 3 × 3 that reach over an edge by at most 1: r0 HEIGHT - 3, r1 WIDTH - 3.
    subs r0, 3; str r0, [sp, last_row]; bmi ANY
    subs r1, 3; str r1, [sp, last_column]; bmi ANY
    unless_nine ANY
    ldr r4, [r3, PADDING_DOWN]
    cmp r4, 1; bhi ANY
    ldr r5, [r3, PADDING_ACROSS]
    cmp r5, 1; bhi ANY
    unless_low_enough ANY, r2
    ldr r6, [r3, OUT_WIDTH]
    subs r6, 1
    muls r6, r7
    subs r6, r6, r5; subs r6, 1
    cmp r6, r1; ble NINE
ANY:
    b ANYWAY

    @ All weights are 0 for now: the first and the last lines will stay so.
NINE:
    add r4, sp, right
    movs r5, 180; movs r6, 0
CLEAR:
    subs r5, 4
    str r6, [r4, r5]
    bne CLEAR

    @ A channel: r0 weights, r1 where they go in the middle, r6 over the right edge, r2 lines left, r3 0, r4 a
    @ weight, r5 their sum.
CHANNEL:
    ldr r0, [sp, weights]
    add r1, sp, middle + 12
    movs r5, 0; movs r2, 3; movs r3, 0
WEIGHTS:
    next_weight
    str r4, [r1]
    mov r6, r1
    subs r6, 56
    str r4, [r6]
    adds r0, 1
    next_weight
    str r4, [r1, 4]; str r4, [r6, 4]; str r4, [r1, 60]
    adds r0, 1
    next_weight
    str r4, [r1, 8]; str r4, [r1, 64]
    adds r0, 1; adds r1, 12
    subs r2, 1; bne WEIGHTS
    str r0, [sp, weights]
    times r5, [sp, pad], r4
    ldr r0, [sp, bias]
    plus r5, [r0], r4; str r5, [sp, start]
    ldr r4, [sp, to_rescaling]; ldr r4, [r0, r4]
    adds r0, 4; str r0, [sp, bias]
    lsls r5, r4, 11
    lsrs r5, r5, 27; str r5, [sp, first_shift]
    uxth r5, r4; str r5, [sp, factor]
    lsrs r4, r4, 24; str r4, [sp, second_shift]
    ldr r3, [sp, words]
    copy_negative [r3, PADDING_DOWN], [sp, row]
    copy [r3, OUT_HEIGHT], [sp, rows]

    @ A row of windows. Over the upper or the lower edge, all lines are taken from inside, and the weights of
    @ one more or one less: so the line outside has no weights, and another one weights of 0.
ROW:
    ldr r0, [sp, row]
    mov r2, r0
    cmp r2, 0; bge UPPER
    movs r2, 0
UPPER:
    ldr r1, [sp, last_row]
    cmp r2, r1; ble LOWER
    mov r2, r1
LOWER:
    subs r1, r2, r0
    movs r4, 12
    muls r1, r4
    adds r1, middle + 12
    add r1, sp, r1; str r1, [sp, line_weights]
    times r2, [sp, width], r1
    plus r2, [sp, x], r1; str r2, [sp, line]
    copy [r3, OUT_WIDTH], [sp, windows]
    copy_negative [r3, PADDING_ACROSS], [sp, column]

    @ A run of windows: the one over the left edge, all in the middle, or the one over the right edge. r0
    @ becomes the column of its first, r3 its weights, r7 how many it has.
RUN:
    ldr r0, [sp, column]; ldr r1, [sp, last_column]; ldr r2, [sp, stride]
    ldr r3, [sp, line_weights]
    movs r7, 1
    cmp r0, 0; bmi LEFT
    movs r7, 0
    cmp r0, r1; bgt RIGHT
    ldr r6, [sp, windows]
    mov r4, r0
COUNT:
    adds r7, 1; adds r4, r4, r2
    cmp r7, r6; bcs RUN_READY
    cmp r4, r1; ble COUNT; b RUN_READY
LEFT:
    mov r4, r2
    subs r4, 1
    movs r0, 0
    adds r3, 60
    b RUN_READY
RIGHT:
    movs r7, 1
    mov r0, r1
    subs r3, 60
RUN_READY:
    str r4, [sp, column]
    mov r9, r7; mov r8, r2
    ldr r4, [sp, windows]
    subs r4, r4, r7; str r4, [sp, windows]
    @ The sum to begin with, less what it has for places that are inside, r6.
    ldr r6, [r3]
    plus r6, [r3, 4], r4; plus r6, [r3, 8], r4; plus r6, [r3, 12], r4
    plus r6, [r3, 16], r4; plus r6, [r3, 20], r4; plus r6, [r3, 24], r4
    plus r6, [r3, 28], r4; plus r6, [r3, 32], r4
    times r6, [sp, pad], r4
    ldr r4, [sp, start]
    subs r4, r4, r6
    mov lr, r4

    @ A window: r0, r1 and r2 its lines, r3 its weights, r4 a number, r5 a weight, r6 the sum, r7 where it
    @ goes; r8 from window to window, r9 windows left, r10 LOW, r11 HIGH, r12 ZERO, lr the sum to begin with.
    plus r0, [sp, line], r1
    ldr r2, [sp, width]
    adds r1, r0, r2; adds r2, r1, r2
    ldr r7, [sp, place]
WINDOW:
    mov r6, lr
    tap r0, 0, 0; tap r0, 1, 4; tap r0, 2, 8
    tap r1, 0, 12; tap r1, 1, 16; tap r1, 2, 20
    tap r2, 0, 24; tap r2, 1, 28; tap r2, 2, 32
    ldr r4, [sp, first_shift]
    asrs r6, r4
    sxth r4, r6
    cmp r4, r6; beq SHIFTED
    largest r6, r4
SHIFTED:
    times r6, [sp, factor], r4
    ldr r4, [sp, second_shift]
    asrs r6, r4
    mov r4, r12
    adcs r6, r4
    cut r6, r10, r11
    strb r6, [r7]
    adds r7, 1
    add r0, r8; add r1, r8; add r2, r8
    count_down_in r9, r4; bne WINDOW
    str r7, [sp, place]
    ldr r4, [sp, windows]
    cmp r4, 0; beq NEXT_ROW; b RUN

NEXT_ROW:
    ldr r3, [sp, words]; ldr r4, [r3, STRIDE_DOWN]
    increase [sp, row], r4, r5
    count_down [sp, rows]; beq NEXT_CHANNEL; b ROW
NEXT_CHANNEL:
    increase_from [sp, x], [sp, plane]
    count_down [sp, channels]; beq ALL_CHANNELS; b CHANNEL
ALL_CHANNELS:
    b DONE

    @ Any window, number by number.
ANYWAY:
    copy_negative [r3, PADDING_DOWN], [sp, row]
    copy [r3, OUT_HEIGHT], [sp, rows]
ANY_ROW:
    copy_negative [r3, PADDING_ACROSS], [sp, any_column]
    copy [r3, OUT_WIDTH], [sp, windows]

    @ A window: r0 a number's column, r1 the columns inside, r2 its line, r3 a weight, r4 its row, r5 the next
    @ weight, r6 numbers left in the line, r7 the number, r8 lines left, r9 from column to column, lr the sum.
ANY_WINDOW:
    set r9, [r3, DILATION_ACROSS], r7
    ldr r5, [sp, bias]
    set lr, [r5], r7
    ldr r4, [sp, row]; ldr r5, [sp, weights]; ldr r7, [r3, KERNEL_DOWN]
ANY_LINE:
    mov r8, r7
    ldr r6, [r3, KERNEL_ACROSS]; ldr r7, [r3, HEIGHT]; ldr r2, [sp, width]
    movs r1, 0
    cmp r4, r7; bcs OUTSIDE
    mov r1, r2
OUTSIDE:
    muls r2, r4
    plus r2, [sp, x], r0
    ldr r0, [sp, any_column]
NUMBER:
    ldr r7, [sp, pad]
    cmp r0, r1; bcs CHOSEN
    ldrb r7, [r2, r0]
CHOSEN:
    ldrb r3, [r5]
    sxtb r3, r3
    muls r3, r7
    add lr, r3
    adds r5, 1
    add r0, r9
    subs r6, 1; bne NUMBER
    ldr r3, [sp, words]
    plus r4, [r3, DILATION_DOWN], r7
    mov r7, r8
    subs r7, 1; bne ANY_LINE
    ldr r0, [sp, bias]; ldr r1, [sp, to_rescaling]; ldr r1, [r0, r1]
    mov r6, lr
    first_shift r6, r1, r4
    cmp r4, r6; beq ANY_SHIFTED
    largest r6, r4
ANY_SHIFTED:
    uxth r4, r1
    muls r6, r4
    lsrs r1, r1, 24
    mov r4, r12
    asrs r6, r1
    adcs r6, r4
    cut r6, r10, r11
    ldr r7, [sp, place]
    strb r6, [r7]
    adds r7, 1; str r7, [sp, place]

    ldr r4, [r3, STRIDE_ACROSS]
    increase [sp, any_column], r4, r0
    count_down [sp, windows], r0; bne ANY_WINDOW
    ldr r4, [r3, STRIDE_DOWN]
    increase [sp, row], r4, r0
    count_down [sp, rows], r0; bne ANY_ROW
    str r5, [sp, weights]
    ldr r0, [sp, bias]
    adds r0, 4; str r0, [sp, bias]
    increase_from [sp, x], [sp, plane], r0, r1
    count_down [sp, channels], r0; beq DONE; b ANYWAY

DONE:
    leave
.end
