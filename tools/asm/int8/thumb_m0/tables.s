.python
"""Looking up in a table for each channel, for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"

.function lookup_each, r0, r1, r2, r3
    @ r1 the table, r2 and r3 become what comes in and what goes out, r6 how many, r7 tables left.
    ldr r6, [r3, COUNT]; ldr r7, [r3, TABLES]; ldr r2, [r3, INPUT]; ldr r3, [r3, OUTPUT]
    adds r2, r2, r0; adds r3, r3, r0
TABLE:
    mov r4, r6
NUMBER:
    subs r4, 1
    ldrb r5, [r2, r4]; ldrb r5, [r1, r5]
    strb r5, [r3, r4]; bne NUMBER
    adds r1, 255
    adds r1, 1
    adds r2, r2, r6; adds r3, r3, r6
    subs r7, 1; bne TABLE
    movs r0, 0
.end
