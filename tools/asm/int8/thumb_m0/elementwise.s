.python
"""Adding and looking up for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"

.macro address register, offset         @ r0 behind which the word is the offset of
    ldr \register, [r3, \offset]
    adds \register, \register, r0
.endm

.macro total place                      @ what comes out of a number and the other
    ldrb r4, [r1, \place]; ldrb r5, [r2, \place]
    muls r4, r6; muls r5, r7
    adds r4, r4, r5
    add r4, r8
    asrs r4, r0
    cmp r4, r9; bls IN_RANGE
    mov r5, r9
    asrs r4, r4, 31
    bics r5, r4
    mov r4, r5
IN_RANGE:
    add r4, r10
    strb r4, [r3, \place]
.endm

.macro looked_up place
    ldrb r0, [r2, \place]; ldrb r0, [r1, r0]
    strb r0, [r3, \place]
.endm

.function add, r0, r1, r2, r3
    save
    @ r1 and r2 become the numbers, r3 where their sums go, r0 the shift, r6 and r7 the factors, r8 the bias,
    @ less LOW << SHIFT, r9 HIGH - LOW, r10 LOW, r11 where sums end.
    ldr r6, [r3, BIAS]; ldr r5, [r3, SHIFT]; ldr r4, [r3, LOW]
    mov r10, r4
    ldr r7, [r3, HIGH]
    subs r7, r7, r4
    mov r9, r7
    shifted_low r4, r5, r7
    subs r6, r6, r7
    mov r8, r6
    address r1, INPUT; address r2, OTHER
    ldr r6, [r3, FIRST_FACTOR]; ldr r7, [r3, SECOND_FACTOR]; ldr r4, [r3, COUNT]
    address r3, OUTPUT
    adds r4, r4, r3
    mov r11, r4; mov r0, r5
    @ Of four numbers, the last ones are done first, so that what is left is fours.
    subs r4, r3, r4
    movs r5, 3
    ands r4, r5
    subs r1, r1, r4; subs r2, r2, r4; subs r3, r3, r4
    movs r5, 30
    muls r4, r5
    subs r4, 2
    add pc, r4
FOUR:
    total 0; total 1; total 2; total 3
    adds r1, 4; adds r2, 4; adds r3, 4
    cmp r3, r11; bne FOUR

    restore
    movs r0, 0
.end

.function lookup, r0, r1, r2, r3
    @ r1 the table; r2 and r3 become what comes in and what goes out, r4 how many. Of eight numbers, the last
    @ ones are done first, so that what is left is eights.
    ldr r4, [r3, COUNT]
    address r2, INPUT
    address r3, OUTPUT
    movs r5, 7
    rsbs r0, r4, 0
    ands r0, r5
    subs r2, r2, r0; subs r3, r3, r0
    adds r4, r4, r0
    movs r5, 6
    muls r0, r5
    subs r0, 2
    add pc, r0
EIGHT:
    looked_up 0; looked_up 1; looked_up 2; looked_up 3
    looked_up 4; looked_up 5; looked_up 6; looked_up 7
    adds r2, 8; adds r3, 8
    subs r4, 8; bne EIGHT
    movs r0, 0
.end
