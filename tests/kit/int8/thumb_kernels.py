"""The integer kernels in inline assembler: finding them, running them on cases, work to measure them by."""

from pathlib import Path
from typing import Any

import numpy as np

from burnrt.lengths import LENGTHS
from burnstore.boards.runtime.needs import kernels_of
from kit.int8 import int8_cases
from kit.int8.unicorn_thumb import Buffer, Chip, Run, function

KERNELS = Path(__file__).resolve().parents[3] / "device" / "burnrt" / "kernels" / "int8"

# architecture: the sets that its chips take, fastest first
SETS = {
    "armv6m": ("thumb_m0",),
    "armv7m": ("thumb_m3", "thumb_m0"),
    "armv7emsp": ("thumb_dsp", "thumb_m3", "thumb_m0"),
    "armv7emdp": ("thumb_dsp", "thumb_m3", "thumb_m0"),
}

READABLE = 3  # bytes behind the weights

_ONE, _TWO, _NONE = (1, 1), (2, 2), (0, 0)
_BARE = {"stride": _ONE, "padding": _NONE, "dilation": _ONE}
_EACH, _CHANNELS = ((True,) * 3,) * 2, ((True,) * 3, (True, True, False))
_SAME = {"kernel": (3, 3), "stride": _ONE, "padding": _ONE, "dilation": _ONE}
_VALID = {"groups": 1, "kernel": (3, 3), "stride": _TWO, "padding": _NONE, "dilation": _ONE}


def _rows(size: int) -> dict[str, Any]:
    """Return rows of a copy, a few bytes apart."""
    return {"extents": (1, 1, 1, 8, size), "steps": (1, 1, 1, size + 4, 1), "out_steps": (1, 1, 1, size, 1)}


def _steps(numbers: int, hidden: int) -> dict[str, Any]:
    """Return time steps of a recurrent layer."""
    return {"times": 4, "numbers_of": numbers, "hidden": hidden, "directions": 1, "keeps": 0}


# name: operation, geometry
WORK: dict[str, tuple[str, dict[str, Any]]] = {
    "dense 256 to 64": ("linear", {"rows": 1, "inputs": 256, "outputs": 64}),
    "dense 256 to 64, 4 bits": ("linear4", {"inputs": 256, "outputs": 64, "places": 1, "planar": 0}),
    "1×1 conv 64 to 64, 4 bits": ("linear4", {"inputs": 64, "outputs": 64, "places": 125, "planar": 1}),
    "3×3 conv 16 to 32": (
        "conv2d",
        {"groups": 1, "channels": 16, "out_channels": 32, "size": (12, 12), "out_size": (12, 12), "pairs": 8}
        | _SAME,
    ),
    "1×1 conv 64 to 64": (
        "conv2d",
        {
            "groups": 1,
            "channels": 64,
            "out_channels": 64,
            "size": (25, 5),
            "kernel": _ONE,
            "out_size": (25, 5),
            "pairs": 8,
        }
        | _BARE,
    ),
    "1×9 conv 16 to 16": (
        "conv2d",
        {
            "groups": 1,
            "channels": 16,
            "out_channels": 16,
            "size": (1, 64),
            "kernel": (1, 9),
            "out_size": (1, 56),
            "pairs": 8,
        }
        | _BARE,
    ),
    "3×3 depthwise conv": (
        "depthwise2d",
        {"channels": 16, "size": (24, 24), "out_size": (24, 24), **_SAME},
    ),
    "3×3 depthwise conv, stride 2": (
        "depthwise2d",
        {"channels": 16, "size": (48, 48), "out_size": (24, 24), **_SAME, "stride": _TWO},
    ),
    "5×5 depthwise conv": (
        "depthwise2d",
        {"channels": 4, "size": (12, 12), "out_size": (8, 8), "kernel": (5, 5), **_BARE},
    ),
    "5×5 depthwise conv, padded": (
        "depthwise2d",
        {"channels": 4, "size": (24, 24), "out_size": (24, 24), "kernel": (5, 5), **_BARE, "padding": _TWO},
    ),
    "7×7 depthwise conv, padded": (
        "depthwise2d",
        {"channels": 4, "size": (24, 24), "out_size": (24, 24), "kernel": (7, 7), **_BARE, "padding": (3, 3)},
    ),
    "1×9 depthwise conv": (
        "depthwise2d",
        {"channels": 4, "size": (1, 64), "out_size": (1, 56), "kernel": (1, 9), **_BARE},
    ),
    "2×2 max pool": (
        "max_pool2d",
        {"channels": 8, "size": (26, 26), "kernel": _TWO, "out_size": (13, 13), **_BARE, "stride": _TWO},
    ),
    "3×3 max pool": (
        "max_pool2d",
        {"channels": 8, "size": (26, 26), "out_size": (13, 13), **_SAME, "stride": _TWO},
    ),
    "8×8 average pool": (
        "avg_pool2d",
        {"channels": 64, "size": (8, 8), "kernel": (8, 8), "cells": 1, "out_size": _ONE, **_BARE},
    ),
    "add": ("add", {"count": 1000}),
    "lookup": ("lookup", {"count": 1000}),
    "copy of long rows": ("copy", {**_rows(256), "offset": 0, "into": 0, "source": 0}),
    "copy of long rows, unaligned": ("copy", {**_rows(256), "offset": 3, "into": 2, "source": 0}),
    "copy of rows of 64": ("copy", {**_rows(64), "offset": 1, "into": 0, "source": 0}),
    "copy by steps": (
        "copy",
        {"extents": (1, 1, 1, 16, 64), "steps": (1, 1, 1, 1, 16), "out_steps": (1, 1, 1, 64, 1), "source": 0},
    ),
    "copy by the table": ("copy", {**_rows(256), "source": 1}),
    "fill": ("fill", {"count": 1000, "into": 1}),
    "norm of rows of 256": ("normalize", {"rows": 4, "pairs": 256, "inner": 1, "center": 256}),
    "norm of planes": ("normalize", {"rows": 2, "pairs": 4, "inner": 64, "center": 256}),
    "product": ("multiply_strided", {"extents": (1, 1, 1000), "whole": _EACH, "kept": False}),
    "product of channels": ("multiply_strided", {"extents": (1, 10, 100), "whole": _CHANNELS, "kept": False}),
    "product of matrices of 16 lines": (
        "matmul",
        {"matrices": 2, "lines": 16, "inner": 64, "columns": 16, "zero": 128},
    ),
    "planes of twice the size": (
        "resample",
        {"channels": 4, "size": (16, 16), "out_size": (32, 32), "kernel": _TWO},
    ),
    "sum of channels": ("add_strided", {"extents": (1, 10, 100), "whole": _CHANNELS, "kept": False}),
    "softmax of 64": ("softmax", {"rows": 4, "length": 64}),
    "masked softmax of 64": ("masked_softmax", {"rows": 4, "length": 64}),
    "lookup in tables": ("lookup_each", {"count": 64, "tables": 8}),
    "vectors of 64": ("embedding", {"count": 8, "size": 64, "entries": 50, "wide": 0}),
    **{
        "%s of %d, %d inputs" % (kind.upper(), hidden, numbers): (kind, _steps(numbers, hidden))
        for kind in ("gru", "lstm", "rnn")
        for hidden in (16, 64, 128)
        for numbers in (1, hidden)
    },
}

