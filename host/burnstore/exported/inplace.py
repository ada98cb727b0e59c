"""Operations that change a value in place: what reads the value afterwards reads what they make.

PyTorch's views share their numbers, and a graph of pure operations has no such thing. Where a part was
changed, and the whole or another part of it is read later, the graph is refused.
"""

from collections.abc import Iterable, Iterator, Mapping

from burnpack.errors import Unsupported
from burnstore.exported.graph import Argument, Graph, Node, Ref

# ATen's operations that may answer a view of what they are given, or that itself.
_VIEWS = frozenset(
    """
    alias as_strided atleast_1d atleast_2d atleast_3d broadcast_to chunk conj contiguous detach detach_
    diagonal dropout expand expand_as flatten hsplit imag lift_fresh mT moveaxis movedim narrow numpy_T
    permute positive ravel real reshape reshape_as resolve_conj select slice split split_with_sizes squeeze
    swapaxes swapdims t tensor_split to transpose type_as unbind unflatten unfold unsqueeze view view_as
    view_as_complex view_as_real vsplit
    """.split()
)


def check_in_place(graph: Graph, changed: Mapping[str, str]) -> None:
    """Let operations read what was made in place of what they read.

    changed: values that the program is said to change, of those that it is given, and what these are called.

    Raises `Unsupported` where a part of a value was changed, and another is read later.
    """
    found = dict(changed)
    sharing = _Sharing()
    for node in graph.nodes:
        node.arguments = {name: sharing.current(value, node) for name, value in node.arguments.items()}
        first = next(refs(node.arguments.get("self", node.arguments.get("input"))), None)
        name = node.operation.split(".")[1] if node.operation.startswith("aten.") else ""
        if first is not None and name in _VIEWS:
            sharing.add_views(first, node)
        elif first is not None and name.endswith("_") and not name.endswith("__"):
            root = sharing.change(first, node)
            if root in graph.parameters or root in graph.inputs:
                found.setdefault(root, graph.parameters.get(root, root))
    graph.outputs[:] = [sharing.current(value, None) for value in graph.outputs]
    _check_states(graph, found)


class _Sharing:
    """Which values share their numbers, and which of them are as they are now.

    Values that share have one root. How often the numbers of a root were changed is counted; a value is
    current that was made, or changed, at the last count.
    """

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}
        self._counts: dict[str, int] = {}  # by root
        self._made: dict[str, int] = {}  # by value
        self._instead: dict[str, str] = {}

    def add_views(self, of: str, node: Node) -> None:
        """Let what a node makes share its numbers with a value."""
        root = self._roots.get(of, of)
        for name in node.outputs:
            self._roots[name] = root
            self._made[name] = self._counts.get(root, 0)

    def change(self, value: str, node: Node) -> str:
        """Let a node change a value; return its root."""
        root = self._roots.get(value, value)
        self._counts[root] = self._counts.get(root, 0) + 1
        self.add_views(value, node)
        if node.outputs:
            self._instead[value] = node.outputs[0]
        return root

    def current(self, value: Argument, reader: Node | None) -> Argument:
        """Return an argument, with what was made in place of values in place of them."""
        if isinstance(value, tuple):
            return tuple([self.current(part, reader) for part in value])
        return Ref(self._current(value.name, reader)) if isinstance(value, Ref) else value

    def _current(self, name: str, reader: Node | None) -> str:
        count = self._counts.get(self._roots.get(name, name), 0)
        found, passed = name, []
        while self._made.get(found, 0) != count and found in self._instead:
            passed.append(found)
            found = self._instead[found]
        self._instead.update(dict.fromkeys(passed, found))  # so that a long chain is followed once
        if self._made.get(found, 0) == count:
            return found
        where = f"{reader.name} ({reader.source})" if reader else "an output"
        what = f"{where} reads the value {name}, of which another part or view was changed in place before"
        raise Unsupported(f"{what}: in PyTorch, export what ep.run_decompositions() returns", name)


def _check_states(graph: Graph, changed: Mapping[str, str]) -> None:
    """Refuse a network that changes what it reads in its next run; note what else is changed."""
    read = _read(graph)
    for value, name in changed.items():
        if value in graph.parameters and value in read:
            what = "the network changes this tensor in each run, and reads it"
            way = "export it in eval mode, or make the state an input and an output"
            raise Unsupported(f"{what} ({way})", name)
        graph.notes.append(f"{name} is changed by the network in PyTorch, and is not here")


def _read(graph: Graph) -> set[str]:
    """Return the values that the answers depend on."""
    found = set(refs(tuple(graph.outputs)))
    for node in reversed(graph.nodes):
        if not found.isdisjoint(node.outputs):
            found.update(refs(tuple(node.arguments.values())))
    return found


def refs(value: Argument | Iterable[Argument]) -> Iterator[str]:
    """Yield the names of the values in an argument."""
    if isinstance(value, Ref):
        yield value.name
    elif isinstance(value, tuple):
        for part in value:
            yield from refs(part)
