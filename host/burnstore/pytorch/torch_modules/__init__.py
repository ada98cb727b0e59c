"""A torch.nn.Module seen as a Module: under Burn's names, in Burn's layout.

Each parameter is a view of torch's own tensor, turned or cut as Burn has it: what is saved is read from
there, what is loaded is copied there. torch is imported when a module is given, and is not needed otherwise.
"""

from typing import TYPE_CHECKING, Any

from burnpack.collect import collected
from burnpack.context import Context
from burnpack.module import Module, walk
from burnpack.tensor import Tensor
from burnstore.pytorch.torch_modules.params import TorchParam
from burnstore.pytorch.torch_modules.parts import Builder, TorchPart, class_name, is_torch, unwrapped

if TYPE_CHECKING:
    from burnpack.types import AnyAdapter, Filter


def torch_module(module: Any, contiguous: bool = True) -> Module:
    """Return a Module whose parameters are those of a `torch.nn.Module`, which it keeps.

    module: the torch module.
    contiguous: whether a list is numbered without those of its layers that have no parameters, as Burn's
        Vec is; else as torch numbers it.

    A tensor that is loaded is cast to the dtype of torch's. Raises `Unsupported` for layers that have what
    Burn's have not.
    """
    root = _Root(Builder(contiguous).parts(module), class_name(module))
    root.state_names = list(unwrapped(module).state_dict(keep_vars=True))
    return root


def is_torch_class(cls: object) -> bool:
    """Return whether a class derives from torch.nn.Module; torch is not imported for that."""
    return isinstance(cls, type) and any(is_torch(base, "Module") for base in cls.__mro__)


class _Root(TorchPart):
    """The module itself. state_names: what torch's `state_dict` calls its tensors."""

    state_names: list[str]

    def collect(
        self,
        filter: "Filter | None" = None,
        adapter: "AnyAdapter | None" = None,
        skip_enum_variants: bool = False,
    ) -> list[Tensor]:
        """Return the parameters as tensors, one of which at a time is rearranged when it is written."""
        found = [
            (param.tensor(path), Context(path, containers), param)
            for path, containers, param in walk(self)
            if isinstance(param, TorchParam) and (filter is None or filter.matches(path, containers))
        ]
        return collected(found, adapter)
