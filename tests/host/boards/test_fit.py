"""`burnstore fit` foretells what MicroPython really uses, within 10 %, and says what fits."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from burnpack.module import walk
from burnpack.reader import Reader
from burnstore.boards.fit import boards, floats
from burnstore.boards.fit import heap as costs
from burnstore.boards.fit.heap import WORD_32, WORD_64
from burnstore.boards.fit.report import Sizes, report
from burnstore.boards.runtime import contents
from burnstore.models.model import load_module
from burnstore.numerics.arrays import tensor_from_array
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

HEAD = "from burnrt import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n"
CONV = """\
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.norm = nn.BatchNorm(6)
        self.conv2 = nn.Conv2d(6, 12, 3)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
"""
SHAPE = (1, 1, 12, 12)

# Of the models: those whose every value is let go as soon as it can be, and those whose every value is kept.
LET_GO = ("one_a_statement", "in_a_row")
KEPT = ("nested",)
WORKING = ("two_lstms", "attention")  # in buffers besides, which are measured one by one

# name of a model: its source, the shape of its input
MODELS = {
    "nested": (HEAD + CONV + "        return self.pool(self.relu(self.norm(self.conv1(x))))\n", SHAPE),
    "one_a_statement": (
        HEAD
        + CONV
        + "        x = self.conv1(x)\n        x = self.norm(x)\n        x = self.relu(x)\n"
        + "        x = self.pool(x)\n        x = self.conv2(x)\n        return self.relu(x)\n",
        SHAPE,
    ),
    "kept": (
        HEAD
        + CONV
        + "        a = self.conv1(x)\n        b = self.norm(\n            self.relu(a)\n        )\n"
        "        c = self.pool(b)\n        return self.conv2(c)\n",
        SHAPE,
    ),
    "in_a_row": (
        HEAD + "        sizes = (300, 200, 250, 100)\n"
        "        pairs = zip(sizes, sizes[1:])\n"
        "        self.layers = nn.Sequential(*[nn.Linear(i, o) for i, o in pairs])\n\n"
        "    def forward(self, x):\n        return self.layers(x)\n",
        (2, 300),
    ),
    "two_lstms": (
        HEAD + "        self.lstm = nn.LSTM(8, 24, 2)\n        self.fc = nn.Linear(24, 4)\n\n"
        "    def forward(self, x):\n        y, _ = self.lstm(x)\n        return self.fc(y)\n",
        (20, 1, 8),
    ),
    "attention": (
        HEAD + "        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)\n\n"
        "    def forward(self, x):\n        y, weights = self.attention(x, x, x)\n        return y\n",
        (1, 24, 16),
    ),
}


class Case(NamedTuple):
    """A model in files: its FILE:CLASS, its .bpk, its input's shape, the folder of its compiled runtime."""

    spec: str
    path: Path
    shape: tuple
    runtime: Path
    sizes: Sizes


@pytest.fixture(scope="session")
def cases(tmp_path_factory):
    """Return {name of a model: its `Case`}."""
    return {name: make_case(tmp_path_factory.mktemp(name), *given) for name, given in MODELS.items()}


def make_case(folder, source, shape):
    (folder / "net.py").write_text(source)
    spec = "%s:Net" % (folder / "net.py")
    generator = np.random.default_rng(0)
    tensors = []
    for path, _, param in walk(load_module(spec)):
        tensors.append(tensor_from_array(path, generator.random(param.shape, "f4")))
    save_burnpack(folder / "net.bpk", tensors)
    weights = written_runtime(folder / "runtime", contents.entries(None, folder / "net.py"), None)
    sizes = sizes_of(folder / "net.bpk", *weights)
    return Case(spec, folder / "net.bpk", shape, folder / "runtime", sizes)


def measured(case, interpreter, storage):
    """Return what MicroPython measured: {name: bytes}, and the heap when each layer's output is made."""
    shape = ",".join(map(str, case.shape))
    source = Path(case.spec.rpartition(":")[0])
    words = [case.runtime, case.path, storage, source.parent, source.stem, "Net", shape]
    lines = said_by(interpreter, "fit.py", words)
    return dict(lines), [figure for label, figure in lines if label == "row"]


def foretold_running(case, heap):
    reader = Reader.from_static(case.path.read_bytes())
    return floats.by_pass(heap, reader, load_module(case.spec), case.shape)


def foretold(case, heap):
    reader = Reader.from_static(case.path.read_bytes())
    return report(reader, case.sizes, foretold_running(case, heap), CAPACITY, heap)


@pytest.mark.parametrize("interpreter", INTERPRETERS)
@pytest.mark.parametrize("place", (0, 1))
@pytest.mark.parametrize("name", MODELS)
def test_the_heap_of_code_and_of_a_loaded_model_is_foretold(cases, name, place, interpreter):
    storage = foretold(cases[name], INTERPRETERS[interpreter]).storages[place]
    real, _ = measured(cases[name], interpreter, storage.name)
    assert is_near(storage.code, real["code"] + real["rest"]), (storage, real)
    loaded = real["model"] + real["index"] + real["load"]
    assert is_near(storage.code + storage.load, real["code"] + real["rest"] + loaded), (storage, real)
    assert abs(storage.load - loaded) <= max(TOLERANCE * loaded, NOISE), (storage.load, loaded)


