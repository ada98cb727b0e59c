"""The options that an error offers do mend it."""

import re

import pytest

from burnpack.errors import LoadFailed
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from burnrt import nn
from burnstore.adapters import PyTorchToBurnAdapter
from burnstore.stores import SafetensorsStore

OPTION = re.compile(
    r"strip_prefixes\(\"[^\"]*\"\)|with_key_remapping\([^)]*\)"
    r"|skip_enum_variants\(True\)|with_from_adapter\(PyTorchToBurnAdapter\(\)\)"
)


class Activation(nn.Enum):
    pass


class Net(nn.Module):
    def __init__(self):
        self.conv = nn.Conv2d(1, 2, 3)
        self.norm = nn.BatchNorm2d(2)
        self.act = Activation(PRelu=nn.PReLU(2))
        self.fc = nn.Linear(8, 3)
        self.memory = nn.LSTM(3, 2)


class Wrapped(nn.Module):
    def __init__(self):
        self.model = Net()


SHAPES = {
    "conv.weight": (2, 1, 3, 3),
    "conv.bias": (2,),
    "norm.weight": (2,),
    "norm.bias": (2,),
    "norm.running_mean": (2,),
    "norm.running_var": (2,),
    "act.weight": (2,),
    "fc.weight": (3, 8),
    "fc.bias": (3,),
    "memory.weight_ih_l0": (8, 3),
    "memory.weight_hh_l0": (8, 2),
    "memory.bias_ih_l0": (8,),
    "memory.bias_hh_l0": (8,),
}


def checkpoint(renamed):
    tensors = []
    for name, shape in SHAPES.items():
        nbytes = Tensor(name, "F32", shape, b"").nbytes
        tensors.append(Tensor(renamed(name), "F32", shape, bytes(nbytes)))
    return Writer(tensors).to_bytes()


def advised(text, which):
    """Return an option from each line of advice: of alternatives, the first or the last."""
    lines = [OPTION.findall(line) for line in text.splitlines() if line.startswith("help: ")]
    return [options[which] for options in lines if options]


@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
@pytest.mark.parametrize(
    ("model", "renamed", "count"),
    [
        (Net, lambda name: name, 2),
        (Net, lambda name: "module." + name, 3),
        (Net, lambda name: "net.backbone." + name, 3),
        (Wrapped, lambda name: name, 3),
        (Wrapped, lambda name: "model._orig_mod." + name, 3),
    ],
    ids=["as it is", "DataParallel", "backbone", "model lacks", "compiled part"],
)
def test_what_is_advised_mends_it(model, renamed, count, which):
    data = checkpoint(renamed)
    with pytest.raises(LoadFailed) as caught:
        model().load_from(SafetensorsStore.from_bytes(data))
    options = advised(str(caught.value), which)
    assert len(options) == count, str(caught.value)
    store = SafetensorsStore.from_bytes(data)
    for option in options:
        store = eval("store." + option, {"store": store, "PyTorchToBurnAdapter": PyTorchToBurnAdapter})
    result = model().load_from(store)
    assert (result.missing, result.unused, result.errors) == ([], [], [])
