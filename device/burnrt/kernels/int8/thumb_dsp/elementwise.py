# Generated from tools/asm/int8/thumb_dsp/elementwise.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Adding for Armv7E-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_OTHER = const(20)
_COUNT = const(24)
_FIRST_FACTOR = const(28)
_SECOND_FACTOR = const(32)
_BIAS = const(36)
_SHIFT = const(40)


@micropython.asm_thumb
def add(r0, r1, r2, r3):
    push({r8, r9, r10, r11})
    # r1 and r2 are the numbers, r0 where their sums go, r3 how many there are; r4 and r5 the factors, r6 the
    # bias, r7 the shift; r8, r9 and r10 make a cut to LOW..HIGH of two saturating instructions.
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    mov(r6, 255)
    sub(r5, r6, r5)
    mov(r8, r4)
    add(r4, r4, r5)
    mov(r9, r4)
    mov(r10, r5)
    ldr(r1, [r3, _INPUT])
    add(r1, r1, r0)
    ldr(r2, [r3, _OTHER])
    add(r2, r2, r0)
    ldr(r4, [r3, _OUTPUT])
    add(r0, r0, r4)
    ldr(r4, [r3, _FIRST_FACTOR])
    ldr(r5, [r3, _SECOND_FACTOR])
    ldr(r6, [r3, _BIAS])
    ldr(r7, [r3, _SHIFT])
    ldr(r3, [r3, _COUNT])

    label(NUMBER)
    data(2, 0xF811, 0xBB01)  # ldrb r11, [r1], 1
    data(2, 0xF812, 0xCB01)  # ldrb r12, [r2], 1
    data(2, 0xFB0B, 0x6B04)  # mla r11, r11, r4, r6
    data(2, 0xFB0C, 0xBB05)  # mla r11, r12, r5, r11
    data(2, 0xFA4B, 0xFB07)  # asr r11, r11, r7
    data(2, 0xEBAB, 0x0B08)  # sub r11, r11, r8
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xFA8B, 0xFB59)  # uqadd8 r11, r11, r9
    data(2, 0xEBAB, 0x0B0A)  # sub r11, r11, r10
    data(2, 0xF800, 0xBB01)  # strb r11, [r0], 1
    sub(r3, r3, 1)
    bne(NUMBER)

    pop({r8, r9, r10, r11})
    mov(r0, 0)
