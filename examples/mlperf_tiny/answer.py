"""Run a quantized network once on made-up input, on CPython and on MicroPython alike.

    python examples/mlperf_tiny/answer.py NETWORK.int8.bpk

Prints the facts on one line, and the bytes of the output, in hexadecimal, on the next.
"""

import sys
import time

from burnrt import Model
from burnrt.kernels import int8 as kernels


def milliseconds():
    return time.ticks_ms() if hasattr(time, "ticks_ms") else int(time.monotonic() * 1000)


def fill(numbers):
    """Write numbers that look random into the input: a linear congruential generator's."""
    state = 1
    for place in range(len(numbers)):
        state = (state * 1103 + 12345) & 0xFFFFF
        numbers[place] = state >> 8 & 0xFF


with open(sys.argv[1], "rb") as file:
    data = file.read()
model = Model(data)
fill(model.input)
start = milliseconds()
model.run()
took = milliseconds() - start
sizes = (len(data), len(model.arena), took, kernels.in_use()[0])
print("file %d bytes, arena %d bytes, %d ms with the kernels %s" % sizes)
print("".join(["%02x" % number for number in model.output]))
