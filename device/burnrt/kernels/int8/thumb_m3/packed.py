# Generated from tools/asm/int8/thumb_m3/packed.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The dense layer with weights of 4 bits for Armv7-M: one multiplication makes two products."""

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
_INPUTS = const(28)
_OUTPUTS = const(32)
_PLACES = const(36)
_PLANAR = const(40)

# Two weights w0 + w4 × 2^16 by two numbers x4 + x0 × 2^16: the upper half of the product is
# w0 × x0 + w4 × x4, and what is below it, w0 × x4, carries nothing: of eight weights the sum of all such
# products fits.


@micropython.asm_thumb
def linear4(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  bias: of the next output
    #    4  to_rescaling: from there to this one's rescaling word
    #    8  place: of the next output
    #   12  zero_low: ZERO - LOW
    #   16  bounds: HIGH - LOW, LOW
    #   24  out_step: from an output to the next
    #   28  outputs: left of this place
    #   32  surplus: what the sums of this place will be too large by
    #   36  numbers: of this place, two to a word
    #   40  numbers_end
    #   44  row_size: bytes of the weights of an output
    #   48  inputs
    #   52  x: of this place
    #   56  step: from one to the next
    #   60  row: the outputs of this place
    #   64  to_next: from place to place
    #   68  to_next_out
    #   72  places: left
    #   76  all_outputs
    #   80  all_weights
    #   84  all_biases
    push({r8, r9, r10, r11})
    data(2, 0xB096)  # sub sp, 88; STACK

    data(2, 0x9114)  # str r1, [sp, 80]; all_weights
    data(2, 0x9215)  # str r2, [sp, 84]; all_biases
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x940D)  # str r4, [sp, 52]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x940F)  # str r4, [sp, 60]; row
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x9409)  # str r4, [sp, 36]; numbers
    ldr(r4, [r3, _INPUTS])
    data(2, 0x940C)  # str r4, [sp, 48]; inputs
    ldr(r4, [r3, _OUTPUTS])
    data(2, 0x9413)  # str r4, [sp, 76]; all_outputs
    ldr(r5, [r3, _PLACES])
    data(2, 0x9512)  # str r5, [sp, 72]; places
    ldr(r6, [r3, _RESCALE])
    sub(r6, 1)  # from the next bias to this one's rescaling word
    lsl(r6, r6, 2)
    data(2, 0x9601)  # str r6, [sp, 4]; to_rescaling
    # Bytes from number to number, from output to output, and from one place to the next of both.
    mov(r6, 1)
    ldr(r7, [r3, _PLANAR])
    cmp(r7, 0)
    beq(IN_ROWS)
    data(2, 0x950E)  # str r5, [sp, 56]; step
    data(2, 0x9506)  # str r5, [sp, 24]; out_step
    data(2, 0x9610)  # str r6, [sp, 64]; to_next
    data(2, 0x9611)  # str r6, [sp, 68]; to_next_out
    b(SAID)
    label(IN_ROWS)
    data(2, 0x960E)  # str r6, [sp, 56]; step
    data(2, 0x9606)  # str r6, [sp, 24]; out_step
    data(2, 0x9411)  # str r4, [sp, 68]; to_next_out
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; inputs
    data(2, 0x9410)  # str r4, [sp, 64]; to_next
    label(SAID)
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; inputs
    add(r4, 7)
    lsr(r4, r4, 3)
    lsl(r4, r4, 4)
    data(2, 0x9D09)  # ldr r5, [sp, 36]; numbers
    add(r4, r4, r5)
    data(2, 0x940A)  # str r4, [sp, 40]; numbers_end
    data(2, 0x9D09)  # ldr r5, [sp, 36]; numbers
    sub(r4, r4, r5)
    lsr(r4, r4, 2)
    data(2, 0x940B)  # str r4, [sp, 44]; row_size
    ldr(r4, [r3, _LOW])
    ldr(r5, [r3, _HIGH])
    ldr(r6, [r3, _ZERO])
    sub(r5, r5, r4)
    data(2, 0x9504)  # str r5, [sp, 16]; bounds
    data(2, 0x9405)  # str r4, [sp, 20]; bounds
    sub(r6, r6, r4)
    data(2, 0x9603)  # str r6, [sp, 12]; zero_low

    label(PLACE)
    data(2, 0x9809)  # ldr r0, [sp, 36]; numbers
    data(2, 0x990D)  # ldr r1, [sp, 52]; x
    data(2, 0x9A0E)  # ldr r2, [sp, 56]; step
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; inputs
    mov(r3, 0)
    mov(r6, 7)
    and_(r6, r4)
    lsr(r5, r4, 3)
    beq(FEWER)
    label(EIGHT)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 2])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 6])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 10])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 14])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 0])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 4])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 8])
    add(r3, r3, r7)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 12])
    add(r3, r3, r7)
    add(r0, 16)
    sub(r5, 1)
    bne(EIGHT)
    label(FEWER)
    cmp(r6, 0)
    beq(GATHERED)
    mov(r5, 0)
    str(r5, [r0, 0])
    str(r5, [r0, 4])
    str(r5, [r0, 8])
    str(r5, [r0, 12])
    mov(r5, 4)
    label(LAST)
    ldrb(r7, [r1, 0])
    add(r1, r1, r2)
    strh(r7, [r0, 2])
    add(r3, r3, r7)
    add(r0, 4)
    sub(r5, 1)
    bne(SAME_HALF)
    sub(r0, 18)  # the fifth goes beside the first
    label(SAME_HALF)
    sub(r6, 1)
    bne(LAST)
    label(GATHERED)
    lsl(r3, r3, 3)
    data(2, 0x9308)  # str r3, [sp, 32]; surplus
    data(2, 0x9C15)  # ldr r4, [sp, 84]; all_biases
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9C13)  # ldr r4, [sp, 76]; all_outputs
    data(2, 0x9407)  # str r4, [sp, 28]; outputs
    data(2, 0x9C0F)  # ldr r4, [sp, 60]; row
    data(2, 0x9402)  # str r4, [sp, 8]; place
    data(2, 0xF8DD, 0x9050)  # ldr r9, [sp, 80]; all_weights
    data(2, 0xF04F, 0x060F)  # mov r6, 15
    data(2, 0xEA46, 0x4606)  # orr r6, r6, r6, lsl 16

    # Two outputs: their sums r7 and r8, their weights at r9 and r10 behind it; the numbers r11, their end
    # r12. Where one is left, its weights stand for the other's.
    label(OUTPUTS)
    data(2, 0x9800)  # ldr r0, [sp, 0]; bias
    data(2, 0x9908)  # ldr r1, [sp, 32]; surplus
    data(2, 0x9A07)  # ldr r2, [sp, 28]; outputs
    data(2, 0xF8DD, 0xA02C)  # ldr r10, [sp, 44]; row_size
    data(2, 0xE9D0, 0x7800)  # ldrd r7, r8, [r0]
    data(2, 0xEBA7, 0x0701)  # sub r7, r7, r1
    data(2, 0xEBA8, 0x0801)  # sub r8, r8, r1
    cmp(r2, 1)
    it(eq)
    data(2, 0xF04F, 0x0A00)  # moveq r10, 0
    data(2, 0xE9DD, 0xBC09)  # ldrd r11, r12, [sp, 36]; numbers
    label(WEIGHTS)
    data(2, 0xE8BB, 0x000F)  # ldmia r11!, {r0, r1, r2, r3}
    data(2, 0xF859, 0x400A)  # ldr r4, [r9, r10]
    data(2, 0xF084, 0x3488)  # eor r4, r4, 0x88888888
    data(2, 0xEA06, 0x0504)  # and r5, r6, r4
    data(2, 0xFB05, 0xFE00)  # mul lr, r5, r0
    data(2, 0xEA06, 0x1514)  # and r5, r6, r4, lsr 4
    data(2, 0xFB05, 0xEE01)  # mla lr, r5, r1, lr
    data(2, 0xEA06, 0x2514)  # and r5, r6, r4, lsr 8
    data(2, 0xFB05, 0xEE02)  # mla lr, r5, r2, lr
    data(2, 0xEA06, 0x3514)  # and r5, r6, r4, lsr 12
    data(2, 0xFB05, 0xEE03)  # mla lr, r5, r3, lr
    data(2, 0xEB08, 0x482E)  # add r8, r8, lr, asr 16
    data(2, 0xF859, 0x4B04)  # ldr r4, [r9], 4
    data(2, 0xF084, 0x3488)  # eor r4, r4, 0x88888888
    data(2, 0xEA06, 0x0504)  # and r5, r6, r4
    data(2, 0xFB05, 0xFE00)  # mul lr, r5, r0
    data(2, 0xEA06, 0x1514)  # and r5, r6, r4, lsr 4
    data(2, 0xFB05, 0xEE01)  # mla lr, r5, r1, lr
    data(2, 0xEA06, 0x2514)  # and r5, r6, r4, lsr 8
    data(2, 0xFB05, 0xEE02)  # mla lr, r5, r2, lr
    data(2, 0xEA06, 0x3514)  # and r5, r6, r4, lsr 12
    data(2, 0xFB05, 0xEE03)  # mla lr, r5, r3, lr
    data(2, 0xEB07, 0x472E)  # add r7, r7, lr, asr 16
    data(2, 0x45E3)  # cmp r11, r12
    bne(WEIGHTS)
    data(2, 0x44D1)  # add r9, r10

    # Each sum becomes an output: r10 the next bias, r11 from there to this one's rescaling word, r12 its
    # place, r4 and r5 the bounds.
    data(2, 0xE89D, 0x1C00)  # ldm sp, {r10, r11, r12}
    data(2, 0xE9DD, 0x4504)  # ldrd r4, r5, [sp, 16]; bounds
    data(2, 0x9B07)  # ldr r3, [sp, 28]; outputs
    data(2, 0xF10A, 0x0A04)  # add r10, r10, 4
    data(2, 0xF85A, 0x100B)  # ldr r1, [r10, r11]
    mov(r0, r7)
    data(2, 0xF3C1, 0x4204)  # ubfx r2, r1, 16, 5
    asr(r0, r2)
    data(2, 0xF300, 0x000F)  # ssat r0, 16, r0
    data(2, 0xB28A)  # uxth r2, r1
    mul(r0, r2)
    lsr(r1, r1, 24)
    data(2, 0x9A03)  # ldr r2, [sp, 12]; zero_low
    asr(r0, r1)
    adc(r0, r2)
    data(2, 0xF380, 0x0008)  # usat r0, 8, r0
    cmp(r0, r4)
    it(hi)
    mov(r0, r4)
    add(r0, r0, r5)
    data(2, 0xF80C, 0x0B00)  # strb r0, [r12], 0
    data(2, 0x9806)  # ldr r0, [sp, 24]; out_step
    data(2, 0x4484)  # add r12, r0
    sub(r3, 1)
    beq(NEXT_PLACE)
    data(2, 0xF10A, 0x0A04)  # add r10, r10, 4
    data(2, 0xF85A, 0x100B)  # ldr r1, [r10, r11]
    mov(r0, r8)
    data(2, 0xF3C1, 0x4204)  # ubfx r2, r1, 16, 5
    asr(r0, r2)
    data(2, 0xF300, 0x000F)  # ssat r0, 16, r0
    data(2, 0xB28A)  # uxth r2, r1
    mul(r0, r2)
    lsr(r1, r1, 24)
    data(2, 0x9A03)  # ldr r2, [sp, 12]; zero_low
    asr(r0, r1)
    adc(r0, r2)
    data(2, 0xF380, 0x0008)  # usat r0, 8, r0
    cmp(r0, r4)
    it(hi)
    mov(r0, r4)
    add(r0, r0, r5)
    data(2, 0xF80C, 0x0B00)  # strb r0, [r12], 0
    data(2, 0x9806)  # ldr r0, [sp, 24]; out_step
    data(2, 0x4484)  # add r12, r0
    sub(r3, 1)
    beq(NEXT_PLACE)
    data(2, 0x9307)  # str r3, [sp, 28]; outputs
    data(2, 0xF8CD, 0xA000)  # str r10, [sp, 0]; bias
    data(2, 0xF8CD, 0xC008)  # str r12, [sp, 8]; place
    b(OUTPUTS)

    label(NEXT_PLACE)
    data(2, 0x9C0D)  # ldr r4, [sp, 52]; x
    data(2, 0x9D10)  # ldr r5, [sp, 64]; to_next
    add(r4, r4, r5)
    data(2, 0x940D)  # str r4, [sp, 52]; x
    data(2, 0x9C0F)  # ldr r4, [sp, 60]; row
    data(2, 0x9D11)  # ldr r5, [sp, 68]; to_next_out
    add(r4, r4, r5)
    data(2, 0x940F)  # str r4, [sp, 60]; row
    data(2, 0x9C12)  # ldr r4, [sp, 72]; places
    sub(r4, 1)
    data(2, 0x9412)  # str r4, [sp, 72]; places
    bne_w(PLACE)

    data(2, 0xB016)  # add sp, 88; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
