"""What code for MicroPython may not contain: one row a rule.

A rule looks at one node of a syntax tree. Rules go by what stands in the source and know no types, so they
name only what can be told that way.
"""

import ast
import builtins
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tools import portable_names as names


class Source(NamedTuple):
    """A file that is looked at: its text, and which of its nodes stand where other rules hold."""

    text: str
    annotations: frozenset[int]  # ids of the nodes inside annotations, which nothing evaluates
    constants: dict[str, str]  # texts assigned to names at the top level


class Rule(NamedTuple):
    """`breaks(node, source)` tells whether a node of one of `kinds` breaks the rule."""

    name: str
    kinds: tuple[type[ast.AST], ...]
    breaks: Callable[[Any, Source], bool]
    advice: str


def _always(node: ast.AST, source: Source) -> bool:
    return True


def _called(node: ast.Call) -> str:
    """Return the last name of what is called, "" where it has none."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_method(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute)


def _imports_absent_module(node: ast.Import | ast.ImportFrom, source: Source) -> bool:
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or ""] if not node.level else []
    else:
        modules = [alias.name for alias in node.names]
    return any(name.split(".")[0] not in names.MODULES | names.OURS for name in modules)


def _imports_absent_name(node: ast.ImportFrom, source: Source) -> bool:
    absent = names.ABSENT_FROM_MODULE.get(node.module or "", frozenset())
    return any(alias.name in absent for alias in node.names)


def _uses_absent_member(node: ast.Attribute, source: Source) -> bool:
    module = getattr(node.value, "id", "")
    return node.attr in names.ABSENT_FROM_MODULE.get(module, frozenset())


def _calls_absent_method(node: ast.Call, source: Source) -> bool:
    return _is_method(node) and _called(node) in names.ABSENT_METHODS


def _reads_signed(node: ast.Call, source: Source) -> bool:
    return _called(node) == "from_bytes" and len(node.args) > 2


def _uses_absent_name(node: ast.Name, source: Source) -> bool:
    return (
        isinstance(node.ctx, ast.Load)
        and node.id in names.ABSENT_NAMES
        and id(node) not in source.annotations
    )


def _has_absent_keyword(node: ast.Call, source: Source) -> bool:
    absent = names.ABSENT_KEYWORDS.get(_called(node), frozenset())
    return any(keyword.arg in absent for keyword in node.keywords)


def _is_typed_at_run_time(node: ast.Subscript | ast.BinOp, source: Source) -> bool:
    if id(node) in source.annotations:
        return False
    if isinstance(node, ast.Subscript):
        return _is_type(node.value)
    return isinstance(node.op, ast.BitOr) and (_is_none(node.right) or _is_type(node.right))


def _is_type(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and isinstance(getattr(builtins, node.id, None), type)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_mangled(node: ast.Attribute, source: Source) -> bool:
    return node.attr.startswith("__") and not node.attr.endswith("__")


def _is_starred_display(node: ast.List | ast.Tuple | ast.Set, source: Source) -> bool:
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    return is_read and any(isinstance(element, ast.Starred) for element in node.elts)


def _has_odd_decorator(node: ast.FunctionDef | ast.ClassDef, source: Source) -> bool:
    def is_plain(decorator: ast.expr) -> bool:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        return isinstance(named, ast.Name | ast.Attribute)

    return not all(is_plain(decorator) for decorator in node.decorator_list)


def _is_class_property(node: ast.FunctionDef, source: Source) -> bool:
    return {"classmethod", "property"} <= {getattr(decorator, "id", "") for decorator in node.decorator_list}


def _is_parenthesised_with(node: ast.With, source: Source) -> bool:
    first, last = node.items[0], node.items[-1].optional_vars or node.items[-1].context_expr
    before = ast.get_source_segment(source.text, node, padded=False) or ""
    opening = before[len("with") :].lstrip()[:1] == "(" and not _starts_at_paren(first.context_expr, source)
    line = source.text.split("\n")[(last.end_lineno or 1) - 1].encode()[last.end_col_offset :].decode()
    return len(node.items) > 1 and opening and line.lstrip()[:1] in (")", ",", "")


def _starts_at_paren(node: ast.expr, source: Source) -> bool:
    return (ast.get_source_segment(source.text, node) or "").startswith("(")


def _yields(node: ast.AsyncFunctionDef, source: Source) -> bool:
    return any(isinstance(inner, ast.Yield) for inner in _own_nodes(node))


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of the functions inside it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from _own_nodes(child)


def _has_named_character(node: ast.Constant, source: Source) -> bool:
    if not isinstance(node.value, str) or "\\N{" not in source.text:  # looking up a literal takes long
        return False
    literal = ast.get_source_segment(source.text, node) or ""
    return "\\N{" in literal.replace("\\\\", "")


def _has_lone_surrogate(node: ast.Constant, source: Source) -> bool:
    return isinstance(node.value, str) and any("\ud800" <= letter <= "\udfff" for letter in node.value)


def _has_odd_format(node: ast.Call, source: Source) -> bool:
    if _called(node) not in ("pack", "pack_into", "unpack", "unpack_from", "calcsize") or not node.args:
        return False
    first = node.args[0]
    text = source.constants.get(first.id) if isinstance(first, ast.Name) else getattr(first, "value", None)
    return isinstance(text, str) and (not text.startswith(("<", ">")) or bool(set(text) & set("?cnNp= \t\n")))


def _opens_exclusively(node: ast.Call, source: Source) -> bool:
    modes = [word for word in node.args[1:2] if isinstance(word, ast.Constant)]
    return _called(node) == "open" and any("x" in str(mode.value) for mode in modes)


def _has_error_policy(node: ast.Call, source: Source) -> bool:
    count = len(node.args) + len(node.keywords)
    return _is_method(node) and _called(node) in ("encode", "decode") and count > 1


def _has_fields_in_text(node: ast.Call, source: Source) -> bool:
    fields = node.args[1] if len(node.args) > 1 else None
    return _called(node) == "namedtuple" and isinstance(fields, ast.Constant)


def _assigns_class(node: ast.Assign, source: Source) -> bool:
    def is_special(target: ast.expr) -> bool:
        inner = target.value if isinstance(target, ast.Subscript) else target
        return isinstance(inner, ast.Attribute) and inner.attr in ("__class__", "__dict__")

    return any(is_special(target) for target in node.targets)


def _defines_slots(node: ast.Assign, source: Source) -> bool:
    return any(getattr(target, "id", "") == "__slots__" for target in node.targets)


def _is_with_memoryview(node: ast.withitem, source: Source) -> bool:
    return isinstance(node.context_expr, ast.Call) and _called(node.context_expr) == "memoryview"


def _calls(*called: str, least: int = 0, most: int = 99) -> Callable[[ast.Call, Source], bool]:
    """Return a test for calls of a plain name with so many arguments."""

    def breaks(node: ast.Call, source: Source) -> bool:
        count = len(node.args) + len(node.keywords)
        return not _is_method(node) and _called(node) in called and least <= count <= most

    return breaks


_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)
_DECORATED = (*_FUNCTIONS, ast.ClassDef)
_CALL = (ast.Call,)

RULES = (
    Rule("match", (ast.Match,), _always, "no match statement: use if, or a table"),
    Rule("positional-only", (ast.arguments,), lambda n, s: bool(n.posonlyargs), "no / among parameters"),
    Rule("star-in-display", _DISPLAYS, _is_starred_display, "no * in a display: add lists"),
    Rule("star-in-dict", (ast.Dict,), lambda n, s: None in n.keys, "no ** in a dict display: use |"),
    Rule("with-in-parentheses", (ast.With,), _is_parenthesised_with, "no parentheses around with's items"),
    Rule("decorator", _DECORATED, _has_odd_decorator, "a decorator is a name or its call"),
    Rule("except-star", (ast.TryStar,), _always, "no except*"),
    Rule("async-generator", (ast.AsyncFunctionDef,), _yields, "no yield in async def"),
    Rule("async-comprehension", (ast.comprehension,), lambda n, s: bool(n.is_async), "loop with async for"),
    Rule("named-character", (ast.Constant,), _has_named_character, r"no \N{}: write \u and the number"),
    Rule("lone-surrogate", (ast.Constant,), _has_lone_surrogate, "freezing takes none: use chr()"),
    Rule("f-string", (ast.JoinedStr,), _always, "no f-strings here: format with %"),
    Rule("type-at-run-time", (ast.Subscript, ast.BinOp), _is_typed_at_run_time, "types only in annotations"),
    Rule("class-keyword", (ast.ClassDef,), lambda n, s: bool(n.keywords), "no metaclass, no class keywords"),
    Rule("several-bases", (ast.ClassDef,), lambda n, s: len(n.bases) > 1, "one base: others may be skipped"),
    Rule("ignored-method", _FUNCTIONS, lambda n, s: n.name in names.IGNORED_METHODS, "is never called"),
    Rule("slots", (ast.Assign,), _defines_slots, "__slots__ is not enforced"),
    Rule("mangled-name", (ast.Attribute,), _is_mangled, "names are not mangled: use one underscore"),
    Rule("assigned-class", (ast.Assign,), _assigns_class, "__class__ and __dict__ cannot be written"),
    Rule("class-property", _FUNCTIONS, _is_class_property, "classmethod and property do not combine"),
    Rule("raise-from", (ast.Raise,), lambda n, s: n.cause is not None, "exceptions are not chained"),
    Rule("step-slice", (ast.Slice,), lambda n, s: n.step is not None, "only a list takes a step"),
    Rule("with-memoryview", (ast.withitem,), _is_with_memoryview, "a memoryview is no context"),
    Rule("module", _IMPORTS, _imports_absent_module, "not a module that every board has"),
    Rule("module-member", (ast.ImportFrom,), _imports_absent_name, "the module lacks this name"),
    Rule("module-attribute", (ast.Attribute,), _uses_absent_member, "the module lacks this name"),
    Rule("name", (ast.Name,), _uses_absent_name, "there is no such builtin"),
    Rule("method", _CALL, _calls_absent_method, "there is no such method"),
    Rule("attribute", (ast.Attribute,), lambda n, s: n.attr in names.ABSENT_ATTRIBUTES, "no such attribute"),
    Rule("keyword", _CALL, _has_absent_keyword, "this keyword is not taken"),
    Rule("from-bytes-signed", _CALL, _reads_signed, "from_bytes is always unsigned: use struct"),
    Rule("struct-format", _CALL, _has_odd_format, "start with < or >; no ? c n N p = nor spaces"),
    Rule("open-exclusively", _CALL, _opens_exclusively, "no mode x"),
    Rule("error-policy", _CALL, _has_error_policy, "encode and decode take no policy"),
    Rule("namedtuple-fields", _CALL, _has_fields_in_text, "give the fields as a tuple"),
    Rule("deque", _CALL, _calls("deque", most=1), "deque needs an iterable and a maximal length"),
    Rule("iter-sentinel", _CALL, _calls("iter", least=2), "iter takes one argument"),
    Rule("slice", _CALL, _calls("slice"), "slice objects cannot be made"),
    Rule("locals", _CALL, _calls("locals"), "locals() does not see a function's names"),
)
