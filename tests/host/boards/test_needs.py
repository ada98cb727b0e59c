"""The table of what a board needs says what MicroPython imports: all of it, and nothing besides."""

import ast
import re

import pytest

from burnpack.errors import BurnpackError
from burnpack.reader import Reader
from burnrt import functional, kernels, nn
from burnrt.checks import named as checks
from burnrt.kernels import families, int8
from burnrt.lengths import LENGTHS
from burnstore.boards.runtime import contents, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.kernel_sets import int8_kernels, runs_on
from burnstore.boards.runtime.needs import HOST_ONLY, NATIVE, table
from burnstore.programs.uses import uses_of
from kit import support
from kit.int8 import int8_golden
from kit.int8.quantizing import quantized_chain
from kit.models.programs import file_of
from tools import interpreters
from tools.check_imports import PACKAGES, ROOT

HERE = "x64"  # the processor whose native code the unix build runs
ON_UNIX = [module for module in table() if runs_on(module, HERE) and module not in needs.SINGLE]
ELSEWHERE = sorted(set(table()) - set(ON_UNIX))
SETS = [*needs.int8_sets(), *(f"burnrt.kernels.{name}" for name in ("thumb_fpu", "ulab", "plain"))]

# Runs each case with its own folder to import from and nothing else; prints what was imported, a bar, and the
# kernels of layers that were looked up.
RUNNER = """
import sys

for folder, code in %r:
    for name in [name for name in sys.modules if name.startswith("burn")]:
        sys.modules.pop(name)
    sys.path[:] = [folder]
    exec(code, {})
    brought = sorted([name for name in sys.modules if name.startswith("burn")])
    kernels = sys.modules.get("burnrt.kernels")
    print(" ".join(brought), "|", " ".join(sorted(kernels._choice._found)) if kernels else "")
"""

LAYER = """
from burnpack.dtype import count
from burnpack.module import walk
from burnrt import nn
from burnrt.value import Value, tensor
SQUARE = (1, 1, 4, 4)
for layer, shape in [%s]:
    for _, _, param in walk(layer):
        param.data = bytes(param.nbytes())
    layer(tensor(bytes(count(shape)), shape))
    plan = layer.plan(shape)
    plan(tensor(bytes(count(shape)), shape))
"""
MODEL = """
from burnrt import nn
class Net(nn.Module):
    def forward(self, x):
        return %s
"""

POOLING = (
    "(nn.MaxPool2d(2), SQUARE), (nn.AvgPool2d(2), SQUARE), (nn.AdaptiveAvgPool2d(2), SQUARE), "
    "(nn.AdaptiveMaxPool2d(3), SQUARE)"
)

