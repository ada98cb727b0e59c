"""Two files compared: what is the same, and what is not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from burnpack.errors import BurnpackError
from burnpack.hints import LAYOUT
from burnpack.limits import Limits
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnstore.comparing.apart import Apart, apart
from burnstore.comparing.digest import OF_CONTAINER
from burnstore.comparing.pairing import COUNTER, RENAMED, Pair, paired, sides
from burnstore.io.beside import STEPS_KEY, VERSION_KEY
from burnstore.io.facts import dtype_name, number
from burnstore.io.files import PathLike, Progress
from burnstore.io.opened import OpenedFile
from burnstore.pipeline.options import Options


@dataclass(frozen=True)
class Compared:
    """Two tensors, compared.

    name, other: what they are called in each file. how: "", "as Burn names it" or "renamed".
    dtypes, shapes: of both. transposed: whether one is the other's matrix, turned.
    apart: how far their numbers are apart; None where the shapes differ, and where one can't be read.
    error: why it can't, or None.
    """

    name: str
    other: str
    how: str
    dtypes: tuple[Any, Any]
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    transposed: bool = False
    apart: Apart | None = None
    error: str | None = None

    def differs(self, tolerance: float | None) -> bool:
        """Return whether they do. With a tolerance, a dtype is no difference."""
        has_other_dtype = self.dtypes[0] != self.dtypes[1] and tolerance is None
        return self.apart is None or self.apart.differing > 0 or has_other_dtype or self.how == RENAMED


@dataclass
class Difference:
    """What a comparison of two files found.

    paths, formats: of both files.
    tolerance: what was allowed.
    compared: the pairs of tensors, in the first file's order.
    only: the tensors that each file has alone.
    texts: those of metadata and scalars that differ: (key, text in the first or None, in the second or None).
    notes: what is no difference, and worth a word.
    """

    paths: tuple[str, str]
    formats: tuple[str, str]
    tolerance: float | None
    compared: list[Compared] = field(default_factory=list)
    only: tuple[list[Tensor], list[Tensor]] = ((), ())  # type: ignore[assignment]
    texts: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def differing(self) -> list[Compared]:
        """The pairs that differ."""
        return [each for each in self.compared if each.differs(self.tolerance)]

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not (self.differing or any(self.only) or self.texts)


def diff(
    first: PathLike,
    second: PathLike,
    module: "Module | type | str | None" = None,
    tolerance: float | None = None,
    top_level_key: str | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Difference:
    """Compare two files of any formats: names, dtypes, shapes, numbers and metadata.

    first, second: their paths.
    module: whose parameters are compared, in one layout: a `Module` or its class, or "FILE:CLASS".
    tolerance: how far a number may be off, as a part of the larger one, or of 1 where that is less. With one,
        tensors of different dtypes are compared by their numbers alone.
    top_level_key: where the weights are in a PyTorch checkpoint's dict.
    limits: how much is believed of what the files claim: a `Limits`.
    progress: is called with the number of bytes of each pair that was compared.

    Between files of two formats, what one of them has no place for is a note and no difference. Quantized
    tensors are compared as the numbers that they stand for.

    Raises `BurnpackError` for what is in a file, `OSError` for what the operating system refuses.
    """
    from burnstore.models.model import module_of

    model = None if module is None else module_of(module)
    with OpenedFile(first, limits) as one, OpenedFile(second, limits) as other:
        return difference(one, other, model, tolerance, top_level_key, progress)


def difference(
    first: OpenedFile,
    second: OpenedFile,
    module: Module | None = None,
    tolerance: float | None = None,
    top_level_key: str | None = None,
    progress: Progress | None = None,
) -> Difference:
    """Compare two opened files: see `diff`."""
    files = (first, second)
    options = [_options(opened, module, top_level_key) for opened in files]
    ours, theirs = sides(first, second, module, options)
    found = Difference((first.path, second.path), (first.reader.format, second.reader.format), tolerance)
    is_one_format = found.formats[0] == found.formats[1]
    tensors = [side.tensors + (side.beside if is_one_format else []) for side in (ours, theirs)]
    pairs, *rests = paired(*tensors)
    found.only = (_counted(found, rests[0], theirs.tensors), _counted(found, rests[1], ours.tensors))
    for pair in pairs:
        found.compared.append(_compared(pair, tolerance))
        if progress is not None:
            progress(pair.first.nbytes + pair.second.nbytes)
        for opened in files:
            opened.check_whole()
            opened.forget()
    if not is_one_format:
        found.notes += _beside(found, (ours.beside, theirs.beside))
    _compare_texts(found, files, is_one_format and module is None)
    for path, side in zip(found.paths, (ours, theirs), strict=True):
        found.notes += [f"{path}: {note}" for note in side.notes]
    return found


def _options(opened: OpenedFile, module: Module | None, top_level_key: str | None) -> Options:
    """Return how a file is read: only a PyTorch checkpoint has keys."""
    key = top_level_key if opened.reader.format == "pytorch" else None
    return Options(top_level_key=key, allow_partial=module is not None)


def _counted(found: Difference, rest: list[Tensor], others: list[Tensor]) -> list[Tensor]:
    """Return the tensors that only one file has, without what the other format has none of."""
    counters = [tensor for tensor in rest if tensor.name.rpartition(".")[2] == COUNTER]
    is_of_both = found.formats[0] == found.formats[1] or "burnpack" not in found.formats
    if not counters or is_of_both or any(tensor.name.rpartition(".")[2] == COUNTER for tensor in others):
        return rest
    found.notes.append(f"Burn's norms have no {COUNTER}: {len(counters)} left out")
    return [tensor for tensor in rest if tensor not in counters]


def _beside(found: Difference, beside: tuple[list[Tensor], list[Tensor]]) -> Iterator[str]:
    """Yield what a file has beside its parameters, and a file of the other format can't have."""
    for path, tensors in zip(found.paths, beside, strict=True):
        if tensors:
            what = "a program" if len(tensors) == 1 else "a program and a self-test"
            yield f"{path}: {what}, which the other format has not, is not compared"


