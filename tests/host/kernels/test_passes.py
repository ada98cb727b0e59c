"""Whatever goes wrong in a user's forward pass is one line, in every command that runs or follows it."""

import subprocess
import sys

import numpy as np
import pytest

from burnpack.errors import BurnpackError, LoadFailed, Unsupported
from burnpack.module import walk
from burnrt import tensor
from burnstore import BurnpackStore, open_model
from burnstore.cli import main
from burnstore.models.model import load_runnable
from kit import support

SOURCE = """
from burnrt import nn

class Block(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(4, 4)
        self.conv = nn.Conv1d(7, 2, 3)
        self.lstm = nn.LSTM(4, 4)
        self.rows = nn.Sequential(nn.LSTM(4, 4), nn.Linear(4, 4))

    def forward(self, x):
        return %s

    def endless(self, x):
        return self.endless(x)

class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(4, 4)
        self.blocks = nn.ModuleList([Block()])

    def forward(self, x):
        return self.fc(self.blocks[0](self.fc(x)))
"""
LINE = 12  # of the pass in the block

# what the block does, what the line says of it
WRONG = (
    ("x.numpy()", "blocks.0 (Block): x.numpy can't be done with a value; instead: numpy.asarray(x)"),
    ("x.mean(5)", "blocks.0 (Block): no such dimension (expected -3 to 2, found 5)"),
    ("x.permute(0, 1)", "blocks.0 (Block): dims: each dimension once"),
    ("x if x else x", "blocks.0 (Block): if x, bool(x) can't be done"),
    ("float(x)", "blocks.0 (Block): float(x) can't be done"),
    ("x[[0]]", "blocks.0 (Block): x[index] takes ints, slices of ints, ... and None"),
    ("x[:, 9]", "blocks.0 (Block): its forward pass fails: IndexError: 9 is beyond a dimension of 3"),
    ("x.reshape(5)", "blocks.0 (Block): wrong number of values (expected 5, found 12)"),
    ("x.view(5)", "blocks.0 (Block): wrong number of values (expected 5, found 12)"),
    (
        "self.conv(x)",
        "blocks.0.conv (Conv1d): wrong input shape (expected [batch, 7, length], found [1, 3, 4])",
    ),
    ("self.rows(x)", "blocks.0.rows.1 (Linear): takes one value"),
    ("self.lstm(x, 3)[0]", "blocks.0.lstm (Lstm): wrong state"),
    ("self.fc()", "blocks.0.fc (Linear): its forward pass fails: TypeError"),
    ("self.fc(x, x, x)", "blocks.0.fc (Linear): its forward pass fails: TypeError"),
    ("self.fc(x, scale=2)", "blocks.0.fc (Linear): its forward pass fails: TypeError"),
    ("self.fc2(x)", "blocks.0 (Block): its forward pass fails: AttributeError"),
    ("no_such_name", "blocks.0 (Block): its forward pass fails: NameError: name 'no_such_name'"),
    ("{}['a\\n']", "blocks.0 (Block): its forward pass fails: KeyError"),
    ("1 / 0", "blocks.0 (Block): its forward pass fails: ZeroDivisionError"),
    ("exit(3)", "blocks.0 (Block): its forward pass fails: SystemExit: 3"),
)
COMMANDS = (
    ("golden", "{bpk}", "{target}", "--shape", "1,3,4"),
    ("run", "{bpk}", "--input", "{one}", "-o", "{target}"),
    ("convert", "{bpk}", "--shape", "1,3,4", "-o", "{target}"),
    ("quantize", "{bpk}", "--calibrate", "{inputs}", "-o", "{target}"),
)


def written(folder, expression):
    """Write a model, its tensors and inputs; return their places."""
    places = {"model": folder / "net.py", "bpk": folder / "net.bpk", "target": folder / "target.bpk"}
    places["inputs"], places["one"] = folder / "inputs.npy", folder / "one.npy"
    places["model"].write_text(SOURCE % expression, encoding="utf-8")
    samples = np.random.default_rng(0).random((5, 3, 4), np.float32)
    np.save(places["inputs"], samples)
    np.save(places["one"], samples[:1])
    model = load_runnable(f"{places['model']}:Net")
    for _, _, param in walk(model):
        param.data = np.full(param.shape, 0.5, np.float32).tobytes()
    model.save_into(BurnpackStore.from_file(str(places["bpk"])))
    return places


