"""Changes of the programs that a board runs: of words, of steps and of the names of kernels.

A program keeps its size, so that what its words point at stays in place: the names have spaces behind them.
"""

import struct
from collections.abc import Sequence
from random import Random

from tools.fuzz.mutators import plain

_MAGIC = b"BRT1"
_HEAD = 32  # bytes
_NAMES = (
    b"int8.linear int8.conv2d int8.depthwise2d int8.max_pool2d int8.avg_pool2d int8.add int8.add_strided"
    b" int8.lookup int8.multiply_strided int8.normalize int8.resample int8.softmax int8.masked_softmax"
    b" int8.matmul int8.linear4 int8.embedding int8.gru int8.lstm int8.rnn int8.copy int8.fill"
    b" int8.lookup_each int8.wide_add int8.narrow int8.wide_conv2d int8.wide_lookup int8.wide_multiply"
    b" linear conv2d max_pool2d avg_pool2d softmax log_softmax relu add mul gru lstm embedding absent".split()
)


def changed(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a Burnpack whose program differs."""
    start = data.find(_MAGIC)
    if start < 0 or len(data) < start + _HEAD or rng.random() < 0.03:
        return plain.changed(data, rng, others)
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        rng.choice(_CHANGES)(found, start, rng)
    return bytes(found)


class _Program:
    """Where the parts of a program are, in bytes from the file's start. steps: (start, end) of each."""

    def __init__(self, data: bytearray, start: int) -> None:
        size, self.arena, _, inputs, outputs, steps, names = struct.unpack_from("<7i", data, start + 4)
        self.end = min(start + max(size, _HEAD), len(data) & -4)
        self.names_end = min(start + _HEAD + 4 * max(names, 0), self.end)
        self.names_start = start + _HEAD
        at = self.names_end
        for _ in range(min(inputs + outputs, 99)):
            if at + 24 > self.end:
                break
            at += 24 + 4 * max(0, struct.unpack_from("<i", data, at + 20)[0])
        self.steps: list[tuple[int, int]] = []
        for _ in range(min(steps, 2000)):
            if at + 8 > self.end:
                break
            end = at + 8 + 4 * max(0, struct.unpack_from("<i", data, at + 4)[0])
            self.steps.append((at, end))
            at = end


def _word(data: bytearray, start: int, rng: Random) -> None:
    """Change a word of a step, or any."""
    program = _Program(data, start)
    first, end = start, program.end
    if program.steps and rng.random() < 0.8:
        first, end = rng.choice(program.steps)
    places = range(first, min(end, len(data) - 3), 4)
    if not places:
        return
    at = rng.choice(places)
    value = struct.unpack_from("<i", data, at)[0]
    kind = rng.random()
    if kind < 0.5:
        value = plain.near(value, rng)
    elif kind < 0.75:  # what another word says
        value = struct.unpack_from("<i", data, rng.choice(places))[0]
    else:
        value = rng.choice(
            (0, 1, 4, -4, 32, program.arena, program.arena - 4, program.end - start, 1 << 24, 0x7F800000)
        )
    data[at : at + 4] = plain.packed(value, 4)


def _drop(data: bytearray, start: int, rng: Random) -> None:
    """Take a step out; the names grow by spaces."""
    program = _Program(data, start)
    if not program.steps:
        return
    first, end = rng.choice(program.steps)
    if end > len(data):
        return
    del data[first:end]
    data[program.names_end : program.names_end] = b" " * (end - first)
    _count(data, start + 24, -1)
    _count(data, start + 28, (end - first) // 4)


def _swap(data: bytearray, start: int, rng: Random) -> None:
    program = _Program(data, start)
    if len(program.steps) < 2:
        return
    at = rng.randrange(len(program.steps) - 1)
    (first, middle), (_, end) = program.steps[at : at + 2]
    data[first:end] = data[middle:end] + data[first:middle]


def _name(data: bytearray, start: int, rng: Random) -> None:
    """Let a step name another kernel: one that the program has, or of those that there are."""
    program = _Program(data, start)
    names = bytes(data[program.names_start : program.names_end])
    if program.steps and rng.random() < 0.3:
        at, _ = rng.choice(program.steps)
        data[at : at + 4] = plain.packed(rng.randrange(len(names.split()) + 1), 4)
        return
    words = names.split() or [b""]
    words[rng.randrange(len(words))] = rng.choice(_NAMES)
    text = b" ".join(words)
    if len(text) <= len(names):
        data[program.names_start : program.names_end] = text.ljust(len(names))


def _constant(data: bytearray, start: int, rng: Random) -> None:
    """Change what lies behind the steps: constants and weights."""
    program = _Program(data, start)
    first = program.steps[-1][1] if program.steps else program.names_end
    if first >= len(data):
        return
    at = rng.randrange(first, len(data))
    width = rng.choice((1, 4))
    data[at : at + width] = plain.packed(plain.number(rng), min(width, len(data) - at))


def _count(data: bytearray, at: int, more: int) -> None:
    data[at : at + 4] = plain.packed(struct.unpack_from("<i", data, at)[0] + more, 4)


_CHANGES = (_word, _word, _word, _word, _word, _drop, _swap, _name, _constant)
