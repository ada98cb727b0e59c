# Generated from tools/asm/int8/thumb_m0/conv.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Convolution for Armv6-M: one multiplication makes two products, of weights unpacked for several windows."""

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
_PAIRS = const(92)


_EIGHT_PRODUCTS = const(30)  # bytes of them


@micropython.asm_thumb
def conv2d(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  rescaling: of this output: the first shift, the factor, the second shift, zero
    #   16  bias: of the next output
    #   20  to_rescaling: from a bias to its rescaling word
    #   24  place: of this output
    #   28  out_plane: size of an output plane
    #   32  high
    #   36  outputs: left in this group
    #   40  weights: of the next output
    #   44  window_size: weights of an output
    #   48  unpacked: weights of an output, and before them a window as it is gathered
    #   52  unpacked_end: where the windows begin
    #   56  gathered_end
    #   60  windows: where the next window goes
    #   64  other_windows: where the one behind that goes
    #   68  passed_over: bytes of code, the first time
    #   72  block: windows at once
    #   76  left: of them, for this output
    #   80  to_gather: how many are left
    #   84  pixel_place: of the block's first outputs
    #   88  pixels: left
    #   92  row: where the next window starts
    #   96  column
    #  100  in_line: windows left in this line
    #  104  x: of this group
    #  108  plane: size of an input plane
    #  112  group_weights
    #  116  group_biases
    #  120  group_place: of this group's outputs
    #  124  groups: left
    #  128  words
    #  132  inside_row: below which a window lies inside, 0 where none does
    #  136  inside_column: the same
    #  140  line_size: numbers in a line of the window
    #  144  to_line: from a line to the next
    #  148  planes
    #  152  to_plane: from a plane to the next
    #  156  lines: in a plane
    #  160  centre: what is subtracted from two numbers: halves 128 and 127
    #  164  halves: what is subtracted from two weights: 128 and 128
    #  168  bytes: a mask of every second byte
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0AB)  # sub sp, 172; STACK

    # What depends on the layer alone. r0 arena, r1 weights, r2 constants, r3 words.
    data(2, 0x9320)  # str r3, [sp, 128]; words
    data(2, 0x911C)  # str r1, [sp, 112]; group_weights
    data(2, 0x921D)  # str r2, [sp, 116]; group_biases
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x941A)  # str r4, [sp, 104]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x941E)  # str r4, [sp, 120]; group_place
    ldr(r4, [r3, _GROUPS])
    data(2, 0x941F)  # str r4, [sp, 124]; groups
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9405)  # str r4, [sp, 20]; to_rescaling
    ldr(r4, [r3, _HIGH])
    data(2, 0x9408)  # str r4, [sp, 32]; high
    ldr(r4, [r3, _OUT_HEIGHT])
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    data(2, 0x9407)  # str r4, [sp, 28]; out_plane

    # The window: r4 its width, r5 its height, r6 its planes and then its size, r7 WORK.
    ldr(r4, [r3, _KERNEL_ACROSS])
    data(2, 0x9423)  # str r4, [sp, 140]; line_size
    ldr(r5, [r3, _KERNEL_DOWN])
    ldr(r6, [r3, _CHANNELS])
    ldr(r7, [r3, _WORK])
    add(r7, r7, r0)
    data(2, 0x970C)  # str r7, [sp, 48]; unpacked
    ldr(r0, [r3, _HEIGHT])
    ldr(r1, [r3, _WIDTH])
    mov(r2, r0)
    mul(r2, r1)
    data(2, 0x921B)  # str r2, [sp, 108]; plane
    # Where it has one line, its planes are told as lines.
    cmp(r5, 1)
    beq(FLAT)
    data(2, 0x9527)  # str r5, [sp, 156]; lines
    data(2, 0x9625)  # str r6, [sp, 148]; planes
    data(2, 0x9226)  # str r2, [sp, 152]; to_plane
    ldr(r2, [r3, _DILATION_DOWN])
    mul(r2, r1)
    data(2, 0x9224)  # str r2, [sp, 144]; to_line
    b(LINES)
    label(FLAT)
    data(2, 0x9627)  # str r6, [sp, 156]; lines
    data(2, 0x9525)  # str r5, [sp, 148]; planes
    data(2, 0x9224)  # str r2, [sp, 144]; to_line
    label(LINES)
    mul(r6, r5)
    mul(r6, r4)
    data(2, 0x960B)  # str r6, [sp, 44]; window_size

    # A window that starts at row r0 and column r1, or higher, reaches over the edge; at a dilation, all
    # shall.
    sub(r5, 1)
    ldr(r2, [r3, _DILATION_DOWN])
    mul(r5, r2)
    sub(r0, r0, r5)
    bpl(LOW_ENOUGH)
    mov(r0, 0)
    label(LOW_ENOUGH)
    data(2, 0x9021)  # str r0, [sp, 132]; inside_row
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
    data(2, 0x9122)  # str r1, [sp, 136]; inside_column

    # In whole words, r6, its numbers end at r0 as they are gathered, at r7 once they are widened.
    add(r6, 3)
    lsr(r6, r6, 2)
    lsl(r6, r6, 2)
    add(r0, r7, r6)
    data(2, 0x900E)  # str r0, [sp, 56]; gathered_end
    add(r7, r0, r6)
    data(2, 0x970D)  # str r7, [sp, 52]; unpacked_end
    # The last sixteen numbers may be twelve, eight or four: so many bytes of code are passed over the first
    # time, counted from behind the instruction after the jump.
    neg(r6, r6)
    lsl(r6, r6, 28)
    lsr(r6, r6, 30)
    mov(r7, _EIGHT_PRODUCTS)
    mul(r6, r7)
    sub(r6, 2)
    data(2, 0x9611)  # str r6, [sp, 68]; passed_over
    # Halves that are 127 and 128; 128 twice; 255 twice.
    mov(r4, 127)
    lsl(r4, r4, 16)
    add(r4, 128)
    data(2, 0x9428)  # str r4, [sp, 160]; centre
    mov(r5, 1)
    lsl(r5, r5, 16)
    add(r4, r4, r5)
    data(2, 0x9429)  # str r4, [sp, 164]; halves
    mov(r4, 255)
    lsl(r5, r4, 16)
    add(r5, r5, r4)
    data(2, 0x952A)  # str r5, [sp, 168]; bytes

    label(GROUP)
    data(2, 0x9C1E)  # ldr r4, [sp, 120]; group_place
    data(2, 0x9415)  # str r4, [sp, 84]; pixel_place
    data(2, 0x9C07)  # ldr r4, [sp, 28]; out_plane
    data(2, 0x9416)  # str r4, [sp, 88]; pixels
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    data(2, 0x9417)  # str r4, [sp, 92]; row
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x9418)  # str r4, [sp, 96]; column
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x9419)  # str r4, [sp, 100]; in_line

    # So many windows at once: r5.
    label(BLOCK)
    ldr(r5, [r3, _PAIRS])
    data(2, 0x9C16)  # ldr r4, [sp, 88]; pixels
    lsl(r5, r5, 1)
    cmp(r5, r4)
    bls(COUNTED)
    mov(r5, r4)
    label(COUNTED)
    data(2, 0x9512)  # str r5, [sp, 72]; block
    data(2, 0x9514)  # str r5, [sp, 80]; to_gather
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; unpacked_end
    data(2, 0x940F)  # str r4, [sp, 60]; windows
    add(r4, 4)
    data(2, 0x9410)  # str r4, [sp, 64]; other_windows

    # Gathers a window, line by line: r0 where to, r1 a line's place, r2 its numbers, r3 lines left, r4 from
    # line to line, r5 planes left, r6 this plane's first line, r7 a number.
    label(WINDOW)
    data(2, 0x980E)  # ldr r0, [sp, 56]; gathered_end
    mov(r4, 0)
    sub(r0, 4)
    str(r4, [r0, 0])  # what is behind its numbers in the last word is 0
    data(2, 0x980C)  # ldr r0, [sp, 48]; unpacked
    data(2, 0x9C17)  # ldr r4, [sp, 92]; row
    data(2, 0x9D18)  # ldr r5, [sp, 96]; column
    data(2, 0x9E21)  # ldr r6, [sp, 132]; inside_row
    cmp(r4, r6)
    bcs(TO_EDGE)
    data(2, 0x9E22)  # ldr r6, [sp, 136]; inside_column
    cmp(r5, r6)
    bcs(TO_EDGE)
    ldr(r3, [r3, _WIDTH])
    mul(r3, r4)
    data(2, 0x9E1A)  # ldr r6, [sp, 104]; x
    add(r6, r6, r3)
    add(r6, r6, r5)
    data(2, 0x9C24)  # ldr r4, [sp, 144]; to_line
    data(2, 0x9D25)  # ldr r5, [sp, 148]; planes
    label(PLANE)
    mov(r1, r6)
    data(2, 0x9B27)  # ldr r3, [sp, 156]; lines
    data(2, 0x9A23)  # ldr r2, [sp, 140]; line_size
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
    data(2, 0x9A23)  # ldr r2, [sp, 140]; line_size
    add(r0, r0, r2)
    add(r1, r1, r4)
    sub(r3, 1)
    bne(LINE)
    b(NEXT_PLANE)
    label(TO_EDGE)
    b(EDGE)
    label(ONE)
    data(2, 0x9F25)  # ldr r7, [sp, 148]; planes
    sub(r7, 1)
    lsl(r2, r3, 30)
    orr(r2, r7)
    beq(FOUR_PIXELS)
    sub(r2, r3, 1)  # from the last line to the first
    mul(r2, r4)
    add(r1, r1, r2)
    label(ONE_NUMBER)
    ldrb(r7, [r1, 0])
    sub(r1, r1, r4)
    sub(r3, 1)
    data(2, 0x54C7)  # strb r7, [r0, r3]
    bne(ONE_NUMBER)
    data(2, 0x9A27)  # ldr r2, [sp, 156]; lines
    add(r0, r0, r2)
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
    data(2, 0x9926)  # ldr r1, [sp, 152]; to_plane
    add(r6, r6, r1)
    sub(r5, 1)
    bne(PLANE)
    b(GATHERED)

    # A window of single numbers that come in fours is widened as it is gathered.
    label(FOUR_PIXELS)
    data(2, 0x980F)  # ldr r0, [sp, 60]; windows
    data(2, 0x9A28)  # ldr r2, [sp, 160]; centre
    label(FOUR)
    ldrb(r5, [r1, 0])
    add(r1, r1, r4)
    ldrb(r6, [r1, 0])
    add(r1, r1, r4)
    ldrb(r7, [r1, 0])
    lsl(r5, r5, 16)
    add(r5, r5, r7)
    sub(r5, r5, r2)
    str(r5, [r0, 0])
    add(r1, r1, r4)
    ldrb(r7, [r1, 0])
    lsl(r6, r6, 16)
    add(r6, r6, r7)
    sub(r6, r6, r2)
    str(r6, [r0, 8])
    add(r1, r1, r4)
    add(r0, 16)
    sub(r3, 4)
    bne(FOUR)
    mov(r1, r0)
    b(WIDENED)

    # Widens it: four numbers at r0, r4, become two words at r1, r4 and r5.
    label(GATHERED)
    data(2, 0x980C)  # ldr r0, [sp, 48]; unpacked
    data(2, 0x990F)  # ldr r1, [sp, 60]; windows
    data(2, 0x9A2A)  # ldr r2, [sp, 168]; bytes
    data(2, 0x9B28)  # ldr r3, [sp, 160]; centre
    data(2, 0x9E0E)  # ldr r6, [sp, 56]; gathered_end
    mov(r7, 16)
    label(WIDEN)
    data(2, 0xC810)  # ldmia r0!, {r4}
    ror(r4, r7)
    lsr(r5, r4, 8)
    and_(r4, r2)
    and_(r5, r2)
    sub(r4, r4, r3)
    str(r4, [r1, 0])
    sub(r5, r5, r3)
    str(r5, [r1, 8])
    add(r1, 16)
    cmp(r0, r6)
    bne(WIDEN)
    label(WIDENED)
    data(2, 0x9C10)  # ldr r4, [sp, 64]; other_windows
    data(2, 0x940F)  # str r4, [sp, 60]; windows
    data(2, 0x9110)  # str r1, [sp, 64]; other_windows

    # Where the next window starts.
    data(2, 0x9B20)  # ldr r3, [sp, 128]; words
    data(2, 0x9C19)  # ldr r4, [sp, 100]; in_line
    sub(r4, 1)
    data(2, 0x9419)  # str r4, [sp, 100]; in_line
    bne(MOVE_ACROSS)
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x9419)  # str r4, [sp, 100]; in_line
    ldr(r4, [r3, _PADDING_ACROSS])
    neg(r4, r4)
    data(2, 0x9418)  # str r4, [sp, 96]; column
    data(2, 0x9C17)  # ldr r4, [sp, 92]; row
    ldr(r5, [r3, _STRIDE_DOWN])
    add(r4, r4, r5)
    data(2, 0x9417)  # str r4, [sp, 92]; row
    b(MOVED)
    label(MOVE_ACROSS)
    data(2, 0x9C18)  # ldr r4, [sp, 96]; column
    ldr(r5, [r3, _STRIDE_ACROSS])
    add(r4, r4, r5)
    data(2, 0x9418)  # str r4, [sp, 96]; column
    label(MOVED)
    data(2, 0x9C14)  # ldr r4, [sp, 80]; to_gather
    sub(r4, 1)
    data(2, 0x9414)  # str r4, [sp, 80]; to_gather
    beq(OUTPUTS)
    b(WINDOW)

    label(OUTPUTS)
    data(2, 0x9C15)  # ldr r4, [sp, 84]; pixel_place
    data(2, 0x9406)  # str r4, [sp, 24]; place
    data(2, 0x9C1C)  # ldr r4, [sp, 112]; group_weights
    data(2, 0x940A)  # str r4, [sp, 40]; weights
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; group_biases
    data(2, 0x9404)  # str r4, [sp, 16]; bias
    ldr(r4, [r3, _OUT_CHANNELS])
    data(2, 0x9409)  # str r4, [sp, 36]; outputs

    # The weights at r0 become words at r1, and r5 the sum of w0 and w1 of each four, r4 that of w2 and w3.
    label(OUTPUT)
    data(2, 0x980A)  # ldr r0, [sp, 40]; weights
    data(2, 0x990C)  # ldr r1, [sp, 48]; unpacked
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; unpacked_end
    mov(r12, r4)
    mov(r2, 0)
    mov(r8, r2)
    mov(r9, r2)
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; window_size
    lsr(r5, r4, 9)
    bne(BYTES)  # the two sums would not fit one word
    orr(r4, r0)
    lsl(r4, r4, 30)
    bne(BYTES)
    data(2, 0x9A2A)  # ldr r2, [sp, 168]; bytes
    data(2, 0x9E29)  # ldr r6, [sp, 164]; halves
    lsl(r3, r6, 8)
    add(r3, r3, r6)
    label(WORD)
    data(2, 0xC810)  # ldmia r0!, {r4}
    eor(r4, r3)
    lsr(r5, r4, 8)
    and_(r4, r2)
    and_(r5, r2)
    sub(r4, r4, r6)
    sub(r5, r5, r6)
    data(2, 0x44A0)  # add r8, r4
    data(2, 0x44A8)  # add r8, r5
    data(2, 0xC130)  # stmia r1!, {r4, r5}
    data(2, 0x4561)  # cmp r1, r12
    bne(WORD)
    mov(r4, r8)
    data(2, 0xB225)  # sxth r5, r4
    sub(r4, r4, r5)
    asr(r4, r4, 16)
    b(UNPACKED)
    label(BYTES)
    mov(r3, 1)
    mov(r4, 2)
    mov(r5, 3)
    label(FOUR_BYTES)
    data(2, 0x5686)  # ldrsb r6, [r0, r2]
    data(2, 0x5707)  # ldrsb r7, [r0, r4]
    data(2, 0x44B0)  # add r8, r6
    data(2, 0x44B9)  # add r9, r7
    lsl(r7, r7, 16)
    add(r6, r6, r7)
    data(2, 0xC140)  # stmia r1!, {r6}
    data(2, 0x56C6)  # ldrsb r6, [r0, r3]
    data(2, 0x5747)  # ldrsb r7, [r0, r5]
    data(2, 0x44B0)  # add r8, r6
    data(2, 0x44B9)  # add r9, r7
    lsl(r7, r7, 16)
    add(r6, r6, r7)
    data(2, 0xC140)  # stmia r1!, {r6}
    add(r0, 4)
    data(2, 0x4561)  # cmp r1, r12
    bne(FOUR_BYTES)
    mov(r5, r8)
    mov(r4, r9)

    # What sums begin with, r10: the bias, and what was subtracted.
    label(UNPACKED)
    add(r4, r4, r5)
    lsl(r4, r4, 7)
    sub(r4, r4, r5)
    data(2, 0x9E04)  # ldr r6, [sp, 16]; bias
    data(2, 0x9D05)  # ldr r5, [sp, 20]; to_rescaling
    data(2, 0x5970)  # ldr r0, [r6, r5]
    data(2, 0xCE20)  # ldmia r6!, {r5}
    data(2, 0x9604)  # str r6, [sp, 16]; bias
    add(r5, r5, r4)
    mov(r10, r5)
    data(2, 0x9C0A)  # ldr r4, [sp, 40]; weights
    data(2, 0x9D0B)  # ldr r5, [sp, 44]; window_size
    add(r4, r4, r5)
    data(2, 0x940A)  # str r4, [sp, 40]; weights

    lsl(r4, r0, 11)
    lsr(r4, r4, 27)
    data(2, 0xB285)  # uxth r5, r0
    lsr(r6, r0, 24)
    data(2, 0x9F20)  # ldr r7, [sp, 128]; words
    ldr(r1, [r7, _LOW])
    mov(r11, r1)
    ldr(r7, [r7, _ZERO])
    data(2, 0xA800)  # add r0, sp, 0; rescaling
    data(2, 0xC0F0)  # stmia r0!, {r4, r5, r6, r7}
    data(2, 0x980C)  # ldr r0, [sp, 48]; unpacked
    mov(r8, r0)
    data(2, 0x980D)  # ldr r0, [sp, 52]; unpacked_end
    mov(r9, r0)
    data(2, 0x9806)  # ldr r0, [sp, 24]; place
    mov(lr, r0)
    data(2, 0x9808)  # ldr r0, [sp, 32]; high
    mov(r12, r0)
    data(2, 0x9812)  # ldr r0, [sp, 72]; block
    data(2, 0x9013)  # str r0, [sp, 76]; left
    data(2, 0x990D)  # ldr r1, [sp, 52]; unpacked_end

    label(PAIR)
    mov(r0, r8)
    mov(r2, r10)
    mov(r3, r10)
    data(2, 0x9C11)  # ldr r4, [sp, 68]; passed_over
    data(2, 0x44A7)  # add pc, r4
    label(SIXTEEN)
    data(2, 0xC890)  # ldmia r0!, {r4, r7}
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r4)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r4)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r7)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r7)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC890)  # ldmia r0!, {r4, r7}
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r4)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r4)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r7)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r7)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC890)  # ldmia r0!, {r4, r7}
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r4)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r4)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r7)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r7)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC890)  # ldmia r0!, {r4, r7}
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r4)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r4)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0xC960)  # ldmia r1!, {r5, r6}
    mul(r5, r7)
    asr(r5, r5, 16)  # the carry is the last bit, which rounds
    adc(r2, r5)
    mul(r6, r7)
    asr(r6, r6, 16)  # the carry is the last bit, which rounds
    adc(r3, r6)
    data(2, 0x4548)  # cmp r0, r9
    bne(SIXTEEN)

    data(2, 0xA800)  # add r0, sp, 0; rescaling
    data(2, 0xC8F0)  # ldmia r0!, {r4, r5, r6, r7}
    asr(r2, r4)
    data(2, 0xB210)  # sxth r0, r2
    cmp(r0, r2)
    beq(FITS)
    asr(r2, r2, 31)
    mov(r0, 255)
    lsl(r0, r0, 7)
    add(r0, 127)
    eor(r2, r0)
    label(FITS)
    mul(r2, r5)
    asr(r2, r6)
    adc(r2, r7)
    data(2, 0x455A)  # cmp r2, r11
    bge(AT_LEAST)
    mov(r2, r11)
    label(AT_LEAST)
    data(2, 0x4562)  # cmp r2, r12
    ble(AT_MOST)
    mov(r2, r12)
    label(AT_MOST)
    asr(r3, r4)
    data(2, 0xB218)  # sxth r0, r3
    cmp(r0, r3)
    beq(FITS_2)
    asr(r3, r3, 31)
    mov(r0, 255)
    lsl(r0, r0, 7)
    add(r0, 127)
    eor(r3, r0)
    label(FITS_2)
    mul(r3, r5)
    asr(r3, r6)
    adc(r3, r7)
    data(2, 0x455B)  # cmp r3, r11
    bge(AT_LEAST_2)
    mov(r3, r11)
    label(AT_LEAST_2)
    data(2, 0x4563)  # cmp r3, r12
    ble(AT_MOST_2)
    mov(r3, r12)
    label(AT_MOST_2)
    mov(r0, lr)
    mov(r4, 2)
    data(2, 0x44A6)  # add lr, r4
    strb(r2, [r0, 0])
    data(2, 0x9C13)  # ldr r4, [sp, 76]; left
    sub(r4, 2)
    bmi(NEXT_OUTPUT)  # there was but one
    strb(r3, [r0, 1])
    data(2, 0x9413)  # str r4, [sp, 76]; left
    bne(PAIR)

    label(NEXT_OUTPUT)
    data(2, 0x9C06)  # ldr r4, [sp, 24]; place
    data(2, 0x9D07)  # ldr r5, [sp, 28]; out_plane
    add(r4, r4, r5)
    data(2, 0x9406)  # str r4, [sp, 24]; place
    data(2, 0x9C09)  # ldr r4, [sp, 36]; outputs
    sub(r4, 1)
    data(2, 0x9409)  # str r4, [sp, 36]; outputs
    beq(NEXT_BLOCK)
    b(OUTPUT)

    label(NEXT_BLOCK)
    data(2, 0x9B20)  # ldr r3, [sp, 128]; words
    data(2, 0x9E12)  # ldr r6, [sp, 72]; block
    data(2, 0x9C15)  # ldr r4, [sp, 84]; pixel_place
    add(r4, r4, r6)
    data(2, 0x9415)  # str r4, [sp, 84]; pixel_place
    data(2, 0x9C16)  # ldr r4, [sp, 88]; pixels
    sub(r4, r4, r6)
    data(2, 0x9416)  # str r4, [sp, 88]; pixels
    beq(NEXT_GROUP)
    b(BLOCK)
    label(NEXT_GROUP)
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; plane
    mul(r4, r5)
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; x
    add(r4, r4, r5)
    data(2, 0x941A)  # str r4, [sp, 104]; x
    data(2, 0x9C04)  # ldr r4, [sp, 16]; bias
    data(2, 0x941D)  # str r4, [sp, 116]; group_biases
    data(2, 0x9C0A)  # ldr r4, [sp, 40]; weights
    data(2, 0x941C)  # str r4, [sp, 112]; group_weights
    ldr(r4, [r3, _OUT_CHANNELS])
    data(2, 0x9D07)  # ldr r5, [sp, 28]; out_plane
    mul(r4, r5)
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; group_place
    add(r4, r4, r5)
    data(2, 0x941E)  # str r4, [sp, 120]; group_place
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; groups
    sub(r4, 1)
    data(2, 0x941F)  # str r4, [sp, 124]; groups
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
    data(2, 0x9E1A)  # ldr r6, [sp, 104]; x
    label(EDGE_PLANE)
    ldr(r7, [r3, _KERNEL_DOWN])
    data(2, 0x9C17)  # ldr r4, [sp, 92]; row
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
    data(2, 0x9B20)  # ldr r3, [sp, 128]; words
    ldr(r7, [r3, _DILATION_DOWN])
    add(r4, r4, r7)
    mov(r7, r10)
    sub(r7, 1)
    bne(EDGE_LINE)
    data(2, 0x9F1B)  # ldr r7, [sp, 108]; plane
    add(r6, r6, r7)
    mov(r7, r11)
    sub(r7, 1)
    mov(r11, r7)
    bne(EDGE_PLANE)
    b(GATHERED)
    label(DONE)
    data(2, 0xB02B)  # add sp, 172; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
