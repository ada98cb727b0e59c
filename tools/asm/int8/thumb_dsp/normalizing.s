.python
"""Rows normalised by their own mean and variance, for Armv7E-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../normalizing.inc"

.macro four_taken                       @ four numbers more in the sum r5, their squares in r6; r7 is 0
    ldr r8, [r1], 4
    usada8 r5, r8, r7, r5
    uxtb16 r9, r8
    uxtb16 r8, r8, ror 8
    smlad r6, r9, r9, r6
    smlad r6, r8, r8, r6
.endm

.macro output to                        @ the next number, with gain and offset in r10 and r11, not yet cut
    ldrb \to, [r1], 1
    mla \to, \to, r6, r8
    asr \to, \to, r7
    mla \to, \to, r10, r11
    asr \to, \to, r0
    usat \to, 8, \to
.endm

.macro with_its_own to
    ldmia r2!, {r10, r11}
    output \to
.endm

.macro cut                              @ r9, four bytes, to LOW..HIGH; by r5 and lr
    ldrd r5, lr, [sp, over]
    uqsub8 r9, r9, r12
    uqadd8 r9, r9, r5
    sub r9, r9, lr
.endm

.function normalize, r0, r1, r2, r3
    .stack 48
        words
        x               @ of this row
        place           @ of its first output
        count           @ of numbers in a row
        rows            @ left
        row_pairs       @ this row's first gain
        pairs_step      @ from there to the next row's
        pairs           @ left
        inner           @ numbers that have one
        over            @ 255 - (HIGH - LOW), four times
        excess          @ 255 - HIGH, four times
        lows            @ LOW, four times
    .end
    enter
    begin
    copy [r3, INNER], [sp, inner]
    ldr r4, [r3, LOW]; ldr r5, [r3, HIGH]
    eor r5, r5, 255
    adds r6, r4, r5
    orr r4, r4, r4, lsl 8; orr r5, r5, r5, lsl 8; orr r6, r6, r6, lsl 8
    orr r4, r4, r4, lsl 16; orr r5, r5, r5, lsl 16; orr r6, r6, r6, lsl 16
    str r6, [sp, over]; str r5, [sp, excess]; str r4, [sp, lows]

ROW:
    ldr r1, [sp, x]; ldr r3, [sp, count]
    movs r5, 0
    movs r6, 0
    movs r7, 0
    subs r3, 8; bcc FEW
EIGHT:
    four_taken; four_taken
    subs r3, 8; bcs EIGHT
FEW:
    adds r3, 8; beq TAKEN
ONE:
    ldrb r8, [r1], 1
    add r5, r5, r8
    mla r6, r8, r8, r6
    subs r3, 1; bne ONE

TAKEN:
    center
    @ The sum with MEAN_BITS / the count.
    ldr r0, [r3, MEAN_BITS]
    mov r7, r5
    lsls r7, r0
    lsrs r1, r2, 1
    adds r7, r7, r1
    udiv r7, r7, r2
    root

    @ r0 becomes SHIFT, r12 LOW four times; r1 and r3 are where the row's numbers come from and go.
    ldr r0, [r3, SHIFT]; ldr r4, [sp, lows]
    mov r12, r4
    copy [r3, SIZE], [sp, pairs]
    ldr r2, [sp, row_pairs]; ldr r1, [sp, x]; ldr r3, [sp, place]
    ldr r4, [sp, inner]
    cmp r4, 1; bne RUN

    ldr r4, [sp, count]
    subs r4, 4; bcc REST
FOUR:
    with_its_own r9; with_its_own r5
    orr r9, r9, r5, lsl 8
    with_its_own r5
    orr r9, r9, r5, lsl 16
    with_its_own r5
    orr r9, r9, r5, lsl 24
    cut
    str r9, [r3], 4
    subs r4, 4; bcs FOUR
REST:
    adds r4, 4; beq NEXT_ROW
NUMBER:
    with_its_own r9
    cut
    strb r9, [r3], 1
    subs r4, 1; bne NUMBER
    b NEXT_ROW

RUN:
    ldmia r2!, {r10, r11}
    ldr r4, [sp, inner]
    subs r4, 4; bcc REST_OF_RUN
FOUR_OF_RUN:
    output r9; output r5
    orr r9, r9, r5, lsl 8
    output r5
    orr r9, r9, r5, lsl 16
    output r5
    orr r9, r9, r5, lsl 24
    cut
    str r9, [r3], 4
    subs r4, 4; bcs FOUR_OF_RUN
REST_OF_RUN:
    adds r4, 4; beq NEXT_RUN
NUMBER_OF_RUN:
    output r9
    cut
    strb r9, [r3], 1
    subs r4, 1; bne NUMBER_OF_RUN
NEXT_RUN:
    count_down [sp, pairs]; bne RUN

NEXT_ROW:
    str r1, [sp, x]; str r3, [sp, place]
    increase_from [sp, row_pairs], [sp, pairs_step]
    count_down [sp, rows]; beq DONE
    b ROW
DONE:
    leave
.end
