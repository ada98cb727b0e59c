.python
"""The largest number in each window for Armv7E-M, at its best for windows of 2 × 2, side by side."""
.end
.include "../words.inc"
.include "macros.inc"

.macro larger                           @ of pairs of bytes, first from line to line, r5 and r6, then in r5
    usub8 r7, r5, r6
    sel r5, r5, r6
    lsrs r6, r5, 8
    usub8 r7, r5, r6
    sel r5, r5, r6
.endm

.macro set_negative register, word
    ldr r4, [r3, \word]
    rsbs r4, r4, 0
    mov \register, r4
.endm

.macro next register, word, left, label
    ldr r4, [r3, \word]
    add \register, r4
    subs \left, \left, 1; bne \label
.endm

.function max_pool2d, r0, r1, r2, r3
    push {r8, r9, r10, r11}
    @ r0 becomes the plane, r1 and r2 its height and width, lr where outputs go, r12 the planes left.
    ldr r4, [r3, OUTPUT]
    add lr, r4, r0
    plus r0, [r3, INPUT], r4
    ldr r1, [r3, HEIGHT]; ldr r2, [r3, WIDTH]
    set r12, [r3, CHANNELS]

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

    @ r8 the size of a plane, r9 rows of outputs left, r10 the plane.
    mul r8, r1, r2
    mov r10, r0
PLANE:
    ldr r9, [r3, OUT_HEIGHT]
    @ A row of windows: r0 and r1 its lines, r4 the outputs left.
ROW:
    add r1, r0, r2
    ldr r4, [r3, OUT_WIDTH]
    subs r4, 2; bcc LAST
    @ Two windows, then the last one.
TWO:
    ldr r5, [r0], 4; ldr r6, [r1], 4
    larger
    uxtb16 r5, r5
    orr r5, r5, r5, lsr 8
    strh r5, [lr], 2
    subs r4, 2; bcs TWO
LAST:
    adds r4, 1; bne NEXT_ROW
    ldrh r5, [r0]; ldrh r6, [r1]
    larger
    strb r5, [lr], 1
NEXT_ROW:
    sub r9, r9, 1
    ldr r4, [r3, OUT_HEIGHT]
    sub r4, r4, r9
    lsls r4, r4, 1
    mla r0, r4, r2, r10
    cmp r9, 0; bne ROW
    add r10, r8
    mov r0, r10
    subs r12, r12, 1; bne PLANE; b DONE

    @ Any windows, number by number: r8 and r9 the row and column where one starts, r10 rows of outputs left,
    @ r11 outputs left in one.
ANY:
    set_negative r8, PADDING_DOWN
    set r10, [r3, OUT_HEIGHT]
ANY_ROW:
    set_negative r9, PADDING_ACROSS
    set r11, [r3, OUT_WIDTH]
    @ A window: r1 a number's column, r2 the columns inside, r4 its row, r5 lines left, r6 the number, r7 the
    @ largest. On the stack the numbers left in a line.
WINDOW:
    mov r4, r8
    ldr r5, [r3, KERNEL_DOWN]
    movs r6, 0; movs r7, 0
LINE:
    ldr r1, [r3, HEIGHT]
    cmp r4, r1; bcs NEXT_LINE
    push {r0, r4, r5}
    mla r0, r4, r2, r0
    mov r1, r9
    ldr r4, [r3, KERNEL_ACROSS]; ldr r5, [r3, DILATION_ACROSS]
NUMBER:
    cmp r1, r2; it cc
    ldrbcc r6, [r0, r1]                 @ where it is inside, else it is one that was there before
    cmp r6, r7; it hi; movhi r7, r6
    adds r1, r1, r5
    subs r4, 1; bne NUMBER
    pop {r0, r4, r5}
NEXT_LINE:
    plus r4, [r3, DILATION_DOWN], r1
    subs r5, 1; bne LINE
    strb r7, [lr], 1
    next r9, STRIDE_ACROSS, r11, WINDOW
    next r8, STRIDE_DOWN, r10, ANY_ROW
    ldr r1, [r3, HEIGHT]
    mla r0, r1, r2, r0
    subs r12, r12, 1; bne ANY

DONE:
    pop {r8, r9, r10, r11}
    movs r0, 0
.end
