"""Where ulab is built in: its arrays go in, its kernels agree with plain's, and nothing hangs on either.

ulab's `frombuffer` over a slice of the heap keeps a pointer that the collector does not see, gives a writable
view of read-only bytes, and refuses trailing bytes. So no kernel keeps such an array: inputs are copied, and
weights stay views of the blob.
"""

import gc

from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import kernels, tensor
from kit import support
from kit.models import float_cases


def _numpy():
    try:
        from ulab import numpy
    except ImportError:
        support.skip("this interpreter has no ulab")
    return numpy


def _kernels():
    if len(_numpy().frombuffer(bytes(8))) != 2:
        support.skip("this ulab's floats do not have 32 bits")


def test_an_input_from_ulab_is_copied():
    numpy = _numpy()
    array = numpy.array([1.0, 2.0, 3.0, 4.0])
    value = tensor(array.reshape((2, 2)), (2, 2))
    array[0] = 9.0
    assert list(value[0]) == [1.0, 2.0] and list(value[1]) == [3.0, 4.0]


def test_weights_survive_a_collection_whatever_ulab_made_of_them():
    numpy = _numpy()
    container = bytearray(Writer([Tensor("w", "U8", (64,), bytes(range(64)))]).to_bytes())
    view = Reader.from_static(container).view("w")
    array = numpy.frombuffer(container, dtype=numpy.uint8)  # the whole buffer, then sliced: the safe way
    part = array[len(container) - 64 :]
    gc.collect()
    junk = [bytearray(64) for _ in range(200)]
    assert bytes(view) == bytes(range(64)) and len(junk) == 200
    assert [int(item) for item in part] == list(range(64))


def test_the_set_is_in_use_where_its_floats_have_32_bits_and_refused_elsewhere():
    numpy = _numpy()
    usual = kernels.in_use()
    if len(numpy.frombuffer(bytes(8))) == 2:
        assert "ulab" in usual
    else:
        assert "ulab" not in usual
        support.raises(ImportError, kernels.use, "ulab")
        assert kernels.in_use() == usual


def test_every_kernel_agrees_with_the_plain_one():
    _kernels()
    float_cases.check("ulab")


def test_kernels_work_in_place_where_plain_ones_may():
    _kernels()
    kernels.use("ulab")
    try:
        numbers = [-3.5, -0.0, 0.0, 0.5, 1.25, 2.75]
        for name, sizes in (("relu", (6,)), ("sigmoid", (6,)), ("tanh", (6,)), ("softmax", (2, 3, 1))):
            x, out = kernels.floats(numbers), kernels.buffer(6)
            getattr(kernels, name)(x, out, *sizes)
            getattr(kernels, name)(x, x, *sizes)
            assert list(x) == list(out), name
        ones = kernels.floats([1.0, 1.0, 1.0])
        for name, before, after in (
            ("affine", (ones, ones), (1, 3, 2)),
            ("layer_norm", (ones, ones, 1e-5), (2, 3)),
        ):
            x, out = kernels.floats(numbers), kernels.buffer(6)
            getattr(kernels, name)(*((x,) + before + (out,) + after))
            getattr(kernels, name)(*((x,) + before + (x,) + after))
            assert list(x) == list(out), name
    finally:
        kernels.use()


def test_not_a_number_goes_through_the_kernels():
    _kernels()
    kernels.use("ulab")
    try:
        for name in ("relu", "sigmoid", "tanh"):
            out = kernels.buffer(2)
            getattr(kernels, name)(kernels.floats([float("nan"), 1.0]), out, 2)
            assert out[0] != out[0] and out[1] == out[1], name
    finally:
        kernels.use()


def test_weights_in_the_middle_of_the_heap_are_the_same_after_a_collection():
    _kernels()
    kernels.use("ulab")
    try:
        dice = float_cases.Dice(7)
        weight, data = dice.parameter(64, ("F32", "<f", 4))  # 4 bytes behind the beginning of the buffer
        x, before, after = dice.buffer(8), kernels.buffer(8), kernels.buffer(8)
        kernels.linear(x, weight, None, before, 1, 8, 8)
        gc.collect()
        junk = [bytearray(64) for _ in range(200)]
        kernels.linear(x, weight, None, after, 1, 8, 8)
        assert list(before) == list(after) and len(junk) == 200 and len(data) == 260
    finally:
        kernels.use()
