"""`burnstore golden` puts a self-test into a file, which the model then passes, and only that model."""

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, LoadFailed
from burnpack.module import walk
from burnpack.reader import Reader
from burnpack.store import BurnpackStore
from burnrt import nn
from burnstore import cli
from burnstore.models.running import answers_of
from burnstore.models.selftest import INPUT, with_golden
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array
from burnstore.pipeline.writing import save_burnpack

SOURCE = """\
from burnrt import nn

class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)
"""
WEIGHT = np.arange(6, dtype="f4").reshape(3, 2)
BIAS = np.array([1, 2], "f4")


class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def tensors():
    return [tensor_from_array("fc.weight", WEIGHT), tensor_from_array("fc.bias", BIAS)]


@pytest.fixture
def files(tmp_path):
    """Return (FILE:CLASS, a model's .bpk with metadata and a scalar, the path of another .bpk)."""
    (tmp_path / "net.py").write_text(SOURCE)
    save_burnpack(tmp_path / "in.bpk", tensors(), [("author", "me")], [("epoch", 7)])
    return "%s:Net" % (tmp_path / "net.py"), tmp_path / "in.bpk", tmp_path / "out.bpk"


def run(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["golden", *map(str, words)])
    return ended.value.code


def test_outputs_are_what_the_model_answers():
    given = np.array([[1, 2, 3], [0, 0, 0]], "f4")
    golden, scalars = with_golden(tensors(), Net(), [given], 0.5)
    found = {item.name: array_from_tensor(item) for item in golden}
    assert (found["selftest.input.0"] == given).all()
    assert (found["selftest.output.0"] == given @ WEIGHT + BIAS).all()
    assert scalars == [("selftest.tolerance", 0.5)]


def test_cases_that_are_there_already_are_replaced():
    once, _ = with_golden(tensors(), Net(), [np.ones((1, 3)), np.zeros((1, 3))])
    again, _ = with_golden(once, Net(), [np.ones((1, 3))])
    assert [item.name for item in again[2:]] == ["selftest.input.0", "selftest.output.0"]


def test_tensors_that_do_not_fill_the_model_are_refused():
    with pytest.raises(LoadFailed, match="do not fill the model\n"):
        with_golden(tensors()[:1], Net(), [np.ones((1, 3))])


def test_an_input_that_the_model_does_not_take_is_refused():
    with pytest.raises(InvalidTensor, match="wrong input shape"):
        with_golden(tensors(), Net(), [np.ones((1, 4))])


def test_the_file_keeps_what_it_had_and_passes_its_own_test(files):
    spec, source, target = files
    assert run(source, target, "--module", spec, "--shape", "2,3", "--cases", 4) == 0
    reader = Reader.from_bytes(target.read_bytes())
    assert reader.metadata() == [("author", "me")]
    assert dict(reader.scalars())["epoch"] == ("Int", 7)
    model = Net()
    model.load_from(BurnpackStore.from_bytes(target.read_bytes()))
    for case in range(4):
        given, wanted = (
            array_from_tensor(reader.tensor(f"selftest.{end}.{case}")) for end in ("input", "output")
        )
        assert (answers_of(model, [given])[0] == wanted).all()
    assert "selftest.input.4" not in reader
    assert len(list(walk(model))) == 2


def test_inputs_of_ones_own_are_taken_from_files(files, tmp_path):
    spec, source, target = files
    np.save(tmp_path / "x.npy", np.array([[1.0, 0.0, 0.0]]))
    assert run(source, target, "--module", spec, "--input", tmp_path / "x.npy") == 0
    golden = Reader.from_bytes(target.read_bytes()).tensor("selftest.output.0")
    assert array_from_tensor(golden).tolist() == [[1.0, 3.0]]


@pytest.mark.parametrize("numbers", ([["a", "b", "c"]], [[1j, 0, 0]], [[np.nan, 0, 0]], [[1e300, 0, 0]], 1.0))
def test_inputs_that_no_board_can_be_given_are_refused(files, tmp_path, capsys, numbers):
    spec, source, target = files
    np.save(tmp_path / "x.npy", np.array(numbers))
    assert run(source, target, "--module", spec, "--cases", 1, "--input", tmp_path / "x.npy") == 1
    assert len(capsys.readouterr().err.splitlines()) == 1 and not target.exists()


@pytest.mark.parametrize("tolerance", ("nan", "inf", "-1"))
def test_a_tolerance_that_always_or_never_passes_is_refused(files, capsys, tolerance):
    spec, source, target = files
    assert run(source, target, "--module", spec, "--shape", "1,3", "--tolerance", tolerance) == 2
    assert capsys.readouterr().err and not target.exists()


