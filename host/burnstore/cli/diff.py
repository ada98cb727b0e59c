"""burnstore diff"""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from burnpack.errors import printable
from burnpack.limits import Limits
from burnpack.tensor import Tensor
from burnstore.cli import options
from burnstore.cli.command import FAILED, Command
from burnstore.cli.echo import answer, finite, note
from burnstore.cli.progress import progress
from burnstore.cli.streams import is_stream, readable
from burnstore.cli.tables import dtype_text, table
from burnstore.comparing.differing import Compared, Difference, difference
from burnstore.io.facts import dtype_name
from burnstore.io.opened import OpenedFile
from burnstore.models.model import load_module

_MOST = 20  # rows that are shown
_NAME, _TEXT = 60, 40  # letters of a name, and of a text of the metadata
_BEFORE = 10  # letters that are shown before the first in which two texts differ


@click.command(
    cls=Command,
    examples="""
    burnstore diff digits.pt digits.bpk --module model.py:DigitsNet
    burnstore diff digits.pt2 net.bpk
    burnstore diff digits.pt digits.pt --all --json
    """,
    failed="The files differ.",
)
@click.argument("first", metavar="A", type=options.File(allows_stream=True))
@click.argument("second", metavar="B", type=options.File(allows_stream=True))
@options.module("The model's class: its parameters are compared, whatever the names and layouts of A and B.")
@options.tolerance("With one, dtypes may differ. Without it: not at all.")
@options.top_level_key
@options.everything(f"Show all rows, those of equal tensors too, and not {_MOST} that differ most.")
@options.max_expansion
def diff(
    first: str,
    second: str,
    module: str | None,
    tolerance: float | None,
    top_level_key: str | None,
    everything: bool,
    expansion: int | None,
) -> None:
    """Compare two files: names, dtypes, shapes, numbers and metadata.

    A and B are .pt, .pt2, .safetensors or .bpk files. Tensors are paired by name, by the names that Burn has
    for PyTorch's, and where that is clear by a prefix or by content. NaN equals NaN, 0 equals -0, and of
    quantized tensors the numbers that they stand for are compared. A matrix equals the same one transposed.
    """
    if is_stream(first) and is_stream(second):
        raise click.UsageError("the standard input is one file, and A and B are two")
    model = load_module(module) if module else None
    limits = Limits(expansion=expansion)
    with OpenedFile(readable(first), limits) as one, OpenedFile(readable(second), limits) as other:
        size = sum(len(view) for opened in (one, other) for view in opened.views())
        with progress("comparing", size) as advance:
            found = difference(one, other, model, tolerance, top_level_key, advance)
    note(*found.notes)
    answer(_plain(found, everything), _lines(found, everything))
    if not found.same:
        sys.exit(FAILED)


def _plain(found: Difference, everything: bool) -> dict[str, Any]:
    """Return what differs for JSON; with `everything` what does not, too."""
    rows = found.compared if everything else found.differing
    return {
        "same": found.same,
        "files": list(found.paths),
        "formats": list(found.formats),
        "tolerance": found.tolerance,
        "compared": len(found.compared),
        "differing": len(found.differing),
        "tensors": [_row(each, found.tolerance) for each in rows],
        "only": [[_alone(tensor) for tensor in tensors] for tensors in found.only],
        "metadata": [list(each) for each in found.texts],
        "notes": found.notes,
    }


def _row(each: Compared, tolerance: float | None) -> dict[str, Any]:
    row = {**asdict(each), "differs": each.differs(tolerance)}
    if each.apart is not None:
        row["apart"] = {name: finite(value) for name, value in asdict(each.apart).items()}
    return row


