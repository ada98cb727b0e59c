"""What a model costs on a board: its weights are never copied."""

import gc
import sys

from burnpack.store import BurnpackStore
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import nn, tensor
from kit import support

INPUTS, OUTPUTS = 256, 64
WEIGHT_SIZE = INPUTS * OUTPUTS * 4


def file_bytes():
    """Return a Burnpack with the one dense layer of `Net`."""
    weight = Tensor("fc.weight", "F32", (INPUTS, OUTPUTS), bytes(WEIGHT_SIZE))
    return Writer([weight, Tensor("fc.bias", "F32", (OUTPUTS,), bytes(OUTPUTS * 4))]).to_bytes()


class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(INPUTS, OUTPUTS)

    def forward(self, x):
        return self.fc(x)


def loaded(data):
    model = Net()
    model.load_from(BurnpackStore.from_static(data))
    return model


def fill_heap(size):
    """Take all blocks of `size` bytes that the heap still has, and return them."""
    blocks = []
    try:
        while True:
            blocks.append(bytearray(size))
    except MemoryError:
        return blocks


def test_a_loaded_parameter_is_a_view_of_the_file():
    data = bytearray(file_bytes())
    model = loaded(data)
    data[-1] = 0x55
    assert bytes(model.fc.bias.data)[-1] == 0x55


def test_loading_and_running_needs_no_room_for_a_copy_of_the_weights():
    if sys.implementation.name != "micropython" or sys.maxsize < 1 << 32:
        support.skip("the heap of this interpreter grows, so it can't be filled")
    data = file_bytes()
    loaded(data)(tensor(range(INPUTS), (1, INPUTS)))  # brings in all code
    gc.collect()
    ballast = fill_heap(WEIGHT_SIZE // 8)
    assert ballast
    outputs = loaded(data)(tensor(range(INPUTS), (1, INPUTS)))[0]
    assert len(ballast[0]) < WEIGHT_SIZE and list(outputs) == [0.0] * OUTPUTS


def test_the_heap_of_a_loaded_model_does_not_grow_with_its_weights():
    if not hasattr(gc, "mem_alloc"):
        support.skip("this interpreter can't tell what is on its heap")
    data = file_bytes()
    loaded(data)
    gc.collect()
    before = gc.mem_alloc()
    model = loaded(data)
    gc.collect()
    if sys.maxsize > 1 << 32:  # the other one collects only between tests
        assert gc.mem_alloc() - before < 2048, gc.mem_alloc() - before
    assert model.fc.weight.nbytes() == WEIGHT_SIZE
