# ruff: noqa: F821
"""Integer kernels in inline assembler for Armv6-M: Cortex-M0, M0+ and M23; M3 runs them, too.

Each family of kernels is imported when it is first used. A kernel is one function of machine code that does a
whole layer, with all that it needs to know on the stack, 340 bytes at most.

What MicroPython's assembler lacks is emitted as a halfword, `data(2, ...)`, with the instruction behind as a
comment. By their bits, the number of a register and others between:

    ldr t, [sp, 4 * i]    1001 1ttt iiii iiii    str t: 1001 0ttt iiii iiii
    ldr t, [n, m]         0101 100m mmnn nttt    str 0101 000, ldrb 0101 110, strb 0101 010, ldrsb 0101 011
    ldmia n!, {...}       1100 1nnn, a bit for each register
    add d, m              0100 0100 dmmm mddd    of all registers, without a word on the result
    cmp n, m              0100 0101 nmmm mnnn    of all registers
    sxth d, m             1011 0010 00mm mddd    uxth 1011 0010 10, sxtb 1011 0010 01
    add d, sp, 4 * i      1010 1ddd iiii iiii    sub sp, 4 * i: 1011 0000 1iii iiii; add: 1011 0000 0iii iiii

A sum s becomes an output in the same way everywhere: s >> a, cut to 16 bits where it does not fit them, × m,
>> b, whose last bit the carry holds and `adc` adds, and ZERO with it; then a cut to LOW..HIGH.
"""

import sys

import micropython

_HOMES = {
    "linear": "dense",
    "conv2d": "conv",
    "depthwise2d": "depthwise",
    "max_pool2d": "max_pool",
    "avg_pool2d": "avg_pool",
    "add": "elementwise",
    "lookup": "elementwise",
}

_ARM_M = (4, 5, 6, 7, 8)  # armv6m to armv7emdp, as MicroPython numbers the architectures of .mpy files

if getattr(sys.implementation, "_mpy", 0) >> 10 & 15 not in _ARM_M:
    raise ImportError("no Arm chip for microcontrollers")


@micropython.asm_thumb
def _probe():
    """Make the import of this package fail where there is no inline assembler."""
    nop()


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(__import__("burnrt.kernels.int8.thumb_m0." + _HOMES[name], None, None, (name,)), name)
