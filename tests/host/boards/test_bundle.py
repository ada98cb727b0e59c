"""The runtime in one file answers as the packages do, with what its models need and no more."""

import json
import os
import struct
import subprocess

import numpy as np
import pytest

from burnpack.errors import BurnpackError, Malformed, NotFound, Unsupported
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import functional as F
from burnrt import nn, tensor
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.bundle import bundle
from burnstore.boards.runtime.cross import ARCHITECTURES
from burnstore.programs.uses import STATES, Uses, uses_of
from kit.boards.freezing import run
from kit.int8.small_int8 import INPUT, OUTPUT, STEPS, Parts
from kit.int8.small_program import Program, end
from kit.int8.unicorn_thumb import functions
from kit.models.programs import One, file_of, noise
from tools import interpreters

INTEGERS = tuple("int8." + operation for operation, _, _ in STEPS)
DIGITS = ("int8.conv2d", "int8.linear", "int8.max_pool2d")

SCRIPT = """
from burnrt import KERNELS, Malformed, Model, VERSION
model = Model("net")
model.input[:] = %r
model.run()
print(bytes(model.output) == %r, sorted(KERNELS) == %r, VERSION)
try:
    Model(open("net.bpk", "rb").read()[:-400])
except Malformed as error:
    print(error)
try:
    import burnpack
except ImportError:
    print("alone")
"""


def answers(folder, script, interpreter="unix"):
    """Return what a script prints on MicroPython, which sees what is in the folder and nothing else."""
    try:
        found = interpreters.find(interpreter)
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    (folder / "script.py").write_text(script)
    words = found.command(folder / "script.py", [], 1 << 20, [folder])
    environment = {**os.environ, "MICROPYPATH": str(folder)}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def uses(*steps):
    return [Uses(steps, ())]


@pytest.mark.parametrize("name,march", (("burnrt.mpy", "x64"), ("burnrt.mpy", None), ("burnrt.py", None)))
def test_a_bundle_answers_alone_as_the_packages_do(tmp_path, name, march):
    data = Parts().to_bytes()
    (tmp_path / "net.bpk").write_bytes(data)
    done = run("bundle", tmp_path / "net.bpk", "-o", tmp_path / name, *(["--march", march] if march else []))
    assert done.returncode == 0, done.stderr
    said, cut, alone = answers(tmp_path, SCRIPT % (bytes(INPUT), OUTPUT, sorted(INTEGERS)))
    assert said.startswith("True True 0.") and alone == "alone" and "expected" in cut


def test_a_bundle_of_floats_answers_alone_as_the_packages_do(tmp_path):
    layer = nn.Linear(3, 2)
    layer.weight.data = struct.pack("<6f", 1.5, -2, 0.25, 4, 8, -1)
    layer.bias.data = struct.pack("<2f", 0.5, -3)
    (tmp_path / "net.bpk").write_bytes(file_of(One(layer), (1, 3))[0])
    done = run("bundle", tmp_path / "net.bpk", "-o", tmp_path / "burnrt.mpy")
    assert done.returncode == 0, done.stderr
    script = "from burnrt import Model\nprint(list(Model('net')([1, 2, 4]).data))"
    assert answers(tmp_path, script) == ["[34.5, -1.0]"]


ROOTS = "sqrt rsqrt exp expm1 log log1p".split()
EACH = "sin cos tan erf floor ceil round trunc".split()

# Functions of x, [2, 3], y, [2, 1], and z, [1, 3].
FUNCTIONS = (
    lambda x, y, z: F.where(F.lt(x, y), y + z, y * z) - F.minimum(x, z) / F.maximum(F.abs(y), 0.5),
    lambda x, y, z: F.abs(x) ** z + x // 0.7 + x % 0.7 + F.fmod(x, 0.7),
    lambda x, y, z: sum([getattr(F, name)(F.abs(x) + 0.5) for name in ROOTS], x),
    lambda x, y, z: sum([getattr(F, name)(x) for name in EACH], x),
    lambda x, y, z: F.cumsum(x, 0) + F.sum(x, 0, True) + F.var(x, 1, keepdim=True) + F.prod(x, 1, True),
    lambda x, y, z: F.amax(x, 0, True) * F.argmin(x, 1, True) + F.amin(x, 1, True) * F.argmax(x, 0, True),
    lambda x, y, z: F.matmul(F.cat([x.reshape(6, 1, 1)] * 3), z.reshape(1, 1, 3)).reshape(2, 27),
)


