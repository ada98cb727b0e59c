"""Sets of characters that have a name: Unicode's general categories, and the classes of ASCII."""

import sys
from functools import lru_cache
from itertools import groupby
from unicodedata import category

# What stands for each class between brackets.
ASCII_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}

_LONG = """
    L letter, Lu uppercaseletter, Ll lowercaseletter, Lt titlecaseletter, LC casedletter,
    Lm modifierletter, Lo otherletter, M mark, M combiningmark, Mn nonspacingmark, Mc spacingmark,
    Me enclosingmark, N number, Nd decimalnumber, Nd digit, Nl letternumber, No othernumber,
    P punctuation, P punct, Pc connectorpunctuation, Pd dashpunctuation, Ps openpunctuation,
    Pe closepunctuation, Pi initialpunctuation, Pf finalpunctuation, Po otherpunctuation,
    S symbol, Sm mathsymbol, Sc currencysymbol, Sk modifiersymbol, So othersymbol,
    Z separator, Zs spaceseparator, Zl lineseparator, Zp paragraphseparator,
    C other, Cc control, Cc cntrl, Cf format, Cn unassigned, Co privateuse
"""
_SHORT = {name.lower(): short for short, name in (entry.split() for entry in _LONG.split(","))}
_SHORT |= {short.lower(): short for short in _SHORT.values()}
_OF = {"LC": ("Lu", "Ll", "Lt")}


def category_of(name: str) -> str | None:
    """Return the short name of a general category by any of its names, as in "Lu"; None for what is none."""
    key, equals, value = name.partition("=")
    if equals and _plain(key) not in ("gc", "generalcategory"):
        return None
    return _SHORT.get(_plain(value if equals else key))


def _plain(name: str) -> str:
    """Return a name as names are compared: without regard to case, spaces, hyphens and underscores."""
    return name.lower().translate({ord(letter): None for letter in " -_"})


@lru_cache
def category_ranges(short: str) -> str:
    """Return, for between brackets, the characters of a general category."""
    parts = _OF.get(short, (short,))
    codes = [code for code in range(sys.maxunicode + 1) if category(chr(code)).startswith(parts)]
    runs = groupby(enumerate(codes), lambda pair: pair[1] - pair[0])  # codes side by side differ alike
    ends = [(run[0][1], run[-1][1]) for run in (list(pairs) for _, pairs in runs)]
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ends)
