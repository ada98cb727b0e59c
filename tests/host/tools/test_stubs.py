"""The types of burnpack and burnrt say what a user may write with them."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys

import pytest

from burnrt import kernels
from burnrt.kernels import plain
from burnstore.boards.runtime.needs import kernels_of
from tools.check_imports import PACKAGES, ROOT

FOLDERS = [ROOT / PACKAGES[package][0] for package in ("burnpack", "burnrt")]
PATHS = [str(folder.parent) for folder in FOLDERS]
CONFIG = str(ROOT / "pyproject.toml")

# In these tables a package keeps the names that it imports when they are first used.
LAZY = ("_HOMES", "HOMES", "ALIASES")

# In a file that only a board can import: a decorator that is MicroPython's compiler's own, or ulab.
FOR_BOARDS = re.compile(r"^(@micropython\.|from ulab import )", re.MULTILINE)

# What a user writes; mypy shall refuse the lines marked as wrong, and no others.
PROGRAM = """
import io
import mmap
from typing import TYPE_CHECKING

import burnpack
from burnpack import BurnpackStore, Module, Param, PathFilter, QFloat, Reader, Tensor, Writer
from burnpack import SafetensorsStore
from burnpack.adapters import Context, FloatCastAdapter, HalfPrecisionAdapter, PyTorchToBurnAdapter
from burnrt import Value, nn, tensor

if TYPE_CHECKING:
    from burnpack.types import Adapter
    from burnpack.types import Filter
    from burnpack.types import ModuleStore


class Net(nn.Module):
    def __init__(self) -> None:
        self.convolution = nn.Conv2d(1, 8, (3, 3), padding=1)
        self.layers = nn.ModuleList([nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten()])
        self.scale = Param((8,), "F16")
        self.choice = nn.Enum(PRelu=nn.PReLU(8))
        self.memory = nn.ModuleList([nn.LSTM(8, 4), nn.GRU(4, hidden_size=2, batch_first=True)])

    def forward(self, x: Value) -> Value:
        return self.convolution.forward(x)


class Halved:
    def adapt(self, tensor: Tensor, context: Context) -> Tensor:
        return tensor.renamed(context.name)

    def get_alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        return None


class Nothing:
    def matches(self, path: str, containers: tuple[str, ...]) -> bool:
        return not path


adapters: list["Adapter"] = [Halved(), PyTorchToBurnAdapter()]
filters: list["Filter"] = [Nothing(), PathFilter().with_full_path("a").match_all()]
net = Net()
tensors = [Tensor("a", "F32", [2], bytes(8)), Tensor("b", QFloat(), (1,), lambda: bytearray(5))]
net.apply(tensors, Nothing(), Halved())
net.collect(PathFilter(), PyTorchToBurnAdapter(), skip_enum_variants=True)
net.apply(tensors, None, Halved)
chain = PyTorchToBurnAdapter().chain(HalfPrecisionAdapter().with_module("Mine")).chain(Halved())
adapters.append(chain.chain(FloatCastAdapter.to("BF16", saturate=True)))
SafetensorsStore.from_static(bytes(9)).skip_enum_variants(True).alias_tied(True).match_all()
store: "ModuleStore" = BurnpackStore.from_bytes().metadata("a", "b").scalar("c", ("UInt", 1))
net.save_into(store)
writer = Writer(tensors, [("a", "b")], [("c", True), ("d", 1.5)])
writer.write_to(io.BytesIO())
with open("a", "rb") as file:
    reader = Reader.from_stream(file)
    reader.tensor("a").readinto(memoryview(bytearray(8)))
    net.apply(Reader.from_static(mmap.mmap(file.fileno(), 0)))
value = tensor([1.0], (1, 1))
score: float = value[0].argmax()
total: Value = value + value
totals: list[Value] = [value + 1.0, value - value, 2.0 * value, value @ value, -value, abs(value), 1 - value]
mask: Value = value < value
memory = nn.ModuleDict(nn.ModuleDict({"a": net.convolution}))

