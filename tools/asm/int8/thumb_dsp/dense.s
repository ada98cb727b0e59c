.python
"""The dense layer for Armv7E-M: four outputs share each number that comes in."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"

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
    dense
    leave
.end
