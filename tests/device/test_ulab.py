"""Where ulab is built in: its arrays go in, and nothing of ours is left hanging on them.

ulab's `frombuffer` over a slice of the heap keeps a pointer that the collector does not see, gives a writable
view of read-only bytes, and refuses trailing bytes. So no kernel keeps such an array: inputs are copied, and
weights stay views of the blob.
"""

import gc

import support
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import tensor


def _numpy():
    try:
        from ulab import numpy
    except ImportError:
        support.skip("this interpreter has no ulab")
    return numpy


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
