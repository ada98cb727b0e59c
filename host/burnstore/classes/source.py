"""The source text of a described class, as a person would have written it."""

import inspect
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from burnpack.errors import Unsupported, printable
from burnrt import nn
from burnstore.classes.bodies import Body, bodies_of, is_chain
from burnstore.classes.code import WIDTH, Brackets, Code, Constant, Text, laid_out
from burnstore.classes.description import Description, LayerOf
from burnstore.classes.identifiers import (
    check_attribute,
    class_name,
    is_layer,
    is_plain,
    is_word,
    text_literal,
    unused,
)
from burnstore.classes.sharing import Attribute, Made, Shared, shared
from burnstore.classes.statements import Forward
from burnstore.classes.tree import Node, Path, holders, tree_of

_LONG = 40  # letters of a row of layers that a function is worth where it comes again


def source_of(description: Description, comments: Mapping[str, str] | None = None) -> str:
    """Return the source of the class that a description describes, a whole file.

    comments: on modules and parameters, by their paths.

    Raises `Unsupported` for what no class can have, such as a part with the name of a method.
    """
    return _Writer(description, dict(comments or {})).source()


@dataclass
class _Writer:
    description: Description
    comments: dict[str, str]
    names: set[str] = field(default_factory=set)
    codes: dict[Path, Code] = field(default_factory=dict)
    written: list[list[str]] = field(default_factory=list)
    calls_functions: bool = False

    def __post_init__(self) -> None:
        self.root = tree_of(self.description, self.comments)
        self.bodies: dict[Path, Body] = bodies_of(self.description, self.root)
        own = self.description.name
        self.name = class_name(own, ()) if is_word(own) and not is_layer(own) else "Net"
        self.names.add(self.name)

    def source(self) -> str:
        """Return the file."""
        for height in self._heights():
            self._write(height)
        own = self._of_root()
        imports = ["from burnrt import functional as F"] * self.calls_functions
        head = [*_notes(self.description.notes), *imports, "from burnrt import nn"]
        parts = ["\n".join(lines) for lines in (head, *self.written, own)]
        return "\n\n\n".join(parts) + "\n"

    def _heights(self) -> Iterable[list[Node]]:
        """Yield the modules that hold others, but the root, by how deep they are above the innermost."""
        heights: dict[Path, int] = {}
        levels: dict[int, list[Node]] = {}
        for node in holders(self.root):
            inner = [heights[child.path] for child in node.children.values() if child.is_holder]
            heights[node.path] = max(inner, default=-1) + 1
            if node is not self.root:
                levels.setdefault(heights[node.path], []).append(node)
        return [levels[height] for height in sorted(levels)]

    def _write(self, nodes: Sequence[Node]) -> None:
        """Write the classes and functions of modules, and keep the code that makes each of these."""
        groups: dict[object, list[tuple[Node, Made]]] = {}
        for node in nodes:
            made = self._made(node)
            groups.setdefault(made.form(), []).append((node, made))
        for group in groups.values():
            self._write_group(group)

    def _write_group(self, group: Sequence[tuple[Node, Made]]) -> None:
        made = group[0][1]
        if made.is_function and (len(group) == 1 or not self._is_worth(made)):
            for each, one in group:
                self.codes[each.path] = one.attributes[0].code
            return
        name = self._name_of(made, [each for each, _ in group])
        self.names.add(name)
        found = shared([one for _, one in group], name, self.names)
        self.written.append(_function(found) if made.is_function else _class(found, "nn.Module", ()))
        for (each, _), arguments in zip(group, found.arguments, strict=True):
            self.codes[each.path] = Brackets(name, arguments)

    def _is_worth(self, made: Made) -> bool:
        code = made.attributes[0].code
        return isinstance(code, Brackets) and code.head == "nn.Sequential" and len(code.parts) > 1

    def _name_of(self, made: Made, nodes: Sequence[Node]) -> str:
        if not made.is_function:
            return class_name(made.hint, self.names)
        stems = {_stem(node.path) for node in nodes}
        stem = stems.pop() if len(stems) == 1 else "block"
        return unused(stem if is_word(stem) and len(stem) > 2 else "block", self.names)

    def _made(self, node: Node) -> Made:
        hint = node.kind.rpartition(".")[2] or _camel(_stem(node.path))
        if node.is_row:
            return Made("", (Attribute("", self._row(node)),), is_function=True)
        if node.is_dict:
            pairs = [
                Brackets("", (("", Text(text_literal(name))), ("", self._code(child))))
                for name, child in node.children.items()
            ]
            code = Brackets(
                "nn.ModuleDict", (("", Brackets("", tuple([("", pair) for pair in pairs]), "[]")),)
            )
            return Made("", (Attribute("", code),), is_function=True)
        body = self.bodies.get(node.path)
        if body is None:
            return Made(hint, self._attributes(node))
        forward = self._forward(node, body)
        return Made(hint, self._attributes(node), tuple(forward.inputs), tuple(forward.statements))

    def _forward(self, node: Node, body: Body, asked: list[str] | None = None) -> Forward:
        forward = Forward(node, body, self.description.layers, asked)
        self.calls_functions |= forward.calls_functions
        return forward

    def _attributes(self, node: Node) -> tuple[Attribute, ...]:
        found = []
        for name, child in node.children.items():
            check_attribute(name, ".".join(child.path))
            found.append(Attribute(name, self._code(child), child.comment))
        return tuple(found)

    def _row(self, node: Node) -> Brackets:
        body = self.bodies.get(node.path)
        parts = self._parts(node)
        if body is not None and is_chain(node, body):
            return Brackets("nn.Sequential", parts)
        return Brackets("nn.ModuleList", (("", Brackets("", parts, "[]")),))

    def _parts(self, node: Node) -> tuple[tuple[str, Code], ...]:
        """Return the modules of a row; where a number is missing, what does nothing."""
        children = {int(name): child for name, child in node.children.items()}
        codes = [
            self._code(children[at]) if at in children else Text("nn.Identity()")
            for at in range(max(children) + 1)
        ]
        return tuple([("", code) for code in codes])

    def _code(self, node: Node) -> Code:
        if node.layer is not None:
            return layer_code(node.layer, node.path[-1] if node.path else "")
        if node.shape is not None:
            return Brackets("nn.Parameter", (("", Constant(node.shape, "shape", node.path[-1])),))
        return self.codes[node.path]

    def _of_root(self) -> list[str]:
        """Return the lines of the class of the network."""
        root, body = self.root, self.bodies[()]
        shapes = [tuple(shape) for shape in self.description.shapes]
        shape = Constant(shapes[0] if len(shapes) == 1 else tuple(shapes))
        first = laid_out("input_shape = ", shape, 1) if shapes else []
        forward = self._forward(root, body, self.description.inputs)
        inputs, statements = tuple(forward.inputs), tuple(forward.statements)
        if root.layer is not None:
            raise Unsupported("a network that is one layer has no class", self.name)
        if not root.is_row:
            made = Made(self.name, self._attributes(root), inputs, statements)
            return _class(shared([made], self.name), "nn.Module", first)
        row = self._row(root)
        attributes = (Attribute("", replace(row, head="super().__init__")),)
        is_whole = row.head == "nn.Sequential"
        made = Made(self.name, attributes, None if is_whole else inputs, () if is_whole else statements)
        return _class(shared([made], self.name), row.head, first)


