# Generated from tools/asm/thumb_fpu/each.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Functions of each number for itself, for a floating-point unit."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import _apart, apart, are_floats, keep

# What `_scale` is told, and keeps, in words: where they are, in bytes.
_GAMMA = const(0)  # addresses
_BETA = const(4)
_MEAN = const(8)  # or 0: gamma and beta are all there is
_VARIANCE = const(12)
_EPSILON = const(16)
_IMAGES = const(20)  # yet to do
_CHANNELS = const(24)
_INNER = const(28)

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


@micropython.asm_thumb
def _rectify(r0, r1, r2):
    # r0: x. r1: out. r2: count.
    mov(r3, 0)
    vmov(s1, r3)
    cmp(r2, 0)
    beq(END)
    label(NEXT)
    vldr(s0, [r0, 0])
    vcmp(s0, s1)
    vmrs(APSR_nzcv, FPSCR)
    it(mi)  # less: neither -0 nor NaN is
    data(2, 0xEEB0, 0x0A60)  # vmovmi.f32 s0, s1
    vstr(s0, [r1, 0])
    add(r0, 4)
    add(r1, 4)
    sub(r2, 1)
    bne(NEXT)
    label(END)
    mov(r0, 0)


@micropython.asm_thumb
def _add(r0, r1, r2, r3):
    # r0: a. r1: b. r2: out. r3: count.
    cmp(r3, 0)
    beq(END)
    label(NEXT)
    vldr(s0, [r0, 0])
    vldr(s1, [r1, 0])
    vadd(s0, s0, s1)
    vstr(s0, [r2, 0])
    add(r0, 4)
    add(r1, 4)
    add(r2, 4)
    sub(r3, 1)
    bne(NEXT)
    label(END)
    mov(r0, 0)


@micropython.asm_thumb
def _multiply(r0, r1, r2, r3):
    # r0: a. r1: b. r2: out. r3: count.
    cmp(r3, 0)
    beq(END)
    label(NEXT)
    vldr(s0, [r0, 0])
    vldr(s1, [r1, 0])
    vmul(s0, s0, s1)
    vstr(s0, [r2, 0])
    add(r0, 4)
    add(r1, 4)
    add(r2, 4)
    sub(r3, 1)
    bne(NEXT)
    label(END)
    mov(r0, 0)


@micropython.asm_thumb
def _scale(r0, r1, r2):
    # r0: x. r1: out. r2: words. Parameters are at any address: integer registers load them.
    ldr(r3, [r2, _EPSILON])
    vldr(s5, [r3, 0])
    label(IMAGE)
    ldr(r3, [r2, _IMAGES])
    cmp(r3, 0)
    beq(END)
    sub(r3, 1)
    str(r3, [r2, _IMAGES])
    mov(r6, 0)  # the channel, in bytes

    label(CHANNEL)
    ldr(r5, [r2, _CHANNELS])
    lsl(r5, r5, 2)
    cmp(r6, r5)
    bge(IMAGE)
    # s0: gamma, then the factor. s1: beta, then what is added.
    ldr(r3, [r2, _GAMMA])
    add(r3, r3, r6)
    ldr(r4, [r3, 0])
    vmov(s0, r4)
    ldr(r3, [r2, _BETA])
    add(r3, r3, r6)
    ldr(r4, [r3, 0])
    vmov(s1, r4)
    ldr(r3, [r2, _MEAN])
    cmp(r3, 0)
    beq(INNER)
    add(r3, r3, r6)
    ldr(r4, [r3, 0])
    vmov(s2, r4)
    ldr(r3, [r2, _VARIANCE])
    add(r3, r3, r6)
    ldr(r4, [r3, 0])
    vmov(s3, r4)
    vadd(s3, s3, s5)
    vsqrt(s3, s3)
    vdiv(s0, s0, s3)
    vmul(s2, s2, s0)
    vsub(s1, s1, s2)

    label(INNER)
    add(r6, 4)
    ldr(r3, [r2, _INNER])
    cmp(r3, 0)
    beq(CHANNEL)
    label(NEXT)
    vldr(s4, [r0, 0])
    vmul(s4, s4, s0)
    vadd(s4, s4, s1)
    vstr(s4, [r1, 0])
    add(r0, 4)
    add(r1, 4)
    sub(r3, 1)
    bne(NEXT)
    b(CHANNEL)
    label(END)
    mov(r0, 0)
