# Generated from tools/asm/int8/thumb_m0/products.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Products of matrices for Armv6-M: the second becomes the weight of a dense layer."""

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
    #   12  zero
    #   16  low
    #   20  high
    #   24  window_size: inputs
    #   28  window_end: of x of this row
    #   32  weights: of the next output
    #   36  outputs: left in this row
    #   40  rows: left
    #   44  all_outputs
    #   48  all_biases
    #   52  all_weights
    #   56  other: this matrix
    #   60  matrices: left
    #   64  y: this column
    #   68  columns: left to pack
    #   72  next_bias
    #   76  step: its words
    #   80  row: the dense layer's
    #   84  arena
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB096)  # sub sp, 88; STACK
    data(2, 0x9313)  # str r3, [sp, 76]; step
    data(2, 0x9015)  # str r0, [sp, 84]; arena
    ldr(r2, [r3, _WORK])
    add(r2, r2, r0)
    data(2, 0x9214)  # str r2, [sp, 80]; row
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
    data(2, 0x940E)  # str r4, [sp, 56]; other
    ldr(r4, [r3, _MATRICES])
    data(2, 0x940F)  # str r4, [sp, 60]; matrices
    label(MATRIX)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; step
    data(2, 0x9A14)  # ldr r2, [sp, 80]; row
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; other
    data(2, 0x9410)  # str r4, [sp, 64]; y
    ldr(r4, [r3, _COLUMNS])
    data(2, 0x9411)  # str r4, [sp, 68]; columns
    add(r2, 36)
    data(2, 0x9212)  # str r2, [sp, 72]; next_bias
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    label(COLUMN)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; step
    data(2, 0x9910)  # ldr r1, [sp, 64]; y
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
    data(2, 0x9F12)  # ldr r7, [sp, 72]; next_bias
    ldr(r4, [r3, _COLUMNS])
    ldr(r6, [r3, _RESCALING])
    str(r5, [r7, 0])
    lsl(r4, r4, 2)
    data(2, 0x513E)  # str r6, [r7, r4]
    add(r7, 4)
    data(2, 0x9712)  # str r7, [sp, 72]; next_bias
    data(2, 0x9C10)  # ldr r4, [sp, 64]; y
    ldr(r5, [r3, _ACROSS])
    add(r4, r4, r5)
    data(2, 0x9410)  # str r4, [sp, 64]; y
    data(2, 0x9C11)  # ldr r4, [sp, 68]; columns
    sub(r4, 1)
    data(2, 0x9411)  # str r4, [sp, 68]; columns
    bne(COLUMN)

    data(2, 0x9815)  # ldr r0, [sp, 84]; arena
    data(2, 0x9B14)  # ldr r3, [sp, 80]; row
    ldr(r4, [r3, _OUTPUTS])
    mov(r2, r3)
    add(r2, 36)
    lsl(r4, r4, 3)
    add(r1, r2, r4)
    data(2, 0x910D)  # str r1, [sp, 52]; all_weights
    data(2, 0x920C)  # str r2, [sp, 48]; all_biases
    ldr(r4, [r3, _INPUTS])
    data(2, 0x9406)  # str r4, [sp, 24]; window_size
    ldr(r5, [r3, _INPUT])
    add(r5, r5, r0)
    add(r5, r5, r4)
    data(2, 0x9507)  # str r5, [sp, 28]; window_end
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x9402)  # str r4, [sp, 8]; place
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    data(2, 0x9401)  # str r4, [sp, 4]; to_rescaling
    ldr(r4, [r3, _ZERO])
    data(2, 0x9403)  # str r4, [sp, 12]; zero
    ldr(r4, [r3, _LOW])
    data(2, 0x9404)  # str r4, [sp, 16]; low
    ldr(r4, [r3, _HIGH])
    data(2, 0x9405)  # str r4, [sp, 20]; high
    ldr(r4, [r3, _ROWS])
    data(2, 0x940A)  # str r4, [sp, 40]; rows
    ldr(r4, [r3, _OUTPUTS])
    data(2, 0x940B)  # str r4, [sp, 44]; all_outputs

    label(ROW)
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; all_biases
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; all_weights
    data(2, 0x9408)  # str r4, [sp, 32]; weights
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; all_outputs
    data(2, 0x9409)  # str r4, [sp, 36]; outputs

    # Up to four outputs: their sums r8-r11, the ends of their weights r2-r5, the end of the numbers r1, and
    # r0 from there to the next number. Where fewer are left, the first one's weights stand for those that are
    # missing.
    label(OUTPUTS)
    data(2, 0x9E06)  # ldr r6, [sp, 24]; window_size
    data(2, 0x9F09)  # ldr r7, [sp, 36]; outputs
    data(2, 0x9A08)  # ldr r2, [sp, 32]; weights
    add(r2, r2, r6)
    add(r3, r2, r6)
    add(r4, r3, r6)
    add(r5, r4, r6)
    cmp(r7, 4)
    bcc(FEWER)
    label(CHOSEN)
    data(2, 0x9508)  # str r5, [sp, 32]; weights
    data(2, 0x9907)  # ldr r1, [sp, 28]; window_end
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
    data(2, 0x9804)  # ldr r0, [sp, 16]; low
    mov(r12, r0)
    data(2, 0x9805)  # ldr r0, [sp, 20]; high
    mov(lr, r0)
    data(2, 0x9B03)  # ldr r3, [sp, 12]; zero
    data(2, 0x9C00)  # ldr r4, [sp, 0]; bias
    data(2, 0x9D01)  # ldr r5, [sp, 4]; to_rescaling
    data(2, 0x9E02)  # ldr r6, [sp, 8]; place
    data(2, 0x9F09)  # ldr r7, [sp, 36]; outputs
    mov(r0, r7)
    cmp(r7, 4)
    bls(COUNTED)
    mov(r7, 4)
    label(COUNTED)
    sub(r0, r0, r7)
    data(2, 0x9009)  # str r0, [sp, 36]; outputs
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
    add(r6, 1)
    mov(r8, r9)
    mov(r9, r10)
    mov(r10, r11)
    sub(r7, 1)
    bne(OUTPUT)
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9602)  # str r6, [sp, 8]; place
    data(2, 0x9809)  # ldr r0, [sp, 36]; outputs
    cmp(r0, 0)
    beq(NEXT_ROW)
    b(OUTPUTS)

    label(NEXT_ROW)
    data(2, 0x9C07)  # ldr r4, [sp, 28]; window_end
    data(2, 0x9B06)  # ldr r3, [sp, 24]; window_size
    add(r4, r4, r3)
    data(2, 0x9407)  # str r4, [sp, 28]; window_end
    data(2, 0x9C0A)  # ldr r4, [sp, 40]; rows
    sub(r4, 1)
    data(2, 0x940A)  # str r4, [sp, 40]; rows
    beq(DONE)
    b(ROW)

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

    label(DONE)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; step
    data(2, 0x9A14)  # ldr r2, [sp, 80]; row
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
    data(2, 0x9C0E)  # ldr r4, [sp, 56]; other
    ldr(r5, [r3, _OTHER_STEP])
    add(r4, r4, r5)
    data(2, 0x940E)  # str r4, [sp, 56]; other
    data(2, 0x9C0F)  # ldr r4, [sp, 60]; matrices
    sub(r4, 1)
    data(2, 0x940F)  # str r4, [sp, 60]; matrices
    beq(ALL_MATRICES)
    b(MATRIX)
    label(ALL_MATRICES)
    data(2, 0xB016)  # add sp, 88; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
