.python
"""Sums and products of two operands that are broadcast, for Armv7E-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../broadcasting.inc"

.macro ends
    @ r6 becomes the bias, less LOW << SHIFT, r7 the shift, r0 where the output goes. over and excess make a
    @ cut to HIGH, of four bytes, of two instructions.
    ldr r4, [r3, LOW]; ldr r7, [r3, SHIFT]
    shifted_low r4, r7, r5
    ldr r6, [r3, BIAS]
    subs r6, r6, r5
    ldr r5, [r3, HIGH]
    eor r5, r5, 255
    adds r4, r4, r5
    orr r4, r4, r4, lsl 8; orr r5, r5, r5, lsl 8
    orr r4, r4, r4, lsl 16; orr r5, r5, r5, lsl 16
    strd r4, r5, [sp, over]
    plus r0, [r3, OUTPUT], r4
.endm

.macro shift sum                        @ a sum becomes an output, less LOW and not yet cut to HIGH
    asr \sum, \sum, r7
    usat \sum, 8, \sum
.endm

.macro scale product
    mla \product, \product, r4, r6
    shift \product
.endm

.macro cut_high                         @ r9, by r10 and r11
    ldrd r10, r11, [sp, over]
    uqadd8 r9, r9, r10
    sub r9, r9, r11
.endm

.macro scaled to                        @ of the next number; what is added is in lr
    ldrb \to, [r1], 1
    mla \to, \to, r12, lr
    shift \to
.endm

.macro total to, by=r11                 @ of the next number and the other
    ldrb \to, [r1], 1
    ldrb \by, [r2], 1
    mla \to, \to, r4, r6
    mla \to, \by, r5, \to
    shift \to
.endm

.macro with_one                         @ the other number is that of the whole line
    ldr r3, [sp, count]
    subs r3, 4; bcc REST_SCALED
FOUR_SCALED:
    scaled r9; scaled r10
    orr r9, r9, r10, lsl 8
    scaled r10
    orr r9, r9, r10, lsl 16
    scaled r10
    orr r9, r9, r10, lsl 24
    cut_high
    str r9, [r0], 4
    subs r3, 4; bcs FOUR_SCALED
REST_SCALED:
    adds r3, 4; beq ALL_SCALED
ONE_SCALED:
    scaled r9
    cut_high
    strb r9, [r0], 1
    subs r3, 1; bne ONE_SCALED
ALL_SCALED:
.endm

.function add_strided, r0, r1, r2, r3
    .stack 48
        planes          @ left
        lines           @ left in the plane
        all_lines
        count           @ of numbers in a line
        step            @ of the second operand, from one to the next: 1 or 0
        x_line          @ from a line's end to the next line
        y_line
        x_plane         @ from the last line's next to the next plane's first
        y_plane
        over
        excess
    .end
    enter
    begin
    ends
    ldr r4, [r3, FIRST_FACTOR]; ldr r5, [r3, SECOND_FACTOR]
    each_line r3
    ldr r3, [sp, step]
    cmp r3, 0; beq SAME
    ldr r3, [sp, count]
    subs r3, 4; bcc REST
FOUR:
    total r9; total r10
    orr r9, r9, r10, lsl 8
    total r10
    orr r9, r9, r10, lsl 16
    total r10
    orr r9, r9, r10, lsl 24
    cut_high
    str r9, [r0], 4
    subs r3, 4; bcs FOUR
REST:
    adds r3, 4; beq NEXT
NUMBER:
    total r9
    cut_high
    strb r9, [r0], 1
    subs r3, 1; bne NUMBER
    b NEXT
SAME:
    ldrb r3, [r2]
    mla lr, r3, r5, r6
    mov r12, r4
    with_one
NEXT:
    next_line r3
    leave
.end

.function multiply_strided, r0, r1, r2, r3
    .stack 48
        planes          @ left
        lines           @ left in the plane
        all_lines
        count           @ of numbers in a line
        step            @ of the second operand, from one to the next: 1 or 0
        x_line          @ from a line's end to the next line
        y_line
        x_plane         @ from the last line's next to the next plane's first
        y_plane
        over
        excess
        first_zero      @ less than 0
    .end
    enter
    begin
    ends
    @ r4 becomes the factor, r5 and r8 the zero points below 0, in 16 bits twice each.
    ldr r4, [r3, FIRST_ZERO]
    rsbs r4, r4, 0; str r4, [sp, first_zero]
    pkhbt r5, r4, r4, lsl 16
    ldr r4, [r3, SECOND_ZERO]
    rsbs r4, r4, 0
    pkhbt r8, r4, r4, lsl 16
    ldr r4, [r3, FACTOR]
    each_line r3
    ldr r3, [sp, step]
    cmp r3, 0; beq SAME
    ldr r3, [sp, count]
    subs r3, 4; bcc REST
FOUR:
    ldr r10, [r1], 4
    ldr r12, [r2], 4
    uxtab16 r11, r5, r10
    uxtab16 r10, r5, r10, ror 8
    uxtab16 lr, r8, r12
    uxtab16 r12, r8, r12, ror 8
    smulbb r9, r11, lr
    smultt r11, r11, lr
    smulbb lr, r10, r12
    smultt r10, r10, r12
    scale r9; scale lr; scale r11; scale r10
    orr r9, r9, lr, lsl 8
    orr r9, r9, r11, lsl 16
    orr r9, r9, r10, lsl 24
    cut_high
    str r9, [r0], 4
    subs r3, 4; bcs FOUR
REST:
    adds r3, 4; beq NEXT
NUMBER:
    ldrb r9, [r1], 1
    ldrb r10, [r2], 1
    uxtab16 r9, r5, r9
    uxtab16 r10, r8, r10
    smulbb r9, r9, r10
    scale r9
    cut_high
    strb r9, [r0], 1
    subs r3, 1; bne NUMBER
    b NEXT
SAME:
    @ A factor has 15 bits at most: what all numbers are multiplied by is a product of 16 bits each.
    ldrb r3, [r2]
    uxtab16 r12, r8, r3
    smulbb r12, r12, r4
    ldr r3, [sp, first_zero]
    mla lr, r3, r12, r6
    with_one
NEXT:
    next_line r3
    leave
.end
