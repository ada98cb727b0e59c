# Generated from tools/asm/int8/thumb_m0/sequences.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Recurrent layers for Armv6-M: time steps of a dense layer and gates."""

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
    #   56  arena
    #   60  words
    #   64  table
    #   68  first_weights: of this direction
    #   72  first_constants
    #   76  constants: of the next matrix
    #   80  row: this matrix's words
    #   84  matrix
    #   88  work
    #   92  state
    #   96  to_sums: from the state
    #  100  end: of the state
    #  104  size: of the states of all directions
    #  108  start: of this direction's
    #  112  times: left
    #  116  x_row
    #  120  x_step: to the next time step
    #  124  out
    #  128  out_step
    #  132  fraction: what is less than the state's bytes
    #  136  of_input
    #  140  of_hidden
    #  144  shift
    #  148  of_new
    #  152  new_bias
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0A7)  # sub sp, 156; STACK
    data(2, 0x900E)  # str r0, [sp, 56]; arena
    data(2, 0x930F)  # str r3, [sp, 60]; words
    data(2, 0x9111)  # str r1, [sp, 68]; first_weights
    data(2, 0x9210)  # str r2, [sp, 64]; table
    mov(r4, 255)
    add(r4, 2)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9212)  # str r2, [sp, 72]; first_constants
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x9416)  # str r4, [sp, 88]; work
    ldr(r5, [r3, _NUMBERS])
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    add(r4, r4, r5)
    data(2, 0x9417)  # str r4, [sp, 92]; state
    ldr(r5, [r3, _HIDDEN])
    ldr(r6, [r3, _DIRECTIONS])
    mul(r6, r5)
    data(2, 0x961A)  # str r6, [sp, 104]; size
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    data(2, 0x9518)  # str r5, [sp, 96]; to_sums
    mov(r4, 0)
    data(2, 0x941B)  # str r4, [sp, 108]; start
    # Behind the state and r and z lie both parts of n, r4 on, and what is less than the state's bytes.
    data(2, 0x9C17)  # ldr r4, [sp, 92]; state
    data(2, 0x9D18)  # ldr r5, [sp, 96]; to_sums
    ldr(r6, [r3, _HIDDEN])
    add(r4, r4, r5)
    lsl(r6, r6, 1)
    add(r6, 3)
    lsr(r6, r6, 2)
    lsl(r6, r6, 2)
    add(r4, r4, r6)
    add(r4, r4, r5)
    add(r4, r4, r5)
    data(2, 0x9421)  # str r4, [sp, 132]; fraction
    add(r3, 128)
    ldr(r4, [r3, 44])
    data(2, 0x9422)  # str r4, [sp, 136]; of_input
    ldr(r4, [r3, 48])
    data(2, 0x9423)  # str r4, [sp, 140]; of_hidden
    ldr(r4, [r3, 52])
    data(2, 0x9424)  # str r4, [sp, 144]; shift
    # n is 4096 too large as the table has it.
    ldr(r4, [r3, 56])
    data(2, 0x9425)  # str r4, [sp, 148]; of_new
    lsl(r5, r4, 12)
    mov(r4, 2)
    lsl(r4, r4, 8)
    sub(r4, r4, r5)
    data(2, 0x9426)  # str r4, [sp, 152]; new_bias

    label(DIRECTION)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9917)  # ldr r1, [sp, 92]; state
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
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r0, r0, r5)
    label(COPY_BYTE)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE)
    label(READY)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9921)  # ldr r1, [sp, 132]; fraction
    ldr(r2, [r3, _HIDDEN])
    mov(r3, 128)
    label(SET_BYTE_2)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE_2)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r1, [r3, _OUTPUT])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    ldr(r0, [r3, _INPUT])
    ldr(r2, [r3, _TIMES])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x921C)  # str r2, [sp, 112]; times
    ldr(r5, [r3, _NUMBERS])
    data(2, 0x9E1A)  # ldr r6, [sp, 104]; size
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; start
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
    data(2, 0x901D)  # str r0, [sp, 116]; x_row
    data(2, 0x911F)  # str r1, [sp, 124]; out
    data(2, 0x951E)  # str r5, [sp, 120]; x_step
    data(2, 0x9620)  # str r6, [sp, 128]; out_step

    label(TIME)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x981D)  # ldr r0, [sp, 116]; x_row
    data(2, 0x9916)  # ldr r1, [sp, 88]; work
    ldr(r2, [r3, _NUMBERS])
    label(COPY_BYTE_2)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_2)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9911)  # ldr r1, [sp, 68]; first_weights
    data(2, 0x9A12)  # ldr r2, [sp, 72]; first_constants
    add(r3, _SUMS)
    mov(r4, 0)
    data(2, 0x9415)  # str r4, [sp, 84]; matrix
    label(MATRIX)
    data(2, 0x9213)  # str r2, [sp, 76]; constants
    data(2, 0x9314)  # str r3, [sp, 80]; row
    data(2, 0x980E)  # ldr r0, [sp, 56]; arena
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
    data(2, 0x9B14)  # ldr r3, [sp, 80]; row
    data(2, 0x9A13)  # ldr r2, [sp, 76]; constants
    ldr(r4, [r3, _OUTPUTS])
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    data(2, 0x9C15)  # ldr r4, [sp, 84]; matrix
    cmp(r4, 8)
    beq(SUMMED_UP)
    add(r3, 36)
    data(2, 0x990F)  # ldr r1, [sp, 60]; words
    add(r1, r1, r4)
    ldr(r1, [r1, _BETWEEN])
    data(2, 0x9D11)  # ldr r5, [sp, 68]; first_weights
    add(r1, r1, r5)
    add(r4, 4)
    data(2, 0x9415)  # str r4, [sp, 84]; matrix
    b(MATRIX)
    label(SUMMED_UP)
    data(2, 0x9213)  # str r2, [sp, 76]; constants; of the next direction, if this is its last step
    mov(r7, 1)
    lsl(r7, r7, 15)
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    data(2, 0x9910)  # ldr r1, [sp, 64]; table
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r2, [r3, _HIDDEN])
    add(r4, r0, r2)
    data(2, 0x9419)  # str r4, [sp, 100]; end
    # From the state to r r8, z r9, both parts of n r10 and r11, and what is less than bytes r12.
    ldr(r6, [r3, _ZERO])
    lsl(r6, r6, 8)
    add(r6, 128)
    data(2, 0x9C18)  # ldr r4, [sp, 96]; to_sums
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
    mov(r2, r8)
    data(2, 0x5C82)  # ldrb r2, [r0, r2]
    lsl(r2, r2, 2)
    data(2, 0x5A8A)  # ldrh r2, [r1, r2]
    lsr(r3, r2, 11)
    add(r2, r2, r3)
    mov(r3, r11)
    data(2, 0x5CC3)  # ldrb r3, [r0, r3]
    sub(r3, 128)
    mul(r2, r3)
    asr(r2, r2, 4)
    data(2, 0x9D23)  # ldr r5, [sp, 140]; of_hidden
    mul(r2, r5)
    mov(r3, r10)
    data(2, 0x5CC3)  # ldrb r3, [r0, r3]
    sub(r3, 128)
    data(2, 0x9D22)  # ldr r5, [sp, 136]; of_input
    mul(r3, r5)
    add(r2, r2, r3)
    data(2, 0x9B24)  # ldr r3, [sp, 144]; shift
    asr(r2, r3)
    add(r2, r2, r7)
    lsr(r3, r2, 16)
    beq(FITS_HALF)
    asr(r2, r2, 31)
    add(r2, 1)
    lsl(r3, r2, 16)
    sub(r2, r3, r2)
    label(FITS_HALF)
    lsr(r3, r2, 8)
    lsl(r3, r3, 2)
    add(r3, r3, r1)
    ldrh(r4, [r3, 2])
    ldrh(r3, [r3, 6])
    sub(r3, r3, r4)
    data(2, 0xB2D2)  # uxtb r2, r2
    mul(r2, r3)
    asr(r2, r2, 8)
    add(r2, r2, r4)
    data(2, 0x9D25)  # ldr r5, [sp, 148]; of_new
    mul(r2, r5)
    data(2, 0x9D26)  # ldr r5, [sp, 152]; new_bias
    add(r2, r2, r5)
    asr(r2, r2, 10)
    mov(r3, r9)
    data(2, 0x5CC3)  # ldrb r3, [r0, r3]
    lsl(r3, r3, 2)
    data(2, 0x5ACB)  # ldrh r3, [r1, r3]
    lsr(r4, r3, 11)
    add(r3, r3, r4)
    ldrb(r4, [r0, 0])
    mov(r5, r12)
    data(2, 0x5D45)  # ldrb r5, [r0, r5]
    lsl(r4, r4, 8)
    add(r4, r4, r5)
    sub(r4, r4, r6)
    sub(r4, r4, r2)
    mul(r3, r4)
    asr(r3, r3, 12)
    adc(r2, r3)
    add(r2, r2, r6)
    lsr(r3, r2, 16)
    beq(FITS_HALF_2)
    asr(r2, r2, 31)
    add(r2, 1)
    lsl(r3, r2, 16)
    sub(r2, r3, r2)
    label(FITS_HALF_2)
    lsr(r3, r2, 8)
    strb(r3, [r0, 0])
    mov(r4, r12)
    data(2, 0x5502)  # strb r2, [r0, r4]
    add(r0, 1)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; end
    cmp(r0, r4)
    bne(NUMBER)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    data(2, 0x991F)  # ldr r1, [sp, 124]; out
    ldr(r2, [r3, _HIDDEN])
    label(COPY_BYTE_3)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_3)
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; x_row
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; x_step
    add(r4, r4, r5)
    data(2, 0x941D)  # str r4, [sp, 116]; x_row
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; out
    data(2, 0x9D20)  # ldr r5, [sp, 128]; out_step
    add(r4, r4, r5)
    data(2, 0x941F)  # str r4, [sp, 124]; out
    data(2, 0x9C1C)  # ldr r4, [sp, 112]; times
    sub(r4, 1)
    data(2, 0x941C)  # str r4, [sp, 112]; times
    beq(ALL_TIMES)
    b(TIME)
    label(ALL_TIMES)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 2)
    tst(r4, r5)
    beq(NOT_WANTED)
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _AFTER])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    label(COPY_BYTE_4)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_4)
    label(NOT_WANTED)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9C13)  # ldr r4, [sp, 76]; constants
    data(2, 0x9412)  # str r4, [sp, 72]; first_constants
    data(2, 0x9C11)  # ldr r4, [sp, 68]; first_weights
    ldr(r5, [r3, _APART])
    add(r4, r4, r5)
    data(2, 0x9411)  # str r4, [sp, 68]; first_weights
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; start
    ldr(r5, [r3, _HIDDEN])
    add(r4, r4, r5)
    data(2, 0x941B)  # str r4, [sp, 108]; start
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; size
    cmp(r4, r5)
    beq(ALL_DIRECTIONS)
    b(DIRECTION)
    label(ALL_DIRECTIONS)
    data(2, 0xB027)  # add sp, 156; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)


