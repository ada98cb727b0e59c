# ruff: noqa: F821
"""Integer kernels in inline assembler for Armv7E-M with its signal processing: Cortex-M4, M7, M33 and later.

Each family of kernels is imported when it is first used; what is missing, "thumb_m0" has. A kernel is one
function of machine code that does a whole layer, with all it has to know on the stack: 300 bytes at most.

The families are generated from tools/asm/int8/thumb_dsp. What MicroPython's assembler lacks stands there as
halfwords, `data(2, ...)`, with the instruction behind as a comment.
"""

import sys

import micropython

from burnrt.kernels.families import kernel

# As MicroPython numbers the architectures of .mpy files. Those with floats have signal processing as well;
# armv7em is a Cortex-M3 or an M4.
_WITH_FLOATS = (7, 8)
_ARMV7EM = 6

_architecture = getattr(sys.implementation, "_mpy", 0) >> 10 & 15

if _architecture not in _WITH_FLOATS and _architecture != _ARMV7EM:
    raise ImportError("no Arm chip with instructions for signal processing")


@micropython.asm_thumb
def _signal_processing():
    """Return what the chip has of it, bits 4-7 of ID_ISAR3: 3 or more is all that the kernels use."""
    movwt(r0, 0xE000ED6C)
    ldr(r0, [r0, 0])
    lsl(r0, r0, 24)
    lsr(r0, r0, 28)


if _architecture == _ARMV7EM and _signal_processing() < 3:
    raise ImportError("this Arm chip has no instructions for signal processing")


def __getattr__(name):
    return kernel("burnrt.kernels.int8.thumb_dsp", name)
