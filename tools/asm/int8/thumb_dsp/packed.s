.python
"""The dense layer with weights of 4 bits for Armv7E-M: two outputs share the numbers of a place."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../packed.inc"

@ Eight weights, r4, by the numbers r0-r3: those 0 and 4, 1 and 5, 2 and 6, 3 and 7. r6 has the bits of two
@ weights, lr the highest bit of each.
.macro eight_products sum
    eor r4, r4, lr
    and r5, r6, r4
    smlad \sum, r5, r0, \sum
    and r5, r6, r4, lsr 4
    smlad \sum, r5, r1, \sum
    and r5, r6, r4, lsr 8
    smlad \sum, r5, r2, \sum
    and r5, r6, r4, lsr 12
    smlad \sum, r5, r3, \sum
.endm

.macro output sum                      @ the flags tell whether it was the last one, of r3
    add r10, r10, 4
    ldr r1, [r10, r11]
    ubfx r2, r1, 16, 5
    asr \sum, \sum, r2
    ssat r0, 16, \sum
    smulbb r0, r0, r1
    lsrs r1, r1, 24
    ldr r2, [sp, zero_low]
    asrs r0, r1
    adcs r0, r2
    usat r0, 8, r0
    uqadd8 r0, r0, r4
    subs r0, r0, r5
    strb r0, [r12], 0
    ldr r0, [sp, out_step]
    add r12, r0
    subs r3, 1
.endm

.function linear4, r0, r1, r2, r3
    .stack 88
        bias            @ of the next output
        to_rescaling    @ from there to this one's rescaling word
        place           @ of the next output
        zero_low        @ ZERO - LOW
        over            @ 255 - (HIGH - LOW)
        excess          @ 255 - HIGH
        out_step        @ from an output to the next
        outputs         @ left of this place
        surplus         @ what the sums of this place will be too large by
        numbers         @ of this place, two to a word
        numbers_end
        row_size        @ bytes of the weights of an output
        inputs
        x               @ of this place
        step            @ from one to the next
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
    ldr r5, [sp, numbers]
    subs r4, r4, r5
    lsrs r4, r4, 2; str r4, [sp, row_size]
    range
    str r7, [sp, excess]
    adds r7, r7, r4; str r7, [sp, over]

PLACE:
    gather 0, 2, 14
    copy [sp, all_biases], [sp, bias]; copy [sp, all_outputs], [sp, outputs]
    copy [sp, row], [sp, place]
    ldr r9, [sp, all_weights]
    mov r6, 15
    orr r6, r6, r6, lsl 16
    mov lr, 0x88
    orr lr, lr, lr, lsl 8
    orr lr, lr, lr, lsl 16

    @ Two outputs: their sums r7 and r8, their weights at r9 and r10 behind it; the numbers r11, their end
    @ r12. Where one is left, its weights stand for the other's.
OUTPUTS:
    ldr r0, [sp, bias]; ldr r1, [sp, surplus]; ldr r2, [sp, outputs]; ldr r10, [sp, row_size]
    ldrd r7, r8, [r0]
    sub r7, r7, r1
    sub r8, r8, r1
    cmp r2, 1; it eq; moveq r10, 0
    ldrd r11, r12, [sp, numbers]
WEIGHTS:
    ldmia r11!, {r0, r1, r2, r3}
    ldr r4, [r9, r10]
    eight_products r8
    ldr r4, [r9], 4
    eight_products r7
    cmp r11, r12; bne WEIGHTS
    add r9, r10

    @ Each sum becomes an output: r10 the next bias, r11 from there to this one's rescaling word, r12 its
    @ place, r2, r4 and r5 the numbers that make ZERO and a cut to LOW..HIGH of two saturating instructions.
    ldm sp, {r10, r11, r12}
    ldrd r4, r5, [sp, over]
    ldr r3, [sp, outputs]
    output r7; beq NEXT_PLACE
    output r8; beq NEXT_PLACE
    str r3, [sp, outputs]; str r10, [sp, bias]; str r12, [sp, place]
    b OUTPUTS

NEXT_PLACE:
    next_place; bne.w PLACE

    leave
.end
