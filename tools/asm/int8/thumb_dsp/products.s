.python
"""Products of matrices for Armv7E-M: the second becomes the weight of a dense layer."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"
.include "../products.inc"

.function matmul, r0, r1, r2, r3
    .stack 92
        .include "dense_places.inc"
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
