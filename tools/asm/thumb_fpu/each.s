.python
"""Functions of each number for itself, for a floating-point unit."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import _apart, apart, are_floats, keep
.end

@ What `_scale` is told, and keeps, in words: where they are, in bytes.
.equ GAMMA, 0           @ addresses
.equ BETA, 4
.equ MEAN, 8            @ or 0: gamma and beta are all there is
.equ VARIANCE, 12
.equ EPSILON, 16
.equ IMAGES, 20         @ yet to do
.equ CHANNELS, 24
.equ INNER, 28

.python
_words = array("i", range(8))
_epsilon = array("f", (0.0,))


def relu(x, out, count):
    if apart(x, out):
        plain.relu(x, out, count)
        return
    _rectify(x, out, count)


def add(a, b, out, count):
    if not _are_all_floats(a, b, count) or _apart(a, b) or _apart(a, out):
        plain.add(a, b, out, count)
        return
    _add(a, b, out, count)


def multiply(a, b, out, count):
    if not _are_all_floats(a, b, count) or _apart(a, b) or _apart(a, out):
        plain.multiply(a, b, out, count)
        return
    _multiply(a, b, out, count)


def batch_norm(x, gamma, beta, mean, variance, epsilon, out, batch, channels, inner):
    if apart(x, out) or not (
        _are_all_floats(gamma, beta, channels) and _are_all_floats(mean, variance, channels)
    ):
        plain.batch_norm(x, gamma, beta, mean, variance, epsilon, out, batch, channels, inner)
        return
    keep(_words, _MEAN, mean)
    keep(_words, _VARIANCE, variance)
    _epsilon[0] = epsilon
    _scaled(x, gamma, beta, out, batch, channels, inner)


def affine(x, gamma, beta, out, batch, channels, inner):
    if apart(x, out) or not _are_all_floats(gamma, beta, channels):
        plain.affine(x, gamma, beta, out, batch, channels, inner)
        return
    keep(_words, _MEAN, None)
    _scaled(x, gamma, beta, out, batch, channels, inner)


def _are_all_floats(first, second, count):
    return are_floats(first, count) and are_floats(second, count)


def _scaled(x, gamma, beta, out, batch, channels, inner):
    keep(_words, _GAMMA, gamma)
    keep(_words, _BETA, beta)
    keep(_words, _EPSILON, _epsilon)
    _words[_IMAGES // 4] = batch
    _words[_CHANNELS // 4] = channels
    _words[_INNER // 4] = inner
    _scale(x, out, _words)
.end

.include "macros.inc"

.macro parameter register, address      @ of this channel
    ldr r3, [r2, \address]
    adds r3, r3, r6
    load \register, [r3], r4
.endm

.function _rectify, r0, r1, r2
    @ r0: x. r1: out. r2: count.
    movs r3, 0
    vmov s1, r3
    cmp r2, 0; beq END
NEXT:
    vldr s0, [r0]
    vcmpe.f32 s0, s1
    vmrs APSR_nzcv, FPSCR
    it mi                               @ less: neither -0 nor NaN is
    vmovmi.f32 s0, s1
    vstr s0, [r1]
    adds r0, 4; adds r1, 4
    subs r2, 1; bne NEXT
END:
    movs r0, 0
.end

.macro each_pair operation
    cmp r3, 0; beq END
NEXT:
    vldr s0, [r0]; vldr s1, [r1]
    \operation s0, s0, s1
    vstr s0, [r2]
    adds r0, 4; adds r1, 4; adds r2, 4
    subs r3, 1; bne NEXT
END:
    movs r0, 0
.endm

.function _add, r0, r1, r2, r3
    @ r0: a. r1: b. r2: out. r3: count.
    each_pair vadd.f32
.end

.function _multiply, r0, r1, r2, r3
    @ r0: a. r1: b. r2: out. r3: count.
    each_pair vmul.f32
.end

.function _scale, r0, r1, r2
    @ r0: x. r1: out. r2: words. Parameters are at any address: integer registers load them.
    ldr r3, [r2, EPSILON]
    vldr s5, [r3]
IMAGE:
    ldr r3, [r2, IMAGES]
    cmp r3, 0; beq END
    subs r3, 1; str r3, [r2, IMAGES]
    movs r6, 0                          @ the channel, in bytes

CHANNEL:
    ldr r5, [r2, CHANNELS]
    lsls r5, r5, 2
    cmp r6, r5; bge IMAGE
    @ s0: gamma, then the factor. s1: beta, then what is added.
    parameter s0, GAMMA; parameter s1, BETA
    ldr r3, [r2, MEAN]
    cmp r3, 0; beq INNER
    adds r3, r3, r6
    load s2, [r3], r4
    parameter s3, VARIANCE
    vadd.f32 s3, s3, s5
    vsqrt.f32 s3, s3
    vdiv.f32 s0, s0, s3
    vmul.f32 s2, s2, s0
    vsub.f32 s1, s1, s2

INNER:
    adds r6, 4
    ldr r3, [r2, INNER]
    cmp r3, 0; beq CHANNEL
NEXT:
    vldr s4, [r0]
    vmul.f32 s4, s4, s0
    vadd.f32 s4, s4, s1
    vstr s4, [r1]
    adds r0, 4; adds r1, 4
    subs r3, 1; bne NEXT; b CHANNEL
END:
    movs r0, 0
.end
