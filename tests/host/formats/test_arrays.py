"""Arrays become row-major, little-endian bytes whatever they look like in memory, and come back."""

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load, save

from burnpack.errors import Unsupported
from burnpack.qfloat import QFloat
from burnpack.safetensors import Reader
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array
from kit.formats import safetensors_cases as cases

PLAIN = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
LAYOUTS = {
    "row-major": PLAIN,
    "Fortran": np.asfortranarray(PLAIN),
    "transposed": PLAIN.transpose(2, 0, 1),
    "strided": PLAIN[:, ::2, 1::2],
    "reversed": PLAIN[::-1, :, ::-1],
    "broadcast": np.broadcast_to(PLAIN[0, 0], (3, 4)),
    "big-endian": PLAIN.astype(">f4"),
    "big-endian and Fortran": np.asfortranarray(PLAIN.astype(">f4")),
    "big-endian and strided": PLAIN.astype(">f8")[..., ::3],
    "scalar": np.array(2.5, dtype=">f8"),
    "empty": np.zeros((2, 0, 3), dtype=">i2"),
    "read-only": np.frombuffer(PLAIN.tobytes(), np.float32),
}
NUMPY = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
NUMPY += ["float16", "float32", "float64", "complex64", "complex128"]
NARROW = ["bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu"]


def all_codes(dtype):
    """Return an array of every code of a narrow dtype, or of many of a wide one."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([[True, False, True]])
    codes = np.random.default_rng(1).integers(0, 256, 256 * dtype.itemsize, dtype=np.uint8)
    if dtype.itemsize == 1:
        codes = np.arange(256, dtype=np.uint8)
    return codes.view(dtype).reshape(4, 64)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_gives_the_bytes_of_the_plain_array(layout, tmp_path):
    array = LAYOUTS[layout]
    tensor = tensor_from_array("a", array)
    expected = array.astype(array.dtype.newbyteorder("<")).tobytes("C")
    assert tensor.shape == array.shape
    assert bytes(tensor.data()) == expected
    buffer = bytearray(len(expected))
    tensor.readinto(buffer)
    assert buffer == expected
    writer = Writer([tensor])
    path = tmp_path / "a.safetensors"
    with path.open("wb") as file:
        writer.write_to(file)
    assert path.read_bytes() == writer.to_bytes()
    assert np.array_equal(load(path.read_bytes())["a"], array)


@pytest.mark.parametrize("name", NUMPY + NARROW)
def test_every_dtype_comes_back_exactly(name):
    array = all_codes(name if name in NUMPY else getattr(ml_dtypes, name))
    found = array_from_tensor(tensor_from_array("a", array))
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert found.tobytes() == array.tobytes()


@pytest.mark.parametrize("name", [name for name in NUMPY + NARROW if name != "complex128"])
def test_the_reference_writes_the_same_bytes(name):
    array = all_codes(name if name in NUMPY else getattr(ml_dtypes, name))
    assert Writer([tensor_from_array("a", array)]).to_bytes() == save({"a": array})


def test_a_plain_array_is_not_copied():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor = tensor_from_array("a", array)
    assert np.shares_memory(np.frombuffer(tensor.data(), np.uint8), array)
    assert np.shares_memory(array_from_tensor(tensor), array)


def test_a_view_is_writable_only_if_its_source_is():
    writable = Tensor("a", "F32", (2,), bytearray(8))
    assert array_from_tensor(writable).flags.writeable
    assert not array_from_tensor(Tensor("a", "F32", (2,), bytes(8))).flags.writeable
    frozen = np.arange(2, dtype=np.float32)
    frozen.flags.writeable = False
    assert tensor_from_array("a", frozen).data().readonly


def test_an_unaligned_tensor_is_read_exactly():
    odd = cases.U8.replace("8,11", "0,3")
    header = '{"a":%s,"b":%s}' % (odd, cases.F32.replace("0,8", "3,11"))
    data = np.array([1.5, -2.5], dtype="<f4").tobytes()
    reader = Reader.from_bytes(cases.container(header, b"xyz" + data))
    assert array_from_tensor(reader.tensor("b")).tolist() == [1.5, -2.5]


@pytest.mark.parametrize(
    ("dtype", "data", "expected"),
    [
        ("Bool", b"\0\1\2\xff", [False, True, True, True]),
        ("Bool(U8)", b"\0\1\0\1", [False, True, False, True]),
        ("Bool(U32)", b"\0\0\0\0\1\0\0\0\0\0\0\1\0\0\0\0", [False, True, True, False]),
    ],
)
def test_a_bool_of_any_store_becomes_bools(dtype, data, expected):
    array = array_from_tensor(Tensor("a", dtype, (4,), data))
    assert array.dtype == bool
    assert array.tolist() == expected
    scalar = array_from_tensor(Tensor("a", dtype, (), data[: len(data) // 4]))
    assert isinstance(scalar, np.ndarray)


def test_a_flex32_is_read_as_the_floats_it_holds():
    data = np.array([1.5], dtype="<f4").tobytes()
    assert array_from_tensor(Tensor("a", "Flex32", (1,), data)).tolist() == [1.5]


@pytest.mark.parametrize("dtype", ["U2", "S3", "O", "M8[s]", "m8[s]", [("x", "i4")], ml_dtypes.int4])
def test_elements_that_no_container_holds_are_refused(dtype):
    with pytest.raises(Unsupported, match="wrong one"):
        tensor_from_array("wrong one", np.zeros(2, dtype=dtype))


def test_a_quantized_tensor_becomes_the_numbers_that_it_stands_for():
    data = np.array([1, -2], np.int8).tobytes() + np.array([0.5], "<f4").tobytes()
    array = array_from_tensor(Tensor("a", QFloat(), (2, 1), data))
    assert array.dtype == np.float32
    assert array.tolist() == [[0.5], [-1.0]]


@pytest.mark.parametrize("dtype", ["F4", "F6_E2M3", "F6_E3M2", "Bits8", "Bits16"])
def test_elements_that_numpy_lacks_are_refused(dtype):
    with pytest.raises(Unsupported, match="wrong one"):
        array_from_tensor(Tensor("wrong one", dtype, (4,), bytes(16)))
