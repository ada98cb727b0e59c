"""`burnstore verify` compares answers with those from elsewhere, and `golden --expect` keeps these."""

import math
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import burnstore
from burnpack.errors import BurnpackError
from burnpack.reader import Reader
from burnpack.writer import Writer
from burnrt import Model
from burnstore import cli
from burnstore.models.comparison import DEVIATION, STEPS, TIMES, compare, deviations, measured_of
from burnstore.models.loaded import load_model
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array
from burnstore.pipeline.writing import save_burnpack, save_safetensors
from kit import support
from kit.models.proving import proved, tolerance

DIGITS = support.path("examples/digits/")
DIGITS_NET = f"{DIGITS}model.py:DigitsNet"
X, Y = f"{DIGITS}x.npy", f"{DIGITS}y.npy"  # PyTorch's answers
TWO_OUTPUTS = support.data("reports/two_outputs.pt")
NETS = """\
from burnrt import nn

class Two(nn.Module):
    def __init__(self):
        self.conv = nn.Conv2d(1, 4, 3)
        self.a = nn.Linear(16, 10)
        self.b = nn.Linear(16, 4)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()

    def forward(self, x):
        h = self.flatten(self.relu(self.conv(x)))
        return self.a(h), self.b(h)

class Nested(Two):
    def forward(self, x):
        a, b = super().forward(x)
        return [a, (b, [a])]

class Named(Two):
    def forward(self, x):
        return {"a": super().forward(x)[0]}

class Nothing(Two):
    def forward(self, x):
        return None, super().forward(x)[0]

class Fails(Two):
    def forward(self, x):
        return x.nothing_of_the_kind

class Bare(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)

class Net(Bare):
    def forward(self, x):
        return self.fc(x)

class Sum(Bare):
    def forward(self, x, y):
        return self.fc(x + y)

class Open(Bare):
    def forward(self, x, y=None):
        return self.fc(x if y is None else x + y)

class Any(Bare):
    def forward(self, *given):
        return [self.fc(each) for each in given]

class Echo(Bare):
    def forward(self, x):
        return x
"""
WEIGHT = np.array([[1, -1], [2, 0.5], [-0.25, 3]], "f4")
BIAS = np.array([0.5, -0.5], "f4")
A = np.arange(6, dtype="f4").reshape(2, 3)
B = A[::-1] + 1
# What PyTorch answers with the weights of two_outputs.pt to numpy.linspace(-1, 1, 16) of (1, 1, 4, 4):
#     h = torch.relu(conv(x)).flatten(1); a(h), b(h)
SCORES_A = [
    [
        0.131721,
        -0.0355288,
        -0.214024,
        0.143745,
        -0.0718192,
        0.285218,
        0.408111,
        -0.357733,
        0.375324,
        0.0137489,
    ]
]
SCORES_B = [[-0.11253, 0.109034, 0.0210181, 0.0318973]]


def answers(x):
    return x @ WEIGHT + BIAS


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Go to a folder with nets.py, net.bpk, and arrays with the answers to them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nets.py").write_text(NETS)
    tensors = [tensor_from_array("fc.weight", WEIGHT), tensor_from_array("fc.bias", BIAS)]
    save_burnpack("net.bpk", tensors)
    arrays = {"a": A, "b": B, "of_a": answers(A), "of_b": answers(B), "of_sum": answers(A + B)}
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
    np.save("four.npy", np.linspace(-1, 1, 16, dtype="f4").reshape(1, 1, 4, 4))
    np.save("four_a.npy", np.array(SCORES_A, "f4"))
    np.save("four_b.npy", np.array(SCORES_B, "f4"))
    return tmp_path


def run(command, *words):
    """Run a command; return its exit code. A word with a space stands for several."""
    with pytest.raises(SystemExit) as ended:
        cli.main([command, *(part for word in words for part in str(word).split())])
    return ended.value.code or 0


def golden(path):
    """Return {name: array} of a self-test."""
    reader = Reader.from_bytes(path.read_bytes())
    tensors = (tensor for tensor in reader if tensor.name.startswith("selftest"))
    return {tensor.name: array_from_tensor(tensor).tolist() for tensor in tensors}


