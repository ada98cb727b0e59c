"""A conversion writes a model's program where it knows an input's shape, and never leaves a wrong one."""

import numpy as np
import pytest

import burnstore
from burnpack.errors import BurnpackError, InvalidTensor, NotFound, Unsupported
from burnpack.module import Module, Param
from burnpack.reader import Reader
from burnrt import nn, tensor
from burnstore import BurnpackStore, PytorchStore
from burnstore.cli import main
from burnstore.io.beside import PROGRAM, STEPS_KEY, VERSION_KEY
from kit import support
from kit.models.chains import loaded
from kit.models.programs import answered, close, noise

SHAPE = (1, 1, 8, 8)
SOURCE = """
from burnrt import nn

class Net(nn.Module):
    {attribute}

    def __init__(self):
        self.fc, self.norm = nn.Linear(4, 3), nn.BatchNorm(3)

    def forward(self, x):
        return self.norm(self.fc(x)){wrong}
"""


class Net(nn.Module):
    def __init__(self):
        self.fc, self.norm = nn.Linear(4, 3), nn.BatchNorm(3)

    def forward(self, x, y=None):
        x = self.norm(self.fc(x))
        return x if y is None else (x + y, x)


class Shaped(Net):
    input_shape = (2, 4)


@pytest.fixture
def given(tmp_path):
    """Return the path of a file of the network's tensors, in Burn's layout, and the network."""
    model = loaded(Net())
    model.save_into(BurnpackStore.from_file(tmp_path / "given.bpk"))
    return tmp_path / "given.bpk", model


def converted(source, target, *arguments, **options):
    conversion = burnstore.convert(source, target, *arguments, **options, overwrite=True)
    return conversion, Reader.from_static(target.read_bytes())


def has_program(reader):
    texts = dict(reader.metadata())
    found = [PROGRAM in reader, VERSION_KEY in texts, STEPS_KEY in texts]
    assert len(set(found)) == 1
    return found[0]


def check(path, model, *inputs):
    wanted = model(*[tensor(each) for each in inputs])
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    close(answered(path.read_bytes(), *inputs), [np.asarray(value) for value in wanted])


def test_the_program_comes_first_and_the_tensors_are_burns(given, tmp_path):
    conversion, reader = converted(given[0], tmp_path / "net.bpk", Net(), shape=(2, 4))
    assert reader.names()[0] == PROGRAM and has_program(reader)
    assert sorted(reader.names()[1:]) == sorted(Reader.from_static(given[0].read_bytes()).names())
    assert dict(reader.metadata())[STEPS_KEY] == "linear fc\naffine norm"
    assert conversion.outcome().startswith("%s: 6 tensors and a program, " % (tmp_path / "net.bpk"))
    assert sorted(each.name for each in conversion.tensors) == sorted(reader.names()[1:])
    check(tmp_path / "net.bpk", given[1], noise(2, 4))


def test_a_checkpoint_of_pytorchs_gets_a_program_of_burns_layout(tmp_path, monkeypatch):
    source = support.path("examples/digits/digits.pt")
    spec = support.path("examples/digits/model.py") + ":DigitsNet"
    converted(source, tmp_path / "digits.bpk", spec, shape=SHAPE)
    model = burnstore.models.model.load_module(spec)
    model.load_from(PytorchStore.from_file(source))
    check(tmp_path / "digits.bpk", model, np.load(support.path("examples/digits/x.npy"))[:1].reshape(SHAPE))


def test_a_program_has_several_inputs(given, tmp_path):
    _, reader = converted(given[0], tmp_path / "net.bpk", Net, shape=[(2, 4), (2, 3)])
    assert has_program(reader)
    check(tmp_path / "net.bpk", given[1], noise(2, 4), noise(2, 3))


