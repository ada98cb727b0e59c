# Generated from tools/asm/thumb_fpu/dense.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The dense layer for a floating-point unit.

Eight columns at a time: as many sums in registers share each number of x. The last eight may begin before
those before them have ended: what both have comes out the same twice.
"""

from array import array

import micropython
from micropython import const

import burnrt.kernels.plain as plain
from burnrt.kernels.thumb_fpu.memory import apart, are_layers_floats, keep

# What the assembler is told, and keeps, in words: where they are, in bytes.
_BIAS = const(0)  # its address, or 0
_ROWS = const(4)  # yet to do
_INPUTS = const(8)
_OUTPUTS = const(12)
_X = const(16)  # the address of the row
_WEIGHT = const(20)  # its address
_COLUMN = const(24)  # the first of those in the registers

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


@micropython.asm_thumb
def _multiply(r0, r1, r2, r3):
    # r0: x. r1: weight, at any address. r2: out, from the row on. r3: words.
    str(r0, [r3, _X])
    str(r1, [r3, _WEIGHT])

    label(ROW)
    ldr(r4, [r3, _ROWS])
    cmp(r4, 0)
    bne(BEGIN)
    b(END)
    label(BEGIN)
    sub(r4, 1)
    str(r4, [r3, _ROWS])
    mov(r4, 0)

    label(COLUMNS)
    # r4: the first column that is not done.
    ldr(r5, [r3, _OUTPUTS])
    sub(r6, r5, r4)
    bgt(CHOOSE)
    b(ROW_DONE)
    label(CHOOSE)
    str(r4, [r3, _COLUMN])
    cmp(r6, 8)
    bge(EIGHT)
    cmp(r5, 8)
    bge(LAST_EIGHT)
    b(ONE)
    label(LAST_EIGHT)
    mov(r4, r5)
    sub(r4, 8)
    str(r4, [r3, _COLUMN])

    label(EIGHT)
    # s0-s7: the sums, which begin with the bias.
    lsl(r7, r4, 2)
    ldr(r5, [r3, _BIAS])
    cmp(r5, 0)
    beq(NO_BIAS)
    add(r5, r5, r7)
    ldr(r6, [r5, 0])
    vmov(s0, r6)
    ldr(r6, [r5, 4])
    vmov(s1, r6)
    ldr(r6, [r5, 8])
    vmov(s2, r6)
    ldr(r6, [r5, 12])
    vmov(s3, r6)
    ldr(r6, [r5, 16])
    vmov(s4, r6)
    ldr(r6, [r5, 20])
    vmov(s5, r6)
    ldr(r6, [r5, 24])
    vmov(s6, r6)
    ldr(r6, [r5, 28])
    vmov(s7, r6)
    b(SUM)
    label(NO_BIAS)
    vmov(s0, r5)
    vmov(s1, r5)
    vmov(s2, r5)
    vmov(s3, r5)
    vmov(s4, r5)
    vmov(s5, r5)
    vmov(s6, r5)
    vmov(s7, r5)

    label(SUM)
    # r0: x. r1: the first weight of the eight. r4: how many inputs. r5: from weight to weight down a column.
    ldr(r1, [r3, _WEIGHT])
    add(r1, r1, r7)
    ldr(r5, [r3, _OUTPUTS])
    lsl(r5, r5, 2)
    ldr(r0, [r3, _X])
    ldr(r4, [r3, _INPUTS])
    cmp(r4, 0)
    beq(STORE)
    mov(r6, 3)
    tst(r1, r6)
    bne(UNALIGNED)
    sub(r5, 32)  # what the loads move r1 on by

    label(ALIGNED)
    vldr(s12, [r0, 0])
    add(r0, 4)
    data(2, 0xECB1, 0x4A04)  # vldmia r1!, {s8-s11}
    data(2, 0xEEA6, 0x0A04)  # vfma.f32 s0, s12, s8
    data(2, 0xEEE6, 0x0A24)  # vfma.f32 s1, s12, s9
    data(2, 0xEEA6, 0x1A05)  # vfma.f32 s2, s12, s10
    data(2, 0xEEE6, 0x1A25)  # vfma.f32 s3, s12, s11
    data(2, 0xECB1, 0x4A04)  # vldmia r1!, {s8-s11}
    data(2, 0xEEA6, 0x2A04)  # vfma.f32 s4, s12, s8
    data(2, 0xEEE6, 0x2A24)  # vfma.f32 s5, s12, s9
    data(2, 0xEEA6, 0x3A05)  # vfma.f32 s6, s12, s10
    data(2, 0xEEE6, 0x3A25)  # vfma.f32 s7, s12, s11
    add(r1, r1, r5)
    sub(r4, 1)
    bne(ALIGNED)
    b(STORE)

    label(UNALIGNED)
    # Only an integer register can be loaded from any address.
    vldr(s12, [r0, 0])
    add(r0, 4)
    ldr(r6, [r1, 0])
    ldr(r7, [r1, 4])
    data(2, 0xEC47, 0x6A14)  # vmov s8, s9, r6, r7
    ldr(r6, [r1, 8])
    ldr(r7, [r1, 12])
    data(2, 0xEC47, 0x6A15)  # vmov s10, s11, r6, r7
    data(2, 0xEEA6, 0x0A04)  # vfma.f32 s0, s12, s8
    data(2, 0xEEE6, 0x0A24)  # vfma.f32 s1, s12, s9
    data(2, 0xEEA6, 0x1A05)  # vfma.f32 s2, s12, s10
    data(2, 0xEEE6, 0x1A25)  # vfma.f32 s3, s12, s11
    ldr(r6, [r1, 16])
    ldr(r7, [r1, 20])
    data(2, 0xEC47, 0x6A14)  # vmov s8, s9, r6, r7
    ldr(r6, [r1, 24])
    ldr(r7, [r1, 28])
    data(2, 0xEC47, 0x6A15)  # vmov s10, s11, r6, r7
    data(2, 0xEEA6, 0x2A04)  # vfma.f32 s4, s12, s8
    data(2, 0xEEE6, 0x2A24)  # vfma.f32 s5, s12, s9
    data(2, 0xEEA6, 0x3A05)  # vfma.f32 s6, s12, s10
    data(2, 0xEEE6, 0x3A25)  # vfma.f32 s7, s12, s11
    add(r1, r1, r5)
    sub(r4, 1)
    bne(UNALIGNED)

    label(STORE)
    ldr(r4, [r3, _COLUMN])
    lsl(r5, r4, 2)
    add(r5, r5, r2)
    data(2, 0xECA5, 0x0A08)  # vstmia r5!, {s0-s7}
    add(r4, 8)
    b(COLUMNS)

    label(ONE)
    # The same for one column, of less than eight.
    lsl(r7, r4, 2)
    ldr(r5, [r3, _BIAS])
    cmp(r5, 0)
    beq(SUM_ONE)
    add(r5, r5, r7)
    ldr(r5, [r5, 0])
    label(SUM_ONE)
    vmov(s0, r5)
    ldr(r1, [r3, _WEIGHT])
    add(r1, r1, r7)
    ldr(r5, [r3, _OUTPUTS])
    lsl(r5, r5, 2)
    ldr(r0, [r3, _X])
    ldr(r4, [r3, _INPUTS])
    cmp(r4, 0)
    beq(STORE_ONE)
    label(NEXT)
    vldr(s12, [r0, 0])
    add(r0, 4)
    ldr(r6, [r1, 0])
    vmov(s8, r6)
    data(2, 0xEEA6, 0x0A04)  # vfma.f32 s0, s12, s8
    add(r1, r1, r5)
    sub(r4, 1)
    bne(NEXT)
    label(STORE_ONE)
    add(r7, r7, r2)
    vstr(s0, [r7, 0])
    ldr(r4, [r3, _COLUMN])
    add(r4, 1)
    b(COLUMNS)

    label(ROW_DONE)
    lsl(r5, r5, 2)
    add(r2, r2, r5)
    ldr(r5, [r3, _INPUTS])
    lsl(r5, r5, 2)
    ldr(r4, [r3, _X])
    add(r4, r4, r5)
    str(r4, [r3, _X])
    b(ROW)

    label(END)
    mov(r0, 0)
