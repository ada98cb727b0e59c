"""Where in a board's flash a model goes, and why."""

from burnpack.errors import SaveFailed, Unsupported
from burnstore.boards.link.facts import Facts

STORAGES = ("rom", "fs")

_NO_ROM = "this board's firmware has no ROM partition"
_INSTEAD = "--to fs makes a file; `burnstore freeze` puts the model into the firmware, to be read in place"


def choose(
    facts: Facts, name: str, size: int, image_size: int, wanted: str | None = None, overwrite: bool = False
) -> tuple[str, str]:
    """Return the storage, of `STORAGES`, and a line that says why.

    name, size: the model's file. image_size: of a ROM image with the model alone. wanted: what was asked
    for. A ROM partition with files of other names is taken only if it was asked for, and they may be
    overwritten. Raises `Unsupported` or `SaveFailed`
    for a storage that is not there.
    """
    against = _against_rom(facts, name, image_size, overwrite and wanted == "rom")
    if wanted == "rom" and facts.rom_size < 0:
        raise Unsupported(f"{_NO_ROM}: {_INSTEAD}")
    if wanted == "rom" and against is not None:
        raise against
    if wanted == "rom" or (wanted is None and against is None):
        return "rom", "into the ROM partition: the model is read in place, in flash"
    if facts.flash_free < 0:
        raise Unsupported(
            "this board has no file system: `burnstore romfs` puts a model into an image for ROM partitions, "
            "and `burnstore freeze` into the firmware"
        )
    why = f" ({against.what})" if wanted is None and against is not None else ""
    if size > facts.heap_free + facts.heap_used:
        heap = facts.heap_free + facts.heap_used
        why += f"; its {size:,} bytes are more than the board's heap of {heap:,}: it can't be loaded whole"
    return "fs", "into a file: its weights are read onto the heap" + why


def _against_rom(
    facts: Facts, name: str, image_size: int, overwrite: bool
) -> Unsupported | SaveFailed | None:
    """Return why the ROM partition can't be taken, or None."""
    if facts.rom_size < 0:
        return Unsupported(_NO_ROM)
    if image_size > facts.rom_size:
        what = "the ROM partition is too small"
        return SaveFailed(what, expected=f"at least {image_size}", found=facts.rom_size)
    others = sorted(set(facts.rom_files) - {name})
    if others and not overwrite:
        what = (
            "the ROM partition has other files, which would be lost (--to rom --overwrite allows it; "
            "`burnstore romfs` packs all into one image)"
        )
        return SaveFailed(what, found=", ".join(others))
    return None
