# Generated from tools/asm/int8/thumb_dsp/broadcasting.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Sums and products of two operands that are broadcast, for Armv7E-M."""

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
_FIRST_ZERO = const(28)
_SECOND_FACTOR = const(32)
_SECOND_ZERO = const(32)
_BIAS = const(36)
_SHIFT = const(40)
_PLANES = const(44)
_LINES = const(48)
_FIRST_STEPS = const(52)
_FIRST_STEPS_ACROSS = const(56)
_SECOND_STEPS = const(60)
_SECOND_STEPS_ACROSS = const(64)
_KEPT = const(72)
_FACTOR = const(76)


@micropython.asm_thumb
def add_strided(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  planes: left
    #    4  lines: left in the plane
    #    8  all_lines
    #   12  count: of numbers in a line
    #   16  step: of the second operand, from one to the next: 1 or 0
    #   20  x_line: from a line's end to the next line
    #   24  y_line
    #   28  x_plane: from the last line's next to the next plane's first
    #   32  y_plane
    #   36  over
    #   40  excess
    push({r8, r9, r10, r11})
    data(2, 0xB08C)  # sub sp, 48; STACK
    # r1 becomes the first operand's numbers, r2 the second's.
    ldr(r4, [r3, _KEPT])
    cmp(r4, 0)
    bne(KEPT_ONES)
    ldr(r1, [r3, _OTHER])
    add(r1, r1, r0)
    label(KEPT_ONES)
    mov(r2, r1)
    ldr(r1, [r3, _INPUT])
    add(r1, r1, r0)
    ldr(r4, [r3, _PLANES])
    data(2, 0x9400)  # str r4, [sp, 0]; planes
    ldr(r4, [r3, _LINES])
    data(2, 0x9402)  # str r4, [sp, 8]; all_lines
    ldr(r4, [r3, _COUNT])
    data(2, 0x9403)  # str r4, [sp, 12]; count
    ldr(r4, [r3, 68])
    data(2, 0x9404)  # str r4, [sp, 16]; step
    ldr(r5, [r3, _COUNT])
    ldr(r6, [r3, _FIRST_STEPS_ACROSS])
    sub(r7, r6, r5)
    data(2, 0x9705)  # str r7, [sp, 20]; x_line
    mul(r5, r4)
    ldr(r7, [r3, _SECOND_STEPS_ACROSS])
    ldr(r4, [r3, _LINES])
    sub(r5, r7, r5)
    data(2, 0x9506)  # str r5, [sp, 24]; y_line
    mul(r6, r4)
    mul(r7, r4)
    ldr(r4, [r3, _FIRST_STEPS])
    sub(r4, r4, r6)
    data(2, 0x9407)  # str r4, [sp, 28]; x_plane
    ldr(r4, [r3, _SECOND_STEPS])
    sub(r4, r4, r7)
    data(2, 0x9408)  # str r4, [sp, 32]; y_plane
    # r6 becomes the bias, less LOW << SHIFT, r7 the shift, r0 where the output goes. over and excess make a
    # cut to HIGH, of four bytes, of two instructions.
    ldr(r4, [r3, _LOW])
    ldr(r7, [r3, _SHIFT])
    mov(r5, 1)
    lsl(r5, r5, 30)
    lsr(r5, r7)
    cmp(r4, r5)
    bcs(LARGE)
    mov(r5, r4)
    label(LARGE)
    lsl(r5, r7)
    ldr(r6, [r3, _BIAS])
    sub(r6, r6, r5)
    ldr(r5, [r3, _HIGH])
    data(2, 0xF085, 0x05FF)  # eor r5, r5, 255
    add(r4, r4, r5)
    data(2, 0xEA44, 0x2404)  # orr r4, r4, r4, lsl 8
    data(2, 0xEA45, 0x2505)  # orr r5, r5, r5, lsl 8
    data(2, 0xEA44, 0x4404)  # orr r4, r4, r4, lsl 16
    data(2, 0xEA45, 0x4505)  # orr r5, r5, r5, lsl 16
    data(2, 0xE9CD, 0x4509)  # strd r4, r5, [sp, 36]; over
    ldr(r4, [r3, _OUTPUT])
    add(r0, r0, r4)
    ldr(r4, [r3, _FIRST_FACTOR])
    ldr(r5, [r3, _SECOND_FACTOR])
    label(PLANE)
    data(2, 0x9B02)  # ldr r3, [sp, 8]; all_lines
    data(2, 0x9301)  # str r3, [sp, 4]; lines
    label(LINE)
    data(2, 0x9B04)  # ldr r3, [sp, 16]; step
    cmp(r3, 0)
    beq(SAME)
    data(2, 0x9B03)  # ldr r3, [sp, 12]; count
    sub(r3, 4)
    bcc(REST)
    label(FOUR)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xF812, 0xBB01)  # ldrb r11, [r2], 1
    data(2, 0xFB09, 0x6904)  # mla r9, r9, r4, r6
    data(2, 0xFB0B, 0x9905)  # mla r9, r11, r5, r9
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xF812, 0xBB01)  # ldrb r11, [r2], 1
    data(2, 0xFB0A, 0x6A04)  # mla r10, r10, r4, r6
    data(2, 0xFB0B, 0xAA05)  # mla r10, r11, r5, r10
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x290A)  # orr r9, r9, r10, lsl 8
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xF812, 0xBB01)  # ldrb r11, [r2], 1
    data(2, 0xFB0A, 0x6A04)  # mla r10, r10, r4, r6
    data(2, 0xFB0B, 0xAA05)  # mla r10, r11, r5, r10
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x490A)  # orr r9, r9, r10, lsl 16
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xF812, 0xBB01)  # ldrb r11, [r2], 1
    data(2, 0xFB0A, 0x6A04)  # mla r10, r10, r4, r6
    data(2, 0xFB0B, 0xAA05)  # mla r10, r11, r5, r10
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x690A)  # orr r9, r9, r10, lsl 24
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF840, 0x9B04)  # str r9, [r0], 4
    sub(r3, 4)
    bcs(FOUR)
    label(REST)
    add(r3, 4)
    beq(NEXT)
    label(NUMBER)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xF812, 0xBB01)  # ldrb r11, [r2], 1
    data(2, 0xFB09, 0x6904)  # mla r9, r9, r4, r6
    data(2, 0xFB0B, 0x9905)  # mla r9, r11, r5, r9
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF800, 0x9B01)  # strb r9, [r0], 1
    sub(r3, 1)
    bne(NUMBER)
    b(NEXT)
    label(SAME)
    ldrb(r3, [r2, 0])
    data(2, 0xFB03, 0x6E05)  # mla lr, r3, r5, r6
    mov(r12, r4)
    data(2, 0x9B03)  # ldr r3, [sp, 12]; count
    sub(r3, 4)
    bcc(REST_SCALED)
    label(FOUR_SCALED)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0xE90C)  # mla r9, r9, r12, lr
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xFB0A, 0xEA0C)  # mla r10, r10, r12, lr
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x290A)  # orr r9, r9, r10, lsl 8
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xFB0A, 0xEA0C)  # mla r10, r10, r12, lr
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x490A)  # orr r9, r9, r10, lsl 16
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xFB0A, 0xEA0C)  # mla r10, r10, r12, lr
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x690A)  # orr r9, r9, r10, lsl 24
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF840, 0x9B04)  # str r9, [r0], 4
    sub(r3, 4)
    bcs(FOUR_SCALED)
    label(REST_SCALED)
    add(r3, 4)
    beq(ALL_SCALED)
    label(ONE_SCALED)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0xE90C)  # mla r9, r9, r12, lr
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF800, 0x9B01)  # strb r9, [r0], 1
    sub(r3, 1)
    bne(ONE_SCALED)
    label(ALL_SCALED)
    label(NEXT)
    data(2, 0x9B05)  # ldr r3, [sp, 20]; x_line
    add(r1, r1, r3)
    data(2, 0x9B06)  # ldr r3, [sp, 24]; y_line
    add(r2, r2, r3)
    data(2, 0x9B01)  # ldr r3, [sp, 4]; lines
    sub(r3, 1)
    data(2, 0x9301)  # str r3, [sp, 4]; lines
    beq(NEXT_PLANE)
    b(LINE)
    label(NEXT_PLANE)
    data(2, 0x9B07)  # ldr r3, [sp, 28]; x_plane
    add(r1, r1, r3)
    data(2, 0x9B08)  # ldr r3, [sp, 32]; y_plane
    add(r2, r2, r3)
    data(2, 0x9B00)  # ldr r3, [sp, 0]; planes
    sub(r3, 1)
    data(2, 0x9300)  # str r3, [sp, 0]; planes
    beq(DONE)
    b(PLANE)
    label(DONE)
    data(2, 0xB00C)  # add sp, 48; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)