def layer_code(layer: LayerOf, owner: str) -> Code:
    """Return the code that makes a layer. owner: what it is called, for the names of parameters.

    Raises `Unsupported` for a kind that is none of `burnrt.nn`, and for arguments that it does not take.
    """
    if not is_layer(layer.kind):
        raise Unsupported("burnrt.nn has no such layer", layer.kind)
    signature = inspect.signature(getattr(nn, layer.kind))
    try:
        bound = signature.bind(*layer.arguments, **layer.keywords)
    except TypeError as error:
        raise Unsupported(f"arguments that the layer does not take: {error}", layer.kind) from error
    bound.apply_defaults()
    parts = []
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        value = bound.arguments[name]
        has_default = parameter.default is not parameter.empty
        is_usual = has_default and repr(value) == repr(parameter.default)
        constant = Constant(value, name, owner, is_usual)
        parts.append((name if has_default else "", constant))
    return Brackets(f"nn.{layer.kind}", tuple(parts))


def _class(found: Shared, base: str, first: Sequence[str]) -> list[str]:
    """Return the lines of a class. first: lines in front of its methods."""
    made = found.made
    lines = [f"class {found.name}({base}):"]
    blocks = [list(first)] if first else []
    if made.attributes:
        blocks.append(_init(made, found.parameters))
    if made.inputs is not None:
        blocks.append(_method(made))
    if not blocks:
        blocks.append(["    pass"])
    for place, block in enumerate(blocks):
        lines += ([""] if place else []) + block
    return lines


def _init(made: Made, parameters: Sequence[str]) -> list[str]:
    lines = _def("__init__", ["self", *parameters], 1)
    for each in made.attributes:
        lines += _attribute(each)
    return lines


def _attribute(each: Attribute) -> list[str]:
    if not each.name:
        found = laid_out("", each.code, 2)
    elif is_plain(each.name):
        found = laid_out(f"self.{each.name} = ", each.code, 2)
    else:
        parts = (("", Text("self")), ("", Text(text_literal(each.name))), ("", each.code))
        found = laid_out("", Brackets("setattr", parts), 2)
    if not each.comment:
        return found
    comment = f"# {ascii_text(each.comment)}"
    if len(found) == 1 and len(found[0]) + 2 + len(comment) <= WIDTH:
        return [f"{found[0]}  {comment}"]
    return [f"        {comment}", *found]


def _method(made: Made) -> list[str]:
    lines = _def("forward", ["self", *(made.inputs or ())], 1)
    for before, code in made.statements:
        lines += laid_out(before, code, 2)
    return lines


def _function(found: Shared) -> list[str]:
    return [*_def(found.name, found.parameters, 0), *laid_out("return ", found.made.attributes[0].code, 1)]


def _def(name: str, parameters: Iterable[str], depth: int) -> list[str]:
    """Return the first lines of a function."""
    parts = tuple([("", Text(parameter)) for parameter in parameters])
    lines = laid_out("", Brackets(f"def {name}", parts), depth)
    return [*lines[:-1], lines[-1] + ":"]


def _notes(notes: Iterable[str]) -> list[str]:
    """Return notes as comments, with a line behind them."""
    lines = [line for note in notes for line in textwrap.wrap(ascii_text(note), WIDTH - 2)]
    return [f"# {line}" for line in lines] + [""] * bool(lines)


def ascii_text(text: str) -> str:
    """Return a text for a comment: on one line, and of letters that are what they look like."""
    return printable(text, len(text)).encode("ascii", "backslashreplace").decode("ascii")


def _stem(path: Path) -> str:
    """Return the last name of a path without digits at its end; of what is numbered, its list's, singular."""
    for name in reversed(path):
        stem = name.rstrip("0123456789_")
        if stem:
            return stem.removesuffix("s") if name is not path[-1] else stem
    return "block"


def _camel(stem: str) -> str:
    return "".join([word[:1].upper() + word[1:] for word in stem.split("_")])
