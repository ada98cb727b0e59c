# Generated from tools/asm/int8/thumb_m0/masked.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Softmax where a mask hides some numbers, for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_ROWS = const(24)
_SIZE = const(28)
_PERIOD = const(32)


@micropython.asm_thumb
def masked_softmax(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  rows: left
    #    4  period: rows that the mask has
    #    8  turn: of them left
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB083)  # sub sp, 12; STACK
    mov(r10, r1)
    mov(r11, r1)
    ldr(r4, [r3, _PERIOD])
    data(2, 0x9401)  # str r4, [sp, 4]; period
    data(2, 0x9402)  # str r4, [sp, 8]; turn
    # r0 is the row, r1 where it goes, r2 the powers, r3 the row's largest number, r6 the sum of its powers,
    # r7 a number's place, r8 how many a row has, r9 half of the sum, r10 the row's mask, r11 the first one's.
    ldr(r4, [r3, _ROWS])
    data(2, 0x9400)  # str r4, [sp, 0]; rows
    ldr(r4, [r3, _SIZE])
    mov(r8, r4)
    ldr(r1, [r3, _OUTPUT])
    add(r1, r1, r0)
    ldr(r5, [r3, _INPUT])
    add(r0, r0, r5)
    label(ROW)
    mov(r7, r8)
    mov(r3, 0)
    label(LARGEST)
    sub(r7, 1)
    mov(r5, r10)
    lsr(r4, r7, 3)
    data(2, 0x5D2C)  # ldrb r4, [r5, r4]
    mov(r5, 7)
    and_(r5, r7)
    add(r5, 1)
    lsr(r4, r5)
    bcc(NOT_LARGER)
    data(2, 0x5DC5)  # ldrb r5, [r0, r7]
    cmp(r5, r3)
    bls(NOT_LARGER)
    mov(r3, r5)
    label(NOT_LARGER)
    cmp(r7, 0)
    bne(LARGEST)

    mov(r7, r8)
    mov(r6, 0)
    label(ADD)
    sub(r7, 1)
    mov(r5, r10)
    lsr(r4, r7, 3)
    data(2, 0x5D2C)  # ldrb r4, [r5, r4]
    mov(r5, 7)
    and_(r5, r7)
    add(r5, 1)
    lsr(r4, r5)
    bcc(NOT_ADDED)
    data(2, 0x5DC5)  # ldrb r5, [r0, r7]
    sub(r5, r3, r5)
    lsl(r5, r5, 2)
    data(2, 0x5955)  # ldr r5, [r2, r5]
    add(r6, r6, r5)
    label(NOT_ADDED)
    cmp(r7, 0)
    bne(ADD)

    mov(r7, r8)
    lsr(r5, r6, 1)
    mov(r9, r5)
    label(NUMBER)
    sub(r7, 1)
    mov(r5, r10)
    lsr(r4, r7, 3)
    data(2, 0x5D2C)  # ldrb r4, [r5, r4]
    mov(r5, 7)
    and_(r5, r7)
    add(r5, 1)
    lsr(r4, r5)
    bcc(HIDDEN)
    data(2, 0x5DC5)  # ldrb r5, [r0, r7]
    sub(r5, r3, r5)
    lsl(r5, r5, 2)
    data(2, 0x5955)  # ldr r5, [r2, r5]
    lsl(r5, r5, 8)
    data(2, 0x444D)  # add r5, r9
    mov(r12, r7)
    mov(r4, 255)
    lsr(r7, r5, 8)
    cmp(r7, r6)
    bcs(WHOLE)
    mov(r4, 0)
    lsr(r7, r5, 7)
    cmp(r7, r6)
    bcc(LESS)
    lsl(r7, r6, 7)
    sub(r5, r5, r7)
    add(r4, 128)
    label(LESS)
    lsr(r7, r5, 6)
    cmp(r7, r6)
    bcc(LESS_2)
    lsl(r7, r6, 6)
    sub(r5, r5, r7)
    add(r4, 64)
    label(LESS_2)
    lsr(r7, r5, 5)
    cmp(r7, r6)
    bcc(LESS_3)
    lsl(r7, r6, 5)
    sub(r5, r5, r7)
    add(r4, 32)
    label(LESS_3)
    lsr(r7, r5, 4)
    cmp(r7, r6)
    bcc(LESS_4)
    lsl(r7, r6, 4)
    sub(r5, r5, r7)
    add(r4, 16)
    label(LESS_4)
    lsr(r7, r5, 3)
    cmp(r7, r6)
    bcc(LESS_5)
    lsl(r7, r6, 3)
    sub(r5, r5, r7)
    add(r4, 8)
    label(LESS_5)
    lsr(r7, r5, 2)
    cmp(r7, r6)
    bcc(LESS_6)
    lsl(r7, r6, 2)
    sub(r5, r5, r7)
    add(r4, 4)
    label(LESS_6)
    lsr(r7, r5, 1)
    cmp(r7, r6)
    bcc(LESS_7)
    lsl(r7, r6, 1)
    sub(r5, r5, r7)
    add(r4, 2)
    label(LESS_7)
    cmp(r5, r6)
    bcc(WHOLE)
    add(r4, 1)
    label(WHOLE)
    mov(r7, r12)
    label(DONE)
    data(2, 0x55CC)  # strb r4, [r1, r7]
    cmp(r7, 0)
    bne(NUMBER)
    b(NEXT_ROW)
    label(HIDDEN)
    mov(r4, 0)
    b(DONE)

    label(NEXT_ROW)
    data(2, 0x4440)  # add r0, r8
    data(2, 0x4441)  # add r1, r8
    mov(r4, r8)
    add(r4, 7)
    lsr(r4, r4, 3)
    data(2, 0x44A2)  # add r10, r4
    data(2, 0x9C02)  # ldr r4, [sp, 8]; turn
    sub(r4, 1)
    data(2, 0x9402)  # str r4, [sp, 8]; turn
    bne(MASKED)
    mov(r10, r11)
    data(2, 0x9C01)  # ldr r4, [sp, 4]; period
    data(2, 0x9402)  # str r4, [sp, 8]; turn
    label(MASKED)
    data(2, 0x9C00)  # ldr r4, [sp, 0]; rows
    sub(r4, 1)
    data(2, 0x9400)  # str r4, [sp, 0]; rows
    beq(ALL_ROWS)
    b(ROW)
    label(ALL_ROWS)
    data(2, 0xB003)  # add sp, 12; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
