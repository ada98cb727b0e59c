# Generated from tools/asm/int8/thumb_dsp/max_pool.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The largest number in each window for Armv7E-M, at its best for windows of 2 × 2, side by side."""

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
    push({r8, r9, r10, r11})
    # r0 becomes the plane, r1 and r2 its height and width, lr where outputs go, r12 the planes left.
    ldr(r4, [r3, _OUTPUT])
    data(2, 0xEB04, 0x0E00)  # add lr, r4, r0
    ldr(r4, [r3, _INPUT])
    add(r0, r0, r4)
    ldr(r1, [r3, _HEIGHT])
    ldr(r2, [r3, _WIDTH])
    ldr(r4, [r3, _CHANNELS])
    mov(r12, r4)

    # r4 becomes 0 where all is as the fast way has it.
    ldr(r4, [r3, _KERNEL_DOWN])
    ldr(r5, [r3, _KERNEL_ACROSS])
    ldr(r6, [r3, _STRIDE_DOWN])
    ldr(r7, [r3, _STRIDE_ACROSS])
    data(2, 0xF084, 0x0402)  # eor r4, r4, 2
    data(2, 0xF085, 0x0502)  # eor r5, r5, 2
    data(2, 0xF086, 0x0602)  # eor r6, r6, 2
    data(2, 0xF087, 0x0702)  # eor r7, r7, 2
    orr(r4, r5)
    orr(r4, r6)
    orr(r4, r7)
    ldr(r5, [r3, _PADDING_DOWN])
    orr(r4, r5)
    ldr(r5, [r3, _PADDING_ACROSS])
    orr(r4, r5)
    ldr(r5, [r3, _DILATION_DOWN])
    data(2, 0xF085, 0x0501)  # eor r5, r5, 1
    orr(r4, r5)
    ldr(r5, [r3, _DILATION_ACROSS])
    data(2, 0xF085, 0x0501)  # eor r5, r5, 1
    orr(r4, r5)
    bne(ANY)
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0xEBB1, 0x0F44)  # cmp r1, r4, lsl 1
    bcc(ANY)
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0xEBB2, 0x0F44)  # cmp r2, r4, lsl 1
    bcc(ANY)

    # r8 the size of a plane, r9 rows of outputs left, r10 the plane.
    data(2, 0xFB01, 0xF802)  # mul r8, r1, r2
    mov(r10, r0)
    label(PLANE)
    data(2, 0xF8D3, 0x902C)  # ldr r9, [r3, 44]; OUT_HEIGHT
    # A row of windows: r0 and r1 its lines, r4 the outputs left.
    label(ROW)
    data(2, 0xEB00, 0x0102)  # add r1, r0, r2
    ldr(r4, [r3, _OUT_WIDTH])
    sub(r4, 2)
    bcc(LAST)
    # Two windows, then the last one.
    label(TWO)
    data(2, 0xF850, 0x5B04)  # ldr r5, [r0], 4
    data(2, 0xF851, 0x6B04)  # ldr r6, [r1], 4
    data(2, 0xFAC5, 0xF746)  # usub8 r7, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    lsr(r6, r5, 8)
    data(2, 0xFAC5, 0xF746)  # usub8 r7, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    data(2, 0xFA3F, 0xF585)  # uxtb16 r5, r5
    data(2, 0xEA45, 0x2515)  # orr r5, r5, r5, lsr 8
    data(2, 0xF82E, 0x5B02)  # strh r5, [lr], 2
    sub(r4, 2)
    bcs(TWO)
    label(LAST)
    add(r4, 1)
    bne(NEXT_ROW)
    ldrh(r5, [r0, 0])
    ldrh(r6, [r1, 0])
    data(2, 0xFAC5, 0xF746)  # usub8 r7, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    lsr(r6, r5, 8)
    data(2, 0xFAC5, 0xF746)  # usub8 r7, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    data(2, 0xF80E, 0x5B01)  # strb r5, [lr], 1
    label(NEXT_ROW)
    data(2, 0xF1A9, 0x0901)  # sub r9, r9, 1
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0xEBA4, 0x0409)  # sub r4, r4, r9
    lsl(r4, r4, 1)
    data(2, 0xFB04, 0xA002)  # mla r0, r4, r2, r10
    data(2, 0xF1B9, 0x0F00)  # cmp r9, 0
    bne(ROW)
    data(2, 0x44C2)  # add r10, r8
    mov(r0, r10)
    data(2, 0xF1BC, 0x0C01)  # subs r12, r12, 1
    bne(PLANE)
    b(DONE)

    # Any windows, number by number: r8 and r9 the row and column where one starts, r10 rows of outputs left,
    # r11 outputs left in one.
    label(ANY)
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    mov(r8, r4)
    ldr(r4, [r3, _OUT_HEIGHT])
    mov(r10, r4)
    label(ANY_ROW)
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    mov(r9, r4)
    ldr(r4, [r3, _OUT_WIDTH])
    mov(r11, r4)
    # A window: r1 a number's column, r2 the columns inside, r4 its row, r5 lines left, r6 the number, r7 the
    # largest. On the stack the numbers left in a line.
    label(WINDOW)
    mov(r4, r8)
    ldr(r5, [r3, _KERNEL_DOWN])
    mov(r6, 0)
    mov(r7, 0)
    label(LINE)
    ldr(r1, [r3, _HEIGHT])
    cmp(r4, r1)
    bcs(NEXT_LINE)
    push({r0, r4, r5})
    data(2, 0xFB04, 0x0002)  # mla r0, r4, r2, r0
    mov(r1, r9)
    ldr(r4, [r3, _KERNEL_ACROSS])
    ldr(r5, [r3, _DILATION_ACROSS])
    label(NUMBER)
    cmp(r1, r2)
    it(cc)
    data(2, 0x5C46)  # ldrbcc r6, [r0, r1]; where it is inside, else it is one that was there before
    cmp(r6, r7)
    it(hi)
    mov(r7, r6)
    add(r1, r1, r5)
    sub(r4, 1)
    bne(NUMBER)
    pop({r0, r4, r5})
    label(NEXT_LINE)
    ldr(r1, [r3, _DILATION_DOWN])
    add(r4, r4, r1)
    sub(r5, 1)
    bne(LINE)
    data(2, 0xF80E, 0x7B01)  # strb r7, [lr], 1
    ldr(r4, [r3, _STRIDE_ACROSS])
    data(2, 0x44A1)  # add r9, r4
    data(2, 0xF1BB, 0x0B01)  # subs r11, r11, 1
    bne(WINDOW)
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0x44A0)  # add r8, r4
    data(2, 0xF1BA, 0x0A01)  # subs r10, r10, 1
    bne(ANY_ROW)
    ldr(r1, [r3, _HEIGHT])
    data(2, 0xFB01, 0x0002)  # mla r0, r1, r2, r0
    data(2, 0xF1BC, 0x0C01)  # subs r12, r12, 1
    bne(ANY)

    label(DONE)
    pop({r8, r9, r10, r11})
    mov(r0, 0)