@micropython.asm_thumb
def multiply_strided(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  planes: left
    #    4  lines: left in the plane
    #    8  all_lines
    #   12  count: of numbers in a line
    #   16  step: of the second operand, from one to the next: 1 or 0
    #   20  x_line: from a line's end to the next line
    #   24  y_line
    #   28  x_plane: from the last line's next to the next plane's first
    #   32  y_plane
    #   36  over
    #   40  excess
    #   44  first_zero: less than 0
    push({r8, r9, r10, r11})
    data(2, 0xB08C)  # sub sp, 48; STACK
    # r1 becomes the first operand's numbers, r2 the second's.
    ldr(r4, [r3, _KEPT])
    cmp(r4, 0)
    bne(KEPT_ONES)
    ldr(r1, [r3, _OTHER])
    add(r1, r1, r0)
    label(KEPT_ONES)
    mov(r2, r1)
    ldr(r1, [r3, _INPUT])
    add(r1, r1, r0)
    ldr(r4, [r3, _PLANES])
    data(2, 0x9400)  # str r4, [sp, 0]; planes
    ldr(r4, [r3, _LINES])
    data(2, 0x9402)  # str r4, [sp, 8]; all_lines
    ldr(r4, [r3, _COUNT])
    data(2, 0x9403)  # str r4, [sp, 12]; count
    ldr(r4, [r3, 68])
    data(2, 0x9404)  # str r4, [sp, 16]; step
    ldr(r5, [r3, _COUNT])
    ldr(r6, [r3, _FIRST_STEPS_ACROSS])
    sub(r7, r6, r5)
    data(2, 0x9705)  # str r7, [sp, 20]; x_line
    mul(r5, r4)
    ldr(r7, [r3, _SECOND_STEPS_ACROSS])
    ldr(r4, [r3, _LINES])
    sub(r5, r7, r5)
    data(2, 0x9506)  # str r5, [sp, 24]; y_line
    mul(r6, r4)
    mul(r7, r4)
    ldr(r4, [r3, _FIRST_STEPS])
    sub(r4, r4, r6)
    data(2, 0x9407)  # str r4, [sp, 28]; x_plane
    ldr(r4, [r3, _SECOND_STEPS])
    sub(r4, r4, r7)
    data(2, 0x9408)  # str r4, [sp, 32]; y_plane
    # r6 becomes the bias, less LOW << SHIFT, r7 the shift, r0 where the output goes. over and excess make a
    # cut to HIGH, of four bytes, of two instructions.
    ldr(r4, [r3, _LOW])
    ldr(r7, [r3, _SHIFT])
    mov(r5, 1)
    lsl(r5, r5, 30)
    lsr(r5, r7)
    cmp(r4, r5)
    bcs(LARGE)
    mov(r5, r4)
    label(LARGE)
    lsl(r5, r7)
    ldr(r6, [r3, _BIAS])
    sub(r6, r6, r5)
    ldr(r5, [r3, _HIGH])
    data(2, 0xF085, 0x05FF)  # eor r5, r5, 255
    add(r4, r4, r5)
    data(2, 0xEA44, 0x2404)  # orr r4, r4, r4, lsl 8
    data(2, 0xEA45, 0x2505)  # orr r5, r5, r5, lsl 8
    data(2, 0xEA44, 0x4404)  # orr r4, r4, r4, lsl 16
    data(2, 0xEA45, 0x4505)  # orr r5, r5, r5, lsl 16
    data(2, 0xE9CD, 0x4509)  # strd r4, r5, [sp, 36]; over
    ldr(r4, [r3, _OUTPUT])
    add(r0, r0, r4)
    # r4 becomes the factor, r5 and r8 the zero points below 0, in 16 bits twice each.
    ldr(r4, [r3, _FIRST_ZERO])
    neg(r4, r4)
    data(2, 0x940B)  # str r4, [sp, 44]; first_zero
    data(2, 0xEAC4, 0x4504)  # pkhbt r5, r4, r4, lsl 16
    ldr(r4, [r3, _SECOND_ZERO])
    neg(r4, r4)
    data(2, 0xEAC4, 0x4804)  # pkhbt r8, r4, r4, lsl 16
    ldr(r4, [r3, _FACTOR])
    label(PLANE)
    data(2, 0x9B02)  # ldr r3, [sp, 8]; all_lines
    data(2, 0x9301)  # str r3, [sp, 4]; lines
    label(LINE)
    data(2, 0x9B04)  # ldr r3, [sp, 16]; step
    cmp(r3, 0)
    beq(SAME)
    data(2, 0x9B03)  # ldr r3, [sp, 12]; count
    sub(r3, 4)
    bcc(REST)
    label(FOUR)
    data(2, 0xF851, 0xAB04)  # ldr r10, [r1], 4
    data(2, 0xF852, 0xCB04)  # ldr r12, [r2], 4
    data(2, 0xFA35, 0xFB8A)  # uxtab16 r11, r5, r10
    data(2, 0xFA35, 0xFA9A)  # uxtab16 r10, r5, r10, ror 8
    data(2, 0xFA38, 0xFE8C)  # uxtab16 lr, r8, r12
    data(2, 0xFA38, 0xFC9C)  # uxtab16 r12, r8, r12, ror 8
    data(2, 0xFB1B, 0xF90E)  # smulbb r9, r11, lr
    data(2, 0xFB1B, 0xFB3E)  # smultt r11, r11, lr
    data(2, 0xFB1A, 0xFE0C)  # smulbb lr, r10, r12
    data(2, 0xFB1A, 0xFA3C)  # smultt r10, r10, r12
    data(2, 0xFB09, 0x6904)  # mla r9, r9, r4, r6
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xFB0E, 0x6E04)  # mla lr, lr, r4, r6
    data(2, 0xFA4E, 0xFE07)  # asr lr, lr, r7
    data(2, 0xF38E, 0x0E08)  # usat lr, 8, lr
    data(2, 0xFB0B, 0x6B04)  # mla r11, r11, r4, r6
    data(2, 0xFA4B, 0xFB07)  # asr r11, r11, r7
    data(2, 0xF38B, 0x0B08)  # usat r11, 8, r11
    data(2, 0xFB0A, 0x6A04)  # mla r10, r10, r4, r6
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x290E)  # orr r9, r9, lr, lsl 8
    data(2, 0xEA49, 0x490B)  # orr r9, r9, r11, lsl 16
    data(2, 0xEA49, 0x690A)  # orr r9, r9, r10, lsl 24
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF840, 0x9B04)  # str r9, [r0], 4
    sub(r3, 4)
    bcs(FOUR)
    label(REST)
    add(r3, 4)
    beq(NEXT)
    label(NUMBER)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xF812, 0xAB01)  # ldrb r10, [r2], 1
    data(2, 0xFA35, 0xF989)  # uxtab16 r9, r5, r9
    data(2, 0xFA38, 0xFA8A)  # uxtab16 r10, r8, r10
    data(2, 0xFB19, 0xF90A)  # smulbb r9, r9, r10
    data(2, 0xFB09, 0x6904)  # mla r9, r9, r4, r6
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF800, 0x9B01)  # strb r9, [r0], 1
    sub(r3, 1)
    bne(NUMBER)
    b(NEXT)
    label(SAME)
    # A factor has 15 bits at most: what all numbers are multiplied by is a product of 16 bits each.
    ldrb(r3, [r2, 0])
    data(2, 0xFA38, 0xFC83)  # uxtab16 r12, r8, r3
    data(2, 0xFB1C, 0xFC04)  # smulbb r12, r12, r4
    data(2, 0x9B0B)  # ldr r3, [sp, 44]; first_zero
    data(2, 0xFB03, 0x6E0C)  # mla lr, r3, r12, r6
    data(2, 0x9B03)  # ldr r3, [sp, 12]; count
    sub(r3, 4)
    bcc(REST_SCALED)
    label(FOUR_SCALED)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0xE90C)  # mla r9, r9, r12, lr
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xFB0A, 0xEA0C)  # mla r10, r10, r12, lr
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x290A)  # orr r9, r9, r10, lsl 8
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xFB0A, 0xEA0C)  # mla r10, r10, r12, lr
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x490A)  # orr r9, r9, r10, lsl 16
    data(2, 0xF811, 0xAB01)  # ldrb r10, [r1], 1
    data(2, 0xFB0A, 0xEA0C)  # mla r10, r10, r12, lr
    data(2, 0xFA4A, 0xFA07)  # asr r10, r10, r7
    data(2, 0xF38A, 0x0A08)  # usat r10, 8, r10
    data(2, 0xEA49, 0x690A)  # orr r9, r9, r10, lsl 24
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF840, 0x9B04)  # str r9, [r0], 4
    sub(r3, 4)
    bcs(FOUR_SCALED)
    label(REST_SCALED)
    add(r3, 4)
    beq(ALL_SCALED)
    label(ONE_SCALED)
    data(2, 0xF811, 0x9B01)  # ldrb r9, [r1], 1
    data(2, 0xFB09, 0xE90C)  # mla r9, r9, r12, lr
    data(2, 0xFA49, 0xF907)  # asr r9, r9, r7
    data(2, 0xF389, 0x0908)  # usat r9, 8, r9
    data(2, 0xE9DD, 0xAB09)  # ldrd r10, r11, [sp, 36]; over
    data(2, 0xFA89, 0xF95A)  # uqadd8 r9, r9, r10
    data(2, 0xEBA9, 0x090B)  # sub r9, r9, r11
    data(2, 0xF800, 0x9B01)  # strb r9, [r0], 1
    sub(r3, 1)
    bne(ONE_SCALED)
    label(ALL_SCALED)
    label(NEXT)
    data(2, 0x9B05)  # ldr r3, [sp, 20]; x_line
    add(r1, r1, r3)
    data(2, 0x9B06)  # ldr r3, [sp, 24]; y_line
    add(r2, r2, r3)
    data(2, 0x9B01)  # ldr r3, [sp, 4]; lines
    sub(r3, 1)
    data(2, 0x9301)  # str r3, [sp, 4]; lines
    beq(NEXT_PLANE)
    b(LINE)
    label(NEXT_PLANE)
    data(2, 0x9B07)  # ldr r3, [sp, 28]; x_plane
    add(r1, r1, r3)
    data(2, 0x9B08)  # ldr r3, [sp, 32]; y_plane
    add(r2, r2, r3)
    data(2, 0x9B00)  # ldr r3, [sp, 0]; planes
    sub(r3, 1)
    data(2, 0x9300)  # str r3, [sp, 0]; planes
    beq(DONE)
    b(PLANE)
    label(DONE)
    data(2, 0xB00C)  # add sp, 48; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
