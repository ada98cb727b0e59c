.python
"""Functions of one number that are made of e's powers, for a floating-point unit.

Each is within about 2 units in the last place; of gelu and gelu_tanh what lies far below 0 is a little worse.
"""

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart
.end

.equ SIGMOID, 0
.equ SILU, 1
.equ TANH, 2
.equ GELU, 3
.equ GELU_TANH, 4

.python


def sigmoid(x, out, count):
    if apart(x, out):
        plain.sigmoid(x, out, count)
        return
    _curve(x, out, count, _SIGMOID)


def silu(x, out, count):
    if apart(x, out):
        plain.silu(x, out, count)
        return
    _curve(x, out, count, _SILU)


def tanh(x, out, count):
    if apart(x, out):
        plain.tanh(x, out, count)
        return
    _curve(x, out, count, _TANH)


def gelu(x, out, count):
    if apart(x, out):
        plain.gelu(x, out, count)
        return
    _curve(x, out, count, _GELU)


def gelu_tanh(x, out, count):
    if apart(x, out):
        plain.gelu_tanh(x, out, count)
        return
    _curve(x, out, count, _GELU_TANH)
.end

.include "macros.inc"
.include "exponential.inc"

.macro minus_if_negative number         @ where s1 is below 0
    vmov r4, s1
    cmp r4, 0
    it mi
    vnegmi.f32 \number, \number
.endm

.function _curve, r0, r1, r2, r3
    @ r0: x. r1: out. r2: count. r3: which of the functions. s16-s28 belong to some of some.
    vpush {s16-s28}
    exponential_constants
    cmp r3, TANH; blt.w COUNT; bgt NO_TANH
    @ tanh below 0.625, by Cephes' polynomial.
    constant s16, 0x3F200000         @ 0.625
    constant s17, 0xBBBAF0EA         @ -0.00570498873
    constant s18, 0x3CA9134E         @ 0.0206390888
    constant s19, 0xBD5C1E2D         @ -0.0537397156
    constant s20, 0x3E088393         @ 0.133314422
    constant s21, 0xBEAAAA99         @ -0.333332819
    b COUNT
NO_TANH:
    cmp r3, GELU; beq NO_GELU_TANH
    constant s16, 0x3D372713         @ 0.044715
    constant s17, 0x3FCC422A         @ 1.59576912, 2 √(2 / π)
    b COUNT
    @ The normal distribution's share beyond a: e^(-a² / 2) × a polynomial of t = 1 / (1 + 0.345 a), which is
    @ off by 2.4e-8 of it at most, as a least-squares fit with rising weights where it was worst has found.
NO_GELU_TANH:
    constant s16, 0x41700000         @ 15, beyond it all shares are 0
    constant s17, 0x3EB0A3D7         @ 0.345
    constant s18, 0xBF000000         @ -0.5
    constant s19, 0xBCE69E92         @ -0.0281517841
    constant s20, 0x3E13B1F4         @ 0.144233525
    constant s21, 0xBE89CE7A         @ -0.269153416
    constant s22, 0x3E3D7EEC         @ 0.185054481
    constant s23, 0xBD146E1D         @ -0.0362378247
    constant s24, 0x3DE3E04F         @ 0.111267678
    constant s25, 0x3DF05B7D         @ 0.117362
    constant s26, 0x3E0D513F         @ 0.138005242
    constant s27, 0x3E0CEC49         @ 0.137620106
COUNT:
    cmp r2, 0; beq.w END

    @ s1 is the number, s0 what becomes of it.
NEXT:
    vldr s1, [r0]
    vabs.f32 s0, s1
    cmp r3, TANH; bgt GELUS; beq TANGENT

SHARE:
    vneg.f32 s0, s0
    bl EXPONENTIAL
    @ With the power p of what is not positive, 1 / (1 + p), or below 0 p / (1 + p).
    vadd.f32 s2, s0, s13
    vmov r4, s1
    cmp r4, 0
    it pl
    vmovpl.f32 s0, s13
    cmp r3, SIGMOID; beq SHARED
    vmul.f32 s0, s0, s1
SHARED:
    vdiv.f32 s0, s0, s2
STORE:
    vstr s0, [r1]
    adds r0, 4; adds r1, 4
    subs r2, 1; bne NEXT; b END

TANGENT:
    vcmpe.f32 s0, s16
    vmrs APSR_nzcv, FPSCR; bmi SMALL
    vadd.f32 s0, s0, s0
    vneg.f32 s0, s0
    bl EXPONENTIAL
    vadd.f32 s2, s13, s0
    vsub.f32 s0, s13, s0
    vdiv.f32 s0, s0, s2
    minus_if_negative s0
    b STORE
SMALL:
    vmul.f32 s0, s1, s1
    step s2, s17, s0, s18
    step s3, s2, s0, s19
    step s2, s3, s0, s20
    step s3, s2, s0, s21
    vmul.f32 s3, s3, s0
    vmov.f32 s0, s1
    vfma.f32 s0, s3, s1
    b STORE

GELUS:
    cmp r3, GELU; beq NORMAL
    @ 0.5 (1 + tanh u) is the sigmoid of 2 u.
    vmul.f32 s2, s1, s1
    step s3, s2, s16, s13
    vmul.f32 s3, s3, s17
    vmul.f32 s0, s3, s0
    b SHARE
NORMAL:
    vcmpe.f32 s0, s16
    vmrs APSR_nzcv, FPSCR
    it gt
    vmovgt.f32 s0, s16
    step s3, s0, s17, s13
    vdiv.f32 s15, s13, s3
    @ The square, and what was lost of it, which a power makes large.
    vmul.f32 s2, s0, s0
    vneg.f32 s3, s2
    vfma.f32 s3, s0, s0
    vmul.f32 s0, s2, s18
    vmul.f32 s28, s3, s18
    bl EXPONENTIAL
    vfma.f32 s0, s0, s28
    step s2, s19, s15, s20
    step s3, s2, s15, s21
    step s2, s3, s15, s22
    step s3, s2, s15, s23
    step s2, s3, s15, s24
    step s3, s2, s15, s25
    step s2, s3, s15, s26
    step s3, s2, s15, s27
    vmul.f32 s3, s3, s15
    vmul.f32 s0, s0, s3
    vmov r4, s1
    cmp r4, 0; bmi BELOW
    vsub.f32 s0, s13, s0
BELOW:
    vmul.f32 s0, s0, s1
    b STORE

    exponential
END:
    vpop {s16-s28}
    movs r0, 0
.end
