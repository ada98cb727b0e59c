"""burnstore check"""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from burnpack.errors import BurnpackError, printable
from burnpack.limits import Limits
from burnstore.cli import options
from burnstore.cli.command import FAILED, Command
from burnstore.cli.echo import answer, echo, lines_of
from burnstore.cli.progress import progress
from burnstore.cli.streams import readable
from burnstore.comparing.checking import LEVELS, Checked, checked, kinds
from burnstore.io.opened import OpenedFile

_FEW = 5  # findings of one kind that are shown


@click.command(
    cls=Command,
    examples="""
    burnstore check digits.pt
    burnstore check digits.bpk small.bpk --digest
    burnstore check net.bpk --json
    """,
    failed="A file has errors.",
)
@click.argument("sources", metavar="FILE...", nargs=-1, required=True, type=options.File(allows_stream=True))
@options.digest("Show the SHA-256 of each file's content, which is the same in any format.")
@options.everything(f"Show all findings, and not the first {_FEW} of each kind.")
@options.max_expansion
def check(sources: tuple[str, ...], digest: bool, everything: bool, expansion: int | None) -> None:
    """Read every byte of files, and find what is wrong or unusual in them.

    Errors are what makes a file useless: a rule of its format is broken, a tensor can't be read, its program
    is refused, or its content is not what its digest says. Warnings are what is hardly meant, such as NaN,
    channels of zeros, or padding that is not zeros. Notes are duplicates, tied weights and denormal numbers.
    """
    found, failed = [], {}
    for source in sources:
        try:
            found.append(_checked(source, expansion))
        except (BurnpackError, OSError) as error:
            if len(sources) == 1:
                raise
            failed[source] = _text(source, error)
            echo(*lines_of(f"burnstore: {failed[source]}"), err=True)
    answer(
        {
            "passed": not failed and all(each.passed for each in found),
            "files": [*map(_plain, found), *({"path": path, "error": text} for path, text in failed.items())],
        },
        (line for each in found for line in _lines(each, digest, everything)),
    )
    if failed or not all(each.passed for each in found):
        sys.exit(FAILED)


def _checked(source: str, expansion: int | None) -> Checked:
    with (
        OpenedFile(readable(source), Limits(expansion=expansion)) as opened,
        progress("checking", sum(map(len, opened.views()))) as advance,
    ):
        return checked(opened, advance)


def _text(source: str, error: BurnpackError | OSError) -> str:
    if isinstance(error, OSError):
        return f"{printable(source)}: {error.strerror or error}"
    return str(error.within(source))


def _plain(found: Checked) -> dict[str, Any]:
    return {**asdict(found), "passed": found.passed}


def _lines(found: Checked, digest: bool, everything: bool) -> Iterator[str]:
    counts = [_count(found.count(level), level) for level in LEVELS if found.count(level)]
    size = f"{found.format}, {_count(found.tensors, 'tensor')}, {found.size:,} bytes"
    held = ", as its digest says" if found.has_digest and found.passed else ""
    yield f"{printable(found.path)}: {size}: {', '.join(counts) or 'nothing is wrong'}{held}"
    for level, what, group in kinds(found.findings):
        shown = group if everything else group[:_FEW]
        for each in shown:
            item = f"{printable(each.item)}: " if each.item is not None else ""
            detail = f" ({printable(each.detail)})" if each.detail else ""
            yield f"  {level}: {item}{printable(what)}{detail}"
        if len(shown) < len(group):
            yield f"  {level}: {len(group) - len(shown):,} more tensors: {printable(what)}"
    if digest and found.digest is not None:
        yield f"  {found.digest}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
