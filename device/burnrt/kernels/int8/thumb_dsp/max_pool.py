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
    #   68  second: see block
    #   72  part_step
    #   76  part_mask
    push({r8, r9, r10, r11})
    data(2, 0xB094)  # sub sp, 80; STACK
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9404)  # str r4, [sp, 16]; top
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x940A)  # str r4, [sp, 40]; x
    ldr(r1, [r3, _HEIGHT])
    ldr(r2, [r3, _WIDTH])

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

    # r8 the size of a plane, r9 rows of outputs left, r10 the plane, r11 planes left, lr where outputs go.
    data(2, 0x980A)  # ldr r0, [sp, 40]; x
    data(2, 0x9D04)  # ldr r5, [sp, 16]; top
    data(2, 0xFB01, 0xF802)  # mul r8, r1, r2
    mov(r10, r0)
    mov(lr, r5)
    ldr(r4, [r3, _CHANNELS])
    mov(r11, r4)
    label(SQUARE_PLANE)
    data(2, 0xF8D3, 0x902C)  # ldr r9, [r3, 44]; OUT_HEIGHT
    # A row of windows: r0 and r1 its lines, r4 the outputs left.
    label(SQUARE_ROW)
    data(2, 0xEB00, 0x0102)  # add r1, r0, r2
    ldr(r4, [r3, _OUT_WIDTH])
    sub(r4, 2)
    bcc(LAST_SQUARE)
    # Two windows, then the last one.
    label(TWO)
    data(2, 0xF850, 0x5B04)  # ldr r5, [r0], 4
    data(2, 0xF851, 0x6B04)  # ldr r6, [r1], 4
    data(2, 0xFAC5, 0xFC46)  # usub8 r12, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    lsr(r6, r5, 8)
    data(2, 0xFAC5, 0xFC46)  # usub8 r12, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    data(2, 0xFA3F, 0xF585)  # uxtb16 r5, r5
    data(2, 0xEA45, 0x2515)  # orr r5, r5, r5, lsr 8
    data(2, 0xF82E, 0x5B02)  # strh r5, [lr], 2
    sub(r4, 2)
    bcs(TWO)
    label(LAST_SQUARE)
    add(r4, 1)
    bne(NEXT_ROW)
    ldrh(r5, [r0, 0])
    ldrh(r6, [r1, 0])
    data(2, 0xFAC5, 0xFC46)  # usub8 r12, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    lsr(r6, r5, 8)
    data(2, 0xFAC5, 0xFC46)  # usub8 r12, r5, r6
    data(2, 0xFAA5, 0xF586)  # sel r5, r5, r6
    data(2, 0xF80E, 0x5B01)  # strb r5, [lr], 1
    label(NEXT_ROW)
    data(2, 0xF1A9, 0x0901)  # sub r9, r9, 1
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0xEBA4, 0x0409)  # sub r4, r4, r9
    lsl(r4, r4, 1)
    data(2, 0xFB04, 0xA002)  # mla r0, r4, r2, r10
    data(2, 0xF1B9, 0x0F00)  # cmp r9, 0
    bne(SQUARE_ROW)
    data(2, 0x44C2)  # add r10, r8
    mov(r0, r10)
    data(2, 0xF1BB, 0x0B01)  # subs r11, r11, 1
    bne(SQUARE_PLANE)
    b(DONE)

    label(ANY)
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
    # Four numbers of all lines at a time, but first those that are too many for that; or, where the numbers
    # of a line are not side by side, one. r5 is how many times follow the first, r6 the bits of the first, r7
    # how far the second lies, r1 each of the next, r2 a mask of what is asked.
    ldr(r7, [r3, _DILATION_DOWN])
    ldr(r1, [r3, _WIDTH])
    mul(r7, r1)
    sub(r5, r6, 1)
    mul(r5, r7)
    mov(r9, r5)
    mov(r10, r7)
    ldr(r1, [r3, _WIDTH])
    mul(r4, r1)
    data(2, 0x9909)  # ldr r1, [sp, 36]; column
    add(r4, r4, r1)
    data(2, 0x990A)  # ldr r1, [sp, 40]; x
    add(r4, r4, r1)
    data(2, 0x9D08)  # ldr r5, [sp, 32]; inside
    ldr(r7, [r3, _DILATION_ACROSS])
    sub(r5, 1)
    mov(r1, r7)
    mov(r2, 255)
    mov(r6, 8)
    cmp(r7, 1)
    bne(APART)
    mov(r7, r5)
    mov(r1, 3)
    and_(r7, r1)
    add(r7, 1)
    lsl(r6, r7, 3)
    lsr(r5, r5, 2)
    mov(r1, 4)
    mov(r2, 0)
    sub(r2, 1)
    label(APART)
    mov(lr, r5)
    data(2, 0x9112)  # str r1, [sp, 72]; part_step
    data(2, 0x9213)  # str r2, [sp, 76]; part_mask
    data(2, 0x9711)  # str r7, [sp, 68]; second
    mov(r1, 1)
    lsl(r1, r6)
    sub(r1, 1)
    mov(r11, r1)
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
    mov(r5, r10)
    ldr(r1, [r3, _STRIDE_ACROSS])
    # A window: r7 the largest of four numbers each, r2 from its first line to the one that is met, r6 what is
    # met; r1 to the next window, r5 and r10 to the next line, r9 to the last one, r11 the mask, lr the times
    # that follow.
    label(WINDOW)
    ldr(r7, [r0, 0])
    data(2, 0xF1B9, 0x0200)  # subs r2, r9, 0
    beq(LINES_DONE)
    label(LINE)
    data(2, 0x5886)  # ldr r6, [r0, r2]
    data(2, 0xFAC7, 0xFC46)  # usub8 r12, r7, r6
    data(2, 0xFAA7, 0xF786)  # sel r7, r7, r6
    sub(r2, r2, r5)
    bne(LINE)
    label(LINES_DONE)
    data(2, 0xEA07, 0x070B)  # and r7, r7, r11
    data(2, 0xF1BE, 0x0F00)  # cmp lr, 0
    bne(WIDE)
    label(FOLD)
    lsr(r6, r7, 16)
    data(2, 0xFAC7, 0xFC46)  # usub8 r12, r7, r6
    data(2, 0xFAA7, 0xF786)  # sel r7, r7, r6
    lsr(r6, r7, 8)
    data(2, 0xFAC7, 0xFC46)  # usub8 r12, r7, r6
    data(2, 0xFAA7, 0xF786)  # sel r7, r7, r6
    data(2, 0xF804, 0x7B01)  # strb r7, [r4], 1
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

    data(2, 0x9910)  # ldr r1, [sp, 64]; planes
    sub(r1, 1)
    data(2, 0x9110)  # str r1, [sp, 64]; planes
    bne(PLANE)
    b(BLOCK_DONE)

    label(WIDE)
    data(2, 0x9911)  # ldr r1, [sp, 68]; second
    add(r1, r1, r0)
    mov(r10, lr)
    label(PART)
    mov(r2, r9)
    label(PART_LINE)
    data(2, 0x588E)  # ldr r6, [r1, r2]
    data(2, 0xFAC7, 0xFC46)  # usub8 r12, r7, r6
    data(2, 0xFAA7, 0xF786)  # sel r7, r7, r6
    sub(r2, r2, r5)
    bpl(PART_LINE)
    data(2, 0x9E12)  # ldr r6, [sp, 72]; part_step
    add(r1, r1, r6)
    data(2, 0xF1BA, 0x0A01)  # subs r10, r10, 1
    bne(PART)
    mov(r10, r5)
    data(2, 0x9913)  # ldr r1, [sp, 76]; part_mask
    and_(r7, r1)
    ldr(r1, [r3, _STRIDE_ACROSS])
    b(FOLD)
    label(BLOCK_DONE)
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
    data(2, 0xB014)  # add sp, 80; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
