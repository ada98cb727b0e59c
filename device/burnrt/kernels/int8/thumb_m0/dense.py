# Generated from tools/asm/int8/thumb_m0/dense.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The dense layer for Armv6-M: four outputs share each number that comes in."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_LOW = const(8)
_HIGH = const(12)
_ZERO = const(16)
_RESCALE = const(20)
_ROWS = const(24)
_INPUTS = const(28)
_OUTPUTS = const(32)


@micropython.asm_thumb
def linear(r0, r1, r2, r3):
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
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB08E)  # sub sp, 56; STACK
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
    data(2, 0xB00E)  # add sp, 56; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
