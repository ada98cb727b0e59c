.python
"""The dense layer for Armv6-M: four outputs share each number that comes in."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"

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
    dense
    leave
.end
