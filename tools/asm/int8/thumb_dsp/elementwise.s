.python
"""Adding for Armv7E-M."""
.end
.include "../words.inc"
.include "macros.inc"

.macro total to, by=r12                 @ of the next number and the other, not yet cut to HIGH
    ldrb \to, [r1], 1
    ldrb \by, [r2], 1
    mla \to, \to, r4, r6
    mla \to, \by, r5, \to
    asr \to, \to, r7
    usat \to, 8, \to
.endm

.macro cut_high
    uqadd8 r10, r10, r8
    sub r10, r10, r9
.endm

.function add, r0, r1, r2, r3
    push {r8, r9, r10, r11}
    @ r1 and r2 become the numbers, r0 where their sums go, r3 how many there are; r4 and r5 the factors, r6
    @ the bias, less LOW << SHIFT, r7 the shift; r8 and r9 make a cut to HIGH, of four bytes, of two
    @ instructions.
    ldr r4, [r3, LOW]; ldr r7, [r3, SHIFT]
    shifted_low r4, r7, r1
    ldr r6, [r3, BIAS]
    subs r6, r6, r1
    ldr r5, [r3, HIGH]
    movs r1, 255
    subs r5, r1, r5; adds r4, r4, r5
    orr r4, r4, r4, lsl 8; orr r5, r5, r5, lsl 8
    orr r8, r4, r4, lsl 16; orr r9, r5, r5, lsl 16
    ldr r1, [r3, INPUT]; ldr r2, [r3, OTHER]
    adds r1, r1, r0; adds r2, r2, r0
    plus r0, [r3, OUTPUT], r4
    ldr r4, [r3, FIRST_FACTOR]; ldr r5, [r3, SECOND_FACTOR]; ldr r3, [r3, COUNT]
    subs r3, 4; bcc REST
FOUR:
    total r10
    total r11
    orr r10, r10, r11, lsl 8
    total r11
    orr r10, r10, r11, lsl 16
    total r11
    orr r10, r10, r11, lsl 24
    cut_high
    str r10, [r0], 4
    subs r3, 4; bcs FOUR
REST:
    adds r3, 4; beq DONE
NUMBER:
    total r10
    cut_high
    strb r10, [r0], 1
    subs r3, 1; bne NUMBER

DONE:
    pop {r8, r9, r10, r11}
    movs r0, 0
.end
