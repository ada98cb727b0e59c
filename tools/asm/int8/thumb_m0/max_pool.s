.python
"""The largest number in each window for Armv6-M, at its best for windows of 2 × 2, side by side."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../windows.inc"
.include "pool.inc"

.macro take place
    ldrb r6, [r1, \place]
    cmp r6, r7; bls TAKEN
    mov r7, r6
TAKEN:
.endm

.macro takes register
    lsls \register, \register, 3
.endm

.macro finish
.endm

.macro begin
.endm

.macro next_plane
.endm

.macro compare_twice word, register
    ldr r4, [r3, \word]
    lsls r4, r4, 1
    cmp \register, r4
.endm

.macro larger first, second             @ in the first
    cmp \first, \second; bcs LARGER
    mov \first, \second
LARGER:
.endm

.function max_pool2d, r0, r1, r2, r3
    .stack 68
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
    .end
    enter
    copy_address OUTPUT, top
    copy_address INPUT, x
    copy [r3, CHANNELS], [sp, planes]

    @ The fast way is for windows wholly inside.
    movs r4, 2
    unless [r3, KERNEL_DOWN], r4, ANY, r5
    unless [r3, KERNEL_ACROSS], r4, ANY, r5
    unless [r3, STRIDE_DOWN], r4, ANY, r5
    unless [r3, STRIDE_ACROSS], r4, ANY, r5
    ldr r4, [r3, PADDING_DOWN]; ldr r5, [r3, PADDING_ACROSS]
    orrs r4, r5; bne ANY
    ldr r4, [r3, DILATION_DOWN]
    times r4, [r3, DILATION_ACROSS]
    cmp r4, 1; bne ANY
    ldr r1, [r3, HEIGHT]
    compare_twice OUT_HEIGHT, r1; bcc ANY
    ldr r2, [r3, WIDTH]
    compare_twice OUT_WIDTH, r2; bcc ANY

    @ Windows of 2 × 2, side by side: r0 and r1 their lines, r2 the outputs left, r3 where they go; r4-r7
    @ numbers; r8 WIDTH, r9 OUT_WIDTH, r10 what is left of a plane below the last window, r11 rows left.
    mov r8, r2
    set r9, [r3, OUT_WIDTH]
    ldr r4, [r3, OUT_HEIGHT]
    lsls r5, r4, 1
    subs r1, r1, r5
    muls r1, r2
    mov r10, r1; mov r12, r4
    ldr r0, [sp, x]; ldr r3, [sp, top]
SQUARE_PLANE:
    mov r11, r12
SQUARE_ROW:
    mov r1, r0
    add r1, r8
    mov r2, r9
SQUARE:
    ldrb r4, [r0]; ldrb r5, [r0, 1]; ldrb r6, [r1]; ldrb r7, [r1, 1]
    larger r4, r5
    larger r6, r7
    larger r4, r6
    strb r4, [r3]
    adds r3, 1; adds r0, 2; adds r1, 2
    subs r2, 1; bne SQUARE
    @ The next lines begin a line and what is behind the last windows further on.
    mov r4, r9
    lsls r4, r4, 1
    mov r5, r8
    lsls r5, r5, 1
    subs r5, r5, r4
    adds r0, r0, r5
    count_down_in r11, r4; bne SQUARE_ROW
    add r0, r10
    count_down [sp, planes]; bne SQUARE_PLANE; b DONE

ANY:
    each_block; b DONE
    runs

DONE:
    leave
.end
