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
    # r1 and r2 become the numbers, r0 where their sums go, r3 how many there are; r4 and r5 the factors, r6
    # the bias, less LOW << SHIFT, r7 the shift; r8 and r9 make a cut to HIGH, of four bytes, of two
    # instructions.
    ldr(r4, [r3, _LOW])
    ldr(r7, [r3, _SHIFT])
    mov(r1, 1)
    lsl(r1, r1, 30)
    lsr(r1, r7)
    cmp(r4, r1)
    bcs(LARGE)
    mov(r1, r4)
    label(LARGE)
    lsl(r1, r7)
    ldr(r6, [r3, _BIAS])
    sub(r6, r6, r1)
    ldr(r5, [r3, _HIGH])
    mov(r1, 255)
    sub(r5, r1, r5)
    add(r4, r4, r5)
    data(2, 0xEA44, 0x2404)  # orr r4, r4, r4, lsl 8
    data(2, 0xEA45, 0x2505)  # orr r5, r5, r5, lsl 8
    data(2, 0xEA44, 0x4804)  # orr r8, r4, r4, lsl 16
    data(2, 0xEA45, 0x4905)  # orr r9, r5, r5, lsl 16
    ldr(r1, [r3, _INPUT])
    ldr(r2, [r3, _OTHER])
    add(r1, r1, r0)
    add(r2, r2, r0)
    ldr(r4, [r3, _OUTPUT])
    add(r0, r0, r4)
    ldr(r4, [r3, _FIRST_FACTOR])
    ldr(r5, [r3, _SECOND_FACTOR])
    ldr(r3, [r3, _COUNT])
    sub(r3, 4)
    bcc(REST)
    label(FOUR)
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xF812, 0xCB01)  # ldrb r12, [r2], 1
    data(2, 0xFB0A, 0x6A04)  # mla r10, r10, r4, r6
    data(2, 0xFB0C, 0xAA05)  # mla r10, r12, r5, r10
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xF811, 0xBB01)  # ldrb r11, [r1], 1
    data(2, 0xF812, 0xCB01)  # ldrb r12, [r2], 1
    data(2, 0xFB0B, 0x6B04)  # mla r11, r11, r4, r6
    data(2, 0xFB0C, 0xBB05)  # mla r11, r12, r5, r11
    data(2, 0xFA4B, 0xFB07)  # asr r11, r11, r7
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xEA4A, 0x2A0B)  # orr r10, r10, r11, lsl 8
    data(2, 0xF811, 0xBB01)  # ldrb r11, [r1], 1
    data(2, 0xF812, 0xCB01)  # ldrb r12, [r2], 1
    data(2, 0xFB0B, 0x6B04)  # mla r11, r11, r4, r6
    data(2, 0xFB0C, 0xBB05)  # mla r11, r12, r5, r11
    data(2, 0xFA4B, 0xFB07)  # asr r11, r11, r7
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xEA4A, 0x4A0B)  # orr r10, r10, r11, lsl 16
    data(2, 0xF811, 0xBB01)  # ldrb r11, [r1], 1
    data(2, 0xF812, 0xCB01)  # ldrb r12, [r2], 1
    data(2, 0xFB0B, 0x6B04)  # mla r11, r11, r4, r6
    data(2, 0xFB0C, 0xBB05)  # mla r11, r12, r5, r11
    data(2, 0xFA4B, 0xFB07)  # asr r11, r11, r7
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xEA4A, 0x6A0B)  # orr r10, r10, r11, lsl 24
    data(2, 0xFA8A, 0xFA58)  # uqadd8 r10, r10, r8
    data(2, 0xEBAA, 0x0A09)  # sub r10, r10, r9
    data(2, 0xF840, 0xAB04)  # str r10, [r0], 4
    sub(r3, 4)
    bcs(FOUR)
    label(REST)
    add(r3, 4)
    beq(DONE)
    label(NUMBER)
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xF812, 0xCB01)  # ldrb r12, [r2], 1
    data(2, 0xFB0A, 0x6A04)  # mla r10, r10, r4, r6
    data(2, 0xFB0C, 0xAA05)  # mla r10, r12, r5, r10
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xFA8A, 0xFA58)  # uqadd8 r10, r10, r8
    data(2, 0xEBAA, 0x0A09)  # sub r10, r10, r9
    data(2, 0xF800, 0xAB01)  # strb r10, [r0], 1
    sub(r3, 1)
    bne(NUMBER)

    label(DONE)
    pop({r8, r9, r10, r11})
    mov(r0, 0)
