"""How long a step takes: instructions counted in an emulator, and cycles where these were counted, too.

docs/performance.md says how both were counted. The rates were fitted to the steps of the examples' networks:
of a network they are within a fifth, a single small step may be off by a half. Cycles of an RP2040 are lower
bounds: code that is not in its flash cache waits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from burnstore.boards.fit.steps import Step

_INTERPRETER = 540, 2200  # instructions and cycles of MicroPython for a step
_RP2040 = "armv6m"
_RP2040_MHZ = 125

# Of a kernel, what is taken for each number that is looked at, and for each that is made; of conv2d also for
# each that is gathered into a window, and for each weight.
Rates = dict[str, tuple[float, ...]]

# Of a set of kernels: instructions.
_INSTRUCTIONS: dict[str, Rates] = {
    "thumb_dsp": {
        "add": (1.0,),
        "conv2d": (0.94, 22.8, 7.15, 0.42),
        "depthwise2d": (4.39,),
        "linear": (1.55, 34.8),
        "linear4": (1.44, 36.0),
        "max_pool2d": (2.86,),
    },
    "thumb_m3": {"conv2d": (1.4, 25.9, 16.5, 6.07), "linear": (2.46, 34.1), "linear4": (1.56, 36.0)},
    "thumb_m0": {
        "add": (1.74,),
        "avg_pool2d": (2.53, 84.6),
        "conv2d": (1.88, 25.7, 16.9, 6.51),
        "depthwise2d": (10.1,),
        "linear": (3.75, 40.1),
        "linear4": (3.0, 45.0),
        "lookup": (0.0, 3.52),
        "max_pool2d": (5.6,),
    },
}
# Of an RP2040, the same in cycles.
_CYCLES: Rates = {
    "add": (2.22,),
    "avg_pool2d": (3.73, 124.6),
    "conv2d": (2.61, 36.1, 24.8, 8.99),
    "depthwise2d": (14.4,),
    "linear": (5.19, 51.7),
    "linear4": (3.75, 62.0),
    "lookup": (0.0, 6.7),
    "max_pool2d": (7.98,),
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
    of_set = _INSTRUCTIONS.get(home.split(".")[-2] if home.count(".") > 2 else "", {})
    instructions = _counted(step, of_set, _INTERPRETER[0])
    cycles = _counted(step, _CYCLES if of_set and processor == _RP2040 else {}, _INTERPRETER[1])
    return Time(instructions, None if cycles is None else cycles / (_RP2040_MHZ * 1000))


def _counted(step: Step, rates: Rates, interpreter: int) -> int | None:
    name = step.kernel.removeprefix("int8.")
    if name not in rates:
        return None
    gathered = step.work**2 / (step.weights * step.made) if step.weights else 0
    counts = (step.work, step.made, gathered, step.weights)
    return round(sum(rate * number for rate, number in zip(rates[name], counts, strict=False))) + interpreter