@micropython.asm_thumb
def lstm(r0, r1, r2, r3):
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
    #   56  arena
    #   60  words
    #   64  table
    #   68  first_weights: of this direction
    #   72  first_constants
    #   76  constants: of the next matrix
    #   80  row: this matrix's words
    #   84  matrix
    #   88  work
    #   92  state
    #   96  to_sums: from the state
    #  100  end: of the state
    #  104  size: of the states of all directions
    #  108  start: of this direction's
    #  112  times: left
    #  116  x_row
    #  120  x_step: to the next time step
    #  124  out
    #  128  out_step
    #  132  cell
    #  136  fraction: what is less than the cell's bytes
    #  140  of_product
    #  144  of_cell
    #  148  shift
    #  152  of_answer
    #  156  hidden_zero
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0A8)  # sub sp, 160; STACK
    data(2, 0x900E)  # str r0, [sp, 56]; arena
    data(2, 0x930F)  # str r3, [sp, 60]; words
    data(2, 0x9111)  # str r1, [sp, 68]; first_weights
    data(2, 0x9210)  # str r2, [sp, 64]; table
    mov(r4, 255)
    add(r4, 2)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9212)  # str r2, [sp, 72]; first_constants
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x9416)  # str r4, [sp, 88]; work
    ldr(r5, [r3, _NUMBERS])
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    add(r4, r4, r5)
    data(2, 0x9417)  # str r4, [sp, 92]; state
    ldr(r5, [r3, _HIDDEN])
    ldr(r6, [r3, _DIRECTIONS])
    mul(r6, r5)
    data(2, 0x961A)  # str r6, [sp, 104]; size
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    data(2, 0x9518)  # str r5, [sp, 96]; to_sums
    mov(r4, 0)
    data(2, 0x941B)  # str r4, [sp, 108]; start
    data(2, 0x9C17)  # ldr r4, [sp, 92]; state
    data(2, 0x9D18)  # ldr r5, [sp, 96]; to_sums
    ldr(r6, [r3, _HIDDEN])
    add(r4, r4, r5)
    lsl(r6, r6, 2)
    add(r4, r4, r6)
    data(2, 0x9421)  # str r4, [sp, 132]; cell
    add(r4, r4, r5)
    data(2, 0x9422)  # str r4, [sp, 136]; fraction
    ldr(r4, [r3, _OF_PRODUCT])
    data(2, 0x9423)  # str r4, [sp, 140]; of_product
    ldr(r4, [r3, _OF_CELL])
    data(2, 0x9424)  # str r4, [sp, 144]; of_cell
    ldr(r4, [r3, _CELL_SHIFT])
    data(2, 0x9425)  # str r4, [sp, 148]; shift
    ldr(r4, [r3, _OF_ANSWER])
    data(2, 0x9426)  # str r4, [sp, 152]; of_answer
    ldr(r4, [r3, _ZERO])
    data(2, 0x9427)  # str r4, [sp, 156]; hidden_zero

    label(DIRECTION)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9917)  # ldr r1, [sp, 92]; state
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
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r0, r0, r5)
    label(COPY_BYTE)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE)
    label(READY)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9921)  # ldr r1, [sp, 132]; cell
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
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r0, r0, r5)
    label(COPY_BYTE_2)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_2)
    label(READY_2)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9922)  # ldr r1, [sp, 136]; fraction
    ldr(r2, [r3, _HIDDEN])
    mov(r3, 128)
    label(SET_BYTE_3)
    sub(r2, 1)
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(SET_BYTE_3)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r1, [r3, _OUTPUT])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    ldr(r0, [r3, _INPUT])
    ldr(r2, [r3, _TIMES])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x921C)  # str r2, [sp, 112]; times
    ldr(r5, [r3, _NUMBERS])
    data(2, 0x9E1A)  # ldr r6, [sp, 104]; size
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; start
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
    data(2, 0x901D)  # str r0, [sp, 116]; x_row
    data(2, 0x911F)  # str r1, [sp, 124]; out
    data(2, 0x951E)  # str r5, [sp, 120]; x_step
    data(2, 0x9620)  # str r6, [sp, 128]; out_step

    label(TIME)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x981D)  # ldr r0, [sp, 116]; x_row
    data(2, 0x9916)  # ldr r1, [sp, 88]; work
    ldr(r2, [r3, _NUMBERS])
    label(COPY_BYTE_3)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_3)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9911)  # ldr r1, [sp, 68]; first_weights
    data(2, 0x9A12)  # ldr r2, [sp, 72]; first_constants
    add(r3, _SUMS)
    mov(r4, 0)
    data(2, 0x9415)  # str r4, [sp, 84]; matrix
    label(MATRIX)
    data(2, 0x9213)  # str r2, [sp, 76]; constants
    data(2, 0x9314)  # str r3, [sp, 80]; row
    data(2, 0x980E)  # ldr r0, [sp, 56]; arena
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
    data(2, 0x9B14)  # ldr r3, [sp, 80]; row
    data(2, 0x9A13)  # ldr r2, [sp, 76]; constants
    ldr(r4, [r3, _OUTPUTS])
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    data(2, 0x9C15)  # ldr r4, [sp, 84]; matrix
    cmp(r4, 0)
    beq(SUMMED_UP)
    add(r3, 36)
    data(2, 0x990F)  # ldr r1, [sp, 60]; words
    add(r1, r1, r4)
    ldr(r1, [r1, _BETWEEN])
    data(2, 0x9D11)  # ldr r5, [sp, 68]; first_weights
    add(r1, r1, r5)
    add(r4, 4)
    data(2, 0x9415)  # str r4, [sp, 84]; matrix
    b(MATRIX)
    label(SUMMED_UP)
    data(2, 0x9213)  # str r2, [sp, 76]; constants; of the next direction, if this is its last step
    mov(r7, 1)
    lsl(r7, r7, 15)
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    data(2, 0x9910)  # ldr r1, [sp, 64]; table
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r2, [r3, _HIDDEN])
    add(r4, r0, r2)
    data(2, 0x9419)  # str r4, [sp, 100]; end
    # From the state to i r8, f r9, o r10, g r11, the cell r12, and what of it is less than bytes lr.
    ldr(r6, [r3, _CELL_ZERO])
    lsl(r6, r6, 8)
    add(r6, 128)
    data(2, 0x9C18)  # ldr r4, [sp, 96]; to_sums
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
    mov(r2, r9)
    data(2, 0x5C82)  # ldrb r2, [r0, r2]
    lsl(r2, r2, 2)
    data(2, 0x5A8A)  # ldrh r2, [r1, r2]
    lsr(r3, r2, 11)
    add(r2, r2, r3)
    mov(r3, r12)
    data(2, 0x5CC3)  # ldrb r3, [r0, r3]
    mov(r4, lr)
    data(2, 0x5D04)  # ldrb r4, [r0, r4]
    lsl(r3, r3, 8)
    add(r3, r3, r4)
    sub(r3, r3, r6)
    mul(r2, r3)
    mov(r5, 0)
    asr(r2, r2, 12)
    adc(r2, r5)
    mov(r3, r8)
    data(2, 0x5CC3)  # ldrb r3, [r0, r3]
    lsl(r3, r3, 2)
    data(2, 0x5ACB)  # ldrh r3, [r1, r3]
    lsr(r4, r3, 11)
    add(r3, r3, r4)
    mov(r4, r11)
    data(2, 0x5D04)  # ldrb r4, [r0, r4]
    lsl(r4, r4, 2)
    add(r4, r4, r1)
    ldrh(r4, [r4, 2])
    lsr(r5, r7, 3)
    sub(r4, r4, r5)
    mul(r3, r4)
    asr(r3, r3, 10)
    data(2, 0x9D23)  # ldr r5, [sp, 140]; of_product
    mul(r3, r5)
    asr(r3, r3, 14)
    adc(r2, r3)
    add(r2, r2, r6)
    lsr(r3, r2, 16)
    beq(FITS_HALF)
    asr(r2, r2, 31)
    add(r2, 1)
    lsl(r3, r2, 16)
    sub(r2, r3, r2)
    label(FITS_HALF)
    lsr(r3, r2, 8)
    mov(r4, r12)
    data(2, 0x5503)  # strb r3, [r0, r4]
    mov(r4, lr)
    data(2, 0x5502)  # strb r2, [r0, r4]
    sub(r2, r2, r6)
    data(2, 0x9D24)  # ldr r5, [sp, 144]; of_cell
    mul(r2, r5)
    data(2, 0x9B25)  # ldr r3, [sp, 148]; shift
    asr(r2, r3)
    add(r2, r2, r7)
    lsr(r3, r2, 16)
    beq(FITS_HALF_2)
    asr(r2, r2, 31)
    add(r2, 1)
    lsl(r3, r2, 16)
    sub(r2, r3, r2)
    label(FITS_HALF_2)
    lsr(r3, r2, 8)
    lsl(r3, r3, 2)
    add(r3, r3, r1)
    ldrh(r4, [r3, 2])
    ldrh(r3, [r3, 6])
    sub(r3, r3, r4)
    data(2, 0xB2D2)  # uxtb r2, r2
    mul(r2, r3)
    asr(r2, r2, 8)
    add(r2, r2, r4)
    lsr(r3, r7, 3)
    sub(r2, r2, r3)
    mov(r3, r10)
    data(2, 0x5CC3)  # ldrb r3, [r0, r3]
    lsl(r3, r3, 2)
    data(2, 0x5ACB)  # ldrh r3, [r1, r3]
    lsr(r4, r3, 11)
    add(r3, r3, r4)
    mul(r2, r3)
    asr(r2, r2, 9)
    data(2, 0x9D26)  # ldr r5, [sp, 152]; of_answer
    mul(r2, r5)
    data(2, 0x9B27)  # ldr r3, [sp, 156]; hidden_zero
    asr(r2, r2, 20)
    adc(r2, r3)
    lsr(r3, r2, 8)
    beq(FITS_BYTE)
    asr(r2, r2, 31)
    add(r2, 1)
    lsl(r3, r2, 8)
    sub(r2, r3, r2)
    label(FITS_BYTE)
    strb(r2, [r0, 0])
    add(r0, 1)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; end
    cmp(r0, r4)
    bne(NUMBER)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    data(2, 0x991F)  # ldr r1, [sp, 124]; out
    ldr(r2, [r3, _HIDDEN])
    label(COPY_BYTE_4)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_4)
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; x_row
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; x_step
    add(r4, r4, r5)
    data(2, 0x941D)  # str r4, [sp, 116]; x_row
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; out
    data(2, 0x9D20)  # ldr r5, [sp, 128]; out_step
    add(r4, r4, r5)
    data(2, 0x941F)  # str r4, [sp, 124]; out
    data(2, 0x9C1C)  # ldr r4, [sp, 112]; times
    sub(r4, 1)
    data(2, 0x941C)  # str r4, [sp, 112]; times
    beq(ALL_TIMES)
    b(TIME)
    label(ALL_TIMES)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 2)
    tst(r4, r5)
    beq(NOT_WANTED)
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _AFTER])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    label(COPY_BYTE_5)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_5)
    label(NOT_WANTED)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 4)
    tst(r4, r5)
    beq(NOT_WANTED_2)
    data(2, 0x9821)  # ldr r0, [sp, 132]; cell
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _CELL_AFTER])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    label(COPY_BYTE_6)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_6)
    label(NOT_WANTED_2)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9C13)  # ldr r4, [sp, 76]; constants
    data(2, 0x9412)  # str r4, [sp, 72]; first_constants
    data(2, 0x9C11)  # ldr r4, [sp, 68]; first_weights
    ldr(r5, [r3, _APART])
    add(r4, r4, r5)
    data(2, 0x9411)  # str r4, [sp, 68]; first_weights
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; start
    ldr(r5, [r3, _HIDDEN])
    add(r4, r4, r5)
    data(2, 0x941B)  # str r4, [sp, 108]; start
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; size
    cmp(r4, r5)
    beq(ALL_DIRECTIONS)
    b(DIRECTION)
    label(ALL_DIRECTIONS)
    data(2, 0xB028)  # add sp, 160; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)


