# Generated from tools/asm/thumb_fpu/probability.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Softmax for a floating-point unit."""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart

# What `_share` is told, and keeps, in words: where they are, in bytes.
_OUTER = const(0)  # yet to do
_SIZE = const(4)
_INNER = const(8)
_QUIET = const(12)  # whether there is one more number, 0, that has its share
_LINES = const(16)  # yet to do

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


@micropython.asm_thumb
def _share(r0, r1, r2):
    # r0: x. r1: out. r2: words. r3: from number to number of a line. r7: a line's length.
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
    ldr(r3, [r2, _INNER])
    lsl(r3, r3, 2)
    ldr(r7, [r2, _SIZE])
    mul(r7, r3)
    label(PLANE)
    ldr(r4, [r2, _OUTER])
    sub(r4, 1)
    str(r4, [r2, _OUTER])
    bmi_w(END)
    ldr(r4, [r2, _INNER])
    str(r4, [r2, _LINES])

    # A line: s1 its largest number. Once that is NaN it stays: NaN is no less than anything.
    label(LINE)
    vldr(s1, [r0, 0])
    ldr(r6, [r2, _SIZE])
    label(LARGEST)
    vldr(s0, [r0, 0])
    add(r0, r0, r3)
    vcmp(s1, s0)
    vmrs(APSR_nzcv, FPSCR)
    it(mi)
    data(2, 0xEEF0, 0x0A40)  # vmovmi.f32 s1, s0
    sub(r6, 1)
    bne(LARGEST)
    sub(r0, r0, r7)
    vmov(s15, r6)  # the sum, 0
    ldr(r6, [r2, _QUIET])
    cmp(r6, 0)
    beq(POWERS)
    vcmp(s1, s15)
    vmrs(APSR_nzcv, FPSCR)
    it(mi)
    data(2, 0xEEF0, 0x0A67)  # vmovmi.f32 s1, s15
    data(2, 0xEEB1, 0x0A60)  # vneg.f32 s0, s1
    bl(EXPONENTIAL)
    data(2, 0xEEF0, 0x7A40)  # vmov.f32 s15, s0
    label(POWERS)
    ldr(r6, [r2, _SIZE])
    label(POWER)
    vldr(s0, [r0, 0])
    vsub(s0, s0, s1)
    bl(EXPONENTIAL)
    vadd(s15, s15, s0)
    vstr(s0, [r1, 0])
    add(r0, r0, r3)
    add(r1, r1, r3)
    sub(r6, 1)
    bne(POWER)
    sub(r0, r0, r7)
    sub(r1, r1, r7)
    ldr(r6, [r2, _SIZE])
    label(DIVIDE)
    vldr(s0, [r1, 0])
    vdiv(s0, s0, s15)
    vstr(s0, [r1, 0])
    add(r1, r1, r3)
    sub(r6, 1)
    bne(DIVIDE)
    sub(r1, r1, r7)
    add(r0, 4)
    add(r1, 4)
    ldr(r4, [r2, _LINES])
    sub(r4, 1)
    str(r4, [r2, _LINES])
    bne(LINE)
    sub(r4, r7, r3)
    add(r0, r0, r4)
    add(r1, r1, r4)
    b(PLANE)

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
    mov(r0, 0)
