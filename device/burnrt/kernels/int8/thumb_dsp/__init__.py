# ruff: noqa: F821
"""Integer kernels in inline assembler for Armv7E-M with its signal processing: Cortex-M4, M7, M33 and later.

Each family of kernels is imported when it is first used; what is missing, "thumb_m0" has. A kernel is one
function of machine code that does a whole layer, with all it has to know on the stack: 300 bytes at most.

What MicroPython's assembler lacks is emitted as halfwords, `data(2, ...)`, with the instruction behind as a
comment. In those of 32 bits, registers and small numbers are hexadecimal digits at fixed places:

    uxtb16 d, m              FA3F Fd8m    bytes 0 and 2 of m to 16 bits each; 1 and 3 with ror 8: Fd9m
    sxtb16 d, m              FA2F Fd8m    the same with their sign; ror 8: Fd9m
    uxtab16 d, n, m          FA3n Fd8m    the same without, each added to one half of n; ror 8: Fd9m
    smlad d, n, m, a         FB2n ad0m    d = a + n low × m low + n high × m high
    smladx d, n, m, a        FB2n ad1m    d = a + n low × m high + n high × m low
    smulbb d, n, m           FB1n Fd0m    d = n low × m low
    mla d, n, m, a           FB0n ad0m    d = a + n × m
    mul d, n, m              FB0n Fd0m
    ssat d, 16, n            F30n 0d0F    n, cut to 16 bits with a sign
    usat d, 8, n             F38n 0d08    n, cut to 8 bits without one
    uqadd8 d, n, m           FA8n Fd5m    sums of four bytes, at most 255 each
    usub8 d, n, m            FACn Fd4m    differences of four bytes: keeps which of n are at least m's
    sel d, n, m              FAAn Fd8m    of four bytes, n's where usub8 found them so, else m's
    ubfx d, n, 16, 5         F3Cn 4d04    bits 16-20
    pkhbt d, n, m, lsl 16    EACn 4d0m    n low, and m low above
    asr.w d, n, m            FA4n Fd0m    asrs.w, which keeps the last bit shifted out: FA5n
    adc.w d, n, m            EB4n 0d0m    with that bit
    ldr.w t, [n, i]          F8Dn tiii    str.w F8Cn
    ldr t, [n], i            F85n tBii    ldrb F81n, ldrsb F91n, strb F80n, strh F82n
    ldrd t, u, [n, 4 * i]    E9Dn tuii    strd E9Cn
    ldm.w n, {...}           E89n, a bit for each register; ldmia.w n!: E8Bn; stmia.w n!: E8An

A sum s becomes an output in the same way everywhere: s >> a by asr.w, cut to 16 bits by ssat, × m by smulbb,
>> b by asr, whose last bit adc.w adds, and ZERO - LOW with it; then usat takes what is below LOW, uqadd8 with
255 - (HIGH - LOW) what is above HIGH, and what is left is 255 - HIGH too large.
"""

import sys

import micropython

_HOMES = {
    "linear": "dense",
    "conv2d": "conv",
    "depthwise2d": "depthwise",
    "max_pool2d": "max_pool",
    "add": "elementwise",
}

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
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(__import__("burnrt.kernels.int8.thumb_dsp." + _HOMES[name], None, None, (name,)), name)
