"""What the steps of a model take on a board, by its own clock, and the heap that the model takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from burnpack.errors import LoadFailed
from burnrt.model import Model
from burnstore.boards.link.link import Link, about
from burnstore.boards.link.running import Floats, write_inputs

ROUNDS = 3  # of which the fastest counts: an interrupt makes one slower, and nothing makes one faster

_OPEN = """\
import gc
from time import ticks_us, ticks_diff
gc.collect()
before = gc.mem_alloc()
from array import array
from binascii import a2b_base64 as a
from burnrt import Model
gc.collect()
runtime = gc.mem_alloc()
try:
    m = Model(%r)
except OSError as e:
    raise OSError("%%s: `burnstore deploy` brings a model" %% e)
gc.collect()
print((runtime - before, gc.mem_alloc() - runtime, gc.mem_free(), len(m.calls)))
"""

# Gives the microseconds of each step, some steps at a time.
_ROUND = """\
def steps(start, end):
    for f, a, b, c, d in m.calls[start:end]:
        t = ticks_us()
        f(a, b, c, d)
        yield ticks_diff(ticks_us(), t)
gc.collect()
"""
_STEPS = "print(list(steps(%d, %d)))"
_AT_ONCE = 32  # steps


@dataclass(frozen=True)
class Profile:
    """What a model takes on a board.

    runtime, model: bytes of heap that importing and opening took. free: bytes of heap that are left.
    microseconds: of each step, in its fastest round.
    """

    runtime: int
    model: int
    free: int
    microseconds: list[int]


def profile(link: Link, source: str, model: Model, inputs: Sequence[Floats]) -> Profile:
    """Run a model that is on the board, step by step. source: as `burnrt.Model` takes it there.

    model: the same one on this computer. Raises `LoadFailed` for another model of that name.
    """
    link.restart()
    with about(source):
        runtime, loaded, free, count = link.ask(_OPEN % source, (int,) * 4)
        if count != len(model.calls):
            what = "another model of this name is on the board: deploy this one first"
            raise LoadFailed(
                what, source, source=link.port, expected=f"{len(model.calls)} steps", found=count
            )
        write_inputs(link, model, inputs)
        link.run(_ROUND)
        rounds = [_round(link, count) for _ in range(ROUNDS)]
    return Profile(runtime, loaded, free, [min(each) for each in zip(*rounds, strict=True)])


def _round(link: Link, count: int) -> list[int]:
    found: list[int] = []
    for start in range(0, count, _AT_ONCE):
        end = min(start + _AT_ONCE, count)
        found += link.ask(_STEPS % (start, end), [int])
    if len(found) != count:
        raise link.nonsense(found)
    return found