# The module of each layer: what there is of it that runs, each with the shape of an input.
RUN = {
    "activation": "(nn.Gelu(), (2, 3)), (nn.Gelu('tanh'), (2, 3)), (nn.SiLU(), (3,)), (nn.Sigmoid(), (3,)), "
    "(nn.Tanh(), (3,))",
    "attention": "(nn.MultiHeadAttention(4, 2), (3, 1, 4))",
    "bidirectional": "(nn.BiGru(2, 3), (4, 1, 2)), (nn.BiLstm(2, 3), (4, 1, 2)), "
    "(nn.BiRnn(2, 3), (4, 1, 2)), (nn.RNN(2, 3, nonlinearity='relu'), (4, 1, 2)), "
    "(nn.GRU(2, 3, reset_after=False), (4, 1, 2))",
    "cells": "(nn.GRUCell(2, 3), (1, 2)), (nn.GRUCell(2, 3, False), (2,)), (nn.LSTMCell(2, 3), (1, 2)), "
    "(nn.RNNCell(2, 3), (1, 2)), (nn.RNNCell(2, 3, nonlinearity='relu'), (1, 2)), "
    "(nn.GRU(2, 3, reset_after=False), (4, 1, 2)), (nn.LSTM(2, 3, input_forget=True), (4, 1, 2))",
    "container": "(nn.Sequential(), (2, 3))",
    "conv": "(nn.Conv1d(1, 2, 3), (1, 1, 5)), (nn.Conv2d(1, 2, 3), (1, 1, 5, 5))",
    "conv_transpose": "(nn.ConvTranspose2d(1, 2, 3), (1, 1, 5, 5))",
    "divided": POOLING + ", (nn.AvgPool2d(2, divisor_override=3), SQUARE)",
    "embedding": "(nn.Embedding(3, 2), (1, 2))",
    "glu": "(nn.GLU(), (2, 4))",
    "group_norm": "(nn.GroupNorm(2, 4), (1, 4, 3)), (nn.InstanceNorm(4), (1, 4, 3))",
    "gru": "(nn.GRU(2, 3), (4, 1, 2)), (nn.GRU(2, 3, 2, reset_after=False), (4, 1, 2))",
    "linear": "(nn.Linear(3, 2), (1, 3))",
    "lstm": "(nn.LSTM(2, 3, 2), (4, 1, 2)), (nn.LSTM(2, 3, input_forget=True), (4, 1, 2))",
    "norm": "(nn.BatchNorm(3), (1, 3, 2)), (nn.LayerNorm(3), (2, 3)), (nn.RmsNorm(3), (2, 3))",
    "pad": "(nn.ZeroPad1d(1), (1, 1, 3)), (nn.ReflectionPad2d(1), (1, 2, 3, 3))",
    "pool": POOLING,
    "pool1d": "(nn.MaxPool1d(2), (1, 1, 4)), (nn.AvgPool1d(2), (1, 1, 4)), "
    "(nn.AdaptiveAvgPool1d(2), (1, 1, 4)), "
    "(nn.AdaptiveMaxPool1d(3), (1, 1, 4))",
    "prelu": "(nn.PReLU(3), (1, 3, 2))",
    "rectifier": "(nn.ReLU(), (3,)), (nn.ReLU6(), (3,)), (nn.LeakyReLU(), (3,)), (nn.HardSigmoid(), (3,)), "
    "(nn.HardSwish(), (3,))",
    "rnn": "(nn.RNN(2, 3), (4, 1, 2)), (nn.RNN(2, 3, 2, 'relu'), (4, 1, 2))",
    "shape": "(nn.Dropout(), (2, 3)), (nn.Flatten(), (1, 3, 2)), (nn.Identity(), (3,))",
    "shrink": "(nn.Hardshrink(), (3,)), (nn.Softshrink(), (3,)), (nn.Tanhshrink(), (3,)), "
    "(nn.Threshold(1, 2), (3,))",
    "shuffle": "(nn.PixelShuffle(2), (1, 4, 2, 2)), (nn.ChannelShuffle(2), (1, 4, 2)), "
    "(nn.Unfold(2, padding=1), (1, 2, 3, 3)), (nn.PixelUnshuffle(1), (1, 1, 2, 2))",
    "smooth": "(nn.SELU(), (3,)), (nn.LogSigmoid(), (3,)), "
    "(nn.CELU(), (3,)), (nn.ELU(), (3,)), (nn.Mish(), (3,)), (nn.Softplus(), (3,)), "
    "(nn.Softsign(), (3,))",
    "softmax": "(nn.Softmax(1), (2, 3)), (nn.LogSoftmax(1), (2, 3)), (nn.Softmin(1), (2, 3))",
    "unflatten": "(nn.Unflatten(1, (2, 3)), (1, 6))",
    "upsample": "(nn.Upsample(scale_factor=2), (1, 1, 2, 2)), (nn.Upsample(2), (1, 1, 1)), "
    "(nn.Upsample(3, mode='linear'), (1, 1, 2))",
}
IN_MODEL = {"add": "x + x", "index": "(x[:, 1:], x[:, ::2])"}

