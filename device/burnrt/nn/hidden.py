"""Parts of a model in attributes that PyTorch would not look into: layers whose weights no store finds."""

from burnpack.errors import Unsupported
from burnpack.module import DEPTH_MOST, Module, Param

if False:  # for type checkers
    from typing import Any


# Of what holds them: what to write instead.
_INSTEAD = {"list": "nn.ModuleList", "tuple": "nn.ModuleList", "dict": "nn.ModuleDict"}
_HOLDERS = (list, tuple, dict, set, frozenset)


def check(module: "Module", name: str, value: object) -> None:
    """Raise `Unsupported` where attribute `name` holds a part that is not below `module` otherwise."""
    parts: "list[Any]" = []
    _gather(value if isinstance(value, _HOLDERS) else value.__dict__, parts, 0)
    known = _below(module)
    if any([all([part is not other for other in known]) for part in parts]):
        raise _refusal(module, name, value)


def _below(module: "Module") -> "list[Any]":
    """Return the module, its attributes that are parts, and all parts below these."""
    found: "list[Any]"
    found, pending = [module], list(module.__dict__.values())
    while pending:
        part = pending.pop()
        if isinstance(part, (Module, Param)) and all([part is not other for other in found]):
            found.append(part)
            pending.extend([child for _, child in part.children()] if isinstance(part, Module) else [])
    return found


def _gather(value: object, parts: "list[Any]", depth: int) -> None:
    if isinstance(value, (Module, Param)):
        parts.append(value)
    elif isinstance(value, _HOLDERS) and depth < DEPTH_MOST:
        for item in list(value.values()) if isinstance(value, dict) else value:
            _gather(item, parts, depth + 1)


def _refusal(module: "Module", name: str, value: object) -> "Unsupported":
    kind = type(value).__name__
    what = "layers or parameters in a plain %s are nobody's, and would not be loaded" % kind
    expected = _INSTEAD.get(kind, "nn.ModuleList or nn.ModuleDict, or an nn.Module")
    return Unsupported(what, "%s.%s" % (type(module).__name__, name), expected=expected, found=kind)
