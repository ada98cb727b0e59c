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

.macro rescaling                        @ the word r4, in its parts
    lsls r5, r4, 11
    lsrs r5, r5, 27; str r5, [sp, first_shift]
    uxth r5, r4; str r5, [sp, factor]
    lsrs r4, r4, 24; str r4, [sp, second_shift]
.endm

.macro add_weights                      @ r7 of them, from r2 on, × PAD: r5; r2 becomes where they end
    adds r2, r2, r7
    rsbs r7, r7, 0
    movs r5, 0
WEIGHT:
    ldrsb r1, [r2, r7]
    adds r5, r5, r1
    adds r7, 1; bne WEIGHT
    times r5, [sp, pad], r1
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
        any_column      @ the same for any windows
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
        last_two = right @ of any windows: where two that lie inside may start at most, if at all
        to_line = right + 4 @ from line to line
        all_padding = right + 8 @ sum to begin with as if all were PAD
        next_weights = right + 12 @ of the next channel, 0 where all_padding is yet unknown
        start_inside = right + 16 @ sum as if what is outside in this row of windows were
        inside_line = right + 20 @ the first of this row that is inside
        inside_weights = right + 24 @ of that
        weights_size = right + 28 @ of these and those of all lines inside
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
    rescaling
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

    @ Any windows: two at once where they lie inside side by side, else one. Of each, only what lies inside is
    @ walked over. `start_inside` is the sum to begin with for a window of which all columns lie inside; for
    @ another, it is as if all numbers were PAD, which is then taken from each.
ANYWAY:
    ldr r1, [sp, width]; ldr r4, [r3, KERNEL_ACROSS]; ldr r5, [sp, stride]
    subs r4, r1, r4; subs r4, r4, r5
    unless [r3, DILATION_ACROSS], 1, APART, r5
    b NEXT_TO_EACH_OTHER
APART:
    movs r4, 0
    subs r4, 1
NEXT_TO_EACH_OTHER:
    str r4, [sp, last_two]
    times r1, [r3, DILATION_DOWN], r4
    str r1, [sp, to_line]
ANY_CHANNEL:
    ldr r5, [sp, bias]; ldr r4, [sp, to_rescaling]; ldr r4, [r5, r4]
    ldr r6, [r5]
    adds r5, 4; str r5, [sp, bias]; str r6, [sp, start]
    rescaling
    movs r5, 0; str r5, [sp, next_weights]
    copy_negative [r3, PADDING_DOWN], [sp, row]
    copy [r3, OUT_HEIGHT], [sp, rows]

    @ A row of windows.
ANY_ROW:
    ldr r4, [sp, row]; ldr r5, [r3, DILATION_DOWN]; ldr r6, [r3, KERNEL_DOWN]
    ldr r7, [r3, HEIGHT]; ldr r0, [sp, weights]; ldr r2, [r3, KERNEL_ACROSS]
    keep_inside r7, r0, r2
    times r4, [sp, width], r5
    plus r4, [sp, x]; str r4, [sp, inside_line]; str r0, [sp, inside_weights]
    ldr r4, [sp, start]; ldr r5, [r3, KERNEL_DOWN]
    muls r2, r6
    str r2, [sp, weights_size]
    cmp r5, r6; beq WHOLE
    bl PADDED
    mov r4, r5
    ldr r7, [sp, weights_size]
    mov r2, r0
    add_weights
    subs r4, r4, r5
WHOLE:
    str r4, [sp, start_inside]
    copy_negative [r3, PADDING_ACROSS], [sp, any_column]
    copy [r3, OUT_WIDTH], [sp, windows]

ANY_WINDOWS:
    set r8, [sp, to_line]; set r9, [r3, KERNEL_ACROSS]
    ldr r5, [sp, inside_weights]
    adds r5, r5, r4
    plus r5, [sp, weights_size], r6
    mov r11, r5
    rsbs r4, r4, 0
    mov r10, r4
NEXT_WINDOWS:
    ldr r4, [sp, any_column]; ldr r5, [sp, last_two]
    cmp r4, 0; blt ONE_WINDOW
    cmp r4, r5; bgt ONE_WINDOW
    ldr r5, [sp, windows]
    cmp r5, 2; bcc ONE_WINDOW

    @ Two windows: r1 where their weights' line ends, r2 and r3 where their numbers' does, r0 from there to a
    @ number, r4 the number, r5 its weight, r6 and r7 the sums; r8 and r9 to the next line of numbers and of
    @ weights, r10 a line's length below 0, r11 where weights end.
    ldr r2, [sp, inside_line]
    adds r2, r2, r4
    add r2, r9
    ldr r3, [sp, stride]
    adds r3, r2, r3
    ldr r1, [sp, inside_weights]
    add r1, r9
    ldr r6, [sp, start_inside]
    mov r7, r6
