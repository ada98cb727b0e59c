.python
"""Normalisation of rows for a floating-point unit."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart, are_floats, keep
.end

@ What `_normalise` is told, and keeps, in words: where they are, in bytes.
.equ GAMMA, 0           @ addresses
.equ BETA, 4
.equ EPSILON, 8
.equ GAMMA_STEP, 12     @ from number to number; 0 where one is for all
.equ BETA_STEP, 16
.equ ROWS, 20           @ yet to do
.equ SIZE, 24
.equ IS_CENTRED, 28     @ whether the mean becomes 0

.python
_words = array("i", range(8))
_epsilon = array("f", (0.0,))
_one = array("f", (1.0,))
_zero = array("f", (0.0,))


def layer_norm(x, gamma, beta, epsilon, out, rows, size):
    if apart(x, out) or not (_are_given(gamma, size) and _are_given(beta, size)):
        plain.layer_norm(x, gamma, beta, epsilon, out, rows, size)
        return
    _words[_IS_CENTRED // 4] = 1
    _normalised(x, gamma, beta, epsilon, out, rows, size)


def rms_norm(x, gamma, epsilon, out, rows, size):
    if apart(x, out) or not _are_given(gamma, size):
        plain.rms_norm(x, gamma, epsilon, out, rows, size)
        return
    _words[_IS_CENTRED // 4] = 0
    _normalised(x, gamma, None, epsilon, out, rows, size)


def _are_given(numbers, count):
    return numbers is None or are_floats(numbers, count)


def _normalised(x, gamma, beta, epsilon, out, rows, size):
    _epsilon[0] = epsilon
    keep(_words, _GAMMA, _one if gamma is None else gamma)
    keep(_words, _BETA, _zero if beta is None else beta)
    keep(_words, _EPSILON, _epsilon)
    _words[_GAMMA_STEP // 4] = 0 if gamma is None else 4
    _words[_BETA_STEP // 4] = 0 if beta is None else 4
    _words[_ROWS // 4] = rows
    _words[_SIZE // 4] = size
    _normalise(x, out, _words)
.end

.include "macros.inc"

.function _normalise, r0, r1, r2
    @ r0: x. r1: out. r2: words. Parameters are at any address: integer registers load them.
    push {r8, r9}
    set r8, [r2, GAMMA_STEP]; set r9, [r2, BETA_STEP]
    ldr r3, [r2, EPSILON]
    vldr s5, [r3]
    ldr r7, [r2, SIZE]
    vmov s6, r7
    vcvt.f32.s32 s6, s6
    lsls r5, r7, 2

    @ A row: s1 its mean, s2 the mean of what is left without it, s3 that of the squares.
ROW:
    count_down [r2, ROWS]; bmi END
    movs r4, 0
    vmov s1, r4; vmov s2, r4; vmov s3, r4
    ldr r3, [r2, IS_CENTRED]
    cmp r3, 0; beq SPREAD
    mov r6, r7
ADD:
    vldr s0, [r0]
    vadd.f32 s1, s1, s0
    adds r0, 4
    subs r6, 1; bne ADD
    subs r0, r0, r5
    vdiv.f32 s1, s1, s6
SPREAD:
    mov r6, r7
DEVIATION:
    vldr s0, [r0]
    vsub.f32 s0, s0, s1
    vadd.f32 s2, s2, s0
    vfma.f32 s3, s0, s0
    adds r0, 4
    subs r6, 1; bne DEVIATION
    subs r0, r0, r5
    vdiv.f32 s3, s3, s6
    cmp r3, 0; beq SCALE
    @ The mean was rounded, and numbers that are large beside their spread are off by that.
    vdiv.f32 s2, s2, s6
    vadd.f32 s1, s1, s2
    vfms.f32 s3, s2, s2
SCALE:
    vadd.f32 s3, s3, s5
    vsqrt.f32 s3, s3
    ldr r3, [r2, GAMMA]; ldr r4, [r2, BETA]
    mov r6, r7
NUMBER:
    vldr s0, [r0]
    vsub.f32 s0, s0, s1
    vdiv.f32 s0, s0, s3
    ldr r5, [r3]
    vmov s2, r5
    ldr r5, [r4]
    vmov s4, r5
    vfma.f32 s4, s0, s2
    vstr s4, [r1]
    add r3, r8; add r4, r9
    adds r0, 4; adds r1, 4
    subs r6, 1; bne NUMBER
    lsls r5, r7, 2
    b ROW
END:
    pop {r8, r9}
    movs r0, 0
.end