def test_a_class_may_say_the_shape(given, tmp_path):
    _, reader = converted(given[0], tmp_path / "net.bpk", Shaped)
    assert has_program(reader)
    check(tmp_path / "net.bpk", given[1], noise(2, 4))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "--shape (or input_shape in the class) says"),
        ((2, 5), "wrong input shape"),
        ((2, -1), "shape takes the extents"),
        ("2,4", "shape takes the extents"),
    ],
)
def test_where_the_class_says_no_shape_that_fits_a_note_says_why_there_is_no_program(
    value, why, given, tmp_path, monkeypatch
):
    monkeypatch.setattr(Net, "input_shape", value, raising=False)
    conversion, reader = converted(given[0], tmp_path / "net.bpk", Net)
    assert not has_program(reader)
    assert [why in note for note in conversion.notes if note.startswith("no program for boards")] == [True]


class Plain(Module):
    """A module that has parameters alone."""

    def __init__(self):
        self.fc = Net().fc
        self.norm = Net().norm


@pytest.mark.parametrize("module", [None, Plain])
def test_without_a_class_that_runs_nothing_is_said_of_programs(module, given, tmp_path):
    conversion, reader = converted(given[0], tmp_path / "net.bpk", module)
    assert not has_program(reader)
    assert not [note for note in conversion.notes if "program" in note]


REFUSED = (
    ({"module": None}, "net.bpk", Unsupported, "made of the model's class"),
    ({}, "net.safetensors", Unsupported, "only a .bpk has a program"),
    ({"to_layout": "pytorch"}, "net.bpk", Unsupported, "a program reads Burn's layout"),
    ({"shape": (2, 5)}, "net.bpk", InvalidTensor, "wrong input shape"),
    ({"shape": [(2, 4)] * 3}, "net.bpk", InvalidTensor, "another number of inputs"),
    ({"filter": "fc"}, "net.bpk", BurnpackError, "is not among the tensors that are written"),
)


@pytest.mark.parametrize(("options", "target", "error", "why"), REFUSED)
def test_a_program_that_is_asked_for_is_written_or_nothing_is(options, target, error, why, given, tmp_path):
    asked = {"module": Net, "shape": (2, 4), **options}
    with pytest.raises(error) as raised:
        converted(given[0], tmp_path / target, asked.pop("module"), **asked)
    assert why in str(raised.value) and not (tmp_path / target).exists()


@pytest.mark.parametrize("wrong", ["2,4", (), [], (0, 4), (2.0, 4), [(2, 4), 3]])
def test_a_shape_is_of_whole_numbers_above_0(wrong, given, tmp_path):
    if not wrong:
        return
    with pytest.raises(TypeError):
        converted(given[0], tmp_path / "net.bpk", Net, shape=wrong)


@pytest.fixture
def programmed(given, tmp_path):
    """Return the path of a file with a program."""
    converted(given[0], tmp_path / "net.bpk", Net, shape=(2, 4))
    return tmp_path / "net.bpk"


def test_a_copy_keeps_the_program_byte_for_byte(programmed, tmp_path):
    converted(programmed, tmp_path / "copy.bpk")
    assert (tmp_path / "copy.bpk").read_bytes() == programmed.read_bytes()


@pytest.mark.parametrize(
    "options",
    [{"half": True}, {"cast": "F16"}, {"rename": {"fc": "dense"}}, {"filter": "fc"}, {"exact": "norm.beta"}],
    ids=str,
)
def test_what_changes_a_tensor_leaves_the_program_out(options, programmed, tmp_path):
    conversion, reader = converted(programmed, tmp_path / "other.bpk", **options)
    assert not has_program(reader)
    assert [note for note in conversion.notes if note.startswith("the program is left out")]


def test_a_file_whose_tensors_lie_further_apart_loses_its_program(programmed, tmp_path, monkeypatch):
    span = Reader.span

    def further(reader, name):
        return tuple(place + 256 * (name == "norm.beta") for place in span(reader, name))

    monkeypatch.setattr(Reader, "span", further)
    assert not has_program(converted(programmed, tmp_path / "other.bpk")[1])


