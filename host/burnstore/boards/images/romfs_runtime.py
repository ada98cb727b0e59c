"""The one runtime of all models in a ROMFS image, as a file of the image."""

from collections.abc import Iterator

from burnpack.errors import BurnpackError, DuplicateName, NotFound
from burnpack.reader import Reader
from burnstore.boards.images.romfs_source import ALIGNMENT
from burnstore.boards.images.romfs_writer import File, Folder
from burnstore.boards.runtime.bundle import NAME, Bundle, bundle
from burnstore.models.program import uses_of_runnable
from burnstore.programs.uses import Uses

_LIBRARY = "lib"  # MicroPython looks into /rom/lib
_SUFFIX = ".bpk"


def add_runtime(top: Folder, architecture: str | None) -> Bundle:
    """Put the runtime of all models in an image into its folder lib; return it.

    Raises `BurnpackError` where a model has no program, there is no model, or something else of that name.
    """
    models = [(path, file) for path, file in _files(top, "") if path.endswith(_SUFFIX)]
    if not models:
        raise NotFound(f"no model that a runtime could be for: no {_SUFFIX} in the image")
    for folder in (top, *_libraries(top)):
        for member in folder.members:
            if member.name.partition(".")[0] == NAME:
                raise DuplicateName("a runtime is there already", f"{folder.name}/{member.name}".lstrip("/"))
    made = bundle([_uses(path, file) for path, file in models], architecture)
    library = next(_libraries(top), None) or Folder(_LIBRARY)
    if library not in top.members:
        top.members.append(library)
    library.members.append(File(f"{NAME}.mpy", made.compiled(), ALIGNMENT))
    return made


def _uses(path: str, file: File) -> Uses:
    try:
        data = memoryview(file.data)
        return uses_of_runnable(Reader.from_static(data, source=path), data)
    except BurnpackError as error:
        raise error.within(path) from None


def _libraries(top: Folder) -> Iterator[Folder]:
    yield from (each for each in top.members if isinstance(each, Folder) and each.name == _LIBRARY)


def _files(folder: Folder, above: str) -> Iterator[tuple[str, File]]:
    for member in folder.members:
        if isinstance(member, Folder):
            yield from _files(member, f"{above}{member.name}/")
        else:
            yield above + member.name, member
