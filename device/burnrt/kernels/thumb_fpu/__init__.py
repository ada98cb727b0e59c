# ruff: noqa: F821
"""Kernels in inline assembler for Arm chips that compute floats: Cortex-M4F, M7, M33 and later.

Shapes and contracts are those of the functions in `plain`, which takes over where x or out is not aligned to
4 bytes, and where a parameter is of another dtype than F32. F32 parameters are read where they lie, at any
address. A kernel allocates nothing; what it works with it has for itself, so two threads can't be in one at
once. Each family of kernels is imported when it is first used.

A product and the sum that it is added to are rounded once, together: results differ from plain's in their
last bits.

The families are generated from tools/asm/thumb_fpu. What MicroPython's assembler lacks stands there as
halfwords, `data(2, ...)`, with the instruction behind as a comment.
"""

import sys

import micropython

from burnrt.kernels.families import kernel

_WITH_FLOATS = (7, 8)  # armv7emsp and armv7emdp, as MicroPython numbers the architectures of .mpy files


if getattr(sys.implementation, "_mpy", 0) >> 10 & 15 not in _WITH_FLOATS:
    raise ImportError("no Arm chip that computes floats")


@micropython.asm_thumb
def _float_register():
    # Where the assembler of a port knows no floats, this is a syntax error, and the import fails.
    vmov(r0, s0)


def __getattr__(name):
    return kernel("burnrt.kernels.thumb_fpu", name)
