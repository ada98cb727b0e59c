"""The lines of classes and functions, and the code that makes a layer."""

import inspect
import textwrap
from collections.abc import Iterable, Sequence

from burnpack.errors import Unsupported, printable
from burnrt import nn
from burnstore.classes.code import WIDTH, Brackets, Code, Constant, Text, laid_out
from burnstore.classes.description import LayerOf
from burnstore.classes.identifiers import is_layer, is_plain, text_literal
from burnstore.classes.sharing import Attribute, Made, Shared

_IDLE = ("inplace", "device", "dtype")  # arguments that change nothing


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
    parts: list[tuple[str, Code]] = []
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or name in _IDLE:
            continue
        value = bound.arguments[name]
        has_default = parameter.default is not parameter.empty
        is_usual = has_default and repr(value) == repr(parameter.default)
        constant = Constant(value, name, owner, is_usual)
        parts.append((name if has_default and parts else "", constant))
    return Brackets(f"nn.{layer.kind}", tuple(parts))


def class_lines(found: Shared, base: str, first: Sequence[str]) -> list[str]:
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
        return laid_out("", each.code, 2)
    if is_plain(each.name):
        return laid_out(f"self.{each.name} = ", each.code, 2)
    parts = (("", Text("self")), ("", Text(text_literal(each.name))), ("", each.code))
    return laid_out("", Brackets("setattr", parts), 2)


def _method(made: Made) -> list[str]:
    lines = _def("forward", ["self", *(made.inputs or ())], 1)
    lines += commented(made.comment, 2) if made.comment else []
    for before, code in made.statements:
        lines += laid_out(before, code, 2)
    return lines


def function_lines(found: Shared) -> list[str]:
    return [*_def(found.name, found.parameters, 0), *laid_out("return ", found.made.attributes[0].code, 1)]


def _def(name: str, parameters: Iterable[str], depth: int) -> list[str]:
    """Return the first lines of a function."""
    parts = tuple([("", Text(parameter)) for parameter in parameters])
    lines = laid_out("", Brackets(f"def {name}", parts), depth)
    return [*lines[:-1], lines[-1] + ":"]


def notes_lines(notes: Iterable[str]) -> list[str]:
    """Return notes as comments, with a line behind them."""
    lines = [line for note in notes for line in commented(note, 0)]
    return [*lines, ""] if lines else []


def commented(text: str, depth: int) -> list[str]:
    """Return a text as lines of a comment, indented `depth` times."""
    before = "    " * depth + "# "
    return [before + line for line in textwrap.wrap(ascii_text(text), WIDTH - len(before))]


def ascii_text(text: str) -> str:
    """Return a text for a comment: on one line, and of letters that are what they look like."""
    return printable(text, len(text)).encode("ascii", "backslashreplace").decode("ascii")
