"""A model on a board: opened there, given numbers, run, and asked for its answers.

The board has the file and the runtime. Numbers go there and come back as bytes, in pieces. The names that one
program leaves on the board, as `m`, the model, are there for the next.
"""

from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor
from burnrt.model import End, Model
from burnstore.boards.link.link import Link, about
from burnstore.models.ends import integers_of

_OPEN = """\
import gc
from array import array
from binascii import a2b_base64 as a, b2a_base64 as b
from burnrt import Model
gc.collect()
m = Model(%r)
"""

_FLOATS = """\
def put(k, at, data):
    d = m.inputs[k].data
    for v in array("f", a(data)):
        d[at] = v
        at += 1
"""
_PUT = "put(%d, %d, %r)"
_PUT_BYTES = "m.inputs[%d].data[%d:%d] = a(%r)"

_RUN = """\
from time import ticks_us, ticks_diff
gc.collect()
t = ticks_us()
m.run()
t = ticks_diff(ticks_us(), t)
r = [e.read().data for e in m.outputs]
print((t, [len(d) for d in r]))
"""
_GET = "print(b(memoryview(r[%d])[%d:%d]))"
_PIECE = 256  # numbers sent at once

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Run:
    """What came of a run. microseconds: that it took. answers: an array for each output."""

    microseconds: int
    answers: list[Floats]


def open_model(link: Link, source: str) -> None:
    """Load a model on a board, which is started anew. source: as `burnrt.Model` takes it there."""
    link.restart()
    with about(source):
        link.run(_OPEN % source)


def write_inputs(link: Link, model: Model, inputs: Sequence[Floats]) -> None:
    """Give the opened model its inputs. model: the same one on this computer; raises `InvalidTensor`."""
    check_shapes(model, inputs)
    link.run(_FLOATS)
    for number, (end, numbers) in enumerate(zip(model.inputs, inputs, strict=True)):
        for at in range(0, numbers.size, _PIECE):
            link.run(_put(number, at, end, numbers.reshape(-1)[at : at + _PIECE]))


def run_once(link: Link, model: Model) -> Run:
    """Run the opened model; return its answers, and how long that took."""
    microseconds, counts = link.ask(_RUN, (int, [int]))
    if counts != [len(end.data) for end in model.outputs] or microseconds < 0:
        raise link.nonsense((microseconds, counts))
    answers = [_answer(link, number, end) for number, end in enumerate(model.outputs)]
    return Run(microseconds, answers)


def check_shapes(model: Model, inputs: Sequence[Floats]) -> None:
    """Refuse inputs of another number or shape than a model takes. Raises `InvalidTensor`."""
    wanted, found = [list(end.shape) for end in model.inputs], [list(each.shape) for each in inputs]
    if wanted != found:
        raise InvalidTensor("other inputs than the model takes", "the inputs", expected=wanted, found=found)


def _put(number: int, at: int, end: End, numbers: Floats) -> str:
    """Return the program that writes numbers into an input, from place `at` on."""
    if end.scale is None:
        return _PUT % (number, at, _text(numbers.astype("<f4").tobytes()))
    found, at = integers_of(end, numbers), end.width * at
    return _PUT_BYTES % (number, at, at + len(found), _text(found))


def _text(data: bytes | bytearray) -> bytes:
    return b2a_base64(data, newline=False)


def _answer(link: Link, number: int, end: End) -> Floats:
    pieces = [
        a2b_base64(link.ask(_GET % (number, at, at + _PIECE), bytes))
        for at in range(0, len(end.data), _PIECE)
    ]
    data = b"".join(pieces)
    if len(data) != 4 * len(end.data):
        raise link.nonsense(data)
    return np.frombuffer(data, "<f4").reshape(end.shape)
