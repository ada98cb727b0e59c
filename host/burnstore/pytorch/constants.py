"""The weights of frozen TorchScript: constants of its code, named by the calls that take them.

    y = torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1])        conv2d.0.weight, conv2d.0.bias
    z = torch.linear(torch.relu(y), CONSTANTS.c2, CONSTANTS.c3)    linear.0.weight, linear.0.bias

Each function's calls are numbered in the order of the code. Equal constants are stored once, so that one
may have several names; one that no known function takes is `constants.<number>`. The code is looked
through, and never run.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice

from burnpack.errors import LimitExceeded
from burnstore.pytorch.numpy_values import Array
from burnstore.pytorch.objects import Dict, Refused
from burnstore.pytorch.rebuild import TensorView

_WEIGHT_AND_BIAS = (None, "weight", "bias")
_NORM = (None, None, "weight", "bias")
_RECURRENT = (None, None, "weights")
# What the arguments of PyTorch's functions are; None: no parameter.
_PARAMETERS: dict[str, tuple[str | None, ...]] = {
    **dict.fromkeys(("linear", "conv1d", "conv2d", "conv3d", "_convolution"), _WEIGHT_AND_BIAS),
    **dict.fromkeys(("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"), _WEIGHT_AND_BIAS),
    **dict.fromkeys(("layer_norm", "group_norm", "rms_norm"), _NORM),
    **dict.fromkeys(("batch_norm", "instance_norm"), (*_WEIGHT_AND_BIAS, "running_mean", "running_var")),
    **dict.fromkeys(("embedding", "embedding_bag"), ("weight",)),
    **dict.fromkeys(("lstm", "gru", "rnn_tanh", "rnn_relu"), _RECURRENT),
    **dict.fromkeys(
        ("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell"),
        (None, None, "weight_ih", "weight_hh", "bias_ih", "bias_hh"),
    ),
    "prelu": (None, "weight"),
    "bilinear": (None, None, "weight", "bias"),
}
_BIASED, _BIDIRECTIONAL = 3, 7  # arguments of recurrent functions that say what the list of weights holds
_RECURRENT_PARTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")

_TOKEN = re.compile(
    r'CONSTANTS\.c(?P<constant>\d{1,9})\b|"(?:[^"\\\n]|\\.)*"|torch\.(?P<call>\w+)\('
    r"|(?P<name>[A-Za-z_][\w.]*)|(?P<mark>[()\[\],=\n])|(?P<other>[^\s\w])"
)
_UNKEPT = re.compile(r"(\w+) = ops\.prim\.ConstantMKLDNNTensor\(\)")
_ADDED = "constants"

CODE = 2 << 20  # letters of code that are looked through for names: a thousand layers take a tenth of that
DEPTH = 100  # of brackets, which no code of PyTorch's reaches
ARGUMENTS = 4096  # that are looked at, of a call or in a list
COMPOSED = 2  # parts of an argument: one of several parts is none that has a name

# A constant's number, a list of values, a plain word, or None for what is composed.
Value = int | list["Value"] | str | None
Row = tuple[str, int]  # a name, and the number of a constant


def named_constants(
    constants: Sequence[object], texts: Iterable[str], taken: Iterable[object], most: int
) -> Dict:
    """Return the constants that are tensors by their names, nested as these.

    texts: the code. taken: names at the top that are not free. most: how many names there may be.
    """
    groups: dict[str, Dict] = {"": Dict()}
    left = dict.fromkeys(number for number, value in enumerate(constants) if _is_tensor(value))
    rows = list(islice(_names(_first(texts), left), most + 1))
    if len(rows) > most:
        raise LimitExceeded("the code names too many tensors", expected=f"at most {most}")
    named = {number for _, number in rows}
    rows += [(f"{_ADDED}.{number}", number) for number in left if number not in named]
    used = {name for name in taken if type(name) is str}
    for path, number in rows:
        group, _, last = (f"{_ADDED}.{path}" if path.partition(".")[0] in used else path).rpartition(".")
        _group(groups, group).pairs.append((last, constants[number]))
    return groups[""]


def _group(groups: dict[str, Dict], path: str) -> Dict:
    """Return the dict of this path, made now, with those around it, if it is not there yet."""
    if path not in groups:
        groups[path] = Dict()
        around, _, name = path.rpartition(".")
        _group(groups, around).pairs.append((name, groups[path]))
    return groups[path]


def unkept(texts: Iterable[str]) -> list[str]:
    """Return the names of constants in code that PyTorch does not write: those laid out for MKLDNN."""
    return list(dict.fromkeys(name for text in texts for name in _UNKEPT.findall(text)))


def _is_tensor(value: object) -> bool:
    return isinstance(value, (TensorView, Refused, Array))


def _first(texts: Iterable[str]) -> Iterator[str]:
    """Yield code as far as it is looked through for names."""
    left = CODE
    for text in texts:
        yield text[:left]
        left = max(0, left - len(text))


def _names(texts: Iterable[str], numbers: Container[int]) -> Iterator[Row]:
    """Yield the names that calls give to the constants of these numbers."""
    counts: dict[str, int] = {}
    known: set[tuple[str, tuple[Row, ...]]] = set()
    for text in texts:
        for function, arguments in calls(text):
            rows = tuple([row for row in _of_call(function, arguments) if row[1] in numbers])
            if not rows or (function, rows) in known:  # a branch may repeat what another has
                continue
            known.add((function, rows))
            place = counts.get(function, 0)
            counts[function] = place + 1
            name = function.strip("_")
            yield from ((f"{name}.{place}.{part}", number) for part, number in rows)


def _of_call(function: str, arguments: list[Value]) -> Iterator[Row]:
    """Yield the parameters of a call."""
    for part, value in zip(_PARAMETERS[function], arguments, strict=False):
        if part == "weights" and isinstance(value, list):
            yield from _of_recurrent(value, arguments)
        elif part is not None and isinstance(value, int):
            yield part, value


def _of_recurrent(weights: list[Value], arguments: list[Value]) -> Iterator[Row]:
    """Yield the weights of recurrent layers, by PyTorch's names for them."""
    flags = [value == "True" for value in arguments]
    parts = _RECURRENT_PARTS if flags[_BIASED : _BIASED + 1] == [True] else _RECURRENT_PARTS[:2]
    both = flags[_BIDIRECTIONAL : _BIDIRECTIONAL + 1] == [True]
    for place, value in enumerate(weights):
        cell, part = divmod(place, len(parts))
        layer, backward = divmod(cell, 2) if both else (cell, 0)
        if isinstance(value, int):
            yield f"{parts[part]}_l{layer}{'_reverse' if backward else ''}", value


