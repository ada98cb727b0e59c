"""What becomes of each of PyTorch's operations."""

from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from burnstore.aten import attention, composed, creating, layers, quantized, recurrent, special
from burnstore.aten.building import Builder
from burnstore.aten.rows import ROWS
from burnstore.aten.without_parameters import layer_of
from burnstore.exported.graph import Node

Handler = Callable[[Builder, Node], None]


@dataclass(frozen=True)
class Row:
    """A line of `ROWS`: the call that an operation becomes. keywords: (ours, the operation's)."""

    function: str
    arguments: tuple[str, ...]
    keywords: tuple[tuple[str, str], ...]

    def __call__(self, builder: Builder, node: Node) -> None:
        found = [_argument(builder, node, name) for name in self.arguments]
        given = [each for each in found if each is not _ABSENT]
        named = {key: _argument(builder, node, name) for key, name in self.keywords}
        named = {key: each for key, each in named.items() if each is not _ABSENT and each is not None}
        if named.get("alpha") == 1:
            del named["alpha"]
        if named.get("stride") == ():  # that of the windows
            del named["stride"]
        if self.function == "same":
            builder.same(node, given[0])
        elif self.function == "reshape":
            builder.reshape(node, given[0])
        else:
            layer = layer_of(self.function, given, named)
            builder.call(node, self.function, *given, layer=layer, **named)


_ABSENT = object()


def _argument(builder: Builder, node: Node, name: str) -> Any:
    """Return what the row's argument is of a node."""
    if name in _DERIVED:
        return _DERIVED[name](builder, node)
    if name[0] in "'-0123456789":
        return literal_eval(name)
    return builder.value(node.arguments[name]) if name in node.arguments else _ABSENT


def _turned(builder: Builder, node: Node) -> tuple[int, ...]:
    return tuple(reversed(range(len(builder.shape(node.arguments["self"])))))


def _correction(builder: Builder, node: Node) -> int:
    return int(bool(node.arguments.get("unbiased", True)))


_DERIVED: dict[str, Callable[[Builder, Node], Any]] = {
    "shape_of_output": lambda builder, node: builder.graph.specs[node.outputs[0]].shape,
    "turned_dims": _turned,
    "unbiased_as_correction": _correction,
}


def _row(line: str) -> tuple[str, Row]:
    operation, _, call = line.partition(" ")
    function, _, inside = call.rstrip(")").partition("(")
    parts = inside.split(", ")
    pairs = [part.partition("=") for part in parts if "=" in part]
    keywords = tuple((key, value or key) for key, _, value in pairs)
    return "aten." + operation, Row(function, tuple(part for part in parts if "=" not in part), keywords)


HANDLERS: dict[str, Handler] = {
    **dict(_row(line) for line in ROWS.replace("\n ", " ").strip().split("\n")),
    **layers.HANDLERS,
    **recurrent.HANDLERS,
    **special.HANDLERS,
    **composed.HANDLERS,
    **creating.HANDLERS,
    **attention.HANDLERS,
    **quantized.HANDLERS,
}