def test_pytorchs_answers_are_met_from_every_format(files, capsys):
    words = ("--module", DIGITS_NET)
    assert run("convert", f"{DIGITS}digits.pt digits.bpk", *words) == 0
    assert run("convert", f"{DIGITS}digits.pt digits.safetensors", *words) == 0
    assert run("convert", f"{DIGITS}digits.pt burn.safetensors --to-layout burn", *words) == 0
    capsys.readouterr()
    for model in (f"{DIGITS}digits.pt", "digits.bpk", "digits.safetensors", "burn.safetensors"):
        assert run("verify", model, *words, f"--input {X} --expect {Y}") == 0
        said = capsys.readouterr().out
        assert said.startswith("as expected: 200 numbers in 1 case, largest deviation ")
        assert "(allowed: 0.0001)" in said and "same argmax: 20 of 20 rows (100.00 %)" in said


def test_a_quantized_model_is_asked_row_by_row_and_allowed_steps_of_its_output(files, capsys):
    assert run("convert", f"{DIGITS}digits.pt digits.bpk --module", DIGITS_NET) == 0
    assert (
        run(
            "quantize",
            "digits.bpk --module",
            DIGITS_NET,
            f"--calibrate {X} -o d8.bpk",
        )
        == 0
    )
    capsys.readouterr()
    assert run("verify", f"d8.bpk --input {X} --expect {Y}") == 0
    said = capsys.readouterr().out
    assert "200 numbers in 20 cases" in said and f"{STEPS} steps of" in said and "of 20 rows" in said
    assert run("verify", f"d8.bpk --input {X} --expect {Y} --tolerance 0.001") == 1
    assert "--tolerance allows more" in capsys.readouterr().out
    assert run("verify", f"d8.bpk --input {X} --expect {Y} --module", DIGITS_NET) == 0
    assert "--module is not needed" in capsys.readouterr().err


def test_what_of_the_file_the_model_leaves_out_is_told(files, capsys):
    tensors = [("fc.weight", WEIGHT), ("fc.bias", BIAS), ("norm.gamma", BIAS), ("selftest.input.0", A)]
    save_burnpack("more.bpk", [tensor_from_array(name, array) for name, array in tensors])
    words = ("--module nets.py:Net", "--input a.npy", "--expect of_a.npy")
    assert run("verify", "more.bpk", *words) == 0
    assert capsys.readouterr().err == "left out, as the module has no place for them: norm.gamma\n"
    assert run("verify", "net.bpk", *words) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "verify turned.bpk --input a.npy --expect of_a.npy",
        "golden turned.bpk out.bpk --input a.npy",
        "quantize turned.bpk --calibrate a.npy -o out.bpk",
        "convert turned.bpk out.bpk",
    ],
)
def test_what_does_not_fit_is_told_in_lines_with_an_option_that_works(files, capsys, words):
    save_burnpack(
        "turned.bpk", [tensor_from_array("fc.weight", WEIGHT.T), tensor_from_array("fc.bias", BIAS)]
    )
    assert run(*words.split(), "--module nets.py:Net") == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == (
        "help: the file fits in PyTorch's names and layout: convert --from-layout pytorch reads these"
    )
    assert "fc.weight: ShapeMismatch (expected [3, 2], found [2, 3])" in lines
    assert run("convert", "turned.bpk out.bpk --module nets.py:Net --from-layout pytorch") == 0


def test_a_file_of_which_the_module_takes_nothing_is_told_in_lines(files, capsys):
    assert run("convert", "net.bpk out.bpk --module nets.py:Echo --allow-partial --rename fc=other") == 1
    assert "unused: other.weight" in capsys.readouterr().err.splitlines()


def test_what_is_off_most_is_told_with_its_place(files, capsys):
    wrong = answers(A)
    wrong[1, 0] += 0.5
    np.save("wrong.npy", wrong)
    words = "net.bpk --module nets.py:Net --input b.npy --input a.npy --expect of_b.npy --expect wrong.npy"
    assert run("verify", words) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("NOT as expected: 8 numbers in 2 cases, largest deviation 0.0")
    assert said[1] == f"case 1, output 0 at [1, 0]: expected {wrong[1, 0]:.9g}, found {answers(A)[1, 0]:.9g}"
    assert run("verify", words, "--tolerance 0.5") == 0


