.python
"""The dense layer with weights of 4 bits for Armv6-M: one multiplication makes two products."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../packed.inc"

@ Two weights w0 + w4 × 2^16 by two numbers x4 + x0 × 2^16: the upper half of the product is
@ w0 × x0 + w4 × x4, and what is below it, w0 × x4, carries nothing: of eight weights the sum of all such
@ products fits.
.macro products shift, numbers
    lsrs r5, r4, \shift
    ands r5, r2
    muls r5, \numbers
    adds r3, r3, r5
.endm

.function linear4, r0, r1, r2, r3
    .stack 76
        bias            @ of the next output
        to_rescaling    @ from there to this one's rescaling word
        place           @ of this output
        zero
        outputs         @ left of this place
        surplus         @ what the sums of this place will be too large by
        numbers         @ of this place, two to a word
        numbers_end
        inputs
        x               @ of this place
        step            @ from one to the next
        out_step        @ from an output to the next
        row             @ the outputs of this place
        to_next         @ from place to place
        to_next_out
        places          @ left
        all_outputs
        all_weights
        all_biases
    .end
    enter

    packed_layer
    set r10, [sp, numbers_end]; set r11, [sp, out_step]
    set r12, [r3, LOW]; set lr, [r3, HIGH]
    copy [r3, ZERO], [sp, zero]
    @ The highest bit of each weight.
    movs r4, 0x88
    lsls r5, r4, 8
    orrs r4, r5
    lsls r5, r4, 16
    orrs r4, r5
    mov r8, r4

PLACE:
    gather 2, 0, 18
    copy [sp, all_biases], [sp, bias]; copy [sp, all_outputs], [sp, outputs]
    copy [sp, row], [sp, place]
    ldr r0, [sp, all_weights]
    movs r2, 15                         @ the mask: bits of two weights
    lsls r1, r2, 16
    orrs r2, r1

    @ An output: its sum r9, its weights r0, the numbers r1, their end r10; r4 eight weights.
OUTPUT:
    ldr r4, [sp, bias]
    ldmia r4!, {r5}; str r4, [sp, bias]
    minus r5, [sp, surplus], r6
    mov r9, r5
    ldr r1, [sp, numbers]
WEIGHTS:
    ldmia r0!, {r4}
    mov r5, r8
    eors r4, r5
    ldmia r1!, {r6, r7}
    mov r3, r4
    ands r3, r2
    muls r3, r6
    products 4, r7
    ldmia r1!, {r6, r7}
    products 8, r6
    products 12, r7
    lsrs r3, r3, 16
    add r9, r3
    cmp r1, r10; bne WEIGHTS

    ldr r4, [sp, bias]; ldr r5, [sp, to_rescaling]
    ldr r6, [r4, r5]
    mov r1, r9
    first_shift r1, r6, r3
    cmp r1, r3; bne SATURATED
SHIFTED:
    uxth r3, r6
    muls r1, r3
    lsrs r6, r6, 24
    ldr r3, [sp, zero]
    asrs r1, r6
    adcs r1, r3
    cut r1, r12, lr
    ldr r4, [sp, place]
    strb r1, [r4]
    add r4, r11
    str r4, [sp, place]
    count_down [sp, outputs]; bne OUTPUT

    next_place; beq DONE; b PLACE

    @ A number beyond 16 bits becomes the largest or the least of them.
SATURATED:
    largest r1, r3
    b SHIFTED

DONE:
    leave
.end
