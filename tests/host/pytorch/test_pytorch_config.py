"""A checkpoint's plain values and facts, without its tensors, out of every container."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import BurnpackError, DuplicateName, LimitExceeded, Malformed, NotFound, Unsupported
from burnpack.limits import Limits
from burnstore import load_config, metadata
from burnstore.pytorch.plain import as_key
from kit import support
from kit.pytorch import pickles as p

VECTORS = Path(support.path("tests/vectors"))
ADAM = {
    "lr": 0.01,
    "betas": (0.9, 0.999),
    "eps": 1e-08,
    "weight_decay": 0,
    "amsgrad": False,
    "maximize": False,
    "foreach": None,
    "capturable": False,
    "differentiable": False,
    "fused": None,
    "decoupled_weight_decay": False,
    "params": [0, 1, 2, 3, 4, 5],
}
OPTIMIZER = {"epoch": 3, "optimizer": {"param_groups": [ADAM]}, "best": 0.5}
NUMPY = {
    "loss": 0.25,
    "epoch": 12,
    "flag": True,
    "small": 1.5,
    "array": [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]],
    "fortran": [[0, 1, 2], [3, 4, 5]],
    "strings": "NumPy array of U2 [2]",
    "objects": "NumPy array of O8 [2]",
    "dtype": "NumPy dtype float16",
}
GOLDEN = {
    "pytorch_zip/optimizer.pt": OPTIMIZER,
    "pytorch_other/legacy_optimizer.pt": OPTIMIZER,
    "pytorch_other/bare_protocol_0.pkl": {"n": 3},
    "pytorch_other/tar.pt": {},
    "pytorch_other/scripted.pt": {},
    "pytorch_zip/contiguous.pt": {},
    "pytorch_zip/bare_tensor.pt": None,
    "pytorch_zip/averaged.pt": {"ema": {"decay": 0.999, "updates": 12}},
    "pytorch_zip/nested.pt": {
        "weights": [None, "a text between", None],
        "pair": (None, None, None),
        "step": 7,
    },
    "pytorch_zip/numpy_values.pt": NUMPY,
    "pytorch_zip/numpy_1_values.pt": NUMPY,
    "pytorch_zip/lightning.pt": {
        "epoch": 3,
        "global_step": 120,
        "pytorch-lightning_version": "2.4.0",
        "loops": {"fit_loop": {"state_dict": {}, "epoch_progress": {"total": {"ready": 4}}}},
        "callbacks": {"ModelCheckpoint{'monitor': 'loss'}": {"monitor": "loss"}},
        "optimizer_states": [{"param_groups": [ADAM]}],
        "lr_schedulers": [{"step_size": 10, "base_lrs": [0.01]}],
        "hparams_name": "kwargs",
        "hyper_parameters": {"rate": 0.01, "widths": [3, 4], "folder": "data/digits"},
        "arguments": {"seed": 7, "rate": 0.5},
    },
    "pytorch_zip/opaque.pt": {
        "path": "/tmp/x",
        "kind": "__main__.Kind(1)",
        "when": "object of datetime.datetime",
        "set": [1, 2],
        "frozen": [3],
        "settings": {"rate": 0.1},
        "counter": {"a": 2, "b": 1},
        "deque": [1, 2],
        "config": {"width": 3},
        "size": (1, 2),
        "dtype": "torch.float16",
        "device": "torch.device(cpu)",
        "complex": 1 + 2j,
        "bytes": b"\x00\xff",
        "array": b"xyz",
        "large": 1 << 80,
        "range": "__builtin__.xrange(0, 3, 1)",
        "class": "collections.OrderedDict",
    },
}


@pytest.mark.parametrize(("name", "expected"), GOLDEN.items(), ids=GOLDEN)
def test_plain_values_are_read_without_the_tensors(name, expected):
    found = load_config(VECTORS / name)
    assert found == expected
    assert type(found) is type(expected)


def test_a_module_gives_its_settings_and_those_of_its_parts():
    found = load_config(VECTORS / "pytorch_other/module.pt")
    assert found["blocks"]["0"]["conv"]["kernel_size"] == (3, 3)
    assert found["blocks"]["0"]["sizes"] == [1, 2]
    assert found["head"]["1"]["in_features"] == 8
    assert not any(key.startswith("_") for key in found)


def test_a_key_gives_what_is_under_it():
    path = VECTORS / "pytorch_zip/lightning.pt"
    assert load_config(path, "hyper_parameters")["rate"] == 0.01
    assert load_config(path, "epoch") == 3
    assert load_config(path, "state_dict") == {}
    with pytest.raises(NotFound, match="hyper_parameters") as raised:
        load_config(path, "rate")
    assert "lightning.pt" in str(raised.value)
    with pytest.raises(Unsupported, match="no dict"):
        load_config(VECTORS / "pytorch_zip/list.pt", "0")


def config_of(operations, tmp_path, key=None, storages=None, limits=None):
    path = tmp_path / "config.pt"
    path.write_bytes(p.checkpoint(operations, storages or {}))
    return load_config(path, key, limits)


def an_object(cls, state):
    """An object of a class that nobody knows, with this state."""
    module, _, name = cls.rpartition(".")
    return p.name(module, name) + b")\x81" + p.value(state) + b"b"


NODE = an_object("omegaconf.nodes.AnyNode", p.a_dict({"_val": 3}))
OBJECTS = {
    "a Namespace in another": (
        an_object(
            "argparse.Namespace", p.a_dict({"a": 1, "b": an_object("argparse.Namespace", p.a_dict({}))})
        ),
        {"a": 1, "b": {}},
    ),
    "slots": (an_object("m.Slots", p.a_tuple(None, p.a_dict({"a": 1}))), {"a": 1}),
    "slots and a dict": (
        an_object("m.Both", p.a_tuple(p.a_dict({"b": 2}), p.a_dict({"a": 1}))),
        {"b": 2, "a": 1},
    ),
    "a state of another kind": (an_object("m.Odd", 7), "m.Odd()"),
    "a kind of list": (p.name("m", "Items") + b")\x81(K\x01K\x02e", [1, 2]),
    "OmegaConf": (
        an_object(
            "omegaconf.dictconfig.DictConfig",
            p.a_dict({"_parent": None, "_content": p.a_dict({"lr": NODE})}),
        ),
        {"lr": 3},
    ),
    "a path of Windows": (p.call(p.name("pathlib", "WindowsPath"), "C:\\", "x"), "C:\\x"),
    "a path of Python 3.13": (p.call(p.name("pathlib._local", "PosixPath"), "/", "x"), "/x"),
    "a path of what is no text": (p.call(p.name("pathlib", "PosixPath"), 3), "pathlib.PosixPath(3)"),
    "a long argument": (p.call(p.name("m", "C"), "x" * 2000), "object of m.C"),
    "a long name": (p.name("m", "C" * 2000), "a class with a long name"),
}


@pytest.mark.parametrize(("operations", "expected"), OBJECTS.values(), ids=OBJECTS)
def test_objects_become_what_they_hold(operations, expected, tmp_path):
    assert config_of(p.a_dict({"x": operations}), tmp_path) == {"x": expected}


def test_an_object_that_leads_back_to_its_holder_goes_without_that(tmp_path):
    parent = p.name("m", "Node") + b")\x81q\x00"
    child = an_object("m.Node", p.a_dict({"parent": b"h\x00", "size": 3}))
    assert config_of(parent + p.a_dict({"child": child}) + b"b", tmp_path) == {"child": {"size": 3}}


def test_a_dict_that_contains_itself_is_refused(tmp_path):
    with pytest.raises(Malformed, match="contains itself"):
        config_of(b"}q\x00X\x01\x00\x00\x00ah\x00s", tmp_path)


def test_what_is_shared_stays_shared(tmp_path):
    found = config_of(p.a_dict([("a", b"](K\x01eq\x00"), ("b", b"h\x00")]), tmp_path)
    assert found == {"a": [1], "b": [1]} and found["a"] is found["b"]


def test_what_would_be_printed_without_end_is_refused(tmp_path):
    with pytest.raises(LimitExceeded, match="too many plain values"):
        config_of(p.a_dict({"x": p.doubled(60)}), tmp_path)
    with pytest.raises(LimitExceeded, match="nested too deeply"):
        config_of(p.a_dict({"x": b"]" * 6 + b"a" * 5}), tmp_path, limits=Limits(depth=5))


KEYS = [
    (3, 3),
    (-1, -1),
    (True, True),
    (None, None),
    ("a", "a"),
    (p.a_tuple(1, "x"), "(1, x)"),
    (p.name("m", "C"), "m.C"),
    (p.call(p.name("m", "Kind"), 1), "m.Kind(1)"),
]


@pytest.mark.parametrize(("key", "expected"), KEYS, ids=[str(row[1]) for row in KEYS])
def test_keys_stay_plain_or_become_texts(key, expected, tmp_path):
    ((found, value),) = config_of(p.a_dict([(key, "value")]), tmp_path).items()
    assert found == expected and type(found) is type(expected) and value == "value"


def test_what_has_no_key_that_a_dict_could_have_is_left_out(tmp_path):
    deep, huge = p.a_tuple(p.a_tuple(1)), 1 << 70
    assert config_of(p.a_dict([(deep, 1), (huge, 2), ("a", 3)]), tmp_path) == {"a": 3}
    assert as_key(1 << 63) == 1 << 63


def test_two_values_of_one_key_are_refused(tmp_path):
    with pytest.raises(DuplicateName, match="a"):
        config_of(p.a_dict([("a", 1), ("a", 2)]), tmp_path)
    with pytest.raises(DuplicateName, match="several"):
        config_of(p.a_dict([("1", 1), (1, 2)]), tmp_path, "1")


SCALARS = (
    "float64 float32 float16 int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool complex64 complex128"
)


def numpy_scalar(value, order, module):
    data = np.array(value, value.dtype.newbyteorder(order)).tobytes()
    dtype = p.call(p.name("numpy", "dtype"), value.dtype.str[1:], False, True)
    state = p.a_tuple(3, order, None, None, None, -1, -1, 0)
    return p.call(p.name(module, "scalar"), dtype + state + b"b", p.raw(data))


@pytest.mark.parametrize("module", ["numpy.core.multiarray", "numpy._core.multiarray"])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("name", SCALARS.split())
def test_numpy_scalars_are_decoded(name, order, module, tmp_path):
    value = np.dtype(name).type(1.5 if np.dtype(name).kind in "fc" else 1)
    found = config_of(p.a_dict({"x": numpy_scalar(value, order, module)}), tmp_path)["x"]
    assert found == value.item() and type(found) is type(value.item())


def test_special_numbers_stay_special(tmp_path):
    values = {
        name: numpy_scalar(np.float16(name), "<", "numpy.core.multiarray") for name in ("nan", "inf", "-inf")
    }
    found = config_of(p.a_dict(values), tmp_path)
    assert math.isnan(found["nan"]) and (found["inf"], found["-inf"]) == (math.inf, -math.inf)


def numpy_array(shape, data, code="u1"):
    dtype = p.call(p.name("numpy", "dtype"), code, False, True)
    made = p.call(
        p.name("numpy._core.multiarray", "_reconstruct"),
        p.name("numpy", "ndarray"),
        p.a_tuple(0),
        p.raw(b"b"),
    )
    return made + p.a_tuple(1, p.a_tuple(*shape), dtype, False, p.raw(data)) + b"b"


ARRAYS = {
    "of two dimensions": ((2, 2), b"\x01\x02\x03\x04", [[1, 2], [3, 4]]),
    "of none": ((), b"\x07", 7),
    "of a wrong size": ((3,), b"\x01\x02", "NumPy array of uint8 [3]"),
    "of a negative size": ((-1,), b"\x01", "NumPy array of uint8 [-1]"),
    "of many empty rows": ((1 << 40, 0), b"", "NumPy array of uint8 [1099511627776, 0]"),
    "of too many dimensions": ((1,) * 70, b"\x01", "NumPy array of uint8 tuple of 70"),
    "that is large": ((70_000,), bytes(70_000), "NumPy array of uint8 [70000]"),
}


@pytest.mark.parametrize(("shape", "data", "expected"), ARRAYS.values(), ids=ARRAYS)
def test_a_numpy_array_becomes_lists_if_it_is_small(shape, data, expected, tmp_path):
    assert config_of(p.a_dict({"x": numpy_array(shape, data)}), tmp_path) == {"x": expected}


def test_tensors_are_not_looked_at(tmp_path):
    beyond = {"w": p.tensor("0", 4, (1 << 40,)), "lr": 1}
    assert config_of(p.a_dict(beyond), tmp_path) == {"lr": 1}


FACTS = {
    "pytorch_zip/protocol_4.pt": {
        "format": "pytorch",
        "container": "zip",
        "byteorder": "little",
        "pickle_protocol": 4,
        "version": 3,
        "format_version": 1,
        "storage_alignment": 64,
        "tensors": 2,
        "nbytes": 36,
    },
    "pytorch_zip/big_endian.pt": {"byteorder": "big", "tensors": 9, "nbytes": 306},
    "pytorch_other/legacy_tied.pt": {"container": "legacy", "version": 1001, "tensors": 2, "nbytes": 48},
    "pytorch_other/tar.pt": {"container": "tar", "tensors": 5},
    "pytorch_other/bare_protocol_0.pkl": {"container": "pickle", "pickle_protocol": 0},
    "pytorch_other/scripted.pt": {"container": "torchscript", "tensors": 10},
}


@pytest.mark.parametrize(("name", "expected"), FACTS.items(), ids=FACTS)
def test_metadata_are_facts_of_the_container_and_its_tensors(name, expected):
    found = metadata(VECTORS / name)
    assert {key: found[key] for key in expected} == expected
    assert found["format"] == "pytorch"
    json.dumps(found)


@pytest.mark.parametrize("version", [b"", b"3.0", b"9" * 4000, b"\xff"])
def test_a_strange_version_stays_a_text(version, tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(p.checkpoint(p.a_dict({}), version=version))
    assert metadata(path)["version"] == version.decode("utf-8", "replace")


@pytest.mark.parametrize("ask", [load_config, metadata])
def test_another_format_is_named(ask, tmp_path):
    with pytest.raises(Unsupported, match="burnpack"):
        ask(VECTORS / "burnpack_basic/today.bpk")
    (tmp_path / "page.pt").write_bytes(b"<!DOCTYPE html>")
    with pytest.raises(BurnpackError, match=r"page\.pt.*HTML"):
        ask(tmp_path / "page.pt")


def test_plain_values_are_read_without_numpy():
    script = (
        "import sys, burnstore; burnstore.load_config(sys.argv[1]); burnstore.metadata(sys.argv[1]);"
        "print(sorted({'numpy', 'ml_dtypes', 'cbor2', 'rich', 'torch'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script, str(VECTORS / "pytorch_zip/optimizer.pt")]
    paths = {"PYTHONPATH": ":".join(support.path(room) for room in ("shared", "host"))}
    done = subprocess.run(command, capture_output=True, text=True, env=paths, check=True)
    assert done.stdout.strip() == "[]"
