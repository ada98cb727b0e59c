"""Bringing a model to a board: planned first, then sent, checked there and put in place."""

from dataclasses import dataclass
from pathlib import Path

from burnpack.errors import Malformed
from burnpack.reader import Reader
from burnstore.boards.link import rom, selftest
from burnstore.boards.link.facts import Facts
from burnstore.boards.link.link import Link, about
from burnstore.boards.link.storage import choose
from burnstore.boards.link.upload import Progress, upload
from burnstore.boards.runtime import contents
from burnstore.io.files import MappedFile
from burnstore.io.sniff import check_burnpack


@dataclass(frozen=True)
class Delivery:
    """A model that is to go to a board: planned, nothing sent yet.

    name: of its file there. path: where that will be. size: bytes that it takes there. why: it goes there.
    has_cases: whether it brings a self-test along. operations: of an integer model, as in `contents`.
    """

    source: Path
    name: str
    storage: str
    path: str
    size: int
    why: str
    has_cases: bool
    operations: frozenset[str] | None


def check_name(source: Path) -> None:
    """Refuse a file whose name is no text, as a board's files have; raises `Malformed`."""
    try:
        source.name.encode()
    except UnicodeEncodeError:
        raise Malformed("a name that is no text", source=str(source)) from None


def plan(facts: Facts, source: Path, to: str | None = None, overwrite: bool = False) -> Delivery:
    """Choose the storage for the .bpk at `source`; raises `BurnpackError` where there is none.

    overwrite: whether other files in the ROM partition may be lost.
    """
    check_name(source)
    with MappedFile(source) as mapped:
        check_burnpack(mapped.view, str(source))
        reader = Reader.from_static(bytes(mapped.view), source=str(source))
        size = len(mapped.view)
        image_size = len(rom.image_of(source.name, mapped.view))
    storage, why = choose(facts, source.name, size, image_size, to, overwrite)
    path = f"/rom/{source.name}" if storage == "rom" else f"/{source.name}"
    sent = image_size if storage == "rom" else size
    has_cases, operations = selftest.has_cases(reader.names()), contents.operations(reader)
    return Delivery(source, source.name, storage, path, sent, why, has_cases, operations)


def deliver(link: Link, facts: Facts, delivery: Delivery, progress: Progress | None = None) -> bool:
    """Send the model and check it on the board; return False when it was there already."""
    data = delivery.source.read_bytes()
    if delivery.storage == "rom":
        with about(delivery.path):
            return rom.write(link, rom.image_of(delivery.name, data), progress)
    return upload(link, delivery.path, data, facts.flash_free, facts.heap_free, progress)
