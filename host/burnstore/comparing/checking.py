"""Checking a whole file: every byte of it is read, and what is wrong or unusual is found."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from burnpack.errors import BurnpackError
from burnpack.limits import Limits
from burnpack.tensor import Tensor
from burnstore.comparing.digest import (
    KEY,
    Content,
    changed,
    content_of,
    digest_of_lines,
    parts_of,
    said,
    sha256_of,
    tensor_line,
)
from burnstore.comparing.numbers import Unusual, unusual
from burnstore.comparing.opening import content
from burnstore.comparing.spaces import alignment, between
from burnstore.io.beside import PROGRAM, has_program, is_beside
from burnstore.io.container import Container
from burnstore.io.files import PathLike, Progress
from burnstore.io.opened import OpenedFile

_ALIKE = 64  # bytes: of fewer, such as counters, many are the same by chance

ERROR, WARNING, NOTE = LEVELS = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """Something that is wrong or unusual in a file.

    level: "error" for what makes a file useless, "warning" for what is hardly meant, "note" for what may be.
    what: that it is, in a few words without numbers, so that findings of one kind have one text.
    item: the tensor or key that it is in, or None for the file. detail: numbers and names, or "".
    """

    level: str
    what: str
    item: str | None = None
    detail: str = ""


@dataclass
class Checked:
    """What a check found.

    path, format: the file's. tensors, size: how many tensors it has, and their bytes, all of which were read.
    findings: in the order of the file, those of all of it first. digest: of the content, where all is read.
    has_digest: whether the file says its digest itself, which it was held to.
    """

    path: str
    format: str
    tensors: int
    size: int
    findings: list[Finding] = field(default_factory=list)
    digest: str | None = None
    has_digest: bool = False

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not self.count(ERROR)

    def count(self, level: str) -> int:
        """Return how many findings there are of a level."""
        return sum(each.level == level for each in self.findings)


def check(path: PathLike, limits: Limits | None = None, progress: Progress | None = None) -> Checked:
    """Read every byte of a file, and return what is wrong or unusual in it, as the command `check` does.

    path: the file's, or that of the index of a sharded checkpoint.
    limits: how much is believed of what the file claims: a `Limits`.
    progress: is called with the number of bytes of each piece that is read.

    Raises `BurnpackError` where the file can't be opened, `OSError` for what the operating system refuses.
    """
    with OpenedFile(path, limits) as opened:
        return checked(opened, progress)


def checked(opened: OpenedFile, progress: Progress | None = None) -> Checked:
    """Return what is wrong or unusual in an opened file."""
    reader, whole = opened.reader, content(opened)
    tensors = list(whole.tensors)
    found = Checked(opened.path, reader.format, len(tensors), 0)
    found.findings += [*_of_program(opened), *_left_out(opened, tensors)]
    for part in parts_of(reader):
        if part.format in ("burnpack", "safetensors"):
            view = opened.views()[opened.paths().index(part.source or opened.path)]
            found.findings += [Finding(*each) for each in between(part, view)]
    found.findings += [Finding(*each) for each in alignment(reader)]
    found.findings += list(_same_ids(tensors))
    hashes = _read(found, tensors, opened, progress)
    found.findings += list(_same_bytes(reader, tensors, hashes))
    if len(hashes) == len(tensors):
        _hold_to_digest(found, reader, whole, tensors, hashes)
    return found


def _read(
    found: Checked, tensors: list[Tensor], opened: OpenedFile, progress: Progress | None
) -> dict[str, tuple[str, bool]]:
    """Read all tensors; return {name: (SHA-256, whether all numbers are one)} of those that can be read."""
    hashes = {}
    for tensor in tensors:
        try:
            held = _held(tensor)
            hashed = sha256_of(held, progress)
            seen = unusual(held)
            del held
        except BurnpackError as error:
            found.findings.append(Finding(ERROR, "can't be read", tensor.name, _why(error)))
            continue
        found.size += tensor.nbytes
        hashes[tensor.name] = (hashed, seen.is_constant)
        found.findings += [] if is_beside(tensor.name) else _of_numbers(tensor.name, seen)
        opened.check_whole()
        opened.forget()
    return hashes


def _held(tensor: Tensor) -> Tensor:
    """Return the tensor with its bytes fetched: what has to be put together is so once."""
    fetched = tensor.data()
    return Tensor(tensor.name, tensor.dtype, tensor.shape, fetched, tensor.param_id, tensor.nbytes)


def _of_numbers(name: str, seen: Unusual) -> Iterator[Finding]:
    """Yield what is unusual in a tensor's numbers."""
    for level, what, count in (
        (WARNING, "NaN", seen.nans),
        (WARNING, "infinite", seen.infinities),
        (WARNING, "Bools that are neither 0 nor 1", seen.not_bools),
        (NOTE, "denormal numbers, which some processors take as 0", seen.denormals),
    ):
        if count:
            yield Finding(level, what, name, f"{count:,}")
    if seen.rows and seen.zero_rows == seen.rows:
        yield Finding(WARNING, "all zeros", name)
        return
    for what, count, of in (
        ("rows", seen.zero_rows, seen.rows),
        ("columns", seen.zero_columns, seen.columns),
    ):
        if count:
            yield Finding(WARNING, f"dead channels: {what} of zeros", name, f"{count:,} of {of:,}")


