.python
"""The mean of the numbers in each window, for Armv6-M."""
.end
.include "../words.inc"
.include "macros.inc"
.include "pool.inc"

.macro take next
    adds r7, r7, r6
.endm

.macro finish
    @ The sum r7 becomes an output.
    ldr r0, [sp, bias]
    plus r7, [r0], r1
    ldr r1, [sp, to_rescaling]; ldr r4, [r0, r1]
    plus r0, [sp, to_bias], r1; str r0, [sp, bias]
    first_shift r7, r4, r2
    cmp r7, r2; beq SHIFTED
    largest r7, r2
SHIFTED:
    ldr r5, [r3, ZERO]
    uxth r2, r4
    muls r7, r2
    lsrs r4, r4, 24
    asrs r7, r4
    adcs r7, r5
    cut r7, r11, lr
.endm

.function avg_pool2d, r0, r1, r2, r3
    .stack 40
        row             @ where a window starts
        column
        rows            @ of outputs left
        x               @ the plane
        planes          @ left
        to_rescaling    @ from a bias to its rescaling word
        to_bias         @ from a bias to the next
        all_biases
        bias            @ the next
    .end
    enter
    @ r10 is where outputs go, r11 LOW, lr HIGH, r12 from column to column.
    ldr r4, [r3, OUTPUT]
    adds r4, r4, r0
    mov r10, r4
    set r11, [r3, LOW]; set lr, [r3, HIGH]; set r12, [r3, DILATION_ACROSS]
    plus r0, [r3, INPUT], r4; str r0, [sp, x]
    copy [r3, CHANNELS], [sp, planes]
    copy_to_rescaling
    str r2, [sp, all_biases]
    movs r4, 0
    ldr r5, [r3, CELLS]
    cmp r5, 1; beq SAME
    movs r4, 4
SAME:
    str r4, [sp, to_bias]

PLANE:
    copy [sp, all_biases], [sp, bias]
    pool_plane r10; bne PLANE

    leave
.end
