"""`burnstore quantize`: a file that boards run, a report, and one line for whatever is wrong."""

import json
import pickle

import numpy as np
import pytest

from burnpack.errors import InvalidTensor
from burnpack.reader import Reader
from burnrt import Model, nn
from burnstore import cli
from burnstore.models.selftest import any_input, golden_of, with_program_golden
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array
from burnstore.pipeline.writing import save_burnpack
from burnstore.quantize import quantize_model
from kit.int8.quantizing import Chain, loaded
from kit.models.proving import proved, tolerance

SOURCE = """\
from burnpack import Module
from burnrt import nn
from burnrt.functional.statistics import CumulativeSum

class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.fc(x))

class Spread(Net):
    def __init__(self):
        super().__init__()
        self.softmax = nn.LogSoftmax(1)

    def forward(self, x):
        return self.softmax(self.fc(x))

class Two(Net):
    def __init__(self):
        super().__init__()
        self.tanh = nn.Tanh()

    def forward(self, x):
        return self.tanh(self.fc(x))

class Norm(Net):
    def __init__(self):
        super().__init__()
        self.norm = CumulativeSum()

    def forward(self, x):
        return self.norm(self.fc(x).reshape(1, 1, 2))

class Bare(Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)

class Fails(Net):
    def forward(self, x):
        return x.no_such_thing

class Reads(Net):
    def forward(self, x):
        return self.fc(x) if x.data[0] > 0 else x

class Echo(Net):
    def forward(self, x):
        return x

class Again(Net):
    def __init__(self):
        super().__init__()
        self.back = nn.Linear(2, 3)

    def forward(self, x):
        return self.back(self.fc(x))

class One(Net):
    def __init__(self):
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x)
"""
WEIGHT = np.array([[1, -1], [2, 0.5], [-0.25, 3]], "f4")
BIAS = np.array([0.5, -0.5], "f4")
SAMPLES = np.random.default_rng(0).normal(0, 1, (40, 3)).astype("f4")


@pytest.fixture
def files(tmp_path):
    """Return a folder with net.py, in.bpk, which has metadata and scalars, x.npy and y.npy."""
    (tmp_path / "net.py").write_text(SOURCE)
    tensors = [tensor_from_array("fc.weight", WEIGHT), tensor_from_array("fc.bias", BIAS)]
    save_burnpack(tmp_path / "in.bpk", tensors, [("author", "me")], [("epoch", 7), ("fc.scale", 1.0)])
    np.save(tmp_path / "x.npy", SAMPLES)
    np.save(tmp_path / "y.npy", np.maximum(SAMPLES @ WEIGHT + BIAS, 0).argmax(1))
    return tmp_path


