.python
"""The dense layer for Armv6-M: four outputs share each number that comes in."""
.end
.include "../words.inc"
.include "macros.inc"
.include "dense.inc"

.macro next_place
    adds r6, 1
.endm

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

    str r1, [sp, all_weights]; str r2, [sp, all_biases]
    copy [r3, INPUTS], [sp, window_size]
    ldr r5, [r3, INPUT]
    adds r5, r5, r0; adds r5, r5, r4; str r5, [sp, window_end]
    copy_address OUTPUT, place
    copy_to_rescaling
    copy [r3, ZERO], [sp, zero]; copy [r3, LOW], [sp, low]
    copy [r3, HIGH], [sp, high]; copy [r3, ROWS], [sp, rows]
    copy [r3, OUTPUTS], [sp, all_outputs]

ROW:
    copy [sp, all_biases], [sp, bias]; copy [sp, all_weights], [sp, weights]
    copy [sp, all_outputs], [sp, outputs]

    outputs_of_window NEXT_ROW

NEXT_ROW:
    increase_from [sp, window_end], [sp, window_size], r4, r3
    count_down [sp, rows]; beq DONE; b ROW

    rare_outputs

DONE:
    leave
.end