adapters.append(Nothing())  # wrong
filters.append(Halved())  # wrong
net.apply(tensors, None, Nothing)  # wrong
net.apply(tensors, Halved())  # wrong
Tensor("a", 32, (2,), bytes(8))  # wrong
Tensor("a", "F32", (2,), "text")  # wrong
reader.tensor("a").readinto(bytes(8))  # wrong
Writer(tensors, [("a", 1)])  # wrong
burnpack.reader_of("a")  # wrong
nn.Conv2d(1, 8)  # wrong
nn.LSTM(8)  # wrong
PyTorchToBurnAdapter().chain(Nothing())  # wrong
BurnpackStore().skip_enum_variants(True)  # wrong
Reader.from_stream("a")  # wrong
float(value)  # wrong
value[0] = 1.0  # wrong
nn.ModuleDict([net.convolution])  # wrong
"""


def modules(suffix):
    """Return {module: its file} for all files with this suffix."""
    found = {}
    for folder in FOLDERS:
        for path in folder.rglob("*" + suffix):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


STUBS = modules(".pyi")
SOURCES = modules(".py")
ON_BOARDS = [name for name in SOURCES if FOR_BOARDS.search(SOURCES[name].read_text(encoding="utf-8"))]
EVERYWHERE = [name for name in SOURCES if name not in ON_BOARDS]
# Whose decorators give annotations a meaning of their own, or whose code is no Python, and their packages.
NATIVE = ("thumb_dsp", "thumb_m3", "thumb_m0", "thumb_fpu", "viper")
WITH_TWINS = {name for name in SOURCES if any(part in NATIVE for part in name.split("."))}
# What gives its names when they are first used: a checker would take any name for one of them.
LAZY_PACKAGES = {name for name in SOURCES if "def __getattr__" in SOURCES[name].read_text(encoding="utf-8")}


def is_package(module):
    return SOURCES[module].name == "__init__.py"


def handed_on(module):
    """Return the names that a stub takes from other modules and hands on."""
    said = ast.parse(STUBS[module].read_text(encoding="utf-8")).body
    imported = [alias for node in said if isinstance(node, ast.ImportFrom) for alias in node.names]
    assigned = [target for node in said if isinstance(node, ast.Assign) for target in node.targets]
    names = {alias.asname for alias in imported if alias.asname} | {target.id for target in assigned}
    return {name for name in names if not name.startswith("_")}


def lazy_names(module):
    """Return the names that a package imports when they are first used."""
    tables = [getattr(importlib.import_module(module), table, ()) for table in LAZY]
    return {name for table in tables for name in names_in(table)}


def names_in(table):
    """Return the names in a table, which are its keys, or in the lines of a text all words but the first."""
    if isinstance(table, str):
        return [name for line in table.splitlines() for name in line.split()[1:]]
    return list(table)


def run(*words):
    """Return what the checker printed, and its exit code."""
    paths = os.pathsep.join(PATHS)
    environment = {**os.environ, "PYTHONPATH": paths, "MYPYPATH": paths}
    words = [sys.executable, "-m", *words]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    return done.stdout + done.stderr, done.returncode


def test_only_what_cpython_cannot_run_has_its_types_beside_it():
    assert [name for name in ON_BOARDS if "@micropython" in SOURCES[name].read_text(encoding="utf-8")]
    assert {name for name in STUBS if name.split(".")[-1] != "types"} == WITH_TWINS | {
        name for name in LAZY_PACKAGES if is_package(name)
    }


@pytest.mark.parametrize("name", [name for name in EVERYWHERE if lazy_names(name)])
def test_names_that_are_imported_when_used_have_types(name):
    assert lazy_names(name) <= handed_on(name)


def parameters(function):
    """Return what a function takes: names, kinds and defaults."""
    found = inspect.signature(function).parameters.values()
    return [(each.name, each.kind, each.default) for each in found]


@pytest.mark.parametrize("kernel", sorted(kernels_of("burnrt.kernels.plain").keys() - {"lookup"}))
def test_every_set_of_kernels_takes_the_arguments_that_the_plain_one_takes(kernel):
    others = [name for name in kernels.SETS if name != "plain" and kernels._choice.runs(name)]
    assert "numpy" in others
    for name in others:
        function = getattr(importlib.import_module("burnrt.kernels." + name), kernel, None)
        if function is not None:
            assert parameters(function) == parameters(getattr(plain, kernel)), name


def test_a_checker_takes_what_is_right_and_refuses_what_is_wrong(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    cache = str(tmp_path / "cache")
    text, _ = run("mypy", "--strict", "--config-file=", "--cache-dir", cache, "--no-pretty", str(program))
    refused = {int(line.split(":")[1]) for line in text.splitlines() if ": error:" in line}
    lines = enumerate(PROGRAM.splitlines(), 1)
    assert refused == {number for number, line in lines if line.endswith("# wrong")}, text
