.python
"""Recurrent layers for Armv6-M: time steps of a dense layer and gates."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"
.include "../recurrent.inc"

.macro number register, from
    mov \register, \from
    ldrb \register, [r0, \register]
.endm

.macro store register, to, by
    mov \by, \to
    strb \register, [r0, \by]
.endm

.macro sigmoid register, from, by       @ the uppermost of its 12 bits is added once more
    number \register, \from
    lsls \register, \register, 2
    ldrh \register, [r1, \register]
    lsrs \by, \register, 11
    adds \register, \register, \by
.endm

.macro cut_half register, by
    lsrs \by, \register, 16
    beq FITS_HALF
    asrs \register, \register, 31
    adds \register, 1
    lsls \by, \register, 16
    subs \register, \by, \register
FITS_HALF:
.endm

.macro cut_byte register, by
    lsrs \by, \register, 8
    beq FITS_BYTE
    asrs \register, \register, 31
    adds \register, 1
    lsls \by, \register, 8
    subs \register, \by, \register
FITS_BYTE:
.endm

.macro tanh register, by, first
    adds \register, \register, r7
    cut_half \register, \by
    lsrs \by, \register, 8
    lsls \by, \by, 2
    adds \by, \by, r1
    ldrh \first, [\by, 2]; ldrh \by, [\by, 6]
    subs \by, \by, \first
    uxtb \register, \register
    muls \register, \by
    asrs \register, \register, 8
    adds \register, \register, \first
.endm

.function gru, r0, r1, r2, r3
    .stack 156
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
    .stack 160
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
    .stack 132
        .include "dense_places.inc"
        .include "../recurrent_places.inc"
    .end
    enter
    rnn
    leave
.end
