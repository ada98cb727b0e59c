# Generated from tools/asm/int8/thumb_m0/packed.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""The dense layer with weights of 4 bits for Armv6-M: one multiplication makes two products."""

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
    #    8  place: of this output
    #   12  zero
    #   16  outputs: left of this place
    #   20  surplus: what the sums of this place will be too large by
    #   24  numbers: of this place, two to a word
    #   28  numbers_end
    #   32  inputs
    #   36  x: of this place
    #   40  step: from one to the next
    #   44  out_step: from an output to the next
    #   48  row: the outputs of this place
    #   52  to_next: from place to place
    #   56  to_next_out
    #   60  places: left
    #   64  all_outputs
    #   68  all_weights
    #   72  all_biases
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB093)  # sub sp, 76; STACK

    data(2, 0x9111)  # str r1, [sp, 68]; all_weights
    data(2, 0x9212)  # str r2, [sp, 72]; all_biases
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9409)  # str r4, [sp, 36]; x
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    data(2, 0x940C)  # str r4, [sp, 48]; row
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x9406)  # str r4, [sp, 24]; numbers
    ldr(r4, [r3, _INPUTS])
    data(2, 0x9408)  # str r4, [sp, 32]; inputs
    ldr(r4, [r3, _OUTPUTS])
    data(2, 0x9410)  # str r4, [sp, 64]; all_outputs
    ldr(r5, [r3, _PLACES])
    data(2, 0x950F)  # str r5, [sp, 60]; places
    ldr(r6, [r3, _RESCALE])
    sub(r6, 1)  # from the next bias to this one's rescaling word
    lsl(r6, r6, 2)
    data(2, 0x9601)  # str r6, [sp, 4]; to_rescaling
    # Bytes from number to number, from output to output, and from one place to the next of both.
    mov(r6, 1)
    ldr(r7, [r3, _PLANAR])
    cmp(r7, 0)
    beq(IN_ROWS)
    data(2, 0x950A)  # str r5, [sp, 40]; step
    data(2, 0x950B)  # str r5, [sp, 44]; out_step
    data(2, 0x960D)  # str r6, [sp, 52]; to_next
    data(2, 0x960E)  # str r6, [sp, 56]; to_next_out
    b(SAID)
    label(IN_ROWS)
    data(2, 0x960A)  # str r6, [sp, 40]; step
    data(2, 0x960B)  # str r6, [sp, 44]; out_step
    data(2, 0x940E)  # str r4, [sp, 56]; to_next_out
    data(2, 0x9C08)  # ldr r4, [sp, 32]; inputs
    data(2, 0x940D)  # str r4, [sp, 52]; to_next
    label(SAID)
    data(2, 0x9C08)  # ldr r4, [sp, 32]; inputs
    add(r4, 7)
    lsr(r4, r4, 3)
    lsl(r4, r4, 4)
    data(2, 0x9D06)  # ldr r5, [sp, 24]; numbers
    add(r4, r4, r5)
    data(2, 0x9407)  # str r4, [sp, 28]; numbers_end
    data(2, 0x9C07)  # ldr r4, [sp, 28]; numbers_end
    mov(r10, r4)
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; out_step
    mov(r11, r4)
    ldr(r4, [r3, _LOW])
    mov(r12, r4)
    ldr(r4, [r3, _HIGH])
    mov(lr, r4)
    ldr(r4, [r3, _ZERO])
    data(2, 0x9403)  # str r4, [sp, 12]; zero
    # The highest bit of each weight.
    mov(r4, 0x88)
    lsl(r5, r4, 8)
    orr(r4, r5)
    lsl(r5, r4, 16)
    orr(r4, r5)
    mov(r8, r4)

    label(PLACE)
    data(2, 0x9806)  # ldr r0, [sp, 24]; numbers
    data(2, 0x9909)  # ldr r1, [sp, 36]; x
    data(2, 0x9A0A)  # ldr r2, [sp, 40]; step
    data(2, 0x9C08)  # ldr r4, [sp, 32]; inputs
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
    data(2, 0x9305)  # str r3, [sp, 20]; surplus
    data(2, 0x9C12)  # ldr r4, [sp, 72]; all_biases
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9C10)  # ldr r4, [sp, 64]; all_outputs
    data(2, 0x9404)  # str r4, [sp, 16]; outputs
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; row
    data(2, 0x9402)  # str r4, [sp, 8]; place
    data(2, 0x9811)  # ldr r0, [sp, 68]; all_weights
    mov(r2, 15)  # the mask: bits of two weights
    lsl(r1, r2, 16)
    orr(r2, r1)

    # An output: its sum r9, its weights r0, the numbers r1, their end r10; r4 eight weights.
    label(OUTPUT)
    data(2, 0x9C00)  # ldr r4, [sp, 0]; bias
    data(2, 0xCC20)  # ldmia r4!, {r5}
    data(2, 0x9400)  # str r4, [sp, 0]; bias
    data(2, 0x9E05)  # ldr r6, [sp, 20]; surplus
    sub(r5, r5, r6)
    mov(r9, r5)
    data(2, 0x9906)  # ldr r1, [sp, 24]; numbers
    label(WEIGHTS)
    data(2, 0xC810)  # ldmia r0!, {r4}
    mov(r5, r8)
    eor(r4, r5)
    data(2, 0xC9C0)  # ldmia r1!, {r6, r7}
    mov(r3, r4)
    and_(r3, r2)
    mul(r3, r6)
    lsr(r5, r4, 4)
    and_(r5, r2)
    mul(r5, r7)
    add(r3, r3, r5)
    data(2, 0xC9C0)  # ldmia r1!, {r6, r7}
    lsr(r5, r4, 8)
    and_(r5, r2)
    mul(r5, r6)
    add(r3, r3, r5)
    lsr(r5, r4, 12)
    and_(r5, r2)
    mul(r5, r7)
    add(r3, r3, r5)
    lsr(r3, r3, 16)
    data(2, 0x4499)  # add r9, r3
    data(2, 0x4551)  # cmp r1, r10
    bne(WEIGHTS)

    data(2, 0x9C00)  # ldr r4, [sp, 0]; bias
    data(2, 0x9D01)  # ldr r5, [sp, 4]; to_rescaling
    data(2, 0x5966)  # ldr r6, [r4, r5]
    mov(r1, r9)
    lsl(r3, r6, 11)
    lsr(r3, r3, 27)
    asr(r1, r3)
    data(2, 0xB20B)  # sxth r3, r1
    cmp(r1, r3)
    bne(SATURATED)
    label(SHIFTED)
    data(2, 0xB2B3)  # uxth r3, r6
    mul(r1, r3)
    lsr(r6, r6, 24)
    data(2, 0x9B03)  # ldr r3, [sp, 12]; zero
    asr(r1, r6)
    adc(r1, r3)
    data(2, 0x4561)  # cmp r1, r12
    bge(AT_LEAST)
    mov(r1, r12)
    label(AT_LEAST)
    data(2, 0x4571)  # cmp r1, lr
    ble(AT_MOST)
    mov(r1, lr)
    label(AT_MOST)
    data(2, 0x9C02)  # ldr r4, [sp, 8]; place
    strb(r1, [r4, 0])
    data(2, 0x445C)  # add r4, r11
    data(2, 0x9402)  # str r4, [sp, 8]; place
    data(2, 0x9C04)  # ldr r4, [sp, 16]; outputs
    sub(r4, 1)
    data(2, 0x9404)  # str r4, [sp, 16]; outputs
    bne(OUTPUT)

    data(2, 0x9C09)  # ldr r4, [sp, 36]; x
    data(2, 0x9D0D)  # ldr r5, [sp, 52]; to_next
    add(r4, r4, r5)
    data(2, 0x9409)  # str r4, [sp, 36]; x
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; row
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; to_next_out
    add(r4, r4, r5)
    data(2, 0x940C)  # str r4, [sp, 48]; row
    data(2, 0x9C0F)  # ldr r4, [sp, 60]; places
    sub(r4, 1)
    data(2, 0x940F)  # str r4, [sp, 60]; places
    beq(DONE)
    b(PLACE)

    # A number beyond 16 bits becomes the largest or the least of them.
    label(SATURATED)
    asr(r1, r1, 31)
    mov(r3, 255)
    lsl(r3, r3, 7)
    add(r3, 127)
    eor(r1, r3)
    b(SHIFTED)

    label(DONE)
    data(2, 0xB013)  # add sp, 76; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
