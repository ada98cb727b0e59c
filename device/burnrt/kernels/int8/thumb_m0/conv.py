# Generated from tools/asm/int8/thumb_m0/conv.s by `python -m tools.asm`: change that, not this.
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
    #    0  bias: of the next output
    #    4  to_rescaling: from a bias to its rescaling word
    #    8  place: of the next output
    #   12  out_plane: size of an output plane
    #   16  zero
    #   20  low
    #   24  high
    #   28  outputs: left in this group
    #   32  weights: of the next output
    #   36  window_size: weights of an output
    #   40  window: as it is gathered
    #   44  window_end
    #   48  pixel_place: of this pixel's outputs
    #   52  row: where the window starts
    #   56  column
    #   60  in_line: windows left in this line
    #   64  rows: lines of windows left
    #   68  x: of this group
    #   72  plane: size of an input plane
    #   76  group_weights
    #   80  group_biases
    #   84  group_place: of this group's outputs
    #   88  groups: left
    #   92  words
    #   96  inside_row: below which a window lies inside, 0 where none does
    #  100  inside_column: the same
    #  104  line_size: numbers in a line of the window
    #  108  to_line: from a line to the next
    #  112  planes
    #  116  to_plane: from a plane to the next
    #  120  lines: in a plane
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0A0)  # sub sp, 128; STACK

    # What depends on the layer alone. r0 arena, r1 weights, r2 constants, r3 words.
    data(2, 0x9317)  # str r3, [sp, 92]; words
    data(2, 0x9113)  # str r1, [sp, 76]; group_weights
    data(2, 0x9214)  # str r2, [sp, 80]; group_biases
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9411)  # str r4, [sp, 68]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9415)  # str r4, [sp, 84]; group_place
    ldr(r4, [r3, _GROUPS])
    data(2, 0x9416)  # str r4, [sp, 88]; groups
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9401)  # str r4, [sp, 4]; to_rescaling
    ldr(r4, [r3, _ZERO])
    data(2, 0x9404)  # str r4, [sp, 16]; zero
    ldr(r4, [r3, _LOW])
    data(2, 0x9405)  # str r4, [sp, 20]; low
    ldr(r4, [r3, _HIGH])
    data(2, 0x9406)  # str r4, [sp, 24]; high
    ldr(r4, [r3, _OUT_HEIGHT])
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    data(2, 0x9403)  # str r4, [sp, 12]; out_plane

    # The window: r4 its width, r5 its height, r6 its planes and then its size.
    ldr(r4, [r3, _KERNEL_ACROSS])
    data(2, 0x941A)  # str r4, [sp, 104]; line_size
    ldr(r5, [r3, _KERNEL_DOWN])
    ldr(r6, [r3, _CHANNELS])
    ldr(r7, [r3, _WORK])
    add(r7, r7, r0)
    data(2, 0x970A)  # str r7, [sp, 40]; window
    ldr(r0, [r3, _HEIGHT])
    ldr(r1, [r3, _WIDTH])
    mov(r2, r0)
    mul(r2, r1)
    data(2, 0x9212)  # str r2, [sp, 72]; plane
    # Where it has one line, its planes are told as lines.
    cmp(r5, 1)
    beq(FLAT)
    data(2, 0x951E)  # str r5, [sp, 120]; lines
    data(2, 0x961C)  # str r6, [sp, 112]; planes
    data(2, 0x921D)  # str r2, [sp, 116]; to_plane
    ldr(r2, [r3, _DILATION_DOWN])
    mul(r2, r1)
    data(2, 0x921B)  # str r2, [sp, 108]; to_line
    b(LINES)
    label(FLAT)
    data(2, 0x961E)  # str r6, [sp, 120]; lines
    data(2, 0x951C)  # str r5, [sp, 112]; planes
    data(2, 0x921B)  # str r2, [sp, 108]; to_line
    label(LINES)
    mul(r6, r5)
    mul(r6, r4)
    data(2, 0x9609)  # str r6, [sp, 36]; window_size
    add(r7, r7, r6)
    data(2, 0x970B)  # str r7, [sp, 44]; window_end

    # A window that starts at row r0 and column r1, or higher, reaches over the edge; at a dilation, all
    # shall.
    sub(r5, 1)
    ldr(r2, [r3, _DILATION_DOWN])
    mul(r5, r2)
    sub(r0, r0, r5)
    bpl(LOW_ENOUGH)
    mov(r0, 0)
    label(LOW_ENOUGH)
    data(2, 0x9018)  # str r0, [sp, 96]; inside_row
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
    data(2, 0x9119)  # str r1, [sp, 100]; inside_column

    label(GROUP)
    data(2, 0x9C15)  # ldr r4, [sp, 84]; group_place
    data(2, 0x940C)  # str r4, [sp, 48]; pixel_place
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x940D)  # str r4, [sp, 52]; row
    ldr(r4, [r3, _OUT_HEIGHT])
    data(2, 0x9410)  # str r4, [sp, 64]; rows
    label(ROW)
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x940E)  # str r4, [sp, 56]; column
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x940F)  # str r4, [sp, 60]; in_line

    # Gathers a window, line by line: r0 where to, r1 a line's place, r2 its numbers, r3 lines left, r4 from
    # line to line, r5 planes left, r6 this plane's first line, r7 a number.
    label(WINDOW)
    data(2, 0x980A)  # ldr r0, [sp, 40]; window
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; row
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; column
    data(2, 0x9E18)  # ldr r6, [sp, 96]; inside_row
    cmp(r4, r6)
    bcs(TO_EDGE)
    data(2, 0x9E19)  # ldr r6, [sp, 100]; inside_column
    cmp(r5, r6)
    bcs(TO_EDGE)
    data(2, 0x9A17)  # ldr r2, [sp, 92]; words
    ldr(r3, [r2, _WIDTH])
    mul(r3, r4)
    data(2, 0x9E11)  # ldr r6, [sp, 68]; x
    add(r6, r6, r3)
    add(r6, r6, r5)
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; to_line
    data(2, 0x9D1C)  # ldr r5, [sp, 112]; planes
    label(PLANE)
    mov(r1, r6)
    data(2, 0x9B1E)  # ldr r3, [sp, 120]; lines
    data(2, 0x9A1A)  # ldr r2, [sp, 104]; line_size
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
    data(2, 0x9A1A)  # ldr r2, [sp, 104]; line_size
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
    data(2, 0x991D)  # ldr r1, [sp, 116]; to_plane
    add(r6, r6, r1)
    sub(r5, 1)
    bne(PLANE)

    label(GATHERED)
    data(2, 0x980C)  # ldr r0, [sp, 48]; pixel_place
    data(2, 0x9002)  # str r0, [sp, 8]; place
    add(r0, 1)
    data(2, 0x900C)  # str r0, [sp, 48]; pixel_place
    data(2, 0x9813)  # ldr r0, [sp, 76]; group_weights
    data(2, 0x9008)  # str r0, [sp, 32]; weights
    data(2, 0x9814)  # ldr r0, [sp, 80]; group_biases
    data(2, 0x9000)  # str r0, [sp, 0]; bias
    data(2, 0x9B17)  # ldr r3, [sp, 92]; words
    ldr(r0, [r3, _OUT_CHANNELS])
    data(2, 0x9007)  # str r0, [sp, 28]; outputs

    # Up to four outputs: their sums r8-r11, the ends of their weights r2-r5, the end of the numbers r1, and
    # r0 from there to the next number. Where fewer are left, the first one's weights stand for those that are
    # missing.
    label(OUTPUTS)
    data(2, 0x9E09)  # ldr r6, [sp, 36]; window_size
    data(2, 0x9F07)  # ldr r7, [sp, 28]; outputs
    data(2, 0x9A08)  # ldr r2, [sp, 32]; weights
    add(r2, r2, r6)
    add(r3, r2, r6)
    add(r4, r3, r6)
    add(r5, r4, r6)
    cmp(r7, 4)
    bcc(FEWER)
    label(CHOSEN)
    data(2, 0x9508)  # str r5, [sp, 32]; weights
    data(2, 0x990B)  # ldr r1, [sp, 44]; window_end
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
    data(2, 0x9805)  # ldr r0, [sp, 20]; low
    mov(r12, r0)
    data(2, 0x9806)  # ldr r0, [sp, 24]; high
    mov(lr, r0)
    data(2, 0x9B04)  # ldr r3, [sp, 16]; zero
    data(2, 0x9C00)  # ldr r4, [sp, 0]; bias
    data(2, 0x9D01)  # ldr r5, [sp, 4]; to_rescaling
    data(2, 0x9E02)  # ldr r6, [sp, 8]; place
    data(2, 0x9F07)  # ldr r7, [sp, 28]; outputs
    mov(r0, r7)
    cmp(r7, 4)
    bls(COUNTED)
    mov(r7, 4)
    label(COUNTED)
    sub(r0, r0, r7)
    data(2, 0x9007)  # str r0, [sp, 28]; outputs
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
    adc(r1, r3)
    data(2, 0x4561)  # cmp r1, r12
    bge(AT_LEAST)
    mov(r1, r12)
    label(AT_LEAST)
    data(2, 0x4571)  # cmp r1, lr
    ble(AT_MOST)
    mov(r1, lr)
    label(AT_MOST)
    strb(r1, [r6, 0])
    data(2, 0x9803)  # ldr r0, [sp, 12]; out_plane
    add(r6, r6, r0)
    mov(r8, r9)
    mov(r9, r10)
    mov(r10, r11)
    sub(r7, 1)
    bne(OUTPUT)
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9602)  # str r6, [sp, 8]; place
    data(2, 0x9807)  # ldr r0, [sp, 28]; outputs
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
    data(2, 0x9B17)  # ldr r3, [sp, 92]; words
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; column
    ldr(r5, [r3, _STRIDE_ACROSS])
    add(r4, r4, r5)
    data(2, 0x940E)  # str r4, [sp, 56]; column
    data(2, 0x9C0F)  # ldr r4, [sp, 60]; in_line
    sub(r4, 1)
    data(2, 0x940F)  # str r4, [sp, 60]; in_line
    beq(NEXT_ROW)
    b(WINDOW)
    label(NEXT_ROW)
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; row
    ldr(r5, [r3, _STRIDE_DOWN])
    add(r4, r4, r5)
    data(2, 0x940D)  # str r4, [sp, 52]; row
    data(2, 0x9C10)  # ldr r4, [sp, 64]; rows
    sub(r4, 1)
    data(2, 0x9410)  # str r4, [sp, 64]; rows
    beq(NEXT_GROUP)
    b(ROW)
    label(NEXT_GROUP)
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; plane
    mul(r4, r5)
    data(2, 0x9D11)  # ldr r5, [sp, 68]; x
    add(r4, r4, r5)
    data(2, 0x9411)  # str r4, [sp, 68]; x
    ldr(r4, [r3, _OUT_CHANNELS])
    lsl(r5, r4, 2)
    data(2, 0x9E14)  # ldr r6, [sp, 80]; group_biases
    add(r5, r5, r6)
    data(2, 0x9514)  # str r5, [sp, 80]; group_biases
    data(2, 0x9D09)  # ldr r5, [sp, 36]; window_size
    mul(r5, r4)
    data(2, 0x9E13)  # ldr r6, [sp, 76]; group_weights
    add(r5, r5, r6)
    data(2, 0x9513)  # str r5, [sp, 76]; group_weights
    data(2, 0x9D03)  # ldr r5, [sp, 12]; out_plane
    mul(r4, r5)
    data(2, 0x9D15)  # ldr r5, [sp, 84]; group_place
    add(r4, r4, r5)
    data(2, 0x9415)  # str r4, [sp, 84]; group_place
    data(2, 0x9C16)  # ldr r4, [sp, 88]; groups
    sub(r4, 1)
    data(2, 0x9416)  # str r4, [sp, 88]; groups
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
    data(2, 0x9E11)  # ldr r6, [sp, 68]; x
    label(EDGE_PLANE)
    ldr(r7, [r3, _KERNEL_DOWN])
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; row
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
    data(2, 0x9B17)  # ldr r3, [sp, 92]; words
    ldr(r7, [r3, _DILATION_DOWN])
    add(r4, r4, r7)
    mov(r7, r10)
    sub(r7, 1)
    bne(EDGE_LINE)
    data(2, 0x9F12)  # ldr r7, [sp, 72]; plane
    add(r6, r6, r7)
    mov(r7, r11)
    sub(r7, 1)
    mov(r11, r7)
    bne(EDGE_PLANE)
    b(GATHERED)

    label(DONE)
    data(2, 0xB020)  # add sp, 128; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