class Computing(nn.Module):
    def forward(self, *inputs):
        return F.cat([function(*inputs) for function in FUNCTIONS], 1)


@pytest.mark.parametrize("march", ([], ["--march", "x64"]))
def test_a_bundle_computes_functions_of_values(tmp_path, march):
    inputs = noise(2, 3), noise(2, 1), noise(1, 3)
    data = file_of(Computing(), *[given.shape for given in inputs])[0]
    assert len(set(uses_of(Reader.from_static(data)).steps)) > 30
    (tmp_path / "net.bpk").write_bytes(data)
    done = run("bundle", tmp_path / "net.bpk", "-o", tmp_path / "burnrt.mpy", *march)
    assert done.returncode == 0, done.stderr
    given = [given.reshape(-1).tolist() for given in inputs]
    (said,) = answers(tmp_path, f"from burnrt import Model\nprint(list(Model('net')(*{given}).data))")
    wanted = np.asarray(Computing()(*map(tensor, inputs))).reshape(-1)
    np.testing.assert_allclose(json.loads(said), wanted, rtol=1e-5, atol=1e-5)


def test_a_bundle_without_a_kernel_says_which_is_missing(tmp_path):
    (tmp_path / "burnrt.py").write_text(bundle(uses("int8.linear")).source)
    (tmp_path / "net.bpk").write_bytes(Parts().to_bytes())
    script = (
        "import burnrt\ntry:\n    burnrt.Model('net')\nexcept burnrt.Malformed as error:\n    print(error)"
    )
    (said,) = answers(tmp_path, script)
    assert "not bundled for this model (expected int8.linear, found int8.conv2d)" in said


@pytest.mark.parametrize(
    "output,what",
    (
        (
            end((1, 4), 8, 0.5, 0, 1),
            "not bundled for this model (expected int8.lookup, found log_softmax, states)",
        ),
        (end((1, 1), 8), "(expected 1 to 1, found 0)"),
    ),
)
def test_a_bundle_refuses_an_output_that_it_has_no_code_for(tmp_path, output, what):
    (tmp_path / "burnrt.py").write_text(bundle(uses("int8.lookup")).source)
    parts = Program(16, [end((1, 4), 0, 0.5)], [output])
    parts.weights["table"] = bytes(256)
    parts.step("int8.lookup", ("weight", "table"), 256, 0, 0, 8, 0, 255, 0, 0, 4)
    parts.names = ["int8.lookup"]
    (tmp_path / "net.bpk").write_bytes(parts.to_bytes())
    script = (
        "import burnrt\ntry:\n    burnrt.Model('net')\nexcept burnrt.Malformed as error:\n    print(error)"
    )
    (said,) = answers(tmp_path, script)
    assert what in said


TRIED = """
try:
    burnrt.Model("%s")
    print("runs")
except burnrt.Malformed as error:
    print(error)
"""


@pytest.mark.parametrize("ends", ((), ("log_softmax",), (STATES,)))
def test_a_bundle_refuses_states_and_outputs_that_it_has_no_code_for(tmp_path, ends):
    (tmp_path / "burnrt.py").write_text(bundle([Uses(("int8.lookup",), ends)]).source)
    scripts = []
    for name, is_state, is_left in (("state", 1, 0), ("left", 0, 1), ("plain", 0, 0)):
        inputs = [end((1, 4), 0, 0.5), end((1, 4), 4, 0.5, 0, is_state)]
        parts = Program(16, inputs, [end((1, 4), 0, 0.5, 0, is_left)])
        parts.names = ["int8.lookup"]
        (tmp_path / f"{name}.bpk").write_bytes(parts.to_bytes())
        scripts.append(TRIED % name)
    said = answers(tmp_path, "\n".join(["import burnrt", *scripts]))
    for line, needed in zip(said, (STATES, "log_softmax", None), strict=True):
        assert (line == "runs") == (needed in (None, *ends))
        assert line == "runs" or needed in line.rpartition("found")[2]


