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
        arena
        words
        table
        first_weights   @ of this direction
        first_constants
        constants       @ of the next matrix
        row             @ this matrix's words
        matrix
        work
        state
        to_sums         @ from the state
        end             @ of the state
        size            @ of the states of all directions
        start           @ of this direction's
        times           @ left
        x_row
        x_step          @ to the next time step
        out
        out_step
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
        arena
        words
        table
        first_weights   @ of this direction
        first_constants
        constants       @ of the next matrix
        row             @ this matrix's words
        matrix
        work
        state
        to_sums         @ from the state
        end             @ of the state
        size            @ of the states of all directions
        start           @ of this direction's
        times           @ left
        x_row
        x_step          @ to the next time step
        out
        out_step
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
        arena
        words
        table
        first_weights   @ of this direction
        first_constants
        constants       @ of the next matrix
        row             @ this matrix's words
        matrix
        work
        state
        to_sums         @ from the state
        end             @ of the state
        size            @ of the states of all directions
        start           @ of this direction's
        times           @ left
        x_row
        x_step          @ to the next time step
        out
        out_step
    .end
    enter
    rnn
    leave
.end
