"""Bringing a model to a board: planned first, then sent, tried there, and only then put in place."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from burnpack.errors import Malformed, SaveFailed
from burnpack.reader import Reader
from burnrt.model import Model
from burnstore.boards.link import rom, selftest, upload
from burnstore.boards.link.facts import Facts
from burnstore.boards.link.link import Link, about
from burnstore.boards.link.running import check_shapes, open_model
from burnstore.boards.link.storage import choose
from burnstore.boards.link.upload import Progress
from burnstore.comparing.digest import check_digest
from burnstore.io.files import MappedFile
from burnstore.io.sniff import check_burnpack
from burnstore.models.given import INPUT, Arrays, cases_in, check_inputs, in_rows
from burnstore.models.program import load_program
from burnstore.models.selftest import tolerance_of
from burnstore.programs.uses import Uses, uses_of

_ENDING = ".bpk"


@dataclass(frozen=True)
class Runnable:
    """A model's file with a program, as boards run it.

    name: of the file. model: its program, on this computer. uses: the kernels that it calls.
    cases: its self-test, whose numbers may be off by `tolerance`.
    """

    name: str
    data: bytes
    model: Model
    uses: Uses
    cases: list[selftest.Case]
    tolerance: float


@dataclass(frozen=True)
class Delivery:
    """A model that is to go to a board: planned, nothing sent yet.

    path: where it will be there. size: bytes that it takes there. why: it goes there.
    other: a file in the ROM partition that has its name, and is found before it.
    """

    runnable: Runnable
    storage: str
    path: str
    size: int
    why: str
    other: str | None

    @property
    def found_as(self) -> str:
        """What `burnrt.Model` takes for it on the board: a name where that finds it, or else the path."""
        name = None if self.other else found_as(self.runnable.name)
        return name or self.path


def opened(source: Path) -> Runnable:
    """Return the model at `source`. Raises `BurnpackError` for what a board could not run.

    A file's digest must hold for these very bytes; of what is sent, the board compares every byte with them.
    """
    _check_name(source)
    with MappedFile(source) as mapped:
        check_burnpack(mapped.view, str(source))
        data = bytes(mapped.view)
    reader = Reader.from_static(data, source=str(source))
    check_digest(reader)
    uses = uses_of(reader)
    model = load_program(data, str(source))
    cases = selftest.cases_of(reader, model)
    return Runnable(source.name, data, model, uses, cases, tolerance_of(reader))


def found_as(name: str) -> str | None:
    """Return the name by which `burnrt.Model` finds a model's file; None where it needs the path."""
    stem = name.removesuffix(_ENDING)
    return None if stem == name or "." in stem else stem


def first_case(runnable: Runnable, paths: Sequence[str]) -> Arrays:
    """Return the first inputs in files, as 32-bit floats. Raises `BurnpackError` if a model takes others."""
    cases = cases_in(paths, INPUT, len(runnable.model.inputs))
    for arrays in cases:
        check_inputs(arrays)
    given = [array.astype("f4") for array in in_rows(cases, 1)[0]]
    check_shapes(runnable.model, given)
    return given


def plan(facts: Facts, runnable: Runnable, to: str | None = None, overwrite: bool = False) -> Delivery:
    """Choose the storage for a model; raises `BurnpackError` where there is none.

    overwrite: whether other files in the ROM partition may be lost.
    """
    name, size = runnable.name, len(runnable.data)
    image_size = len(rom.image_of(name, runnable.data))
    storage, why = choose(facts, name, size, image_size, to, overwrite)
    if storage == "rom":
        return Delivery(runnable, storage, f"/rom/{name}", image_size, why, None)
    other = f"/rom/{name}" if name in facts.rom_files else None
    return Delivery(runnable, storage, facts.path_of(name), size, why, other)


def deliver(
    link: Link, facts: Facts, delivery: Delivery, progress: Progress | None = None
) -> tuple[bool, selftest.Outcome]:
    """Send the model and try it on the board; return whether it had to be sent, and what came of its cases.

    One that fails is not put in place: what was there before is there again, in ROM as well. So it is, too,
    where an error is raised and the board can be reached.
    """
    with (_in_rom if delivery.storage == "rom" else _in_file)(link, facts, delivery, progress) as place:
        open_model(link, place.path)
        runnable = delivery.runnable
        place.outcome = selftest.run(link, place.path, runnable.model, runnable.cases, runnable.tolerance)
    return place.is_new, place.outcome


@dataclass
class _Place:
    """Where a model is tried. is_new: whether it was not there before."""

    path: str
    is_new: bool
    outcome: selftest.Outcome = selftest.FAILED


@contextmanager
def _in_file(link: Link, facts: Facts, delivery: Delivery, progress: Progress | None) -> Iterator[_Place]:
    data, path = delivery.runnable.data, delivery.path
    sent = upload.send(link, path, data, facts.flash_free, facts.heap_free, progress)
    place = _Place(sent, sent != path)
    try:
        yield place
    except SaveFailed:  # whatever else ends the command leaves it, and the next one goes on with it
        with suppress(SaveFailed):
            link.restart()
            _remove(link, place, path)
        raise
    if place.outcome.passed and place.is_new:
        upload.put_in_place(link, path)
    else:
        _remove(link, place, path)


def _remove(link: Link, place: _Place, path: str) -> None:
    if place.is_new:
        upload.remove_new(link, path)


@contextmanager
def _in_rom(link: Link, facts: Facts, delivery: Delivery, progress: Progress | None) -> Iterator[_Place]:
    image = rom.image_of(delivery.runnable.name, delivery.runnable.data)
    with about(delivery.path):
        place = _Place(delivery.path, not rom.holds(link, image))
        old = rom.read(link, facts.rom_size) if place.is_new else image
        try:
            if place.is_new:
                rom.write(link, image, progress)
            yield place
        except BaseException:
            with suppress(SaveFailed):
                _restore(link, place, old)
            raise
        if not place.outcome.passed:
            _restore(link, place, old)


def _restore(link: Link, place: _Place, old: bytes | None) -> None:
    """Bring back what was in the ROM partition, if it is another image."""
    if not place.is_new:
        return
    link.restart()
    if old is None:
        rom.clear(link)
    else:
        rom.write(link, old)


def _check_name(source: Path) -> None:
    """Refuse a file whose name is no text, as a board's files have; raises `Malformed`."""
    try:
        source.name.encode()
    except UnicodeEncodeError:
        raise Malformed("a name that is no text", source=str(source)) from None
