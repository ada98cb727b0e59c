"""Checkpoints in several files: read as one, written as Hugging Face names them, or refused."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from burnpack.errors import (
    BurnpackError,
    DuplicateName,
    LimitExceeded,
    Malformed,
    NotFound,
    SaveFailed,
    UnknownFormat,
)
from burnpack.limits import Limits
from burnpack.module import Module, Param
from burnpack.tensor import Tensor
from burnstore import SafetensorsStore, open_model, save_burnpack
from burnstore.io.shards.index import parse_index
from burnstore.io.shards.plan import grouped, is_shard_of
from burnstore.io.shards.writer import save_sharded
from burnstore.pipeline.conversion import plan
from kit import support

ARRAYS = {name: np.full((4,), number, np.float32) for number, name in enumerate("abcde")}
ONE, TWO = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"


def write(folder, shards, index=None, name="model.safetensors.index.json"):
    """Write shards {file: arrays}, and an index of them, or one given as a text or an object."""
    for file, arrays in shards.items():
        save_file(arrays, folder / file, {"format": "pt"})
    if index is None:
        places = {key: file for file, arrays in shards.items() for key in arrays}
        index = {"metadata": {"total_size": 80, "made by": "hand"}, "weight_map": places}
    text = index if isinstance(index, str) else json.dumps(index)
    (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
    return folder / name


@pytest.fixture
def index(tmp_path):
    shards = {ONE: {key: ARRAYS[key] for key in "bd"}, TWO: {key: ARRAYS[key] for key in "ace"}}
    return write(tmp_path, shards)


def test_all_files_are_read_as_one(index):
    with open_model(index) as opened:
        assert opened.reader.format == "safetensors" and sorted(opened.names()) == list("abcde")
        assert all(np.array_equal(opened.array(key), array) for key, array in ARRAYS.items())
        assert [tensor.name for tensor in opened] == ["b", "d", "a", "c", "e"]
        assert len(opened.reader) == 5 and "c" in opened.reader and "x" not in opened.reader
        assert opened.reader.metadata() == [("format", "pt")]
        assert dict(opened.reader.others()) == {"files": "2", "total_size": "80", "made by": "hand"}
        assert opened.reader.span("a") is None and opened.reader.scalars() == []
        error = support.raises(NotFound, opened.tensor, "x")
        assert str(index) in str(error)


def test_an_array_outlives_the_opened_files(index):
    with open_model(index) as opened:
        array = opened.array("c")
    assert array.tolist() == [2.0] * 4


def test_an_index_is_recognised_by_content(index):
    other = index.with_name("anything")
    index.rename(other)
    with open_model(other) as opened:
        assert sorted(opened.names()) == list("abcde")


def test_shards_of_another_format_are_read_alike(tmp_path):
    for number, keys in enumerate(("ab", "cde")):
        tensors = [Tensor(key, "F32", (4,), ARRAYS[key].tobytes()) for key in keys]
        save_burnpack(tmp_path / f"{number}.bin", tensors)
    places = {key: f"{int(key in 'cde')}.bin" for key in "abcde"}
    index = write(tmp_path, {}, {"weight_map": places})
    with open_model(index) as opened:
        assert opened.reader.format == "burnpack" and opened.array("e")[0] == 4


def test_a_tensor_that_the_index_leaves_out_is_there_too(tmp_path):
    index = write(tmp_path, {ONE: {"a": ARRAYS["a"], "b": ARRAYS["b"]}}, {"weight_map": {"a": ONE}})
    with open_model(index) as opened:
        assert sorted(opened.names()) == ["a", "b"]


def test_of_a_tensor_in_two_files_the_index_says_which(tmp_path):
    shards = {ONE: {"a": ARRAYS["a"]}, TWO: {"a": ARRAYS["b"], "c": ARRAYS["c"]}}
    index = write(tmp_path, shards, {"weight_map": {"a": TWO, "c": ONE}})
    support.raises(NotFound, open_model, index)
    index = write(
        tmp_path, {**shards, ONE: {"a": ARRAYS["a"], "d": ARRAYS["d"]}}, {"weight_map": {"a": TWO, "d": ONE}}
    )
    with open_model(index) as opened:
        assert opened.array("a")[0] == 1 and len(list(opened)) == 3


def test_metadata_that_differ_are_told_apart(tmp_path):
    index = write(tmp_path, {ONE: {"a": ARRAYS["a"]}, TWO: {"b": ARRAYS["b"]}})
    save_file({"b": ARRAYS["b"]}, tmp_path / TWO, {"format": "mlx"})
    with open_model(index) as opened:
        assert opened.reader.metadata() == [(f"format ({ONE})", "pt"), (f"format ({TWO})", "mlx")]


# what the index says, the error, what it says
REFUSED = (
    (
        {"weight_map": {"a": ONE, "b": "gone.safetensors"}},
        NotFound,
        "gone.safetensors: the index names a file",
    ),
    (
        {"weight_map": {"a": ONE, "x": ONE}},
        NotFound,
        f"x: not in the file that the index says (expected {ONE}",
    ),
    ({"weight_map": {"a": "../" + ONE}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": {"a": "/etc/passwd"}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": {"a": "C:x"}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": {"a": ".."}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": {"a": ""}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": {"a": "x\0y"}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": {"a": 1}}, Malformed, "a: the index names no file beside it"),
    ({"weight_map": [["a", ONE]]}, Malformed, 'no "weight_map"'),
    ('["weight_map"]', Malformed, 'no "weight_map"'),
    ('{"weight_map": {"a": "%s", "a": "%s"}}' % (ONE, TWO), DuplicateName, "a: the same key twice"),
    ('{"weight_map": {}, "weight_map": {}}', DuplicateName, "weight_map: the same key twice"),
    ('{"weight_map": {"a": NaN}}', Malformed, "no JSON"),
    ('{"weight_map": ' + "9" * 5000 + "}", Malformed, "no JSON"),
    ('{"weight_map": ' + "[" * 100000, LimitExceeded, "nested too deeply"),
    ('{"weight_map": {"a": ', Malformed, "no JSON"),
    ({"weight_map": {"\ud800": ONE}}, NotFound, "not in the file that the index says"),
    ({"weight_map": {"a": "model.safetensors.index.json"}}, UnknownFormat, "an index of files"),
)


@pytest.mark.parametrize("content, error_class, words", REFUSED)
def test_an_index_that_does_not_fit_is_refused_by_name(tmp_path, content, error_class, words):
    index = write(tmp_path, {ONE: {"a": ARRAYS["a"], "b": ARRAYS["b"]}}, content)
    error = support.raises(error_class, open_model, index)
    assert str(index) in str(error) and words in str(error)


def test_a_damaged_shard_is_named(index):
    (index.parent / TWO).write_bytes((index.parent / TWO).read_bytes()[:-1])
    error = support.raises(BurnpackError, open_model, index)
    assert str(index.parent / TWO) in str(error)


def test_an_unlisted_tensor_in_two_files_is_refused(tmp_path):
    shards = {ONE: {"a": ARRAYS["a"], "x": ARRAYS["b"]}, TWO: {"c": ARRAYS["c"], "x": ARRAYS["b"]}}
    index = write(tmp_path, shards, {"weight_map": {"a": ONE, "c": TWO}})
    error = support.raises(DuplicateName, open_model, index)
    assert "x" in str(error) and ONE in str(error) and TWO in str(error)


def test_files_of_several_formats_are_no_checkpoint(tmp_path):
    save_burnpack(tmp_path / "b.bpk", [Tensor("b", "F32", (4,), bytes(16))])
    index = write(tmp_path, {ONE: {"a": ARRAYS["a"]}}, {"weight_map": {"a": ONE, "b": "b.bpk"}})
    assert "burnpack and safetensors" in str(support.raises(Malformed, open_model, index))


def test_limits_hold_for_the_index_and_all_files(index):
    support.raises(LimitExceeded, open_model, index, Limits(tensors=4))
    support.raises(LimitExceeded, open_model, index, Limits(metadata=50))
    with open_model(index, Limits(tensors=5)) as opened:
        assert len(opened.names()) == 5


def tensors_of(arrays):
    return [Tensor(name, "F32", array.shape, array.tobytes()) for name, array in arrays.items()]


# sizes of tensors, the most in a file, how they are grouped
GROUPED = (
    ([4, 4, 4], 8, [2, 1]),
    ([4, 4, 4], 12, [3]),
    ([4, 9, 4], 8, [1, 1, 1]),  # one that is too large has a file of its own
    ([9], 8, [1]),
    ([0, 8, 0], 8, [3]),
    ([1, 1], 0, [1, 1]),
    ([], 8, [0]),
)


@pytest.mark.parametrize("sizes, most, expected", GROUPED)
def test_tensors_are_grouped_in_their_order(sizes, most, expected):
    tensors = [Tensor(str(number), "U8", (size,), bytes(size)) for number, size in enumerate(sizes)]
    groups = grouped(tensors, most)
    assert [len(group) for group in groups] == expected
    assert [tensor for group in groups for tensor in group] == tensors


def test_files_are_written_as_hugging_face_names_them(tmp_path):
    written = save_sharded(tmp_path / "model.safetensors", tensors_of(ARRAYS), 40, [("format", "pt")])
    names = [f"model-0000{number}-of-00003.safetensors" for number in (1, 2, 3)]
    index = tmp_path / "model.safetensors.index.json"
    assert sorted(written) == sorted([index, *(tmp_path / name for name in names)])
    assert json.loads(index.read_text()) == {
        "metadata": {"total_size": 80},
        "weight_map": dict(zip("abcde", [names[0], names[0], names[1], names[1], names[2]], strict=True)),
    }
    found = {key: array for name in names for key, array in load_file(tmp_path / name).items()}
    assert all(np.array_equal(found[key], array) for key, array in ARRAYS.items())


def test_the_total_size_is_that_of_what_is_written(tmp_path):
    tensors = [Tensor("a", "Bool(U32)", (3,), bytes(12)), Tensor("b", "U8", (5,), bytes(5))]
    save_sharded(tmp_path / "m.safetensors", tensors, 12)
    index = json.loads((tmp_path / "m.safetensors.index.json").read_text())
    assert index["metadata"] == {"total_size": 8}


def test_what_fits_into_one_file_is_one_file(tmp_path):
    path = tmp_path / "model.safetensors"
    assert save_sharded(path, tensors_of(ARRAYS), 80) == [path]
    assert list(tmp_path.iterdir()) == [path]


def test_two_tensors_of_one_name_in_two_files_are_refused(tmp_path):
    tensors = [Tensor(name, "U8", (8,), bytes(8)) for name in "aba"]
    support.raises(DuplicateName, save_sharded, tmp_path / "m.safetensors", tensors, 8)
    assert list(tmp_path.iterdir()) == []


def test_a_new_save_replaces_the_old_files_and_deletes_them(tmp_path):
    path = tmp_path / "model.safetensors"
    beside = tmp_path / "model-00001-of-00009.safetensors"
    beside.write_bytes(b"of somebody else")
    for most in (40, 40, 80, 16, 80):
        save_sharded(path, tensors_of(ARRAYS), most, (), True)
        with open_model(path if path.exists() else path.with_name(path.name + ".index.json")) as opened:
            used = {path.rpartition("/")[2] for path in opened.paths()}
            assert sorted(opened.names()) == list("abcde")
        assert {file.name for file in tmp_path.iterdir()} == used | {beside.name}


def test_an_index_that_leads_elsewhere_is_not_followed_when_old_files_are_deleted(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "precious.safetensors").write_bytes(b"precious")
    (tmp_path / "m-00001-of-00002.safetensors").write_bytes(b"precious")
    index = folder / "m.safetensors.index.json"
    for file in ("precious.safetensors", "../m-00001-of-00002.safetensors"):
        index.write_text(json.dumps({"weight_map": {"a": file}}))
        save_sharded(folder / "m.safetensors", tensors_of(ARRAYS), 40, (), True)
    assert (folder / "precious.safetensors").read_bytes() == b"precious"
    assert (tmp_path / "m-00001-of-00002.safetensors").read_bytes() == b"precious"


class Net(Module):
    def __init__(self):
        self.a, self.b, self.c = (Param((4,), "F32", ARRAYS[key].tobytes()) for key in "abc")


def test_a_store_saves_and_loads_several_files_under_one_name(tmp_path):
    store = SafetensorsStore.from_file(tmp_path / "net.safetensors").max_shard_size(32)
    Net().save_into(store)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "net-00001-of-00002.safetensors",
        "net-00002-of-00002.safetensors",
        "net.safetensors.index.json",
    ]
    other = Net()
    other.a.data = bytes(16)
    with store:
        assert other.load_from(store).applied == ["a", "b", "c"]
    assert bytes(other.a.data) == ARRAYS["a"].tobytes()
    with SafetensorsStore.from_file(tmp_path / "net.safetensors.index.json") as by_index:
        assert by_index.keys() == ["a", "b", "c"]


def test_a_sharded_checkpoint_converts_into_one_file(index, tmp_path):
    with open_model(index) as opened:
        plan(opened, tmp_path / "one.safetensors").run()
    found = load_file(tmp_path / "one.safetensors")
    assert all(np.array_equal(found[key], array) for key, array in ARRAYS.items())


def test_only_names_that_a_save_gives_are_taken_for_its_old_files():
    path = Path("sh.safetensors")
    for name, expected in (
        ("sh-00001-of-00002.safetensors", True),
        ("sh.0123abcd-00001-of-00002.safetensors", True),
        ("sh-large-00001-of-00002.safetensors", False),
        ("sh-large.0123abcd-00001-of-00002.safetensors", False),
        ("sh.large-00001-of-00002.safetensors", False),
        ("sh-of-.safetensors", False),
    ):
        assert is_shard_of(path, name) is expected, name


@pytest.mark.parametrize(
    "text", ['{"weight_map":{"a":"\\ud800"}}', '{"weight_map":{},"metadata":{"a":"\\ud800"}}']
)
def test_an_index_with_a_lone_surrogate_is_refused(text):
    support.raises(Malformed, parse_index, memoryview(text.encode()))


@pytest.mark.parametrize(
    "number", range(3)
)  # of the file behind which a signal comes: two of tensors, the index
def test_a_signal_right_behind_a_file_leaves_the_old_model_or_the_new_one(tmp_path, monkeypatch, number):
    tensors = [Tensor(key, "F32", (4,), array.tobytes()) for key, array in ARRAYS.items()]
    target, count = tmp_path / "model.safetensors", itertools.count()

    def interrupted(folder):
        if next(count) == number:
            raise KeyboardInterrupt

    monkeypatch.setattr("burnstore.io.files._sync_folder", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_sharded(target, tensors, 48)
    assert len(list(tmp_path.iterdir())) == (3 if number == 2 else 0)


def test_a_file_that_another_process_has_made_meanwhile_stays(tmp_path, monkeypatch):
    tensors = [Tensor(key, "F32", (4,), array.tobytes()) for key, array in ARRAYS.items()]
    (tmp_path / TWO).write_bytes(b"another's")
    monkeypatch.setattr("burnstore.io.shards.plan.os.path.lexists", lambda path: False)
    support.raises(SaveFailed, lambda: save_sharded(tmp_path / "model.safetensors", tensors, 48))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"another's"]