@pytest.mark.parametrize("architecture", (*ARCHITECTURES, None))
def test_a_bundle_compiles_for_every_processor_with_its_fastest_kernels(architecture):
    made = bundle(uses(*INTEGERS), architecture)
    assert made.compiled()[:2] == b"M\x06"
    sets = {home.split(".")[3] for home in made.kernels.values()}
    thumb = architecture is not None and architecture.startswith("armv") and architecture != "armv6"
    assert ("thumb_m0" in sets) == thumb
    assert ("thumb_dsp" in sets) == (architecture in ("armv7emsp", "armv7emdp"))  # an armv7em may be an M3
    assert ("plain" in sets) == (architecture in (None, "rv64imc"))


@pytest.mark.parametrize("architecture", ("armv6m", "armv7emsp"))
def test_machine_code_in_a_bundle_is_that_of_the_kernels(tmp_path, architecture):
    made = bundle(uses(*DIGITS), architecture)
    source = tmp_path / "burnrt.py"
    source.write_text(made.source)
    found = list(functions(source, architecture).values())
    homes = [(name.partition(".")[2], runtime.modules()[home]) for name, home in made.kernels.items()]
    right = [functions(file, architecture)[name] for name, file in homes]
    assert sorted(found) == sorted(right)


def test_two_models_share_a_bundle_of_both_their_kernels_whatever_their_order():
    one, two = Uses(("int8.linear",), ()), Uses(("int8.add", "int8.linear"), ("log_softmax",))
    made = bundle([one, two], "armv6m")
    assert made == bundle([two, one], "armv6m")
    assert list(made.kernels) == ["int8.add", "int8.linear", "log_softmax"]
    assert len(made.source) < len(bundle(uses(*INTEGERS), "armv6m").source)


def test_a_bundle_of_integers_has_no_code_for_steps_of_floats():
    assert "by_arguments" not in bundle(uses("int8.linear")).source


def test_what_a_program_uses_is_read_from_its_words():
    parts = Program(16, [end((1, 4), 0, 0.5)], [end((1, 4), 8, 0.5, 0, 1)])
    parts.step("int8.lookup", 0, 0, 0)
    parts.names = ["int8.lookup"]
    assert uses_of(Reader.from_static(parts.to_bytes())) == Uses(("int8.lookup",), ("log_softmax",))


def test_a_program_that_is_cut_or_lies_is_one_error():
    parts = Program(16, [end((1, 4), 0)], [end((1, 4), 8)])
    parts.step("relu", 0)
    whole = parts.parts()[0]
    wrong = [whole[:size] for size in range(0, len(whole), 4)]
    for at in range(16, 80, 4):
        lies = [word.to_bytes(4, "little", signed=True) for word in (-1, 1 << 30)]
        wrong += [whole[:at] + lie + whole[at + 4 :] for lie in lies]
    kinds = [outcome(program) for program in wrong]
    assert set(kinds) == {Malformed, None}
    with pytest.raises(NotFound):
        uses_of(Reader.from_static(Writer([]).to_bytes()))


def outcome(program):
    tensor = Tensor("burnrt.program", "I32", (len(program) // 4,), program)
    try:
        uses_of(Reader.from_static(Writer([tensor]).to_bytes()))
    except BurnpackError as error:
        return type(error)
    return None


def test_a_kernel_that_no_board_has_is_refused():
    with pytest.raises(Unsupported) as error:
        bundle(uses("int8.linear", "int8.nothing"))
    assert "int8.nothing" in str(error.value)


def test_the_command_says_what_is_in_a_bundle_and_leaves_files_alone_that_exist(tmp_path):
    (tmp_path / "net.bpk").write_bytes(Parts().to_bytes())
    out = tmp_path / "burnrt.mpy"
    done = run("bundle", tmp_path / "net.bpk", tmp_path / "net.bpk", "-o", out, "--march", "armv6m", "--json")
    said = json.loads(done.stdout)
    assert said["size"] == out.stat().st_size and said["march"] == "armv6m"
    assert said["kernels"]["int8.linear"] == "burnrt.kernels.int8.thumb_m0.dense"
    again = run("bundle", tmp_path / "net.bpk", "-o", out)
    assert again.returncode == 1 and "exists" in again.stderr
    text = run("bundle", tmp_path / "net.bpk", "-o", out, "--overwrite").stdout
    assert "bytes, in bytecode, for any processor" in text and "int8.softmax" in text


def test_the_runtime_of_quantized_digits_stays_within_its_budget():
    assert len(bundle(uses(*DIGITS), "armv6m").compiled()) <= 8_700
