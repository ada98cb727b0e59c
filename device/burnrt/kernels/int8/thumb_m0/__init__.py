# ruff: noqa: F821
"""Integer kernels in inline assembler for Armv6-M: Cortex-M0, M0+ and M23; M3 runs them, too.

Each family of kernels is imported when it is first used. A kernel is one function of machine code that does a
whole layer, with all that it needs to know on the stack, 340 bytes at most.

The families are generated from tools/asm/int8/thumb_m0. What MicroPython's assembler lacks stands there as a
halfword, `data(2, ...)`, with the instruction behind as a comment.
"""

import sys

import micropython

from burnrt.kernels.families import kernel

_ARM_M = (4, 5, 6, 7, 8)  # armv6m to armv7emdp, as MicroPython numbers the architectures of .mpy files

if getattr(sys.implementation, "_mpy", 0) >> 10 & 15 not in _ARM_M:
    raise ImportError("no Arm chip for microcontrollers")


@micropython.asm_thumb
def _probe():
    """Make the import of this package fail where there is no inline assembler."""
    nop()


def __getattr__(name):
    return kernel("burnrt.kernels.int8.thumb_m0", name)