@pytest.mark.parametrize("number", (math.nan, math.inf, -math.inf))
def test_what_is_not_finite_is_off_beyond_any_tolerance_unless_it_is_expected(files, capsys, number):
    wrong = answers(A)
    wrong[0, 1] = number
    np.save("wrong.npy", wrong)
    assert (
        run("verify", "net.bpk --module nets.py:Net --input a.npy --expect wrong.npy --tolerance 1e300") == 1
    )
    said = capsys.readouterr().out
    assert "deviation inf" in said and "at [0, 1]" in said
    tensors = [tensor_from_array("fc.weight", WEIGHT), tensor_from_array("fc.bias", np.full(2, number, "f4"))]
    save_burnpack("odd.bpk", tensors)
    np.save("odd.npy", np.full((2, 2), number))
    assert run("verify", "odd.bpk --module nets.py:Net --input a.npy --expect odd.npy") == 0
    assert "largest deviation 0 " in capsys.readouterr().out


@given(st.floats(width=32), st.floats(width=32))
def test_a_deviation_is_a_part_of_what_is_expected_or_of_1(found, wanted):
    (ours,) = deviations(np.array([found]), np.array([wanted]))
    off = abs(found - wanted) / max(1.0, abs(wanted))
    if found == wanted or (math.isnan(found) and math.isnan(wanted)):
        off = 0.0
    assert ours == pytest.approx(math.inf if math.isnan(off) else off, rel=1e-12)


def test_files_with_names_hold_inputs_and_answers_of_a_case(files, capsys):
    one, two = {"input0": A, "output0": answers(A)}, {"input0": B, "output0": answers(B)}
    np.savez("one.npz", **one)
    np.savez_compressed("two.npz", **two)
    save_safetensors("one.safetensors", [tensor_from_array(*pair) for pair in one.items()])
    for words in (
        "--input one.npz",
        "--input one.safetensors",
        "--input one.npz --expect one.npz",
        "--input one.npz --expect of_a.npy",
        "--input a.npy --expect one.safetensors",
        "--input one.npz --input two.npz",
        "--input a.npy --input two.npz --expect of_a.npy --expect two.npz",
        "--input a.npy --input b.npy --expect of_a.npy --expect of_b.npy",
        "--input a.npy --expect of_a.npy --cases 1",
        "--input a.npy --input b.npy --expect of_a.npy --expect of_b.npy --cases 9",
    ):
        assert run("verify", "net.bpk --module nets.py:Net", words) == 0, words
        assert capsys.readouterr().out.startswith("as expected: "), words


@pytest.mark.parametrize(
    ("name", "words", "cases"),
    (
        ("Sum", "--input a.npy --input b.npy --expect of_sum.npy", 1),
        (
            "Sum",
            "--input a.npy --input b.npy --input b.npy --input a.npy --expect of_sum.npy --expect of_sum.npy",
            2,
        ),
        ("Sum", "--input both.npz --expect of_sum.npy", 1),
        ("Open", "--input a.npy --input b.npy --expect of_a.npy --expect of_b.npy", 2),
        ("Open", "--input both.npz --expect of_sum.npy", 1),
        ("Any", "--input a.npy --input b.npy --expect of_a.npy --expect of_b.npy", 1),
    ),
)
def test_a_model_takes_as_many_arrays_as_it_must_be_given(files, capsys, name, words, cases):
    np.savez("both.npz", input0=A, input1=B)
    assert run("verify", f"net.bpk --module nets.py:{name}", words) == 0
    assert f" in {cases} case" in capsys.readouterr().out
    assert run("golden", f"net.bpk g.bpk --module nets.py:{name}", words) == 0
    data = (files / "g.bpk").read_bytes()
    off = proved(data, load_model("net.bpk", f"nets.py:{name}"))
    assert len(off) == cases and max(off) <= tolerance(data)


@pytest.mark.parametrize(("name", "more"), (("Two", ""), ("Nested", "--expect four_a.npy")))
def test_all_outputs_are_compared_in_order(files, capsys, name, more):
    words = f"{TWO_OUTPUTS} --module nets.py:{name} --input four.npy"
    assert run("verify", words, "--expect four_a.npy --expect four_b.npy", more) == 0
    np.save("off.npy", np.array(SCORES_B) + 1)
    assert run("verify", words, "--expect four_a.npy --expect off.npy", more) == 1
    assert "output 1 at " in capsys.readouterr().out


