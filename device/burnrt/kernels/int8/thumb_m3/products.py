# Generated from tools/asm/int8/thumb_m3/products.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Products of matrices for Armv7-M: the second becomes the weight of a dense layer."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_ZERO = const(16)
_RESCALE = const(20)
_OTHER = const(20)
_ROWS = const(24)
_WORK = const(24)
_INPUTS = const(28)
_PAD = const(28)
_OUTPUTS = const(32)
_LINES = const(48)
_OTHER_ZERO = const(32)
_RESCALING = const(36)
_STEP = const(40)
_MATRICES = const(44)
_TERMS = const(52)
_COLUMNS = const(56)
_OTHER_STEP = const(60)
_DOWN = const(64)
_ACROSS = const(68)


@micropython.asm_thumb
def matmul(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  bias: of the next output
    #    4  to_rescaling: from a bias to its rescaling word
    #    8  place: of the next output
    #   12  zero_low: ZERO - LOW
    #   16  range: HIGH - LOW
    #   20  low
    #   24  sums
    #   40  inputs
    #   44  x: of this row
    #   48  weights: of the next output
    #   52  outputs: left in this row
    #   56  rows: left
    #   60  all_outputs
    #   64  all_biases
    #   68  all_weights
    #   72  other: this matrix
    #   76  matrices: left
    #   80  y: this column
    #   84  columns: left to pack
    #   88  next_bias
    #   92  step: its words
    #   96  row: the dense layer's
    #  100  arena
    push({r8, r9, r10, r11})
    data(2, 0xB09A)  # sub sp, 104; STACK
    data(2, 0x9317)  # str r3, [sp, 92]; step
    data(2, 0x9019)  # str r0, [sp, 100]; arena
    ldr(r2, [r3, _WORK])
    add(r2, r2, r0)
    data(2, 0x9218)  # str r2, [sp, 96]; row
    ldr(r4, [r3, _INPUT])
    str(r4, [r2, _INPUT])
    ldr(r4, [r3, _OUTPUT])
    str(r4, [r2, _OUTPUT])
    ldr(r4, [r3, _LOW])
    str(r4, [r2, _LOW])
    ldr(r4, [r3, _HIGH])
    str(r4, [r2, _HIGH])
    ldr(r4, [r3, _ZERO])
    str(r4, [r2, _ZERO])
    ldr(r4, [r3, _LINES])
    str(r4, [r2, _ROWS])
    ldr(r4, [r3, _TERMS])
    str(r4, [r2, _INPUTS])
    ldr(r4, [r3, _COLUMNS])
    str(r4, [r2, _RESCALE])
    str(r4, [r2, _OUTPUTS])
    ldr(r4, [r3, _OTHER])
    add(r4, r4, r0)
    data(2, 0x9412)  # str r4, [sp, 72]; other
    ldr(r4, [r3, _MATRICES])
    data(2, 0x9413)  # str r4, [sp, 76]; matrices
    label(MATRIX)
    data(2, 0x9B17)  # ldr r3, [sp, 92]; step
    data(2, 0x9A18)  # ldr r2, [sp, 96]; row
    data(2, 0x9C12)  # ldr r4, [sp, 72]; other
    data(2, 0x9414)  # str r4, [sp, 80]; y
    ldr(r4, [r3, _COLUMNS])
    data(2, 0x9415)  # str r4, [sp, 84]; columns
    add(r2, 36)
    data(2, 0x9216)  # str r2, [sp, 88]; next_bias
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    label(COLUMN)
    data(2, 0x9B17)  # ldr r3, [sp, 92]; step
    data(2, 0x9914)  # ldr r1, [sp, 80]; y
    ldr(r4, [r3, _DOWN])
    ldr(r6, [r3, _TERMS])
    ldr(r0, [r3, _OTHER_ZERO])
    mov(r5, 0)
    cmp(r0, 128)
    bne(HALVES)
    sub(r6, 4)
    bcc(FEWER_PACKED)
    label(FOUR_PACKED)
    ldrb(r7, [r1, 0])
    add(r5, r5, r7)
    add(r1, r1, r4)
    eor(r7, r0)
    strb(r7, [r2, 0])
    ldrb(r7, [r1, 0])
    add(r5, r5, r7)
    add(r1, r1, r4)
    eor(r7, r0)
    strb(r7, [r2, 1])
    ldrb(r7, [r1, 0])
    add(r5, r5, r7)
    add(r1, r1, r4)
    eor(r7, r0)
    strb(r7, [r2, 2])
    ldrb(r7, [r1, 0])
    add(r5, r5, r7)
    add(r1, r1, r4)
    eor(r7, r0)
    strb(r7, [r2, 3])
    add(r2, 4)
    sub(r6, 4)
    bcs(FOUR_PACKED)
    label(FEWER_PACKED)
    add(r6, 4)
    beq(WITHOUT_ZEROS)
    label(ONE_PACKED)
    ldrb(r7, [r1, 0])
    add(r5, r5, r7)
    add(r1, r1, r4)
    eor(r7, r0)
    strb(r7, [r2, 0])
    add(r2, 1)
    sub(r6, 1)
    bne(ONE_PACKED)
    label(WITHOUT_ZEROS)
    ldr(r7, [r3, _TERMS])
    lsl(r7, r7, 7)
    sub(r5, r5, r7)
    b(COLUMN_PACKED)

    # Half of each number's distance from another zero point, rounded up.
    label(HALVES)
    sub(r0, 1)
    label(HALF)
    ldrb(r7, [r1, 0])
    sub(r7, r7, r0)
    asr(r7, r7, 1)
    cmp(r7, 127)
    ble(HALF_FITS)
    mov(r7, 127)
    label(HALF_FITS)
    strb(r7, [r2, 0])
    add(r5, r5, r7)
    add(r1, r1, r4)
    add(r2, 1)
    sub(r6, 1)
    bne(HALF)

    label(COLUMN_PACKED)
    ldr(r7, [r3, _PAD])
    mul(r5, r7)
    neg(r5, r5)
    data(2, 0x9F16)  # ldr r7, [sp, 88]; next_bias
    ldr(r4, [r3, _COLUMNS])
    ldr(r6, [r3, _RESCALING])
    str(r5, [r7, 0])
    lsl(r4, r4, 2)
    data(2, 0x513E)  # str r6, [r7, r4]
    add(r7, 4)
    data(2, 0x9716)  # str r7, [sp, 88]; next_bias
    data(2, 0x9C14)  # ldr r4, [sp, 80]; y
    ldr(r5, [r3, _ACROSS])
    add(r4, r4, r5)
    data(2, 0x9414)  # str r4, [sp, 80]; y
    data(2, 0x9C15)  # ldr r4, [sp, 84]; columns
    sub(r4, 1)
    data(2, 0x9415)  # str r4, [sp, 84]; columns
    bne(COLUMN)

    data(2, 0x9819)  # ldr r0, [sp, 100]; arena
    data(2, 0x9B18)  # ldr r3, [sp, 96]; row
    ldr(r4, [r3, _OUTPUTS])
    mov(r2, r3)
    add(r2, 36)
    lsl(r4, r4, 3)
    add(r1, r2, r4)
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x940B)  # str r4, [sp, 44]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9402)  # str r4, [sp, 8]; place
    data(2, 0x9210)  # str r2, [sp, 64]; all_biases
    data(2, 0x9111)  # str r1, [sp, 68]; all_weights
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9401)  # str r4, [sp, 4]; to_rescaling
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    ldr(r6, [r3, _ZERO])
    data(2, 0x9405)  # str r4, [sp, 20]; low
    sub(r5, r5, r4)
    data(2, 0x9504)  # str r5, [sp, 16]; range
    sub(r6, r6, r4)
    data(2, 0x9603)  # str r6, [sp, 12]; zero_low
    ldr(r4, [r3, _INPUTS])
    data(2, 0x940A)  # str r4, [sp, 40]; inputs
    ldr(r4, [r3, _ROWS])
    data(2, 0x940E)  # str r4, [sp, 56]; rows
    ldr(r4, [r3, _OUTPUTS])
    data(2, 0x940F)  # str r4, [sp, 60]; all_outputs

    label(ROW)
    data(2, 0x9C10)  # ldr r4, [sp, 64]; all_biases
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9C11)  # ldr r4, [sp, 68]; all_weights
    data(2, 0x940C)  # str r4, [sp, 48]; weights
    data(2, 0x9C0F)  # ldr r4, [sp, 60]; all_outputs
    data(2, 0x940D)  # str r4, [sp, 52]; outputs

    # Up to four outputs: their sums r4-r7, their weights r9-r12, x r8, its end lr. Where fewer are left, the
    # last one's weights stand for those that are missing.
    label(OUTPUTS)
    data(2, 0x9B0A)  # ldr r3, [sp, 40]; inputs
    data(2, 0x9A0D)  # ldr r2, [sp, 52]; outputs
    data(2, 0xF8DD, 0x9030)  # ldr r9, [sp, 48]; weights
    mov(r10, r9)
    cmp(r2, 2)
    it(cs)
    data(2, 0x449A)  # addcs r10, r3
    mov(r11, r10)
    cmp(r2, 3)
    it(cs)
    data(2, 0x449B)  # addcs r11, r3
    mov(r12, r11)
    cmp(r2, 4)
    it(cs)
    data(2, 0x449C)  # addcs r12, r3
    data(2, 0xEB0C, 0x0403)  # add r4, r12, r3
    data(2, 0x940C)  # str r4, [sp, 48]; weights
    data(2, 0xF8DD, 0x802C)  # ldr r8, [sp, 44]; x
    data(2, 0xEB08, 0x0E03)  # add lr, r8, r3
    mov(r4, 0)
    mov(r5, r4)
    mov(r6, r4)
    mov(r7, r4)
    # What fills no four comes first.
    lsl(r3, r3, 30)
    beq(FOURS)
    label(ONE)
    data(2, 0xF818, 0x0B01)  # ldrb r0, [r8], 1
    data(2, 0xF919, 0x1B01)  # ldrsb r1, [r9], 1
    data(2, 0xF91A, 0x2B01)  # ldrsb r2, [r10], 1
    data(2, 0xFB00, 0x4401)  # mla r4, r0, r1, r4
    data(2, 0xFB00, 0x5502)  # mla r5, r0, r2, r5
    data(2, 0xF91B, 0x1B01)  # ldrsb r1, [r11], 1
    data(2, 0xF91C, 0x2B01)  # ldrsb r2, [r12], 1
    data(2, 0xFB00, 0x6601)  # mla r6, r0, r1, r6
    data(2, 0xFB00, 0x7702)  # mla r7, r0, r2, r7
    data(2, 0xF1B3, 0x4380)  # subs r3, r3, 0x40000000
    bne(ONE)
    data(2, 0x45F0)  # cmp r8, lr
    beq(SUMMED)
    label(FOURS)
    data(2, 0xF818, 0x0B01)  # ldrb r0, [r8], 1
    data(2, 0xF919, 0x1B01)  # ldrsb r1, [r9], 1
    data(2, 0xF91A, 0x2B01)  # ldrsb r2, [r10], 1
    data(2, 0xFB00, 0x4401)  # mla r4, r0, r1, r4
    data(2, 0xFB00, 0x5502)  # mla r5, r0, r2, r5
    data(2, 0xF91B, 0x1B01)  # ldrsb r1, [r11], 1
    data(2, 0xF91C, 0x2B01)  # ldrsb r2, [r12], 1
    data(2, 0xFB00, 0x6601)  # mla r6, r0, r1, r6
    data(2, 0xFB00, 0x7702)  # mla r7, r0, r2, r7
    data(2, 0xF818, 0x0B01)  # ldrb r0, [r8], 1
    data(2, 0xF919, 0x1B01)  # ldrsb r1, [r9], 1
    data(2, 0xF91A, 0x2B01)  # ldrsb r2, [r10], 1
    data(2, 0xFB00, 0x4401)  # mla r4, r0, r1, r4
    data(2, 0xFB00, 0x5502)  # mla r5, r0, r2, r5
    data(2, 0xF91B, 0x1B01)  # ldrsb r1, [r11], 1
    data(2, 0xF91C, 0x2B01)  # ldrsb r2, [r12], 1
    data(2, 0xFB00, 0x6601)  # mla r6, r0, r1, r6
    data(2, 0xFB00, 0x7702)  # mla r7, r0, r2, r7
    data(2, 0xF818, 0x0B01)  # ldrb r0, [r8], 1
    data(2, 0xF919, 0x1B01)  # ldrsb r1, [r9], 1
    data(2, 0xF91A, 0x2B01)  # ldrsb r2, [r10], 1
    data(2, 0xFB00, 0x4401)  # mla r4, r0, r1, r4
    data(2, 0xFB00, 0x5502)  # mla r5, r0, r2, r5
    data(2, 0xF91B, 0x1B01)  # ldrsb r1, [r11], 1
    data(2, 0xF91C, 0x2B01)  # ldrsb r2, [r12], 1
    data(2, 0xFB00, 0x6601)  # mla r6, r0, r1, r6
    data(2, 0xFB00, 0x7702)  # mla r7, r0, r2, r7
    data(2, 0xF818, 0x0B01)  # ldrb r0, [r8], 1
    data(2, 0xF919, 0x1B01)  # ldrsb r1, [r9], 1
    data(2, 0xF91A, 0x2B01)  # ldrsb r2, [r10], 1
    data(2, 0xFB00, 0x4401)  # mla r4, r0, r1, r4
    data(2, 0xFB00, 0x5502)  # mla r5, r0, r2, r5
    data(2, 0xF91B, 0x1B01)  # ldrsb r1, [r11], 1
    data(2, 0xF91C, 0x2B01)  # ldrsb r2, [r12], 1
    data(2, 0xFB00, 0x6601)  # mla r6, r0, r1, r6
    data(2, 0xFB00, 0x7702)  # mla r7, r0, r2, r7
    data(2, 0x45F0)  # cmp r8, lr
    bne(FOURS)

    # Each sum, r4, becomes an output: r5 where the next one is, r8 its bias, r9 from there to its rescaling
    # word, r10 its place, r11 ZERO - LOW, r12 HIGH - LOW, lr LOW, r3 how many.
    label(SUMMED)
    data(2, 0xA806)  # add r0, sp, 24; sums
    data(2, 0xC0F0)  # stmia r0!, {r4, r5, r6, r7}
    data(2, 0xAD06)  # add r5, sp, 24; sums
    data(2, 0xE89D, 0x5F00)  # ldm sp, {r8, r9, r10, r11, r12, lr}
    data(2, 0x9A0D)  # ldr r2, [sp, 52]; outputs
    sub(r3, r2, 4)
    it(cc)
    mov(r3, 0)
    data(2, 0x930D)  # str r3, [sp, 52]; outputs
    sub(r3, r2, r3)
    label(OUTPUT)
    data(2, 0xCD10)  # ldmia r5!, {r4}
    data(2, 0xF858, 0x1009)  # ldr r1, [r8, r9]
    data(2, 0xF858, 0x2B04)  # ldr r2, [r8], 4
    add(r4, r4, r2)
    data(2, 0xF3C1, 0x4204)  # ubfx r2, r1, 16, 5
    data(2, 0xB288)  # uxth r0, r1
    lsr(r1, r1, 24)
    asr(r4, r2)
    data(2, 0xF304, 0x040F)  # ssat r4, 16, r4
    mul(r4, r0)
    asr(r4, r1)
    data(2, 0xEB54, 0x040B)  # adcs r4, r4, r11
    data(2, 0xF384, 0x0408)  # usat r4, 8, r4
    data(2, 0x4564)  # cmp r4, r12
    it(hi)
    mov(r4, r12)
    data(2, 0x4474)  # add r4, lr
    data(2, 0xF80A, 0x4B01)  # strb r4, [r10], 1
    sub(r3, r3, 1)
    bne(OUTPUT)
    data(2, 0xF8CD, 0x8000)  # str r8, [sp, 0]; bias
    data(2, 0xF8CD, 0xA008)  # str r10, [sp, 8]; place
    data(2, 0x9A0D)  # ldr r2, [sp, 52]; outputs
    cmp(r2, 0)
    bne_w(OUTPUTS)

    data(2, 0x9C0B)  # ldr r4, [sp, 44]; x
    data(2, 0x9B0A)  # ldr r3, [sp, 40]; inputs
    add(r4, r4, r3)
    data(2, 0x940B)  # str r4, [sp, 44]; x
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; rows
    sub(r4, 1)
    data(2, 0x940E)  # str r4, [sp, 56]; rows
    bne_w(ROW)
    data(2, 0x9B17)  # ldr r3, [sp, 92]; step
    data(2, 0x9A18)  # ldr r2, [sp, 96]; row
    ldr(r4, [r2, _INPUT])
    ldr(r5, [r3, _STEP])
    add(r4, r4, r5)
    str(r4, [r2, _INPUT])
    ldr(r4, [r3, _LINES])
    ldr(r5, [r3, _COLUMNS])
    mul(r4, r5)
    ldr(r5, [r2, _OUTPUT])
    add(r4, r4, r5)
    str(r4, [r2, _OUTPUT])
    data(2, 0x9C12)  # ldr r4, [sp, 72]; other
    ldr(r5, [r3, _OTHER_STEP])
    add(r4, r4, r5)
    data(2, 0x9412)  # str r4, [sp, 72]; other
    data(2, 0x9C13)  # ldr r4, [sp, 76]; matrices
    sub(r4, 1)
    data(2, 0x9413)  # str r4, [sp, 76]; matrices
    beq(ALL_MATRICES)
    b(MATRIX)
    label(ALL_MATRICES)
    data(2, 0xB01A)  # add sp, 104; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