@pytest.mark.parametrize(
    "options",
    (
        ("--shape", "1,x"),
        ("--shape", "0,3"),
        ("--shape", "1,3", "--cases", 0),
        ("--shape", "1,3", "--input", "x.npy"),
        ("--shape", "1,3", "--expect", "y.npy"),
    ),
)
def test_calls_that_contradict_themselves_are_refused(files, options, capsys):
    spec, source, target = files
    assert run(source, target, "--module", spec, *options) == 2
    assert capsys.readouterr().err and not target.exists()


def test_a_model_in_floats_needs_its_class_and_an_input(files, capsys):
    spec, source, target = files
    for words, needed in (((), "--module"), (("--module", spec), "--shape or --input is needed")):
        assert run(source, target, *words) == 1
        assert needed in capsys.readouterr().err and not target.exists()


def test_the_first_inputs_of_an_array_are_a_case_each(files, tmp_path, capsys):
    spec, source, target = files
    given = np.arange(15, dtype="f4").reshape(5, 3)
    np.save(tmp_path / "x.npy", given)
    for cases, count, said in ((3, 3, "3 cases"), (1, 1, "1 case "), (9, 5, "5 cases")):
        words = (source, target, "--module", spec, "--input", tmp_path / "x.npy", "--overwrite")
        assert run(*words, "--cases", cases) == 0
        assert said in capsys.readouterr().out
        reader = Reader.from_static(target.read_bytes())
        inputs = [array_from_tensor(reader.tensor(f"{INPUT}{case}")) for case in range(count)]
        np.testing.assert_array_equal(np.concatenate(inputs), given[:count])
        assert {each.shape for each in inputs} == {(1, 3)} and f"{INPUT}{count}" not in reader


def test_what_is_no_burnpack_is_told_what_makes_one(files, tmp_path, capsys):
    (tmp_path / "x.pt").write_bytes(b"\x80\2}.")
    assert run(tmp_path / "x.pt", files[2], "--module", files[0], "--shape", "1,3") == 1
    assert "x.pt: not a Burnpack (`burnstore convert` makes one)" in capsys.readouterr().err


def test_an_existing_file_is_told_of_by_the_name_of_what_replaces_it(files, capsys):
    spec, source, _ = files
    assert run(source, source, "--module", spec, "--shape", "1,3") == 1
    said = capsys.readouterr().err
    assert "in.bpk: the file exists already (the option overwrite replaces it)" in said


@pytest.mark.parametrize(
    "words", (("--shape", "0,3"), ("--input", "x.npy"), ("--input", "x.npy", "--cases", 2))
)
def test_a_batch_of_0_is_refused(files, tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.zeros((0, 3), "f4"))
    assert run(files[1], files[2], "--module", files[0], *words) in (1, 2)
    assert len(capsys.readouterr().err.splitlines()) == 1 and not files[2].exists()


@pytest.mark.parametrize(
    "shape", ("1" * 5000, "1," + "9" * 5000, "99999999999,1", "1000000,1000000", "¹,3", "१,3", "")
)
def test_numbers_that_no_input_has_are_refused_in_one_line(files, capsys, shape):
    assert run(files[1], files[2], "--module", files[0], "--shape", shape) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and len(said) < 300 and not files[2].exists()


@pytest.mark.parametrize("name", ("Bare", "Fails", "Wants", "Nothing"))
def test_a_forward_pass_that_fails_is_told_in_one_line(files, tmp_path, capsys, name):
    more = """
class Bare(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)

class Fails(Net):
    def forward(self, x):
        return 1 / 0

class Wants(Net):
    def forward(self, x, *, y):
        return self.fc(x)

class Nothing(Net):
    def forward(self, x):
        self.fc(x)
"""
    (tmp_path / "net.py").write_text(SOURCE + more)
    spec = "%s:%s" % (tmp_path / "net.py", name)
    assert run(files[1], files[2], "--module", spec, "--shape", "1,3") == 1
    assert len(capsys.readouterr().err.splitlines()) == 1 and not files[2].exists()


def test_whole_numbers_that_floats_do_not_hold_are_refused(files, tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.array([[1, 2, (1 << 24) + 1]]))
    assert run(files[1], files[2], "--module", files[0], "--input", tmp_path / "x.npy") == 1
    assert "whole number" in capsys.readouterr().err


def test_tensors_that_the_model_has_no_place_for_are_told():
    told = []
    extra = [*tensors(), tensor_from_array("norm.gamma", BIAS)]
    golden, _ = with_golden(extra, Net(), [np.zeros((1, 3), "f4")], tell=told.append)
    assert told == ["the model has no place for: norm.gamma"]
    assert "norm.gamma" in [tensor.name for tensor in golden]
