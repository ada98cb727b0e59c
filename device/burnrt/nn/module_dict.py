"""Modules under names."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.nn.container import check_module
from burnrt.nn.module import Module

if False:  # for type checkers
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from burnpack.module import Module as _AnyModule

    _Named: TypeAlias = "ModuleDict | Mapping[str, _AnyModule] | Iterable[tuple[str, _AnyModule]]"


# Whether a dict gives its items in the order in which they came: not on MicroPython.
_DICTS_ARE_ORDERED = list(dict([(str(key), key) for key in range(16)]).values()) == list(range(16))


class ModuleDict(Module):
    """Hold modules under names, as PyTorch does: its parameters are called `name.weight` and so on.

    modules: a dict, another ModuleDict, or (name, module) pairs. Walking through the modules in order needs
        an OrderedDict or pairs where a dict has no order.
    """

    def __init__(self, modules: "_Named | None" = None) -> None:
        self._pairs: "list[tuple[str, Any]]" = []
        self._is_ordered = True
        self.update(modules or ())

    def update(self, modules: "_Named") -> None:
        """Take the modules of a dict, a `ModuleDict` or pairs, in place of those with the same names."""
        if type(modules) is dict and len(modules) > 1:
            self._is_ordered = self._is_ordered and _DICTS_ARE_ORDERED
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module

    def children(self) -> "list[tuple[str, Any]]":
        return list(self._pairs)

    def container(self) -> str:
        return "Vec"

    def keys(self) -> list[str]:
        """Return the names, in order. Raises `Unsupported` where they came without one."""
        return [name for name, _ in self.items()]

    def values(self) -> "list[Any]":
        """Return the modules, in order. Raises `Unsupported` where they came without one."""
        return [module for _, module in self.items()]

    def items(self) -> "list[tuple[str, Any]]":
        """Return (name, module) pairs, in order. Raises `Unsupported` where they came without one."""
        if not self._is_ordered:
            what = "a dict has no order here: make it of an OrderedDict or of pairs"
            raise Unsupported(what, "ModuleDict", found="dict")
        return list(self._pairs)

    def __iter__(self) -> "Iterator[str]":
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._pairs)

    def __contains__(self, name: object) -> bool:
        return name in [known for known, _ in self._pairs]

    def __getitem__(self, name: str) -> "Any":
        for known, module in self._pairs:
            if known == name:
                return module
        raise KeyError(name)

    def __setitem__(self, name: str, module: "_AnyModule") -> None:
        check_module(self, module)
        if not isinstance(name, str) or not name or "." in name:
            expected = "a text without dots"
            raise InvalidTensor("wrong name", "ModuleDict", expected=expected, found=repr(name))
        if name not in self:
            self._pairs.append((name, module))
        self._pairs = [(known, module if known == name else other) for known, other in self._pairs]