def calls(text: str) -> Iterator[tuple[str, list[Value]]]:
    """Yield the calls of known functions in code, each with its arguments.

    A call in another's arguments comes first. A name stands for the constants that were assigned to it last.
    """
    assigned: dict[str, Value] = {}
    targets: list[str] = []
    stack = [_Group("")]
    for token in _TOKEN.finditer(text):
        group, mark = stack[-1], token["mark"]
        if mark == "\n" and len(stack) == 1:
            values = zip(targets, _resolved(group.arguments(), assigned), strict=False)
            assigned.update({name: value for name, value in values if isinstance(value, (int, list))})
            targets = []
            stack = [_Group("")]
        elif mark == "=" and len(stack) == 1:
            targets = [word for word in group.arguments() if isinstance(word, str)]
            for word in targets:
                assigned.pop(word, None)
            stack = [_Group("")]
        elif len(stack) > DEPTH:
            return
        elif token["call"] or mark in ("(", "["):
            stack.append(_Group(token["call"] or mark))
        elif mark in (")", "]") and len(stack) > 1:
            closed = stack.pop()
            arguments = _resolved(closed.arguments(), assigned)
            if closed.kind in _PARAMETERS:
                yield closed.kind, arguments
            stack[-1].add(arguments if closed.kind == "[" else None)
        elif mark == ",":
            group.divide()
        elif mark != "\n":
            group.add(_atom(token))


def _atom(token: re.Match[str]) -> Value:
    return int(token["constant"]) if token["constant"] else token["name"]


def _resolved(values: list[Value], assigned: dict[str, Value]) -> list[Value]:
    """Return values with what was assigned to them in the place of names."""
    return [assigned.get(value, value) if isinstance(value, str) else value for value in values]


class _Group:
    """What stands between brackets, or on a line. kind: the function that is called, or the bracket."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._done: list[Value] = []
        self._open: list[Value] = []

    def add(self, value: Value) -> None:
        """Add a part of the argument that is being read."""
        if len(self._open) < COMPOSED:
            self._open.append(value)

    def divide(self) -> None:
        """End an argument."""
        if len(self._done) < ARGUMENTS:
            self._done.append(self._open[0] if len(self._open) == 1 else None)
        self._open = []

    def arguments(self) -> list[Value]:
        """Return all arguments."""
        if self._open:
            self.divide()
        return self._done
