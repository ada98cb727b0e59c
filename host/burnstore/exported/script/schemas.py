"""Which of PyTorch's operations a call in TorchScript means, and what its arguments are called.

`schemas.txt` has one line an operation, which `tools/aten_schemas.py` writes: its name with its overload, and
its arguments with their types, "=" after those that have a default.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from burnstore.exported.graph import Ref

# The dtypes, layouts and memory formats of PyTorch by its own numbers, which are others than those of a .pt2.
DTYPES = dict(enumerate("U8 I8 I16 I32 I64 F16 F32 F64 C32 C64 C128 Bool".split())) | {15: "BF16"}
LAYOUTS = {0: "strided", 1: "sparse_coo", 2: "sparse_csr", 3: "mkldnn"}
MEMORY_FORMATS = {0: "contiguous_format", 1: "preserve_format", 2: "channels_last", 3: "channels_last_3d"}
_NAMES = {"dtype": DTYPES, "layout": LAYOUTS, "memory_format": MEMORY_FORMATS}


Tests = dict[str, Callable[[Any], bool]]


class Parameter(NamedTuple):
    """An argument of an operation. kind: its type, as in "int[]?"."""

    kind: str
    name: str
    has_default: bool


@cache
def schemas() -> dict[str, list[tuple[str, list[Parameter]]]]:
    """Return the operations of each name, with their overloads, those of tensors first."""
    found: dict[str, list[tuple[str, list[Parameter]]]] = {}
    for line in (Path(__file__).with_name("schemas.txt")).read_text("utf-8").splitlines():
        operation, _, text = line.partition(" ")
        parts = [part.split(" ") for part in text.split(", ") if part]
        parameters = [Parameter(kind, name.rstrip("="), name.endswith("=")) for kind, name in parts]
        found.setdefault(operation.partition(".")[0], []).append((operation, parameters))
    return found


def matched(name: str, values: Sequence[Any], named: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the operation that a call means, and its arguments by name; None where there is none.

    name: without an overload. An operation in place, as "relu_", is that of the same name without.
    """
    table = schemas()
    pure = name[:-1] if name.endswith("_") and name not in table else name
    for tests in (_TESTS, _TESTS_OF_NUMBERS):
        for operation, parameters in table.get(pure, ()):
            arguments = _arguments(parameters, values, named, tests)
            if arguments is not None:
                return name + operation[len(pure) :], arguments
    return None


def _arguments(
    parameters: list[Parameter], values: Sequence[Any], named: Mapping[str, Any], tests: Tests
) -> dict[str, Any] | None:
    if len(values) > len(parameters):
        return None
    given = dict(zip([parameter.name for parameter in parameters], values, strict=False)) | dict(named)
    known = {parameter.name: parameter for parameter in parameters}
    if not set(given) <= set(known) or not all(one.has_default or one.name in given for one in parameters):
        return None
    found = {}
    for key, value in given.items():
        kind = known[key].kind
        is_left_out = value is None and kind.endswith("?")
        if not is_left_out and not tests[kind.removesuffix("?")](value):
            return None
        if known[key].has_default and (value is None or value == ()):
            continue  # as good as not given
        if key in _NAMES and value is not None:
            value = _NAMES[key].get(value, f"{key} {value}")
        found[key] = (value,) if kind.startswith(("int[]", "float[]")) and type(value) in _NUMBERS else value
    return found


_NUMBERS = (int, float)


def _each(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, (tuple, list)) and all(map(test, value))


_TESTS: Tests = {
    "Tensor": lambda value: isinstance(value, Ref),
    "Tensor[]": _each(lambda value: isinstance(value, Ref)),
    "Tensor?[]": _each(lambda value: value is None or isinstance(value, Ref)),
    "int": lambda value: type(value) is int,
    "int[]": lambda value: type(value) is int or _each(lambda part: type(part) is int)(value),
    "float": lambda value: type(value) in _NUMBERS,
    "float[]": lambda value: type(value) is float or _each(lambda part: type(part) in _NUMBERS)(value),
    "bool": lambda value: type(value) is bool,
    "bool[]": _each(lambda value: type(value) is bool),
    "Scalar": lambda value: type(value) in (*_NUMBERS, bool),
    "str": lambda value: type(value) is str,
    "Device": lambda value: type(value) is str,
    "Generator": lambda value: False,
}


# PyTorch makes tensors of numbers where an operation takes tensors only.
_TESTS_OF_NUMBERS = _TESTS | {"Tensor": lambda value: isinstance(value, Ref) or type(value) in _NUMBERS}
