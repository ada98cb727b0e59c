.python
"""The largest number in each window for Armv7E-M, at its best for windows of 2 × 2, side by side."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../windows.inc"

.macro larger number, other             @ of four bytes each; r12 is free
    usub8 r12, \number, \other
    sel \number, \number, \other
.endm

.macro larger_pairs                     @ of pairs of bytes, first from line to line, r5 and r6, then in r5
    larger r5, r6
    lsrs r6, r5, 8
    larger r5, r6
.endm

.macro block
    @ Four numbers of all lines at a time, but first those that are too many for that; or, where the numbers
    @ of a line are not side by side, one. r5 is how many times follow the first, r6 the bits of the first, r7
    @ how far the second lies, r1 each of the next, r2 a mask of what is asked.
    ldr r7, [r3, DILATION_DOWN]
    times r7, [r3, WIDTH], r1
    subs r5, r6, 1
    muls r5, r7
    mov r9, r5; mov r10, r7
    times r4, [r3, WIDTH], r1
    plus r4, [sp, column], r1; plus r4, [sp, x], r1
    ldr r5, [sp, inside]; ldr r7, [r3, DILATION_ACROSS]
    subs r5, 1
    mov r1, r7
    movs r2, 255; movs r6, 8
    cmp r7, 1; bne APART
    mov r7, r5
    movs r1, 3
    ands r7, r1
    adds r7, 1
    lsls r6, r7, 3
    lsrs r5, r5, 2
    movs r1, 4; movs r2, 0
    subs r2, 1
APART:
    mov lr, r5
    str r1, [sp, part_step]; str r2, [sp, part_mask]; str r7, [sp, second]
    movs r1, 1
    lsls r1, r6
    subs r1, 1
    mov r11, r1
    each_row
    mov r5, r10
    ldr r1, [r3, STRIDE_ACROSS]
    @ A window: r7 the largest of four numbers each, r2 from its first line to the one that is met, r6 what is
    @ met; r1 to the next window, r5 and r10 to the next line, r9 to the last one, r11 the mask, lr the times
    @ that follow.
WINDOW:
    ldr r7, [r0]
    subs r2, r9, 0; beq LINES_DONE
LINE:
    ldr r6, [r0, r2]
    larger r7, r6
    subs r2, r2, r5; bne LINE
LINES_DONE:
    and r7, r7, r11
    cmp lr, 0; bne WIDE
FOLD:
    lsrs r6, r7, 16
    larger r7, r6
    lsrs r6, r7, 8
    larger r7, r6
    strb r7, [r4], 1
    adds r0, r0, r1
    cmp r4, r8; bne WINDOW
    next_row; b BLOCK_DONE

WIDE:
    ldr r1, [sp, second]
    adds r1, r1, r0
    mov r10, lr
PART:
    mov r2, r9
PART_LINE:
    ldr r6, [r1, r2]
    larger r7, r6
    subs r2, r2, r5; bpl PART_LINE
    plus r1, [sp, part_step], r6
    subs r10, r10, 1; bne PART
    mov r10, r5
    ldr r1, [sp, part_mask]
    ands r7, r1
    ldr r1, [r3, STRIDE_ACROSS]; b FOLD
BLOCK_DONE:
.endm

.function max_pool2d, r0, r1, r2, r3
    .stack 80
        across 8        @ see windows.inc
        down 8
        top
        place
        wide
        tall
        inside
        column
        x
        first
        row_step
        plane_step
        out_step
        rows
        planes
        second          @ see block
        part_step
        part_mask
    .end
    enter
    copy_address OUTPUT, top
    copy_address INPUT, x
    ldr r1, [r3, HEIGHT]; ldr r2, [r3, WIDTH]

    @ r4 becomes 0 where all is as the fast way has it.
    ldr r4, [r3, KERNEL_DOWN]; ldr r5, [r3, KERNEL_ACROSS]
    ldr r6, [r3, STRIDE_DOWN]; ldr r7, [r3, STRIDE_ACROSS]
    eor r4, r4, 2; eor r5, r5, 2; eor r6, r6, 2; eor r7, r7, 2
    orrs r4, r5; orrs r4, r6; orrs r4, r7
    join r4, [r3, PADDING_DOWN], r5
    join r4, [r3, PADDING_ACROSS], r5
    join_unlike r4, [r3, DILATION_DOWN], 1, r5
    join_unlike r4, [r3, DILATION_ACROSS], 1, r5; bne ANY
    ldr r4, [r3, OUT_HEIGHT]
    cmp r1, r4, lsl 1; bcc ANY
    ldr r4, [r3, OUT_WIDTH]
    cmp r2, r4, lsl 1; bcc ANY

    @ r8 the size of a plane, r9 rows of outputs left, r10 the plane, r11 planes left, lr where outputs go.
    ldr r0, [sp, x]; ldr r5, [sp, top]
    mul r8, r1, r2
    mov r10, r0; mov lr, r5
    set r11, [r3, CHANNELS]
SQUARE_PLANE:
    ldr r9, [r3, OUT_HEIGHT]
    @ A row of windows: r0 and r1 its lines, r4 the outputs left.
SQUARE_ROW:
    add r1, r0, r2
    ldr r4, [r3, OUT_WIDTH]
    subs r4, 2; bcc LAST_SQUARE
    @ Two windows, then the last one.
TWO:
    ldr r5, [r0], 4; ldr r6, [r1], 4
    larger_pairs
    uxtb16 r5, r5
    orr r5, r5, r5, lsr 8
    strh r5, [lr], 2
    subs r4, 2; bcs TWO
LAST_SQUARE:
    adds r4, 1; bne NEXT_ROW
    ldrh r5, [r0]; ldrh r6, [r1]
    larger_pairs
    strb r5, [lr], 1
NEXT_ROW:
    sub r9, r9, 1
    ldr r4, [r3, OUT_HEIGHT]
    sub r4, r4, r9
    lsls r4, r4, 1
    mla r0, r4, r2, r10
    cmp r9, 0; bne SQUARE_ROW
    add r10, r8
    mov r0, r10
    subs r11, r11, 1; bne SQUARE_PLANE; b DONE

ANY:
    each_block; b DONE
    runs

DONE:
    leave
.end
