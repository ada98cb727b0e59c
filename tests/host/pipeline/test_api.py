"""The first calls that a script makes: plain names, plain values."""

import warnings

import numpy as np
import pytest
import safetensors.numpy

import burnstore
from burnpack.errors import LoadFailed, NotFound, SaveFailed, Unsupported
from burnstore.models.model import load_module
from kit import support
from kit.models.small_models import Net
from kit.pytorch import pickles

ARRAYS = {"w": np.arange(6, dtype="f4").reshape(2, 3), "b": np.arange(3, dtype="i8")}
NAMES = ("a.bpk", "a.safetensors")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def alike(found, arrays):
    return sorted(found) == sorted(arrays) and all(
        found[name].dtype == array.dtype and (found[name] == array).all() for name, array in arrays.items()
    )


@pytest.mark.parametrize("name", NAMES)
def test_what_is_saved_is_loaded(name):
    burnstore.save_file(ARRAYS, name, {"key": "text"})
    assert alike(burnstore.load_file(name), ARRAYS)
    with burnstore.open(name) as file:
        assert sorted(file.keys()) == ["b", "w"] and (file["w"] == ARRAYS["w"]).all()
        assert file.metadata()["key"] == "text" and file.tensor("w").shape == (2, 3)
        support.raises(NotFound, lambda: file["none"])


def test_safetensors_reads_what_is_saved_and_the_other_way_round():
    burnstore.save_file(ARRAYS, "a.safetensors")
    assert alike(safetensors.numpy.load_file("a.safetensors"), ARRAYS)
    safetensors.numpy.save_file(ARRAYS, "b.safetensors")
    assert alike(burnstore.load_file("b.safetensors"), ARRAYS)


def test_loaded_arrays_are_the_callers_own():
    burnstore.save_file(ARRAYS, "a.bpk")
    found = burnstore.load_file("a.bpk")
    found["w"] += 1  # a view of the file could not be changed
    assert alike(burnstore.load_file("a.bpk"), ARRAYS)


def test_tensors_lists_and_numbers_are_saved_too():
    tensor = burnstore.Tensor("other", "BF16", (1,), bytes(2))
    burnstore.save_file({"t": tensor, "l": [1.5, 2.5], "n": 3}, "a.bpk")
    with burnstore.open("a.bpk") as file:
        assert file.tensor("t").dtype == "BF16" and file["l"].tolist() == [1.5, 2.5] and file["n"] == 3


def test_what_no_file_holds_is_refused_by_name():
    error = support.raises(Unsupported, lambda: burnstore.save_file({"bad": ["text"]}, "a.bpk"))
    assert "bad" in str(error)
    support.raises(Unsupported, lambda: burnstore.save_file(ARRAYS, "a.npz"))


def test_a_file_is_replaced_unless_that_is_forbidden():
    burnstore.save_file(ARRAYS, "a.bpk")
    burnstore.save_file({"w": ARRAYS["b"]}, "a.bpk")
    assert list(burnstore.load_file("a.bpk")) == ["w"]
    support.raises(SaveFailed, lambda: burnstore.save_file(ARRAYS, "a.bpk", overwrite=False))
    assert list(burnstore.load_file("a.bpk")) == ["w"]


def test_a_checkpoint_is_loaded_under_its_key_and_what_is_chosen_is_said(folder):
    weight = pickles.tensor("0", 4, (2, 2))
    nested = {"state_dict": pickles.a_dict({"fc.weight": weight}), "epoch": pickles.value(3)}
    (folder / "a.pt").write_bytes(pickles.checkpoint(pickles.a_dict(nested), {"0": bytes(16)}))
    with pytest.warns(UserWarning, match="state_dict"):
        assert list(burnstore.load_file("a.pt")) == ["fc.weight"]


