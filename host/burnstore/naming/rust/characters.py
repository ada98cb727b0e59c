"""Single characters, the classes of escapes such as \\d and \\pL, and sets in brackets."""

import re
from collections.abc import Callable

from burnstore.naming.rust.cursor import Cursor
from burnstore.naming.rust.properties import ASCII_CLASSES, category_of, category_ranges

_CODE = re.compile(
    r"\\[xuU]\{\s*([0-9A-Fa-f]+)\s*\}|\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})"
)
_CONTROL = re.compile(r"\\([aftnrv])")
_CLASS = re.compile(r"\\[dDsSwW]")
_PUNCTUATION = re.compile(r"\\([^0-9A-Za-z])", re.DOTALL)
_PROPERTY = re.compile(r"\\([pP])(?:\{(\^?)([^}]*)\}|([A-Za-z]))")
_ASCII = re.compile(r"\[:(\^?)([a-z]+):\]")
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
_NOTHING = "(?!)"
# What two sets make, each given as a pattern of one character.
_OPERATIONS: dict[str, Callable[[str, str], str]] = {
    "&&": lambda one, other: f"(?:(?={one}){other})",
    "--": lambda one, other: f"(?:(?!{other}){one})",
    "~~": lambda one, other: f"(?:(?!{other}){one}|(?!{one}){other})",
}


def escaped_character(cursor: Cursor) -> str | None:
    """Pass over an escape that stands for one character and return that; None for any other."""
    if code := cursor.taken(_CODE):
        return _of_code(cursor, next(digits for digits in code.groups() if digits))
    if control := cursor.taken(_CONTROL):
        return _CONTROLS[control[1]]
    found = None if cursor.starts("\\<") or cursor.starts("\\>") else cursor.taken(_PUNCTUATION)
    return found[1] if found else None


def _of_code(cursor: Cursor, digits: str) -> str:
    if int(digits, 16) > 0x10FFFF:
        raise cursor.wrong(f"no character has the code {digits}")
    return chr(int(digits, 16))


def character_class(cursor: Cursor) -> str | None:
    """Pass over an escape that stands for a class, as \\d or \\pL; return a pattern for it, or None."""
    if known := cursor.taken(_CLASS):
        return known[0]
    found = cursor.taken(_PROPERTY)
    if found is None:
        return None
    name = found[4] or found[3]
    short = category_of(name)
    if short is None:
        known_ones = "only general categories, such as L, Lu and Letter, are known here"
        raise cursor.wrong(f"the Unicode property {name!r}, where {known_ones},")
    without = (found[1] == "P") != (found[2] == "^")
    return f"[{'^' if without else ''}{category_ranges(short)}]"


def bracketed(cursor: Cursor, skips_blanks: bool) -> str:
    """Pass over a set in brackets; return a pattern that matches one of its characters."""
    cursor.character()
    without = cursor.skipped("^")
    found = _union(cursor, skips_blanks, _leading(cursor))
    while operation := next(filter(cursor.skipped, _OPERATIONS), None):
        found = _OPERATIONS[operation](found, _union(cursor, skips_blanks, ""))
    if not cursor.skipped("]"):
        raise cursor.wrong("a [ without its ]")
    return _other_than(found) if without else found


def _leading(cursor: Cursor) -> str:
    """Return the hyphens, or the one bracket, that stand for themselves at the beginning of a set."""
    found = ""
    while cursor.skipped("-"):
        found = r"\-"
    return r"\]" if not found and cursor.skipped("]") else found


def _union(cursor: Cursor, skips_blanks: bool, items: str) -> str:
    """Return a pattern of one character for what comes before the next operation or the end of the set."""
    sets: list[str] = []
    while not cursor.at_end() and not any(map(cursor.starts, ("]", *_OPERATIONS))):
        if within := _set_within(cursor, skips_blanks):
            sets.append(within)
        elif skips_blanks and cursor.text[cursor.at].isspace():
            cursor.character()
        else:
            items += _item(cursor)
    found = ([f"[{items}]"] if items else []) + sets
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})" if found else _NOTHING


def _set_within(cursor: Cursor, skips_blanks: bool) -> str | None:
    """Pass over a set that is a part of another; return a pattern of one of its characters, or None."""
    if named := cursor.taken(_ASCII):
        return _ascii(cursor, named[2], bool(named[1]))
    if cursor.starts("["):
        return bracketed(cursor, skips_blanks)
    found = character_class(cursor)
    if found and cursor.starts("-") and not (cursor.starts("--") or cursor.starts("-]")):
        raise cursor.wrong("a range that begins with a class")
    return found


def _ascii(cursor: Cursor, name: str, without: bool) -> str:
    if name not in ASCII_CLASSES:
        raise cursor.wrong(f"no class of ASCII is called [:{name}:]")
    return f"[{'^' if without else ''}{ASCII_CLASSES[name]}]"


def _item(cursor: Cursor) -> str:
    """Return, for between brackets, a character or a range."""
    first = _one(cursor)
    if not cursor.starts("-") or cursor.starts("--") or cursor.starts("-]"):
        return _literal(first)
    cursor.character()
    last = _one(cursor)
    if last < first:
        raise cursor.wrong("a range that ends before it begins")
    return f"{_literal(first)}-{_literal(last)}"


def _one(cursor: Cursor) -> str:
    found = escaped_character(cursor)
    if found is not None:
        return found
    if cursor.starts("\\"):
        raise cursor.wrong(f"no escape within brackets: {cursor.text[cursor.at : cursor.at + 2]}")
    return cursor.character()


def _literal(character: str) -> str:
    return f"\\U{ord(character):08x}" if not character.isalnum() else character


def _other_than(found: str) -> str:
    """Return a pattern of one character that `found` does not match."""
    if found.startswith("[") and not found.startswith("[^") and found.count("[") == 1:
        return f"[^{found[1:]}"
    return f"(?:(?!{found})[\\s\\S])"