# The module of each function: what is made of `x`, [2, 3], so that it calls all of its kernels.
FUNCTIONS = {
    "activations": "F.relu(x), F.gelu(x)",
    "arithmetic": "x + x, x + y, y + w, x * x, y * w, x - y, x * 2",
    "convolutions": "F.conv1d(x.reshape(1, 2, 3), v), F.conv_transpose1d(v[:, :1], v)",
    "dense": "F.linear(x, w), F.embedding(tensor([1]), x)",
    "dividing": "x / y",
    "attention": "F.scaled_dot_product_attention(x, x, x, scale=2.0), "
    "F.scaled_dot_product_attention(x, x, x[:, :2])",
    "clamping": "F.clamp(x, 0), F.clamp(x, 1)",
    "comparing": "x < y, F.where(x, y, 0), F.minimum(x, y), F.maximum(x, y)",
    "each": "[getattr(F, name)(x) for name in 'abs cos erf exp expm1 log log1p rsqrt sin sqrt tan'.split()]",
    "joining": "F.cat([x, x], 1), F.stack([x, x])",
    "matrices": "F.matmul(x, z), F.matmul(z.reshape(1, 3, 1), y.reshape(2, 1, 1)), F.matmul(x[:, :0], z[:0])",
    "more_activations": "F.glu(x.reshape(3, 2)), F.prelu(x, tensor([1])), F.selu(x), F.threshold(x, 1, 2), "
    "F.softshrink(x), F.hardshrink(x), F.tanhshrink(x), F.mish(x), F.rrelu(x), F.logsigmoid(x)",
    "norms": "F.layer_norm(x, (3,)), F.group_norm(x, 3)",
    "ordering": "F.permute(x, (1, 0)), F.flip(x, (0,)), F.roll(x, 1, 1)",
    "padding": "F.pad(x, (1, 1)), F.pad(x.reshape(1, 2, 3), (1, 1), 'reflect')",
    "parts": "F.chunk(x, 3, 1)",
    "pooling": "F.max_pool1d(x.reshape(1, 2, 3), 2)",
    "powers": "x ** 3",
    "probability": "F.softmax(x, 1)",
    "quantizing": "F.fake_quantize_per_tensor_affine(x, 0.1, 0, 0, 255)",
    "reducing": "[getattr(F, name)(x) for name in 'mean amax amin argmax argmin'.split()], x[:0].sum(), "
    "x.sum(0)",
    "repeating": "F.expand(y, (2, 3)), F.repeat(x, (2, 1))",
    "resizing": "F.interpolate(x.reshape(1, 1, 2, 3), scale_factor=2, mode='bilinear')",
    "rounding": "[getattr(F, name)(x) for name in 'ceil floor round trunc'.split()], x // y, x % y, "
    "F.fmod(x, y)",
    "scaling": "F.normalize(x), F.local_response_norm(x.reshape(1, 2, 3), 2)",
    "selecting": "F.index_select(x, 1, [2, 0, 1, 1])",
    "shuffling": "F.channel_shuffle(x.reshape(1, 2, 3), 2)",
    "statistics": "F.cumsum(x, 1), F.prod(x), F.var(x)",
    "viewing": "F.flatten(x)",
}
CALCULATION = """
from burnrt import functional as F, tensor
x, y = tensor([1, 2, 3, 4, 5, 6], (2, 3)), tensor([1, 2], (2, 1))
z, w, v = tensor([1, 2, 3], (3, 1)), tensor([1, 2, 3], (1, 3)), tensor([1, 2, 3, 4], (1, 2, 2))
"""
# Those that no value goes through, or a layer of another module alone: what calls their kernels is there.
NOT_RUN = (
    "copying declared edges enum geometry hidden layer masked module module_dict moving parameter "
    "recurrent working"
)

WITH_PARAMETERS = {"weights"}  # what `Layer` calls for those layers that have some

QUANTIZED = """
import sys
sys.path.append(%(tests)r)
from kit.int8 import int8_golden
import burnrt.kernels.int8 as kernels
from burnrt.kernels.int8.memory import words
with open(%(golden)r, "rb") as file:
    data = file.read()
for name, arena, weight, constants, row, after, (start, size) in int8_golden.cases(data):
    if name == %(operation)r:
        arena = bytearray(arena)
        given = arena, weight, words(constants), words(row)
        if kernels.home(name) == "viper":  # which takes addresses
            from uctypes import addressof
            given = [addressof(data) for data in (arena, weight, constants, row)]
        getattr(kernels, name)(*given)
        arena[start : start + size] = after[start : start + size]
        assert arena == after
        break
else:
    raise ValueError("no case")
"""


