.python
"""The mean of the numbers in each window, for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "../windows.inc"
.include "pool.inc"

.macro take place
    ldrb r6, [r1, \place]
    adds r7, r7, r6
.endm

.macro takes register
    lsls \register, \register, 2
.endm

.macro finish
    @ The sum r7 becomes an output. r1 is where its bias lies.
    ldr r1, [sp, biases]; ldr r2, [sp, cells]
    muls r2, r4
    adds r1, r1, r2
    plus r7, [r1], r2
    ldr r2, [sp, to_rescaling]; ldr r6, [r1, r2]
    first_shift r7, r6, r2
    cmp r7, r2; beq SHIFTED
    largest r7, r2
SHIFTED:
    uxth r2, r6
    muls r7, r2
    lsrs r6, r6, 24
    ldr r1, [r3, ZERO]; ldr r2, [r3, LOW]
    asrs r7, r6
    adcs r7, r1
    ldr r1, [r3, HIGH]
    cut r7, r2, r1
.endm

.macro begin
    copy [sp, all_biases], [sp, biases], r1
.endm

.macro next_plane
    ldr r1, [sp, biases_step]
    increase [sp, biases], r1, r2
.endm

.function avg_pool2d, r0, r1, r2, r3
    .stack 92
        across 8        @ see windows.inc
        down 8
        top
        place
        wide
        tall
        inside
        column
        x
        first
        row_step
        plane_step
        out_step
        rows
        planes
        to_rescaling    @ from a bias to its rescaling word
        cells           @ from a bias to the next: 4, or 0 where all windows have one
        all_biases      @ an output at place has its bias at all_biases + cells × place
        biases          @ the same in this plane
        biases_step     @ to the next one
    .end
    enter
    copy_address OUTPUT, top
    copy_address INPUT, x
    copy_to_rescaling
    movs r4, 0
    ldr r5, [r3, CELLS]
    cmp r5, 1; beq SAME
    movs r4, 4
SAME:
    str r4, [sp, cells]
    muls r5, r4
    rsbs r5, r5, 0; str r5, [sp, biases_step]
    times r4, [sp, top]
    subs r2, r2, r4; str r2, [sp, all_biases]
    each_block; b DONE
    runs
DONE:
    leave
.end
