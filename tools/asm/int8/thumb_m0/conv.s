.python
"""Convolution for Armv6-M: each window is gathered, and four outputs share it."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"

.macro next_place
    plus r6, [sp, out_plane], r0
.endm

.macro move_number at=0                 @ of a line of the window to where it is gathered
    ldrb r7, [r1, \at]
    strb r7, [r0, \at]
.endm

.macro next_line label
    adds r1, r1, r4
    subs r3, 1; bne \label
.endm

.function conv2d, r0, r1, r2, r3
    .stack 128
        bias            @ of the next output
        to_rescaling    @ from a bias to its rescaling word
        place           @ of the next output
        out_plane       @ size of an output plane
        zero
        low
        high
        outputs         @ left in this group
        weights         @ of the next output
        window_size     @ weights of an output
        window          @ as it is gathered
        window_end
        pixel_place     @ of this pixel's outputs
        row             @ where the window starts
        column
        in_line         @ windows left in this line
        rows            @ lines of windows left
        x               @ of this group
        plane           @ size of an input plane
        group_weights
        group_biases
        group_place     @ of this group's outputs
        groups          @ left
        words
        inside_row      @ below which a window lies inside, 0 where none does
        inside_column   @ the same
        line_size       @ numbers in a line of the window
        to_line         @ from a line to the next
        planes
        to_plane        @ from a plane to the next
        lines           @ in a plane
    .end
    enter

    @ What depends on the layer alone. r0 arena, r1 weights, r2 constants, r3 words.
    str r3, [sp, words]; str r1, [sp, group_weights]; str r2, [sp, group_biases]
    copy_address INPUT, x
    copy_address OUTPUT, group_place
    copy [r3, GROUPS], [sp, groups]
    copy_to_rescaling
    copy [r3, ZERO], [sp, zero]; copy [r3, LOW], [sp, low]
    copy [r3, HIGH], [sp, high]
    ldr r4, [r3, OUT_HEIGHT]
    times r4, [r3, OUT_WIDTH]; str r4, [sp, out_plane]

    @ The window: r4 its width, r5 its height, r6 its planes and then its size.
    copy [r3, KERNEL_ACROSS], [sp, line_size]
    ldr r5, [r3, KERNEL_DOWN]; ldr r6, [r3, CHANNELS]; ldr r7, [r3, WORK]
    adds r7, r7, r0; str r7, [sp, window]
    ldr r0, [r3, HEIGHT]; ldr r1, [r3, WIDTH]
    mov r2, r0
    muls r2, r1; str r2, [sp, plane]
    @ Where it has one line, its planes are told as lines.
    cmp r5, 1; beq FLAT
    str r5, [sp, lines]; str r6, [sp, planes]; str r2, [sp, to_plane]
    ldr r2, [r3, DILATION_DOWN]
    muls r2, r1; str r2, [sp, to_line]
    b LINES
FLAT:
    str r6, [sp, lines]; str r5, [sp, planes]; str r2, [sp, to_line]
LINES:
    muls r6, r5; muls r6, r4; str r6, [sp, window_size]
    adds r7, r7, r6; str r7, [sp, window_end]

    @ A window that starts at row r0 and column r1, or higher, reaches over the edge; at a dilation, all
    @ shall.
    subs r5, 1
    times r5, [r3, DILATION_DOWN], r2
    subs r0, r0, r5; bpl LOW_ENOUGH
    movs r0, 0
LOW_ENOUGH:
    str r0, [sp, inside_row]
    adds r1, 1
    subs r1, r1, r4; bpl WIDE_ENOUGH
    movs r1, 0
WIDE_ENOUGH:
    ldr r2, [r3, DILATION_ACROSS]
    cmp r2, 1; beq DENSE
    movs r1, 0
DENSE:
    str r1, [sp, inside_column]

GROUP:
    copy [sp, group_place], [sp, pixel_place]
    copy_negative [r3, PADDING_DOWN], [sp, row]
    copy [r3, OUT_HEIGHT], [sp, rows]
ROW:
    copy_negative [r3, PADDING_ACROSS], [sp, column]
    copy [r3, OUT_WIDTH], [sp, in_line]

    @ Gathers a window, line by line: r0 where to, r1 a line's place, r2 its numbers, r3 lines left, r4 from
    @ line to line, r5 planes left, r6 this plane's first line, r7 a number.
WINDOW:
    ldr r0, [sp, window]; ldr r4, [sp, row]; ldr r5, [sp, column]
    ldr r6, [sp, inside_row]
    cmp r4, r6; bcs TO_EDGE
    ldr r6, [sp, inside_column]
    cmp r5, r6; bcs TO_EDGE
    ldr r2, [sp, words]; ldr r3, [r2, WIDTH]
    muls r3, r4
    ldr r6, [sp, x]
    adds r6, r6, r3; adds r6, r6, r5
    ldr r4, [sp, to_line]; ldr r5, [sp, planes]
PLANE:
    mov r1, r6
    ldr r3, [sp, lines]; ldr r2, [sp, line_size]
    cmp r2, 3; beq THREE
    cmp r2, 1; beq ONE
LINE:
NUMBER:
    subs r2, 1
    move_number r2; bne NUMBER
    plus r0, [sp, line_size], r2
    next_line LINE
    b NEXT_PLANE
TO_EDGE:
    b EDGE
ONE:
    move_number
    adds r0, 1
    next_line ONE
    b NEXT_PLANE
THREE:
    move_number; move_number 1; move_number 2
    adds r0, 3
    next_line THREE
NEXT_PLANE:
    plus r6, [sp, to_plane], r1
    subs r5, 1; bne PLANE

GATHERED:
    copy [sp, pixel_place], [sp, place], r0
    adds r0, 1; str r0, [sp, pixel_place]
    copy [sp, group_weights], [sp, weights], r0
    copy [sp, group_biases], [sp, bias], r0
    ldr r3, [sp, words]
    copy [r3, OUT_CHANNELS], [sp, outputs], r0

    outputs_of_window NEXT_WINDOW

    rare_outputs

NEXT_WINDOW:
    ldr r3, [sp, words]
    increase_from [sp, column], [r3, STRIDE_ACROSS]
    count_down [sp, in_line]; beq NEXT_ROW; b WINDOW
NEXT_ROW:
    increase_from [sp, row], [r3, STRIDE_DOWN]
    count_down [sp, rows]; beq NEXT_GROUP; b ROW
NEXT_GROUP:
    ldr r4, [r3, CHANNELS]
    times r4, [sp, plane]
    plus r4, [sp, x]; str r4, [sp, x]
    ldr r4, [r3, OUT_CHANNELS]
    lsls r5, r4, 2
    plus r5, [sp, group_biases], r6; str r5, [sp, group_biases]
    ldr r5, [sp, window_size]
    muls r5, r4
    plus r5, [sp, group_weights], r6; str r5, [sp, group_weights]
    times r4, [sp, out_plane]
    plus r4, [sp, group_place]; str r4, [sp, group_place]
    count_down [sp, groups]; beq DONE; b GROUP

    @ Gathers a window over the edge, number by number: r1 a number's column, r2 its line, r3 numbers left in
    @ it, r4 its row, r5 the columns that are inside, r6 the plane, r7 the number, r8 from column to column,
    @ r9 PAD, r10 lines left, r11 planes left, r12 the first column.
EDGE:
    mov r12, r5
    set r8, [r3, DILATION_ACROSS], r7; set r9, [r3, PAD], r7
    set r11, [r3, CHANNELS], r7
    ldr r6, [sp, x]
EDGE_PLANE:
    ldr r7, [r3, KERNEL_DOWN]; ldr r4, [sp, row]
EDGE_LINE:
    mov r10, r7
    ldr r2, [r3, WIDTH]; ldr r7, [r3, HEIGHT]
    movs r5, 0
    cmp r4, r7; bcs OUTSIDE
    mov r5, r2
OUTSIDE:
    muls r2, r4
    adds r2, r2, r6
    ldr r3, [r3, KERNEL_ACROSS]
    mov r1, r12
EDGE_NUMBER:
    mov r7, r9
    cmp r1, r5; bcs CHOSEN_NUMBER
    ldrb r7, [r2, r1]
CHOSEN_NUMBER:
    strb r7, [r0]
    adds r0, 1
    add r1, r8
    subs r3, 1; bne EDGE_NUMBER
    ldr r3, [sp, words]
    plus r4, [r3, DILATION_DOWN], r7
    mov r7, r10
    subs r7, 1; bne EDGE_LINE
    plus r6, [sp, plane], r7
    count_down_in r11, r7; bne EDGE_PLANE; b GATHERED

DONE:
    leave
.end
