.python
"""The dense layer with weights of 4 bits for Armv7E-M: two outputs share the numbers of a place."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../packed_pairs.inc"

.macro gather_place                     @ a word has two numbers as smlad takes them, n and n + 4
    gather 0, 2, 14
.endm

.macro eight_products sum
    eor r4, r4, 0x88888888
    and r5, r6, r4
    smlad \sum, r5, r0, \sum
    and r5, r6, r4, lsr 4
    smlad \sum, r5, r1, \sum
    and r5, r6, r4, lsr 8
    smlad \sum, r5, r2, \sum
    and r5, r6, r4, lsr 12
    smlad \sum, r5, r3, \sum
.endm

.macro set_bounds
    range
    adds r4, r4, r7; str r4, [sp, bounds]; str r7, [sp, bounds + 4]
.endm

.macro finish sum
    ubfx r2, r1, 16, 5
    asr r0, \sum, r2
    ssat r0, 16, r0
    smulbb r0, r0, r1
    lsrs r1, r1, 24
    ldr r2, [sp, zero_low]
    asrs r0, r1
    adcs r0, r2
    usat r0, 8, r0
    uqadd8 r0, r0, r4
    subs r0, r0, r5
.endm

.function linear4, r0, r1, r2, r3
    .stack 88
        bias            @ of the next output
        to_rescaling    @ from there to this one's rescaling word
        place           @ of the next output
        zero_low        @ ZERO - LOW
        bounds 8        @ 255 - (HIGH - LOW), 255 - HIGH
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
