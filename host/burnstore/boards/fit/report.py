"""What a model takes on a board, whether that is there, and what would make it fit."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from burnstore.boards.fit.boards import BLOCK_FLASH
from burnstore.boards.fit.memory import FILE, FROZEN, ROM, Place, Runtime
from burnstore.boards.fit.steps import Facts

_FOLDER = 2  # blocks of a new folder for the runtime


@dataclass(frozen=True)
class Capacity:
    """What a board has, in bytes: flash for files and for a ROM partition, the free heap, and its largest
    piece.

    rom: 0 where there is no partition. flash: 0 where there is no file system.
    """

    flash: int
    rom: int
    heap: int
    block: int


@dataclass(frozen=True)
class Way:
    """A place for model and runtime, and what they take there.

    flash: bytes; of files in whole blocks. used: heap that they keep. least: heap, free before the import, in
    which the model runs. piece: the largest piece. fits: whether the board has all that. stock: whether its
    stock firmware has the place. advice: what is missing, and what would help.
    """

    name: str
    title: str
    flash: int
    used: int
    least: int
    piece: int
    fits: bool
    stock: bool
    advice: list[str] = field(default_factory=list)


def ways(facts: Facts, file_size: int, runtime: Runtime, capacity: Capacity) -> list[Way]:
    """Return what each place takes. file_size: of the model's file."""
    return [_way(place, facts, file_size, runtime, capacity) for place in (FILE, ROM, FROZEN)]


def _way(place: Place, facts: Facts, file_size: int, runtime: Runtime, capacity: Capacity) -> Way:
    flash = file_size + runtime.size
    if place is FILE:
        flash = (-(-file_size // BLOCK_FLASH) - (-runtime.size // BLOCK_FLASH) + _FOLDER) * BLOCK_FLASH
    available = {"file": capacity.flash, "rom": capacity.rom}.get(place.name)
    used = place.of_runtime(runtime) + place.of_model(facts)
    least, piece = place.least(facts, runtime), place.piece(facts)
    advice = list(_advice(place, flash, available, least, piece, capacity))
    fits = not advice
    return Way(
        place.name,
        place.title,
        flash,
        used,
        least,
        piece,
        fits,
        available is not None and available > 0,
        advice,
    )


def _advice(
    place: Place, flash: int, available: int | None, least: int, piece: int, capacity: Capacity
) -> Iterator[str]:
    """Yield what is missing and what would help; nothing where the model fits."""
    if available == 0:
        yield {"rom": "stock firmware has no ROM partition", "file": "there is no file system"}[place.name]
    elif available is not None and flash > available:
        yield f"{flash - available:,} bytes of flash are missing"
    if least > capacity.heap:
        yield f"{least - capacity.heap:,} bytes of heap are missing"
    elif piece > capacity.block:
        yield f"the largest piece has {piece:,} bytes, and the heap gives {capacity.block:,} at most"
    else:
        return
    if place is FILE:
        yield "frozen (`burnstore freeze`) or in a ROM partition, weights and code take no heap"
