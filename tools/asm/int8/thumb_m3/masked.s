.python
"""Softmax where a mask hides some numbers, for Armv7-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "share.inc"
.include "../softmax.inc"
.include "../mask.inc"

.function masked_softmax, r0, r1, r2, r3
    .stack 12
        rows            @ left
        period          @ rows that the mask has
        turn            @ of them left
    .end
    enter
    begin_masks
    softmax
    leave
.end
