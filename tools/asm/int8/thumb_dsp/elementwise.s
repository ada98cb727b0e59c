.python
"""Adding for Armv7E-M."""
.end
.include "../words.inc"
.include "macros.inc"

.function add, r0, r1, r2, r3
    push {r8, r9, r10, r11}
    @ r1 and r2 are the numbers, r0 where their sums go, r3 how many there are; r4 and r5 the factors, r6 the
    @ bias, r7 the shift; r8, r9 and r10 make a cut to LOW..HIGH of two saturating instructions.
    ldr r4, [r3, LOW]; ldr r5, [r3, HIGH]
    movs r6, 255
    subs r5, r6, r5
    mov r8, r4
    adds r4, r4, r5
    mov r9, r4; mov r10, r5
    ldr r1, [r3, INPUT]
    adds r1, r1, r0
    ldr r2, [r3, OTHER]
    adds r2, r2, r0
    plus r0, [r3, OUTPUT], r4
    ldr r4, [r3, FIRST_FACTOR]; ldr r5, [r3, SECOND_FACTOR]; ldr r6, [r3, BIAS]
    ldr r7, [r3, SHIFT]; ldr r3, [r3, COUNT]

NUMBER:
    ldrb r11, [r1], 1; ldrb r12, [r2], 1
    mla r11, r11, r4, r6
    mla r11, r12, r5, r11
    asr r11, r11, r7
    sub r11, r11, r8
    usat r11, 8, r11
    uqadd8 r11, r11, r9
    sub r11, r11, r10
    strb r11, [r0], 1
    subs r3, r3, 1; bne NUMBER

    pop {r8, r9, r10, r11}
    movs r0, 0
.end