def run(*words):
    """Run the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(word) for word in words])
    return ended.value.code


def quantize(files, *more, name="Net", source="in.bpk", given="x.npy", out="out.bpk"):
    module = "%s:%s" % (files / "net.py", name)
    words = (files / source, "--module", module, "--calibrate", files / given, "-o", files / out, *more)
    return run("quantize", *words)


def test_what_is_written_runs_without_its_class_and_keeps_what_it_had(files, capsys):
    assert quantize(files) == 0
    data = (files / "out.bpk").read_bytes()
    reader = Reader.from_static(data)
    metadata, scalars = dict(reader.metadata()), dict(reader.scalars())
    assert metadata["author"] == "me" and metadata["burnrt.steps"] == "int8.linear fc"
    assert scalars["epoch"] == ("Int", 7) and scalars["fc.scale"] != ("Float", 1.0)
    model = Model(data)
    for x in SAMPLES:
        found = np.array(model(x).data)
        assert np.abs(found - np.maximum(x @ WEIGHT + BIAS, 0)).max() < 3 * scalars["fc.scale"][1]
    told = capsys.readouterr()
    assert "fc    linear" in told.out and "same answer in floats and in integers: " in told.out
    assert "right" not in told.out and not told.err


def test_the_program_comes_first_and_holds_all_but_the_weights(files):
    assert quantize(files) == 0
    data = (files / "out.bpk").read_bytes()
    reader = Reader.from_static(data)
    assert [tensor.name for tensor in reader] == "burnrt.program fc.weight".split()
    start, end = reader.span("burnrt.program")
    ((_, _, weight, constants, _),) = Model(data).calls
    assert constants[2:4].tobytes() in data[start:end]  # the factors of both biases
    stored = array_from_tensor(reader.tensor("fc.weight")) @ [1, 1, 1]
    assert np.abs(stored - WEIGHT.sum(0)).max() < 0.05 and bytes(weight[:6]) in data[end:]


def test_labels_tell_what_is_right_before_and_after(files, capsys):
    np.save(files / "x2.npy", SAMPLES[:10])
    np.save(files / "y2.npy", np.zeros(10, "u1"))
    words = ("--samples", files / "x2.npy", "--labels", files / "y2.npy", "--report", files / "r.json")
    assert quantize(files, *words) == 0
    report = json.loads((files / "r.json").read_text())
    right = int((np.maximum(SAMPLES[:10] @ WEIGHT + BIAS, 0).argmax(1) == 0).sum())
    assert report["samples"] == 10 and report["right_before"] == right
    assert report["size_before"] == (files / "in.bpk").stat().st_size
    assert report["size_after"] == (files / "out.bpk").stat().st_size
    assert report["macs"] == report["steps"][0]["macs"] == 6 and report["steps"][0]["name"] == "fc"
    assert "right: %d of 10" % right in capsys.readouterr().out


def test_options_change_ranges_and_scales(files):
    outputs = []
    for number, words in enumerate(((), ("--percentile", "90"), ("--per", "tensor"))):
        assert quantize(files, *words, out="%d.bpk" % number) == 0
        reader = Reader.from_bytes((files / ("%d.bpk" % number)).read_bytes())
        dtype = reader.tensor("fc.weight").dtype
        outputs.append((dict(reader.scalars())["input.scale"][1], dtype.block is None))
    assert outputs[1][0] < outputs[0][0] == outputs[2][0]
    assert [per_tensor for _, per_tensor in outputs] == [False, False, True]


def test_weights_may_have_4_bits_or_as_many_as_fit_a_size(files, capsys):
    wide = [
        tensor_from_array("fc.weight", np.eye(40, 9, dtype="f4")),
        tensor_from_array("fc.bias", BIAS[:1].repeat(9)),
    ]
    save_burnpack(files / "wide.bpk", wide, [("author", "m" * 700)])
    (files / "net.py").write_text(SOURCE.replace("nn.Linear(3, 2)", "nn.Linear(40, 9)"))
    np.save(files / "wide.npy", np.random.default_rng(0).normal(0, 1, (40, 40)).astype("f4"))
    sizes = {}
    for name, words in (("8", ()), ("4", ("--bits", "4")), ("mixed", ("--bits", "mixed", "--size", "1900"))):
        assert quantize(files, *words, source="wide.bpk", given="wide.npy", out=name + ".bpk") == 0
        sizes[name] = (files / (name + ".bpk")).stat().st_size
    assert sizes["mixed"] == sizes["4"] <= 1900 < sizes["8"]
    assert "weights of 4 bits: fc" in capsys.readouterr().out
    words = ("--bits", "mixed", "--size", sizes["4"] - 1)
    assert quantize(files, *words, source="wide.bpk", given="wide.npy", out="least.bpk") == 1
    assert "the file can't be so small (expected %d bytes at least" % sizes["4"] in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--size", "900"), ("--bits", "mixed"), ("--bits", "4", "--size", "900")])
def test_mixed_bits_and_a_size_go_together(files, capsys, words):
    assert quantize(files, *words) == 2
    assert "--bits mixed and --size BYTES go together" in capsys.readouterr().err


def test_a_self_test_in_floats_is_left_out_and_said_to_be(files, capsys):
    module = "%s:Net" % (files / "net.py")
    assert run("golden", files / "in.bpk", files / "g.bpk", "--module", module, "--shape", "1,3") == 0
    assert quantize(files, source="g.bpk") == 0
    assert "the self-test was of the model in floats" in capsys.readouterr().err
    reader = Reader.from_bytes((files / "out.bpk").read_bytes())
    assert not [name for name in reader.names() if name.startswith("selftest")]
    assert "selftest.tolerance" not in dict(reader.scalars())


def test_tensors_that_the_model_does_not_take_are_left_out_and_counted(files, capsys):
    tensors = [tensor_from_array(name, array) for name, array in (("fc.weight", WEIGHT), ("fc.bias", BIAS))]
    save_burnpack(files / "more.bpk", [*tensors, tensor_from_array("other", BIAS)])
    assert quantize(files, source="more.bpk") == 0
    assert "tensors left out that the model does not take: 1" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "allowed"), [("Net", 0.0), ("Spread", 1e-4)])
def test_a_self_test_of_integers_is_exact_and_needs_no_class(files, name, allowed):
    assert quantize(files, name=name) == 0
    assert run("golden", files / "out.bpk", files / "g.bpk", "--cases", 3) == 0
    data = (files / "g.bpk").read_bytes()
    assert proved(data) == [0.0] * 3 and tolerance(data) == allowed
    assert Reader.from_static(data).names()[0] == "burnrt.program"


def test_inputs_of_the_self_test_are_numbers_that_bytes_stand_for(files):
    assert quantize(files) == 0
    np.save(files / "one.npy", SAMPLES[:1])
    words = ("--input", files / "one.npy", "--tolerance", "0.5")
    assert run("golden", files / "out.bpk", files / "g.bpk", *words) == 0
    data = (files / "g.bpk").read_bytes()
    model = Model(data)
    reader, scale = Reader.from_static(data), model.inputs[0].scale
    assert {reader.tensor(name).dtype for name in reader.names() if name.startswith("selftest.")} == {"U8"}
    ((given,),) = golden_of(reader, model)[0]
    steps = given / np.float32(scale)
    assert (steps == np.rint(steps)).all() and np.abs(given - SAMPLES[:1]).max() <= scale / 2
    assert tolerance(data) == 0.5 and proved(data) == [0.0]


def test_an_answer_of_another_byte_fails_the_self_test(files):
    assert quantize(files) == 0
    data = (files / "out.bpk").read_bytes()
    reader, model = Reader.from_static(data), Model(data)
    tensors, scalars = with_program_golden(reader, model, [any_input(model, 1)])
    output = array_from_tensor(tensors[-1]).copy()
    output[0, 0] ^= 1
    save_burnpack(
        files / "g.bpk",
        [*tensors[:-1], tensor_from_array(tensors[-1].name, output)],
        reader.metadata(),
        [*reader.scalars(), *scalars],
    )
    assert proved((files / "g.bpk").read_bytes())[0] > dict(scalars)["selftest.tolerance"] == 0.0


def test_a_self_test_of_integers_takes_no_class_and_no_other_shape(files, capsys):
    assert quantize(files) == 0
    for words in (("--module", "net.py:Net"), ("--shape", "1,3")):
        assert run("golden", files / "out.bpk", files / "g.bpk", "--overwrite", *words) == 0
        assert f"{words[0]} is not needed: the " in capsys.readouterr().err
    (files / "g.bpk").unlink()
    np.save(files / "other.npy", SAMPLES[:2])
    assert run("golden", files / "out.bpk", files / "g.bpk", "--input", files / "other.npy") == 1
    assert "wrong input shape" in capsys.readouterr().err and not (files / "g.bpk").exists()


SAME = "same answer in floats and in integers: "
SURE = "no-scores says so"


def other(files, **extra):
    """Write other.bpk, with these tensors beside or instead of the usual ones."""
    found = {"fc.weight": WEIGHT, "fc.bias": BIAS, **extra}
    tensors = [tensor_from_array(*pair) for pair in found.items()]
    save_burnpack(files / "other.bpk", tensors, overwrite=True)
    return "other.bpk"


def test_answers_are_compared_by_their_largest_only_where_they_are_scores(files, capsys):
    back = {"back.weight": WEIGHT.T.copy(), "back.bias": np.zeros(3, "f4")}
    one = {"fc.weight": WEIGHT[:, :1].copy(), "fc.bias": BIAS[:1]}
    labels = ("--labels", files / "y.npy")
    for name, extra, words, compared, sure in (
        ("Spread", {}, (), True, True),
        ("Net", {}, labels, True, True),
        ("Net", {}, ("--scores",), True, True),
        ("Net", {}, (), True, False),
        ("Net", {}, ("--no-scores",), False, True),
        ("Again", back, (), False, True),
        ("Again", back, ("--scores",), True, True),
        ("One", one, (), False, True),
    ):
        words = (*words, "--report", files / "r.json", "--overwrite")
        assert quantize(files, *words, name=name, source=other(files, **extra)) == 0
        said = capsys.readouterr().out
        assert (SAME in said, SURE not in said) == (compared, sure), (name, words, said)
        report = json.loads((files / "r.json").read_text())
        assert (report["agreeing"] is not None) == compared
        assert report["are_scores"] is (compared if sure else None)


def test_labels_contradict_what_is_no_scores(files, capsys):
    assert quantize(files, "--labels", files / "y.npy", "--no-scores") == 2
    assert "labels are of classes" in capsys.readouterr().err


@pytest.mark.parametrize("name", ("Net", "Spread"))
def test_the_error_of_the_answers_is_told_beside_their_reach(files, capsys, name):
    assert quantize(files, "--report", files / "r.json", name=name) == 0
    report = json.loads((files / "r.json").read_text())
    floats = SAMPLES @ WEIGHT + BIAS
    shares = floats - np.log(np.exp(floats).sum(1, keepdims=True))
    floats = {"Net": np.maximum(floats, 0), "Spread": shares}[name]
    model = Model((files / "out.bpk").read_bytes())
    found = np.array([model(x).data for x in SAMPLES])
    assert report["rmse"] == pytest.approx(np.sqrt(np.square(found - floats).mean()), rel=1e-3)
    assert report["least"] == pytest.approx(floats.min(), abs=1e-6) and report["largest"] == pytest.approx(
        floats.max(), abs=1e-6
    )
    assert report["deviation"] == pytest.approx(floats.std(), rel=1e-4)
    part = 100 * report["rmse"] / (report["largest"] - report["least"])
    assert "RMSE %.3g, %.2g %% of their range" % (report["rmse"], part) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("samples", "what"),
    (
        (SAMPLES[:1], "calibrated with one sample: "),
        (SAMPLES[:31], "calibrated with 31 samples: "),
        (np.repeat(SAMPLES[:1], 40, 0), "samples that are all equal"),
        (np.full((40, 3), 0.5, "f4"), "samples of one number only"),
    ),
)
def test_samples_that_tell_too_little_earn_a_warning(files, capsys, samples, what):
    np.save(files / "few.npy", samples)
    assert quantize(files, given="few.npy") == 0
    said = capsys.readouterr().err
    assert what in said and said.count("\n") == 1
    np.save(files / "enough.npy", SAMPLES[:32])
    assert quantize(files, "--overwrite", given="enough.npy") == 0
    assert not capsys.readouterr().err


def test_samples_may_lie_in_a_file_with_names(files, capsys):
    np.savez_compressed(files / "x.npz", input0=SAMPLES)
    assert quantize(files, given="x.npz") == 0
    capsys.readouterr()
    np.savez(files / "two.npz", input0=SAMPLES, input1=SAMPLES)
    refused(files, capsys, 1, "another number of inputs", given="two.npz", out="new.bpk")
    refused(files, capsys, 1, "not an array in a .npy file", "--labels", files / "x.npz", out="new.bpk")


def arrays():
    """Return .npy files that are no samples: name, what is in it, what is said."""
    nan = SAMPLES.copy()
    nan[17, 1] = np.nan
    return {
        "nan": (nan, "not finite in sample 17"),
        "infinite": (np.full((2, 3), np.inf), "not finite in sample 0"),
        "too large": (np.full((2, 3), 1e39), "not finite in sample 0"),
        "empty": (SAMPLES[:0], "one at least"),
        "of nothing": (np.zeros((3, 0)), "one at least"),
        "one number": (np.float32(1), "one at least"),
        "without a batch": (SAMPLES[0], "one at least"),
        "of another shape": (np.zeros((2, 4)), "wrong input shape"),
        "of more dimensions": (np.zeros((2, 0x7, 5)), "wrong input shape"),
        "complex": (np.zeros((2, 3), complex), "real numbers"),
        "text": (np.array([["a", "b", "c"]]), "real numbers"),
        "times": (np.zeros((2, 3), "M8[s]"), "real numbers"),
        "records": (np.zeros((2, 3), [("a", "f4")]), "real numbers"),
    }


FILES = {
    "nothing": (b"", "not an array"),
    "text": (b"1 2 3", "not an array"),
    "cut short": (
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (40, 3), }\n",
        "not an array",
    ),
    "a pickle": (pickle.dumps([1, 2]), "not an array"),
    "a zip": (b"PK\x03\x04" + bytes(60), "not an array"),
    "a huge shape": (
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999, 3), }".ljust(117)
        + b"\n",
        "not an array",
    ),
    "a shape beyond numbers": (
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, 3), }".ljust(117)
        + b"\n",
        "not an array",
    ),
}


def refused(files, capsys, code, what, *more, **given):
    """Call the command; nothing must be written, and one line said."""
    before = written(files)
    assert quantize(files, *more, **given) == code
    told = capsys.readouterr()
    assert what in told.err and told.err.count("\n") == 1 and not told.out, told
    assert written(files) == before


def written(files):
    """Return the files there, without what Python keeps of a class that it has compiled."""
    return sorted(path for path in files.iterdir() if path.name != "__pycache__")


@pytest.mark.parametrize(("array", "what"), arrays().values(), ids=arrays())
def test_arrays_that_are_no_samples_are_refused(files, capsys, array, what):
    np.save(files / "wrong.npy", array)
    refused(files, capsys, 1, what, given="wrong.npy")


@pytest.mark.parametrize(("data", "what"), FILES.values(), ids=FILES)
def test_files_that_are_no_arrays_are_refused(files, capsys, data, what):
    (files / "wrong.npy").write_bytes(data)
    refused(files, capsys, 1, what, given="wrong.npy")
    refused(files, capsys, 1, what, "--labels", files / "wrong.npy")


def test_other_files_are_refused(files, capsys):
    np.save(files / "objects.npy", np.array([None, {}]), allow_pickle=True)
    np.savez(files / "many.npz", SAMPLES)
    refused(files, capsys, 1, "not an array", given="objects.npy")
    refused(files, capsys, 1, "not an array", given="many.npz")
    refused(files, capsys, 1, "No such file", given="missing.npy")
    refused(files, capsys, 1, "a folder, where a file was expected", given=".")
    refused(files, capsys, 1, "not a regular file", "--samples", "/dev/null")


LABELS = {
    "too few": (np.zeros(39, int), "not a label for each sample"),
    "of two dimensions": (np.zeros((40, 1), int), "not a label for each sample"),
    "floats": (np.zeros(40), "not a label for each sample"),
    "too large": (np.full(40, 2), "no answer for (expected 0 to 1, found 2)"),
    "below 0": (np.full(40, -1), "no answer for (expected 0 to 1, found -1)"),
}


@pytest.mark.parametrize(("labels", "what"), LABELS.values(), ids=LABELS)
def test_labels_that_do_not_fit_are_refused(files, capsys, labels, what):
    np.save(files / "wrong.npy", labels)
    refused(files, capsys, 1, what, "--labels", files / "wrong.npy")


def test_samples_of_another_shape_than_those_to_calibrate_are_refused(files, capsys):
    np.save(files / "wrong.npy", np.zeros((2, 2, 3)))
    refused(files, capsys, 1, "samples are (count, 3) (found [2, 2, 3])", "--samples", files / "wrong.npy")


MODELS = {
    "Norm": "norm: there is no integer operation for CumulativeSum: --float norm computes that in floats",
    "Bare": "Bare: has no forward pass",
    "Fails": "Fails: x.no_such_thing can't be done with a value",
    "Reads": "depends on numbers",
    "Echo": "nothing is computed",
    "Missing": "no class of this name",
}


@pytest.mark.parametrize(("name", "what"), MODELS.items(), ids=MODELS)
def test_models_that_integers_can_not_compute_are_refused(files, capsys, name, what):
    refused(files, capsys, 1, what, name=name)


def test_a_file_that_is_no_such_model_is_refused(files, capsys):
    save_burnpack(files / "half.bpk", [tensor_from_array("fc.weight", WEIGHT)])
    (files / "text.bpk").write_text("hello")
    assert quantize(files, source="half.bpk") == 1
    assert "the tensors do not fill the model\n" in capsys.readouterr().err
    refused(files, capsys, 1, "text.bpk", source="text.bpk")
    refused(files, capsys, 1, "No such file", source="missing.bpk")


def test_a_quantized_model_is_refused(files, capsys):
    assert quantize(files, out="in8.bpk") == 0
    capsys.readouterr()
    refused(files, capsys, 1, "is quantized already", source="in8.bpk")
    assert run("quantize", files / "in8.bpk", "-o", files / "out.bpk") == 1  # nor without a class
    assert "is quantized already" in capsys.readouterr().err


def test_nothing_is_written_over_unless_asked_for(files, capsys):
    (files / "out.bpk").write_text("mine")
    (files / "r.json").write_text("mine")
    refused(files, capsys, 1, "exists already")
    refused(files, capsys, 1, "exists already", "--report", files / "r.json", out="other.bpk")
    assert (files / "out.bpk").read_text() == (files / "r.json").read_text() == "mine"
    assert quantize(files, "--overwrite", "--report", files / "r.json") == 0


def test_the_report_never_goes_where_the_model_goes(files, capsys):
    for same in (files / "out.bpk", files / "folder" / ".." / "out.bpk"):
        (files / "folder").mkdir(exist_ok=True)
        refused(files, capsys, 1, "can't go where the model goes", "--report", same, "--overwrite")
    assert not (files / "out.bpk").exists()


def test_files_of_samples_and_labels_are_never_written_over(files, capsys):
    (files / "y.npy").write_bytes((files / "x.npy").read_bytes())
    for words in (("--report", files / "x.npy"), ("--labels", files / "y.npy", "--report", files / "y.npy")):
        refused(files, capsys, 1, "would be lost", "--overwrite", *words)
    refused(files, capsys, 1, "would be lost", "--overwrite", out="x.npy")
    assert (files / "y.npy").read_bytes() == (files / "x.npy").read_bytes()


def test_places_that_can_not_be_written_to_are_refused(files, capsys):
    (files / "folder").mkdir()
    refused(files, capsys, 1, "not a regular file", out="folder")
    refused(files, capsys, 1, "there is no such folder", out="missing/out.bpk")


def test_a_report_for_a_folder_that_is_not_there_is_refused_before_the_model_is_written(files, capsys):
    refused(files, capsys, 1, "there is no such folder", "--report", str(files / "nowhere" / "report.json"))
    assert not (files / "out.bpk").exists()


@pytest.mark.parametrize("words", [("--percentile", "50"), ("--percentile", "101"), ("--per", "row")])
def test_options_that_make_no_sense_are_refused(files, capsys, words):
    refused(files, capsys, 2, words[1], *words)


def test_the_function_refuses_options_that_make_no_sense():
    model = loaded(Chain(fc=nn.Linear(3, 2)))
    for options, what in (
        ({"percentile": 50.0}, "not a percentile"),
        ({"percentile": np.nan}, "not a percentile"),
        ({"per": "row"}, "per one of"),
    ):
        with pytest.raises(InvalidTensor, match=what):
            quantize_model(model, SAMPLES, **options)


def test_inspect_shows_a_step_a_line(files, capsys):
    assert quantize(files, name="Two") == 0
    capsys.readouterr()
    with pytest.raises(SystemExit):
        cli.main(["inspect", str(files / "out.bpk")])
    told = capsys.readouterr().out
    assert "  burnrt.steps = int8.linear fc\n    int8.lookup tanh\n  burnrt.version = 1\n" in told
    assert "fc.weight       QFloat(Q8S, block 3 F32)  [2, 3]" in told


def test_a_converted_copy_is_the_same_model(files):
    assert quantize(files) == 0
    assert run("convert", files / "out.bpk", files / "copy.bpk") == 0
    answers = []
    for name in ("out.bpk", "copy.bpk"):
        data = (files / name).read_bytes()
        assert [tensor.name for tensor in Reader.from_static(data)] == "burnrt.program fc.weight".split()
        model = Model(data)
        answers.append([list(model(x).data) for x in SAMPLES])
    assert answers[0] == answers[1]


def test_the_samples_of_the_report_are_named_where_they_are_those_to_calibrate_with(files, capsys):
    assert quantize(files) == 0 and "(on the samples that it was calibrated with" in capsys.readouterr().out
    assert quantize(files, "--samples", files / "x.npy", "--overwrite") == 0
    assert "calibrated with" not in capsys.readouterr().out


def test_samples_that_tell_too_little_are_warned_of(files, capsys):
    for array, what in ((SAMPLES[:1], "one sample"), (np.ones((4, 3), "f4"), "one number only")):
        np.save(files / "few.npy", array)
        assert quantize(files, "--overwrite", given="few.npy") == 0
        assert what in capsys.readouterr().err


def test_one_sample_alone_is_told_from_samples(files, capsys):
    np.save(files / "one.npy", np.zeros((6, 3), "f4"))
    (files / "net.py").write_text(SOURCE + "\nclass Rows(Net):\n    def forward(self, x):\n" + ROWS)
    refused(files, capsys, 1, "samples are (count, 6, 3) (found [6, 3])", name="Rows", given="one.npy")


ROWS = """\
        if len(x.shape) != 3:
            self.fc.refuse(x.shape, "[batch, 6, 3]")
        return self.fc(x)
"""


def test_a_file_in_another_format_is_told_what_makes_a_burnpack(files, capsys):
    (files / "x.pt").write_bytes(b"\x80\2}.")
    refused(files, capsys, 1, "x.pt: not a Burnpack (`burnstore convert` makes one)", source="x.pt")


def test_a_quantized_model_is_short_to_read():
    quantized = quantize_model(loaded(Chain(fc=nn.Linear(3, 2))), SAMPLES)
    size, arena = len(quantized.to_bytes()), len(Model(quantized.to_bytes()).arena)
    assert repr(quantized) == f"Quantized(1 steps, {size:,} bytes, arena {arena:,})"


def test_labels_of_other_samples_than_those_of_the_calibration_are_told_where_these_go(files, capsys):
    np.save(files / "few.npy", np.zeros(3, "i8"))
    refused(files, capsys, 1, "--input names the samples", "--labels", files / "few.npy", out="new.bpk")