def runs(folder, cases):
    """Run each (modules, code) with these files alone; return (modules imported, kernels looked up)."""
    made = []
    for number, (modules, code) in enumerate(cases):
        home = folder / str(number)
        for module in modules:
            target = home / runtime.file_name(module)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(runtime.modules()[module])
        made.append((str(home), code))
    script = folder / "run.py"
    script.write_text(RUNNER % made)
    try:
        done = interpreters.run("unix", script, heap="16M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout.decode()[-500:] + done.stderr.decode()
    lines = [line.partition("|") for line in done.stdout.decode().splitlines()]
    return [(brought.split(), looked_up.split()) for brought, _, looked_up in lines]


def test_every_file_of_both_packages_is_in_the_table_or_for_computers_alone():
    found = set()
    for package in needs.PACKAGES:
        home = ROOT / PACKAGES[package][0]
        paths = [path.relative_to(home.parent).as_posix() for path in home.rglob("*.py")]
        found |= {runtime.module_in(path) for path in paths}
    assert found - HOST_ONLY == set(table())
    assert found >= HOST_ONLY
    assert all(path.is_file() for path in runtime.modules().values())
    assert [*table()] == sorted(table())


def test_no_module_has_two_rows():
    for package, text in (("burnpack", needs._BURNPACK), ("burnrt", needs._BURNRT)):
        names = [name for name, _ in needs._rows(package, text)]
        assert sorted(set(names)) == sorted(names)


def test_importing_a_module_brings_exactly_what_its_row_says(tmp_path):
    wanted = [runtime.imported([module]) for module in ON_UNIX]
    assert len(ON_UNIX) > 120
    found = runs(
        tmp_path, [(modules, f"import {module}") for module, modules in zip(ON_UNIX, wanted, strict=True)]
    )
    for module, modules, (brought, _) in zip(ON_UNIX, wanted, found, strict=True):
        assert brought == modules, module


@pytest.mark.parametrize("module", ELSEWHERE)
def test_a_module_for_other_processors_imports_what_its_row_says(module):
    tree = ast.parse(runtime.modules()[module].read_text(encoding="utf-8"))
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    named = sorted(found & set(table()))
    assert runtime.imported([module]) == runtime.imported([module, *named])
    assert set(table()[module].imports) <= set(named)


def test_every_layer_runs_with_the_files_of_its_module_alone_and_uses_all_of_them(tmp_path):
    names = {line.split()[0] for line in nn.HOMES.split("\n") if line}
    besides = {"copying", "divided", "edges", "geometry", "hidden", "masked", "moving", "working"}
    assert names | besides == set(RUN) | set(IN_MODEL) | set(NOT_RUN.split())
    codes = {name: LAYER % cases for name, cases in RUN.items()}
    for name, expression in IN_MODEL.items():
        codes[name] = MODEL % expression + LAYER % "(Net(), (2, 3))"
    needed = {}
    for name in codes:
        # What an argument brings comes with the layer that has the argument.
        also = ["burnrt.nn.pool"] if name == "divided" else []
        needed[name] = runtime.needed([f"burnrt.nn.{name}", *also, "burnrt.plan"])
    found = runs(tmp_path, [(needed[name], code) for name, code in codes.items()])
    for name, (brought, looked_up) in zip(codes, found, strict=True):
        listed, used = runtime.kernels_used(needed[name]), set(looked_up)
        assert (name, brought) == (name, needed[name])
        assert (name, used - listed) == (name, set())
        assert (name, listed - used - WITH_PARAMETERS) == (name, set())


def test_every_function_runs_with_the_files_of_its_module_alone_and_calls_the_kernels_of_its_row(tmp_path):
    assert {line.split()[0] for line in functional.HOMES.split("\n") if line} == set(FUNCTIONS)
    common = ["burnrt.views", "burnrt.nn.index"]
    needed = {name: runtime.needed([f"burnrt.functional.{name}", *common]) for name in FUNCTIONS}
    cases = []
    for modules in needed.values():
        own = [name for name in FUNCTIONS if f"burnrt.functional.{name}" in modules]
        code = "\n".join([*(FUNCTIONS[each] for each in own), "x.dim(), x[:, ::2]"])
        cases.append((modules, CALCULATION + code))
    found = runs(tmp_path, cases)
    for name, (brought, looked_up) in zip(needed, found, strict=True):
        assert (name, set(brought) - set(needed[name])) == (name, set())
        assert (name, set(looked_up) - runtime.kernels_used(needed[name])) == (name, set())
    rows = {module: row.kernels for module, row in table().items() if module.startswith("burnrt.functional")}
    used = {kernel for _, looked_up in found for kernel in looked_up}
    assert {kernel for kernels in rows.values() for kernel in kernels} - used == set()


@pytest.mark.parametrize("processor", (None, HERE))
def test_every_operation_on_integers_runs_with_its_files_alone_and_uses_all_of_them(processor, tmp_path):
    common = ["burnrt.kernels.int8", "burnrt.kernels.int8.memory"]
    facts = {"tests": str(ROOT / "tests"), "golden": str(ROOT / int8_golden.PATH)}
    cases = []
    for operation in LENGTHS:
        modules = runtime.needed([*common, *int8_kernels(processor, [operation])])
        cases.append((modules, QUANTIZED % {**facts, "operation": operation}))
    for (modules, _), (brought, _) in zip(cases, runs(tmp_path, cases), strict=True):
        assert brought == modules


PROGRAM = """
from burnrt import Model
model = Model(%r)
model([0.5] * len(model.input))
"""


@pytest.mark.parametrize("processor", (None, HERE))
def test_a_program_runs_with_the_files_of_what_it_calls_alone(processor, tmp_path):
    layers = {"conv": nn.Conv2d(1, 2, 3), "act": nn.Sigmoid(), "flat": nn.Flatten(), "fc": nn.Linear(32, 4)}
    layers["last"] = nn.LogSoftmax(1)
    quantized, model = quantized_chain((1, 6, 6), **layers)
    cases = []
    for number, data in enumerate((quantized.to_bytes(), file_of(model, (1, 1, 6, 6))[0])):
        path = tmp_path / f"{number}.bpk"
        path.write_bytes(data)
        uses = uses_of(Reader.from_static(path.read_bytes()))
        cases.append((runtime.needed(contents.entries(uses, None, processor)), PROGRAM % str(path)))
    runs(tmp_path, cases)


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_the_kernels_that_the_tables_say_and_no_others(name):
    every = {kernel for line in families.FAMILIES.split("\n") for kernel in line.split()[1:]}
    modules = [module for module in table() if module == name or module.startswith(name + ".")]
    found = {}
    for module in modules:
        text = runtime.modules()[module].read_text(encoding="utf-8")
        found |= {
            kernel: module for kernel in re.findall(r"^def (\w+)\(", text, re.MULTILINE) if kernel in every
        }
    listed = needs.kernels_of(name)
    # One table has the kernels of floats and of integers.
    of_floats = {kernel for line in checks.FAMILIES.split("\n") for kernel in line.split()[1:]}
    ours = set(LENGTHS) if ".int8." in name else every - (set(LENGTHS) - of_floats)
    assert {kernel: module for kernel, module in listed.items() if kernel in ours} == found


def test_the_last_sets_have_every_kernel():
    every = {kernel for line in families.FAMILIES.split("\n") for kernel in line.split()[1:]}
    assert set(needs.kernels_of("burnrt.kernels.int8.plain")) >= set(LENGTHS)
    assert set(needs.kernels_of("burnrt.kernels.plain")) | set(LENGTHS) == every
    assert kernels.SETS[-1] == int8.SETS[-1] == "plain"


def test_every_set_of_native_code_is_one_of_the_table():
    assert set(NATIVE) < set(table())
    assert {module for module, _ in needs.UNSURE} < set(NATIVE)


def test_a_name_that_is_no_modules_is_refused():
    for entry in ("burnrt.no_such", "burnrt.advice", "burnrt.no_such.*", ""):
        support.raises(BurnpackError, runtime.needed, [entry])
