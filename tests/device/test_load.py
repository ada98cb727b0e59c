"""A model answers the same, wherever its bytes come from."""

import io
import struct

from burnpack.errors import LoadFailed
from burnpack.reader import Reader
from burnpack.store import BurnpackStore
from burnpack.writer import Writer
from burnrt import nn, tensor
from kit import support


class Net(nn.Module):
    def __init__(self, outputs=3):
        self.conv = nn.Conv2d(1, 2, 3)
        self.norm = nn.BatchNorm(2)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(8, outputs)

    def forward(self, x):
        return self.fc(self.flatten(self.norm(self.conv(x))))


# name and shape of each tensor
TENSORS = (
    ("conv.weight", (2, 1, 3, 3)),
    ("conv.bias", (2,)),
    ("norm.gamma", (2,)),
    ("norm.beta", (2,)),
    ("norm.running_mean", (2,)),
    ("norm.running_var", (2,)),
    ("fc.weight", (8, 3)),
    ("fc.bias", (3,)),
)


def container():
    """Return a Burnpack with a number of its own in every place."""
    from burnpack.dtype import count
    from burnpack.tensor import Tensor

    tensors = []
    number = 0.25
    for name, shape in TENSORS:
        data = b""
        for _ in range(count(shape)):
            data += struct.pack("<f", number)
            number = (number * 1.37 + 0.71) % 3
        tensors.append(Tensor(name, "F32", shape, data))
    return Writer(tensors).to_bytes()


def answer_of(model):
    return list(model(tensor(range(16), (1, 1, 4, 4)))[0])


def from_memory(data):
    model = Net()
    model.load_from(BurnpackStore.from_static(data))
    return answer_of(model)


def test_flash_a_file_and_an_unaligned_place_give_the_same_answer():
    data = container()
    expected = from_memory(data)
    assert len(expected) == 3 and len(set(expected)) == 3
    for shift in (1, 2, 3):
        found = from_memory(memoryview(bytes(shift) + data)[shift:])
        # Where it is unaligned, other kernels may add in another order.
        assert max([abs(a - b) for a, b in zip(found, expected)]) < 1e-4, (shift, found, expected)
    model = Net()
    assert model.apply(Reader.from_stream(io.BytesIO(data))).is_success()
    assert answer_of(model) == expected


def test_a_model_of_another_shape_is_refused_and_stays_empty():
    model = Net(4)
    error = support.raises(LoadFailed, model.load_from, BurnpackStore.from_static(container()))
    assert "fc.weight" in str(error)
    assert model.conv.weight.data is None
