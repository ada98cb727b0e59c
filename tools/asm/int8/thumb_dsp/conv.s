.python
"""Convolution for Armv7E-M: two windows at a time are widened to 16 bits, and two outputs share them."""
.end
.include "../words.inc"
.include "macros.inc"

.macro output weights, first, second    @ of both windows
    widen_weights r4, r5, \weights
    products \first, r0, r1, r4, r5
    products \second, r2, r3, r4, r5
.endm

.macro two_outputs                      @ of four numbers of each window
    ldmia r10!, {r0, r1, r2, r3}
    output r11, r6, r7; output r12, r8, r9
.endm

.macro see_if_second                    @ there is one: r6 pixels are left
    cmp r6, 1; ite hi; movhi r6, 1; movls r6, 0; str r6, [sp, to_second]
.endm

.macro less place, number
    ldr r0, \place
    subs r0, r0, \number; str r0, \place
.endm

.macro mask_tail word
    ldr r2, \word
    ands r2, r0; str r2, \word
.endm

.function conv2d, r0, r1, r2, r3
    .stack 144
        zero_low        @ ZERO - LOW
        over            @ 255 - (HIGH - LOW), twice
        excess          @ 255 - HIGH, twice
        place           @ of the next output
        to_second       @ from there to the second pixel's, 0 where there is none
        bias            @ of the next output
        to_rescaling    @ from a bias to its rescaling word
        outputs         @ left in this group
        weights         @ of the next output
        window_size     @ weights of an output
        windows         @ as they are widened
        windows_end
        out_plane       @ size of an output plane
        pixel_place     @ of the first pixel's outputs
        row             @ where the next window starts
        column
        in_line         @ windows left in this line
        pixels          @ left
        x               @ of this group
        plane           @ size of an input plane
        group_weights
        group_biases
        group_place     @ of this group's outputs
        groups          @ left
        words
        gathered        @ bytes of the first window, as they are gathered
        to_gathered     @ from there to those of the second
        tail_mask       @ of their last word, 0 where all of it counts
        inside_row      @ below which a window lies inside, 0 where none does
        inside_column   @ the same
        line_size       @ numbers in a line of the window
        to_line         @ from a line to the next
        planes
        to_plane        @ from a plane to the next
        lines           @ in a plane
        is_indirect     @ 0 where windows are single pixels, one behind the other, and channels come in fours
    .end
    enter

    @ What depends on the layer alone. r0 arena, r1 weights, r2 constants, r3 words.
    str r3, [sp, words]; str r1, [sp, group_weights]; str r2, [sp, group_biases]
    copy_address INPUT, x
    copy_address OUTPUT, group_place
    copy [r3, GROUPS], [sp, groups]
    copy_to_rescaling
    range_of_two

    @ The window: r4 its width, r5 its height, r6 its size in words, r7 the place of what is widened.
    copy [r3, KERNEL_ACROSS], [sp, line_size]
    ldr r5, [r3, KERNEL_DOWN]; ldr r6, [r3, CHANNELS]
    muls r6, r5; muls r6, r4; str r6, [sp, window_size]
    ldr r7, [r3, WORK]
    adds r7, r7, r0; str r7, [sp, windows]
    tail_mask r6, r1, r0
    adds r6, 3
    bic r6, r6, 3; str r6, [sp, to_gathered]
    add r1, r7, r6, lsl 2; str r1, [sp, windows_end]
    subs r1, r1, r6; subs r1, 4; str r1, [sp, gathered]

    @ The planes: r0 height, r1 width, r2 size. Where the window has one line, its planes are told as lines.
    ldr r0, [r3, HEIGHT]; ldr r1, [r3, WIDTH]
    mov r2, r0
    muls r2, r1; str r2, [sp, plane]
    ldr r6, [r3, CHANNELS]; ldr r7, [r3, DILATION_DOWN]
    cmp r5, 1; beq FLAT
    str r5, [sp, lines]; str r6, [sp, planes]; str r2, [sp, to_plane]
    mul r6, r7, r1; str r6, [sp, to_line]
    b LINES
FLAT:
    str r6, [sp, lines]; str r5, [sp, planes]; str r2, [sp, to_line]
LINES:
    @ A window that starts at row r6 and column r7, or higher, reaches over the edge; at a dilation, all
    @ shall.
    subs r2, r5, 1
    muls r7, r2
    subs r6, r0, r7; it mi; movmi r6, 0; str r6, [sp, inside_row]
    adds r7, r1, 1
    subs r7, r7, r4; it mi; movmi r7, 0
    ldr r2, [r3, DILATION_ACROSS]
    cmp r2, 1; it ne; movne r7, 0; str r7, [sp, inside_column]

    ldr r2, [r3, OUT_HEIGHT]; ldr r7, [r3, OUT_WIDTH]
    mul r6, r2, r7; str r6, [sp, out_plane]
    @ r0 becomes 0 where windows are single pixels, one behind the other, and channels come in fours.
    eor r0, r0, r2; eor r1, r1, r7
    orrs r0, r1
    eor r4, r4, 1
    orrs r0, r4
    eor r5, r5, 1
    orrs r0, r5
    join_unlike r0, [r3, STRIDE_DOWN], 1, r4
    join_unlike r0, [r3, STRIDE_ACROSS], 1, r4
    join r0, [r3, PADDING_DOWN], r4
    join r0, [r3, PADDING_ACROSS], r4
    join r0, [sp, tail_mask], r4; str r0, [sp, is_indirect]

