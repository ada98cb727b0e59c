# ruff: noqa: F821
"""Convolution for Armv6-M: each window is gathered, and four outputs share it."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_ZERO = const(16)
_RESCALE = const(20)
_WORK = const(24)
_PAD = const(28)
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
_GROUPS = const(84)
_OUT_CHANNELS = const(88)


@micropython.asm_thumb
def conv2d(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  bias of the next output              60  windows left in this line
    #    4  from a bias to its rescaling word    64  lines of windows left
    #    8  place of the next output             68  x of this group
    #   12  size of an output plane              72  size of an input plane
    #   16  ZERO                                 76  weights of this group
    #   20  LOW                                  80  biases of this group
    #   24  HIGH                                 84  first place of this group's outputs
    #   28  outputs left in this group           88  groups left
    #   32  weights of the next output           92  words
    #   36  weights of an output                 96  first row  } below which a window lies inside,
    #   40  the gathered window                 100  and column } 0 where none does
    #   44  its end                             104  numbers in a line of the window
    #   48  place of this pixel's outputs       108  from a line to the next
    #   52  row    } where the window           112  planes
    #   56  column } starts                     116  from a plane to the next
    #                                           120  lines in a plane
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0A0)  # sub sp, 128

    # What depends on the layer alone. r0 arena, r1 weights, r2 constants, r3 words.
    data(2, 0x9317)  # str r3, [sp, 92]
    data(2, 0x9113)  # str r1, [sp, 76]
    data(2, 0x9214)  # str r2, [sp, 80]
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9411)  # str r4, [sp, 68]
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9415)  # str r4, [sp, 84]
    ldr(r4, [r3, _GROUPS])
    data(2, 0x9416)  # str r4, [sp, 88]
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9401)  # str r4, [sp, 4]
    ldr(r4, [r3, _ZERO])
    data(2, 0x9404)  # str r4, [sp, 16]
    ldr(r4, [r3, _LOW])
    data(2, 0x9405)  # str r4, [sp, 20]
    ldr(r4, [r3, _HIGH])
    data(2, 0x9406)  # str r4, [sp, 24]
    ldr(r4, [r3, _OUT_HEIGHT])
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    data(2, 0x9403)  # str r4, [sp, 12]

    # The window: r4 its width, r5 its height, r6 its planes and then its size.
    ldr(r4, [r3, _KERNEL_ACROSS])
    data(2, 0x941A)  # str r4, [sp, 104]
    ldr(r5, [r3, _KERNEL_DOWN])
    ldr(r6, [r3, _CHANNELS])
    ldr(r7, [r3, _WORK])
    add(r7, r7, r0)
    data(2, 0x970A)  # str r7, [sp, 40]
    ldr(r0, [r3, _HEIGHT])
    ldr(r1, [r3, _WIDTH])
    mov(r2, r0)
    mul(r2, r1)
    data(2, 0x9212)  # str r2, [sp, 72]
    # Where it has one line, its planes are told as lines.
    cmp(r5, 1)
    beq(FLAT)
    data(2, 0x951E)  # str r5, [sp, 120]
    data(2, 0x961C)  # str r6, [sp, 112]
    data(2, 0x921D)  # str r2, [sp, 116]
    ldr(r2, [r3, _DILATION_DOWN])
    mul(r2, r1)
    data(2, 0x921B)  # str r2, [sp, 108]
    b(LINES)
    label(FLAT)
    data(2, 0x961E)  # str r6, [sp, 120]
    data(2, 0x951C)  # str r5, [sp, 112]
    data(2, 0x921B)  # str r2, [sp, 108]
    label(LINES)
    mul(r6, r5)
    mul(r6, r4)
    data(2, 0x9609)  # str r6, [sp, 36]
    add(r7, r7, r6)
    data(2, 0x970B)  # str r7, [sp, 44]

    # A window that starts at row r0 and column r1, or higher, reaches over the edge; at a dilation, all
    # shall.
    sub(r5, 1)
    ldr(r2, [r3, _DILATION_DOWN])
    mul(r5, r2)
    sub(r0, r0, r5)
    bpl(LOW_ENOUGH)
    mov(r0, 0)
    label(LOW_ENOUGH)
    data(2, 0x9018)  # str r0, [sp, 96]
    add(r1, 1)
    sub(r1, r1, r4)
    bpl(WIDE_ENOUGH)
    mov(r1, 0)
    label(WIDE_ENOUGH)
    ldr(r2, [r3, _DILATION_ACROSS])
    cmp(r2, 1)
    beq(DENSE)
    mov(r1, 0)
    label(DENSE)
    data(2, 0x9119)  # str r1, [sp, 100]

    label(GROUP)
    data(2, 0x9C15)  # ldr r4, [sp, 84]
    data(2, 0x940C)  # str r4, [sp, 48]
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x940D)  # str r4, [sp, 52]
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x9410)  # str r4, [sp, 64]
    label(ROW)
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x940E)  # str r4, [sp, 56]
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x940F)  # str r4, [sp, 60]

    # Gathers a window, line by line: r0 where to, r1 a line's place, r2 its numbers, r3 lines left, r4 from
    # line to line, r5 planes left, r6 this plane's first line, r7 a number.
    label(WINDOW)
    data(2, 0x980A)  # ldr r0, [sp, 40]
    data(2, 0x9C0D)  # ldr r4, [sp, 52]
    data(2, 0x9D0E)  # ldr r5, [sp, 56]
    data(2, 0x9E18)  # ldr r6, [sp, 96]
    cmp(r4, r6)
    bcs(TO_EDGE)
    data(2, 0x9E19)  # ldr r6, [sp, 100]
    cmp(r5, r6)
    bcs(TO_EDGE)
    data(2, 0x9A17)  # ldr r2, [sp, 92]
    ldr(r3, [r2, _WIDTH])
    mul(r3, r4)
    data(2, 0x9E11)  # ldr r6, [sp, 68]
    add(r6, r6, r3)
    add(r6, r6, r5)
    data(2, 0x9C1B)  # ldr r4, [sp, 108]
    data(2, 0x9D1C)  # ldr r5, [sp, 112]
    label(PLANE)
    mov(r1, r6)
    data(2, 0x9B1E)  # ldr r3, [sp, 120]
    data(2, 0x9A1A)  # ldr r2, [sp, 104]
    cmp(r2, 3)
    beq(THREE)
    cmp(r2, 1)
    beq(ONE)
    label(LINE)
    label(NUMBER)
    sub(r2, 1)
    data(2, 0x5C8F)  # ldrb r7, [r1, r2]
    data(2, 0x5487)  # strb r7, [r0, r2]
    bne(NUMBER)
    data(2, 0x9A1A)  # ldr r2, [sp, 104]
    add(r0, r0, r2)
    add(r1, r1, r4)
    sub(r3, 1)
    bne(LINE)
    b(NEXT_PLANE)
    label(TO_EDGE)
    b(EDGE)
    label(ONE)
    ldrb(r7, [r1, 0])
    strb(r7, [r0, 0])
    add(r0, 1)
    add(r1, r1, r4)
    sub(r3, 1)
    bne(ONE)
    b(NEXT_PLANE)
    label(THREE)
    ldrb(r7, [r1, 0])
    strb(r7, [r0, 0])
    ldrb(r7, [r1, 1])
    strb(r7, [r0, 1])
    ldrb(r7, [r1, 2])
    strb(r7, [r0, 2])
    add(r0, 3)
    add(r1, r1, r4)
    sub(r3, 1)
    bne(THREE)
    label(NEXT_PLANE)
    data(2, 0x991D)  # ldr r1, [sp, 116]
    add(r6, r6, r1)
    sub(r5, 1)
    bne(PLANE)

    label(GATHERED)
    data(2, 0x980C)  # ldr r0, [sp, 48]
    data(2, 0x9002)  # str r0, [sp, 8]
    add(r0, 1)
    data(2, 0x900C)  # str r0, [sp, 48]
    data(2, 0x9813)  # ldr r0, [sp, 76]
    data(2, 0x9008)  # str r0, [sp, 32]
    data(2, 0x9814)  # ldr r0, [sp, 80]
    data(2, 0x9000)  # str r0, [sp, 0]
    data(2, 0x9B17)  # ldr r3, [sp, 92]
    ldr(r0, [r3, _OUT_CHANNELS])
    data(2, 0x9007)  # str r0, [sp, 28]

    # Up to four outputs: their sums r8-r11, the ends of their weights r2-r5, the end of the window r1, and r0
    # from there to the next number. Where fewer are left, the first one's weights stand for those
    # that are missing.
    label(OUTPUTS)
    data(2, 0x9E09)  # ldr r6, [sp, 36]
    data(2, 0x9F07)  # ldr r7, [sp, 28]
    data(2, 0x9A08)  # ldr r2, [sp, 32]
    add(r2, r2, r6)
    add(r3, r2, r6)
    add(r4, r3, r6)
    add(r5, r4, r6)
    cmp(r7, 4)
    bcc(FEWER)
    label(CHOSEN)
    data(2, 0x9508)  # str r5, [sp, 32]
    data(2, 0x990B)  # ldr r1, [sp, 44]
    mov(r0, 0)
    mov(r8, r0)
    mov(r9, r0)
    mov(r10, r0)
    mov(r11, r0)
    neg(r0, r6)
    lsl(r6, r6, 31)
    bmi(SECOND)

    # Two numbers, or one at the first time: r7 the number, r6 a weight.
    label(FIRST)
    data(2, 0x5C0F)  # ldrb r7, [r1, r0]
    data(2, 0x5616)  # ldrsb r6, [r2, r0]
    mul(r6, r7)
    data(2, 0x44B0)  # add r8, r6
    data(2, 0x561E)  # ldrsb r6, [r3, r0]
    mul(r6, r7)
    data(2, 0x44B1)  # add r9, r6
    data(2, 0x5626)  # ldrsb r6, [r4, r0]
    mul(r6, r7)
    data(2, 0x44B2)  # add r10, r6
    data(2, 0x562E)  # ldrsb r6, [r5, r0]
    mul(r6, r7)
    data(2, 0x44B3)  # add r11, r6
    add(r0, 1)
    label(SECOND)
    data(2, 0x5C0F)  # ldrb r7, [r1, r0]
    data(2, 0x5616)  # ldrsb r6, [r2, r0]
    mul(r6, r7)
    data(2, 0x44B0)  # add r8, r6
    data(2, 0x561E)  # ldrsb r6, [r3, r0]
    mul(r6, r7)
    data(2, 0x44B1)  # add r9, r6
    data(2, 0x5626)  # ldrsb r6, [r4, r0]
    mul(r6, r7)
    data(2, 0x44B2)  # add r10, r6
    data(2, 0x562E)  # ldrsb r6, [r5, r0]
    mul(r6, r7)
    data(2, 0x44B3)  # add r11, r6
    add(r0, 1)
    bne(FIRST)

    # Each sum becomes an output: r4 its bias, r5 from there to its rescaling word, r6 its place, r7 how many.
    data(2, 0x9805)  # ldr r0, [sp, 20]
    mov(r12, r0)
    data(2, 0x9806)  # ldr r0, [sp, 24]
    mov(lr, r0)
    data(2, 0x9B04)  # ldr r3, [sp, 16]
    data(2, 0x9C00)  # ldr r4, [sp, 0]
    data(2, 0x9D01)  # ldr r5, [sp, 4]
    data(2, 0x9E02)  # ldr r6, [sp, 8]
    data(2, 0x9F07)  # ldr r7, [sp, 28]
    mov(r0, r7)
    cmp(r7, 4)
    bls(COUNTED)
    mov(r7, 4)
    label(COUNTED)
    sub(r0, r0, r7)
    data(2, 0x9007)  # str r0, [sp, 28]
    label(OUTPUT)
    data(2, 0x5960)  # ldr r0, [r4, r5]
    data(2, 0xCC02)  # ldmia r4!, {r1}
    data(2, 0x4441)  # add r1, r8
    lsl(r2, r0, 11)
    lsr(r2, r2, 27)
    asr(r1, r2)
    data(2, 0xB20A)  # sxth r2, r1
    cmp(r1, r2)
    bne(SATURATED)
    label(SHIFTED)
    data(2, 0xB282)  # uxth r2, r0
    mul(r1, r2)
    lsr(r0, r0, 24)
    asr(r1, r0)
    adc(r1, r3)  # the carry is the last bit shifted out: half is rounded up
    data(2, 0x4561)  # cmp r1, r12
    bge(AT_LEAST)
    mov(r1, r12)
    label(AT_LEAST)
    data(2, 0x4571)  # cmp r1, lr
    ble(AT_MOST)
    mov(r1, lr)
    label(AT_MOST)
    strb(r1, [r6, 0])
    data(2, 0x9803)  # ldr r0, [sp, 12]
    add(r6, r6, r0)
    mov(r8, r9)
    mov(r9, r10)
    mov(r10, r11)
    sub(r7, 1)
    bne(OUTPUT)
    data(2, 0x9400)  # str r4, [sp, 0]
    data(2, 0x9602)  # str r6, [sp, 8]
    data(2, 0x9807)  # ldr r0, [sp, 28]
    cmp(r0, 0)
    beq(NEXT_WINDOW)
    b(OUTPUTS)

    # Fewer than four outputs are left, r7.
    label(FEWER)
    mov(r5, r2)
    cmp(r7, 3)
    beq(CHOSEN)
    mov(r4, r2)
    cmp(r7, 2)
    beq(CHOSEN)
    mov(r3, r2)
    b(CHOSEN)

    # A number beyond 16 bits becomes the largest or the least of them.
    label(SATURATED)
    asr(r1, r1, 31)
    mov(r2, 255)
    lsl(r2, r2, 7)
    add(r2, 127)
    eor(r1, r2)
    b(SHIFTED)

    label(NEXT_WINDOW)
    data(2, 0x9B17)  # ldr r3, [sp, 92]
    data(2, 0x9C0E)  # ldr r4, [sp, 56]
    ldr(r5, [r3, _STRIDE_ACROSS])
    add(r4, r4, r5)
    data(2, 0x940E)  # str r4, [sp, 56]
    data(2, 0x9C0F)  # ldr r4, [sp, 60]
    sub(r4, 1)
    data(2, 0x940F)  # str r4, [sp, 60]
    beq(NEXT_ROW)
    b(WINDOW)
    label(NEXT_ROW)
    data(2, 0x9C0D)  # ldr r4, [sp, 52]
    ldr(r5, [r3, _STRIDE_DOWN])
    add(r4, r4, r5)
    data(2, 0x940D)  # str r4, [sp, 52]
    data(2, 0x9C10)  # ldr r4, [sp, 64]
    sub(r4, 1)
    data(2, 0x9410)  # str r4, [sp, 64]
    beq(NEXT_GROUP)
    b(ROW)
    label(NEXT_GROUP)
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9D12)  # ldr r5, [sp, 72]
    mul(r4, r5)
    data(2, 0x9D11)  # ldr r5, [sp, 68]
    add(r4, r4, r5)
    data(2, 0x9411)  # str r4, [sp, 68]
    ldr(r4, [r3, _OUT_CHANNELS])
    lsl(r5, r4, 2)
    data(2, 0x9E14)  # ldr r6, [sp, 80]
    add(r5, r5, r6)
    data(2, 0x9514)  # str r5, [sp, 80]
    data(2, 0x9D09)  # ldr r5, [sp, 36]
    mul(r5, r4)
    data(2, 0x9E13)  # ldr r6, [sp, 76]
    add(r5, r5, r6)
    data(2, 0x9513)  # str r5, [sp, 76]
    data(2, 0x9D03)  # ldr r5, [sp, 12]
    mul(r4, r5)
    data(2, 0x9D15)  # ldr r5, [sp, 84]
    add(r4, r4, r5)
    data(2, 0x9415)  # str r4, [sp, 84]
    data(2, 0x9C16)  # ldr r4, [sp, 88]
    sub(r4, 1)
    data(2, 0x9416)  # str r4, [sp, 88]
    beq(DONE)
    b(GROUP)

    # Gathers a window over the edge, number by number: r1 a number's column, r2 its line, r3 numbers left in
    # it, r4 its row, r5 the columns that are inside, r6 the plane, r7 the number, r8 from column to column,
    # r9 PAD, r10 lines left, r11 planes left, r12 the first column.
    label(EDGE)
    mov(r12, r5)
    ldr(r7, [r3, _DILATION_ACROSS])
    mov(r8, r7)
    ldr(r7, [r3, _PAD])
    mov(r9, r7)
    ldr(r7, [r3, _CHANNELS])
    mov(r11, r7)
    data(2, 0x9E11)  # ldr r6, [sp, 68]
    label(EDGE_PLANE)
    ldr(r7, [r3, _KERNEL_DOWN])
    data(2, 0x9C0D)  # ldr r4, [sp, 52]
    label(EDGE_LINE)
    mov(r10, r7)
    ldr(r2, [r3, _WIDTH])
    ldr(r7, [r3, _HEIGHT])
    mov(r5, 0)
    cmp(r4, r7)
    bcs(OUTSIDE)
    mov(r5, r2)
    label(OUTSIDE)
    mul(r2, r4)
    add(r2, r2, r6)
    ldr(r3, [r3, _KERNEL_ACROSS])
    mov(r1, r12)
    label(EDGE_NUMBER)
    mov(r7, r9)
    cmp(r1, r5)
    bcs(CHOSEN_NUMBER)
    data(2, 0x5C57)  # ldrb r7, [r2, r1]
    label(CHOSEN_NUMBER)
    strb(r7, [r0, 0])
    add(r0, 1)
    data(2, 0x4441)  # add r1, r8
    sub(r3, 1)
    bne(EDGE_NUMBER)
    data(2, 0x9B17)  # ldr r3, [sp, 92]
    ldr(r7, [r3, _DILATION_DOWN])
    add(r4, r4, r7)
    mov(r7, r10)
    sub(r7, 1)
    bne(EDGE_LINE)
    data(2, 0x9F12)  # ldr r7, [sp, 72]
    add(r6, r6, r7)
    mov(r7, r11)
    sub(r7, 1)
    mov(r11, r7)
    bne(EDGE_PLANE)
    b(GATHERED)

    label(DONE)
    data(2, 0xB020)  # add sp, 128
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
