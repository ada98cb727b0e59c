"""Functions of TorchScript on plain values: numbers, lists, texts."""

import math
import operator
from collections.abc import Callable
from typing import Any

BITS = 63  # of an integer, as PyTorch has them
LENGTH = 1 << 16  # of a list or text


def _format(text: str, *values: object) -> str:
    return text  # only messages of errors are made so


def _append(items: list[Any], value: Any) -> list[Any]:
    items.append(value)
    return items


def _cut(items: Any, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    return items[slice(start, end, step)]


def _range_length(start: int, end: int, step: int) -> int:
    return len(range(start, end, step))


def _divide(left: float, right: float, rounding_mode: str | None = None) -> float:
    if rounding_mode is None:
        return left / right
    return math.floor(left / right) if rounding_mode == "floor" else math.trunc(left / right)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "torch.add": operator.add,
    "torch.sub": operator.sub,
    "torch.mul": operator.mul,
    "torch.div": _divide,
    "torch.floordiv": operator.floordiv,
    "torch.floor_divide": operator.floordiv,
    "torch.remainder": operator.mod,
    "torch.neg": operator.neg,
    "torch.pow": operator.pow,
    "torch.sqrt": math.sqrt,
    "torch.floor": math.floor,
    "torch.ceil": math.ceil,
    "torch.eq": operator.eq,
    "torch.ne": operator.ne,
    "torch.lt": operator.lt,
    "torch.le": operator.le,
    "torch.gt": operator.gt,
    "torch.ge": operator.ge,
    "torch.__is__": operator.is_,
    "torch.__isnot__": operator.is_not,
    "torch.__not__": operator.not_,
    "torch.__and__": operator.and_,
    "torch.__or__": operator.or_,
    "torch.__contains__": operator.contains,
    "torch.__getitem__": operator.getitem,
    "torch.__range_length": _range_length,
    "torch.__derive_index": lambda index, start, step: start + index * step,
    "torch.len": len,
    "torch.list": list,
    "torch.slice": _cut,
    "torch.append": _append,
    "torch.format": _format,
    "torch.Int": int,
    "torch.Float": float,
    "torch.Bool": bool,
    "torch.ScalarImplicit": lambda value: value,
    "torch.any": any,
    "torch.all": all,
    "torch.warn": lambda *values: None,
    "torch.device": lambda name, *index: ":".join(map(str, (name, *index))),
    # Without gradients PyTorch calls operations that do several things at once.
    "torch.is_grad_enabled": lambda: True,
    "torch.is_autocast_enabled": lambda *values: False,
    "ops.prim.NumToTensor": lambda value: value,
    "ops.prim.max": max,
    "ops.prim.min": min,
    "ops.prim.abs": abs,
    "ops.prim.type": lambda device: device,
    "ops.prim.unchecked_cast": lambda value: value,
    "ops.aten.Int": int,
    "ops.aten.ScalarImplicit": lambda value: value,
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
}


def calls(name: str, values: list[Any]) -> Any:
    """Return what a function makes of plain values. Raises what Python raises, and `OverflowError`."""
    for value in values:
        if type(value) is int and value.bit_length() > BITS:
            raise OverflowError("a number is too large")
    if name in ("torch.mul", "torch.pow") and not all(type(value) in (int, float) for value in values):
        raise TypeError("no numbers")
    if name == "torch.pow" and abs(values[1]) > BITS:
        raise OverflowError("a number is too large")
    found = FUNCTIONS[name](*values)
    if isinstance(found, (list, tuple, str)) and len(found) > LENGTH:
        raise OverflowError("a list is too long")
    return found