def _compared(pair: Pair, tolerance: float | None) -> Compared:
    first, second = pair.first, pair.second
    try:
        facts = (
            first.name,
            second.name,
            pair.how,
            (dtype_name(first.dtype), dtype_name(second.dtype)),
            (first.shape, second.shape),
        )
        turned = first.shape[::-1]
        if first.shape != second.shape and (len(turned) != 2 or second.shape != turned):
            return Compared(*facts)
        if first.shape != second.shape:
            return Compared(*facts, transposed=True, apart=apart(first, second, tolerance, True))
        straight = apart(first, second, tolerance)
        if straight.differing and len(turned) == 2 and first.shape == turned:
            other = apart(first, second, tolerance, True)
            if not other.differing:
                return Compared(*facts, transposed=True, apart=other)
        return Compared(*facts, apart=straight)
    except BurnpackError as error:
        return Compared(
            first.name, second.name, pair.how, (None, None), ((), ()), error=str(error.about(None, None))
        )


def _compare_texts(found: Difference, files: Iterable[OpenedFile], counts: bool) -> None:
    """Compare metadata and scalars; between two formats a difference is a note."""
    if "pytorch" in found.formats:
        return  # whose metadata are facts of its container
    left_out = {*OF_CONTAINER, *(() if counts else (LAYOUT, STEPS_KEY, VERSION_KEY))}
    ours, theirs = (dict(_texts(opened, left_out, counts)) for opened in files)
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        if ours.get(key) != theirs.get(key):
            if counts:
                found.texts.append((key, ours.get(key), theirs.get(key)))
            else:
                found.notes.append(f"the metadata differ: {key}")


def _texts(opened: OpenedFile, left_out: set[str], with_scalars: bool) -> Iterator[tuple[str, str]]:
    for key, text in opened.reader.metadata():
        if key not in left_out:
            yield key, text
    for name, (kind, value) in opened.reader.scalars() if with_scalars else ():
        yield name, f"{kind} {number(value)}"
