.python
"""The dense layer with weights of 4 bits for Armv7-M: one multiplication makes two products."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../packed_pairs.inc"

@ Two weights w0 + w4 × 2^16 by two numbers x4 + x0 × 2^16: the upper half of the product is
@ w0 × x0 + w4 × x4, and what is below it, w0 × x4, carries nothing: of eight weights the sum of all such
@ products fits.
.macro gather_place
    gather 2, 0, 18
.endm

.macro eight_products sum
    eor r4, r4, 0x88888888
    and r5, r6, r4
    mul lr, r5, r0
    and r5, r6, r4, lsr 4
    mla lr, r5, r1, lr
    and r5, r6, r4, lsr 8
    mla lr, r5, r2, lr
    and r5, r6, r4, lsr 12
    mla lr, r5, r3, lr
    add \sum, \sum, lr, asr 16
.endm

.macro set_bounds
    ldr r4, [r3, LOW]; ldr r5, [r3, HIGH]; ldr r6, [r3, ZERO]
    subs r5, r5, r4; str r5, [sp, bounds]; str r4, [sp, bounds + 4]
    subs r6, r6, r4; str r6, [sp, zero_low]
.endm

.macro finish sum
    mov r0, \sum
    ubfx r2, r1, 16, 5
    asrs r0, r2
    ssat r0, 16, r0
    uxth r2, r1
    muls r0, r2
    lsrs r1, r1, 24
    ldr r2, [sp, zero_low]
    asrs r0, r1
    adcs r0, r2
    usat r0, 8, r0
    cmp r0, r4; it hi
    movhi r0, r4
    adds r0, r0, r5
.endm

.function linear4, r0, r1, r2, r3
    .stack 88
        bias            @ of the next output
        to_rescaling    @ from there to this one's rescaling word
        place           @ of the next output
        zero_low        @ ZERO - LOW
        bounds 8        @ HIGH - LOW, LOW
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
    packed_pairs
.end
