.python
"""The dense layer for Armv6-M: four outputs share each number that comes in."""
.end
.include "../words.inc"
.include "macros.inc"

.macro product weights, sum             @ of the number r7 and a weight
    ldrsb r6, [\weights, r0]
    muls r6, r7
    add \sum, r6
.endm

.macro four_products
    ldrb r7, [r1, r0]
    product r2, r8; product r3, r9; product r4, r10; product r5, r11
    adds r0, 1
.endm

.function linear, r0, r1, r2, r3
    .stack 56
        bias            @ of the next output
        to_rescaling    @ from a bias to its rescaling word
        place           @ of the next output
        zero
        low
        high
        window_size     @ inputs
        window_end      @ of x of this row
        weights         @ of the next output
        outputs         @ left in this row
        rows            @ left
        all_outputs
        all_biases
        all_weights
    .end
    enter

    str r1, [sp, all_weights]; str r2, [sp, all_biases]
    copy [r3, INPUTS], [sp, window_size]
    ldr r5, [r3, INPUT]
    adds r5, r5, r0; adds r5, r5, r4; str r5, [sp, window_end]
    copy_address OUTPUT, place
    copy_to_rescaling
    copy [r3, ZERO], [sp, zero]; copy [r3, LOW], [sp, low]
    copy [r3, HIGH], [sp, high]; copy [r3, ROWS], [sp, rows]
    copy [r3, OUTPUTS], [sp, all_outputs]

ROW:
    copy [sp, all_biases], [sp, bias]; copy [sp, all_weights], [sp, weights]
    copy [sp, all_outputs], [sp, outputs]

    @ Up to four outputs: their sums r8-r11, the ends of their weights r2-r5, the end of the numbers r1, and
    @ r0 from there to the next number. Where fewer are left, the first one's weights stand for those that are
    @ missing.
OUTPUTS:
    ldr r6, [sp, window_size]; ldr r7, [sp, outputs]; ldr r2, [sp, weights]
    adds r2, r2, r6; adds r3, r2, r6; adds r4, r3, r6
    adds r5, r4, r6
    cmp r7, 4; bcc FEWER
CHOSEN:
    str r5, [sp, weights]
    ldr r1, [sp, window_end]
    movs r0, 0
    mov r8, r0; mov r9, r0; mov r10, r0; mov r11, r0
    rsbs r0, r6, 0
    lsls r6, r6, 31; bmi SECOND

    @ Two numbers, or one at the first time: r7 the number, r6 a weight.
FIRST:
    four_products
SECOND:
    four_products; bne FIRST

    @ Each sum becomes an output: r4 its bias, r5 from there to its rescaling word, r6 its place, r7 how many.
    set r12, [sp, low], r0; set lr, [sp, high], r0
    ldr r3, [sp, zero]; ldr r4, [sp, bias]; ldr r5, [sp, to_rescaling]
    ldr r6, [sp, place]; ldr r7, [sp, outputs]
    mov r0, r7
    cmp r7, 4; bls COUNTED
    movs r7, 4
COUNTED:
    subs r0, r0, r7; str r0, [sp, outputs]
OUTPUT:
    ldr r0, [r4, r5]
    ldmia r4!, {r1}
    add r1, r8
    first_shift r1, r0, r2
    cmp r1, r2; bne SATURATED
SHIFTED:
    uxth r2, r0
    muls r1, r2
    lsrs r0, r0, 24
    asrs r1, r0
    adcs r1, r3
    cut r1, r12, lr
    strb r1, [r6]
    adds r6, 1
    mov r8, r9; mov r9, r10; mov r10, r11
    subs r7, 1; bne OUTPUT
    str r4, [sp, bias]; str r6, [sp, place]
    ldr r0, [sp, outputs]
    cmp r0, 0; beq NEXT_ROW; b OUTPUTS

NEXT_ROW:
    increase_from [sp, window_end], [sp, window_size], r4, r3
    count_down [sp, rows]; beq DONE; b ROW

    @ Fewer than four outputs are left, r7.
FEWER:
    mov r5, r2
    cmp r7, 3; beq CHOSEN
    mov r4, r2
    cmp r7, 2; beq CHOSEN
    mov r3, r2
    b CHOSEN

    @ A number beyond 16 bits becomes the largest or the least of them.
SATURATED:
    largest r1, r2
    b SHIFTED

DONE:
    leave
.end
