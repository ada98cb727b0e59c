"""Commands on a model with states: a file's rows are one stream, and each case of a self-test begins anew."""

import numpy as np
import pytest

import burnstore
from burnpack.errors import BurnpackError, NotFound, Unsupported
from burnpack.reader import Reader
from burnrt import Model
from burnstore import BurnpackStore
from burnstore.models.comparison import verify
from burnstore.models.program import load_program
from burnstore.programs.uses import STATES, uses_of
from kit import support
from kit.boards.deploying import command
from kit.models.chains import loaded
from kit.models.programs import close
from kit.models.streaming import SHAPES, SOURCE, Step, recorded


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a folder with a stream's inputs and answers, its model with a state, and its tensors alone."""
    monkeypatch.chdir(tmp_path)
    data, given, answers = recorded()
    (tmp_path / "stream.bpk").write_bytes(data)
    (tmp_path / "net.py").write_text(SOURCE)
    np.save("x.npy", given)
    np.save("y.npy", answers)
    loaded(Step(), 3).save_into(BurnpackStore.from_file("step.bpk"))
    return tmp_path


def convert(*states, options=("--shape", "1,4", "--shape", "1,6")):
    words = [word for state in states for word in ("--state", state)]
    return command("convert", "step.bpk", "made.bpk", "--module", "net.py:Step", *options, *words)


def test_convert_ties_an_input_by_name_or_number(files):
    wanted = (files / "stream.bpk").read_bytes()
    for state in ("h=1", "1=1"):
        assert convert(state) == 0
        reader = Reader.from_static((files / "made.bpk").read_bytes())
        assert bytes(reader.tensor("burnrt.program").data()) == bytes(
            Reader.from_static(wanted).tensor("burnrt.program").data()
        )
        (files / "made.bpk").unlink()


REFUSED = {
    "g=1": (1, "g: no input has the name of this state (found x, h)"),
    "h=0": (1, "another shape (expected [1, 6], found [1, 2])"),
    "h=2": (1, "h: no output 2"),
    "7=1": (1, "input 7: no such input"),
    "h=-1": (2, "as in"),
    "h": (2, 'has no "="'),
    "=1": (2, "as in"),
}


@pytest.mark.parametrize(("state", "code", "what"), [(state, *why) for state, why in REFUSED.items()])
def test_what_can_be_no_state_is_refused_in_one_line_and_nothing_is_written(state, code, what, files, capsys):
    assert convert(state) == code
    said = capsys.readouterr().err
    assert what in said and said.count("\n") == 1 and not (files / "made.bpk").exists()


def test_an_input_is_a_state_once_and_needs_a_program(files, capsys):
    assert convert("h=1", "1=1") == 1 and "is a state twice" in capsys.readouterr().err
    assert convert("h=1", options=()) == 1 and "--shape" in capsys.readouterr().err
    assert command("convert", "step.bpk", "made.bpk", "--state", "h=1") == 1
    assert "made of the model's class" in capsys.readouterr().err
    assert command("convert", "step.bpk", "x.safetensors", "--module", "net.py:Step", "--state", "h=1") == 1


@pytest.mark.parametrize("state", [{"h": 1}, {1: 1}, [("h", 1)]])
def test_in_python_a_dict_or_pairs_say_the_same(state, files):
    burnstore.convert("step.bpk", "made.bpk", Step, shape=SHAPES, state=state)
    assert len(Model((files / "made.bpk").read_bytes()).states) == 1


@pytest.mark.parametrize("state", ["h=1", {"h": "1"}, {"h": -1}, {"h": True}, {1.0: 1}, [("h", 1, 2)], 3])
def test_in_python_other_values_are_type_errors(state, files):
    with pytest.raises(TypeError):
        burnstore.convert("step.bpk", "made.bpk", Step, shape=SHAPES, state=state)


def test_the_class_may_say_the_shapes(files):
    class Shaped(Step):
        input_shape = SHAPES

    burnstore.convert("step.bpk", "made.bpk", Shaped, state={"h": 1})
    assert len(Model((files / "made.bpk").read_bytes()).states) == 1
    Shaped.input_shape = "1,4"
    with pytest.raises(Unsupported):
        burnstore.convert("step.bpk", "made.bpk", Shaped, state={"h": 1}, overwrite=True)
    with pytest.raises(NotFound):
        burnstore.convert("step.bpk", "made.bpk", Step, shape=SHAPES, state={"g": 1}, overwrite=True)


def test_a_copy_keeps_the_states(files):
    burnstore.convert("stream.bpk", "copy.bpk")
    assert STATES in uses_of(Reader.from_static((files / "copy.bpk").read_bytes())).ends