TWO_LINES:
    mov r0, r10
TWO_NUMBERS:
    ldrsb r5, [r1, r0]; ldrb r4, [r2, r0]
    muls r4, r5
    adds r6, r6, r4
    ldrb r4, [r3, r0]
    muls r4, r5
    adds r7, r7, r4
    adds r0, 1; bne TWO_NUMBERS
    add r2, r8; add r3, r8; add r1, r9
    cmp r1, r11; bne TWO_LINES
    bl FINISH
    mov r6, r7
    bl FINISH
    ldr r4, [sp, stride]
    lsls r4, r4, 1
    increase [sp, any_column], r4, r5
    ldr r4, [sp, windows]
    subs r4, 2; str r4, [sp, windows]; bne NEXT_WINDOWS; b ANY_ROW_DONE

    @ One window: r1 where its weights' line ends, r0 from there to a weight, r2 its numbers, r3 what is taken
    @ from each, r4 the number, r5 its weight, r6 the sum; r9 to the next line of weights, lr to that of
    @ numbers, r12 from number to number, r10 a line's length below 0, r11 where weights end.
ONE_WINDOW:
    ldr r5, [r3, DILATION_ACROSS]; ldr r6, [r3, KERNEL_ACROSS]; ldr r7, [sp, width]
    ldr r0, [sp, inside_weights]
    mov r12, r5
    keep_inside r7, r0
    ldr r5, [sp, start_inside]
    movs r1, 0
    cmp r6, r9; beq ALL_INSIDE
    bl PADDED
    ldr r1, [sp, pad]
ALL_INSIDE:
    plus r4, [sp, inside_line], r2
    mov r2, r4; mov r3, r1; mov r4, r12
    muls r4, r6
    mov r7, r8
    subs r7, r7, r4
    mov lr, r7
    adds r1, r0, r6
    plus r0, [sp, weights_size], r4
    adds r0, r0, r6
    mov r11, r0
    rsbs r6, r6, 0
    mov r10, r6; mov r6, r5
ONE_LINE:
    mov r0, r10
ONE_NUMBER:
    ldrb r4, [r2]; ldrsb r5, [r1, r0]
    subs r4, r4, r3
    muls r4, r5
    adds r6, r6, r4
    add r2, r12
    adds r0, 1; bne ONE_NUMBER
    add r2, lr; add r1, r9
    cmp r1, r11; bne ONE_LINE
    bl FINISH
    ldr r4, [sp, stride]
    increase [sp, any_column], r4, r5
    count_down [sp, windows]; beq ANY_ROW_DONE; b ANY_WINDOWS

ANY_ROW_DONE:
    ldr r4, [r3, STRIDE_DOWN]
    increase [sp, row], r4, r0
    count_down [sp, rows]; beq ANY_CHANNEL_DONE; b ANY_ROW
ANY_CHANNEL_DONE:
    ldr r4, [r3, KERNEL_DOWN]
    times r4, [r3, KERNEL_ACROSS]
    increase [sp, weights], r4, r0
    increase_from [sp, x], [sp, plane], r0, r1
    count_down [sp, channels]; beq ALL_DONE; b ANY_CHANNEL
ALL_DONE:
    b DONE

    @ The sum r6 becomes an output, r3 the words.
FINISH:
    ldr r3, [sp, words]; ldr r4, [sp, first_shift]
    asrs r6, r4
    sxth r4, r6
    cmp r4, r6; beq ANY_SHIFTED
    largest r6, r4
ANY_SHIFTED:
    times r6, [sp, factor], r4
    ldr r4, [sp, second_shift]; ldr r5, [r3, ZERO]
    asrs r6, r4
    adcs r6, r5
    ldr r4, [r3, LOW]; ldr r5, [r3, HIGH]
    cut r6, r4, r5
    ldr r4, [sp, place]
    strb r6, [r4]
    adds r4, 1; str r4, [sp, place]
    bx lr

    @ r5 becomes the sum to begin with as if all were PAD: found out once a channel, where that is asked.
PADDED:
    ldr r5, [sp, all_padding]; ldr r2, [sp, next_weights]
    cmp r2, 0; bne KNOWN
    ldr r2, [sp, weights]; ldr r7, [r3, KERNEL_DOWN]
    times r7, [r3, KERNEL_ACROSS], r1
    add_weights
    plus r5, [sp, start], r1; str r5, [sp, all_padding]; str r2, [sp, next_weights]
KNOWN:
    bx lr

DONE:
    leave
.end
