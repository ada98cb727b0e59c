"""A model whose content tells its version, and stores of each format: for the tests of faults."""

from burnpack.module import Module, Param
from burnpack.tensor import Tensor
from burnstore import BurnpackStore, SafetensorsStore

TENSORS, SIZE = 6, 5000  # of a model; bytes of each tensor


class Model(Module):
    def __init__(self):
        self.parts = [Param((SIZE,), "U8") for _ in range(TENSORS)]


def model(version, size=SIZE):
    """Return a model all of whose bytes are `version`."""
    made = Model()
    made.parts = [Param((size,), "U8", bytes([version]) * size) for _ in range(TENSORS)]
    return made


def store(kind, path):
    """Return a store of a format: "burnpack", "safetensors", or "sharded", which is three files of it."""
    if kind == "burnpack":
        return BurnpackStore.from_file(path)
    made = SafetensorsStore.from_file(path)
    return made.max_shard_size(TENSORS * SIZE // 3) if kind == "sharded" else made


def version_of(opened):
    """Return the version of the model in a store; raises where it is not whole."""
    with opened:
        tensors = opened.get_all_tensors()
        assert len(tensors) == TENSORS, tensors
        found = {bytes(tensor.data()) for tensor in tensors}
    assert len(found) == 1, "parts of several versions"
    (content,) = found
    assert content == content[:1] * len(content)
    return content[0]


class Failing:
    """An adapter whose tensor of number `at` has a provider that calls `instead`."""

    def __init__(self, at, instead):
        self._at, self._instead = at, instead

    def adapt(self, tensor, context):
        if context.name != str(self._at):
            return tensor
        return Tensor(tensor.name, tensor.dtype, tensor.shape, self._instead, tensor.param_id)

    def get_alternative_param_name(self, name, module_type):
        return None