def said(capsys, places, words):
    """Run a command and return what it says on its one line."""
    words = [word.format(**places) for word in words]
    with pytest.raises(SystemExit) as left:
        main([*words, "--module", f"{places['model']}:Net"])
    assert left.value.code == 1
    text = capsys.readouterr().err
    assert text.count("\n") == 1 and text.startswith("burnstore: ")
    return text


@pytest.mark.parametrize(("expression", "wanted"), WRONG)
def test_a_pass_that_fails_names_the_part_the_class_and_the_line_in_every_command(
    expression, wanted, tmp_path, capsys
):
    places = written(tmp_path, expression)
    for words in COMMANDS:
        assert f"net.py:{LINE}: {wanted}" in said(capsys, places, words), words


def test_a_pass_without_end_is_one_line(tmp_path, capsys):
    places = written(tmp_path, "self.endless(x)")
    for words in COMMANDS:
        text = said(capsys, places, words)
        assert f"net.py:{LINE + 3}: blocks.0 (Block): its forward pass fails: RecursionError" in text


def test_a_model_without_a_pass_says_so(tmp_path):
    (tmp_path / "net.py").write_text("from burnrt import nn\nclass Net(nn.Module):\n    pass\n")
    model = load_runnable(f"{tmp_path / 'net.py'}:Net")
    assert "has no forward pass" in str(support.raises(Unsupported, model, tensor([0.0])))


def test_an_error_keeps_its_class_and_what_it_says(tmp_path):
    places = written(tmp_path, "self.conv(x)")
    error = support.raises(
        BurnpackError, load_runnable(f"{places['model']}:Net"), tensor([0.0] * 12, (1, 3, 4))
    )
    assert error.item == "fc.weight (Linear)"
    assert error.what == "has no data: load the model first"
    (tmp_path / "other").mkdir()
    places = written(tmp_path / "other", "self.fc2(x)")
    model = load_runnable(f"{places['model']}:Net")
    with open_model(places["bpk"]) as opened:
        model.apply(opened)
        support.raises(LoadFailed, model, tensor([0.0] * 12, (1, 3, 4)))


TORCHS = """
import sys
sys.path[:0] = sys.argv[2:]
from burnstore.models.model import load_runnable
try:
    load_runnable(sys.argv[1]).plan((1, 3, 4))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("call", "wanted"),
    [("torch.relu(x)", "burnrt.functional.relu"), ("torch.cat([x, x])", "burnrt.functional.cat")],
)
def test_a_function_of_torchs_is_named_too(call, wanted, tmp_path):
    pytest.importorskip("torch")
    places = written(tmp_path, f"__import__('torch').{call.partition('.')[2]}")
    words = [sys.executable, "-c", TORCHS, f"{places['model']}:Net", *sys.path]
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert found.startswith("Unsupported") and call.partition("(")[0] in found and wanted in found


LAST_STEP = """
from burnrt import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTM(4, 8)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        %s
"""
ANSWER = (0.1019, 0.0086, 0.1717)  # PyTorch's


@pytest.mark.parametrize(
    "written",
    (
        "return self.fc(self.l(x)[0][-1])",
        "out, _ = self.l(x); return self.fc(out[-1])",
        "out, (h, c) = self.l(x); return self.fc(h[-1])",
        "_, state = self.l(x[:2]); return self.fc(self.l(x[2:], state)[0][-1:]).squeeze(0)",
    ),
)
def test_the_last_step_of_an_lstm_is_pytorchs(written, tmp_path):
    model = tmp_path / "net.py"
    model.write_text(LAST_STEP % written, encoding="utf-8")
    source, given = (
        support.data("reports/lstm_last_step.pt"),
        support.data("reports/lstm_last_step_input.npy"),
    )
    convert = ["convert", str(source), str(tmp_path / "a.bpk"), "--module", f"{model}:Net"]
    golden = ["golden", str(tmp_path / "a.bpk"), str(tmp_path / "b.bpk"), *convert[3:], "--input", given]
    for words in (convert, golden):
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        assert left.value.code == 0
    with open_model(tmp_path / "b.bpk") as opened:
        np.testing.assert_allclose(opened.array("selftest.output.0"), [ANSWER], atol=1e-4)
        net = load_runnable(f"{model}:Net")
        net.apply(opened)
        planned = net.plan((6, 1, 4))(np.load(given))
    np.testing.assert_allclose(np.asarray(planned), [ANSWER], atol=1e-4)