# emlearn's network for MNIST, 51,228 multiplications, step by step, with the pairs of windows that
# `burnstore.quantize` gives them.
EMLEARN: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "conv2d",
        {"channels": 1, "out_channels": 8, "size": (28, 28), "out_size": (13, 13), "pairs": 8, **_VALID},
    ),
    (
        "conv2d",
        {"channels": 8, "out_channels": 12, "size": (13, 13), "out_size": (6, 6), "pairs": 2, **_VALID},
    ),
    ("conv2d", {"channels": 12, "out_channels": 18, "size": (6, 6), "out_size": _TWO, "pairs": 1, **_VALID}),
    ("avg_pool2d", {"channels": 18, "size": _TWO, "kernel": _TWO, "cells": 1, "out_size": _ONE, **_BARE}),
    ("linear", {"rows": 1, "inputs": 18, "outputs": 10}),
)


def homes(name: str) -> dict[str, str]:
    """Return {operation: its file} of a set."""
    found = kernels_of("burnrt.kernels.int8." + name)
    return {operation: found[operation].rpartition(".")[2] for operation in LENGTHS if operation in found}


def code(name: str, operation: str, architecture: str) -> bytes:
    """Return the machine code of a set's kernel."""
    return function(KERNELS / name / (homes(name)[operation] + ".py"), architecture, operation)


def fastest(architecture: str, operation: str) -> str:
    """Return the set that an architecture's chips take an operation from."""
    return next(name for name in SETS[architecture] if operation in homes(name))


def run(
    name: str,
    architecture: str,
    case: int8_cases.Case,
    remainder: int | None = None,
    counts: bool = False,
) -> Run:
    """Run a set's kernel on a case; `remainder` is of the weights, see `Buffer`; `counts` as of `Chip`."""
    weight = case.weight[: len(case.weight) - int8_cases.SPARE]
    if case.operation in int8_cases.PACKED:
        remainder = None if remainder is None else 0
    else:
        weight = case.weight[: len(weight) + READABLE]
    aligned = None if remainder is None else 0
    return Chip(architecture, counts).call(
        code(name, case.operation, architecture),
        Buffer(case.arena, True, aligned),
        Buffer(weight, False, remainder),
        Buffer(case.constants, False, aligned),
        Buffer(case.words, False, aligned),
    )


def measured(architecture: str, operation: str, geometry: dict[str, Any]) -> tuple[Run, int]:
    """Return what an operation takes on an architecture's chips, and its multiplications."""
    case = int8_cases.random_case(operation, np.random.default_rng(1), **geometry)
    done = run(fastest(architecture, operation), architecture, case, 0, counts=True)
    assert int8_cases.agrees(case, done.buffers[0])
    return done, case.macs


def instructions(architecture: str, operation: str, geometry: dict[str, Any]) -> tuple[int, int]:
    """Return how many instructions an operation takes on an architecture's chips, and its multiplications."""
    done, macs = measured(architecture, operation, geometry)
    return done.instructions, macs


def per_mac(architecture: str, operation: str, geometry: dict[str, Any]) -> float:
    """Return the instructions for each multiplication, or number where there is none, the whole layer's."""
    found, macs = instructions(architecture, operation, geometry)
    return found / macs


def cycles_per_mac(operation: str, geometry: dict[str, Any]) -> float:
    """Return the cycles of a Cortex-M0+ for each multiplication or number, see `Run`."""
    done, macs = measured("armv6m", operation, geometry)
    return done.cycles / macs


def dense_loop(architecture: str) -> float:
    """Return the instructions for each multiplication in the inner loop of the dense layer alone."""
    counts = [
        instructions(architecture, "linear", {"rows": 1, "inputs": inputs, "outputs": 32})
        for inputs in (512, 1024)
    ]
    (fewer, few_macs), (more, many_macs) = counts
    return (more - fewer) / (many_macs - few_macs)


def emlearn(architecture: str) -> int:
    """Return the instructions of all kernels of emlearn's network for MNIST."""
    return sum(instructions(architecture, *step)[0] for step in EMLEARN)
