.python
"""The dense layer for Armv7-M: four outputs share each number that comes in."""
.end
.include "../words.inc"
.include "macros.inc"

.macro next_weights register, from, number  @ of the output behind, where there are so many
    mov \register, \from
    cmp r2, \number; it cs; addcs \register, r3
.endm

.macro four_products                    @ of a number, r0
    ldrb r0, [r8], 1
    ldrsb r1, [r9], 1; ldrsb r2, [r10], 1
    mla r4, r0, r1, r4
    mla r5, r0, r2, r5
    ldrsb r1, [r11], 1; ldrsb r2, [r12], 1
    mla r6, r0, r1, r6
    mla r7, r0, r2, r7
.endm

.function linear, r0, r1, r2, r3
    .stack 72
        bias            @ of the next output
        to_rescaling    @ from a bias to its rescaling word
        place           @ of the next output
        zero_low        @ ZERO - LOW
        range           @ HIGH - LOW
        low
        sums 16
        inputs
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
    ldr r4, [r3, LOW]; ldr r5, [r3, HIGH]; ldr r6, [r3, ZERO]
    str r4, [sp, low]
    subs r5, r5, r4; str r5, [sp, range]
    subs r6, r6, r4; str r6, [sp, zero_low]
    copy [r3, INPUTS], [sp, inputs]; copy [r3, ROWS], [sp, rows]
    copy [r3, OUTPUTS], [sp, all_outputs]

ROW:
    copy [sp, all_biases], [sp, bias]; copy [sp, all_weights], [sp, weights]
    copy [sp, all_outputs], [sp, outputs]

    @ Up to four outputs: their sums r4-r7, their weights r9-r12, x r8, its end lr. Where fewer are left, the
    @ last one's weights stand for those that are missing.
OUTPUTS:
    ldr r3, [sp, inputs]; ldr r2, [sp, outputs]; ldr r9, [sp, weights]
    next_weights r10, r9, 2
    next_weights r11, r10, 3
    next_weights r12, r11, 4
    add r4, r12, r3; str r4, [sp, weights]
    ldr r8, [sp, x]
    add lr, r8, r3
    movs r4, 0
    mov r5, r4; mov r6, r4; mov r7, r4
    @ What fills no four comes first.
    lsls r3, r3, 30; beq FOURS
ONE:
    four_products
    subs r3, r3, 0x40000000; bne ONE
    cmp r8, lr; beq SUMMED
FOURS:
    four_products; four_products; four_products; four_products
    cmp r8, lr; bne FOURS

    @ Each sum, r4, becomes an output: r5 where the next one is, r8 its bias, r9 from there to its rescaling
    @ word, r10 its place, r11 ZERO - LOW, r12 HIGH - LOW, lr LOW, r3 how many.
SUMMED:
    add r0, sp, sums; stmia r0!, {r4, r5, r6, r7}
    add r5, sp, sums
    ldm sp, {r8, r9, r10, r11, r12, lr}
    ldr r2, [sp, outputs]
    subs r3, r2, 4; it cc; movcc r3, 0; str r3, [sp, outputs]
    subs r3, r2, r3
OUTPUT:
    ldmia r5!, {r4}
    ldr r1, [r8, r9]; ldr r2, [r8], 4
    adds r4, r4, r2
    ubfx r2, r1, 16, 5
    uxth r0, r1
    lsrs r1, r1, 24
    rescale r4, r2, r0, r1, r11
    usat r4, 8, r4
    cmp r4, r12; it hi
    movhi r4, r12
    add r4, lr
    strb r4, [r10], 1
    subs r3, r3, 1; bne OUTPUT
    str r8, [sp, bias]; str r10, [sp, place]
    ldr r2, [sp, outputs]
    cmp r2, 0; bne.w OUTPUTS

    increase_from [sp, x], [sp, inputs], r4, r3
    ldr r4, [sp, rows]
    subs r4, 1; str r4, [sp, rows]; bne.w ROW

    leave
.end