def test_a_self_test_covers_all_outputs(files, capsys):
    assert run("convert", f"{TWO_OUTPUTS} two.bpk --module nets.py:Two") == 0
    words = "two.bpk g.bpk --module nets.py:Two --input four.npy --expect four_a.npy --expect four_b.npy"
    assert run("golden", words) == 0
    found = golden(files / "g.bpk")
    assert np.allclose(found["selftest.output.0.1"], SCORES_B) and found["selftest.output.0"]
    data = (files / "g.bpk").read_bytes()
    (off,) = proved(data, load_model("g.bpk", "nets.py:Two"))
    assert off <= tolerance(data)
    assert run("golden", "two.bpk h.bpk --module nets.py:Two --shape 2,1,4,4 --cases 3") == 0
    assert len(golden(files / "h.bpk")) == 9
    assert run("convert", "two.bpk p.bpk --module nets.py:Two --shape 1,1,4,4") == 0
    capsys.readouterr()
    assert run("fit", "p.bpk --board pico") == 0
    said = capsys.readouterr().out
    assert re.search(r"^a +linear", said, re.MULTILINE) and re.search(r"^b +linear", said, re.MULTILINE), said
    np.save("x.npy", np.ones((4, 1, 4, 4)))
    assert run("quantize", "two.bpk --module nets.py:Two --calibrate x.npy -o q.bpk") == 0
    assert "error of output 1" in capsys.readouterr().out and (files / "q.bpk").exists()


def test_a_model_of_several_inputs_is_measured_and_not_quantized(files, capsys):
    assert run("convert", "net.bpk p.bpk --module nets.py:Sum --shape 1,3 --shape 1,3") == 0
    assert run("fit", "p.bpk --board pico") == 0
    assert re.search(r"^fc +linear", capsys.readouterr().out, re.MULTILINE)
    assert run("golden", "net.bpk g.bpk --module nets.py:Sum --shape 1,3 --shape 1,3") == 0
    assert set(golden(files / "g.bpk")) == {"selftest.input.0", "selftest.input.0.1", "selftest.output.0"}
    capsys.readouterr()
    for command in (
        "quantize net.bpk --module nets.py:Sum --calibrate a.npy -o q.bpk",
        "golden net.bpk h.bpk --module nets.py:Sum --shape 1,3",
        "golden net.bpk h.bpk --module nets.py:Net --shape 1,3 --shape 1,3",
        "convert net.bpk h.bpk --module nets.py:Sum --shape 1,3",
        "convert net.bpk h.bpk --module nets.py:Net --shape 1,3 --shape 1,3",
    ):
        assert run(*command.split(" ", 1)) == 1
        said = capsys.readouterr()
        assert said.err.count("\n") == 1 and "inputs" in said.err and not said.out


def test_golden_puts_answers_from_elsewhere_into_the_self_test(files, capsys):
    near = answers(A) + np.float32(1e-5)
    np.save("near.npy", near)
    words = "net.bpk g.bpk --module nets.py:Net --input a.npy --expect near.npy"
    assert run("golden", words) == 0
    assert "largest deviation 5e-06 (allowed: 0.0001)" in capsys.readouterr().out
    assert golden(files / "g.bpk")["selftest.output.0"] == near.tolist()
    assert run("golden", words, "--overwrite --cases 2") == 0
    found = golden(files / "g.bpk")
    assert found["selftest.input.1"] == A[1:].tolist() and found["selftest.output.1"] == near[1:].tolist()
    np.savez("io.npz", input0=A, output0=near)
    assert run("golden", "net.bpk g.bpk --module nets.py:Net --input io.npz --overwrite") == 0
    assert golden(files / "g.bpk")["selftest.output.0"] == near.tolist()


def test_golden_refuses_answers_beyond_the_tolerance_and_writes_nothing(files, capsys):
    words = "net.bpk g.bpk --module nets.py:Net --input a.npy --expect of_b.npy"
    assert run("golden", words) == 1
    said = capsys.readouterr()
    assert "NOT as expected" in said.out and "nothing is written" in said.err and said.err.count("\n") == 1
    assert not (files / "g.bpk").exists()
    assert run("golden", words, "--tolerance 100") == 0


