.python
"""Products of matrices for Armv7E-M: the second becomes the weight of a dense layer."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"
.include "../products.inc"

.function matmul, r0, r1, r2, r3
    .stack 92
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
        other           @ this matrix
        matrices        @ left
        y               @ this column
        columns         @ left to pack
        next_bias
        step            @ its words
        row             @ the dense layer's
        arena
    .end
    enter
    begin
MATRIX:
    pack
    dense
    next_matrix
    leave
.end
