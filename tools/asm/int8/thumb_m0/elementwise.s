.python
"""Adding and looking up for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"

.macro address register, offset         @ r0 behind which the word is the offset of
    ldr \register, [r3, \offset]
    adds \register, \register, r0
.endm

.function add, r0, r1, r2, r3
    save
    @ r1 and r2 become the ends of the numbers, r3 the end of their sums, r0 from there to the next; r6 and r7
    @ the factors, r8 the bias, r9 the shift, r10 LOW, r11 HIGH.
    set r8, [r3, BIAS]; set r9, [r3, SHIFT]; set r10, [r3, LOW]
    set r11, [r3, HIGH]
    ldr r6, [r3, FIRST_FACTOR]; ldr r7, [r3, SECOND_FACTOR]
    plus r0, [r3, COUNT], r4
    address r1, INPUT; address r2, OTHER; address r3, OUTPUT
    rsbs r0, r4, 0

NUMBER:
    ldrb r4, [r1, r0]; ldrb r5, [r2, r0]
    muls r4, r6; muls r5, r7
    adds r4, r4, r5
    add r4, r8
    mov r5, r9
    asrs r4, r5
    cut r4, r10, r11
    strb r4, [r3, r0]
    adds r0, 1; bne NUMBER

    restore
.end

.function lookup, r0, r1, r2, r3
    @ r1 the table; r2 and r3 become the ends of what comes in and what goes out, r0 from there to the next.
    plus r0, [r3, COUNT], r4
    address r2, INPUT; address r3, OUTPUT
    rsbs r0, r4, 0
NUMBER:
    ldrb r4, [r2, r0]; ldrb r4, [r1, r4]
    strb r4, [r3, r0]
    adds r0, 1; bne NUMBER
.end
