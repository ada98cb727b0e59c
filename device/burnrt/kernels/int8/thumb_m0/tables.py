# Generated from tools/asm/int8/thumb_m0/tables.s by `python -m tools.asm`: change that, not this.
# ruff: noqa: F821
"""Looking up in a table for each channel, for Armv6-M."""

import micropython
from micropython import const

# Places in a step's words, in bytes.
_INPUT = const(0)
_OUTPUT = const(4)
_COUNT = const(24)
_TABLES = const(28)


@micropython.asm_thumb
def lookup_each(r0, r1, r2, r3):
    # r1 the table, r2 and r3 become what comes in and what goes out, r6 how many, r7 tables left.
    ldr(r6, [r3, _COUNT])
    ldr(r7, [r3, _TABLES])
    ldr(r2, [r3, _INPUT])
    ldr(r3, [r3, _OUTPUT])
    add(r2, r2, r0)
    add(r3, r3, r0)
    label(TABLE)
    mov(r4, r6)
    label(NUMBER)
    sub(r4, 1)
    data(2, 0x5D15)  # ldrb r5, [r2, r4]
    data(2, 0x5D4D)  # ldrb r5, [r1, r5]
    data(2, 0x551D)  # strb r5, [r3, r4]
    bne(NUMBER)
    add(r1, 255)
    add(r1, 1)
    add(r2, r2, r6)
    add(r3, r3, r6)
    sub(r7, 1)
    bne(TABLE)
    mov(r0, 0)