def test_the_other_format_has_no_program(programmed, tmp_path):
    conversion = burnstore.convert(programmed, tmp_path / "net.safetensors")
    assert [note for note in conversion.notes if note.startswith("the program is left out")]
    assert PROGRAM not in burnstore.load_file(tmp_path / "net.safetensors")


def test_with_its_class_and_shape_a_program_is_written_anew(programmed, given, tmp_path):
    _, reader = converted(programmed, tmp_path / "half.bpk", Net, shape=(1, 4), half=True)
    assert has_program(reader) and reader.tensor("fc.weight").dtype == "F16"
    assert reader.names().count(PROGRAM) == 1
    given[1].apply(reader)
    check(tmp_path / "half.bpk", given[1], noise(1, 4))


def test_a_program_is_no_parameter(programmed):
    assert PROGRAM not in burnstore.load_file(programmed)
    with BurnpackStore.from_file(programmed) as store:
        assert PROGRAM not in list(store.keys())
        assert PROGRAM not in [each.name for each in store.get_all_tensors()]
        with pytest.raises(NotFound):
            store.get_tensor(PROGRAM)
        result = Net().load_from(store)
    assert (result.unused, result.missing, result.errors) == ([], [], [])
    assert burnstore.inspect(programmed)["parameters"]["total"] == 4 * 3 + 5 * 3


def written(folder, attribute="", wrong=""):
    path = folder / "model.py"
    path.write_text(SOURCE.format(attribute=attribute or "pass", wrong=wrong), encoding="utf-8")
    return "%s:Net" % path


def run(capsys, *words):
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    said = capsys.readouterr()
    return left.value.code, said.out + said.err


def test_the_command_takes_shapes(given, tmp_path, capsys):
    target = tmp_path / "net.bpk"
    words = ("convert", given[0], target, "--module", written(tmp_path))
    code, said = run(capsys, *words, "--shape", "2,4")
    assert code == 0 and "6 tensors and a program" in said
    assert has_program(Reader.from_static(target.read_bytes()))
    code, said = run(capsys, *words, "--overwrite")
    assert code == 0 and "no program for boards is written: --shape" in said
    written(tmp_path, "input_shape = 2, 4")
    code, said = run(capsys, *words, "--overwrite")
    assert code == 0 and "6 tensors and a program" in said


def test_the_command_refuses_a_shape_without_a_class_and_says_where_a_pass_fails(given, tmp_path, capsys):
    target = tmp_path / "net.bpk"
    code, said = run(capsys, "convert", given[0], target, "--shape", "2,4")
    assert code == 1 and "--module" in said
    spec = written(tmp_path, wrong=" + None")
    code, said = run(capsys, "convert", given[0], target, "--module", spec, "--shape", "2,4")
    assert (
        code == 1 and "model.py:11: Net: takes values, parameters and numbers" in said and not target.exists()
    )


def test_quantizing_leaves_nothing_of_the_program_in_floats(programmed, tmp_path, capsys):
    np.save(tmp_path / "some.npy", noise(40, 4))
    spec = written(tmp_path)
    small = tmp_path / "small.bpk"
    words = ("--module", spec, "--calibrate", tmp_path / "some.npy")
    code, said = run(capsys, "quantize", programmed, "-o", small, *words)
    assert code == 0 and "left out" not in said
    reader = Reader.from_static(small.read_bytes())
    assert [key for key, _ in reader.metadata()].count(STEPS_KEY) == 1
    assert dict(reader.metadata())[STEPS_KEY] == "int8.linear fc"


def test_a_parameter_of_the_name_of_a_program_in_another_format_is_one(tmp_path):
    burnstore.save_file({PROGRAM: np.zeros(3, np.float32)}, tmp_path / "net.safetensors")
    assert PROGRAM in burnstore.load_file(tmp_path / "net.safetensors")
    assert Param((3,)).shape == (3,)
