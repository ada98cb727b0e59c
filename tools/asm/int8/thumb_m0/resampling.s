.python
"""Planes of other sizes, for Armv6-M: a line is made of others, then its numbers of those."""
.end
.include "../words.inc"
.include "macros.inc"

.macro begun place, line                @ a number of a line × its weight r2
    ldrb r4, [r1, \place]
    muls r4, r2
    str r4, [r3, \line]
.endm

.macro added place, line                @ the same with what is there already
    ldrb r4, [r1, \place]; ldr r5, [r3, \line]
    muls r4, r2
    adds r4, r4, r5; str r4, [r3, \line]
.endm

.macro next_four by                     @ of the line that ends at r0
    adds r1, 4; adds r3, 16
    cmp r1, r0; bne \by
.endm

.macro to_unit size                     @ of so many bytes each, behind r4 others
    movs r5, \size
    muls r4, r5
    subs r4, 2
    add pc, r4
.endm

.macro tap                              @ a number of the line r0 × its weight, to r3
    ldmia r1!, {r2}
    lsrs r4, r2, 9
    lsls r4, r4, 2; ldr r4, [r0, r4]
    lsls r2, r2, 23
    lsrs r2, r2, 23
    muls r4, r2
    adds r3, r3, r4
.endm

.function resample, r0, r1, r2, r3
    .stack 44
        words
        plane
        channels        @ left
        rescaling
        taps            @ of the first row
        tap             @ the next one of a row
        left            @ of them
        columns         @ taps of the first column
        columns_end
        skip            @ taps that a column does not have, in bytes of code
        work
    .end
    enter
    str r3, [sp, words]
    copy_address INPUT, plane
    copy_address WORK, work
    ldr r4, [r3, OUTPUT]
    adds r4, r4, r0
    mov r11, r4
    set r12, [r2]
    ldr r4, [r3, RESCALE]
    lsls r4, r4, 2
    adds r2, r2, r4
    ldmia r2!, {r4}
    str r4, [sp, rescaling]; str r2, [sp, taps]
    ldr r4, [r3, KERNEL_DOWN]
    times r4, [r3, OUT_HEIGHT]
    lsls r4, r4, 2
    adds r2, r2, r4; str r2, [sp, columns]
    ldr r4, [r3, KERNEL_ACROSS]
    movs r6, 4
    subs r6, r6, r4
    lsls r6, r6, 4
    subs r6, 2; str r6, [sp, skip]
    times r4, [r3, OUT_WIDTH]
    lsls r4, r4, 2
    adds r2, r2, r4; str r2, [sp, columns_end]
    set r8, [r3, ZERO]; set r9, [r3, LOW]; set r10, [r3, HIGH]
    copy [r3, CHANNELS], [sp, channels]

PLANE:
    copy [sp, taps], [sp, tap]
LINE:
    ldr r3, [sp, words]
    copy [r3, KERNEL_DOWN], [sp, left]
    movs r7, 0

    @ r1 becomes what is added to the line r3, r0 its end, r2 the weight. The last numbers that are no four
    @ come first.
TAP:
    ldr r6, [sp, tap]
    ldmia r6!, {r2}
    str r6, [sp, tap]
    ldr r3, [sp, words]; ldr r4, [r3, WIDTH]
    lsrs r1, r2, 9
    muls r1, r4
    plus r1, [sp, plane]
    lsls r2, r2, 23
    lsrs r2, r2, 23
    ldr r3, [sp, work]
    adds r0, r1, r4
    movs r5, 3
    rsbs r4, r4, 0
    ands r4, r5
    subs r1, r1, r4
    lsls r5, r4, 2
    subs r3, r3, r5
    cmp r7, 0; bne MORE
    movs r7, 1
    to_unit 6
BEGIN:
    begun 0, 0; begun 1, 4; begun 2, 8; begun 3, 12
    next_four BEGIN
    b NEXT_TAP
MORE:
    cmp r2, 0; beq NEXT_TAP
    to_unit 10
ADD:
    added 0, 0; added 1, 4; added 2, 8; added 3, 12
    next_four ADD
NEXT_TAP:
    count_down [sp, left]; bne TAP

    @ r0 becomes the line, r1 the taps of columns, lr their end, r5 and r7 the shifts, r6 the factor; r8 is
    @ ZERO, r9 LOW, r10 HIGH, r11 where the output goes, r12 the bias.
    ldr r0, [sp, work]; ldr r1, [sp, columns]
    set lr, [sp, columns_end]
    ldr r4, [sp, rescaling]
    lsls r5, r4, 11
    lsrs r5, r5, 27
    uxth r6, r4
    lsrs r7, r4, 24
COLUMN:
    mov r3, r12
    ldr r2, [sp, skip]
    add pc, r2
    tap; tap; tap; tap
    asrs r3, r5
    sxth r2, r3
    cmp r2, r3; bne SATURATED
SHIFTED:
    muls r3, r6
    asrs r3, r7
    mov r2, r8
    adcs r3, r2
    cut r3, r9, r10
    mov r2, r11
    strb r3, [r2]
    adds r2, 1
    mov r11, r2
    cmp r1, lr; bne COLUMN

    ldr r1, [sp, tap]; ldr r2, [sp, columns]
    cmp r1, r2; beq NEXT_PLANE
    b LINE
NEXT_PLANE:
    ldr r3, [sp, words]; ldr r4, [r3, HEIGHT]
    times r4, [r3, WIDTH]
    plus r4, [sp, plane]; str r4, [sp, plane]
    count_down [sp, channels]; beq DONE
    b PLANE

    @ A number beyond 16 bits becomes the largest or the least of them.
SATURATED:
    largest r3, r2
    b SHIFTED

DONE:
    leave
.end
