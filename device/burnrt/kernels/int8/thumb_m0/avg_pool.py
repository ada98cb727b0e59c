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
_STRIDE_DOWN = const(60)
_STRIDE_ACROSS = const(64)
_PADDING_DOWN = const(68)
_DILATION_DOWN = const(76)
_DILATION_ACROSS = const(80)
_CELLS = const(84)


@micropython.asm_thumb
def avg_pool2d(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  across: see windows.inc
    #    8  down
    #   16  top
    #   20  place
    #   24  wide
    #   28  tall
    #   32  inside
    #   36  column
    #   40  x
    #   44  first
    #   48  row_step
    #   52  plane_step
    #   56  out_step
    #   60  rows
    #   64  planes
    #   68  to_rescaling: from a bias to its rescaling word
    #   72  cells: from a bias to the next: 4, or 0 where all windows have one
    #   76  all_biases: an output at place has its bias at all_biases + cells × place
    #   80  biases: the same in this plane
    #   84  biases_step: to the next one
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB097)  # sub sp, 92; STACK
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9404)  # str r4, [sp, 16]; top
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x940A)  # str r4, [sp, 40]; x
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9411)  # str r4, [sp, 68]; to_rescaling
    mov(r4, 0)
    ldr(r5, [r3, _CELLS])
    cmp(r5, 1)
    beq(SAME)
    mov(r4, 4)
    label(SAME)
    data(2, 0x9412)  # str r4, [sp, 72]; cells
    mul(r5, r4)
    neg(r5, r5)
    data(2, 0x9515)  # str r5, [sp, 84]; biases_step
    data(2, 0x9D04)  # ldr r5, [sp, 16]; top
    mul(r4, r5)
    sub(r2, r2, r4)
    data(2, 0x9213)  # str r2, [sp, 76]; all_biases
    add(r2, r3, 4)
    ldr(r4, [r2, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x9400)  # str r4, [sp, 0]; across
    ldr(r4, [r2, _OUT_HEIGHT])
    data(2, 0x9401)  # str r4, [sp, 4]; across
    label(BESIDE)
    add(r2, r3, 4)
    data(2, 0xA900)  # add r1, sp, 0; across
    bl(RUN)
    data(2, 0x9006)  # str r0, [sp, 24]; wide
    data(2, 0x9409)  # str r4, [sp, 36]; column
    data(2, 0x9608)  # str r6, [sp, 32]; inside
    data(2, 0x9C04)  # ldr r4, [sp, 16]; top
    data(2, 0x9405)  # str r4, [sp, 20]; place
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x9402)  # str r4, [sp, 8]; down
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x9403)  # str r4, [sp, 12]; down
    label(BELOW)
    mov(r2, r3)
    data(2, 0xA902)  # add r1, sp, 8; down
    bl(RUN)
    data(2, 0x9007)  # str r0, [sp, 28]; tall
    mov(r9, r6)
    ldr(r5, [r3, _WIDTH])
    mul(r4, r5)
    data(2, 0x9D09)  # ldr r5, [sp, 36]; column
    add(r4, r4, r5)
    data(2, 0x9D0A)  # ldr r5, [sp, 40]; x
    add(r4, r4, r5)
    # r1 is how many numbers a part has, r7 how many parts a line, r2 how far the next is.
    data(2, 0x9E08)  # ldr r6, [sp, 32]; inside
    ldr(r2, [r3, _DILATION_ACROSS])
    mov(r1, 1)
    mov(r7, r6)
    cmp(r2, 1)
    bne(APART)
    mov(r1, 8)
    b(PART)
    label(SHORTER)
    sub(r1, 1)
    label(PART)
    mov(r7, 0)
    mov(r5, r6)
    label(COUNT)
    add(r7, 1)
    sub(r5, r5, r1)
    bhi(COUNT)
    bne(SHORTER)
    mov(r2, r1)
    label(APART)
    ldr(r5, [r3, _DILATION_DOWN])
    ldr(r6, [r3, _WIDTH])
    mul(r5, r6)
    cmp(r7, 1)
    bne(SEVERAL)
    mov(r2, r5)
    mov(r6, r9)
    mov(r9, r7)
    mov(r7, r6)
    label(SEVERAL)
    mov(r10, r7)
    mov(r12, r2)
    mul(r2, r7)
    sub(r5, r5, r2)
    mov(lr, r5)
    mov(r5, 8)
    sub(r5, r5, r1)
    sub(r4, r4, r5)
    lsl(r5, r5, 2)
    sub(r5, 2)
    mov(r11, r5)
    data(2, 0x940B)  # str r4, [sp, 44]; first
    ldr(r5, [r3, _STRIDE_DOWN])
    ldr(r4, [r3, _WIDTH])
    mul(r5, r4)
    data(2, 0x950C)  # str r5, [sp, 48]; row_step
    ldr(r4, [r3, _HEIGHT])
    ldr(r6, [r3, _WIDTH])
    mul(r4, r6)
    data(2, 0x9F07)  # ldr r7, [sp, 28]; tall
    mul(r5, r7)
    sub(r4, r4, r5)
    data(2, 0x940D)  # str r4, [sp, 52]; plane_step
    ldr(r4, [r3, _OUT_HEIGHT])
    sub(r4, r4, r7)
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    data(2, 0x940E)  # str r4, [sp, 56]; out_step
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9410)  # str r4, [sp, 64]; planes
    data(2, 0x9C05)  # ldr r4, [sp, 20]; place
    data(2, 0x9913)  # ldr r1, [sp, 76]; all_biases
    data(2, 0x9114)  # str r1, [sp, 80]; biases
    label(PLANE)
    data(2, 0x9907)  # ldr r1, [sp, 28]; tall
    data(2, 0x910F)  # str r1, [sp, 60]; rows
    label(ROW)
    # r0 becomes where a window's numbers are, r4 is where its output goes, r8 where that of the last one
    # ends.
    data(2, 0x980B)  # ldr r0, [sp, 44]; first
    data(2, 0x9906)  # ldr r1, [sp, 24]; wide
    add(r1, r1, r4)
    mov(r8, r1)
    # A window: r1 its numbers, r2 parts left in a line, r5 lines left, r7 what it becomes; r9 its lines, r10
    # parts of a line, r11 from `add pc` to what is done of it, r12 from part to part, lr from a line to the
    # next.
    label(WINDOW)
    mov(r1, r0)
    mov(r7, 0)
    mov(r5, r9)
    label(LINE)
    mov(r2, r10)
    label(NUMBERS)
    data(2, 0x44DF)  # add pc, r11
    ldrb(r6, [r1, 0])
    add(r7, r7, r6)
    ldrb(r6, [r1, 1])
    add(r7, r7, r6)
    ldrb(r6, [r1, 2])
    add(r7, r7, r6)
    ldrb(r6, [r1, 3])
    add(r7, r7, r6)
    ldrb(r6, [r1, 4])
    add(r7, r7, r6)
    ldrb(r6, [r1, 5])
    add(r7, r7, r6)
    ldrb(r6, [r1, 6])
    add(r7, r7, r6)
    ldrb(r6, [r1, 7])
    add(r7, r7, r6)
    data(2, 0x4461)  # add r1, r12
    sub(r2, 1)
    bne(NUMBERS)
    data(2, 0x4471)  # add r1, lr
    sub(r5, 1)
    bne(LINE)
    # The sum r7 becomes an output. r1 is where its bias lies.
    data(2, 0x9914)  # ldr r1, [sp, 80]; biases
    data(2, 0x9A12)  # ldr r2, [sp, 72]; cells
    mul(r2, r4)
    add(r1, r1, r2)
    ldr(r2, [r1, 0])
    add(r7, r7, r2)
    data(2, 0x9A11)  # ldr r2, [sp, 68]; to_rescaling
    data(2, 0x588E)  # ldr r6, [r1, r2]
    lsl(r2, r6, 11)
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
    data(2, 0xB2B2)  # uxth r2, r6
    mul(r7, r2)
    lsr(r6, r6, 24)
    ldr(r1, [r3, _ZERO])
    ldr(r2, [r3, _LOW])
    asr(r7, r6)
    adc(r7, r1)
    ldr(r1, [r3, _HIGH])
    cmp(r7, r2)
    bge(AT_LEAST)
    mov(r7, r2)
    label(AT_LEAST)
    cmp(r7, r1)
    ble(AT_MOST)
    mov(r7, r1)
    label(AT_MOST)
    strb(r7, [r4, 0])
    add(r4, 1)
    ldr(r1, [r3, _STRIDE_ACROSS])
    add(r0, r0, r1)
    data(2, 0x4544)  # cmp r4, r8
    bne(WINDOW)
    data(2, 0x990B)  # ldr r1, [sp, 44]; first
    data(2, 0x9A0C)  # ldr r2, [sp, 48]; row_step
    add(r1, r1, r2)
    data(2, 0x910B)  # str r1, [sp, 44]; first
    ldr(r1, [r3, _OUT_WIDTH])
    add(r4, r4, r1)
    data(2, 0x9906)  # ldr r1, [sp, 24]; wide
    sub(r4, r4, r1)
    data(2, 0x990F)  # ldr r1, [sp, 60]; rows
    sub(r1, 1)
    data(2, 0x910F)  # str r1, [sp, 60]; rows
    bne(ROW)
    data(2, 0x990B)  # ldr r1, [sp, 44]; first
    data(2, 0x9A0D)  # ldr r2, [sp, 52]; plane_step
    add(r1, r1, r2)
    data(2, 0x910B)  # str r1, [sp, 44]; first
    data(2, 0x990E)  # ldr r1, [sp, 56]; out_step
    add(r4, r4, r1)
    data(2, 0x9915)  # ldr r1, [sp, 84]; biases_step
    data(2, 0x9A14)  # ldr r2, [sp, 80]; biases
    add(r2, r2, r1)
    data(2, 0x9214)  # str r2, [sp, 80]; biases
    data(2, 0x9910)  # ldr r1, [sp, 64]; planes
    sub(r1, 1)
    data(2, 0x9110)  # str r1, [sp, 64]; planes
    bne(PLANE)
    data(2, 0x9C07)  # ldr r4, [sp, 28]; tall
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    data(2, 0x9D05)  # ldr r5, [sp, 20]; place
    add(r5, r5, r4)
    data(2, 0x9505)  # str r5, [sp, 20]; place
    data(2, 0x9C03)  # ldr r4, [sp, 12]; down
    cmp(r4, 0)
    beq(NEXT_BESIDE)
    b(BELOW)
    label(NEXT_BESIDE)
    data(2, 0x9C04)  # ldr r4, [sp, 16]; top
    data(2, 0x9D06)  # ldr r5, [sp, 24]; wide
    add(r4, r4, r5)
    data(2, 0x9404)  # str r4, [sp, 16]; top
    data(2, 0x9C01)  # ldr r4, [sp, 4]; across
    cmp(r4, 0)
    beq(ALL_BLOCKS)
    b(BESIDE)
    label(ALL_BLOCKS)
    b(DONE)
    # The next run of an axis r1, r2 its words: r0 becomes how many windows it has, r6 how many numbers along
    # the axis they have inside, r4 the first of these.
    label(RUN)
    ldr(r6, [r2, _KERNEL_DOWN])
    ldr(r7, [r2, _HEIGHT])
    sub(r6, 1)
    ldr(r5, [r2, _DILATION_DOWN])
    mul(r6, r5)
    sub(r7, r7, r6)
    ldr(r4, [r1, 0])
    ldr(r5, [r1, 4])
    ldr(r6, [r2, _STRIDE_DOWN])
    mov(r0, 0)
    cmp(r4, 0)
    bge(LONG)
    mov(r5, 1)
    label(LONG)
    add(r0, 1)
    add(r4, r4, r6)
    cmp(r0, r5)
    bcs(COUNTED)
    cmp(r4, r7)
    blt(LONG)
    label(COUNTED)
    str(r4, [r1, 0])
    ldr(r5, [r1, 4])
    sub(r5, r5, r0)
    str(r5, [r1, 4])
    mul(r6, r0)
    sub(r4, r4, r6)
    ldr(r5, [r2, _DILATION_DOWN])
    ldr(r6, [r2, _KERNEL_DOWN])
    ldr(r2, [r2, _HEIGHT])
    # Of r6 numbers from r4 on, r5 apart, the r6 are left that lie inside, r4 the first; for each that lay
    # before, something has been skipped. r1 is free.
    b(FIRST)
    label(OUTSIDE)
    add(r4, r4, r5)
    add(r7, r7, 1)
    sub(r6, 1)
    label(FIRST)
    cmp(r4, 0)
    blt(OUTSIDE)
    sub(r1, r6, 1)
    mul(r1, r5)
    add(r1, r1, r4)
    b(LAST)
    label(BEHIND)
    sub(r1, r1, r5)
    sub(r6, 1)
    label(LAST)
    cmp(r1, r2)
    bge(BEHIND)
    bx(lr)
    label(DONE)
    data(2, 0xB017)  # add sp, 92; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
