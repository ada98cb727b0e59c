"""Texts of pictures: how wide they are, cut to what is readable, and numbers as people write them."""

from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

from burnpack.errors import printable

MOST = 44  # letters of a line; what is longer is whole in the details
DETAIL = 400  # letters of a detail

# Widths of " " to "~" in Helvetica, and so in Arial and Liberation Sans, in thousandths of the size.
_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 "
    "556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 "
    "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 "
    "556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
).split()
_WEIGHTS = 6  # that are told one by one
_BETWEEN = " · "
_OF_WINDOWS = frozenset(
    "kernel kernel_size stride padding dilation output_padding output_size scale_factors".split()
)
_BOLD = 1.08  # how much wider bold letters are
_NOT_IN_XML = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}  # letters that `printable` leaves
_NARROW, _WIDE = 650, 1000  # of other letters


def width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a text is. size: of its letters."""
    return sum(map(_letter, text)) / 1000 * size * (_BOLD if bold else 1)


def _letter(letter: str) -> int:
    if " " <= letter <= "~":
        return int(_WIDTHS[ord(letter) - ord(" ")])
    return _WIDE if east_asian_width(letter) in "WF" else _NARROW


def short(text: str, most: int = MOST) -> str:
    """Return a text as one line of at most so many letters, without what is not seen."""
    return printable(printable(text, most).translate(_NOT_IN_XML), most)


def of_shape(shape: Iterable[int]) -> str:
    """Return a shape, as in "1×8×28×28"; of a number without one "1 number"."""
    return "×".join(map(str, shape)) or "1 number"


def of_bytes(size: int) -> str:
    """Return a size, as in "5,408 B"."""
    return f"{size:,} B"


def of_weights(texts: Sequence[str], size: int) -> list[str]:
    """Return lines on weights; of very many, as recurrent layers have, only how many. size: in bytes."""
    if len(texts) > _WEIGHTS:
        return [f"{len(texts)} weights, {of_bytes(size)}"]
    return packed(texts)


def of_scale(scale: object, zero_point: object) -> str:
    """Return what bytes stand for, as in "0.1607 × (byte - 151)"."""
    text = f"{scale:.4g}" if isinstance(scale, float) else str(scale)
    return f"{text} × (byte - {zero_point})" if zero_point else f"{text} × byte"


def of_setting(name: str, value: object) -> str:
    """Return a setting, as in "kernel 3×3" or "dims 0, 2, 1"; of windows "stride 2" for both."""
    if not isinstance(value, tuple):
        return f"{name} {_number(value)}"
    texts = [_number(part) for part in value]
    if name not in _OF_WINDOWS:
        return f"{name} {', '.join(texts)}"
    return f"{name} {texts[0] if len(set(texts)) == 1 and 'kernel' not in name else '×'.join(texts)}"


def packed(texts: Iterable[str]) -> list[str]:
    """Return short texts as lines, as many in each as fit."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(_BETWEEN) + len(text) <= MOST:
            lines[-1] += _BETWEEN + text
        else:
            lines.append(text)
    return lines


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "(" + ", ".join(map(_number, value)) + ")" if isinstance(value, tuple) else str(value)
