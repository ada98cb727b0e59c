"""How long a step takes: instructions counted in an emulator, and cycles where these were counted, too.

docs/performance.md says how both were counted. The figures are means over the networks of the examples.
Cycles of an RP2040 are lower bounds: code that is not in its flash cache waits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from burnstore.boards.fit.steps import Step

_INTERPRETER = 540  # instructions of MicroPython for a step
_RP2040 = "armv6m"
_RP2040_MHZ = 125

# Of a set of kernels: the instructions of each kernel for a product, or for a number where nothing is
# multiplied.
_INSTRUCTIONS: dict[str, dict[str, float]] = {
    "thumb_dsp": {"add": 1.0, "conv2d": 1.46, "depthwise2d": 4.37, "linear": 1.7, "max_pool2d": 2.87},
    "thumb_m3": {"conv2d": 2.27, "linear": 2.58},
    "thumb_m0": {
        "add": 1.71,
        "avg_pool2d": 4.84,
        "conv2d": 2.77,
        "depthwise2d": 9.9,
        "linear": 3.87,
        "max_pool2d": 5.54,
    },
}
# Of an RP2040, the same in cycles.
_CYCLES = {
    "add": 2.2,
    "avg_pool2d": 7.16,
    "conv2d": 3.89,
    "depthwise2d": 14.09,
    "linear": 5.31,
    "max_pool2d": 7.87,
}


@dataclass(frozen=True)
class Time:
    """What a step takes; None where it was not counted."""

    instructions: int | None
    milliseconds: float | None


def times(steps: Iterable[Step], kernels: Mapping[str, str], processor: str | None) -> list[Time]:
    """Return what each step takes. kernels: where each is from. processor: as mpy-cross calls it."""
    return [_time(step, kernels.get(step.kernel, ""), processor) for step in steps]


def total(found: Iterable[Time]) -> Time:
    """Return the sum; None where a part is not known."""
    parts = list(found)
    instructions = [time.instructions for time in parts]
    milliseconds = [time.milliseconds for time in parts]
    return Time(
        None if None in instructions else sum(filter(None, instructions)),
        None if None in milliseconds else sum(filter(None, milliseconds)),
    )


def _time(step: Step, home: str, processor: str | None) -> Time:
    chosen = _INSTRUCTIONS.get(home.split(".")[-2] if home.count(".") > 2 else "", {})
    name = step.kernel.removeprefix("int8.")
    instructions = round(step.work * chosen[name]) + _INTERPRETER if name in chosen else None
    cycles = (
        step.work * _CYCLES[name] if processor == _RP2040 and name in _CYCLES and "thumb" in home else None
    )
    return Time(instructions, None if cycles is None else cycles / (_RP2040_MHZ * 1000))
