# Generated from tools/asm/int8/thumb_m3/sequences.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Recurrent layers for Armv7-M: time steps of a dense layer and gates."""

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
_WORK = const(24)
_INPUTS = const(28)
_OUTPUTS = const(32)
_STATE = const(20)
_KEEPS = const(28)
_TIMES = const(32)
_NUMBERS = const(36)
_HIDDEN = const(40)
_DIRECTIONS = const(44)
_AFTER = const(48)
_BETWEEN = const(52)
_APART = const(60)
_SUMS = const(64)
_CELL = const(100)
_CELL_AFTER = const(104)
_CELL_ZERO = const(108)
_OF_PRODUCT = const(112)
_OF_CELL = const(116)
_CELL_SHIFT = const(120)
_OF_ANSWER = const(124)
_GRU_FACTORS = const(172)  # beyond what ldr reaches: OF_INPUT OF_HIDDEN SHIFT OF_NEW


@micropython.asm_thumb
def gru(r0, r1, r2, r3):
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
    #   72  arena
    #   76  words
    #   80  table
    #   84  first_weights: of this direction
    #   88  first_constants
    #   92  constants: of the next matrix
    #   96  row: this matrix's words
    #  100  matrix
    #  104  work
    #  108  state
    #  112  to_sums: from the state
    #  116  end: of the state
    #  120  size: of the states of all directions
    #  124  start: of this direction's
    #  128  times: left
    #  132  x_row
    #  136  x_step: to the next time step
    #  140  out
    #  144  out_step
    #  148  fraction: what is less than the state's bytes
    #  152  of_input
    #  156  of_hidden
    #  160  shift
    #  164  of_new
    #  168  new_bias
    push({r8, r9, r10, r11})
    data(2, 0xB0AB)  # sub sp, 172; STACK
    data(2, 0x9012)  # str r0, [sp, 72]; arena
    data(2, 0x9313)  # str r3, [sp, 76]; words
    data(2, 0x9115)  # str r1, [sp, 84]; first_weights
    data(2, 0x9214)  # str r2, [sp, 80]; table
    mov(r4, 255)
    add(r4, 2)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9216)  # str r2, [sp, 88]; first_constants
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x941A)  # str r4, [sp, 104]; work
    ldr(r5, [r3, _NUMBERS])
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    add(r4, r4, r5)
    data(2, 0x941B)  # str r4, [sp, 108]; state
    ldr(r5, [r3, _HIDDEN])
    ldr(r6, [r3, _DIRECTIONS])
    mul(r6, r5)
    data(2, 0x961E)  # str r6, [sp, 120]; size
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    data(2, 0x951C)  # str r5, [sp, 112]; to_sums
    mov(r4, 0)
    data(2, 0x941F)  # str r4, [sp, 124]; start
    # Behind the state and r and z lie both parts of n, r4 on, and what is less than the state's bytes.
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; state
    data(2, 0x9D1C)  # ldr r5, [sp, 112]; to_sums
    ldr(r6, [r3, _HIDDEN])
    add(r4, r4, r5)
    lsl(r6, r6, 1)
    add(r6, 3)
    lsr(r6, r6, 2)
    lsl(r6, r6, 2)
    add(r4, r4, r6)
    add(r4, r4, r5)
    add(r4, r4, r5)
    data(2, 0x9425)  # str r4, [sp, 148]; fraction
    add(r3, 128)
    ldr(r4, [r3, 44])
    data(2, 0x9426)  # str r4, [sp, 152]; of_input
    ldr(r4, [r3, 48])
    data(2, 0x9427)  # str r4, [sp, 156]; of_hidden
    ldr(r4, [r3, 52])
    data(2, 0x9428)  # str r4, [sp, 160]; shift
    # n is 4096 too large as the table has it.
    ldr(r4, [r3, 56])
    data(2, 0x9429)  # str r4, [sp, 164]; of_new
    lsl(r5, r4, 12)
    mov(r4, 2)
    lsl(r4, r4, 8)
    sub(r4, r4, r5)
    data(2, 0x942A)  # str r4, [sp, 168]; new_bias

    label(DIRECTION)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x991B)  # ldr r1, [sp, 108]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r4, [r3, _KEEPS])
    lsr(r4, r4, 1)
    bcs(GIVEN)
    ldr(r3, [r3, _ZERO])
    label(SET_BYTE)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE)
    b(READY)
    label(GIVEN)
    ldr(r0, [r3, _STATE])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r0, r0, r5)
    label(COPY_BYTE)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE)
    label(READY)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9925)  # ldr r1, [sp, 148]; fraction
    ldr(r2, [r3, _HIDDEN])
    mov(r3, 128)
    label(SET_BYTE_2)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE_2)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r1, [r3, _OUTPUT])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    ldr(r0, [r3, _INPUT])
    ldr(r2, [r3, _TIMES])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9220)  # str r2, [sp, 128]; times
    ldr(r5, [r3, _NUMBERS])
    data(2, 0x9E1E)  # ldr r6, [sp, 120]; size
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; start
    cmp(r4, 0)
    beq(ONWARD)
    # The second direction begins with the last step.
    sub(r2, 1)
    mov(r4, r2)
    mul(r4, r5)
    add(r0, r0, r4)
    mul(r2, r6)
    add(r1, r1, r2)
    neg(r5, r5)
    neg(r6, r6)
    label(ONWARD)
    data(2, 0x9021)  # str r0, [sp, 132]; x_row
    data(2, 0x9123)  # str r1, [sp, 140]; out
    data(2, 0x9522)  # str r5, [sp, 136]; x_step
    data(2, 0x9624)  # str r6, [sp, 144]; out_step

    label(TIME)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9821)  # ldr r0, [sp, 132]; x_row
    data(2, 0x991A)  # ldr r1, [sp, 104]; work
    ldr(r2, [r3, _NUMBERS])
    label(COPY_BYTE_2)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_2)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9915)  # ldr r1, [sp, 84]; first_weights
    data(2, 0x9A16)  # ldr r2, [sp, 88]; first_constants
    add(r3, _SUMS)
    mov(r4, 0)
    data(2, 0x9419)  # str r4, [sp, 100]; matrix
    label(MATRIX)
    data(2, 0x9217)  # str r2, [sp, 92]; constants
    data(2, 0x9318)  # str r3, [sp, 96]; row
    data(2, 0x9812)  # ldr r0, [sp, 72]; arena
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
    data(2, 0x9B18)  # ldr r3, [sp, 96]; row
    data(2, 0x9A17)  # ldr r2, [sp, 92]; constants
    ldr(r4, [r3, _OUTPUTS])
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; matrix
    cmp(r4, 8)
    beq(SUMMED_UP)
    add(r3, 36)
    data(2, 0x9913)  # ldr r1, [sp, 76]; words
    add(r1, r1, r4)
    ldr(r1, [r1, _BETWEEN])
    data(2, 0x9D15)  # ldr r5, [sp, 84]; first_weights
    add(r1, r1, r5)
    add(r4, 4)
    data(2, 0x9419)  # str r4, [sp, 100]; matrix
    b(MATRIX)
    label(SUMMED_UP)
    data(2, 0x9217)  # str r2, [sp, 92]; constants; of the next direction, if this is its last step
    mov(r7, 1)
    lsl(r7, r7, 15)
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    data(2, 0x9914)  # ldr r1, [sp, 80]; table
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r2, [r3, _HIDDEN])
    add(r4, r0, r2)
    data(2, 0x941D)  # str r4, [sp, 116]; end
    # From the state to r r8, z r9, both parts of n r10 and r11, and what is less than bytes r12.
    ldr(r6, [r3, _ZERO])
    lsl(r6, r6, 8)
    add(r6, 128)
    data(2, 0x9C1C)  # ldr r4, [sp, 112]; to_sums
    mov(r8, r4)
    add(r5, r4, r2)
    mov(r9, r5)
    lsl(r2, r2, 1)
    add(r2, 3)
    lsr(r2, r2, 2)
    lsl(r2, r2, 2)
    add(r5, r4, r2)
    mov(r10, r5)
    add(r5, r5, r4)
    mov(r11, r5)
    add(r5, r5, r4)
    mov(r12, r5)
    label(NUMBER)
    data(2, 0xF810, 0x2008)  # ldrb r2, [r0, r8]
    data(2, 0xF831, 0x2022)  # ldrh r2, [r1, r2, lsl 2]
    data(2, 0xEB02, 0x22D2)  # add r2, r2, r2, lsr 11
    data(2, 0xF810, 0x300B)  # ldrb r3, [r0, r11]
    sub(r3, 128)
    mul(r2, r3)
    asr(r2, r2, 4)
    data(2, 0x9D27)  # ldr r5, [sp, 156]; of_hidden
    mul(r2, r5)
    data(2, 0xF810, 0x300A)  # ldrb r3, [r0, r10]
    sub(r3, 128)
    data(2, 0x9D26)  # ldr r5, [sp, 152]; of_input
    mul(r3, r5)
    add(r2, r2, r3)
    data(2, 0x9B28)  # ldr r3, [sp, 160]; shift
    asr(r2, r3)
    add(r2, r2, r7)
    data(2, 0xF382, 0x0210)  # usat r2, 16, r2
    lsr(r3, r2, 8)
    data(2, 0xEB01, 0x0383)  # add r3, r1, r3, lsl 2
    ldrh(r4, [r3, 2])
    ldrh(r3, [r3, 6])
    sub(r3, r3, r4)
    data(2, 0xB2D2)  # uxtb r2, r2
    mul(r3, r2)
    data(2, 0xEB04, 0x2223)  # add r2, r4, r3, asr 8
    data(2, 0x9D29)  # ldr r5, [sp, 164]; of_new
    mul(r2, r5)
    data(2, 0x9D2A)  # ldr r5, [sp, 168]; new_bias
    add(r2, r2, r5)
    asr(r2, r2, 10)
    data(2, 0xF810, 0x3009)  # ldrb r3, [r0, r9]
    data(2, 0xF831, 0x3023)  # ldrh r3, [r1, r3, lsl 2]
    data(2, 0xEB03, 0x23D3)  # add r3, r3, r3, lsr 11
    ldrb(r4, [r0, 0])
    data(2, 0xF810, 0x500C)  # ldrb r5, [r0, r12]
    lsl(r4, r4, 8)
    add(r4, r4, r5)
    sub(r4, r4, r6)
    sub(r4, r4, r2)
    mul(r3, r4)
    asr(r3, r3, 12)
    adc(r2, r3)
    add(r2, r2, r6)
    data(2, 0xF382, 0x0210)  # usat r2, 16, r2
    lsr(r3, r2, 8)
    strb(r3, [r0, 0])
    data(2, 0xF800, 0x200C)  # strb r2, [r0, r12]
    add(r0, 1)
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; end
    cmp(r0, r4)
    bne(NUMBER)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    data(2, 0x9923)  # ldr r1, [sp, 140]; out
    ldr(r2, [r3, _HIDDEN])
    label(COPY_BYTE_3)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_3)
    data(2, 0x9C21)  # ldr r4, [sp, 132]; x_row
    data(2, 0x9D22)  # ldr r5, [sp, 136]; x_step
    add(r4, r4, r5)
    data(2, 0x9421)  # str r4, [sp, 132]; x_row
    data(2, 0x9C23)  # ldr r4, [sp, 140]; out
    data(2, 0x9D24)  # ldr r5, [sp, 144]; out_step
    add(r4, r4, r5)
    data(2, 0x9423)  # str r4, [sp, 140]; out
    data(2, 0x9C20)  # ldr r4, [sp, 128]; times
    sub(r4, 1)
    data(2, 0x9420)  # str r4, [sp, 128]; times
    beq(ALL_TIMES)
    b(TIME)
    label(ALL_TIMES)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 2)
    tst(r4, r5)
    beq(NOT_WANTED)
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _AFTER])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    label(COPY_BYTE_4)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_4)
    label(NOT_WANTED)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9C17)  # ldr r4, [sp, 92]; constants
    data(2, 0x9416)  # str r4, [sp, 88]; first_constants
    data(2, 0x9C15)  # ldr r4, [sp, 84]; first_weights
    ldr(r5, [r3, _APART])
    add(r4, r4, r5)
    data(2, 0x9415)  # str r4, [sp, 84]; first_weights
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; start
    ldr(r5, [r3, _HIDDEN])
    add(r4, r4, r5)
    data(2, 0x941F)  # str r4, [sp, 124]; start
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; size
    cmp(r4, r5)
    beq(ALL_DIRECTIONS)
    b(DIRECTION)
    label(ALL_DIRECTIONS)
    data(2, 0xB02B)  # add sp, 172; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)


