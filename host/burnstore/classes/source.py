"""The source text of a described class, as a person would have written it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from burnpack.errors import Unsupported
from burnstore.classes.bodies import Body, bodies_of, is_chain
from burnstore.classes.code import Brackets, Code, Constant, Noted, Text, laid_out, replaced
from burnstore.classes.description import Description
from burnstore.classes.identifiers import Names, check_attribute, class_name, is_layer, is_word, text_literal
from burnstore.classes.sharing import Attribute, Made, shared
from burnstore.classes.statements import Forward
from burnstore.classes.texts import ascii_text, class_lines, function_lines, layer_code, notes_lines
from burnstore.classes.tree import Node, Path, holders, tree_of

_PLAIN = ("Sequential", "ModuleList", "ModuleDict", "Module")  # classes that say nothing of their modules
_LEFT = "Left to do, as the file does not say what is computed. There are: {}."


def source_of(
    description: Description, comments: Mapping[str, str] | None = None, is_left: bool = False
) -> str:
    """Return the source of the class that a description describes, a whole file.

    comments: on modules and parameters, by their paths. is_left: whether each `forward` is left to do, as the
    description has no lines; the containers that are a `Sequential` or a `ModuleDict` are then such.

    Raises `Unsupported` for what no class can have, such as a part with the name of a method.
    """
    return _Writer(description, dict(comments or {}), is_left).source()


@dataclass
class _Writer:
    description: Description
    comments: dict[str, str]
    is_left: bool
    names: Names = field(default_factory=Names)
    codes: dict[Path, Code] = field(default_factory=dict)
    written: list[list[str]] = field(default_factory=list)
    calls_functions: bool = False

    def __post_init__(self) -> None:
        self.root = tree_of(self.description, self.comments)
        self.bodies: dict[Path, Body] = {} if self.is_left else bodies_of(self.description, self.root)
        self._counts: dict[str, set[int]] = {}  # of inputs, by original classes
        for path, body in self.bodies.items():
            kind = self.description.containers.get(".".join(path))
            if kind:
                self._counts.setdefault(kind, set()).add(len(body.inputs))
        own = self.description.name
        self.name = self.names.take(class_name(own) if is_word(own) and not is_layer(own) else "Net")

    def source(self) -> str:
        """Return the file."""
        for height in self._heights():
            self._write(height)
        own = self._of_root()
        imports = ["from burnrt import functional as F"] * self.calls_functions
        head = [*notes_lines(self.description.notes), *imports, "from burnrt import nn"]
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
        name = self.names.take(self._name_of(made, [each for each, _ in group]))
        found = shared([one for _, one in group], name, self.names)
        self.written.append(
            function_lines(found) if made.is_function else class_lines(found, "nn.Module", ())
        )
        for (each, _), arguments in zip(group, found.arguments, strict=True):
            self.codes[each.path] = Brackets(name, arguments)

    def _is_worth(self, made: Made) -> bool:
        code = made.attributes[0].code
        return isinstance(code, Brackets) and code.head == "nn.Sequential" and len(code.parts) > 1

    def _name_of(self, made: Made, nodes: Sequence[Node]) -> str:
        if not made.is_function:
            return class_name(made.hint)
        stems = {_stem(node.path) for node in nodes}
        stem = stems.pop() if len(stems) == 1 else "block"
        return stem if is_word(stem) and len(stem) > 2 else "block"

    def _made(self, node: Node) -> Made:
        if node.is_row:
            return Made("", (Attribute("", self._row(node)),), is_function=True)
        if node.is_dict:
            return Made("", (Attribute("", self._dict(node)),), is_function=True)
        hint = node.kind.rpartition(".")[2]
        return self._module(node, hint if hint and hint not in _PLAIN else _camel(_stem(node.path)))

    def _module(self, node: Node, hint: str, asked: list[str] | None = None) -> Made:
        """Return what is written of a module with a class of its own. asked: what its inputs are called."""
        made = Made(hint, () if node.is_row else self._attributes(node))
        if self.is_left:
            comment = _LEFT.format(", ".join(node.children))
            statements = (("raise ", Text("NotImplementedError")),)
            return replace(made, inputs=("x",), statements=statements, comment=comment)
        body = self.bodies.get(node.path)
        if body is None:
            return made
        is_any = len(self._counts.get(node.kind, ())) > 1
        forward = Forward(node, body, self.description.layers, asked, is_any)
        self.calls_functions |= forward.calls_functions
        return replace(made, inputs=tuple(forward.inputs), statements=tuple(forward.statements))

    def _attributes(self, node: Node) -> tuple[Attribute, ...]:
        found = []
        for name, child in node.children.items():
            check_attribute(name, ".".join(child.path))
            found.append(Attribute(name, self._code(child)))
        return tuple(found)

    def _row(self, node: Node) -> Brackets:
        parts = self._parts(node)
        body = self.bodies.get(node.path)
        is_chained = is_chain(node, body) if body is not None else node.kind.endswith("Sequential")
        if is_chained and (body is not None or self.is_left):
            return Brackets("nn.Sequential", parts)
        return Brackets("nn.ModuleList", (("", Brackets("", parts, "[]")),))

    def _dict(self, node: Node) -> Brackets:
        pairs = [
            Brackets("", (("", Text(text_literal(name))), ("", self._code(child))))
            for name, child in node.children.items()
        ]
        return Brackets("nn.ModuleDict", (("", Brackets("", tuple([("", pair) for pair in pairs]), "[]")),))

    def _parts(self, node: Node) -> tuple[tuple[str, Code], ...]:
        """Return the modules of a row; where a number is missing, what does nothing."""
        children = {int(name): child for name, child in node.children.items()}
        codes = [
            self._code(children[at]) if at in children else Text("nn.Identity()")
            for at in range(max(children) + 1)
        ]
        return tuple([("", code) for code in codes])

    def _code(self, node: Node) -> Code:
        """Return the code that makes a part, with the comment on it."""
        code = self._uncommented(node)
        return Noted(code, ascii_text(node.comment)) if node.comment else code

    def _uncommented(self, node: Node) -> Code:
        if node.layer is not None:
            return layer_code(node.layer, node.path[-1] if node.path else "")
        if node.shape is not None:
            return Brackets("nn.Parameter", (("", Constant(node.shape, "shape", node.path[-1])),))
        return replaced(self.codes[node.path], lambda constant: replace(constant, owner=node.path[-1]))

    def _of_root(self) -> list[str]:
        """Return the lines of the class of the network."""
        root, shapes = self.root, [tuple(shape) for shape in self.description.shapes]
        shape = Constant(shapes[0] if len(shapes) == 1 else tuple(shapes))
        first = laid_out("input_shape = ", shape, 1) if shapes else []
        if root.layer is not None:
            raise Unsupported("a network that is one layer has no class", self.name)
        made, base = self._module(root, self.name, self.description.inputs), "nn.Module"
        if root.is_row:
            row = self._row(root)
            base = row.head
            made = replace(made, attributes=(Attribute("", replace(row, head="super().__init__")),))
            if base == "nn.Sequential" and not self.is_left:
                made = replace(made, inputs=None)
        return class_lines(shared([made], self.name), base, first)


def _stem(path: Path) -> str:
    """Return the last name of a path without digits at its end; of what is numbered, its list's, singular."""
    for name in reversed(path):
        stem = name.rstrip("0123456789_")
        if stem:
            return stem.removesuffix("s") if name is not path[-1] else stem
    return "block"


def _camel(stem: str) -> str:
    return "".join([word[:1].upper() + word[1:] for word in stem.split("_")])
