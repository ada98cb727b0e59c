# Generated from tools/asm/int8/thumb_m0/resampling.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Planes of other sizes, for Armv6-M: a line is made of others, then its numbers of those."""

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
_CHANNELS = const(32)
_HEIGHT = const(36)
_WIDTH = const(40)
_OUT_HEIGHT = const(44)
_OUT_WIDTH = const(48)
_KERNEL_DOWN = const(52)
_KERNEL_ACROSS = const(56)


@micropython.asm_thumb
def resample(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  words
    #    4  plane
    #    8  channels: left
    #   12  rescaling
    #   16  taps: of the first row
    #   20  tap: the next one of a row
    #   24  left: of them
    #   28  columns: taps of the first column
    #   32  columns_end
    #   36  skip: taps that a column does not have, in bytes of code
    #   40  work
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB08B)  # sub sp, 44; STACK
    data(2, 0x9300)  # str r3, [sp, 0]; words
    ldr(r4, [r3, _INPUT])
    add(r4, r4, r0)
    data(2, 0x9401)  # str r4, [sp, 4]; plane
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x940A)  # str r4, [sp, 40]; work
    ldr(r4, [r3, _OUTPUT])
    add(r4, r4, r0)
    mov(r11, r4)
    ldr(r4, [r2, 0])
    mov(r12, r4)
    ldr(r4, [r3, _RESCALE])
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0xCA10)  # ldmia r2!, {r4}
    data(2, 0x9403)  # str r4, [sp, 12]; rescaling
    data(2, 0x9204)  # str r2, [sp, 16]; taps
    ldr(r4, [r3, _KERNEL_DOWN])
    ldr(r5, [r3, _OUT_HEIGHT])
    mul(r4, r5)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9207)  # str r2, [sp, 28]; columns
    ldr(r4, [r3, _KERNEL_ACROSS])
    mov(r6, 4)
    sub(r6, r6, r4)
    lsl(r6, r6, 4)
    sub(r6, 2)
    data(2, 0x9609)  # str r6, [sp, 36]; skip
    ldr(r5, [r3, _OUT_WIDTH])
    mul(r4, r5)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9208)  # str r2, [sp, 32]; columns_end
    ldr(r4, [r3, _ZERO])
    mov(r8, r4)
    ldr(r4, [r3, _LOW])
    mov(r9, r4)
    ldr(r4, [r3, _HIGH])
    mov(r10, r4)
    ldr(r4, [r3, _CHANNELS])
    data(2, 0x9402)  # str r4, [sp, 8]; channels

    label(PLANE)
    data(2, 0x9C04)  # ldr r4, [sp, 16]; taps
    data(2, 0x9405)  # str r4, [sp, 20]; tap
    label(LINE)
    data(2, 0x9B00)  # ldr r3, [sp, 0]; words
    ldr(r4, [r3, _KERNEL_DOWN])
    data(2, 0x9406)  # str r4, [sp, 24]; left
    mov(r7, 0)

    # r1 becomes what is added to the line r3, r0 its end, r2 the weight. The last numbers that are no four
    # come first.
    label(TAP)
    data(2, 0x9E05)  # ldr r6, [sp, 20]; tap
    data(2, 0xCE04)  # ldmia r6!, {r2}
    data(2, 0x9605)  # str r6, [sp, 20]; tap
    data(2, 0x9B00)  # ldr r3, [sp, 0]; words
    ldr(r4, [r3, _WIDTH])
    lsr(r1, r2, 9)
    mul(r1, r4)
    data(2, 0x9D01)  # ldr r5, [sp, 4]; plane
    add(r1, r1, r5)
    lsl(r2, r2, 23)
    lsr(r2, r2, 23)
    data(2, 0x9B0A)  # ldr r3, [sp, 40]; work
    add(r0, r1, r4)
    mov(r5, 3)
    neg(r4, r4)
    and_(r4, r5)
    sub(r1, r1, r4)
    lsl(r5, r4, 2)
    sub(r3, r3, r5)
    cmp(r7, 0)
    bne(MORE)
    mov(r7, 1)
    mov(r5, 6)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(BEGIN)
    ldrb(r4, [r1, 0])
    mul(r4, r2)
    str(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    mul(r4, r2)
    str(r4, [r3, 4])
    ldrb(r4, [r1, 2])
    mul(r4, r2)
    str(r4, [r3, 8])
    ldrb(r4, [r1, 3])
    mul(r4, r2)
    str(r4, [r3, 12])
    add(r1, 4)
    add(r3, 16)
    cmp(r1, r0)
    bne(BEGIN)
    b(NEXT_TAP)
    label(MORE)
    cmp(r2, 0)
    beq(NEXT_TAP)
    mov(r5, 10)
    mul(r4, r5)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    label(ADD)
    ldrb(r4, [r1, 0])
    ldr(r5, [r3, 0])
    mul(r4, r2)
    add(r4, r4, r5)
    str(r4, [r3, 0])
    ldrb(r4, [r1, 1])
    ldr(r5, [r3, 4])
    mul(r4, r2)
    add(r4, r4, r5)
    str(r4, [r3, 4])
    ldrb(r4, [r1, 2])
    ldr(r5, [r3, 8])
    mul(r4, r2)
    add(r4, r4, r5)
    str(r4, [r3, 8])
    ldrb(r4, [r1, 3])
    ldr(r5, [r3, 12])
    mul(r4, r2)
    add(r4, r4, r5)
    str(r4, [r3, 12])
    add(r1, 4)
    add(r3, 16)
    cmp(r1, r0)
    bne(ADD)
    label(NEXT_TAP)
    data(2, 0x9C06)  # ldr r4, [sp, 24]; left
    sub(r4, 1)
    data(2, 0x9406)  # str r4, [sp, 24]; left
    bne(TAP)

    # r0 becomes the line, r1 the taps of columns, lr their end, r5 and r7 the shifts, r6 the factor; r8 is
    # ZERO, r9 LOW, r10 HIGH, r11 where the output goes, r12 the bias.
    data(2, 0x980A)  # ldr r0, [sp, 40]; work
    data(2, 0x9907)  # ldr r1, [sp, 28]; columns
    data(2, 0x9C08)  # ldr r4, [sp, 32]; columns_end
    mov(lr, r4)
    data(2, 0x9C03)  # ldr r4, [sp, 12]; rescaling
    lsl(r5, r4, 11)
    lsr(r5, r5, 27)
    data(2, 0xB2A6)  # uxth r6, r4
    lsr(r7, r4, 24)
    label(COLUMN)
    mov(r3, r12)
    data(2, 0x9A09)  # ldr r2, [sp, 36]; skip
    data(2, 0x4497)  # add pc, r2
    data(2, 0xC904)  # ldmia r1!, {r2}
    lsr(r4, r2, 9)
    lsl(r4, r4, 2)
    data(2, 0x5904)  # ldr r4, [r0, r4]
    lsl(r2, r2, 23)
    lsr(r2, r2, 23)
    mul(r4, r2)
    add(r3, r3, r4)
    data(2, 0xC904)  # ldmia r1!, {r2}
    lsr(r4, r2, 9)
    lsl(r4, r4, 2)
    data(2, 0x5904)  # ldr r4, [r0, r4]
    lsl(r2, r2, 23)
    lsr(r2, r2, 23)
    mul(r4, r2)
    add(r3, r3, r4)
    data(2, 0xC904)  # ldmia r1!, {r2}
    lsr(r4, r2, 9)
    lsl(r4, r4, 2)
    data(2, 0x5904)  # ldr r4, [r0, r4]
    lsl(r2, r2, 23)
    lsr(r2, r2, 23)
    mul(r4, r2)
    add(r3, r3, r4)
    data(2, 0xC904)  # ldmia r1!, {r2}
    lsr(r4, r2, 9)
    lsl(r4, r4, 2)
    data(2, 0x5904)  # ldr r4, [r0, r4]
    lsl(r2, r2, 23)
    lsr(r2, r2, 23)
    mul(r4, r2)
    add(r3, r3, r4)
    asr(r3, r5)
    data(2, 0xB21A)  # sxth r2, r3
    cmp(r2, r3)
    bne(SATURATED)
    label(SHIFTED)
    mul(r3, r6)
    asr(r3, r7)
    mov(r2, r8)
    adc(r3, r2)
    data(2, 0x454B)  # cmp r3, r9
    bge(AT_LEAST)
    mov(r3, r9)
    label(AT_LEAST)
    data(2, 0x4553)  # cmp r3, r10
    ble(AT_MOST)
    mov(r3, r10)
    label(AT_MOST)
    mov(r2, r11)
    strb(r3, [r2, 0])
    add(r2, 1)
    mov(r11, r2)
    data(2, 0x4571)  # cmp r1, lr
    bne(COLUMN)

    data(2, 0x9905)  # ldr r1, [sp, 20]; tap
    data(2, 0x9A07)  # ldr r2, [sp, 28]; columns
    cmp(r1, r2)
    beq(NEXT_PLANE)
    b(LINE)
    label(NEXT_PLANE)
    data(2, 0x9B00)  # ldr r3, [sp, 0]; words
    ldr(r4, [r3, _HEIGHT])
    ldr(r5, [r3, _WIDTH])
    mul(r4, r5)
    data(2, 0x9D01)  # ldr r5, [sp, 4]; plane
    add(r4, r4, r5)
    data(2, 0x9401)  # str r4, [sp, 4]; plane
    data(2, 0x9C02)  # ldr r4, [sp, 8]; channels
    sub(r4, 1)
    data(2, 0x9402)  # str r4, [sp, 8]; channels
    beq(DONE)
    b(PLANE)

    # A number beyond 16 bits becomes the largest or the least of them.
    label(SATURATED)
    asr(r3, r3, 31)
    mov(r2, 255)
    lsl(r2, r2, 7)
    add(r2, 127)
    eor(r3, r2)
    b(SHIFTED)

    label(DONE)
    data(2, 0xB00B)  # add sp, 44; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
