"""Modules for tests, with Burn's layer names, made from the shapes of their parameters."""

from burnpack.module import Module, Param, walk


class Layer(Module):
    """A module whose parameters are given by name: a shape, or a `Param`."""

    def __init__(self, **params):
        for name, given in params.items():
            setattr(self, name, given if isinstance(given, Param) else Param(given))


class Linear(Layer):
    pass


class Conv2d(Layer):
    pass


class BatchNorm(Layer):
    pass


class LayerNorm(Layer):
    pass


class GroupNorm(Layer):
    pass


class InstanceNorm(Layer):
    pass


class RmsNorm(Layer):
    pass


class PRelu(Layer):
    pass


class Embedding(Layer):
    pass


class Net(Module):
    """A linear layer, a list of two blocks, and a counter."""

    def __init__(self):
        self.fc = Linear(weight=(2, 3), bias=(3,))
        self.blocks = [BatchNorm(gamma=(4,), beta=(4,)), BatchNorm(gamma=(4,), beta=(4,))]
        self.steps = Param((), "I64")


NET = "fc.weight fc.bias blocks.0.gamma blocks.0.beta blocks.1.gamma blocks.1.beta steps".split()


def params_of(module):
    """Return {path: Param}."""
    return {path: param for path, _, param in walk(module)}


def filled(module, first=1):
    """Give each parameter data of its own, the n-th one bytes of value `first` + n; return the module."""
    params = params_of(module)
    for number, path in enumerate(sorted(params)):
        params[path].data = bytes((first + number,)) * params[path].nbytes()
    return module


def state_of(module):
    """Return what each parameter holds, to tell whether anything changed."""
    found = []
    params = params_of(module)
    for path in sorted(params):
        param = params[path]
        data = None if param.data is None else bytes(param.data)
        found.append((path, param.dtype, param.shape, param.param_id, data))
    return found
