# Generated from tools/asm/thumb_fpu/norm.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Normalisation of rows for a floating-point unit."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart, are_floats, keep

# What `_normalise` is told, and keeps, in words: where they are, in bytes.
_GAMMA = const(0)  # addresses
_BETA = const(4)
_EPSILON = const(8)
_GAMMA_STEP = const(12)  # from number to number; 0 where one is for all
_BETA_STEP = const(16)
_ROWS = const(20)  # yet to do
_SIZE = const(24)
_IS_CENTRED = const(28)  # whether the mean becomes 0

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


@micropython.asm_thumb
def _normalise(r0, r1, r2):
    # r0: x. r1: out. r2: words. Parameters are at any address: integer registers load them.
    push({r8, r9})
    ldr(r4, [r2, _GAMMA_STEP])
    mov(r8, r4)
    ldr(r4, [r2, _BETA_STEP])
    mov(r9, r4)
    ldr(r3, [r2, _EPSILON])
    vldr(s5, [r3, 0])
    ldr(r7, [r2, _SIZE])
    vmov(s6, r7)
    vcvt_f32_s32(s6, s6)
    lsl(r5, r7, 2)

    # A row: s1 its mean, s2 the mean of what is left without it, s3 that of the squares.
    label(ROW)
    ldr(r4, [r2, _ROWS])
    sub(r4, 1)
    str(r4, [r2, _ROWS])
    bmi(END)
    mov(r4, 0)
    vmov(s1, r4)
    vmov(s2, r4)
    vmov(s3, r4)
    ldr(r3, [r2, _IS_CENTRED])
    cmp(r3, 0)
    beq(SPREAD)
    mov(r6, r7)
    label(ADD)
    vldr(s0, [r0, 0])
    vadd(s1, s1, s0)
    add(r0, 4)
    sub(r6, 1)
    bne(ADD)
    sub(r0, r0, r5)
    vdiv(s1, s1, s6)
    label(SPREAD)
    mov(r6, r7)
    label(DEVIATION)
    vldr(s0, [r0, 0])
    vsub(s0, s0, s1)
    vadd(s2, s2, s0)
    data(2, 0xEEE0, 0x1A00)  # vfma.f32 s3, s0, s0
    add(r0, 4)
    sub(r6, 1)
    bne(DEVIATION)
    sub(r0, r0, r5)
    vdiv(s3, s3, s6)
    cmp(r3, 0)
    beq(SCALE)
    # The mean was rounded, and numbers that are large beside their spread are off by that.
    vdiv(s2, s2, s6)
    vadd(s1, s1, s2)
    data(2, 0xEEE1, 0x1A41)  # vfms.f32 s3, s2, s2
    label(SCALE)
    vadd(s3, s3, s5)
    vsqrt(s3, s3)
    ldr(r3, [r2, _GAMMA])
    ldr(r4, [r2, _BETA])
    mov(r6, r7)
    label(NUMBER)
    vldr(s0, [r0, 0])
    vsub(s0, s0, s1)
    vdiv(s0, s0, s3)
    ldr(r5, [r3, 0])
    vmov(s2, r5)
    ldr(r5, [r4, 0])
    vmov(s4, r5)
    data(2, 0xEEA0, 0x2A01)  # vfma.f32 s4, s0, s2
    vstr(s4, [r1, 0])
    data(2, 0x4443)  # add r3, r8
    data(2, 0x444C)  # add r4, r9
    add(r0, 4)
    add(r1, 4)
    sub(r6, 1)
    bne(NUMBER)
    lsl(r5, r7, 2)
    b(ROW)
    label(END)
    pop({r8, r9})
    mov(r0, 0)
