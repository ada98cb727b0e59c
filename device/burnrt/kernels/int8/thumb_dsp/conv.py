# Generated from tools/asm/int8/thumb_dsp/conv.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Convolution for Armv7E-M: two windows at a time are widened to 16 bits, and two outputs share them."""

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
    #    0  zero_low: ZERO - LOW
    #    4  over: 255 - (HIGH - LOW), twice
    #    8  excess: 255 - HIGH, twice
    #   12  place: of the next output
    #   16  to_second: from there to the second pixel's, 0 where there is none
    #   20  bias: of the next output
    #   24  to_rescaling: from a bias to its rescaling word
    #   28  outputs: left in this group
    #   32  weights: of the next output
    #   36  window_size: weights of an output
    #   40  windows: as they are widened
    #   44  windows_end
    #   48  out_plane: size of an output plane
    #   52  pixel_place: of the first pixel's outputs
    #   56  row: where the next window starts
    #   60  column
    #   64  in_line: windows left in this line
    #   68  pixels: left
    #   72  x: of this group
    #   76  plane: size of an input plane
    #   80  group_weights
    #   84  group_biases
    #   88  group_place: of this group's outputs
    #   92  groups: left
    #   96  words
    #  100  gathered: bytes of the first window, as they are gathered
    #  104  to_gathered: from there to those of the second
    #  108  tail_mask: of their last word, 0 where all of it counts
    #  112  inside_row: below which a window lies inside, 0 where none does
    #  116  inside_column: the same
    #  120  line_size: numbers in a line of the window
    #  124  to_line: from a line to the next
    #  128  planes
    #  132  to_plane: from a plane to the next
    #  136  lines: in a plane
    #  140  is_indirect: 0 where windows are single pixels, one behind the other, and channels come in fours
    push({r8, r9, r10, r11})
    data(2, 0xB0A4)  # sub sp, 144; STACK

    # What depends on the layer alone. r0 arena, r1 weights, r2 constants, r3 words.
    data(2, 0x9318)  # str r3, [sp, 96]; words
    data(2, 0x9114)  # str r1, [sp, 80]; group_weights
    data(2, 0x9215)  # str r2, [sp, 84]; group_biases
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9412)  # str r4, [sp, 72]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9416)  # str r4, [sp, 88]; group_place
    ldr(r4, [r3, _GROUPS])
    data(2, 0x9417)  # str r4, [sp, 92]; groups
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9406)  # str r4, [sp, 24]; to_rescaling
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    ldr(r6, [r3, _ZERO])
    sub(r6, r6, r4)
    data(2, 0x9600)  # str r6, [sp, 0]; zero_low
    mov(r6, 255)
    sub(r7, r6, r5)
    add(r4, r4, r7)
    data(2, 0xEA47, 0x2707)  # orr r7, r7, r7, lsl 8
    data(2, 0x9702)  # str r7, [sp, 8]; excess
    data(2, 0xEA44, 0x2404)  # orr r4, r4, r4, lsl 8
    data(2, 0x9401)  # str r4, [sp, 4]; over

    # The window: r4 its width, r5 its height, r6 its size in words, r7 the place of what is widened.
    ldr(r4, [r3, _KERNEL_ACROSS])
    data(2, 0x941E)  # str r4, [sp, 120]; line_size
    ldr(r5, [r3, _KERNEL_DOWN])
    ldr(r6, [r3, _CHANNELS])
    mul(r6, r5)
    mul(r6, r4)
    data(2, 0x9609)  # str r6, [sp, 36]; window_size
    ldr(r7, [r3, _WORK])
    add(r7, r7, r0)
    data(2, 0x970A)  # str r7, [sp, 40]; windows
    lsl(r0, r6, 30)
    lsr(r0, r0, 27)
    mov(r1, 1)
    lsl(r1, r0)
    sub(r1, r1, 1)
    data(2, 0x911B)  # str r1, [sp, 108]; tail_mask
    add(r6, 3)
    data(2, 0xF026, 0x0603)  # bic r6, r6, 3
    data(2, 0x961A)  # str r6, [sp, 104]; to_gathered
    data(2, 0xEB07, 0x0186)  # add r1, r7, r6, lsl 2
    data(2, 0x910B)  # str r1, [sp, 44]; windows_end
    sub(r1, r1, r6)
    sub(r1, 4)
    data(2, 0x9119)  # str r1, [sp, 100]; gathered

    # The planes: r0 height, r1 width, r2 size. Where the window has one line, its planes are told as lines.
    ldr(r0, [r3, _HEIGHT])
    ldr(r1, [r3, _WIDTH])
    mov(r2, r0)
    mul(r2, r1)
    data(2, 0x9213)  # str r2, [sp, 76]; plane
    ldr(r6, [r3, _CHANNELS])
    ldr(r7, [r3, _DILATION_DOWN])
    cmp(r5, 1)
    beq(FLAT)
    data(2, 0x9522)  # str r5, [sp, 136]; lines
    data(2, 0x9620)  # str r6, [sp, 128]; planes
    data(2, 0x9221)  # str r2, [sp, 132]; to_plane
    data(2, 0xFB07, 0xF601)  # mul r6, r7, r1
    data(2, 0x961F)  # str r6, [sp, 124]; to_line
    b(LINES)
    label(FLAT)
    data(2, 0x9622)  # str r6, [sp, 136]; lines
    data(2, 0x9520)  # str r5, [sp, 128]; planes
    data(2, 0x921F)  # str r2, [sp, 124]; to_line
    label(LINES)
    # A window that starts at row r6 and column r7, or higher, reaches over the edge; at a dilation, all
    # shall.
    sub(r2, r5, 1)
    mul(r7, r2)
    sub(r6, r0, r7)
    it(mi)
    mov(r6, 0)
    data(2, 0x961C)  # str r6, [sp, 112]; inside_row
    add(r7, r1, 1)
    sub(r7, r7, r4)
    it(mi)
    mov(r7, 0)
    ldr(r2, [r3, _DILATION_ACROSS])
    cmp(r2, 1)
    it(ne)
    mov(r7, 0)
    data(2, 0x971D)  # str r7, [sp, 116]; inside_column

    ldr(r2, [r3, _OUT_HEIGHT])
    ldr(r7, [r3, _OUT_WIDTH])
    data(2, 0xFB02, 0xF607)  # mul r6, r2, r7
    data(2, 0x960C)  # str r6, [sp, 48]; out_plane
    # r0 becomes 0 where windows are single pixels, one behind the other, and channels come in fours.
    data(2, 0xEA80, 0x0002)  # eor r0, r0, r2
    data(2, 0xEA81, 0x0107)  # eor r1, r1, r7
    orr(r0, r1)
    data(2, 0xF084, 0x0401)  # eor r4, r4, 1
    orr(r0, r4)
    data(2, 0xF085, 0x0501)  # eor r5, r5, 1
    orr(r0, r5)
    ldr(r4, [r3, _STRIDE_DOWN])
    data(2, 0xF084, 0x0401)  # eor r4, r4, 1
    orr(r0, r4)
    ldr(r4, [r3, _STRIDE_ACROSS])
    data(2, 0xF084, 0x0401)  # eor r4, r4, 1
    orr(r0, r4)
    ldr(r4, [r3, _PADDING_DOWN])
    orr(r0, r4)
    ldr(r4, [r3, _PADDING_ACROSS])
    orr(r0, r4)
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; tail_mask
    orr(r0, r4)
    data(2, 0x9023)  # str r0, [sp, 140]; is_indirect

    label(GROUP)
    data(2, 0x9C16)  # ldr r4, [sp, 88]; group_place
    data(2, 0x940D)  # str r4, [sp, 52]; pixel_place
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; out_plane
    data(2, 0x9411)  # str r4, [sp, 68]; pixels
    ldr(r4, [r3, _PADDING_DOWN])
    neg(r4, r4)
    ldr(r5, [r3, _PADDING_ACROSS])
    neg(r5, r5)
    data(2, 0xE9CD, 0x450E)  # strd r4, r5, [sp, 56]; row
    ldr(r4, [r3, _OUT_WIDTH])
    data(2, 0x9410)  # str r4, [sp, 64]; in_line

    # One pixel or two: r6 is how many are left, and whether there is a second.
    label(PIXELS)
    data(2, 0x9E11)  # ldr r6, [sp, 68]; pixels
    data(2, 0x9823)  # ldr r0, [sp, 140]; is_indirect
    cmp(r0, 0)
    beq(DIRECT)
    cmp(r6, 1)
    ite(hi)
    mov(r6, 1)
    mov(r6, 0)
    data(2, 0x9604)  # str r6, [sp, 16]; to_second
    data(2, 0x9819)  # ldr r0, [sp, 100]; gathered
    bl(GATHER)
    data(2, 0x9E04)  # ldr r6, [sp, 16]; to_second
    cmp(r6, 0)
    beq(GATHERED)
    data(2, 0xE9DD, 0x0119)  # ldrd r0, r1, [sp, 100]; gathered
    add(r0, r0, r1)
    bl(GATHER)

    # What is behind the windows in their last words becomes 0.
    label(GATHERED)
    data(2, 0xE9DD, 0x4519)  # ldrd r4, r5, [sp, 100]; gathered
    data(2, 0x981B)  # ldr r0, [sp, 108]; tail_mask
    cmp(r0, 0)
    beq(WHOLE)
    add(r1, r4, r5)
    sub(r1, 4)
    ldr(r2, [r1, 0])
    and_(r2, r0)
    str(r2, [r1, 0])
    data(2, 0x594A)  # ldr r2, [r1, r5]
    and_(r2, r0)
    data(2, 0x514A)  # str r2, [r1, r5]
    # Four numbers of each window, r4 and r5 behind it, become 16 bytes at r6: those of the first at the
    # places 0 and 2, then 1 and 3, and those of the second. They begin so far behind r6 that it does not
    # catch up.
    label(WHOLE)
    data(2, 0xE9DD, 0x670A)  # ldrd r6, r7, [sp, 40]; windows
    label(WIDEN)
    data(2, 0x5963)  # ldr r3, [r4, r5]
    data(2, 0xF854, 0x1B04)  # ldr r1, [r4], 4
    data(2, 0xFA3F, 0xF081)  # uxtb16 r0, r1
    data(2, 0xFA3F, 0xF191)  # uxtb16 r1, r1, ror 8
    data(2, 0xFA3F, 0xF283)  # uxtb16 r2, r3
    data(2, 0xFA3F, 0xF393)  # uxtb16 r3, r3, ror 8
    data(2, 0xC60F)  # stmia r6!, {r0, r1, r2, r3}
    cmp(r6, r7)
    bne(WIDEN)
    b(WIDENED)

    # The same where the second pixel follows the first in memory, and the numbers are from planes r5 apart.
    label(DIRECT)
    data(2, 0xE9DD, 0x4512)  # ldrd r4, r5, [sp, 72]; x
    add(r4, r4, r5)
    sub(r4, r4, r6)
    cmp(r6, 1)
    ite(hi)
    mov(r6, 1)
    mov(r6, 0)
    data(2, 0x9604)  # str r6, [sp, 16]; to_second
    data(2, 0xE9DD, 0x670A)  # ldrd r6, r7, [sp, 40]; windows
    label(FOUR_PLANES)
    data(2, 0x5B60)  # ldrh r0, [r4, r5]
    ldrh(r2, [r4, 0])
    data(2, 0xEB04, 0x0445)  # add r4, r4, r5, lsl 1
    data(2, 0x5B61)  # ldrh r1, [r4, r5]
    ldrh(r3, [r4, 0])
    data(2, 0xEB04, 0x0445)  # add r4, r4, r5, lsl 1
    data(2, 0xEAC2, 0x4203)  # pkhbt r2, r2, r3, lsl 16
    data(2, 0xEAC0, 0x4301)  # pkhbt r3, r0, r1, lsl 16
    data(2, 0xFA3F, 0xF082)  # uxtb16 r0, r2
    data(2, 0xFA3F, 0xF183)  # uxtb16 r1, r3
    data(2, 0xFA3F, 0xF292)  # uxtb16 r2, r2, ror 8
    data(2, 0xFA3F, 0xF393)  # uxtb16 r3, r3, ror 8
    data(2, 0xC60F)  # stmia r6!, {r0, r1, r2, r3}
    cmp(r6, r7)
    bne(FOUR_PLANES)

    label(WIDENED)
    data(2, 0x980D)  # ldr r0, [sp, 52]; pixel_place
    data(2, 0x9003)  # str r0, [sp, 12]; place
    data(2, 0xE9DD, 0x0114)  # ldrd r0, r1, [sp, 80]; group_weights
    data(2, 0x9008)  # str r0, [sp, 32]; weights
    data(2, 0x9105)  # str r1, [sp, 20]; bias
    data(2, 0x9B18)  # ldr r3, [sp, 96]; words
    ldr(r0, [r3, _OUT_CHANNELS])
    data(2, 0x9007)  # str r0, [sp, 28]; outputs

    # Two outputs of each pixel: the first's sums r6 and r7, the second's r8 and r9; their weights r11 and
    # r12; the windows r10, their end lr. Where one is left, its weights stand for the other's.
    label(OUTPUTS)
    data(2, 0x9D05)  # ldr r5, [sp, 20]; bias
    data(2, 0xE9D5, 0x6800)  # ldrd r6, r8, [r5]
    mov(r7, r6)
    mov(r9, r8)
    data(2, 0xF8DD, 0xB020)  # ldr r11, [sp, 32]; weights
    data(2, 0x9B09)  # ldr r3, [sp, 36]; window_size
    data(2, 0x9A07)  # ldr r2, [sp, 28]; outputs
    mov(r12, r11)
    cmp(r2, 1)
    it(hi)
    data(2, 0x449C)  # addhi r12, r3; where there is one more
    data(2, 0xEB0C, 0x0003)  # add r0, r12, r3
    data(2, 0x9008)  # str r0, [sp, 32]; weights
    data(2, 0xE9DD, 0xAE0A)  # ldrd r10, lr, [sp, 40]; windows
    data(2, 0xEBAE, 0x000A)  # sub r0, lr, r10
    lsl(r0, r0, 27)
    bmi(SECOND)
    # Eight numbers of each window, or four at the first time: r0 and r1, r2 and r3; r4 and r5 four weights.
    label(FIRST)
    data(2, 0xE8BA, 0x000F)  # ldmia r10!, {r0, r1, r2, r3}
    data(2, 0xF85B, 0x5B04)  # ldr r5, [r11], 4
    data(2, 0xFA2F, 0xF485)  # sxtb16 r4, r5
    data(2, 0xFA2F, 0xF595)  # sxtb16 r5, r5, ror 8
    data(2, 0xFB20, 0x6604)  # smlad r6, r0, r4, r6
    data(2, 0xFB21, 0x6605)  # smlad r6, r1, r5, r6
    data(2, 0xFB22, 0x7704)  # smlad r7, r2, r4, r7
    data(2, 0xFB23, 0x7705)  # smlad r7, r3, r5, r7
    data(2, 0xF85C, 0x5B04)  # ldr r5, [r12], 4
    data(2, 0xFA2F, 0xF485)  # sxtb16 r4, r5
    data(2, 0xFA2F, 0xF595)  # sxtb16 r5, r5, ror 8
    data(2, 0xFB20, 0x8804)  # smlad r8, r0, r4, r8
    data(2, 0xFB21, 0x8805)  # smlad r8, r1, r5, r8
    data(2, 0xFB22, 0x9904)  # smlad r9, r2, r4, r9
    data(2, 0xFB23, 0x9905)  # smlad r9, r3, r5, r9
    label(SECOND)
    data(2, 0xE8BA, 0x000F)  # ldmia r10!, {r0, r1, r2, r3}
    data(2, 0xF85B, 0x5B04)  # ldr r5, [r11], 4
    data(2, 0xFA2F, 0xF485)  # sxtb16 r4, r5
    data(2, 0xFA2F, 0xF595)  # sxtb16 r5, r5, ror 8
    data(2, 0xFB20, 0x6604)  # smlad r6, r0, r4, r6
    data(2, 0xFB21, 0x6605)  # smlad r6, r1, r5, r6
    data(2, 0xFB22, 0x7704)  # smlad r7, r2, r4, r7
    data(2, 0xFB23, 0x7705)  # smlad r7, r3, r5, r7
    data(2, 0xF85C, 0x5B04)  # ldr r5, [r12], 4
    data(2, 0xFA2F, 0xF485)  # sxtb16 r4, r5
    data(2, 0xFA2F, 0xF595)  # sxtb16 r5, r5, ror 8
    data(2, 0xFB20, 0x8804)  # smlad r8, r0, r4, r8
    data(2, 0xFB21, 0x8805)  # smlad r8, r1, r5, r8
    data(2, 0xFB22, 0x9904)  # smlad r9, r2, r4, r9
    data(2, 0xFB23, 0x9905)  # smlad r9, r3, r5, r9
    data(2, 0x45F2)  # cmp r10, lr
    bne(FIRST)

    data(2, 0xE89D, 0x1C00)  # ldm sp, {r10, r11, r12}
    data(2, 0xE9DD, 0x3403)  # ldrd r3, r4, [sp, 12]; place
    data(2, 0xE9DD, 0x5005)  # ldrd r5, r0, [sp, 20]; bias
    add(r5, r5, r0)
    bl(FINISH)
    data(2, 0x9807)  # ldr r0, [sp, 28]; outputs
    sub(r0, r0, 1)
    beq(NEXT_PIXELS)
    mov(r6, r8)
    mov(r7, r9)
    bl(FINISH)
    data(2, 0x9303)  # str r3, [sp, 12]; place
    data(2, 0x9805)  # ldr r0, [sp, 20]; bias
    add(r0, 8)
    data(2, 0x9005)  # str r0, [sp, 20]; bias
    data(2, 0x9807)  # ldr r0, [sp, 28]; outputs
    sub(r0, r0, 2)
    data(2, 0x9007)  # str r0, [sp, 28]; outputs
    bne(OUTPUTS)

    label(NEXT_PIXELS)
    data(2, 0x980D)  # ldr r0, [sp, 52]; pixel_place
    add(r0, r0, 2)
    data(2, 0x900D)  # str r0, [sp, 52]; pixel_place
    data(2, 0x9811)  # ldr r0, [sp, 68]; pixels
    sub(r0, r0, 2)
    data(2, 0x9011)  # str r0, [sp, 68]; pixels
    bgt_w(PIXELS)

    data(2, 0x9B18)  # ldr r3, [sp, 96]; words
    ldr(r4, [r3, _OUT_CHANNELS])
    data(2, 0x9809)  # ldr r0, [sp, 36]; window_size
    data(2, 0x9914)  # ldr r1, [sp, 80]; group_weights
    data(2, 0xFB04, 0x1100)  # mla r1, r4, r0, r1
    data(2, 0x9114)  # str r1, [sp, 80]; group_weights
    data(2, 0x9915)  # ldr r1, [sp, 84]; group_biases
    data(2, 0xEB01, 0x0184)  # add r1, r1, r4, lsl 2
    data(2, 0x9115)  # str r1, [sp, 84]; group_biases
    data(2, 0x980C)  # ldr r0, [sp, 48]; out_plane
    data(2, 0x9916)  # ldr r1, [sp, 88]; group_place
    data(2, 0xFB04, 0x1100)  # mla r1, r4, r0, r1
    data(2, 0x9116)  # str r1, [sp, 88]; group_place
    ldr(r4, [r3, _CHANNELS])
    data(2, 0xE9DD, 0x0112)  # ldrd r0, r1, [sp, 72]; x
    data(2, 0xFB04, 0x0001)  # mla r0, r4, r1, r0
    data(2, 0x9012)  # str r0, [sp, 72]; x
    data(2, 0x9C17)  # ldr r4, [sp, 92]; groups
    sub(r4, r4, 1)
    data(2, 0x9417)  # str r4, [sp, 92]; groups
    bne_w(GROUP)

    data(2, 0xB024)  # add sp, 144; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
    b(END)

    # Sums r6 and r7 become an output of each pixel at r3 and r4 behind it; r5 their rescaling word; r10, r11,
    # r12 the numbers that make ZERO and a cut to LOW..HIGH of two saturating instructions.
    label(FINISH)
    data(2, 0xF855, 0x0B04)  # ldr r0, [r5], 4
    data(2, 0xF3C0, 0x4104)  # ubfx r1, r0, 16, 5
    lsr(r2, r0, 24)
    asr(r6, r1)
    asr(r7, r1)
    data(2, 0xF306, 0x060F)  # ssat r6, 16, r6
    data(2, 0xF307, 0x070F)  # ssat r7, 16, r7
    data(2, 0xFB16, 0xF600)  # smulbb r6, r6, r0
    data(2, 0xFB17, 0xF700)  # smulbb r7, r7, r0
    asr(r6, r2)
    data(2, 0xEB46, 0x060A)  # adc r6, r6, r10
    asr(r7, r2)
    data(2, 0xEB47, 0x070A)  # adc r7, r7, r10
    data(2, 0xF386, 0x0608)  # usat r6, 8, r6
    data(2, 0xF387, 0x0708)  # usat r7, 8, r7
    data(2, 0xEA46, 0x2607)  # orr r6, r6, r7, lsl 8
    data(2, 0xFA86, 0xF65B)  # uqadd8 r6, r6, r11
    data(2, 0xEBA6, 0x060C)  # sub r6, r6, r12
    lsr(r7, r6, 8)
    data(2, 0x551F)  # strb r7, [r3, r4]
    strb(r6, [r3, 0])
    data(2, 0x980C)  # ldr r0, [sp, 48]; out_plane
    add(r3, r3, r0)
    bx(lr)

    # Gathers a window at r0: from where it starts in its first plane, line by line, in words; what is read
    # and written behind a line is overwritten by the next. r1 a line's place, r2 its numbers, r3 lines left,
    # r4 from line to line, r5 planes left, r6 this plane's first line, r8 from plane to plane, r9 lines in a
    # plane.
    label(GATHER)
    data(2, 0xE9DD, 0x450E)  # ldrd r4, r5, [sp, 56]; row
    data(2, 0xE9DD, 0x671C)  # ldrd r6, r7, [sp, 112]; inside_row
    cmp(r4, r6)
    bcs(EDGE)
    cmp(r5, r7)
    bcs(EDGE)
    data(2, 0x9A18)  # ldr r2, [sp, 96]; words
    ldr(r3, [r2, _WIDTH])
    data(2, 0x9E12)  # ldr r6, [sp, 72]; x
    data(2, 0xFB04, 0x6603)  # mla r6, r4, r3, r6
    add(r6, r6, r5)
    data(2, 0xA91E)  # add r1, sp, 120; line_size
    data(2, 0xE891, 0x0334)  # ldm r1, {r2, r4, r5, r8, r9}
    label(PLANE)
    mov(r1, r6)
    mov(r3, r9)
    label(LINE)
    ldr(r7, [r1, 0])
    str(r7, [r0, 0])
    cmp(r2, 4)
    bhi(LONG)
    label(NEXT_LINE)
    add(r0, r0, r2)
    add(r1, r1, r4)
    sub(r3, r3, 1)
    bne(LINE)
    data(2, 0x4446)  # add r6, r8
    sub(r5, r5, 1)
    bne(PLANE)
    b(MOVE)
    label(LONG)
    data(2, 0xF04F, 0x0A04)  # mov r10, 4
    label(WORD)
    data(2, 0xF851, 0x700A)  # ldr r7, [r1, r10]
    data(2, 0xF840, 0x700A)  # str r7, [r0, r10]
    data(2, 0xF10A, 0x0A04)  # add r10, r10, 4
    data(2, 0x4592)  # cmp r10, r2
    bcc(WORD)
    b(NEXT_LINE)

    # The same for a window over the edge, number by number: r1 a number's column, r2 its line, r3 numbers
    # left in it, r4 its row, r5 the columns that are inside, r6 the plane, r7 the number, r8 from column to
    # column, r9 PAD, r10 the first column, r11 lines left, r12 planes left.
    label(EDGE)
    data(2, 0x9E12)  # ldr r6, [sp, 72]; x
    data(2, 0x9A18)  # ldr r2, [sp, 96]; words
    data(2, 0xF8D2, 0x8050)  # ldr r8, [r2, 80]; DILATION_ACROSS
    data(2, 0xF8D2, 0x901C)  # ldr r9, [r2, 28]; PAD
    mov(r10, r5)
    data(2, 0xF8D2, 0xC020)  # ldr r12, [r2, 32]; CHANNELS
    label(EDGE_PLANE)
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; row
    data(2, 0xF8D2, 0xB034)  # ldr r11, [r2, 52]; KERNEL_DOWN
    label(EDGE_LINE)
    ldr(r7, [r2, _HEIGHT])
    ldr(r1, [r2, _WIDTH])
    mov(r5, r1)
    cmp(r4, r7)
    it(cs)
    mov(r5, 0)
    data(2, 0xFB04, 0x6201)  # mla r2, r4, r1, r6
    mov(r1, r10)
    data(2, 0x9B1E)  # ldr r3, [sp, 120]; line_size
    label(NUMBER)
    mov(r7, r9)
    cmp(r1, r5)
    it(cc)
    data(2, 0x5C57)  # ldrbcc r7, [r2, r1]; where it is inside
    data(2, 0xF800, 0x7B01)  # strb r7, [r0], 1
    data(2, 0x4441)  # add r1, r8
    sub(r3, r3, 1)
    bne(NUMBER)
    data(2, 0x9A18)  # ldr r2, [sp, 96]; words
    ldr(r7, [r2, _DILATION_DOWN])
    add(r4, r4, r7)
    data(2, 0xF1BB, 0x0B01)  # subs r11, r11, 1
    bne(EDGE_LINE)
    data(2, 0x9F13)  # ldr r7, [sp, 76]; plane
    add(r6, r6, r7)
    data(2, 0xF1BC, 0x0C01)  # subs r12, r12, 1
    bne(EDGE_PLANE)

    # Where the next window starts.
    label(MOVE)
    data(2, 0x9A18)  # ldr r2, [sp, 96]; words
    data(2, 0xE9DD, 0x450E)  # ldrd r4, r5, [sp, 56]; row
    data(2, 0x9B10)  # ldr r3, [sp, 64]; in_line
    sub(r3, r3, 1)
    bne(MOVE_ACROSS)
    ldr(r3, [r2, _OUT_WIDTH])
    ldr(r5, [r2, _STRIDE_DOWN])
    add(r4, r4, r5)
    ldr(r5, [r2, _PADDING_ACROSS])
    neg(r5, r5)
    b(MOVED)
    label(MOVE_ACROSS)
    ldr(r6, [r2, _STRIDE_ACROSS])
    add(r5, r5, r6)
    label(MOVED)
    data(2, 0x9310)  # str r3, [sp, 64]; in_line
    data(2, 0xE9CD, 0x450E)  # strd r4, r5, [sp, 56]; row
    bx(lr)

    label(END)
