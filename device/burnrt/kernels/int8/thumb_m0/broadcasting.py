# Generated from tools/asm/int8/thumb_m0/broadcasting.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Sums and products of two operands that are broadcast, for Armv6-M."""

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
    #   36  y
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB08A)  # sub sp, 40; STACK
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
    # r6 becomes the bias, less LOW << SHIFT, r5 the shift, r11 HIGH - LOW, r12 LOW.
    ldr(r6, [r3, _BIAS])
    ldr(r5, [r3, _SHIFT])
    ldr(r4, [r3, _LOW])
    mov(r12, r4)
    ldr(r7, [r3, _HIGH])
    sub(r7, r7, r4)
    mov(r11, r7)
    mov(r7, 1)
    lsl(r7, r7, 30)
    lsr(r7, r5)
    cmp(r4, r7)
    bcs(LARGE)
    mov(r7, r4)
    label(LARGE)
    lsl(r7, r5)
    sub(r6, r6, r7)
    mov(r10, r6)
    ldr(r6, [r3, _FIRST_FACTOR])
    ldr(r7, [r3, _SECOND_FACTOR])
    mov(r8, r7)
    ldr(r3, [r3, _OUTPUT])
    add(r3, r3, r0)
    mov(r0, r5)
    label(PLANE)
    data(2, 0x9C02)  # ldr r4, [sp, 8]; all_lines
    data(2, 0x9401)  # str r4, [sp, 4]; lines
    label(LINE)
    data(2, 0x9C03)  # ldr r4, [sp, 12]; count
    add(r7, r3, r4)
    mov(r9, r7)
    data(2, 0x9D04)  # ldr r5, [sp, 16]; step
    mov(r7, r8)
    cmp(r5, 0)
    beq(SAME)
    mov(r5, 3)
    neg(r4, r4)
    and_(r4, r5)
    sub(r1, r1, r4)
    sub(r3, r3, r4)
    sub(r2, r2, r4)
    mov(r5, 30)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(TWO_EACH)
    ldrb(r4, [r1, 0])
    ldrb(r5, [r2, 0])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    ldrb(r5, [r2, 1])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_2)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_2)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    ldrb(r5, [r2, 2])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_3)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_3)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    ldrb(r5, [r2, 3])
    mul(r4, r6)
    mul(r5, r7)
    add(r4, r4, r5)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_4)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_4)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r2, 4)
    add(r3, 4)
    data(2, 0x454B)  # cmp r3, r9
    bne(TWO_EACH)
    b(NEXT)
    label(SAME)
    # One number is that of a whole line.
    data(2, 0x9209)  # str r2, [sp, 36]; y
    ldrb(r5, [r2, 0])
    mul(r5, r7)
    data(2, 0x4455)  # add r5, r10
    mov(lr, r5)
    mov(r5, 3)
    neg(r4, r4)
    and_(r4, r5)
    sub(r1, r1, r4)
    sub(r3, r3, r4)
    mov(r5, 24)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(ONE_EACH)
    ldrb(r4, [r1, 0])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_5)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_5)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_6)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_6)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_7)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_7)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_8)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_8)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r3, 4)
    data(2, 0x454B)  # cmp r3, r9
    bne(ONE_EACH)
    data(2, 0x9A09)  # ldr r2, [sp, 36]; y
    label(NEXT)
    data(2, 0x9C05)  # ldr r4, [sp, 20]; x_line
    add(r1, r1, r4)
    data(2, 0x9C06)  # ldr r4, [sp, 24]; y_line
    add(r2, r2, r4)
    data(2, 0x9C01)  # ldr r4, [sp, 4]; lines
    sub(r4, 1)
    data(2, 0x9401)  # str r4, [sp, 4]; lines
    beq(NEXT_PLANE)
    b(LINE)
    label(NEXT_PLANE)
    data(2, 0x9C07)  # ldr r4, [sp, 28]; x_plane
    add(r1, r1, r4)
    data(2, 0x9C08)  # ldr r4, [sp, 32]; y_plane
    add(r2, r2, r4)
    data(2, 0x9C00)  # ldr r4, [sp, 0]; planes
    sub(r4, 1)
    data(2, 0x9400)  # str r4, [sp, 0]; planes
    beq(DONE)
    b(PLANE)
    label(DONE)
    data(2, 0xB00A)  # add sp, 40; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
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
    #   36  y
    #   40  factor
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB08B)  # sub sp, 44; STACK
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
    # r6 becomes the bias, less LOW << SHIFT, r5 the shift, r11 HIGH - LOW, r12 LOW.
    ldr(r6, [r3, _BIAS])
    ldr(r5, [r3, _SHIFT])
    ldr(r4, [r3, _LOW])
    mov(r12, r4)
    ldr(r7, [r3, _HIGH])
    sub(r7, r7, r4)
    mov(r11, r7)
    mov(r7, 1)
    lsl(r7, r7, 30)
    lsr(r7, r5)
    cmp(r4, r7)
    bcs(LARGE)
    mov(r7, r4)
    label(LARGE)
    lsl(r7, r5)
    sub(r6, r6, r7)
    mov(r10, r6)
    ldr(r4, [r3, _FIRST_ZERO])
    neg(r4, r4)
    mov(r8, r4)
    ldr(r4, [r3, _SECOND_ZERO])
    neg(r4, r4)
    mov(r9, r4)
    ldr(r4, [r3, _FACTOR])
    data(2, 0x940A)  # str r4, [sp, 40]; factor
    ldr(r3, [r3, _OUTPUT])
    add(r3, r3, r0)
    mov(r0, r5)
    label(PLANE)
    data(2, 0x9C02)  # ldr r4, [sp, 8]; all_lines
    data(2, 0x9401)  # str r4, [sp, 4]; lines
    label(LINE)
    data(2, 0x9E0A)  # ldr r6, [sp, 40]; factor
    data(2, 0x9C03)  # ldr r4, [sp, 12]; count
    add(r7, r3, r4)
    data(2, 0x9D04)  # ldr r5, [sp, 16]; step
    cmp(r5, 0)
    beq(SAME)
    mov(r5, 3)
    neg(r4, r4)
    and_(r4, r5)
    sub(r1, r1, r4)
    sub(r3, r3, r4)
    sub(r2, r2, r4)
    mov(r5, 32)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(TWO_EACH)
    ldrb(r4, [r1, 0])
    ldrb(r5, [r2, 0])
    data(2, 0x4444)  # add r4, r8
    data(2, 0x444D)  # add r5, r9
    mul(r4, r5)
    mul(r4, r6)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    ldrb(r5, [r2, 1])
    data(2, 0x4444)  # add r4, r8
    data(2, 0x444D)  # add r5, r9
    mul(r4, r5)
    mul(r4, r6)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_2)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_2)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    ldrb(r5, [r2, 2])
    data(2, 0x4444)  # add r4, r8
    data(2, 0x444D)  # add r5, r9
    mul(r4, r5)
    mul(r4, r6)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_3)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_3)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    ldrb(r5, [r2, 3])
    data(2, 0x4444)  # add r4, r8
    data(2, 0x444D)  # add r5, r9
    mul(r4, r5)
    mul(r4, r6)
    data(2, 0x4454)  # add r4, r10
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_4)
    mov(r5, r11)
    asr(r4, r4, 31)
    bic(r5, r4)
    mov(r4, r5)
    label(IN_RANGE_4)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r2, 4)
    add(r3, 4)
    cmp(r3, r7)
    bne(TWO_EACH)
    b(NEXT)
    label(SAME)
    # One number is that of a whole line: r6 becomes what the others are multiplied by.
    data(2, 0x9209)  # str r2, [sp, 36]; y
    ldrb(r5, [r2, 0])
    data(2, 0x444D)  # add r5, r9
    mul(r6, r5)
    mov(r5, r8)
    mul(r5, r6)
    data(2, 0x4455)  # add r5, r10
    mov(lr, r5)
    mov(r5, 3)
    neg(r4, r4)
    and_(r4, r5)
    sub(r1, r1, r4)
    sub(r3, r3, r4)
    mov(r5, 24)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(ONE_EACH)
    ldrb(r4, [r1, 0])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_5)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_5)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_6)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_6)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 1])
    ldrb(r4, [r1, 2])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_7)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_7)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 2])
    ldrb(r4, [r1, 3])
    mul(r4, r6)
    data(2, 0x4474)  # add r4, lr
    asr(r4, r0)
    data(2, 0x455C)  # cmp r4, r11
    bls(IN_RANGE_8)
    mov(r2, r11)
    asr(r4, r4, 31)
    bic(r2, r4)
    mov(r4, r2)
    label(IN_RANGE_8)
    data(2, 0x4464)  # add r4, r12
    strb(r4, [r3, 3])
    add(r1, 4)
    add(r3, 4)
    cmp(r3, r7)
    bne(ONE_EACH)
    data(2, 0x9A09)  # ldr r2, [sp, 36]; y
    label(NEXT)
    data(2, 0x9C05)  # ldr r4, [sp, 20]; x_line
    add(r1, r1, r4)
    data(2, 0x9C06)  # ldr r4, [sp, 24]; y_line
    add(r2, r2, r4)
    data(2, 0x9C01)  # ldr r4, [sp, 4]; lines
    sub(r4, 1)
    data(2, 0x9401)  # str r4, [sp, 4]; lines
    beq(NEXT_PLANE)
    b(LINE)
    label(NEXT_PLANE)
    data(2, 0x9C07)  # ldr r4, [sp, 28]; x_plane
    add(r1, r1, r4)
    data(2, 0x9C08)  # ldr r4, [sp, 32]; y_plane
    add(r2, r2, r4)
    data(2, 0x9C00)  # ldr r4, [sp, 0]; planes
    sub(r4, 1)
    data(2, 0x9400)  # str r4, [sp, 0]; planes
    beq(DONE)
    b(PLANE)
    label(DONE)
    data(2, 0xB00B)  # add sp, 44; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
