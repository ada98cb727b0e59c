"""A network as PyTorch's own operations: what an exported program says, whatever file it is from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from burnpack.errors import InvalidTensor


@dataclass(frozen=True)
class Ref:
    """A value of the graph, as an argument. name: the value's."""

    name: str


# What an operation is given. Dtypes are as in `burnpack.dtype` ("F32", "I64", "Bool"); devices, layouts and
# memory formats are texts.
Argument = None | bool | int | float | complex | str | Ref | tuple["Argument", ...]


# Of inputs, by their names, or of all of them in order.
Shapes = Mapping[str, Sequence[int]] | Sequence[Sequence[int]]


def by_name(shapes: Shapes, names: Sequence[str]) -> dict[str, Sequence[int]]:
    """Return shapes by the names of inputs. Raises `InvalidTensor` for another number of them."""
    if isinstance(shapes, Mapping):
        return dict(shapes)
    if shapes and len(shapes) != len(names):
        what = "a shape is needed for each input"
        raise InvalidTensor(what, ", ".join(names), expected=len(names), found=len(shapes))
    return dict(zip(names, shapes, strict=False))


@dataclass(frozen=True)
class Place:
    """A module that an operation is part of. path: as in "blocks.0.conv", "" of the network itself.

    kind: its class, as in "torch.nn.modules.conv.Conv2d".
    """

    path: str
    kind: str


@dataclass(frozen=True)
class Spec:
    """What a value is. dtype: as in `burnpack.dtype`. shape: extents; those that were open are decided."""

    dtype: str
    shape: tuple[int, ...]


@dataclass
class Node:
    """An operation.

    name: its own, of no other node. operation: as in "aten.conv2d.default". arguments: by the names of the
    operation's schema, as in {"input": Ref("x"), "stride": (2, 2)}; others have its defaults.
    outputs: the values that it makes, those of a list one by one; "" for one that is none.
    places: the modules that it is in, outermost first.
    source: the line of Python that it is from, as in "net.py:52: return self.fc(x)", or "".
    """

    name: str
    operation: str
    arguments: dict[str, Argument]
    outputs: tuple[str, ...]
    places: tuple[Place, ...] = ()
    source: str = ""


@dataclass
class Graph:
    """A network.

    inputs: the values that are given, by their names in the graph, in order. input_names: what `forward`
    calls them. outputs: what is answered, in order, lists and tuples one after the other: a `Ref`, or None or
    a number where that is the answer.
    parameters: the value's name and the tensor's, as in {"p_fc_weight": "fc.weight"}: parameters, buffers and
    constants, each of which the container has under that name.
    specs: what each value is. nodes: in the order in which they run.
    opened: extents that the file left open, by their names there, and what is taken for each.
    producer: what wrote it, as in "torch 2.15.0". notes: what a person should know.
    """

    inputs: list[str]
    outputs: list[Argument]
    parameters: dict[str, str]
    specs: dict[str, Spec]
    nodes: list[Node] = field(default_factory=list)
    input_names: list[str] = field(default_factory=list)
    opened: dict[str, int] = field(default_factory=dict)
    producer: str = ""
    notes: list[str] = field(default_factory=list)


def refs(argument: Argument) -> Iterator[str]:
    """Yield the names of the values in an argument."""
    if isinstance(argument, Ref):
        yield argument.name
    elif isinstance(argument, tuple):
        for part in argument:
            yield from refs(part)


def read_by(nodes: Iterable[Node], outputs: Iterable[Argument] = ()) -> set[str]:
    """Return the names of all values that operations read, and of those that are answered."""
    found = {name for output in outputs for name in refs(output)}
    for node in nodes:
        found.update(refs(tuple(node.arguments.values())))
    return found


def needed(nodes: Sequence[Node], outputs: Iterable[Argument]) -> list[Node]:
    """Return the nodes of which somebody reads what they make."""
    found: list[Node] = []
    read = read_by((), outputs)
    for node in reversed(nodes):
        if not read.isdisjoint(node.outputs):
            found.append(node)
            read |= read_by((node,))
    return found[::-1]
