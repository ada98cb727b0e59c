.python
"""Convolution for Armv6-M: one multiplication makes two products, of weights unpacked for several windows."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../conv.inc"

.macro product weights, numbers, sum
    muls \numbers, \weights
    asrs \numbers, \numbers, 16         @ the carry is the last bit, which rounds
    adcs \sum, \numbers
.endm

.equ EIGHT_PRODUCTS, 30  @ bytes of them
.macro eight_products
    ldmia r0!, {r4, r7}
    ldmia r1!, {r5, r6}
    product r4, r5, r2; product r4, r6, r3
    ldmia r1!, {r5, r6}
    product r7, r5, r2; product r7, r6, r3
.endm

.macro set_last_register
    set r12, [sp, high], r0
.endm

.macro output sum
    asrs \sum, r4
    sxth r0, \sum
    cmp r0, \sum; beq FITS
    largest \sum, r0
FITS:
    muls \sum, r5
    asrs \sum, r6
    adcs \sum, r7
    cut \sum, r11, r12
.endm

.function conv2d, r0, r1, r2, r3
    .stack 172
        rescaling 16    @ of this output: the first shift, the factor, the second shift, zero
        bias            @ of the next output
        to_rescaling    @ from a bias to its rescaling word
        place           @ of this output
        out_plane       @ size of an output plane
        high
        outputs         @ left in this group
        weights         @ of the next output
        window_size     @ weights of an output
        unpacked        @ weights of an output, and before them a window as it is gathered
        unpacked_end    @ where the windows begin
        gathered_end
        windows         @ where the next window goes
        other_windows   @ where the one behind that goes
        passed_over     @ bytes of code, the first time
        block           @ windows at once
        left            @ of them, for this output
        to_gather       @ how many are left
        pixel_place     @ of the block's first outputs
        pixels          @ left
        row             @ where the next window starts
        column
        in_line         @ windows left in this line
        x               @ of this group
        plane           @ size of an input plane
        group_weights
        group_biases
        group_place     @ of this group's outputs
        groups          @ left
        words
        inside_row      @ below which a window lies inside, 0 where none does
        inside_column   @ the same
        line_size       @ numbers in a line of the window
        to_line         @ from a line to the next
        planes
        to_plane        @ from a plane to the next
        lines           @ in a plane
        centre          @ what is subtracted from two numbers: halves 128 and 127
        halves          @ what is subtracted from two weights: 128 and 128
        bytes           @ a mask of every second byte
    .end
    convolution
DONE:
    leave
.end
