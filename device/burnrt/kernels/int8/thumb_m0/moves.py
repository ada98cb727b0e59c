# Generated from tools/asm/int8/thumb_m0/moves.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Moving numbers and setting them for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_COUNT = const(24)
_PAD = const(28)
_SOURCE = const(20)
_FIRST = const(24)
_INTO = const(28)
_EXTENTS = const(36)
_STEPS = const(56)
_OUT_STEPS = const(76)


@micropython.asm_thumb
def copy(r0, r1, r2, r3):
    # What is on the stack, in bytes from its end:
    #    0  table
    #    4  way: 0 a row in one piece, 1 by steps, 2 by the table
    #    8  single: numbers of a row that are done one by one
    #   12  row
    #   16  to
    #   20  firsts: left of each dimension
    #   24  seconds
    #   28  thirds
    #   32  fourths
    #   36  by_first: from a row to the next one
    #   40  by_second
    #   44  by_third
    #   48  by_fourth
    #   52  out_by_first
    #   56  out_by_second
    #   60  out_by_third
    #   64  out_by_fourth
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB091)  # sub sp, 68; STACK
    data(2, 0x9100)  # str r1, [sp, 0]; table
    mov(r12, r3)
    ldr(r4, [r3, _OUTPUT])
    ldr(r5, [r3, _INTO])
    add(r4, r4, r5)
    add(r4, r4, r0)
    data(2, 0x9404)  # str r4, [sp, 16]; to
    ldr(r4, [r3, _SOURCE])
    cmp(r4, 2)
    beq(STORED)
    mov(r1, r0)
    ldr(r5, [r3, _INPUT])
    add(r1, r1, r5)
    label(STORED)
    ldr(r5, [r3, _FIRST])
    add(r1, r1, r5)
    data(2, 0x9103)  # str r1, [sp, 12]; row
    # r8 becomes how far a row goes, r9 its steps, r10 those where it goes, r11 twice these, r12 the words.
    ldr(r2, [r3, 72])
    ldr(r6, [r3, 92])
    mov(r9, r2)
    mov(r10, r6)
    add(r7, r6, r6)
    mov(r11, r7)
    ldr(r5, [r3, 52])
    mov(r7, r5)
    mul(r7, r6)
    mov(r8, r7)
    mov(r7, 3)
    and_(r5, r7)
    data(2, 0x9502)  # str r5, [sp, 8]; single
    mov(r5, 2)
    cmp(r4, 1)
    beq(CHOSEN)
    mov(r5, 1)
    cmp(r2, 1)
    bne(CHOSEN)
    cmp(r6, 1)
    bne(CHOSEN)
    mov(r5, 0)
    label(CHOSEN)
    data(2, 0x9501)  # str r5, [sp, 4]; way
    mov(r5, 0)
    mov(r6, 0)
    # r5 and r6 are how far these have gone.
    ldr(r4, [r3, 48])
    data(2, 0x9408)  # str r4, [sp, 32]; fourths
    sub(r4, 1)
    ldr(r7, [r3, 68])
    sub(r2, r7, r5)
    data(2, 0x920C)  # str r2, [sp, 48]; by_fourth
    mul(r7, r4)
    add(r5, r5, r7)
    ldr(r7, [r3, 88])
    sub(r2, r7, r6)
    data(2, 0x9210)  # str r2, [sp, 64]; out_by_fourth
    mul(r7, r4)
    add(r6, r6, r7)
    # r5 and r6 are how far these have gone.
    ldr(r4, [r3, 44])
    data(2, 0x9407)  # str r4, [sp, 28]; thirds
    sub(r4, 1)
    ldr(r7, [r3, 64])
    sub(r2, r7, r5)
    data(2, 0x920B)  # str r2, [sp, 44]; by_third
    mul(r7, r4)
    add(r5, r5, r7)
    ldr(r7, [r3, 84])
    sub(r2, r7, r6)
    data(2, 0x920F)  # str r2, [sp, 60]; out_by_third
    mul(r7, r4)
    add(r6, r6, r7)
    # r5 and r6 are how far these have gone.
    ldr(r4, [r3, 40])
    data(2, 0x9406)  # str r4, [sp, 24]; seconds
    sub(r4, 1)
    ldr(r7, [r3, 60])
    sub(r2, r7, r5)
    data(2, 0x920A)  # str r2, [sp, 40]; by_second
    mul(r7, r4)
    add(r5, r5, r7)
    ldr(r7, [r3, 80])
    sub(r2, r7, r6)
    data(2, 0x920E)  # str r2, [sp, 56]; out_by_second
    mul(r7, r4)
    add(r6, r6, r7)
    # r5 and r6 are how far these have gone.
    ldr(r4, [r3, 36])
    data(2, 0x9405)  # str r4, [sp, 20]; firsts
    sub(r4, 1)
    ldr(r7, [r3, 56])
    sub(r2, r7, r5)
    data(2, 0x9209)  # str r2, [sp, 36]; by_first
    mul(r7, r4)
    add(r5, r5, r7)
    ldr(r7, [r3, 76])
    sub(r2, r7, r6)
    data(2, 0x920D)  # str r2, [sp, 52]; out_by_first
    mul(r7, r4)
    add(r6, r6, r7)
    data(2, 0x9803)  # ldr r0, [sp, 12]; row
    data(2, 0x9904)  # ldr r1, [sp, 16]; to
    label(ROW)
    data(2, 0x9C01)  # ldr r4, [sp, 4]; way
    cmp(r4, 1)
    beq(BY_STEPS)
    bhi(BY_TABLE)
    b(IN_ONE_PIECE)

    label(BY_STEPS)
    mov(r2, r9)
    mov(r3, r10)
    add(r6, r2, r2)
    mov(r4, r8)
    add(r4, r4, r1)
    mov(lr, r4)
    data(2, 0x9D02)  # ldr r5, [sp, 8]; single
    b(ANY)
    label(SINGLE)
    ldrb(r4, [r0, 0])
    strb(r4, [r1, 0])
    add(r0, r0, r2)
    add(r1, r1, r3)
    sub(r5, 1)
    label(ANY)
    cmp(r5, 0)
    bne(SINGLE)
    data(2, 0x4571)  # cmp r1, lr
    beq(ROW_DONE)
    label(FOUR)
    ldrb(r4, [r0, 0])
    data(2, 0x5C85)  # ldrb r5, [r0, r2]
    add(r0, r0, r6)
    strb(r4, [r1, 0])
    data(2, 0x54CD)  # strb r5, [r1, r3]
    data(2, 0x4459)  # add r1, r11
    ldrb(r4, [r0, 0])
    data(2, 0x5C85)  # ldrb r5, [r0, r2]
    add(r0, r0, r6)
    strb(r4, [r1, 0])
    data(2, 0x54CD)  # strb r5, [r1, r3]
    data(2, 0x4459)  # add r1, r11
    data(2, 0x4571)  # cmp r1, lr
    bne(FOUR)
    b(ROW_DONE)

    label(BY_TABLE)
    mov(r2, r9)
    mov(r3, r10)
    add(r6, r2, r2)
    mov(r4, r8)
    add(r4, r4, r1)
    mov(lr, r4)
    data(2, 0x9D02)  # ldr r5, [sp, 8]; single
    data(2, 0x9F00)  # ldr r7, [sp, 0]; table
    b(ANY_LOOKED_UP)
    label(SINGLE_LOOKED_UP)
    ldrb(r4, [r0, 0])
    data(2, 0x5D3C)  # ldrb r4, [r7, r4]
    strb(r4, [r1, 0])
    add(r0, r0, r2)
    add(r1, r1, r3)
    sub(r5, 1)
    label(ANY_LOOKED_UP)
    cmp(r5, 0)
    bne(SINGLE_LOOKED_UP)
    data(2, 0x4571)  # cmp r1, lr
    beq(ROW_DONE)
    label(FOUR_LOOKED_UP)
    ldrb(r4, [r0, 0])
    data(2, 0x5C85)  # ldrb r5, [r0, r2]
    add(r0, r0, r6)
    data(2, 0x5D3C)  # ldrb r4, [r7, r4]
    data(2, 0x5D7D)  # ldrb r5, [r7, r5]
    strb(r4, [r1, 0])
    data(2, 0x54CD)  # strb r5, [r1, r3]
    data(2, 0x4459)  # add r1, r11
    ldrb(r4, [r0, 0])
    data(2, 0x5C85)  # ldrb r5, [r0, r2]
    add(r0, r0, r6)
    data(2, 0x5D3C)  # ldrb r4, [r7, r4]
    data(2, 0x5D7D)  # ldrb r5, [r7, r5]
    strb(r4, [r1, 0])
    data(2, 0x54CD)  # strb r5, [r1, r3]
    data(2, 0x4459)  # add r1, r11
    data(2, 0x4571)  # cmp r1, lr
    bne(FOUR_LOOKED_UP)

    label(ROW_DONE)
    mov(r3, r12)
    data(2, 0x9C08)  # ldr r4, [sp, 32]; fourths
    sub(r4, 1)
    data(2, 0x9408)  # str r4, [sp, 32]; fourths
    beq(DONE)
    data(2, 0x9C0C)  # ldr r4, [sp, 48]; by_fourth
    data(2, 0x9D10)  # ldr r5, [sp, 64]; out_by_fourth
    b(GO_ON)
    label(DONE)
    ldr(r4, [r3, 48])
    data(2, 0x9408)  # str r4, [sp, 32]; fourths
    data(2, 0x9C07)  # ldr r4, [sp, 28]; thirds
    sub(r4, 1)
    data(2, 0x9407)  # str r4, [sp, 28]; thirds
    beq(DONE_2)
    data(2, 0x9C0B)  # ldr r4, [sp, 44]; by_third
    data(2, 0x9D0F)  # ldr r5, [sp, 60]; out_by_third
    b(GO_ON)
    label(DONE_2)
    ldr(r4, [r3, 44])
    data(2, 0x9407)  # str r4, [sp, 28]; thirds
    data(2, 0x9C06)  # ldr r4, [sp, 24]; seconds
    sub(r4, 1)
    data(2, 0x9406)  # str r4, [sp, 24]; seconds
    beq(DONE_3)
    data(2, 0x9C0A)  # ldr r4, [sp, 40]; by_second
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; out_by_second
    b(GO_ON)
    label(DONE_3)
    ldr(r4, [r3, 40])
    data(2, 0x9406)  # str r4, [sp, 24]; seconds
    data(2, 0x9C05)  # ldr r4, [sp, 20]; firsts
    sub(r4, 1)
    data(2, 0x9405)  # str r4, [sp, 20]; firsts
    beq(DONE_4)
    data(2, 0x9C09)  # ldr r4, [sp, 36]; by_first
    data(2, 0x9D0D)  # ldr r5, [sp, 52]; out_by_first
    b(GO_ON)
    label(DONE_4)
    ldr(r4, [r3, 36])
    data(2, 0x9405)  # str r4, [sp, 20]; firsts
    data(2, 0xB011)  # add sp, 68; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
    b(END)
    label(GO_ON)
    data(2, 0x9803)  # ldr r0, [sp, 12]; row
    data(2, 0x9904)  # ldr r1, [sp, 16]; to
    add(r0, r0, r4)
    add(r1, r1, r5)
    data(2, 0x9003)  # str r0, [sp, 12]; row
    data(2, 0x9104)  # str r1, [sp, 16]; to
    b(ROW)

    # First to where words are aligned, then by sixteen numbers, then what is left of r2.
    label(IN_ONE_PIECE)
    mov(r2, r8)
    cmp(r2, 16)
    bcc(FEW)
    neg(r3, r1)
    mov(r4, 3)
    and_(r3, r4)
    sub(r2, r2, r3)
    cmp(r3, 0)
    beq(ALIGNED)
    label(ALIGN)
    ldrb(r5, [r0, 0])
    strb(r5, [r1, 0])
    add(r0, 1)
    add(r1, 1)
    sub(r3, 1)
    bne(ALIGN)
    label(ALIGNED)
    mov(r6, r2)
    mov(r5, 15)
    and_(r2, r5)
    sub(r6, r6, r2)
    beq(FEW)
    add(r6, r6, r1)
    mov(lr, r6)
    mov(r10, r2)
    and_(r4, r0)
    bne(SHIFT)
    label(WORDS)
    data(2, 0xC83C)  # ldmia r0!, {r2, r3, r4, r5}
    data(2, 0xC13C)  # stmia r1!, {r2, r3, r4, r5}
    data(2, 0x4571)  # cmp r1, lr
    bne(WORDS)
    b(LEFT)
    label(SHIFT)
    sub(r0, r0, r4)
    data(2, 0xC804)  # ldmia r0!, {r2}
    cmp(r4, 2)
    beq(HALF)
    bhi(THREE)
    lsr(r2, r2, 8)
    label(SHIFTED)
    data(2, 0xC878)  # ldmia r0!, {r3, r4, r5, r6}
    lsl(r7, r3, 24)
    orr(r2, r7)
    lsr(r3, r3, 8)
    lsl(r7, r4, 24)
    orr(r3, r7)
    lsr(r4, r4, 8)
    lsl(r7, r5, 24)
    orr(r4, r7)
    lsr(r5, r5, 8)
    lsl(r7, r6, 24)
    orr(r5, r7)
    data(2, 0xC13C)  # stmia r1!, {r2, r3, r4, r5}
    lsr(r2, r6, 8)
    data(2, 0x4571)  # cmp r1, lr
    bne(SHIFTED)
    sub(r0, 3)
    b(LEFT)
    label(HALF)
    lsr(r2, r2, 16)
    label(SHIFTED_2)
    data(2, 0xC878)  # ldmia r0!, {r3, r4, r5, r6}
    lsl(r7, r3, 16)
    orr(r2, r7)
    lsr(r3, r3, 16)
    lsl(r7, r4, 16)
    orr(r3, r7)
    lsr(r4, r4, 16)
    lsl(r7, r5, 16)
    orr(r4, r7)
    lsr(r5, r5, 16)
    lsl(r7, r6, 16)
    orr(r5, r7)
    data(2, 0xC13C)  # stmia r1!, {r2, r3, r4, r5}
    lsr(r2, r6, 16)
    data(2, 0x4571)  # cmp r1, lr
    bne(SHIFTED_2)
    sub(r0, 2)
    b(LEFT)
    label(THREE)
    lsr(r2, r2, 24)
    label(SHIFTED_3)
    data(2, 0xC878)  # ldmia r0!, {r3, r4, r5, r6}
    lsl(r7, r3, 8)
    orr(r2, r7)
    lsr(r3, r3, 24)
    lsl(r7, r4, 8)
    orr(r3, r7)
    lsr(r4, r4, 24)
    lsl(r7, r5, 8)
    orr(r4, r7)
    lsr(r5, r5, 24)
    lsl(r7, r6, 8)
    orr(r5, r7)
    data(2, 0xC13C)  # stmia r1!, {r2, r3, r4, r5}
    lsr(r2, r6, 24)
    data(2, 0x4571)  # cmp r1, lr
    bne(SHIFTED_3)
    sub(r0, 1)
    label(LEFT)
    mov(r2, r10)
    label(FEW)
    mov(r4, 15)
    sub(r4, r4, r2)
    lsl(r4, r4, 2)
    sub(r4, 2)
    data(2, 0x44A7)  # add pc, r4
    ldrb(r3, [r0, 14])
    strb(r3, [r1, 14])
    ldrb(r3, [r0, 13])
    strb(r3, [r1, 13])
    ldrb(r3, [r0, 12])
    strb(r3, [r1, 12])
    ldrb(r3, [r0, 11])
    strb(r3, [r1, 11])
    ldrb(r3, [r0, 10])
    strb(r3, [r1, 10])
    ldrb(r3, [r0, 9])
    strb(r3, [r1, 9])
    ldrb(r3, [r0, 8])
    strb(r3, [r1, 8])
    ldrb(r3, [r0, 7])
    strb(r3, [r1, 7])
    ldrb(r3, [r0, 6])
    strb(r3, [r1, 6])
    ldrb(r3, [r0, 5])
    strb(r3, [r1, 5])
    ldrb(r3, [r0, 4])
    strb(r3, [r1, 4])
    ldrb(r3, [r0, 3])
    strb(r3, [r1, 3])
    ldrb(r3, [r0, 2])
    strb(r3, [r1, 2])
    ldrb(r3, [r0, 1])
    strb(r3, [r1, 1])
    ldrb(r3, [r0, 0])
    strb(r3, [r1, 0])
    b(ROW_DONE)
    label(END)


@micropython.asm_thumb
def fill(r0, r1, r2, r3):
    # r1 is where, r2 how many, r4 the number four times.
    ldr(r1, [r3, _OUTPUT])
    ldr(r2, [r3, _COUNT])
    add(r1, r1, r0)
    ldr(r4, [r3, _PAD])
    lsl(r5, r4, 8)
    orr(r4, r5)
    lsl(r5, r4, 16)
    orr(r4, r5)
    mov(r5, r4)
    mov(r6, r4)
    mov(r7, r4)
    mov(r0, 3)
    b(ALIGN)
    label(SINGLE)
    strb(r4, [r1, 0])
    add(r1, 1)
    sub(r2, 1)
    beq(END)
    label(ALIGN)
    tst(r1, r0)
    bne(SINGLE)
    sub(r2, 16)
    bcc(FEW)
    label(SIXTEEN)
    data(2, 0xC1F0)  # stmia r1!, {r4, r5, r6, r7}
    sub(r2, 16)
    bcs(SIXTEEN)
    label(FEW)
    add(r2, 16)
    beq(END)
    label(LAST)
    strb(r4, [r1, 0])
    add(r1, 1)
    sub(r2, 1)
    bne(LAST)
    label(END)
    mov(r0, 0)
