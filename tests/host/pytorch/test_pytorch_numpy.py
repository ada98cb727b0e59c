"""NumPy's arrays in checkpoints and plain pickles are tensors; those of anything but numbers are left out."""

import pickle

import ml_dtypes
import numpy as np
import pytest

from burnpack.errors import Malformed
from burnpack.limits import Limits
from burnstore import open_model
from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.pytorch import pickles as p

ARRAYS = {
    **{name: np.arange(-3, 3).astype(name).reshape(2, 3) for name in "f2 f4 f8 i1 i2 i4 i8 c8 c16".split()},
    **{name: np.arange(6).astype(name).reshape(2, 3) for name in "u1 u2 u4 u8 bool".split()},
    **{f"big-endian {name}": np.arange(6).astype(">" + name) for name in "f2 f4 f8 i2 i8 u4 c8".split()},
    "by columns": np.asfortranarray(np.arange(24, dtype="f4").reshape(2, 3, 4)),
    "transposed": np.arange(6, dtype="f4").reshape(2, 3).T,
    "every other": np.arange(12, dtype="f4")[::2],
    "big-endian by columns": np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3)),
    "without dimensions": np.array(7, "i8"),
    "without elements": np.zeros((0, 3), "f4"),
    "bytes above 127": np.full(300, 0xFE, "u1"),
    "large": np.arange(100_000, dtype="f4"),
    **{name: np.arange(4).astype(getattr(ml_dtypes, name)) for name in ("bfloat16", "float8_e4m3fn")},
}


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_an_array_in_a_pickle_is_a_tensor(array, protocol, tmp_path):
    path = tmp_path / "arrays.pkl"
    path.write_bytes(pickle.dumps({"a": {"w": array}, "n": 3}, protocol))
    with open_model(path) as opened:
        assert opened.names() == ["a.w"]
        found = opened.array("a.w")
    assert found.shape == array.shape and found.dtype == array.dtype.newbyteorder("<")
    assert found.tobytes() == array.astype(found.dtype).tobytes()


def test_a_state_dict_of_arrays_has_the_names_and_shapes_of_its_twin_of_tensors():
    with (
        open_model(support.data("reports/numpy_state_dict.pt")) as arrays,
        open_model(support.data("reports/tensors_in_a_tuple.pt")) as twin,
    ):
        assert arrays.reader.others() == [] and arrays.left_out() == []
        shapes = {f"0.{tensor.name}": (tensor.dtype, tensor.shape) for tensor in arrays}
        assert shapes == {tensor.name: (tensor.dtype, tensor.shape) for tensor in twin}


def test_pickles_of_numpy_1_are_read_as_those_of_numpy_2():
    data = pickle.dumps({"w": np.arange(3, dtype="f4")}, 2).replace(b"numpy._core", b"numpy.core")
    assert bytes(PytorchReader.from_buffer(data).tensor("w").data()) == np.arange(3, dtype="f4").tobytes()


def test_a_scalar_is_a_tensor_in_a_dict_of_arrays_and_a_number_elsewhere():
    state = {"w": np.ones(2, "f4"), "steps": np.int64(5)}
    reader = PytorchReader.from_buffer(pickle.dumps({"state": state, "loss": np.float32(0.5)}))
    assert reader.names() == ["state.w", "state.steps"]
    assert (reader.tensor("state.steps").shape, bytes(reader.tensor("state.steps").data())) == (
        (),
        (5).to_bytes(8, "little"),
    )
    assert ("loss", "0.5") in reader.others()


OTHERS = {
    "objects": np.array([None, 1], object),
    "records": np.zeros(2, [("a", "<f4"), ("b", "<i4")]),
    "texts": np.array(["a", "bc"]),
    "bytes": np.array([b"a"]),
    "times": np.array(["2020-01-01"], "M8[D]"),
    "floats that Burn has not": np.zeros(2, np.longdouble),
}


@pytest.mark.parametrize("protocol", (2, 4, 5))
@pytest.mark.parametrize(("kind", "array"), OTHERS.items(), ids=OTHERS)
def test_an_array_of_no_numbers_is_left_out_with_the_reason(kind, array, protocol):
    reader = PytorchReader.from_buffer(pickle.dumps({"a": {"x": array, "w": np.ones(1)}}, protocol))
    assert reader.names() == ["a.w"]
    assert reader.left_out() == [("a.x", f"a NumPy array of {kind}")]


def test_a_masked_array_is_there_and_cant_be_read():
    reader = PytorchReader.from_buffer(pickle.dumps({"m": np.ma.array([1.0], mask=[1]), "w": np.ones(1)}))
    assert bytes(reader.tensor("w").data()) == np.ones(1).tobytes()
    assert [path for path, _ in reader.left_out()] == ["m"]


def test_an_array_of_another_length_than_its_shape_says_is_damaged():
    for size in (11, 13):
        data = pickle.dumps({"w": np.zeros(size, "u1")}, 2).replace(
            b"K" + bytes((size,)) + b"\x85", b"K\x0c\x85"
        )
        with pytest.raises(Malformed, match="as many bytes"):
            PytorchReader.from_buffer(data)


def test_the_bytes_of_arrays_do_not_count_as_metadata_or_as_objects():
    array = np.arange(30_000_000, dtype="u1")
    for protocol in (2, 4):
        data = pickle.dumps({"w": array, "v": array[1:].copy()}, protocol)
        reader = PytorchReader.from_buffer(data, limits=Limits(metadata=1 << 20))
        assert len(reader.tensor("w").data()) == len(array)


def test_an_array_in_an_archive_has_its_own_byte_order():
    dtype = p.call(p.name("numpy", "dtype"), "f4", False, True)
    dtype += p.a_tuple(3, "<", None, None, None, -1, -1, 0) + b"b"
    made = p.call(
        p.name("numpy.core.numeric"[:18], "_frombuffer"), p.raw(bytes(range(4))), dtype, p.a_tuple(1), "C"
    )
    operations = p.a_dict({"a": made, "t": p.tensor("0", 1)})
    reader = PytorchReader.from_buffer(p.checkpoint(operations, {"0": bytes(range(4))}, byteorder=b"big"))
    assert bytes(reader.tensor("a").data()) == bytes(range(4)) == bytes(reader.tensor("t").data())[::-1]