@pytest.mark.parametrize("name", WORKING)
def test_the_heap_of_layers_that_work_in_buffers_of_their_own_is_foretold(cases, name):
    found = foretold(cases[name], WORD_64)
    _, rows = measured(cases[name], "unix", "flash")
    assert is_near(max(layer.least for layer in found.layers), max(rows)), (found.layers, rows)


@pytest.mark.parametrize("name", sorted(MODELS.keys() - set(WORKING)))
def test_the_heap_of_a_forward_pass_is_foretold_layer_by_layer(cases, name):
    found = foretold(cases[name], WORD_64)
    _, rows = measured(cases[name], "unix", "flash")
    assert len(rows) == len(found.layers) > 0
    for layer, real in zip(found.layers, rows, strict=True):
        near = max(TOLERANCE * real, NOISE)
        if name in LET_GO:
            assert abs(layer.least - real) <= near, (layer, real)
        elif name in KEPT:
            assert abs(layer.most - real) <= near, (layer, real)
        assert layer.least - near <= real <= layer.most + near, (layer, real)


@pytest.mark.parametrize("interpreter", INTERPRETERS)
@pytest.mark.parametrize("name", MODELS)
def test_the_heap_of_a_plan_is_foretold(cases, name, interpreter):
    real = measured(cases[name], interpreter, "flash")[0]["plan"]
    planned = foretold_running(cases[name], INTERPRETERS[interpreter]).planned
    assert abs(planned - real) <= TOLERANCE * real, (planned, real)


def test_a_model_that_fits_only_by_its_plan_fits(cases, capsys):
    case = cases["nested"]
    storage = foretold(case, WORD_32).storages[0]
    running = foretold_running(case, WORD_32)
    words = (case.path, "--module", case.spec, "--shape", "1,1,12,12", "--flash", "1M", "--ram")
    most, least = storage.heap, storage.code + storage.load + running.planned
    assert least < most
    for ram, code, said in (
        (most, 0, "in place: fits\n"),
        (least, 0, "the pass is planned"),
        (least - 1, 1, "does not"),
    ):
        assert run(*words, ram) == code
        assert said in capsys.readouterr().out


NUMBERS = (
    HEAD
    + """\
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x) if x[0][0] > 0 else x
"""
)


def test_a_pass_that_depends_on_numbers_is_told_to_be_unknown(tmp_path, capsys):
    case = make_case(tmp_path, NUMBERS, (1, 4))
    words = (case.path, "--board", "pico", "--module", case.spec, "--shape", "1,4")
    assert run(*words) == 0
    said = capsys.readouterr().out
    assert "an unknown forward pass" in said and "depends on numbers" in said
    found = foretold(case, WORD_32)
    assert found.layers == [] and found.storages[0].peak is None and "depends on numbers" in found.unknown