@micropython.asm_thumb
def lstm(r0, r1, r2, r3):
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
    #   72  arena
    #   76  words
    #   80  table
    #   84  first_weights: of this direction
    #   88  first_constants
    #   92  constants: of the next matrix
    #   96  row: this matrix's words
    #  100  matrix
    #  104  work
    #  108  state
    #  112  to_sums: from the state
    #  116  end: of the state
    #  120  size: of the states of all directions
    #  124  start: of this direction's
    #  128  times: left
    #  132  x_row
    #  136  x_step: to the next time step
    #  140  out
    #  144  out_step
    #  148  cell
    #  152  fraction: what is less than the cell's bytes
    #  156  of_product
    #  160  of_cell
    #  164  shift
    #  168  of_answer
    #  172  hidden_zero
    push({r8, r9, r10, r11})
    data(2, 0xB0AC)  # sub sp, 176; STACK
    data(2, 0x9012)  # str r0, [sp, 72]; arena
    data(2, 0x9313)  # str r3, [sp, 76]; words
    data(2, 0x9115)  # str r1, [sp, 84]; first_weights
    data(2, 0x9214)  # str r2, [sp, 80]; table
    mov(r4, 255)
    add(r4, 2)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9216)  # str r2, [sp, 88]; first_constants
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x941A)  # str r4, [sp, 104]; work
    ldr(r5, [r3, _NUMBERS])
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    add(r4, r4, r5)
    data(2, 0x941B)  # str r4, [sp, 108]; state
    ldr(r5, [r3, _HIDDEN])
    ldr(r6, [r3, _DIRECTIONS])
    mul(r6, r5)
    data(2, 0x961E)  # str r6, [sp, 120]; size
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    data(2, 0x951C)  # str r5, [sp, 112]; to_sums
    mov(r4, 0)
    data(2, 0x941F)  # str r4, [sp, 124]; start
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; state
    data(2, 0x9D1C)  # ldr r5, [sp, 112]; to_sums
    ldr(r6, [r3, _HIDDEN])
    add(r4, r4, r5)
    lsl(r6, r6, 2)
    add(r4, r4, r6)
    data(2, 0x9425)  # str r4, [sp, 148]; cell
    add(r4, r4, r5)
    data(2, 0x9426)  # str r4, [sp, 152]; fraction
    ldr(r4, [r3, _OF_PRODUCT])
    data(2, 0x9427)  # str r4, [sp, 156]; of_product
    ldr(r4, [r3, _OF_CELL])
    data(2, 0x9428)  # str r4, [sp, 160]; of_cell
    ldr(r4, [r3, _CELL_SHIFT])
    data(2, 0x9429)  # str r4, [sp, 164]; shift
    ldr(r4, [r3, _OF_ANSWER])
    data(2, 0x942A)  # str r4, [sp, 168]; of_answer
    ldr(r4, [r3, _ZERO])
    data(2, 0x942B)  # str r4, [sp, 172]; hidden_zero

    label(DIRECTION)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x991B)  # ldr r1, [sp, 108]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r4, [r3, _KEEPS])
    lsr(r4, r4, 1)
    bcs(GIVEN)
    ldr(r3, [r3, _ZERO])
    label(SET_BYTE)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE)
    b(READY)
    label(GIVEN)
    ldr(r0, [r3, _STATE])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r0, r0, r5)
    label(COPY_BYTE)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE)
    label(READY)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9925)  # ldr r1, [sp, 148]; cell
    ldr(r2, [r3, _HIDDEN])
    ldr(r4, [r3, _KEEPS])
    lsr(r4, r4, 1)
    bcs(GIVEN_2)
    ldr(r3, [r3, _CELL_ZERO])
    label(SET_BYTE_2)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE_2)
    b(READY_2)
    label(GIVEN_2)
    ldr(r0, [r3, _CELL])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r0, r0, r5)
    label(COPY_BYTE_2)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_2)
    label(READY_2)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9926)  # ldr r1, [sp, 152]; fraction
    ldr(r2, [r3, _HIDDEN])
    mov(r3, 128)
    label(SET_BYTE_3)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE_3)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r1, [r3, _OUTPUT])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    ldr(r0, [r3, _INPUT])
    ldr(r2, [r3, _TIMES])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9220)  # str r2, [sp, 128]; times
    ldr(r5, [r3, _NUMBERS])
    data(2, 0x9E1E)  # ldr r6, [sp, 120]; size
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; start
    cmp(r4, 0)
    beq(ONWARD)
    # The second direction begins with the last step.
    sub(r2, 1)
    mov(r4, r2)
    mul(r4, r5)
    add(r0, r0, r4)
    mul(r2, r6)
    add(r1, r1, r2)
    neg(r5, r5)
    neg(r6, r6)
    label(ONWARD)
    data(2, 0x9021)  # str r0, [sp, 132]; x_row
    data(2, 0x9123)  # str r1, [sp, 140]; out
    data(2, 0x9522)  # str r5, [sp, 136]; x_step
    data(2, 0x9624)  # str r6, [sp, 144]; out_step

    label(TIME)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9821)  # ldr r0, [sp, 132]; x_row
    data(2, 0x991A)  # ldr r1, [sp, 104]; work
    ldr(r2, [r3, _NUMBERS])
    label(COPY_BYTE_3)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_3)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9915)  # ldr r1, [sp, 84]; first_weights
    data(2, 0x9A16)  # ldr r2, [sp, 88]; first_constants
    add(r3, _SUMS)
    mov(r4, 0)
    data(2, 0x9419)  # str r4, [sp, 100]; matrix
    label(MATRIX)
    data(2, 0x9217)  # str r2, [sp, 92]; constants
    data(2, 0x9318)  # str r3, [sp, 96]; row
    data(2, 0x9812)  # ldr r0, [sp, 72]; arena
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
    data(2, 0x9B18)  # ldr r3, [sp, 96]; row
    data(2, 0x9A17)  # ldr r2, [sp, 92]; constants
    ldr(r4, [r3, _OUTPUTS])
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; matrix
    cmp(r4, 0)
    beq(SUMMED_UP)
    add(r3, 36)
    data(2, 0x9913)  # ldr r1, [sp, 76]; words
    add(r1, r1, r4)
    ldr(r1, [r1, _BETWEEN])
    data(2, 0x9D15)  # ldr r5, [sp, 84]; first_weights
    add(r1, r1, r5)
    add(r4, 4)
    data(2, 0x9419)  # str r4, [sp, 100]; matrix
    b(MATRIX)
    label(SUMMED_UP)
    data(2, 0x9217)  # str r2, [sp, 92]; constants; of the next direction, if this is its last step
    mov(r7, 1)
    lsl(r7, r7, 15)
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    data(2, 0x9914)  # ldr r1, [sp, 80]; table
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r2, [r3, _HIDDEN])
    add(r4, r0, r2)
    data(2, 0x941D)  # str r4, [sp, 116]; end
    # From the state to i r8, f r9, o r10, g r11, the cell r12, and what of it is less than bytes lr.
    ldr(r6, [r3, _CELL_ZERO])
    lsl(r6, r6, 8)
    add(r6, 128)
    data(2, 0x9C1C)  # ldr r4, [sp, 112]; to_sums
    mov(r8, r4)
    add(r5, r4, r2)
    mov(r9, r5)
    add(r5, r5, r2)
    mov(r10, r5)
    add(r5, r5, r2)
    mov(r11, r5)
    add(r5, r5, r2)
    mov(r12, r5)
    add(r5, r5, r4)
    mov(lr, r5)
    label(NUMBER)
    data(2, 0xF810, 0x2009)  # ldrb r2, [r0, r9]
    data(2, 0xF831, 0x2022)  # ldrh r2, [r1, r2, lsl 2]
    data(2, 0xEB02, 0x22D2)  # add r2, r2, r2, lsr 11
    data(2, 0xF810, 0x300C)  # ldrb r3, [r0, r12]
    data(2, 0xF810, 0x400E)  # ldrb r4, [r0, lr]
    lsl(r3, r3, 8)
    add(r3, r3, r4)
    sub(r3, r3, r6)
    mul(r2, r3)
    mov(r5, 0)
    asr(r2, r2, 12)
    adc(r2, r5)
    data(2, 0xF810, 0x3008)  # ldrb r3, [r0, r8]
    data(2, 0xF831, 0x3023)  # ldrh r3, [r1, r3, lsl 2]
    data(2, 0xEB03, 0x23D3)  # add r3, r3, r3, lsr 11
    data(2, 0xF810, 0x400B)  # ldrb r4, [r0, r11]
    lsl(r4, r4, 2)
    add(r4, r4, r1)
    ldrh(r4, [r4, 2])
    lsr(r5, r7, 3)
    sub(r4, r4, r5)
    mul(r3, r4)
    asr(r3, r3, 10)
    data(2, 0x9D27)  # ldr r5, [sp, 156]; of_product
    mul(r3, r5)
    asr(r3, r3, 14)
    adc(r2, r3)
    add(r2, r2, r6)
    data(2, 0xF382, 0x0210)  # usat r2, 16, r2
    lsr(r3, r2, 8)
    data(2, 0xF800, 0x300C)  # strb r3, [r0, r12]
    data(2, 0xF800, 0x200E)  # strb r2, [r0, lr]
    sub(r2, r2, r6)
    data(2, 0x9D28)  # ldr r5, [sp, 160]; of_cell
    mul(r2, r5)
    data(2, 0x9B29)  # ldr r3, [sp, 164]; shift
    asr(r2, r3)
    add(r2, r2, r7)
    data(2, 0xF382, 0x0210)  # usat r2, 16, r2
    lsr(r3, r2, 8)
    data(2, 0xEB01, 0x0383)  # add r3, r1, r3, lsl 2
    ldrh(r4, [r3, 2])
    ldrh(r3, [r3, 6])
    sub(r3, r3, r4)
    data(2, 0xB2D2)  # uxtb r2, r2
    mul(r3, r2)
    data(2, 0xEB04, 0x2223)  # add r2, r4, r3, asr 8
    lsr(r3, r7, 3)
    sub(r2, r2, r3)
    data(2, 0xF810, 0x300A)  # ldrb r3, [r0, r10]
    data(2, 0xF831, 0x3023)  # ldrh r3, [r1, r3, lsl 2]
    data(2, 0xEB03, 0x23D3)  # add r3, r3, r3, lsr 11
    mul(r2, r3)
    asr(r2, r2, 9)
    data(2, 0x9D2A)  # ldr r5, [sp, 168]; of_answer
    mul(r2, r5)
    data(2, 0x9B2B)  # ldr r3, [sp, 172]; hidden_zero
    asr(r2, r2, 20)
    adc(r2, r3)
    data(2, 0xF382, 0x0208)  # usat r2, 8, r2
    strb(r2, [r0, 0])
    add(r0, 1)
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; end
    cmp(r0, r4)
    bne(NUMBER)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    data(2, 0x9923)  # ldr r1, [sp, 140]; out
    ldr(r2, [r3, _HIDDEN])
    label(COPY_BYTE_4)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_4)
    data(2, 0x9C21)  # ldr r4, [sp, 132]; x_row
    data(2, 0x9D22)  # ldr r5, [sp, 136]; x_step
    add(r4, r4, r5)
    data(2, 0x9421)  # str r4, [sp, 132]; x_row
    data(2, 0x9C23)  # ldr r4, [sp, 140]; out
    data(2, 0x9D24)  # ldr r5, [sp, 144]; out_step
    add(r4, r4, r5)
    data(2, 0x9423)  # str r4, [sp, 140]; out
    data(2, 0x9C20)  # ldr r4, [sp, 128]; times
    sub(r4, 1)
    data(2, 0x9420)  # str r4, [sp, 128]; times
    beq(ALL_TIMES)
    b(TIME)
    label(ALL_TIMES)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 2)
    tst(r4, r5)
    beq(NOT_WANTED)
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _AFTER])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    label(COPY_BYTE_5)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_5)
    label(NOT_WANTED)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 4)
    tst(r4, r5)
    beq(NOT_WANTED_2)
    data(2, 0x9825)  # ldr r0, [sp, 148]; cell
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _CELL_AFTER])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    label(COPY_BYTE_6)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_6)
    label(NOT_WANTED_2)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9C17)  # ldr r4, [sp, 92]; constants
    data(2, 0x9416)  # str r4, [sp, 88]; first_constants
    data(2, 0x9C15)  # ldr r4, [sp, 84]; first_weights
    ldr(r5, [r3, _APART])
    add(r4, r4, r5)
    data(2, 0x9415)  # str r4, [sp, 84]; first_weights
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; start
    ldr(r5, [r3, _HIDDEN])
    add(r4, r4, r5)
    data(2, 0x941F)  # str r4, [sp, 124]; start
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; size
    cmp(r4, r5)
    beq(ALL_DIRECTIONS)
    b(DIRECTION)
    label(ALL_DIRECTIONS)
    data(2, 0xB02C)  # add sp, 176; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)