def test_a_quantized_self_test_may_hold_pytorchs_answers(files, capsys):
    assert run("convert", f"{DIGITS}digits.pt digits.bpk --module", DIGITS_NET) == 0
    assert run("quantize", "digits.bpk --module", DIGITS_NET, f"--calibrate {X} -o d8.bpk") == 0
    assert run("golden", f"d8.bpk g.bpk --input {X} --expect {Y} --cases 3") == 0
    data = (files / "g.bpk").read_bytes()
    off = proved(data)
    assert len(off) == 3 and 0 < max(off) <= tolerance(data)
    assert tolerance(data) == pytest.approx(STEPS * Model(data).outputs[0].scale)
    assert golden(files / "g.bpk")["selftest.output.2"] == np.load(Y)[2:3].tolist()


REFUSED = {
    "no answers": (1, "Net --input a.npy", "--expect is needed"),
    "no inputs": (2, "Net --expect a.npy", "--expect goes with --input"),
    "a wrong tolerance": (2, "Net --input a.npy --expect of_a.npy --tolerance nan", "a number from 0 on"),
    "no module": (1, "", "--module names"),
    "another shape of the input": (1, "Net --input of_a.npy --expect of_a.npy", "wrong input shape"),
    "another shape of the output": (
        1,
        "Net --input a.npy --expect a.npy",
        "output 0: the model's answer has",
    ),
    "an answer too few": (1, "Any --input a.npy --input a.npy --expect of_a.npy", "1 too many or 1 too few"),
    "an answer too many": (
        1,
        "Net --input a.npy --expect of_a.npy --expect of_a.npy",
        "another number of cases",
    ),
    "an input too few": (1, "Sum --input a.npy --expect of_a.npy", "the files of inputs: 1 too many"),
    "rows too few": (1, "Net --input a.npy --expect row.npy --cases 2", "as many rows"),
    "too many inputs": (1, "Net --input both.npz --expect of_a.npy", "another number of inputs"),
    "no rows": (1, "Net --input empty.npy --expect empty.npy", "one at least"),
    "no pass": (1, "Bare --input a.npy --expect of_a.npy", "has no forward pass"),
    "a pass that fails": (1, "Fails --input four.npy --expect four_a.npy", "Fails: "),
    "a dict": (1, "Named --input four.npy --expect four_a.npy", "(found dict)"),
    "nothing": (1, "Nothing --input four.npy --expect four_a.npy", "(found NoneType)"),
    "no file": (1, "Net --input a.npy --expect none.npy", "none.npy: No such file"),
    "a key": (1, "Net --input a.npy --expect of_a.npy --top-level-key x", "only PyTorch checkpoints"),
    "a class that is not filled": (1, "Two --input a.npy --expect of_a.npy", "conv"),
}


@pytest.mark.parametrize(("code", "words", "what"), REFUSED.values(), ids=REFUSED)
def test_what_can_not_be_compared_is_refused(files, capsys, code, words, what):
    np.save("row.npy", answers(A)[:1])
    np.save("empty.npy", A[:0])
    np.savez("both.npz", input0=A, input1=B)
    name, _, rest = words.partition(" ")
    heads = "Fails Named Nothing".split()
    model = TWO_OUTPUTS if name in heads else "net.bpk"
    module = f"--module nets.py:{name}" if name else "--input a.npy --expect of_a.npy"
    assert run("verify", model, module, rest) == code
    said = capsys.readouterr()
    assert what in said.err and not said.out
    assert said.err.count("\n") == 1 or name == "Two", said.err  # which says what is missing


def test_a_quantized_file_without_its_program_is_refused_in_one_line(files, capsys):
    save_burnpack("odd.bpk", [tensor_from_array("fc.bias", BIAS)], [("burnrt.version", "1")])
    assert run("verify", "odd.bpk --input a.npy --expect of_a.npy") == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_what_an_autoencoder_answers_are_no_scores(files, capsys):
    assert run("verify", "net.bpk --module nets.py:Echo --input a.npy --expect a.npy") == 0
    assert "argmax" not in capsys.readouterr().out