def test_a_pass_of_several_inputs_is_foretold_and_fits_where_values_are_let_go(tmp_path, capsys):
    source = HEAD + "        self.fc = nn.Linear(90, 90)\n\n"
    source += "    def forward(self, x, y):\n        return self.fc(self.fc(x) + y)\n"
    case = make_case(tmp_path, source, (1, 90))
    words = (case.path, "--module", case.spec, "--shape", "3,90", "--shape", "3,90", "--flash", "1M", "--ram")
    assert run(*words, "1M", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [layer["path"] for layer in found["layers"]] == ["fc", "Add", "fc@2"]
    assert [layer["shape"] for layer in found["layers"]] == [[3, 90]] * 3
    storage = found["storages"][0]
    assert (storage["way"], found["arena"]) == ("any", None)
    assert run(*words, storage["heap"] - 1) == 0
    assert "in place: fits, where each call in the pass is a statement" in capsys.readouterr().out


def test_a_recurrent_layer_is_one_row_under_its_name(tmp_path, capsys):
    source = HEAD + "        self.head = nn.ModuleList([nn.Linear(3, 4), nn.LSTM(4, 5), nn.Linear(5, 2)])\n\n"
    source += "    def forward(self, x):\n        a, b, c = self.head\n        return c(b(a(x))[0])\n"
    case = make_case(tmp_path, source, (6, 1, 3))
    rows = [(layer.path, layer.kind, layer.shape) for layer in foretold(case, WORD_32).layers]
    shapes = ((6, 1, 4), (6, 1, 5), (6, 1, 2))
    kinds = ("Linear", "Lstm", "Linear")
    assert rows == [(f"head.{place}", kinds[place], shapes[place]) for place in range(3)]


@pytest.mark.parametrize("given,lacking", (("--flash", "--ram"), ("--ram", "--flash")))
def test_a_size_that_is_missing_is_named(cases, given, lacking, capsys):
    assert run(cases["nested"].path, given, "1M") == 2
    assert f"{lacking} or --board is needed" in capsys.readouterr().err


def test_one_call_a_statement_needs_less_heap_than_nested_calls(cases):
    found = [foretold(cases[name], WORD_32).layers for name in ("one_a_statement", "nested")]
    peaks = [max(layer.least for layer in found[0]), max(layer.most for layer in found[1])]
    real = [max(measured(cases[name], "unix", "flash")[1]) for name in ("one_a_statement", "nested")]
    assert peaks[0] < 0.8 * peaks[1] and real[0] < 0.8 * real[1]


def test_the_largest_piece_is_a_value_in_flash_and_from_a_file_perhaps_a_weight(cases):
    flash, file = foretold(cases["in_a_row"], WORD_32).storages
    assert (flash.block, file.block) == (2 * 250 * 4, 300 * 200 * 4)


@pytest.mark.parametrize(
    "options,code",
    (
        (("--board", "pico"), 0),
        (("--board", "stm32f4"), 1),
        (("--board", "stm32f4", "--flash", "4M", "--ram", "1M"), 0),
        (("--flash", "1M", "--ram", "20K"), 1),
        (("--flash", "1K", "--ram", "1M"), 1),
        (("--flash", "1M"), 2),
        (("--flash", "much", "--ram", "1M"), 2),
    ),
)
def test_the_exit_code_says_whether_it_fits(cases, options, code, capsys):
    assert run(cases["in_a_row"].path, *options) == code
    assert capsys.readouterr()


@pytest.mark.parametrize("option", ("--flash", "--ram"))
@pytest.mark.parametrize("size", ("1" * 5000, "9" * 5000 + "K", "१", "²", "", "K", "-1", "1.5"))
def test_sizes_that_are_none_are_refused_in_one_line(cases, capsys, option, size):
    assert run(cases["nested"].path, "--board", "pico", option, size) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and len(said) < 300


def test_json_has_all_figures(cases, capsys):
    case = cases["nested"]
    words = ("--board", "pico", "--module", case.spec, "--shape", "1,1,12,12", "--json")
    assert run(case.path, *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fits"] and found["blob"] == case.path.stat().st_size
    assert [layer["path"] for layer in found["layers"]] == ["conv1", "norm", "relu", "pool"]
    for storage in found["storages"]:
        assert storage["heap"] == storage["code"] + storage["load"] + storage["peak"]


def test_what_would_make_it_fit_is_said(cases, capsys):
    assert run(cases["in_a_row"].path, "--flash", "200K", "--ram", "100K") == 1
    said = capsys.readouterr().out
    for words in ("bytes of flash are missing", "--half", "bytes of heap are missing", "burnstore freeze"):
        assert words in said


def test_in_flash_a_model_fits_whose_weights_are_more_than_the_heap(cases):
    flash, file = foretold(cases["in_a_row"], WORD_32).storages
    assert flash.fits and not file.fits and file.advice


def test_every_board_has_sources_and_no_piece_is_larger_than_the_heap():
    assert len(set(boards.names())) == len(boards.BOARDS) >= 5
    for board in boards.BOARDS:
        assert board.sources and 0 < board.block <= board.heap and board.flash > 0


def test_a_model_without_its_class_is_estimated_by_its_names(cases):
    reader = Reader.from_static(cases["in_a_row"].path.read_bytes())
    running = floats.by_names(WORD_32, reader)
    found = report(reader, Sizes(1, 1, 1), running, CAPACITY, WORD_32).storages[0]
    assert found.peak is None
    assert found.load == pytest.approx(foretold(cases["in_a_row"], WORD_32).storages[0].load, rel=TOLERANCE)


def test_modules_without_parameters_count_too(cases):
    paths = [path for path, _ in costs.modules_of(load_module(cases["nested"].spec))]
    assert sorted(paths) == ["", "conv1", "conv2", "norm", "pool", "relu"]


def test_a_plan_is_named_where_it_takes_less(cases, capsys):
    case = cases["nested"]
    words = ("--flash", "1M", "--ram", "10K", "--module", case.spec, "--shape", "1,1,12,12")
    assert run(case.path, *words) == 1
    said = capsys.readouterr().out
    arena = load_module(case.spec).plan(case.shape).size
    assert "a plan's arena: %s bytes" % format(arena, ",") in said and "model.plan(shape)" in said


def test_a_smaller_input_is_advised_only_where_it_can_be_enough(cases, capsys):
    case = cases["nested"]
    words = ("--flash", "1M", "--module", case.spec, "--shape", "1,1,12,12", "--json")
    assert run(case.path, "--ram", "10K", *words) == 1
    flash = json.loads(capsys.readouterr().out)["storages"][0]
    assert not any("smaller input" in line for line in flash["advice"])
    assert run(case.path, "--ram", str(flash["heap"] - 1), *words) == 1
    flash = json.loads(capsys.readouterr().out)["storages"][0]
    assert any("smaller input" in line for line in flash["advice"])
