.python
"""The dense layer for Armv7E-M: four outputs share each number that comes in."""
.end
.include "../words.inc"
.include "macros.inc"

.macro next_weights register, from, number  @ of the output behind, where there are so many
    mov \register, \from
    cmp r2, \number; it cs; addcs \register, r3
.endm

.macro output weights, sum
    widen_weights r2, r3, \weights
    products \sum, r0, r1, r2, r3
.endm

.macro four_outputs                     @ of a word of x, r1
    widen r0, r1
    output r9, r4; output r10, r5; output r11, r6; output r12, r7
.endm

.function linear, r0, r1, r2, r3
    .stack 60
        bias            @ of the next output
        to_rescaling    @ from a bias to its rescaling word
        place           @ of the next output
        zero_low        @ ZERO - LOW
        over            @ 255 - (HIGH - LOW)
        excess          @ 255 - HIGH
        inputs
        tail_mask       @ of the last inputs, 0 where they fill a word
        x               @ of this row
        weights         @ of the next output
        outputs         @ left in this row
        rows            @ left
        all_outputs
        all_biases
        all_weights
    .end
    enter

    copy_address INPUT, x
    copy_address OUTPUT, place
    str r2, [sp, all_biases]; str r1, [sp, all_weights]
    copy_to_rescaling
    range
    str r7, [sp, excess]
    adds r7, r7, r4; str r7, [sp, over]
    copy [r3, INPUTS], [sp, inputs]
    tail_mask r4, r6, r5
    copy [r3, ROWS], [sp, rows]; copy [r3, OUTPUTS], [sp, all_outputs]

ROW:
    copy [sp, all_biases], [sp, bias]; copy [sp, all_weights], [sp, weights]
    copy [sp, all_outputs], [sp, outputs]

    @ Up to four outputs: their sums r4-r7, their weights r9-r12, x r8, the end of x in whole words lr. Where
    @ fewer are left, the last one's weights stand for those that are missing.
OUTPUTS:
    ldr r3, [sp, inputs]; ldr r2, [sp, outputs]; ldr r9, [sp, weights]
    next_weights r10, r9, 2
    next_weights r11, r10, 3
    next_weights r12, r11, 4
    add r4, r12, r3; str r4, [sp, weights]
    ldr r8, [sp, x]
    bic lr, r3, 3
    add lr, r8
    movs r4, 0
    mov r5, r4; mov r6, r4; mov r7, r4
    cmp r8, lr; beq.w REST
    lsls r3, r3, 29; bmi SECOND

    @ Two words of x, or one at the first time; r0 and r1 are a word's numbers 0 and 2, 1 and 3; r2 and r3 the
    @ weights of one output.
FIRST:
    ldr r1, [r8], 4
    four_outputs
SECOND:
    ldr r1, [r8], 4
MASKED:
    four_outputs
    cmp r8, lr; bcc FIRST; bhi SUMMED
    @ What is left of x fills no word: what lies behind it becomes 0. Afterwards r8 is beyond lr.
REST:
    ldr r3, [sp, tail_mask]
    cmp r3, 0; beq SUMMED
    ldr r1, [r8], 4
    ands r1, r3
    b MASKED

    @ Each sum becomes an output: r8 its bias, r9 from there to its rescaling word, r10 its place, r11, r12,
    @ lr the numbers that make ZERO and a cut to LOW..HIGH of two saturating instructions.
SUMMED:
    ldm sp, {r8, r9, r10, r11, r12, lr}
    ldr r2, [sp, outputs]
    subs r3, r2, 4; it cc; movcc r3, 0; str r3, [sp, outputs]
    subs r3, r2, r3
OUTPUT:
    ldr r1, [r8, r9]; ldr r2, [r8], 4
    adds r0, r4, r2
    ubfx r2, r1, 16, 5
    asrs r0, r2
    ssat r0, 16, r0
    smulbb r0, r0, r1
    lsrs r1, r1, 24
    asrs r0, r1
    adcs r0, r0, r11
    usat r0, 8, r0
    uqadd8 r0, r0, r12
    sub r0, r0, lr
    strb r0, [r10], 1
    mov r4, r5; mov r5, r6; mov r6, r7
    subs r3, r3, 1; bne OUTPUT
    str r8, [sp, bias]; str r10, [sp, place]
    ldr r2, [sp, outputs]
    cmp r2, 0; bne.w OUTPUTS

    increase_from [sp, x], [sp, inputs], r4, r3
    count_down_3 [sp, rows], r4; bne.w ROW

    leave
.end