GROUP:
    copy [sp, group_place], [sp, pixel_place]; copy [sp, out_plane], [sp, pixels]
    ldr r4, [r3, PADDING_DOWN]
    rsbs r4, r4, 0
    ldr r5, [r3, PADDING_ACROSS]
    rsbs r5, r5, 0
    strd r4, r5, [sp, row]
    copy [r3, OUT_WIDTH], [sp, in_line]

    @ One pixel or two: r6 is how many are left, and whether there is a second.
PIXELS:
    ldr r6, [sp, pixels]; ldr r0, [sp, is_indirect]
    cmp r0, 0; beq DIRECT
    see_if_second
    ldr r0, [sp, gathered]
    bl GATHER
    ldr r6, [sp, to_second]
    cmp r6, 0; beq GATHERED
    ldrd r0, r1, [sp, gathered]
    adds r0, r0, r1
    bl GATHER

    @ What is behind the windows in their last words becomes 0.
GATHERED:
    ldrd r4, r5, [sp, gathered]
    ldr r0, [sp, tail_mask]
    cmp r0, 0; beq WHOLE
    adds r1, r4, r5
    subs r1, 4
    mask_tail [r1]
    mask_tail [r1, r5]
    @ Four numbers of each window, r4 and r5 behind it, become 16 bytes at r6: those of the first at the
    @ places 0 and 2, then 1 and 3, and those of the second. They begin so far behind r6 that it does not
    @ catch up.
WHOLE:
    ldrd r6, r7, [sp, windows]
WIDEN:
    ldr r3, [r4, r5]; ldr r1, [r4], 4
    widen r0, r1
    widen r2, r3
    stmia r6!, {r0, r1, r2, r3}
    cmp r6, r7; bne WIDEN; b WIDENED

    @ The same where the second pixel follows the first in memory, and the numbers are from planes r5 apart.
DIRECT:
    ldrd r4, r5, [sp, x]
    adds r4, r4, r5
    subs r4, r4, r6
    see_if_second
    ldrd r6, r7, [sp, windows]
FOUR_PLANES:
    ldrh r0, [r4, r5]; ldrh r2, [r4]
    add r4, r4, r5, lsl 1
    ldrh r1, [r4, r5]; ldrh r3, [r4]
    add r4, r4, r5, lsl 1
    pkhbt r2, r2, r3, lsl 16
    pkhbt r3, r0, r1, lsl 16
    uxtb16 r0, r2
    uxtb16 r1, r3
    uxtb16 r2, r2, ror 8
    uxtb16 r3, r3, ror 8
    stmia r6!, {r0, r1, r2, r3}
    cmp r6, r7; bne FOUR_PLANES

WIDENED:
    copy [sp, pixel_place], [sp, place], r0
    ldrd r0, r1, [sp, group_weights]; str r0, [sp, weights]
    str r1, [sp, bias]
    ldr r3, [sp, words]
    copy [r3, OUT_CHANNELS], [sp, outputs], r0

    @ Two outputs of each pixel: the first's sums r6 and r7, the second's r8 and r9; their weights r11 and
    @ r12; the windows r10, their end lr. Where one is left, its weights stand for the other's.
OUTPUTS:
    ldr r5, [sp, bias]
    ldrd r6, r8, [r5]
    mov r7, r6; mov r9, r8
    ldr r11, [sp, weights]; ldr r3, [sp, window_size]; ldr r2, [sp, outputs]
    mov r12, r11
    cmp r2, 1; it hi
    addhi r12, r3                       @ where there is one more
    add r0, r12, r3; str r0, [sp, weights]
    ldrd r10, lr, [sp, windows]
    sub r0, lr, r10
    lsls r0, r0, 27; bmi SECOND
    @ Eight numbers of each window, or four at the first time: r0 and r1, r2 and r3; r4 and r5 four weights.
FIRST:
    two_outputs
SECOND:
    two_outputs
    cmp r10, lr; bne FIRST

    ldm sp, {r10, r11, r12}
    ldrd r3, r4, [sp, place]
    ldrd r5, r0, [sp, bias]
    adds r5, r5, r0
    bl FINISH
    ldr r0, [sp, outputs]
    subs r0, r0, 1; beq NEXT_PIXELS
    mov r6, r8; mov r7, r9
    bl FINISH
    str r3, [sp, place]
    ldr r0, [sp, bias]
    adds r0, 8; str r0, [sp, bias]
    less [sp, outputs], 2; bne OUTPUTS