@micropython.asm_thumb
def rnn(r0, r1, r2, r3):
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
    #   56  arena
    #   60  words
    #   64  table
    #   68  first_weights: of this direction
    #   72  first_constants
    #   76  constants: of the next matrix
    #   80  row: this matrix's words
    #   84  matrix
    #   88  work
    #   92  state
    #   96  to_sums: from the state
    #  100  end: of the state
    #  104  size: of the states of all directions
    #  108  start: of this direction's
    #  112  times: left
    #  116  x_row
    #  120  x_step: to the next time step
    #  124  out
    #  128  out_step
    mov(r4, r8)
    mov(r5, r9)
    mov(r6, r10)
    mov(r7, r11)
    push({r4, r5, r6, r7})
    data(2, 0xB0A1)  # sub sp, 132; STACK
    data(2, 0x900E)  # str r0, [sp, 56]; arena
    data(2, 0x930F)  # str r3, [sp, 60]; words
    data(2, 0x9111)  # str r1, [sp, 68]; first_weights
    data(2, 0x9210)  # str r2, [sp, 64]; table
    mov(r4, 255)
    add(r4, 2)
    lsl(r4, r4, 2)
    add(r2, r2, r4)
    data(2, 0x9212)  # str r2, [sp, 72]; first_constants
    ldr(r4, [r3, _WORK])
    add(r4, r4, r0)
    data(2, 0x9416)  # str r4, [sp, 88]; work
    ldr(r5, [r3, _NUMBERS])
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    add(r4, r4, r5)
    data(2, 0x9417)  # str r4, [sp, 92]; state
    ldr(r5, [r3, _HIDDEN])
    ldr(r6, [r3, _DIRECTIONS])
    mul(r6, r5)
    data(2, 0x961A)  # str r6, [sp, 104]; size
    add(r5, 3)
    lsr(r5, r5, 2)
    lsl(r5, r5, 2)
    data(2, 0x9518)  # str r5, [sp, 96]; to_sums
    mov(r4, 0)
    data(2, 0x941B)  # str r4, [sp, 108]; start
    label(DIRECTION)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9917)  # ldr r1, [sp, 92]; state
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
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r0, r0, r5)
    label(COPY_BYTE)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE)
    label(READY)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r1, [r3, _OUTPUT])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    ldr(r0, [r3, _INPUT])
    ldr(r2, [r3, _TIMES])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r0, r0, r5)
    data(2, 0x921C)  # str r2, [sp, 112]; times
    ldr(r5, [r3, _NUMBERS])
    data(2, 0x9E1A)  # ldr r6, [sp, 104]; size
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; start
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
    data(2, 0x901D)  # str r0, [sp, 116]; x_row
    data(2, 0x911F)  # str r1, [sp, 124]; out
    data(2, 0x951E)  # str r5, [sp, 120]; x_step
    data(2, 0x9620)  # str r6, [sp, 128]; out_step

    label(TIME)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x981D)  # ldr r0, [sp, 116]; x_row
    data(2, 0x9916)  # ldr r1, [sp, 88]; work
    ldr(r2, [r3, _NUMBERS])
    label(COPY_BYTE_2)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_2)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9911)  # ldr r1, [sp, 68]; first_weights
    data(2, 0x9A12)  # ldr r2, [sp, 72]; first_constants
    add(r3, _SUMS)
    mov(r4, 0)
    data(2, 0x9415)  # str r4, [sp, 84]; matrix
    label(MATRIX)
    data(2, 0x9213)  # str r2, [sp, 76]; constants
    data(2, 0x9314)  # str r3, [sp, 80]; row
    data(2, 0x980E)  # ldr r0, [sp, 56]; arena
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
    data(2, 0x9B14)  # ldr r3, [sp, 80]; row
    data(2, 0x9A13)  # ldr r2, [sp, 76]; constants
    ldr(r4, [r3, _OUTPUTS])
    lsl(r4, r4, 3)
    add(r2, r2, r4)
    data(2, 0x9C15)  # ldr r4, [sp, 84]; matrix
    cmp(r4, 0)
    beq(SUMMED_UP)
    add(r3, 36)
    data(2, 0x990F)  # ldr r1, [sp, 60]; words
    add(r1, r1, r4)
    ldr(r1, [r1, _BETWEEN])
    data(2, 0x9D11)  # ldr r5, [sp, 68]; first_weights
    add(r1, r1, r5)
    add(r4, 4)
    data(2, 0x9415)  # str r4, [sp, 84]; matrix
    b(MATRIX)
    label(SUMMED_UP)
    data(2, 0x9213)  # str r2, [sp, 76]; constants; of the next direction, if this is its last step
    mov(r7, 1)
    lsl(r7, r7, 15)
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    data(2, 0x9910)  # ldr r1, [sp, 64]; table
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r2, [r3, _HIDDEN])
    add(r4, r0, r2)
    data(2, 0x9419)  # str r4, [sp, 100]; end
    data(2, 0x9B18)  # ldr r3, [sp, 96]; to_sums
    label(NUMBER)
    data(2, 0x5CC2)  # ldrb r2, [r0, r3]
    lsl(r2, r2, 2)
    data(2, 0x5C8A)  # ldrb r2, [r1, r2]
    strb(r2, [r0, 0])
    add(r0, 1)
    data(2, 0x9C19)  # ldr r4, [sp, 100]; end
    cmp(r0, r4)
    bne(NUMBER)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    data(2, 0x991F)  # ldr r1, [sp, 124]; out
    ldr(r2, [r3, _HIDDEN])
    label(COPY_BYTE_3)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_3)
    data(2, 0x9C1D)  # ldr r4, [sp, 116]; x_row
    data(2, 0x9D1E)  # ldr r5, [sp, 120]; x_step
    add(r4, r4, r5)
    data(2, 0x941D)  # str r4, [sp, 116]; x_row
    data(2, 0x9C1F)  # ldr r4, [sp, 124]; out
    data(2, 0x9D20)  # ldr r5, [sp, 128]; out_step
    add(r4, r4, r5)
    data(2, 0x941F)  # str r4, [sp, 124]; out
    data(2, 0x9C1C)  # ldr r4, [sp, 112]; times
    sub(r4, 1)
    data(2, 0x941C)  # str r4, [sp, 112]; times
    beq(ALL_TIMES)
    b(TIME)
    label(ALL_TIMES)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    ldr(r4, [r3, _KEEPS])
    mov(r5, 2)
    tst(r4, r5)
    beq(NOT_WANTED)
    data(2, 0x9817)  # ldr r0, [sp, 92]; state
    ldr(r2, [r3, _HIDDEN])
    ldr(r1, [r3, _AFTER])
    data(2, 0x9D0E)  # ldr r5, [sp, 56]; arena
    add(r1, r1, r5)
    data(2, 0x9D1B)  # ldr r5, [sp, 108]; start
    add(r1, r1, r5)
    label(COPY_BYTE_4)
    sub(r2, 1)
    data(2, 0x5C83)  # ldrb r3, [r0, r2]
    data(2, 0x548B)  # strb r3, [r1, r2]
    bne(COPY_BYTE_4)
    label(NOT_WANTED)
    data(2, 0x9B0F)  # ldr r3, [sp, 60]; words
    data(2, 0x9C13)  # ldr r4, [sp, 76]; constants
    data(2, 0x9412)  # str r4, [sp, 72]; first_constants
    data(2, 0x9C11)  # ldr r4, [sp, 68]; first_weights
    ldr(r5, [r3, _APART])
    add(r4, r4, r5)
    data(2, 0x9411)  # str r4, [sp, 68]; first_weights
    data(2, 0x9C1B)  # ldr r4, [sp, 108]; start
    ldr(r5, [r3, _HIDDEN])
    add(r4, r4, r5)
    data(2, 0x941B)  # str r4, [sp, 108]; start
    data(2, 0x9D1A)  # ldr r5, [sp, 104]; size
    cmp(r4, r5)
    beq(ALL_DIRECTIONS)
    b(DIRECTION)
    label(ALL_DIRECTIONS)
    data(2, 0xB021)  # add sp, 132; STACK
    pop({r4, r5, r6, r7})
    mov(r8, r4)
    mov(r9, r5)
    mov(r10, r6)
    mov(r11, r7)
    mov(r0, 0)
