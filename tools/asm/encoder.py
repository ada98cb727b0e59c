"""From an instruction's text to MicroPython's assembler, by the tables of `instructions`."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from tools.asm.instructions import ENCODED, KNOWN

REGISTERS = {"r%d" % number: number for number in range(13)} | {"sp": 13, "lr": 14, "pc": 15}
FLOATS = {"s%d" % number: number for number in range(32)}

# What stands for something in a row's syntax.
PLACE = re.compile(
    r"\{s\}|\b[rRS][a-z]\b(?:\+1)?|#-?[a-z]\d+(?:\*\d|\+1|~)?(?:>0)?|\{[a-z](?:\d+|:[a-z]8)\}|LABEL"
)
NUMBER = re.compile(r"#(-?)([a-z])(\d+)(?:\*(\d)|(\+1)|(~))?(>0)?")

# Memory at a register, which in full is [r0, 0].
OFFSETLESS = re.compile(r"\[(\w+)\]$")

Table = tuple[tuple[str, str], ...]
Fields = dict[str, int]


class Unknown(Exception):
    """No row of the tables is such an instruction."""


class Row(NamedTuple):
    """A row, to be held against an instruction: `places` are what its groups stand for."""

    pattern: re.Pattern[str]
    syntax: str
    places: tuple[str, ...]
    result: str  # the last column


def called(text: str, shown: str, is_conditional: bool) -> str | None:
    """Return the call of MicroPython's assembler that is an instruction, None where it has none.

    text: in Arm's unified syntax, without its condition, numbers in digits; shown: the same with the names
    that the call is to have for numbers. is_conditional: whether an `it` before it makes it so.
    """
    for row, _ in _fitting(KNOWN, text, is_conditional):
        return _call(row, shown)
    return None


def encoded(text: str, is_conditional: bool) -> list[int]:
    """Return the machine code, in halfwords, of an instruction that it lacks; raises `Unknown`."""
    for row, fields in _fitting(ENCODED, text, is_conditional):
        return _halves(row.result.replace(" ", ""), fields)
    raise Unknown("no instruction in the tables: %s" % text)


def _fitting(table: Table, text: str, is_conditional: bool) -> Iterator[tuple[Row, Fields]]:
    """Yield the rows that are such an instruction, with the fields that its operands make."""
    name = text.partition(" ")[0]
    for row in _rows(table, is_conditional):
        operands = _operands(row, text) if row.syntax.partition(" ")[0] == name else None
        fields = None if operands is None else _fields(row.places, operands)
        if fields is not None:
            yield row, fields


def _operands(row: Row, text: str) -> tuple[str, ...] | None:
    match = row.pattern.fullmatch(OFFSETLESS.sub(r"[\1, 0]", text))
    return match.groups() if match else None


def _call(row: Row, shown: str) -> str:
    """Return a call: of the row's operands in their order, in the brackets that its syntax has."""
    name, _, arguments = row.result.partition("(")
    operands = iter(_operands(row, shown) or ())
    arguments = PLACE.sub(lambda _: next(operands), arguments or row.syntax.partition(" ")[2] + ")")
    return name + "(" + arguments


@cache
def _rows(table: Table, is_conditional: bool) -> tuple[Row, ...]:
    return tuple(
        _row(syntax.replace("{s}", "" if is_conditional else "s"), result) for syntax, result in table
    )


def _row(syntax: str, result: str) -> Row:
    pieces, places = PLACE.split(syntax), tuple(PLACE.findall(syntax))
    groups = [r"(\{[^{}]*\})" if place[0] == "{" else r"([^][{},! ]+)" for place in places]
    pattern = "".join(re.escape(piece) + group for piece, group in zip(pieces, [*groups, ""], strict=True))
    return Row(re.compile(pattern), syntax, places, result)


def _fields(places: tuple[str, ...], operands: tuple[str, ...]) -> Fields | None:
    """Return the fields that make these operands, None where one doesn't fit its place."""
    found: Fields = {}
    for place, operand in zip(places, operands, strict=True):
        fields = _KINDS[place[0]](place, operand)
        if fields is None or any(found.get(name, value) != value for name, value in fields.items()):
            return None
        found |= fields
    return found


def _register(place: str, operand: str) -> Fields | None:
    number = REGISTERS.get(operand, 16)
    return {place[1]: number} if number < (8 if place[0] == "r" else 16) else None


def _float(place: str, operand: str) -> Fields | None:
    number = FLOATS.get(operand)
    return None if number is None else _float_fields(place[1], number - place.endswith("+1"))


def _float_fields(letter: str, number: int) -> Fields:
    return {letter: number >> 1, letter.upper(): number & 1}


def _number(place: str, operand: str) -> Fields | None:
    found = NUMBER.fullmatch(place)
    assert found
    sign, letter, size, unit, plus_one, modified, positive = found.groups()
    try:
        number = int(operand, 0)
    except ValueError:
        return None
    value, rest = divmod(-number if sign else number, int(unit or 1))
    value -= bool(plus_one)
    if modified:
        constant = _modified(value)
        return None if constant is None else {letter: constant}
    return {letter: value} if not rest and bool(positive) <= value < 1 << int(size) else None


def _modified(number: int) -> int | None:
    """Return the twelve bits of a modified immediate constant that is this number, None where none is.

    The manual calls it ThumbExpandImm; what repeats a byte is left out.
    """
    if 0 <= number < 256:
        return number
    if 0 <= number < 1 << 32:
        for turned in range(8, 32):
            byte = (number << turned | number >> (32 - turned)) & 0xFFFF_FFFF
            if 128 <= byte < 256:
                return turned << 7 | byte & 0x7F
    return None


def _list(place: str, operand: str) -> Fields | None:
    """Return a mask of registers; of floating-point registers, the first and how many there are."""
    letter, names = place[1], operand.strip("{}")
    if place[2] == ":":
        first, last = (FLOATS.get(name, -1) for name in names.partition("-")[::2])
        return _float_fields(letter, first) | {place[3]: last - first + 1} if 0 <= first <= last else None
    numbers = [REGISTERS.get(name, 16) for name in names.split(", ")]
    mask = sum(1 << number for number in numbers)
    return {letter: mask} if mask < 1 << int(place[2:-1]) else None


def _label(place: str, operand: str) -> Fields | None:
    return {} if operand.isupper() else None


_KINDS: dict[str, Callable[[str, str], Fields | None]] = {
    "r": _register,
    "R": _register,
    "S": _float,
    "#": _number,
    "{": _list,
    "L": _label,
}


def _halves(bits: str, fields: Fields) -> list[int]:
    """Return the halfwords of machine code: each letter takes its field's bits, the highest first."""
    left = {letter: bits.count(letter) for letter in fields}
    code = 0
    for bit in bits:
        if bit in left:
            left[bit] -= 1
        code = code << 1 | (fields[bit] >> left[bit] & 1 if bit in left else int(bit))
    return [code >> 16, code & 0xFFFF] if len(bits) == 32 else [code]
