"""`burnstore fit` foretells what a quantized model takes, by its file alone."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from burnpack.reader import Reader
from burnrt import int8, nn
from burnstore.boards.fit import integers
from burnstore.boards.fit.heap import WORD_32
from burnstore.boards.fit.report import Sizes, report
from burnstore.boards.runtime import contents
from burnstore.pipeline.writing import save_burnpack
from kit.boards.fitting import (
    CAPACITY,
    INTERPRETERS,
    NOISE,
    TOLERANCE,
    is_near,
    run,
    said_by,
    sizes_of,
    written_runtime,
)
from kit.int8.quantizing import quantized_chain

CHUNK = 160  # bytes: one more piece for interned strings, which the length of a path may make necessary

# name of a quantized model: the shape of its input, its layers
QUANTIZED = {
    "dense": ((16,), lambda: {"l%d" % number: nn.Linear(16, 16) for number in range(12)}),
    "wide": ((200,), lambda: {"first": nn.Linear(200, 200), "second": nn.Linear(200, 10)}),
    "mixed": (
        (2, 12, 12),
        lambda: {
            "conv": nn.Conv2d(2, 6, 3, padding=1),
            "curve": nn.Sigmoid(),
            "own": nn.Conv2d(6, 6, 3, groups=6),
            "pool": nn.MaxPool2d(2),
            "flat": nn.Flatten(),
            "fc": nn.Linear(150, 5),
            "last": nn.Softmax(1),
        },
    ),
}


class Small(NamedTuple):
    """A quantized model: its .bpk, the folder of its compiled runtime, and what that weighs."""

    path: Path
    runtime: Path
    sizes: Sizes


@pytest.fixture(scope="session")
def quantized(tmp_path_factory):
    """Return {(name of a quantized model, processor): its `Small`}."""
    made = {}
    for name, (shape, layers) in QUANTIZED.items():
        data = quantized_chain(shape, **layers())[0].to_bytes()
        for processor in (None, "x64"):
            made[name, processor] = make_small(tmp_path_factory.mktemp(name), data, processor)
    return made


def make_small(folder, data, processor):
    (folder / "net.bpk").write_bytes(data)
    operations = contents.operations(Reader.from_static(data))
    weights = written_runtime(folder / "runtime", contents.entries(operations, None, processor), processor)
    return Small(folder / "net.bpk", folder / "runtime", sizes_of(folder / "net.bpk", *weights))


@pytest.mark.parametrize("interpreter,processor", (("unix", None), ("unix", "x64"), ("wasm", None)))
@pytest.mark.parametrize("place", (0, 1))
@pytest.mark.parametrize("name", QUANTIZED)
def test_the_heap_of_a_quantized_model_is_foretold(quantized, name, place, interpreter, processor):
    small, heap = quantized[name, processor], INTERPRETERS[interpreter]
    reader = Reader.from_static(small.path.read_bytes())
    storage = report(reader, small.sizes, integers.running(heap, reader), CAPACITY, heap).storages[place]
    real = dict(said_by(interpreter, "fit_int8.py", (small.runtime, small.path, storage.name)))
    loaded = real["index"] + real["load"]
    assert is_near(storage.code + storage.load, real["code"] + real["rest"] + loaded), (storage, real)
    assert abs(storage.load - loaded) <= max(TOLERANCE * loaded, NOISE), (storage.load, loaded)
    assert abs(storage.peak - real["plan"]) <= max(TOLERANCE * real["plan"], CHUNK), (storage.peak, real)
    assert real["run"] == 0  # all that running takes is there already


def test_a_quantized_model_needs_neither_its_class_nor_a_shape(quantized, capsys):
    path = quantized["mixed", None].path
    assert run(path, "--board", "pico", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    model = int8.Model(Reader.from_static(path.read_bytes()))
    assert found["arena"] == model.plan().size and found["unread"] == []
    assert 0 < found["native"] < found["runtime"] and all(storage["peak"] for storage in found["storages"])


def test_the_runtime_is_that_of_the_processor(quantized, capsys):
    path = quantized["mixed", None].path
    native = {}
    for processor in (None, "xtensawin", "armv6m", "armv7emsp"):
        options = ("--march", processor) if processor else ()
        assert run(path, "--flash", "1M", "--ram", "1M", "--json", *options) == 0
        native[processor] = json.loads(capsys.readouterr().out)["native"]
    assert native.pop(None) == 0 and len(set(native.values())) == 3 and 0 not in native.values()


def test_quantized_weights_take_no_heap_in_flash_and_their_bytes_from_a_file(quantized):
    small = quantized["wide", None]
    reader = Reader.from_static(small.path.read_bytes())
    running = integers.running(WORD_32, reader)
    weights = sum(tensor.nbytes for tensor in reader if tensor.name.endswith("weight"))
    assert running.flash.heap < 2000 and weights < running.file.heap - running.flash.heap < 1.2 * weights
    assert running.file.block >= max(tensor.nbytes for tensor in reader)


def test_what_no_kernel_reads_is_said_and_fits_nowhere(quantized, tmp_path, capsys):
    reader = Reader.from_static(quantized["wide", None].path.read_bytes())
    save_burnpack(tmp_path / "weights.bpk", [reader.tensor("first.weight")])
    words = (tmp_path / "weights.bpk", "--flash", "4M", "--ram", "4M")
    assert run(*words) == 1
    said = capsys.readouterr().out
    assert "first.weight (QFloat(Q8S" in said and "burnstore quantize" in said
    assert run(*words, "--json") == 1
    assert len(json.loads(capsys.readouterr().out)["unread"]) == 1
