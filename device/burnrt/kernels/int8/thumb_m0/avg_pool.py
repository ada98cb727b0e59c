# Generated from tools/asm/int8/thumb_m0/avg_pool.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The mean of the numbers in each window, for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_ZERO = const(16)
_RESCALE = const(20)
_CHANNELS = const(32)
_HEIGHT = const(36)
_WIDTH = const(40)
_OUT_HEIGHT = const(44)
_OUT_WIDTH = const(48)
_KERNEL_DOWN = const(52)
_KERNEL_ACROSS = const(56)
_STRIDE_DOWN = const(60)
_STRIDE_ACROSS = const(64)
_PADDING_DOWN = const(68)
_PADDING_ACROSS = const(72)
_DILATION_DOWN = const(76)
_DILATION_ACROSS = const(80)
_CELLS = const(84)


@micropython.asm_thumb
def avg_pool2d(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  row: where a window starts
    #    4  column
    #    8  rows: of outputs left
    #   12  x: the plane
    #   16  planes: left
    #   20  to_rescaling: from a bias to its rescaling word
    #   24  to_bias: from a bias to the next
    #   28  all_biases
    #   32  bias: the next
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB08A)  # sub sp, 40; STACK
    # r10 is where outputs go, r11 LOW, lr HIGH, r12 from column to column.
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    mov(r10, r4)
    ldr(r4, [r3, _LOW])
    mov(r11, r4)
    ldr(r4, [r3, _HIGH])
    mov(lr, r4)
    ldr(r4, [r3, _DILATION_ACROSS])
    mov(r12, r4)
    ldr(r4, [r3, _INPUT])
    add(r0, r0, r4)
    data(2, 0x9003)  # str r0, [sp, 12]; x
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9404)  # str r4, [sp, 16]; planes
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9405)  # str r4, [sp, 20]; to_rescaling
    data(2, 0x9207)  # str r2, [sp, 28]; all_biases
    mov(r4, 0)
    ldr(r5, [r3, _CELLS])
    cmp(r5, 1)
    beq(SAME)
    mov(r4, 4)
    label(SAME)
    data(2, 0x9406)  # str r4, [sp, 24]; to_bias

    label(PLANE)
    data(2, 0x9C07)  # ldr r4, [sp, 28]; all_biases
    data(2, 0x9408)  # str r4, [sp, 32]; bias
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x9400)  # str r4, [sp, 0]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x9402)  # str r4, [sp, 8]; rows
    label(ROW)
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x9401)  # str r4, [sp, 4]; column
    ldr(r4, [r3, _OUT_WIDTH])
    mov(r8, r4)
    # A window: r0 a number's column, r1 the columns inside, r2 its line, r4 its row, r5 numbers left in the
    # line, r6 the number, r7 what it becomes, r8 the outputs left in the row, r9 lines left.
    label(WINDOW)
    data(2, 0x9C00)  # ldr r4, [sp, 0]; row
    ldr(r5, [r3, _KERNEL_DOWN])
    mov(r7, 0)
    label(LINE)
    mov(r9, r5)
    ldr(r1, [r3, _HEIGHT])
    cmp(r4, r1)
    bcs(NEXT_LINE)
    ldr(r1, [r3, _WIDTH])
    mov(r2, r4)
    mul(r2, r1)
    data(2, 0x9803)  # ldr r0, [sp, 12]; x
    add(r2, r2, r0)
    data(2, 0x9801)  # ldr r0, [sp, 4]; column
    ldr(r5, [r3, _KERNEL_ACROSS])
    label(NUMBER)
    cmp(r0, r1)
    bcs(NEXT_NUMBER)
    data(2, 0x5C16)  # ldrb r6, [r2, r0]
    add(r7, r7, r6)
    label(NEXT_NUMBER)
    data(2, 0x4460)  # add r0, r12
    sub(r5, 1)
    bne(NUMBER)
    label(NEXT_LINE)
    ldr(r1, [r3, _DILATION_DOWN])
    add(r4, r4, r1)
    mov(r5, r9)
    sub(r5, 1)
    bne(LINE)
    # The sum r7 becomes an output.
    data(2, 0x9808)  # ldr r0, [sp, 32]; bias
    ldr(r1, [r0, 0])
    add(r7, r7, r1)
    data(2, 0x9905)  # ldr r1, [sp, 20]; to_rescaling
    data(2, 0x5844)  # ldr r4, [r0, r1]
    data(2, 0x9906)  # ldr r1, [sp, 24]; to_bias
    add(r0, r0, r1)
    data(2, 0x9008)  # str r0, [sp, 32]; bias
    lsl(r2, r4, 11)
    lsr(r2, r2, 27)
    asr(r7, r2)
    data(2, 0xB23A)  # sxth r2, r7
    cmp(r7, r2)
    beq(SHIFTED)
    asr(r7, r7, 31)
    mov(r2, 255)
    lsl(r2, r2, 7)
    add(r2, 127)
    eor(r7, r2)
    label(SHIFTED)
    ldr(r5, [r3, _ZERO])
    data(2, 0xB2A2)  # uxth r2, r4
    mul(r7, r2)
    lsr(r4, r4, 24)
    asr(r7, r4)
    adc(r7, r5)
    data(2, 0x455F)  # cmp r7, r11
    bge(AT_LEAST)
    mov(r7, r11)
    label(AT_LEAST)
    data(2, 0x4577)  # cmp r7, lr
    ble(AT_MOST)
    mov(r7, lr)
    label(AT_MOST)
    mov(r0, r10)
    strb(r7, [r0, 0])
    add(r0, 1)
    mov(r10, r0)

    ldr(r4, [r3, _STRIDE_ACROSS])
    data(2, 0x9801)  # ldr r0, [sp, 4]; column
    add(r0, r0, r4)
    data(2, 0x9001)  # str r0, [sp, 4]; column
    mov(r5, r8)
    sub(r5, 1)
    mov(r8, r5)
    bne(WINDOW)
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0x9800)  # ldr r0, [sp, 0]; row
    add(r0, r0, r4)
    data(2, 0x9000)  # str r0, [sp, 0]; row
    data(2, 0x9802)  # ldr r0, [sp, 8]; rows
    sub(r0, 1)
    data(2, 0x9002)  # str r0, [sp, 8]; rows
    bne(ROW)
    ldr(r1, [r3, _HEIGHT])
    ldr(r2, [r3, _WIDTH])
    mul(r1, r2)
    data(2, 0x9803)  # ldr r0, [sp, 12]; x
    add(r0, r0, r1)
    data(2, 0x9003)  # str r0, [sp, 12]; x
    data(2, 0x9804)  # ldr r0, [sp, 16]; planes
    sub(r0, 1)
    data(2, 0x9004)  # str r0, [sp, 16]; planes
    bne(PLANE)

    data(2, 0xB00A)  # add sp, 40; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
