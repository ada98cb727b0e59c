"""How long a step takes: instructions counted in an emulator, and cycles where these were counted, too.

docs/performance.md says how both were counted. The rates were fitted to the steps of networks and to random
ones: of a network they are within three tenths, of most within a tenth; a single small step may be off by a
half. Cycles of an RP2040 are lower bounds: code that is not in its flash cache waits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from burnstore.boards.fit.steps import Step

_INTERPRETER = 540, 2200  # instructions and cycles of MicroPython for a step
_RP2040 = "armv6m"
_RP2040_MHZ = 125

# Of a kernel, what is taken for each number that is looked at, and for each that is made; of conv2d also for
# each that is gathered into a window, and for each weight; of other kernels for each of the step's `others`.
Rates = dict[str, tuple[float, ...]]

# Of a set of kernels: instructions.
_INSTRUCTIONS: dict[str, Rates] = {
    "thumb_dsp": {
        "add": (1.0,),
        "add_strided": (0.0, 6.43, 27.4, 1.87),
        "conv2d": (0.94, 22.8, 7.15, 0.42),
        "depthwise2d": (4.39,),
        "gru": (1.66, 147.0, 980.0),
        "linear": (1.55, 34.8),
        "linear4": (1.44, 36.0),
        "lstm": (1.54, 201.0, 289.0),
        "matmul": (0.0, 38.4, 7.25, 1.48),
        "max_pool2d": (2.86,),
        "multiply_strided": (0.0, 6.44, 31.1, 1.42),
        "normalize": (0.0, 11.1, 177.0),
        "rnn": (1.67, 35.3, 447.0),
    },
    "thumb_m3": {
        "conv2d": (1.4, 25.9, 16.5, 6.07),
        "gru": (2.56, 150.0, 864.0),
        "linear": (2.46, 34.1),
        "linear4": (1.56, 36.0),
        "lstm": (2.4, 207.0, 129.0),
        "masked_softmax": (0.0, 42.2, 36.0),
        "matmul": (0.0, 33.1, 7.14, 2.65),
        "rnn": (2.47, 41.7, 396.0),
        "softmax": (0.0, 28.0, 22.8),
    },
    "thumb_m0": {
        "add": (1.74,),
        "add_strided": (0.0, 11.9, 55.4, 3.44),
        "avg_pool2d": (2.53, 84.6),
        "conv2d": (1.88, 25.7, 16.9, 6.51),
        "copy": (0.0, 0.278, 129.0, 53.0, 3.08),
        "depthwise2d": (10.1,),
        "embedding": (0.0, 5.53),
        "fill": (0.0, 0.201, 46.4),
        "gru": (3.77, 201.0, 794.0),
        "linear": (3.75, 40.1),
        "linear4": (3.0, 45.0),
        "lookup": (0.0, 3.52),
        "lookup_each": (0.0, 5.33),
        "lstm": (3.62, 267.0, 0.0),
        "masked_softmax": (0.0, 51.4, 3.3),
        "matmul": (0.0, 38.6, 5.85, 3.99),
        "max_pool2d": (5.6,),
        "multiply_strided": (0.0, 11.6, 39.0, 3.94),
        "normalize": (0.0, 21.2, 328.0),
        "resample": (0.0, 20.2, 7.96, 10.2),
        "rnn": (4.01, 25.5, 744.0),
        "softmax": (0.0, 56.2, 20.1),
    },
}
# Of an RP2040, the same in cycles.
_CYCLES: Rates = {
    "add": (2.22,),
    "add_strided": (0.0, 14.5, 72.7, 4.3),
    "avg_pool2d": (3.73, 124.6),
    "conv2d": (2.61, 36.1, 24.8, 8.99),
    "copy": (0.0, 0.887, 200.0, 78.8, 4.77),
    "depthwise2d": (14.4,),
    "embedding": (0.0, 8.78),
    "fill": (0.0, 0.52, 72.1),
    "gru": (5.21, 257.0, 1220.0),
    "linear": (5.19, 51.7),
    "linear4": (3.75, 62.0),
    "lookup": (0.0, 6.7),
    "lookup_each": (0.0, 9.47),
    "lstm": (5.01, 343.0, 96.6),
    "masked_softmax": (0.0, 65.6, 6.39),
    "matmul": (0.0, 50.0, 8.34, 5.5),
    "max_pool2d": (7.98,),
    "multiply_strided": (0.0, 14.4, 56.1, 4.85),
    "normalize": (0.0, 25.7, 436.0),
    "resample": (0.0, 25.6, 12.0, 12.5),
    "rnn": (5.57, 31.7, 1130.0),
    "softmax": (0.0, 73.3, 25.6),
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
    counts: tuple[float, ...] = (step.work, step.made, *(step.others or (gathered, step.weights)))
    return round(sum(rate * number for rate, number in zip(rates[name], counts, strict=False))) + interpreter