def test_rows_are_one_stream_which_begins_with_zeros(files, capsys):
    words = ("--input", "x.npy")
    assert command("verify", "stream.bpk", *words, "--expect", "y.npy") == 0
    assert "rows are run in order, as one stream" in capsys.readouterr().err
    assert command("run", "stream.bpk", *words, "-o", "found.npy") == 0
    assert "rows are run in order, as one stream" in capsys.readouterr().err
    close([np.load("found.npy")], [np.load("y.npy")])


def test_each_file_of_inputs_is_a_stream_of_its_own(files):
    words = ("--input", "x.npy", "--input", "x.npy")
    assert command("verify", "stream.bpk", *words, "--expect", "y.npy", "--expect", "y.npy") == 0
    assert command("run", "stream.bpk", *words, "-o", "found.npy") == 0
    close([np.load("found.npy")], [np.concatenate([np.load("y.npy")] * 2)])


def test_a_loaded_model_is_run_and_verified_from_zeros_again(files):
    model = load_program((files / "stream.bpk").read_bytes())
    given, answers = np.load("x.npy"), np.load("y.npy")
    for _ in range(2):
        close([burnstore.run(model, given)], [answers])
        assert verify(model, given, answers).passed


def test_each_case_of_a_self_test_begins_with_zeros(files, capsys):
    assert command("golden", "stream.bpk", "-o", "proven.bpk", "--input", "x.npy", "--cases", "3") == 0
    assert "zeros at the beginning of each case" in capsys.readouterr().err
    reader = Reader.from_static((files / "proven.bpk").read_bytes())
    names = [name for name in reader.names() if name.startswith("selftest.")]
    assert len(names) == 6 and "selftest.input.0.1" not in names
    model = load_program((files / "stream.bpk").read_bytes())
    for case, row in enumerate(np.load("x.npy")[:3]):
        model.reset()
        found = np.frombuffer(reader.tensor(f"selftest.output.{case}").data(), "<f4")
        close([found], [np.array(model(row).data)])
    assert command("verify", "proven.bpk") == 0


def test_answers_that_go_on_from_a_run_before_are_no_cases(files, capsys):
    words = ("--input", "x.npy", "--expect", "y.npy")
    assert command("golden", "stream.bpk", "-o", "proven.bpk", *words, "--cases", "2") == 1
    assert "does not answer as expected" in capsys.readouterr().err
    assert command("golden", "stream.bpk", "-o", "proven.bpk", *words, "--cases", "1") == 0


def test_a_program_with_states_is_not_quantized(files, capsys):
    words = ("--module", "net.py:Step", "--calibrate", "x.npy")
    assert command("quantize", "stream.bpk", "-o", "small.bpk", *words) == 1
    said = capsys.readouterr().err
    assert "stream.bpk: has a program with states" in said and said.count("\n") == 1


def test_a_program_whose_words_say_another_last_is_refused(files):
    data = bytearray((files / "stream.bpk").read_bytes())
    reader = Reader.from_static(bytes(data))
    start = reader.span("burnrt.program")[0]
    words = memoryview(data)[start:]
    names = int.from_bytes(words[28:32], "little")
    last = 32 + 4 * names + 4 * (6 + 2) + 16  # of the second input, behind the first, whose rank is 2
    assert words[last] == 1
    for value in (2, 255):
        words[last] = value
        with pytest.raises(BurnpackError):
            load_program(bytes(data))


def test_an_exported_program_keeps_its_state_and_proves_its_first_run(files, capsys):
    source = support.path("tests/data/pt2/wake.pt2")
    assert command("convert", source, "whole.bpk") == 0
    assert command("convert", source, "wake.bpk", "--state", "h=1") == 0
    whole, kept = (load_program((files / name).read_bytes()) for name in ("whole.bpk", "wake.bpk"))
    assert ([end.shape for end in kept.inputs], len(kept.outputs)) == ([(1, 5)], 1)
    torchs = burnstore.load_file(source.replace(".pt2", ".io.safetensors"))
    close([burnstore.run(kept, torchs["input0"])], [torchs["output0"]])
    kept.reset()
    h = np.zeros((1, 7), np.float32)
    for x in np.random.default_rng(4).normal(0, 1, (6, 1, 5)).astype(np.float32):
        wanted, h = burnstore.run(whole, x, h)
        close([np.array(kept(x).data).reshape(1, 1)], [wanted])
    assert command("verify", "wake.bpk") == 0
    assert "1 numbers in 1 case" in capsys.readouterr().out
    assert command("convert", source, "none.bpk", "--state", "g=1") == 1
    assert "no input has the name of this state (found x, h)" in capsys.readouterr().err


def test_a_network_of_two_inputs_is_quantized_with_samples_of_both_or_of_all_but_states(files, capsys):
    words = ("quantize", support.path("tests/data/pt2/wake.pt2"), "-o", "small.bpk", "--calibrate", "x.npy")
    assert command(*words) == 1
    said = capsys.readouterr().err
    assert "another number of inputs" in said and "(expected 2, found 1)" in said