def _of_program(opened: OpenedFile) -> Iterator[Finding]:
    """Yield why a file's program can't be run, where it can't."""
    if not has_program(opened.reader):
        return
    from burnstore.models.program import load_program  # and with it the runtime

    try:
        load_program(opened.view, opened.path)
    except BurnpackError as error:
        yield Finding(ERROR, "the program is refused", PROGRAM, _why(error))


def _left_out(opened: OpenedFile, tensors: Iterable[Tensor]) -> Iterator[Finding]:
    """Yield what is like a tensor and is none; tensors that can't be read are errors, when they are read."""
    names = {tensor.name for tensor in tensors}
    for name, why in opened.left_out():
        if name not in names:
            yield Finding(WARNING, "not read", name, why)


def _same_ids(tensors: Iterable[Tensor]) -> Iterator[Finding]:
    """Yield the identities that several tensors have."""
    names: dict[int, list[str]] = {}
    for tensor in tensors:
        if getattr(tensor, "error", None) is None and tensor.param_id is not None:
            names.setdefault(tensor.param_id, []).append(tensor.name)
    for number, several in names.items():
        if len(several) > 1:
            yield Finding(WARNING, "the same param_id", several[0], f"{number}, of {_and_others(several)}")


def _same_bytes(
    reader: Container, tensors: Iterable[Tensor], hashes: dict[str, tuple[str, bool]]
) -> Iterator[Finding]:
    """Yield tensors that are tied, or whose bytes are there twice; those of one number alone are not told."""
    groups: dict[Any, list[Tensor]] = {}
    for tensor in tensors:
        hashed, is_constant = hashes.get(tensor.name, ("", True))
        if not is_constant and tensor.nbytes >= _ALIKE and not is_beside(tensor.name):
            groups.setdefault((hashed, tensor.dtype, tensor.shape), []).append(tensor)
    for group in groups.values():
        if len(group) > 1:
            first, names = group[0], [tensor.name for tensor in group]
            places = {reader.span(name) if name in reader else None for name in names}
            if len(places) == 1 and None not in places:
                yield Finding(NOTE, "tied: they share their bytes", first.name, _and_others(names))
            else:
                more = first.nbytes * (len(group) - 1)
                what = "duplicates, or weights that were tied"
                yield Finding(NOTE, what, first.name, f"{_and_others(names)}; {more:,} bytes more than once")


def _hold_to_digest(
    found: Checked,
    reader: Container,
    whole: Content,
    tensors: list[Tensor],
    hashes: dict[str, tuple[str, bool]],
) -> None:
    """Find the digest, and hold the file to that which it has."""
    lines = {tensor.name: tensor_line(tensor, hashes[tensor.name][0]) for tensor in tensors}
    found.digest = digest_of_lines(list(lines.values()), whole)
    for part in parts_of(reader):
        wanted = said(part.metadata())
        if wanted is None or part.format == "pytorch":
            continue
        found.has_digest = True
        own = content_of(part)
        of_part = digest_of_lines([lines[tensor.name] for tensor in own.tensors], own)
        if of_part != wanted:
            error = changed(wanted, of_part)
            found.findings.insert(0, Finding(ERROR, error.what, KEY, f"expected {wanted}, found {of_part}"))


def kinds(findings: Iterable[Finding]) -> list[tuple[str, str, list[Finding]]]:
    """Return findings by (level, what), the worst first."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.level, finding.what), []).append(finding)
    ordered = sorted(groups.items(), key=lambda pair: LEVELS.index(pair[0][0]))
    return [(level, what, group) for (level, what), group in ordered]


def _and_others(names: list[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4:,} more" if len(names) > 4 else "")


def _why(error: BurnpackError) -> str:
    """Return what is wrong, without the file, which is known."""
    return str(error.about(None, None))
