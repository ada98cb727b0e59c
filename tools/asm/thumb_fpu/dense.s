.python
"""The dense layer for a floating-point unit.

Eight columns at a time: as many sums in registers share each number of x. The last eight may begin before
those before them have ended: what both have comes out the same twice.
"""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart, are_layers_floats, keep
.end

@ What the assembler is told, and keeps, in words: where they are, in bytes.
.equ BIAS, 0            @ its address, or 0
.equ ROWS, 4            @ yet to do
.equ INPUTS, 8
.equ OUTPUTS, 12
.equ X, 16              @ the address of the row
.equ WEIGHT, 20         @ its address
.equ COLUMN, 24         @ the first of those in the registers

.python
_words = array("i", range(7))


def linear(x, weight, bias, out, rows, inputs, outputs):
    if apart(x, out) or not are_layers_floats(weight, inputs * outputs, bias, outputs):
        plain.linear(x, weight, bias, out, rows, inputs, outputs)
        return
    keep(_words, _BIAS, bias)
    _words[_ROWS // 4] = rows
    _words[_INPUTS // 4] = inputs
    _words[_OUTPUTS // 4] = outputs
    _multiply(x, weight, out, _words)
.end

.include "macros.inc"

.macro next_x
    vldr s12, [r0]
    adds r0, 4
.endm

.macro four_products first, second, third, fourth  @ of x and four weights
    vfma.f32 \first, s12, s8; vfma.f32 \second, s12, s9; vfma.f32 \third, s12, s10
    vfma.f32 \fourth, s12, s11
.endm

.macro load_two first, second, from, behind
    ldr r6, \from; ldr r7, \behind
    vmov \first, \second, r6, r7
.endm

.macro unless_inputs label              @ r0 x, r1 the column's weights, r4 inputs, r5 from weight to weight
    ldr r1, [r3, WEIGHT]
    adds r1, r1, r7
    ldr r5, [r3, OUTPUTS]
    lsls r5, r5, 2
    ldr r0, [r3, X]; ldr r4, [r3, INPUTS]
    cmp r4, 0; beq \label
.endm

.function _multiply, r0, r1, r2, r3
    @ r0: x. r1: weight, at any address. r2: out, from the row on. r3: words.
    str r0, [r3, X]; str r1, [r3, WEIGHT]

ROW:
    unless [r3, ROWS], 0, BEGIN
    b END
BEGIN:
    subs r4, 1; str r4, [r3, ROWS]
    movs r4, 0

COLUMNS:
    @ r4: the first column that is not done.
    ldr r5, [r3, OUTPUTS]
    subs r6, r5, r4; bgt CHOOSE; b ROW_DONE
CHOOSE:
    str r4, [r3, COLUMN]
    cmp r6, 8; bge EIGHT
    cmp r5, 8; bge LAST_EIGHT; b ONE
LAST_EIGHT:
    mov r4, r5
    subs r4, 8; str r4, [r3, COLUMN]

EIGHT:
    @ s0-s7: the sums, which begin with the bias.
    lsls r7, r4, 2
    ldr r5, [r3, BIAS]
    cmp r5, 0; beq NO_BIAS
    adds r5, r5, r7
    load s0, [r5], r6; load s1, [r5, 4], r6; load s2, [r5, 8], r6
    load s3, [r5, 12], r6; load s4, [r5, 16], r6; load s5, [r5, 20], r6
    load s6, [r5, 24], r6; load s7, [r5, 28], r6
    b SUM
NO_BIAS:
    vmov s0, r5; vmov s1, r5; vmov s2, r5; vmov s3, r5
    vmov s4, r5; vmov s5, r5; vmov s6, r5; vmov s7, r5

SUM:
    @ r0: x. r1: the first weight of the eight. r4: how many inputs. r5: from weight to weight down a column.
    unless_inputs STORE
    movs r6, 3
    tst r1, r6; bne UNALIGNED
    subs r5, 32                         @ what the loads move r1 on by

ALIGNED:
    next_x
    vldmia r1!, {s8-s11}
    four_products s0, s1, s2, s3
    vldmia r1!, {s8-s11}
    four_products s4, s5, s6, s7
    adds r1, r1, r5
    subs r4, 1; bne ALIGNED; b STORE

UNALIGNED:
    @ Only an integer register can be loaded from any address.
    next_x
    load_two s8, s9, [r1], [r1, 4]; load_two s10, s11, [r1, 8], [r1, 12]
    four_products s0, s1, s2, s3
    load_two s8, s9, [r1, 16], [r1, 20]; load_two s10, s11, [r1, 24], [r1, 28]
    four_products s4, s5, s6, s7
    adds r1, r1, r5
    subs r4, 1; bne UNALIGNED

STORE:
    ldr r4, [r3, COLUMN]
    lsls r5, r4, 2
    adds r5, r5, r2
    vstmia r5!, {s0-s7}
    adds r4, 8
    b COLUMNS

ONE:
    @ The same for one column, of less than eight.
    lsls r7, r4, 2
    ldr r5, [r3, BIAS]
    cmp r5, 0; beq SUM_ONE
    adds r5, r5, r7
    ldr r5, [r5]
SUM_ONE:
    vmov s0, r5
    unless_inputs STORE_ONE
NEXT:
    next_x
    load s8, [r1], r6
    vfma.f32 s0, s12, s8
    adds r1, r1, r5
    subs r4, 1; bne NEXT
STORE_ONE:
    adds r7, r7, r2
    vstr s0, [r7]
    ldr r4, [r3, COLUMN]
    adds r4, 1
    b COLUMNS

ROW_DONE:
    lsls r5, r5, 2
    adds r2, r2, r5
    ldr r5, [r3, INPUTS]
    lsls r5, r5, 2
    increase [r3, X], r5
    b ROW

END:
    movs r0, 0
.end
