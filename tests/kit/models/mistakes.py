"""Random modules, and tensors that do not fit them for the mistakes that are usually made."""

import struct

from burnpack.collect import collect
from burnpack.module import Enum, Module, walk
from burnpack.tensor import Tensor
from burnstore.numerics.adapters import BurnToPyTorchAdapter
from kit.models.small_models import BatchNorm, Conv2d, Embedding, LayerNorm, Linear, PRelu
from kit.pytorch import pickles

PREFIXES = ("module.", "model.", "net.", "bert.", "0.", "_orig_mod.", "state_dict.model.", "encoder_q.")
_NAMES = "encoder decoder head body stem fc conv norm attention mlp proj embed layers blocks".split()
_STRANGERS = (("n_averaged", ()), ("criterion.weight", (41,)), ("ema.decay", (1,)), ("loss.center", (43, 2)))


class Choice(Enum):
    """An enum of one variant."""


class Wrapped(Module):
    """A module that has another one as a part."""

    def __init__(self, part):
        self.backbone = part


def mistaken(rng, kind):
    """Return a module, and tensors of a file of a kind that it should be loaded from.

    The module has its numbers already, and the tensors, under whatever names, are the same.
    """
    part = filled(rng, random_module(rng))
    tensors = tensors_of(part, pytorchs=kind == "pt" or rng.random() < 0.7)
    if kind != "bpk" and rng.random() < 0.3:
        tensors = [each.renamed(_with_gaps(each.name)) for each in tensors]
    if rng.random() < 0.6:
        prefix = rng.choice(PREFIXES)
        tensors = [each.renamed(prefix + each.name) for each in tensors]
    if rng.random() < 0.4:
        tensors += [tensor(name, shape) for name, shape in rng.sample(_STRANGERS, rng.randint(1, 3))]
    return Wrapped(part) if rng.random() < 0.3 else part, tensors


def random_module(rng, names=_NAMES, depth=2):
    """Return a module of a few parts."""
    module = Module()
    for name in rng.sample(names, rng.randint(2, 4)):
        setattr(module, name, _part(rng, names, depth))
    return module


def _part(rng, names, depth):
    kind = rng.randint(0, 9)
    if depth and kind < 2:
        return random_module(rng, names, depth - 1)
    if depth and kind < 4:
        return [_layer(rng) for _ in range(rng.randint(2, 3))]
    return _layer(rng)


def _layer(rng):
    inputs, outputs = rng.sample(range(2, 40), 2)
    kind = rng.randint(0, 9)
    if kind < 4:
        return Linear(weight=(inputs, outputs), bias=(outputs,))
    if kind < 6:
        return Conv2d(weight=(outputs, inputs % 5 + 1, 3, 3), bias=(outputs,))
    if kind < 7:
        return BatchNorm(gamma=(inputs,), beta=(inputs,), running_mean=(inputs,), running_var=(inputs,))
    if kind < 8:
        return LayerNorm(gamma=(inputs,), beta=(inputs,))
    if kind < 9:
        return Choice(PRelu=PRelu(alpha=(inputs,)))
    return Embedding(weight=(inputs, outputs))


def filled(rng, module):
    """Return the module with numbers in it, by which each parameter is known."""
    for _, _, param in walk(module):
        count = param.nbytes() // 4
        param.data = struct.pack("<%df" % count, *[rng.random() for _ in range(count)])
    return module


def tensors_of(module, pytorchs):
    """Return a module's tensors as a file has them: as PyTorch names and lays them out, or as Burn does."""
    return collect(module, None, BurnToPyTorchAdapter() if pytorchs else None, pytorchs)


def _with_gaps(name):
    """Return a name with each number n of a list as 2 n + 1, as where layers have no parameters."""
    return ".".join([str(2 * int(part) + 1) if part.isdigit() else part for part in name.split(".")])


def tensor(name, shape):
    """Return a tensor of zeros."""
    return Tensor(name, "F32", shape, bytes(Tensor("", "F32", shape, b"").nbytes))


def checkpoint(tensors, *keys):
    """Return the bytes of a PyTorch checkpoint of tensors, which may be under keys, the innermost first."""
    storages = {str(number): bytes(each.data()) for number, each in enumerate(tensors)}
    rows = enumerate(tensors)
    content = pickles.a_dict(
        {each.name: pickles.tensor(str(number), each.nbytes // 4, each.shape) for number, each in rows}
    )
    for key in keys:
        content = pickles.a_dict({key: content})
    return pickles.checkpoint(content, storages)
