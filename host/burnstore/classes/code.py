"""Source text out of parts: expressions, laid out as ruff lays them out, at any width from 88 letters on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from types import EllipsisType

from burnpack.errors import Unsupported
from burnstore.classes.description import Given
from burnstore.classes.identifiers import text_literal

WIDTH = 88  # letters of a line, as ruff and black have it
_INDENT = "    "
_LOOP = 3  # equal modules in a row that a loop makes


@dataclass(frozen=True)
class Text:
    """Code as it is."""

    text: str


@dataclass(frozen=True)
class Constant:
    """A value that is written out, and in which blocks that share a class may differ.

    role: what an argument for it is called, as in "in_channels". owner: the layer or function that it is for.
    is_usual: whether it need not be written, as it is the default.
    """

    value: Given
    role: str = ""
    owner: str = ""
    is_usual: bool = False


@dataclass(frozen=True)
class Brackets:
    """Parts in brackets, by commas, each with a keyword or "". head: what stands in front."""

    head: str
    parts: tuple[tuple[str, "Code"], ...]
    ends: str = "()"


@dataclass(frozen=True)
class Row:
    """Parts one after the other, as of an operator."""

    parts: tuple["Code", ...]


@dataclass(frozen=True)
class Noted:
    """Code with a comment behind it, or above where there is no place."""

    code: "Code"
    comment: str


Code = Text | Constant | Brackets | Row | Noted


def constants(code: Code) -> Iterator[Constant]:
    """Yield the constants in code, in order."""
    if isinstance(code, Constant):
        yield code
    elif isinstance(code, Brackets):
        for _, part in code.parts:
            yield from constants(part)
    elif isinstance(code, Row):
        for part in code.parts:
            yield from constants(part)
    elif isinstance(code, Noted):
        yield from constants(code.code)


def replaced(code: Code, change: Callable[[Constant], Code]) -> Code:
    """Return code with something else for each of its constants, which are asked for in order."""
    if isinstance(code, Constant):
        return change(code)
    if isinstance(code, Brackets):
        return replace(code, parts=tuple([(name, replaced(part, change)) for name, part in code.parts]))
    if isinstance(code, Row):
        return Row(tuple([replaced(part, change) for part in code.parts]))
    return replace(code, code=replaced(code.code, change)) if isinstance(code, Noted) else code


def without_defaults(code: Code) -> Code:
    """Return code without the arguments that are what they are by default."""
    if isinstance(code, Brackets):
        kept = [
            (name, part) for name, part in code.parts if not (isinstance(part, Constant) and part.is_usual)
        ]
        return replace(code, parts=tuple([(name, without_defaults(part)) for name, part in kept]))
    if isinstance(code, Noted):
        return replace(code, code=without_defaults(code.code))
    return Row(tuple(map(without_defaults, code.parts))) if isinstance(code, Row) else code


def with_loops(code: Code) -> Code:
    """Return code in which a loop makes equal modules in a row, as in `*[Block(8) for _ in range(4)]`."""
    if not isinstance(code, Brackets):
        return replace(code, code=with_loops(code.code)) if isinstance(code, Noted) else code
    parts = tuple([(name, with_loops(part)) for name, part in code.parts])
    count = (
        _same_at_the_end(parts)
        if code.head == "nn.Sequential" or (not code.head and code.ends == "[]")
        else 0
    )
    if count < _LOOP or (not code.head and count < len(parts)):  # MicroPython has no [*a, *b]
        return replace(code, parts=parts)
    made = f"[{flat(parts[-1][1])} for _ in range({count})]"
    return replace(code, parts=(*parts[:-count], ("", Text("*" + made)))) if code.head else Text(made)


def _same_at_the_end(parts: tuple[tuple[str, Code], ...]) -> int:
    """Return how many parts at the end are the same call, which fits on a line with others."""
    last = parts[-1][1] if parts else None
    if not isinstance(last, Brackets) or not last.head or _is_noted(last) or len(flat(last)) > WIDTH // 2:
        return 0
    same = takewhile(lambda part: flat(part[1]) == flat(last), reversed(parts))
    return sum(1 for _ in same)


def laid_out(before: str, code: Code, depth: int) -> list[str]:
    """Return the lines of `before` and code behind it, indented `depth` times, broken where too long."""
    return _lines(_INDENT * depth + before, code, depth, "")


def _lines(before: str, code: Code, depth: int, after: str) -> list[str]:
    """Brackets that don't fit on a line have a part on each, a comma behind the last: so it stays."""
    if isinstance(code, Noted):
        return _noted(_lines(before, code.code, depth, after), f"# {code.comment}", depth)
    line = before + flat(code) + after
    broken = _tuple(code.value) if isinstance(code, Constant) else code
    if not isinstance(broken, Brackets) or not broken.parts or (len(line) <= WIDTH and not _is_noted(broken)):
        return [line]
    found = [before + broken.head + broken.ends[0]]
    for name, part in broken.parts:
        inner = _INDENT * (depth + 1) + (f"{name}=" if name else "")
        found += _lines(inner, part, depth + 1, ",")
    return [*found, _INDENT * depth + broken.ends[1] + after]


def _noted(lines: list[str], comment: str, depth: int) -> list[str]:
    if len(lines) == 1 and len(lines[0]) + 2 + len(comment) <= WIDTH:
        return [f"{lines[0]}  {comment}"]
    return [_INDENT * depth + comment, *lines]


def _is_noted(code: Code) -> bool:
    """Tell whether there is a comment inside, for which a line ends."""
    if isinstance(code, Noted):
        return True
    return isinstance(code, Brackets) and any(_is_noted(part) for _, part in code.parts)


def flat(code: Code) -> str:
    """Return code on one line."""
    if isinstance(code, Text):
        return code.text
    if isinstance(code, Noted):
        return flat(code.code)
    if isinstance(code, Row):
        return "".join(map(flat, code.parts))
    if isinstance(code, Constant):
        whole = _tuple(code.value)
        return flat(whole) if isinstance(whole, Brackets) else literal(code.value)
    parts = [(f"{name}=" if name else "") + flat(part) for name, part in code.parts]
    is_single = code.ends == "()" and not code.head and len(parts) == 1
    return code.head + code.ends[0] + ", ".join(parts) + "," * is_single + code.ends[1]


def _tuple(value: Given) -> Brackets | None:
    if not isinstance(value, tuple):
        return None
    return Brackets("", tuple([("", Constant(item)) for item in value]))


def literal(value: object) -> str:
    """Return a value that is no tuple as Python source. Raises `Unsupported` for what is none."""
    if value is None or isinstance(value, bool | int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return text if text[-1].isdigit() else f'float("{text}")'  # inf and nan have no literals
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, EllipsisType):
        return "..."
    if isinstance(value, slice):
        return _slice(value)
    raise Unsupported("no constant of a source", type(value).__name__)


def _slice(value: slice) -> str:
    start, stop, step = [
        "" if each is None else literal(each) for each in (value.start, value.stop, value.step)
    ]
    return f"{start}:{stop}" + (f":{step}" if step else "")