def test_a_plain_checkpoint_is_loaded_without_a_word(folder):
    (folder / "a.pt").write_bytes(pickles.of_arrays({"fc.weight": ARRAYS["w"]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert alike(burnstore.load_file("a.pt"), {"fc.weight": ARRAYS["w"]})


def test_what_is_refused_is_not_called_left_out(folder):
    sparse = pickles.call(
        pickles.name("torch._utils", "_rebuild_sparse_tensor"),
        pickles.name("torch", "sparse_coo"),
        pickles.a_tuple(),
    )
    both = pickles.a_dict({"w": pickles.tensor("0", 4), "s": sparse})
    (folder / "a.pt").write_bytes(pickles.checkpoint(both, {"0": bytes(16)}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "s: a sparse tensor" in str(support.raises(Unsupported, lambda: burnstore.load_file("a.pt")))


def test_a_conversion_takes_the_commands_options_as_plain_values():
    given = {"module.fc.0.weight": ARRAYS["w"], "module.fc.2.weight": ARRAYS["w"], "module.x": ARRAYS["b"]}
    burnstore.save_file(given, "a.safetensors")
    done = burnstore.convert(
        "a.safetensors",
        "a.bpk",
        strip_prefix=True,
        rename=[("^fc", "layers")],
        contiguous=True,
        filter="^layers",
        cast="F16",
        metadata={"made": "here"},
    )
    assert done.target.name == "a.bpk" and done.size == (done.target.stat().st_size)
    found = burnstore.load_file("a.bpk")
    assert sorted(found) == ["layers.0.weight", "layers.1.weight"]
    assert found["layers.0.weight"].dtype == np.dtype("f2")
    assert burnstore.inspect("a.bpk")["metadata"]["made"] == "here"
    support.raises(TypeError, lambda: burnstore.convert("a.bpk", "b.bpk", halff=True))


@pytest.mark.parametrize("call", [burnstore.open, burnstore.load_file, burnstore.open_model])
def test_what_other_libraries_take_beside_a_path_is_refused_by_what_it_is_not(call):
    burnstore.save_file(ARRAYS, "a.bpk")
    assert "limits" in str(support.raises(TypeError, lambda: call("a.bpk", "numpy")))


REFUSED = (
    ({"from_layout": "torch", "module": Net}, Unsupported, "no such from_layout (expected burn or pytorch"),
    ({"to_layout": "Burn", "module": Net}, Unsupported, "no such to_layout"),
    ({"from_layout": "burn"}, Unsupported, "only be changed"),
    ({"allow_partial": True}, Unsupported, "with a module"),
    ({"cast": "int8"}, Unsupported, "expected F64, F32, F16 or BF16, found INT8"),
    ({"rename": ("^a", "b")}, TypeError, "rename takes pairs"),
    ({"rename": "^a=b"}, TypeError, "rename takes pairs"),
    ({"metadata": "made=here"}, TypeError, "metadata takes pairs"),
    ({"shard_size": "20KB"}, TypeError, "shard_size is a number of bytes"),
    ({"shard_size": True}, TypeError, "shard_size is a number of bytes"),
    ({"shard_size": 0}, Unsupported, "1 or more"),
    ({"shard_size": -1}, Unsupported, "1 or more"),
    ({"cast": ""}, Unsupported, "can't be cast"),
    ({"saturate": True}, Unsupported, "saturate says how"),
)


@pytest.mark.parametrize(("asked", "error", "what"), REFUSED)
def test_an_option_that_would_do_nothing_or_fail_late_is_refused_by_name(folder, asked, error, what):
    burnstore.save_file(ARRAYS, "a.safetensors")
    said = support.raises(error, lambda: burnstore.convert("a.safetensors", "b.safetensors", **asked))
    assert what in str(said) and not (folder / "b.safetensors").exists()


def test_names_are_changed_by_a_dict_and_dtypes_are_named_as_on_the_command_line():
    burnstore.save_file({"net.w": ARRAYS["w"]}, "a.safetensors")
    done = burnstore.convert("a.safetensors", "a.bpk", rename={"^net": "a", "^a": "b"}, cast="f16")
    assert [(tensor.name, tensor.dtype) for tensor in done.tensors] == [("b.w", "F16")]
    assert "Tensor(" not in repr(done)  # which a prompt shows


# what is asked for, and what is said of it
IDLE = (
    ({"strip_prefix": True}, "not all names begin with module."),
    ({"strip_prefix": "bert."}, "no name begins with bert."),
    ({"strip_prefix": ["net.", "bert."]}, "no name begins with bert."),
    ({"rename": [("^bert", "")]}, "no name has what is to be renamed: ^bert"),
    ({"strip_prefix": "net."}, None),
    ({"rename": [("^bert", ""), ("^net", "a")]}, None),
)


@pytest.mark.parametrize(("asked", "note"), IDLE)
def test_what_is_to_change_names_and_changes_none_is_said(asked, note):
    burnstore.save_file({"net.w": ARRAYS["w"], "b": ARRAYS["b"]}, "a.safetensors")
    notes = burnstore.convert("a.safetensors", "a.bpk", **asked).notes
    said = [each for each in notes if "no name" in each or "names begin" in each]
    assert len(said) == (note is not None) and (note or "") in "".join(said)


LINEAR = "from burnrt import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
LINEAR += "        self.fc = nn.Linear(3, 2, bias=False)\n"


def test_a_module_is_given_as_instance_class_or_name(folder):
    (folder / "net.py").write_text(LINEAR)
    burnstore.save_file({"fc.weight": ARRAYS["w"]}, "a.safetensors")
    network = load_module("net.py:Net")
    for number, module in enumerate(("net.py:Net", network, type(network))):
        done = burnstore.convert("a.safetensors", f"{number}.bpk", module)
        assert done.result.applied == ["fc.weight"]
        assert burnstore.load_file(f"{number}.bpk")["fc.weight"].shape == (3, 2)


@pytest.mark.parametrize("module", [3, Net, "nowhere.py:Net"])
def test_what_is_no_module_of_the_file_is_refused_and_nothing_is_written(folder, module):
    burnstore.save_file(ARRAYS, "a.safetensors")
    support.raises(LoadFailed, lambda: burnstore.convert("a.safetensors", "b.bpk", module))
    assert not (folder / "b.bpk").exists()


@pytest.mark.parametrize("name", dir(burnstore))
def test_every_public_name_is_there_and_says_what_it_does(name):
    value = getattr(burnstore, name)
    assert name == "__version__" or (value.__doc__ or "").strip()


def test_a_star_import_leaves_pythons_open_alone():
    names = {}
    exec("from burnstore import *", names)
    assert "open" not in names and names["load_file"] is burnstore.load_file


def test_none_is_nothing_in_every_option(folder):
    burnstore.save_file(ARRAYS, "a.safetensors")
    nothing = dict.fromkeys(("strip_prefix", "rename", "filter", "exact", "metadata", "cast", "shard_size"))
    burnstore.convert("a.safetensors", "a.bpk", None, **nothing)
    assert alike(burnstore.load_file("a.bpk"), ARRAYS)
    support.raises(TypeError, lambda: burnstore.convert("a.bpk", "b.bpk", rename=[("w", None)]))