NEXT_PIXELS:
    increase [sp, pixel_place], 2, r0
    less [sp, pixels], 2; bgt.w PIXELS

    ldr r3, [sp, words]; ldr r4, [r3, OUT_CHANNELS]; ldr r0, [sp, window_size]
    ldr r1, [sp, group_weights]
    mla r1, r4, r0, r1; str r1, [sp, group_weights]
    ldr r1, [sp, group_biases]
    add r1, r1, r4, lsl 2; str r1, [sp, group_biases]
    ldr r0, [sp, out_plane]; ldr r1, [sp, group_place]
    mla r1, r4, r0, r1; str r1, [sp, group_place]
    ldr r4, [r3, CHANNELS]
    ldrd r0, r1, [sp, x]
    mla r0, r4, r1, r0; str r0, [sp, x]
    count_down_3 [sp, groups], r4; bne.w GROUP

    leave
    b END

    @ Sums r6 and r7 become an output of each pixel at r3 and r4 behind it; r5 their rescaling word; r10, r11,
    @ r12 the numbers that make ZERO and a cut to LOW..HIGH of two saturating instructions.
FINISH:
    ldr r0, [r5], 4
    ubfx r1, r0, 16, 5
    lsrs r2, r0, 24
    asrs r6, r1
    asrs r7, r1
    ssat r6, 16, r6
    ssat r7, 16, r7
    smulbb r6, r6, r0
    smulbb r7, r7, r0
    asrs r6, r2
    adc r6, r6, r10
    asrs r7, r2
    adc r7, r7, r10
    usat r6, 8, r6
    usat r7, 8, r7
    orr r6, r6, r7, lsl 8
    uqadd8 r6, r6, r11
    sub r6, r6, r12
    lsrs r7, r6, 8
    strb r7, [r3, r4]
    strb r6, [r3]
    plus r3, [sp, out_plane], r0
    bx lr

    @ Gathers a window at r0: from where it starts in its first plane, line by line, in words; what is read
    @ and written behind a line is overwritten by the next. r1 a line's place, r2 its numbers, r3 lines left,
    @ r4 from line to line, r5 planes left, r6 this plane's first line, r8 from plane to plane, r9 lines in a
    @ plane.
GATHER:
    ldrd r4, r5, [sp, row]
    ldrd r6, r7, [sp, inside_row]
    cmp r4, r6; bcs EDGE
    cmp r5, r7; bcs EDGE
    ldr r2, [sp, words]; ldr r3, [r2, WIDTH]; ldr r6, [sp, x]
    mla r6, r4, r3, r6
    adds r6, r6, r5
    add r1, sp, line_size
    ldm r1, {r2, r4, r5, r8, r9}
PLANE:
    mov r1, r6; mov r3, r9
LINE:
    copy [r1], [r0], r7
    cmp r2, 4; bhi LONG
NEXT_LINE:
    adds r0, r0, r2; adds r1, r1, r4
    subs r3, r3, 1; bne LINE
    add r6, r8
    subs r5, r5, 1; bne PLANE; b MOVE
LONG:
    mov r10, 4
WORD:
    copy [r1, r10], [r0, r10], r7
    add r10, r10, 4
    cmp r10, r2; bcc WORD; b NEXT_LINE

    @ The same for a window over the edge, number by number: r1 a number's column, r2 its line, r3 numbers
    @ left in it, r4 its row, r5 the columns that are inside, r6 the plane, r7 the number, r8 from column to
    @ column, r9 PAD, r10 the first column, r11 lines left, r12 planes left.
EDGE:
    ldr r6, [sp, x]; ldr r2, [sp, words]; ldr r8, [r2, DILATION_ACROSS]
    ldr r9, [r2, PAD]
    mov r10, r5
    ldr r12, [r2, CHANNELS]
EDGE_PLANE:
    ldr r4, [sp, row]; ldr r11, [r2, KERNEL_DOWN]
EDGE_LINE:
    ldr r7, [r2, HEIGHT]
    set r5, [r2, WIDTH], r1
    cmp r4, r7; it cs; movcs r5, 0
    mla r2, r4, r1, r6
    mov r1, r10
    ldr r3, [sp, line_size]
NUMBER:
    mov r7, r9
    cmp r1, r5; it cc
    ldrbcc r7, [r2, r1]                 @ where it is inside
    strb r7, [r0], 1
    add r1, r8
    subs r3, r3, 1; bne NUMBER
    ldr r2, [sp, words]
    plus r4, [r2, DILATION_DOWN], r7
    subs r11, r11, 1; bne EDGE_LINE
    plus r6, [sp, plane], r7
    subs r12, r12, 1; bne EDGE_PLANE

    @ Where the next window starts.
MOVE:
    ldr r2, [sp, words]
    ldrd r4, r5, [sp, row]
    ldr r3, [sp, in_line]
    subs r3, r3, 1; bne MOVE_ACROSS
    ldr r3, [r2, OUT_WIDTH]
    plus r4, [r2, STRIDE_DOWN]
    ldr r5, [r2, PADDING_ACROSS]
    rsbs r5, r5, 0
    b MOVED
MOVE_ACROSS:
    plus r5, [r2, STRIDE_ACROSS], r6
MOVED:
    str r3, [sp, in_line]
    strd r4, r5, [sp, row]
    bx lr

END:
.end
