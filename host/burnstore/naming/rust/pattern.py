"""Rust's regular expressions, written as Python's.

What Rust reads and Python doesn't, or reads otherwise, is rewritten:

    [[:alpha:]] [^[:digit:]]      classes of ASCII
    [a-z&&[^aeiou]] [a[bc]]       sets within sets; -- and ~~, too
    \\pL \\p{Lu} \\P{Number}         general categories; other properties are refused by name
    \\z \\< \\> \\b{start} \\x{2a}     edges and codes
    a(?i)b (?U)a* (?-u)\\w         flags that hold up to the end of their group
    (?<name>...)                  a group with a name
    $                             the end, and not before a line break at the end, too
    a*+                           (?:a*)+, where Python would not go back

What only Python has, such as (?=...) and \\1, stays as it is.
"""

import re

from burnstore.naming.rust.characters import bracketed, character_class, escaped_character
from burnstore.naming.rust.cursor import Cursor

_COUNT = re.compile(r"[*+?]|\{\s*(?:\d+\s*(?:,\s*\d*)?|,\s*\d+)\s*\}")
_COUNT_SPACED = re.compile(r"\s*(" + _COUNT.pattern + ")")
_FLAGS = re.compile(r"\(\?([A-Za-z]*)(?:-([A-Za-z]+))?([:)])")
_NAME = re.compile(r"\(\?P?<(?=[A-Za-z_])")
_PYTHONS_GROUP = re.compile(r"\(\?(?:[=!>]|<[=!]|\(\w+\))")
_PYTHONS_OWN = re.compile(r"\(\?(?:P=\w+|#[^)]*)\)|\\[0-9]+|\\[A-Za-z]")
_BLANK = re.compile(r"\s+|#[^\n]*")
_EDGE = re.compile(r"\\(?:b\{[a-z-]+\}|[AbBzZ<>])")
_EDGES = {
    r"\A": r"\A",
    r"\b": r"\b",
    r"\B": r"(?!\b)",  # of an empty text, too
    r"\Z": r"\Z",
    r"\z": r"\Z",
    r"\<": r"(?<!\w)(?=\w)",
    r"\>": r"(?<=\w)(?!\w)",
    r"\b{start}": r"(?<!\w)(?=\w)",
    r"\b{end}": r"(?<=\w)(?!\w)",
    r"\b{start-half}": r"(?<!\w)",
    r"\b{end-half}": r"(?!\w)",
}
_NO_CHARACTER = {"^", "(?m:^)", "(?m:$)", *_EDGES.values()}  # repeating these needs a group

Flags = frozenset[str]  # of imsxU, and "a" where \w, \d, \s and \b are ASCII's


def translated(pattern: str) -> str:
    """Return a pattern for `re` that means what `pattern` means in Rust. Raises `Malformed`."""
    cursor = Cursor(pattern)
    found = _alternatives(cursor, frozenset())
    if not cursor.at_end():
        raise cursor.wrong("a ) without its (")
    return found


def _alternatives(cursor: Cursor, flags: Flags) -> str:
    """Return all up to the end, or to the ) of the group that this is in."""
    runs = [("", "")]  # (flags of Python's, what stands under these)
    while not cursor.at_end() and not cursor.starts(")"):
        changed = _flags_from_here(cursor, flags)
        if changed is not None:
            flags = changed
        elif cursor.skipped("|"):
            runs += [("|", ""), ("", "")]
        elif not ("x" in flags and cursor.taken(_BLANK)):
            own = "".join(sorted(flags & {"a", "i"}))
            found = _repeated(cursor, flags)
            runs[-1:] = [(own, runs[-1][1] + found)] if own == runs[-1][0] else [runs[-1], (own, found)]
    return "".join("|" if own == "|" else f"(?{own}:{found})" if own else found for own, found in runs)


def _flags_from_here(cursor: Cursor, flags: Flags) -> Flags | None:
    """Pass over flags that hold from here on, as (?i); return what holds then, or None without any."""
    found = _FLAGS.match(cursor.text, cursor.at)
    if found is None or found[3] == ":":
        return None
    cursor.at = found.end()
    return _with_flags(cursor, flags, found)


def _with_flags(cursor: Cursor, flags: Flags, found: re.Match[str]) -> Flags:
    on, off = set(found[1]), set(found[2] or "")
    if unknown := (on | off) - set("aimsuxU"):
        raise cursor.wrong(f"the flag {min(unknown)}, which is not known here,")
    if "u" in on:
        off.add("a")
    if "u" in off:
        on.add("a")
    return flags - off | on - {"u"}


def _repeated(cursor: Cursor, flags: Flags) -> str:
    """Return one thing, with how often it comes."""
    found = _atom(cursor, flags)
    times = 0
    while count := cursor.taken(_COUNT_SPACED if "x" in flags else _COUNT):
        lazy = cursor.skipped("?") != ("U" in flags)
        again = f"(?:{found})" if times or found in _NO_CHARACTER else found
        found = again + re.sub(r"\s", "", count[0]) + ("?" if lazy else "")
        times += 1
    return found


def _atom(cursor: Cursor, flags: Flags) -> str:
    if cursor.starts("("):
        return _group(cursor, flags)
    if cursor.starts("["):
        return bracketed(cursor, "x" in flags)
    if cursor.starts("\\"):
        return _escape(cursor)
    if cursor.taken(_COUNT):
        raise cursor.wrong("nothing that is to be repeated")
    found = cursor.character()
    if found == "$":
        return "(?m:$)" if "m" in flags else r"\Z"
    if found in "^.":
        flag = {"^": "m", ".": "s"}[found]
        return f"(?{flag}:{found})" if flag in flags else found
    return re.escape(found)


def _escape(cursor: Cursor) -> str:
    if edge := cursor.taken(_EDGE):
        if edge[0] not in _EDGES:
            raise cursor.wrong(f"no edge is called {edge[0]}")
        return _EDGES[edge[0]]
    character = escaped_character(cursor)
    if character is not None:
        return re.escape(character)
    found = character_class(cursor)
    if found is not None:
        return found
    own = cursor.taken(_PYTHONS_OWN)  # which `re` knows, or refuses
    if own is None:
        raise cursor.wrong("a \\ that escapes nothing")
    return own[0]


def _group(cursor: Cursor, flags: Flags) -> str:
    if own := cursor.taken(_PYTHONS_OWN):
        return own[0]
    if cursor.taken(_NAME):
        opening = "(?P<" + cursor.text[cursor.at : cursor.text.find(">", cursor.at) + 1]
        cursor.at += len(opening) - len("(?P<")
    elif scoped := cursor.taken(_FLAGS):
        opening, flags = "(?:", _with_flags(cursor, flags, scoped)
    elif other := cursor.taken(_PYTHONS_GROUP):
        opening = other[0]
    elif cursor.starts("(?"):
        raise cursor.wrong(f"no group begins with {cursor.text[cursor.at : cursor.at + 3]}")
    else:
        opening = cursor.character()
    found = _alternatives(cursor, flags)
    if not cursor.skipped(")"):
        raise cursor.wrong("a ( without its )")
    return f"{opening}{found})"
