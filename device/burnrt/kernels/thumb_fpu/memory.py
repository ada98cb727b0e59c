# ruff: noqa: F821
"""What the kernels want to know about numbers in memory, and the addresses they keep."""

from array import array

import micropython
from uctypes import sizeof, struct

_BUFFERS = (array, memoryview)


def are_floats(numbers, count):
    """Return whether `numbers` are `count` floats of 32 bits in memory, at whatever address."""
    if isinstance(numbers, struct):  # floats in place; doubles have another size
        return sizeof(numbers) == 4 * count
    return isinstance(numbers, _BUFFERS) and len(numbers) == count


def are_layers_floats(weight, count, bias, outputs):
    """Return whether the weight is `count` floats of 32 bits, and the bias, if there is one, `outputs`."""
    return are_floats(weight, count) and (bias is None or are_floats(bias, outputs))


def apart(x, out):
    """Return whether `x` is left to plain: where one begins at no multiple of 4, or x stays in the file."""
    return not isinstance(x, _BUFFERS) or _apart(x, out)


@micropython.asm_thumb
def _apart(r0, r1):
    """Return how far the addresses of two buffers are from multiples of 4: 0 where both are one."""
    orr(r0, r1)
    mov(r1, 3)
    and_(r0, r1)


@micropython.asm_thumb
def keep(r0, r1, r2):
    """Put the address of the buffer r2, or 0 for None, into the words r0, at the byte r1."""
    add(r0, r0, r1)
    str(r2, [r0, 0])
    mov(r0, 0)