@micropython.asm_thumb
def rnn(r0, r1, r2, r3):
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
    #   72  arena
    #   76  words
    #   80  table
    #   84  first_weights: of this direction
    #   88  first_constants
    #   92  constants: of the next matrix
    #   96  row: this matrix's words
    #  100  matrix
    #  104  work
    #  108  state
    #  112  to_sums: from the state
    #  116  end: of the state
    #  120  size: of the states of all directions
    #  124  start: of this direction's
    #  128  times: left
    #  132  x_row
    #  136  x_step: to the next time step
    #  140  out
    #  144  out_step
    push({r8, r9, r10, r11})
    data(2, 0xB0A5)  # sub sp, 148; STACK
    data(2, 0x9012)  # str r0, [sp, 72]; arena
    data(2, 0x9313)  # str r3, [sp, 76]; words
    data(2, 0x9115)  # str r1, [sp, 84]; first_weights
    data(2, 0x9214)  # str r2, [sp, 80]; table
    mov(r4, 255)
    add(r4, 2)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9216)  # str r2, [sp, 88]; first_constants
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x941A)  # str r4, [sp, 104]; work
    ldr(r5, [r3, _NUMBERS])
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    add(r4, r4, r5)
    data(2, 0x941B)  # str r4, [sp, 108]; state
    ldr(r5, [r3, _HIDDEN])
    ldr(r6, [r3, _DIRECTIONS])
    mul(r6, r5)
    data(2, 0x961E)  # str r6, [sp, 120]; size
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    data(2, 0x951C)  # str r5, [sp, 112]; to_sums
    mov(r4, 0)
    data(2, 0x941F)  # str r4, [sp, 124]; start
    label(DIRECTION)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x991B)  # ldr r1, [sp, 108]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r4, [r3, _KEEPS])
    lsr(r4, r4, 1)
    bcs(GIVEN)
    ldr(r3, [r3, _ZERO])
    label(SET_BYTE)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE)
    b(READY)
    label(GIVEN)
    ldr(r0, [r3, _STATE])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r0, r0, r5)
    label(COPY_BYTE)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE)
    label(READY)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r1, [r3, _OUTPUT])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    ldr(r0, [r3, _INPUT])
    ldr(r2, [r3, _TIMES])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r0, r0, r5)
    data(2, 0x9220)  # str r2, [sp, 128]; times
    ldr(r5, [r3, _NUMBERS])
    data(2, 0x9E1E)  # ldr r6, [sp, 120]; size
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; start
    cmp(r4, 0)
    beq(ONWARD)
    # The second direction begins with the last step.
    sub(r2, 1)
    mov(r4, r2)
    mul(r4, r5)
    add(r0, r0, r4)
    mul(r2, r6)
    add(r1, r1, r2)
    neg(r5, r5)
    neg(r6, r6)
    label(ONWARD)
    data(2, 0x9021)  # str r0, [sp, 132]; x_row
    data(2, 0x9123)  # str r1, [sp, 140]; out
    data(2, 0x9522)  # str r5, [sp, 136]; x_step
    data(2, 0x9624)  # str r6, [sp, 144]; out_step

    label(TIME)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9821)  # ldr r0, [sp, 132]; x_row
    data(2, 0x991A)  # ldr r1, [sp, 104]; work
    ldr(r2, [r3, _NUMBERS])
    label(COPY_BYTE_2)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_2)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9915)  # ldr r1, [sp, 84]; first_weights
    data(2, 0x9A16)  # ldr r2, [sp, 88]; first_constants
    add(r3, _SUMS)
    mov(r4, 0)
    data(2, 0x9419)  # str r4, [sp, 100]; matrix
    label(MATRIX)
    data(2, 0x9217)  # str r2, [sp, 92]; constants
    data(2, 0x9318)  # str r3, [sp, 96]; row
    data(2, 0x9812)  # ldr r0, [sp, 72]; arena
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
    data(2, 0x9B18)  # ldr r3, [sp, 96]; row
    data(2, 0x9A17)  # ldr r2, [sp, 92]; constants
    ldr(r4, [r3, _OUTPUTS])
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; matrix
    cmp(r4, 0)
    beq(SUMMED_UP)
    add(r3, 36)
    data(2, 0x9913)  # ldr r1, [sp, 76]; words
    add(r1, r1, r4)
    ldr(r1, [r1, _BETWEEN])
    data(2, 0x9D15)  # ldr r5, [sp, 84]; first_weights
    add(r1, r1, r5)
    add(r4, 4)
    data(2, 0x9419)  # str r4, [sp, 100]; matrix
    b(MATRIX)
    label(SUMMED_UP)
    data(2, 0x9217)  # str r2, [sp, 92]; constants; of the next direction, if this is its last step
    mov(r7, 1)
    lsl(r7, r7, 15)
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    data(2, 0x9914)  # ldr r1, [sp, 80]; table
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r2, [r3, _HIDDEN])
    add(r4, r0, r2)
    data(2, 0x941D)  # str r4, [sp, 116]; end
    data(2, 0x9B1C)  # ldr r3, [sp, 112]; to_sums
    label(NUMBER)
    data(2, 0x5CC2)  # ldrb r2, [r0, r3]
    lsl(r2, r2, 2)
    data(2, 0x5C8A)  # ldrb r2, [r1, r2]
    strb(r2, [r0, 0])
    add(r0, 1)
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; end
    cmp(r0, r4)
    bne(NUMBER)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    data(2, 0x9923)  # ldr r1, [sp, 140]; out
    ldr(r2, [r3, _HIDDEN])
    label(COPY_BYTE_3)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_3)
    data(2, 0x9C21)  # ldr r4, [sp, 132]; x_row
    data(2, 0x9D22)  # ldr r5, [sp, 136]; x_step
    add(r4, r4, r5)
    data(2, 0x9421)  # str r4, [sp, 132]; x_row
    data(2, 0x9C23)  # ldr r4, [sp, 140]; out
    data(2, 0x9D24)  # ldr r5, [sp, 144]; out_step
    add(r4, r4, r5)
    data(2, 0x9423)  # str r4, [sp, 140]; out
    data(2, 0x9C20)  # ldr r4, [sp, 128]; times
    sub(r4, 1)
    data(2, 0x9420)  # str r4, [sp, 128]; times
    beq(ALL_TIMES)
    b(TIME)
    label(ALL_TIMES)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 2)
    tst(r4, r5)
    beq(NOT_WANTED)
    data(2, 0x981B)  # ldr r0, [sp, 108]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _AFTER])
    data(2, 0x9D12)  # ldr r5, [sp, 72]; arena
    add(r1, r1, r5)
    data(2, 0x9D1F)  # ldr r5, [sp, 124]; start
    add(r1, r1, r5)
    label(COPY_BYTE_4)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_4)
    label(NOT_WANTED)
    data(2, 0x9B13)  # ldr r3, [sp, 76]; words
    data(2, 0x9C17)  # ldr r4, [sp, 92]; constants
    data(2, 0x9416)  # str r4, [sp, 88]; first_constants
    data(2, 0x9C15)  # ldr r4, [sp, 84]; first_weights
    ldr(r5, [r3, _APART])
    add(r4, r4, r5)
    data(2, 0x9415)  # str r4, [sp, 84]; first_weights
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; start
    ldr(r5, [r3, _HIDDEN])
    add(r4, r4, r5)
    data(2, 0x941F)  # str r4, [sp, 124]; start
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; size
    cmp(r4, r5)
    beq(ALL_DIRECTIONS)
    b(DIRECTION)
    label(ALL_DIRECTIONS)
    data(2, 0xB025)  # add sp, 148; STACK
    pop({r8, r9, r10, r11})
    mov(r0, 0)
