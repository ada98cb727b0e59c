"""Operations that write into what they are given, as those that make a new value."""

from dataclasses import replace

from burnpack.errors import Unsupported
from burnstore.aten.core import refs
from burnstore.exported.graph import Argument, Graph, Node, Ref

# Operations whose answer may be the memory of their first argument.
_VIEWS = frozenset(
    """alias alpha_dropout chunk contiguous detach diagonal dropout expand expand_as feature_dropout flatten
    lift_fresh movedim narrow numpy_T permute reshape reshape_as select slice split split_with_sizes squeeze
    swapaxes t to transpose type_as unbind unflatten unsqueeze view view_as""".split()
)


def pure(graph: Graph) -> None:
    """Leave no operation in the graph that writes into a value.

    Who reads a value afterwards that was written into reads the new one. Raises `Unsupported` where another
    view of the same memory is read afterwards.
    """
    memory: dict[str, str] = {}  # of each value that may share memory, one that stands for all of them
    renamed: dict[str, str] = {}  # the value now, of one that was written into
    stale: dict[str, Node] = {}  # values that are not as they were in PyTorch, and what wrote there
    for place, node in enumerate(graph.nodes):
        arguments = {key: _renamed(each, renamed) for key, each in node.arguments.items()}
        for name in (name for argument in arguments.values() for name in refs(argument)):
            if name in stale:
                raise _unseen(stale[name], node)
        base = node.operation.split(".")[1] if node.operation.startswith("aten.") else ""
        target = next(iter(refs(next(iter(arguments.values()), None))), None)
        if target is not None and (base in _VIEWS or _writes(base)):
            root = memory.setdefault(target, target)
            memory.update(dict.fromkeys(node.outputs, root))
        if target is not None and _writes(base):
            stale.update((name, node) for name, of in memory.items() if of == root and name != target)
            stale.pop(node.outputs[0], None)
            renamed.update((name, node.outputs[0]) for name in (target, *_chain(renamed, target)))
            node = replace(node, operation=node.operation.replace(base, base[:-1], 1))
        graph.nodes[place] = replace(node, arguments=arguments)
    graph.outputs[:] = [_renamed(each, renamed) for each in graph.outputs]
    for output in graph.outputs:
        for name in refs(output):
            if name in stale:
                raise _unseen(stale[name], None)


def _writes(base: str) -> bool:
    return base.endswith("_") and not base.startswith("_")


def _chain(renamed: dict[str, str], target: str) -> list[str]:
    """Return the values that are `target` by now."""
    return [name for name, now in renamed.items() if now == target]


def _renamed(argument: Argument, renamed: dict[str, str]) -> Argument:
    if isinstance(argument, tuple):
        return tuple(_renamed(part, renamed) for part in argument)
    return Ref(renamed[argument.name]) if isinstance(argument, Ref) and argument.name in renamed else argument


def _unseen(writing: Node, reading: Node | None) -> Unsupported:
    where = reading.name if reading is not None else "the answer"
    what = f"writes into a part of a value which {where} reads: compute a new value instead"
    return Unsupported(what, writing.source or writing.name, found=writing.operation)
