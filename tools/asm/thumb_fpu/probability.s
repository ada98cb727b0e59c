.python
"""Softmax for a floating-point unit."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart
.end

@ What `_share` is told, and keeps, in words: where they are, in bytes.
.equ OUTER, 0           @ yet to do
.equ SIZE, 4
.equ INNER, 8
.equ QUIET, 12          @ whether there is one more number, 0, that has its share
.equ LINES, 16          @ yet to do

.python
_words = array("i", range(5))


def softmax(x, out, outer, size, inner):
    if apart(x, out):
        plain.softmax(x, out, outer, size, inner)
        return
    _shared(x, out, outer, size, inner, 0)


def quiet_softmax(x, out, outer, size, inner):
    if apart(x, out):
        plain.quiet_softmax(x, out, outer, size, inner)
        return
    _shared(x, out, outer, size, inner, 1)


def _shared(x, out, outer, size, inner, quiet):
    _words[_OUTER // 4] = outer
    _words[_SIZE // 4] = size
    _words[_INNER // 4] = inner
    _words[_QUIET // 4] = quiet
    _share(x, out, _words)
.end

.include "macros.inc"
.include "exponential.inc"

.function _share, r0, r1, r2
    @ r0: x. r1: out. r2: words. r3: from number to number of a line. r7: a line's length.
    exponential_constants
    ldr r3, [r2, INNER]
    lsls r3, r3, 2
    ldr r7, [r2, SIZE]
    muls r7, r3
PLANE:
    count_down [r2, OUTER]; bmi.w END
    copy [r2, INNER], [r2, LINES]

    @ A line: s1 its largest number. Once that is NaN it stays: NaN is no less than anything.
LINE:
    vldr s1, [r0]
    ldr r6, [r2, SIZE]
LARGEST:
    vldr s0, [r0]
    adds r0, r0, r3
    vcmpe.f32 s1, s0
    vmrs APSR_nzcv, FPSCR
    it mi
    vmovmi.f32 s1, s0
    subs r6, 1; bne LARGEST
    subs r0, r0, r7
    vmov s15, r6                        @ the sum, 0
    ldr r6, [r2, QUIET]
    cmp r6, 0; beq POWERS
    vcmpe.f32 s1, s15
    vmrs APSR_nzcv, FPSCR
    it mi
    vmovmi.f32 s1, s15
    vneg.f32 s0, s1
    bl EXPONENTIAL
    vmov.f32 s15, s0
POWERS:
    ldr r6, [r2, SIZE]
POWER:
    vldr s0, [r0]
    vsub.f32 s0, s0, s1
    bl EXPONENTIAL
    vadd.f32 s15, s15, s0
    vstr s0, [r1]
    adds r0, r0, r3; adds r1, r1, r3
    subs r6, 1; bne POWER
    subs r0, r0, r7; subs r1, r1, r7
    ldr r6, [r2, SIZE]
DIVIDE:
    vldr s0, [r1]
    vdiv.f32 s0, s0, s15
    vstr s0, [r1]
    adds r1, r1, r3
    subs r6, 1; bne DIVIDE
    subs r1, r1, r7
    adds r0, 4; adds r1, 4
    count_down [r2, LINES]; bne LINE
    subs r4, r7, r3
    adds r0, r0, r4; adds r1, r1, r4
    b PLANE

    exponential
END:
    movs r0, 0
.end
