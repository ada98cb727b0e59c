# Generated from tools/asm/int8/thumb_m0/max_pool.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The largest number in each window for Armv6-M, at its best for windows of 2 × 2, side by side."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
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


@micropython.asm_thumb
def max_pool2d(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  row: where a window starts
    #    4  column
    #    8  rows: of outputs left
    #   12  x: the plane
    #   16  planes: left
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB086)  # sub sp, 24; STACK
    # lr is where outputs go.
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    mov(lr, r4)
    ldr(r4, [r3, _INPUT])
    add(r0, r0, r4)
    data(2, 0x9003)  # str r0, [sp, 12]; x
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9404)  # str r4, [sp, 16]; planes

    # The fast way is for windows wholly inside.
    mov(r4, 2)
    ldr(r5, [r3, _KERNEL_DOWN])
    cmp(r5, r4)
    bne(PLANE)
    ldr(r5, [r3, _KERNEL_ACROSS])
    cmp(r5, r4)
    bne(PLANE)
    ldr(r5, [r3, _STRIDE_DOWN])
    cmp(r5, r4)
    bne(PLANE)
    ldr(r5, [r3, _STRIDE_ACROSS])
    cmp(r5, r4)
    bne(PLANE)
    ldr(r4, [r3, _PADDING_DOWN])
    ldr(r5, [r3, _PADDING_ACROSS])
    orr(r4, r5)
    bne(PLANE)
    ldr(r4, [r3, _DILATION_DOWN])
    ldr(r5, [r3, _DILATION_ACROSS])
    mul(r4, r5)
    cmp(r4, 1)
    bne(PLANE)
    ldr(r1, [r3, _HEIGHT])
    ldr(r4, [r3, _OUT_HEIGHT])
    lsl(r4, r4, 1)
    cmp(r1, r4)
    bcc(PLANE)
    ldr(r2, [r3, _WIDTH])
    ldr(r4, [r3, _OUT_WIDTH])
    lsl(r4, r4, 1)
    cmp(r2, r4)
    bcs(SQUARES)

    # Any windows. r12 is from column to column.
    label(PLANE)
    ldr(r4, [r3, _DILATION_ACROSS])
    mov(r12, r4)
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
    cmp(r6, r7)
    bls(NEXT_NUMBER)
    mov(r7, r6)
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
    mov(r0, lr)
    strb(r7, [r0, 0])
    add(r0, 1)
    mov(lr, r0)

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
    b(DONE)

    # Windows of 2 × 2, side by side: r0 and r1 their lines, r2 the outputs left, r3 where they go; r4-r7
    # numbers; r8 WIDTH, r9 OUT_WIDTH, r10 what is left of a plane below the last window, r11 rows left.
    label(SQUARES)
    mov(r8, r2)
    ldr(r4, [r3, _OUT_WIDTH])
    mov(r9, r4)
    ldr(r4, [r3, _OUT_HEIGHT])
    lsl(r5, r4, 1)
    sub(r1, r1, r5)
    mul(r1, r2)
    mov(r10, r1)
    mov(r12, r4)
    mov(r3, lr)
    label(SQUARE_PLANE)
    mov(r11, r12)
    label(SQUARE_ROW)
    mov(r1, r0)
    data(2, 0x4441)  # add r1, r8
    mov(r2, r9)
    label(SQUARE)
    ldrb(r4, [r0, 0])
    ldrb(r5, [r0, 1])
    ldrb(r6, [r1, 0])
    ldrb(r7, [r1, 1])
    cmp(r4, r5)
    bcs(LARGER)
    mov(r4, r5)
    label(LARGER)
    cmp(r6, r7)
    bcs(LARGER_2)
    mov(r6, r7)
    label(LARGER_2)
    cmp(r4, r6)
    bcs(LARGER_3)
    mov(r4, r6)
    label(LARGER_3)
    strb(r4, [r3, 0])
    add(r3, 1)
    add(r0, 2)
    add(r1, 2)
    sub(r2, 1)
    bne(SQUARE)
    # The next lines begin a line and what is behind the last windows further on.
    mov(r4, r9)
    lsl(r4, r4, 1)
    mov(r5, r8)
    lsl(r5, r5, 1)
    sub(r5, r5, r4)
    add(r0, r0, r5)
    mov(r4, r11)
    sub(r4, 1)
    mov(r11, r4)
    bne(SQUARE_ROW)
    data(2, 0x4450)  # add r0, r10
    data(2, 0x9C04)  # ldr r4, [sp, 16]; planes
    sub(r4, 1)
    data(2, 0x9404)  # str r4, [sp, 16]; planes
    bne(SQUARE_PLANE)

    label(DONE)
    data(2, 0xB006)  # add sp, 24; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
