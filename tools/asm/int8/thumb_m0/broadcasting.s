.python
"""Sums and products of two operands that are broadcast, for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../broadcasting.inc"

.macro ends
    @ r6 becomes the bias, less LOW << SHIFT, r5 the shift, r11 HIGH - LOW, r12 LOW.
    ldr r6, [r3, BIAS]; ldr r5, [r3, SHIFT]; ldr r4, [r3, LOW]
    mov r12, r4
    ldr r7, [r3, HIGH]
    subs r7, r7, r4
    mov r11, r7
    shifted_low r4, r5, r7
    subs r6, r6, r7
.endm

.macro place_output                     @ r0 becomes the shift, r3 where the output goes
    ldr r3, [r3, OUTPUT]
    adds r3, r3, r0
    mov r0, r5
.endm

.macro to_last_ones                     @ of r4 numbers, the last ones are done first, so that fours are left
    movs r5, 3
    rsbs r4, r4, 0
    ands r4, r5
    subs r1, r1, r4; subs r3, r3, r4
.endm

.macro to_unit size                     @ of so many bytes each; r5 is free
    movs r5, \size
    muls r4, r5
    subs r4, 2
    add pc, r4
.endm

.macro finish place, by                 @ the sum r4 becomes an output
    asrs r4, r0
    cmp r4, r11; bls IN_RANGE
    mov \by, r11
    asrs r4, r4, 31
    bics \by, r4
    mov r4, \by
IN_RANGE:
    add r4, r12
    strb r4, [r3, \place]
.endm

.macro product place
    ldrb r4, [r1, \place]; ldrb r5, [r2, \place]
    add r4, r8
    add r5, r9
    muls r4, r5; muls r4, r6
    add r4, r10
    finish \place, r5
.endm

.macro total place
    ldrb r4, [r1, \place]; ldrb r5, [r2, \place]
    muls r4, r6; muls r5, r7
    adds r4, r4, r5
    add r4, r10
    finish \place, r5
.endm

.macro scaled place, factor             @ what is added is in lr
    ldrb r4, [r1, \place]
    muls r4, \factor
    add r4, lr
    finish \place, r2
.endm

.function add_strided, r0, r1, r2, r3
    .stack 40
        planes          @ left
        lines           @ left in the plane
        all_lines
        count           @ of numbers in a line
        step            @ of the second operand, from one to the next: 1 or 0
        x_line          @ from a line's end to the next line
        y_line
        x_plane         @ from the last line's next to the next plane's first
        y_plane
        y
    .end
    enter
    begin
    ends
    mov r10, r6
    ldr r6, [r3, FIRST_FACTOR]; ldr r7, [r3, SECOND_FACTOR]
    mov r8, r7
    place_output
    each_line
    ldr r4, [sp, count]
    adds r7, r3, r4
    mov r9, r7
    ldr r5, [sp, step]
    mov r7, r8
    cmp r5, 0; beq SAME
    to_last_ones
    subs r2, r2, r4
    to_unit 30
TWO_EACH:
    total 0; total 1; total 2; total 3
    adds r1, 4; adds r2, 4; adds r3, 4
    cmp r3, r9; bne TWO_EACH
    b NEXT
SAME:
    @ One number is that of a whole line.
    str r2, [sp, y]
    ldrb r5, [r2]
    muls r5, r7
    add r5, r10
    mov lr, r5
    to_last_ones
    to_unit 24
ONE_EACH:
    scaled 0, r6; scaled 1, r6; scaled 2, r6; scaled 3, r6
    adds r1, 4; adds r3, 4
    cmp r3, r9; bne ONE_EACH
    ldr r2, [sp, y]
NEXT:
    next_line
    leave
.end

.function multiply_strided, r0, r1, r2, r3
    .stack 44
        planes          @ left
        lines           @ left in the plane
        all_lines
        count           @ of numbers in a line
        step            @ of the second operand, from one to the next: 1 or 0
        x_line          @ from a line's end to the next line
        y_line
        x_plane         @ from the last line's next to the next plane's first
        y_plane
        y
        factor
    .end
    enter
    begin
    ends
    mov r10, r6
    ldr r4, [r3, FIRST_ZERO]
    rsbs r4, r4, 0
    mov r8, r4
    ldr r4, [r3, SECOND_ZERO]
    rsbs r4, r4, 0
    mov r9, r4
    copy [r3, FACTOR], [sp, factor]
    place_output
    each_line
    ldr r6, [sp, factor]
    ldr r4, [sp, count]
    adds r7, r3, r4
    ldr r5, [sp, step]
    cmp r5, 0; beq SAME
    to_last_ones
    subs r2, r2, r4
    to_unit 32
TWO_EACH:
    product 0; product 1; product 2; product 3
    adds r1, 4; adds r2, 4; adds r3, 4
    cmp r3, r7; bne TWO_EACH
    b NEXT
SAME:
    @ One number is that of a whole line: r6 becomes what the others are multiplied by.
    str r2, [sp, y]
    ldrb r5, [r2]
    add r5, r9
    muls r6, r5
    mov r5, r8
    muls r5, r6
    add r5, r10
    mov lr, r5
    to_last_ones
    to_unit 24
ONE_EACH:
    scaled 0, r6; scaled 1, r6; scaled 2, r6; scaled 3, r6
    adds r1, 4; adds r3, 4
    cmp r3, r7; bne ONE_EACH
    ldr r2, [sp, y]
NEXT:
    next_line
    leave
.end