def _alone(tensor: Tensor) -> dict[str, Any]:
    return {"name": tensor.name, "dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape)}


def _lines(found: Difference, everything: bool) -> Iterator[str]:
    yield _summary(found)
    rows = found.compared if everything else sorted(found.differing, key=_size, reverse=True)[:_MOST]
    if rows:
        yield from table(_COLUMNS, [_cells(each) for each in rows], right=_RIGHT)
    if len(rows) < len(found.differing):
        yield f"... and {len(found.differing) - len(rows):,} more tensors that differ; --all shows them"
    for path, tensors in zip(found.paths, found.only, strict=True):
        shown = tensors if everything else tensors[:_MOST]
        for tensor in shown:
            what = f"{dtype_text(dtype_name(tensor.dtype))} {list(tensor.shape)}"
            yield f"only in {printable(path)}: {printable(tensor.name)}, {printable(what)}"
        if len(shown) < len(tensors):
            yield f"only in {printable(path)}: {len(tensors) - len(shown):,} more; --all shows them"
    for key, *texts in found.texts if everything else found.texts[:_MOST]:
        start = max(0, _alike(*texts) - _BEFORE)
        yield f"metadata {printable(key)}: {' → '.join(_quoted(text, start) for text in texts)}"
    if not everything and len(found.texts) > _MOST:
        yield f"metadata: {len(found.texts) - _MOST:,} more; --all shows them"


_COLUMNS = ("tensor", "dtype", "shape", "largest", "mean", "differ", "at")
_RIGHT = ("largest", "mean", "differ")


def _summary(found: Difference) -> str:
    names = " and ".join(map(printable, found.paths))
    parts = [f"{len(found.differing):,} of {_count(len(found.compared), 'tensor')}"] * bool(found.differing)
    alone = sum(map(len, found.only))
    parts += [f"{alone:,} in one file alone"] * bool(alone)
    parts += [f"{len(found.texts):,} of the metadata"] * bool(found.texts)
    verdict = (
        f"differ: {', '.join(parts)}" if parts else f"are the same: {_count(len(found.compared), 'tensor')}"
    )
    told = [
        f"{number:,} {what}"
        for number, what in (
            (sum(each.transposed for each in found.compared), "transposed"),
            (sum(each.how == "as Burn names it" for each in found.compared), "as Burn names them"),
            (sum(each.how == "renamed" for each in found.compared), "renamed"),
            (sum(_is_quantized(each) for each in found.compared), "quantized, as the numbers they stand for"),
            (
                sum(bool(each.apart and each.apart.other_bits) for each in found.compared),
                "the same numbers in other bits",
            ),
        )
        if number
    ]
    return f"{names} {verdict}" + (f" ({', '.join(told)})" if told else "")


def _is_quantized(each: Compared) -> bool:
    return any(isinstance(dtype, dict) and "QFloat" in dtype for dtype in each.dtypes)


def _size(each: Compared) -> float:
    return float("inf") if each.apart is None else each.apart.largest


def _cells(each: Compared) -> list[str]:
    name = printable(each.name, _NAME)
    if each.name != each.other:
        name = f"{name} → {printable(each.other, _NAME)}"
    if each.error is not None:
        return [name, "", "", "", "", "", printable(each.error)]
    dtypes = [printable(dtype_text(dtype)) for dtype in each.dtypes]
    shapes = [str(list(shape)) for shape in each.shapes]
    facts = [_both(dtypes), _both(shapes) + " transposed" * each.transposed]
    if each.apart is None:
        return [name, *facts, "", "", "", ""]
    found = each.apart
    share = f"{found.differing / max(1, found.numbers):.1%}"
    at = (
        "" if found.place is None else f"{list(found.place)}: {_number(found.first)}, {_number(found.second)}"
    )
    return [name, *facts, _number(found.largest), _number(found.mean), share, at]


def _both(texts: list[str]) -> str:
    return texts[0] if texts[0] == texts[1] else " → ".join(texts)


def _number(value: float | str | None) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _alike(first: str | None, second: str | None) -> int:
    """Return how many letters two texts begin with alike, if that is more than is shown; else 0."""
    pairs = zip(first or "", second or "", strict=False)
    alike = next((at for at, (one, other) in enumerate(pairs) if one != other), 0)
    return alike if alike > _TEXT // 2 else 0


def _quoted(text: str | None, start: int) -> str:
    return "none" if text is None else f'"{"…" * (start > 0)}{printable(text[start:], _TEXT)}"'


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
