.python
"""Rows normalised by their own mean and variance, for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../normalizing.inc"

.macro taken place                      @ a number more in the sum r5, its square in r6
    ldrb r4, [r1, \place]
    adds r5, r5, r4
    muls r4, r4
    adds r6, r6, r4
.endm

.macro distance place                   @ of a number, times the root
    ldrb r4, [r1, \place]
    muls r4, r6
    add r4, r8
    asrs r4, r7
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

.macro with_its_own place, gain, offset
    distance \place
    ldr r5, [r2, \gain]
    muls r4, r5
    ldr r5, [r2, \offset]
    adds r4, r4, r5
    add r4, r10
    finish \place, r5
.endm

.macro with_the_same place
    distance \place
    muls r4, r5
    add r4, lr
    finish \place, r2
.endm

.macro last_ones                        @ of r4 numbers, the last ones are done first, so that fours are left
    movs r2, 3
    rsbs r4, r4, 0
    ands r4, r2
    subs r1, r1, r4; subs r3, r3, r4
.endm

.function normalize, r0, r1, r2, r3
    .stack 36
        words
        x               @ of this row
        place           @ of its first output
        count           @ of numbers in a row
        rows            @ left
        row_pairs       @ this row's first gain
        pairs_step      @ from there to the next row's
        pairs           @ left
        pair            @ the next gain
    .end
    enter
    begin

ROW:
    ldr r1, [sp, x]; ldr r4, [sp, count]
    adds r2, r1, r4
    movs r5, 7
    rsbs r4, r4, 0
    ands r4, r5
    subs r1, r1, r4
    lsls r4, r4, 3
    movs r5, 0
    movs r6, 0
    subs r4, 2
    add pc, r4
EIGHT:
    taken 0; taken 1; taken 2; taken 3
    taken 4; taken 5; taken 6; taken 7
    adds r1, 8
    cmp r1, r2; bne EIGHT

    center
    @ The sum with MEAN_BITS r0 / the count r1, shifted to the bit r4 of the quotient r7.
    ldr r4, [r3, MEAN_BITS]
    mov r0, r5
    lsls r0, r4
    lsrs r1, r2, 1
    adds r0, r0, r1
    adds r4, 7
    mov r1, r2
    lsls r1, r4
    movs r7, 1
    lsls r7, r4
    mov r4, r7
    movs r7, 0
DIVIDE:
    cmp r0, r1; bcc LESS
    subs r0, r0, r1; adds r7, r7, r4
LESS:
    lsrs r1, r1, 1
    lsrs r4, r4, 1
    bne DIVIDE

    root
    @ r0 SHIFT, r10 -LOW << SHIFT, r11 HIGH - LOW, r12 LOW.
    ldr r0, [r3, SHIFT]; ldr r4, [r3, LOW]; ldr r1, [r3, HIGH]
    mov r12, r4
    subs r1, r1, r4
    mov r11, r1
    shifted_low r4, r0, r5
    rsbs r5, r5, 0
    mov r10, r5
    ldr r4, [r3, INNER]
    copy [r3, SIZE], [sp, pairs], r5
    ldr r2, [sp, row_pairs]; str r2, [sp, pair]
    ldr r1, [sp, x]; ldr r3, [sp, place]
    cmp r4, 1; bne RUN

    ldr r4, [sp, count]
    adds r5, r3, r4
    mov r9, r5
    last_ones
    ldr r2, [sp, row_pairs]
    lsls r5, r4, 3
    subs r2, r2, r5
    movs r5, 36
    muls r4, r5
    subs r4, 2
    add pc, r4
EACH:
    with_its_own 0, 0, 4
    with_its_own 1, 8, 12
    with_its_own 2, 16, 20
    with_its_own 3, 24, 28
    adds r1, 4; adds r3, 4; adds r2, 32
    cmp r3, r9; bne EACH
    b NEXT_ROW

RUN:
    ldr r2, [sp, pair]
    ldr r5, [r2, 4]
    add r5, r10
    mov lr, r5
    ldr r5, [r2]
    adds r2, 8; str r2, [sp, pair]
    ldr r2, [sp, words]
    ldr r4, [r2, INNER]
    adds r2, r3, r4
    mov r9, r2
    last_ones
    movs r2, 30
    muls r4, r2
    subs r4, 2
    add pc, r4
SAME:
    with_the_same 0; with_the_same 1; with_the_same 2; with_the_same 3
    adds r1, 4; adds r3, 4
    cmp r3, r9; bne SAME
    count_down [sp, pairs]; bne RUN

NEXT_ROW:
    str r1, [sp, x]; str r3, [sp, place]
    increase_from [sp, row_pairs], [sp, pairs_step]
    count_down [sp, rows]; beq DONE
    b ROW
DONE:
    leave
.end