def test_it_can_be_called_in_python(files):
    model = load_model("net.bpk", "nets.py:Net")
    found = burnstore.verify(model, A, answers(A))
    assert found.passed and found.largest < 1e-6 and (found.rows, found.agreeing) == (2, 2)
    assert not burnstore.verify(model, A, answers(B)).passed
    both = load_model("net.bpk", "nets.py:Sum")
    assert burnstore.verify(both, [A, B], [answers(A + B)]).passed
    with pytest.raises(BurnpackError, match="another shape"):
        burnstore.verify(model, A, A)


def test_what_the_readme_shows_is_what_is_said(files, capsys):
    text = Path(support.path("README.md")).read_text(encoding="utf-8")
    shown = text.partition("\n$ burnstore convert ")[2].partition("\n$ burnstore quantize")[0]
    for name in ("digits.pt2", "x.npy", "y.npy"):
        shutil.copy(f"{DIGITS}{name}", files)
    for part in f"convert {shown}".split("\n$ burnstore "):
        words, *lines = part.splitlines()
        assert run(*words.split(" ", 1)) == 0
        said = re.sub(r"\d(\.\d+)?e-\d+", "0", "".join(capsys.readouterr()))  # as this computer adds up
        assert all(re.sub(r"\d(\.\d+)?e-\d+", "0", line) in said for line in lines if line != "..."), said


def test_a_program_in_floats_is_verified_and_tested_without_its_class(files, capsys):
    assert run("convert", "net.bpk sum.bpk --module nets.py:Sum --shape 1,3 --shape 1,3") == 0
    assert run("convert", f"{TWO_OUTPUTS} two.bpk --module nets.py:Two --shape 1,1,4,4") == 0
    for words, cases in (
        ("sum.bpk --input a.npy --input b.npy --expect of_sum.npy", 2),  # a row each: the batch is 1
        ("two.bpk --input four.npy --expect four_a.npy --expect four_b.npy", 1),
    ):
        assert run("verify", words) == 0
        source, rest = words.split(" ", 1)
        assert run("golden", f"{source} g.bpk --overwrite --cases 9", rest) == 0
        data = (files / "g.bpk").read_bytes()
        off = proved(data)
        assert len(off) == cases and max(off) <= tolerance(data)
    np.save("off.npy", answers(A + B) + 1)
    assert run("verify", "sum.bpk --input a.npy --input b.npy --expect off.npy") == 1
    assert "NOT as expected" in capsys.readouterr().out


def test_a_class_that_says_a_batch_of_one_is_run_row_by_row(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("one.py").write_text(
        "from burnrt import nn\n\n\nclass One(nn.Module):\n    input_shape = (1, 3)\n\n"
        "    def __init__(self):\n        self.fc = nn.Linear(3, 2)\n\n"
        "    def forward(self, x):\n        return self.fc(x.reshape(1, 3))\n"
    )
    weight, bias = np.float32([[1, 0], [0, 1], [1, 1]]), np.zeros(2, np.float32)
    save_burnpack("one.bpk", [tensor_from_array("fc.weight", weight), tensor_from_array("fc.bias", bias)])
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save("x.npy", x)
    np.save("y.npy", x @ weight)
    with pytest.raises(SystemExit) as ended:
        cli.main(["verify", "one.bpk", "--module", "one.py:One", "--input", "x.npy", "--expect", "y.npy"])
    assert not ended.value.code
    assert "in 2 cases" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("measured", "allowed", "why"),
    [(0.001, STEPS * 0.5, ""), (3.0, TIMES * 3.0, ": 2 times what it was off by when it was quantized")],
    ids=["steps", "more"],
)
def test_a_quantized_model_is_allowed_more_where_it_was_off_by_more_when_it_was_made(measured, allowed, why):
    outputs = [SimpleNamespace(scale=0.25), SimpleNamespace(scale=0.5)]
    model = Model.__new__(Model)
    model.outputs = outputs
    given, answers = [[np.zeros((1, 2))]], [[np.ones((1, 2))]]
    found = compare(model, given, answers, answers, measured=measured)
    assert found.tolerance == allowed and f"the scale of the output{why})" in str(found)
    writer = Writer([], [], [(DEVIATION, measured)])
    assert measured_of(Reader.from_bytes(writer.to_bytes())) == measured
    assert measured_of(Reader.from_bytes(Writer([], [], [(DEVIATION, float("nan"))]).to_bytes())) == 0.0
