# Generated from tools/asm/thumb_fpu/sigmoids.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Functions of one number that are made of e's powers, for a floating-point unit.

Each is within about 2 units in the last place; of gelu and gelu_tanh what lies far below 0 is a little worse.
"""

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart

_SIGMOID = const(0)
_SILU = const(1)
_TANH = const(2)
_GELU = const(3)
_GELU_TANH = const(4)


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


@micropython.asm_thumb
def _curve(r0, r1, r2, r3):
    # r0: x. r1: out. r2: count. r3: which of the functions. s16-s28 belong to some of some.
    data(2, 0xED2D, 0x8A0D)  # vpush {s16-s28}
    movwt(r4, 0x3FB8AA3B)
    vmov(s4, r4)
    movwt(r4, 0x3F318000)
    vmov(s5, r4)
    movwt(r4, 0xB95E8083)
    vmov(s6, r4)
    movwt(r4, 0x39506967)
    vmov(s7, r4)
    movwt(r4, 0x3AB743CE)
    vmov(s8, r4)
    movwt(r4, 0x3C088908)
    vmov(s9, r4)
    movwt(r4, 0x3D2AA9C1)
    vmov(s10, r4)
    movwt(r4, 0x3E2AAAAA)
    vmov(s11, r4)
    movwt(r4, 0x3F000000)
    vmov(s12, r4)
    movwt(r4, 0x3F800000)
    vmov(s13, r4)
    movwt(r4, 0xC2D00000)
    vmov(s14, r4)
    cmp(r3, _TANH)
    blt_w(COUNT)
    bgt(NO_TANH)
    # tanh below 0.625, by Cephes' polynomial.
    movwt(r4, 0x3F200000)
    vmov(s16, r4)
    movwt(r4, 0xBBBAF0EA)
    vmov(s17, r4)
    movwt(r4, 0x3CA9134E)
    vmov(s18, r4)
    movwt(r4, 0xBD5C1E2D)
    vmov(s19, r4)
    movwt(r4, 0x3E088393)
    vmov(s20, r4)
    movwt(r4, 0xBEAAAA99)
    vmov(s21, r4)
    b(COUNT)
    label(NO_TANH)
    cmp(r3, _GELU)
    beq(NO_GELU_TANH)
    movwt(r4, 0x3D372713)
    vmov(s16, r4)
    movwt(r4, 0x3FCC422A)
    vmov(s17, r4)
    b(COUNT)
    # The normal distribution's share beyond a: e^(-a² / 2) × a polynomial of t = 1 / (1 + 0.345 a), which is
    # off by 2.4e-8 of it at most, as a least-squares fit with rising weights where it was worst has found.
    label(NO_GELU_TANH)
    movwt(r4, 0x41700000)
    vmov(s16, r4)
    movwt(r4, 0x3EB0A3D7)
    vmov(s17, r4)
    movwt(r4, 0xBF000000)
    vmov(s18, r4)
    movwt(r4, 0xBCE69E92)
    vmov(s19, r4)
    movwt(r4, 0x3E13B1F4)
    vmov(s20, r4)
    movwt(r4, 0xBE89CE7A)
    vmov(s21, r4)
    movwt(r4, 0x3E3D7EEC)
    vmov(s22, r4)
    movwt(r4, 0xBD146E1D)
    vmov(s23, r4)
    movwt(r4, 0x3DE3E04F)
    vmov(s24, r4)
    movwt(r4, 0x3DF05B7D)
    vmov(s25, r4)
    movwt(r4, 0x3E0D513F)
    vmov(s26, r4)
    movwt(r4, 0x3E0CEC49)
    vmov(s27, r4)
    label(COUNT)
    cmp(r2, 0)
    beq_w(END)

    # s1 is the number, s0 what becomes of it.
    label(NEXT)
    vldr(s1, [r0, 0])
    data(2, 0xEEB0, 0x0AE0)  # vabs.f32 s0, s1
    cmp(r3, _TANH)
    bgt(GELUS)
    beq(TANGENT)

    label(SHARE)
    data(2, 0xEEB1, 0x0A40)  # vneg.f32 s0, s0
    bl(EXPONENTIAL)
    # With the power p of what is not positive, 1 / (1 + p), or below 0 p / (1 + p).
    vadd(s2, s0, s13)
    vmov(r4, s1)
    cmp(r4, 0)
    it(pl)
    data(2, 0xEEB0, 0x0A66)  # vmovpl.f32 s0, s13
    cmp(r3, _SIGMOID)
    beq(SHARED)
    vmul(s0, s0, s1)
    label(SHARED)
    vdiv(s0, s0, s2)
    label(STORE)
    vstr(s0, [r1, 0])
    add(r0, 4)
    add(r1, 4)
    sub(r2, 1)
    bne(NEXT)
    b(END)

    label(TANGENT)
    vcmp(s0, s16)
    vmrs(APSR_nzcv, FPSCR)
    bmi(SMALL)
    vadd(s0, s0, s0)
    data(2, 0xEEB1, 0x0A40)  # vneg.f32 s0, s0
    bl(EXPONENTIAL)
    vadd(s2, s13, s0)
    vsub(s0, s13, s0)
    vdiv(s0, s0, s2)
    vmov(r4, s1)
    cmp(r4, 0)
    it(mi)
    data(2, 0xEEB1, 0x0A40)  # vnegmi.f32 s0, s0
    b(STORE)
    label(SMALL)
    vmul(s0, s1, s1)
    data(2, 0xEEB0, 0x1A49)  # vmov.f32 s2, s18
    data(2, 0xEEA8, 0x1A80)  # vfma.f32 s2, s17, s0
    data(2, 0xEEF0, 0x1A69)  # vmov.f32 s3, s19
    data(2, 0xEEE1, 0x1A00)  # vfma.f32 s3, s2, s0
    data(2, 0xEEB0, 0x1A4A)  # vmov.f32 s2, s20
    data(2, 0xEEA1, 0x1A80)  # vfma.f32 s2, s3, s0
    data(2, 0xEEF0, 0x1A6A)  # vmov.f32 s3, s21
    data(2, 0xEEE1, 0x1A00)  # vfma.f32 s3, s2, s0
    vmul(s3, s3, s0)
    data(2, 0xEEB0, 0x0A60)  # vmov.f32 s0, s1
    data(2, 0xEEA1, 0x0AA0)  # vfma.f32 s0, s3, s1
    b(STORE)

    label(GELUS)
    cmp(r3, _GELU)
    beq(NORMAL)
    # 0.5 (1 + tanh u) is the sigmoid of 2 u.
    vmul(s2, s1, s1)
    data(2, 0xEEF0, 0x1A66)  # vmov.f32 s3, s13
    data(2, 0xEEE1, 0x1A08)  # vfma.f32 s3, s2, s16
    vmul(s3, s3, s17)
    vmul(s0, s3, s0)
    b(SHARE)
    label(NORMAL)
    vcmp(s0, s16)
    vmrs(APSR_nzcv, FPSCR)
    it(gt)
    data(2, 0xEEB0, 0x0A48)  # vmovgt.f32 s0, s16
    data(2, 0xEEF0, 0x1A66)  # vmov.f32 s3, s13
    data(2, 0xEEE0, 0x1A28)  # vfma.f32 s3, s0, s17
    vdiv(s15, s13, s3)
    # The square, and what was lost of it, which a power makes large.
    vmul(s2, s0, s0)
    data(2, 0xEEF1, 0x1A41)  # vneg.f32 s3, s2
    data(2, 0xEEE0, 0x1A00)  # vfma.f32 s3, s0, s0
    vmul(s0, s2, s18)
    vmul(s28, s3, s18)
    bl(EXPONENTIAL)
    data(2, 0xEEA0, 0x0A0E)  # vfma.f32 s0, s0, s28
    data(2, 0xEEB0, 0x1A4A)  # vmov.f32 s2, s20
    data(2, 0xEEA9, 0x1AA7)  # vfma.f32 s2, s19, s15
    data(2, 0xEEF0, 0x1A6A)  # vmov.f32 s3, s21
    data(2, 0xEEE1, 0x1A27)  # vfma.f32 s3, s2, s15
    data(2, 0xEEB0, 0x1A4B)  # vmov.f32 s2, s22
    data(2, 0xEEA1, 0x1AA7)  # vfma.f32 s2, s3, s15
    data(2, 0xEEF0, 0x1A6B)  # vmov.f32 s3, s23
    data(2, 0xEEE1, 0x1A27)  # vfma.f32 s3, s2, s15
    data(2, 0xEEB0, 0x1A4C)  # vmov.f32 s2, s24
    data(2, 0xEEA1, 0x1AA7)  # vfma.f32 s2, s3, s15
    data(2, 0xEEF0, 0x1A6C)  # vmov.f32 s3, s25
    data(2, 0xEEE1, 0x1A27)  # vfma.f32 s3, s2, s15
    data(2, 0xEEB0, 0x1A4D)  # vmov.f32 s2, s26
    data(2, 0xEEA1, 0x1AA7)  # vfma.f32 s2, s3, s15
    data(2, 0xEEF0, 0x1A6D)  # vmov.f32 s3, s27
    data(2, 0xEEE1, 0x1A27)  # vfma.f32 s3, s2, s15
    vmul(s3, s3, s15)
    vmul(s0, s0, s3)
    vmov(r4, s1)
    cmp(r4, 0)
    bmi(BELOW)
    vsub(s0, s13, s0)
    label(BELOW)
    vmul(s0, s0, s1)
    b(STORE)

    # s0 becomes e^s0, for s0 up to 88. s2, s3, r4 and r5 are free.
    label(EXPONENTIAL)
    vcmp(s0, s14)
    vmrs(APSR_nzcv, FPSCR)
    it(mi)
    data(2, 0xEEB0, 0x0A47)  # vmovmi.f32 s0, s14
    vmul(s2, s0, s4)
    data(2, 0xEEBD, 0x1A41)  # vcvtr.s32.f32 s2, s2
    vmov(r4, s2)
    vcvt_f32_s32(s2, s2)
    data(2, 0xEEA1, 0x0A62)  # vfms.f32 s0, s2, s5
    data(2, 0xEEA1, 0x0A43)  # vfms.f32 s0, s2, s6
    data(2, 0xEEB0, 0x1A63)  # vmov.f32 s2, s7
    data(2, 0xEEF0, 0x1A44)  # vmov.f32 s3, s8
    data(2, 0xEEE1, 0x1A00)  # vfma.f32 s3, s2, s0
    data(2, 0xEEB0, 0x1A64)  # vmov.f32 s2, s9
    data(2, 0xEEA1, 0x1A80)  # vfma.f32 s2, s3, s0
    data(2, 0xEEF0, 0x1A45)  # vmov.f32 s3, s10
    data(2, 0xEEE1, 0x1A00)  # vfma.f32 s3, s2, s0
    data(2, 0xEEB0, 0x1A65)  # vmov.f32 s2, s11
    data(2, 0xEEA1, 0x1A80)  # vfma.f32 s2, s3, s0
    data(2, 0xEEF0, 0x1A46)  # vmov.f32 s3, s12
    data(2, 0xEEE1, 0x1A00)  # vfma.f32 s3, s2, s0
    vmul(s2, s0, s0)
    data(2, 0xEEA1, 0x0A81)  # vfma.f32 s0, s3, s2
    vadd(s0, s0, s13)
    # In two steps, as 2^n itself may be too small for a float.
    asr(r5, r4, 1)
    sub(r4, r4, r5)
    add(r5, 127)
    lsl(r5, r5, 23)
    vmov(s2, r5)
    vmul(s0, s0, s2)
    add(r4, 127)
    lsl(r4, r4, 23)
    vmov(s2, r4)
    vmul(s0, s0, s2)
    bx(lr)
    label(END)
    data(2, 0xECBD, 0x8A0D)  # vpop {s16-s28}
    mov(r0, 0)
