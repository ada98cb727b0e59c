"""Operations that change a value in place: what reads the value afterwards reads what they make.

PyTorch's views share their numbers, and a graph of pure operations has no such thing. Where a part was
changed, the whole is put together anew; where another view of it, taken before, is read later, the graph is
refused.
"""

from collections.abc import Mapping

from burnpack.errors import Unsupported
from burnstore.exported.graph import Argument, Graph, Node, Ref, needed, read_by, refs

_PARTS = ("chunk", "hsplit", "split", "split_with_sizes", "tensor_split", "unbind", "vsplit")
_DEPTH = 16  # of parts of parts that are told apart, and of views of views that are put together
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
    sharing = _Sharing(graph)
    for node in graph.nodes:
        node.arguments = {name: sharing.current(value, node) for name, value in node.arguments.items()}
        first = next(refs(node.arguments.get("self", node.arguments.get("input"))), None)
        name = node.operation.split(".")[1] if node.operation.startswith("aten.") else ""
        if first is not None and name in _VIEWS:
            sharing.nodes.append(node)
            sharing.add_views(first, node, are_parts=name in _PARTS)
            continue
        sharing.nodes.append(node)
        if first is not None and name.endswith("_") and not name.endswith("__"):
            root = sharing.change(first, node)
            if root in graph.parameters or root in graph.inputs:
                found.setdefault(root, graph.parameters.get(root, root))
    graph.nodes[:] = sharing.nodes
    graph.outputs[:] = [sharing.current(value, None) for value in graph.outputs]
    _check_states(graph, found)


class _Memory:
    """Numbers that values share: all of a value, or a part that no other part overlaps.

    root: the value that they were made as. whole: what they are a part of.
    written: how often they were changed. parts: how often parts of them were.
    """

    def __init__(self, root: str, whole: "_Memory | None" = None) -> None:
        self.root = root
        self.whole = whole
        self.depth: int = whole.depth + 1 if whole else 0
        self.written = 0
        self.parts = 0

    def changes(self) -> int:
        """Return how often the numbers were changed, by whomever."""
        found = self.parts
        memory: _Memory | None = self
        while memory is not None:
            found += memory.written
            memory = memory.whole
        return found

    def change(self) -> None:
        """Count a change."""
        self.written += 1
        whole = self.whole
        while whole is not None:
            whole.parts += 1
            whole = whole.whole


class _Sharing:
    """Which values share their numbers, and which are as these are now: those made after the last change.

    nodes: those of the graph, and those that put together what was changed in part.
    """

    def __init__(self, graph: Graph) -> None:
        self.nodes: list[Node] = []
        self._specs = graph.specs
        self._views: dict[str, tuple[str, Node]] = {}  # of each view what it is of, and the node that made it
        self._memory: dict[str, _Memory] = {}
        self._made: dict[str, int] = {}  # by value: the changes of its numbers before it was made
        self._instead: dict[str, str] = {}

    def _of(self, value: str) -> _Memory:
        if value not in self._memory:
            self._memory[value] = _Memory(value)
        return self._memory[value]

    def add_views(self, of: str, node: Node, are_parts: bool) -> None:
        """Let what a node makes share its numbers with a value. are_parts: none of them overlaps another."""
        memory = self._of(of)
        are_parts = are_parts and memory.depth < _DEPTH
        for name in node.outputs:
            self._memory[name] = _Memory(memory.root, memory) if are_parts else memory
            self._made[name] = self._memory[name].changes()
            if not are_parts:
                self._views[name] = (of, node)

    def change(self, value: str, node: Node) -> str:
        """Let a node change a value; return the value whose numbers these were first."""
        memory = self._of(value)
        memory.change()
        if node.outputs:
            made = node.outputs[0]
            self._take(made, value)
            self._put_together(value, made)
        return memory.root

    def _take(self, made: str, value: str) -> None:
        """Let a value be read in place of another from now on."""
        self._instead[value] = made
        self._memory[made] = self._of(value)
        self._made[made] = self._memory[made].changes()
        if value in self._views:
            self._views[made] = self._views[value]

    def _put_together(self, value: str, made: str) -> None:
        """Make anew what `value` is a part of, up to what shares no more, with `made` in its place."""
        for _ in range(_DEPTH):
            if value not in self._views:
                return
            of, view = self._views[value]
            whole = f"{of}.{self._of(of).changes()}"
            node = _with_part(view, self._latest(of), made, whole, self._specs[of].shape)
            if node is None:
                return
            self.nodes.append(node)
            self._specs[whole] = self._specs[of]
            self._take(whole, self._latest(of))
            value, made = of, whole

    def _latest(self, name: str) -> str:
        found, passed = name, []
        while found in self._instead:
            passed.append(found)
            found = self._instead[found]
        self._instead.update(dict.fromkeys(passed, found))  # so that a long chain is followed once
        return found

    def current(self, value: Argument, reader: Node | None) -> Argument:
        """Return an argument, with what was made in place of values in place of them."""
        if isinstance(value, tuple):
            return tuple([self.current(part, reader) for part in value])
        return Ref(self._current(value.name, reader)) if isinstance(value, Ref) else value

    def _current(self, name: str, reader: Node | None) -> str:
        count = self._memory[name].changes() if name in self._memory else 0
        found = name if self._made.get(name, 0) == count else self._latest(name)
        if self._made.get(found, 0) == count:
            return found
        where = f"{reader.name} ({reader.source})" if reader else "an output"
        what = f"{where} reads the value {name}, of which another part or view was changed in place before"
        raise Unsupported(f"{what}: in PyTorch, export what ep.run_decompositions() returns", name)


_SCATTER = {"slice": ("dim", "start", "end", "step"), "select": ("dim", "index")}
_SAME = frozenset("alias contiguous detach flatten reshape squeeze unflatten unsqueeze view view_as".split())


def _with_part(view: Node, of: str, part: str, name: str, shape: tuple[int, ...]) -> Node | None:
    """Return the node that makes a value anew of which `view` took a part; None where there is none."""
    kind = view.operation.split(".")[1]
    if kind in _SCATTER:
        given = {key: view.arguments[key] for key in _SCATTER[kind] if key in view.arguments}
        arguments: dict[str, Argument] = {"self": Ref(of), "src": Ref(part), **given}
        operation = f"aten.{kind}_scatter.default"
    elif kind in _SAME:
        arguments, operation = {"self": Ref(part), "size": shape}, "aten.view.default"
    else:
        return None
    return Node(name, operation, arguments, (name,), view.places, view.source)


def _check_states(graph: Graph, changed: Mapping[str, str]) -> None:
    """Refuse a network that changes what it reads in its next run; note what else is changed."""
    read = read_by(needed(graph.nodes, graph.outputs), graph.outputs)
    for value, name in changed.items():
        if value in graph.parameters and value in read:
            what = "the network changes this tensor in each run, and reads it"
            way = "export it in eval mode, or make the state an input and an output"
            raise Unsupported(f"{what} ({way})", name)
        graph.notes.append(f"{name} is changed by the network in PyTorch, and is not here")
