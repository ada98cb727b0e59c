"""A described network's modules, as a tree by their names."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from burnpack.errors import InvalidTensor, LimitExceeded
from burnpack.module import DEPTH_MOST
from burnstore.classes.description import Description, LayerOf
from burnstore.classes.identifiers import is_plain, text_literal

Path = tuple[str, ...]

_GAPS = 16  # numbers that a row may lack, and three more for each that it has


@dataclass
class Node:
    """A module or a parameter.

    layer: of a layer. shape: of a parameter. kind: the original class of what holds others.
    comment: what the line that makes it is followed by.
    """

    path: Path
    layer: LayerOf | None = None
    shape: tuple[int, ...] | None = None
    kind: str = ""
    comment: str = ""
    children: dict[str, "Node"] = field(default_factory=dict)

    @property
    def is_holder(self) -> bool:
        """Whether it is a module that holds others."""
        return self.layer is None and self.shape is None

    @cached_property
    def is_row(self) -> bool:
        """Whether its children are modules with numbers for names, few of which are missing."""
        names = self.children
        if not names or not all(name.isascii() and name.isdecimal() and len(name) < 7 for name in names):
            return False
        numbers = sorted(map(int, names))
        is_dense = numbers[-1] < 4 * len(numbers) + _GAPS
        are_modules = all(child.shape is None for child in names.values())
        return is_dense and are_modules and all(str(int(name)) == name for name in names)

    @cached_property
    def is_dict(self) -> bool:
        """Whether it is a `ModuleDict`, whose children are asked for by name."""
        is_one = bool(self.path) and self.kind.rpartition(".")[2] == "ModuleDict"
        return is_one and not self.is_row and all(child.shape is None for child in self.children.values())


def tree_of(description: Description, comments: dict[str, str]) -> Node:
    """Return the root of a class's modules and parameters. comments: on some, by their paths.

    What holds nothing is not in it. Raises `InvalidTensor` for what is a layer and holds others.
    """
    root = Node(())
    if "" in description.layers:
        root.layer = description.layers[""]
    for path, shape in description.parameters.items():
        parent = path.rpartition(".")[0]
        if parent not in description.layers:
            _put(root, path, Node(_parts(path), shape=tuple(shape), comment=comments.get(path, "")))
    for path, layer in description.layers.items():
        if path:
            _put(root, path, Node(_parts(path), layer=layer, comment=comments.get(path, "")))
    for path, kind in description.containers.items():
        node = found(root, _parts(path))
        if node is not None and node.is_holder:
            node.kind, node.comment = kind, comments.get(path, node.comment)
    return root


def _parts(path: str) -> Path:
    return tuple(path.split(".")) if path else ()


def _put(root: Node, path: str, node: Node) -> None:
    *parents, name = node.path
    if len(parents) > DEPTH_MOST:
        raise LimitExceeded(
            "modules nested too deeply", path, expected=f"{DEPTH_MOST} at most", found=len(parents)
        )
    at = root
    for depth, part in enumerate(parents):
        at = at.children.setdefault(part, Node(node.path[: depth + 1]))
        if not at.is_holder:
            raise InvalidTensor("is a layer or a parameter, and holds others", ".".join(at.path))
    if name in at.children or not at.is_holder:
        raise InvalidTensor("two parts of one name, or a part of a layer", path)
    at.children[name] = node


def found(root: Node, path: Path) -> Node | None:
    """Return the node of a path, or None."""
    at: Node | None = root
    for part in path:
        at = at.children.get(part) if at is not None else None
    return at


def nearest(root: Node, path: Path) -> Path:
    """Return the path of the innermost holder that a path leads into."""
    at, count = root, 0
    for part in path:
        child = at.children.get(part)
        if child is None or not child.is_holder:
            break
        at, count = child, count + 1
    return path[:count]


def holders(node: Node) -> Iterator[Node]:
    """Yield the modules that hold others, the inner ones first, the node itself last."""
    for child in node.children.values():
        if child.is_holder:
            yield from holders(child)
    yield node


def reached(node: Node, path: Path, base: str = "self") -> str:
    """Return the code for the part with a path, inside of a node's class, as in `self.blocks[0].conv`."""
    code, at = base, node
    for place, name in enumerate(path[len(node.path) :], len(node.path)):
        if at.is_row:
            code += f"[{name}]"
        elif at.is_dict:
            code += f"[{text_literal(name)}]"
        elif is_plain(name):
            code += f".{name}"
        else:
            code = f"getattr({code}, {text_literal(name)})"
        at = at.children.get(name) or Node(path[: place + 1])
    return code
