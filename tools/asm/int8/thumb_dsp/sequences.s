.python
"""Recurrent layers for Armv7E-M: time steps of a dense layer and gates."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"
.include "../recurrent.inc"
.include "../gates.inc"

.function gru, r0, r1, r2, r3
    .stack 160
        .include "dense_places.inc"
        .include "../recurrent_places.inc"
        fraction        @ what is less than the state's bytes
        of_input
        of_hidden
        shift
        of_new
        new_bias
    .end
    enter
    gru
    leave
.end

.function lstm, r0, r1, r2, r3
    .stack 164
        .include "dense_places.inc"
        .include "../recurrent_places.inc"
        cell
        fraction        @ what is less than the cell's bytes
        of_product
        of_cell
        shift
        of_answer
        hidden_zero
    .end
    enter
    lstm
    leave
.end

.function rnn, r0, r1, r2, r3
    .stack 136
        .include "dense_places.inc"
        .include "../recurrent_places.inc"
    .end
    enter
    rnn
    leave
.end
