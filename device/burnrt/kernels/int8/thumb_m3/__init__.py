# ruff: noqa: F821
"""Integer kernels in inline assembler for Armv7-M: Cortex-M3, and M4 without signal processing alike.

Each family of kernels is imported when it is first used; what is missing, "thumb_m0" has. A kernel is one
function of machine code that does a whole layer, with all it has to know on the stack: 240 bytes at most.

The families are generated from tools/asm/int8/thumb_m3. What MicroPython's assembler lacks stands there as
halfwords, `data(2, ...)`, with the instruction behind as a comment.
"""

import sys

import micropython

from burnrt.kernels.families import kernel

_ARMV7M = (5, 6, 7, 8)  # armv7m to armv7emdp, as MicroPython numbers the architectures of .mpy files

if getattr(sys.implementation, "_mpy", 0) >> 10 & 15 not in _ARMV7M:
    raise ImportError("no Arm chip with instructions of 32 bits")


@micropython.asm_thumb
def _probe():
    """Make the import of this package fail where there is no inline assembler."""
    nop()


def __getattr__(name):
    return kernel("burnrt.kernels.int8.thumb_m3", name)
