"""The runtime on a board: whether what is there has the kernels of a model, and bringing one that has.

It is one module, `burnrt`, with the loader and the kernels of all models that it was brought for. An import
finds the first of its name along sys.path, a folder before a file; so what would come before it is removed
where it is an older one in the folder for modules, and else the user is told how to remove it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from burnpack.errors import LoadFailed, SaveFailed, Unsupported
from burnstore.boards.link.facts import Facts
from burnstore.boards.link.link import Link
from burnstore.boards.link.upload import Progress, upload
from burnstore.boards.runtime import kernel_sets
from burnstore.boards.runtime.bundle import NAME, Bundle, bundle
from burnstore.boards.runtime.cross import MPY_VERSION
from burnstore.programs.uses import OF_ENDS, Uses

# What an import of the name may find in a folder, in this order.
_FORMS = (NAME, f"{NAME}.py", f"{NAME}.mpy")

# Says which files sys.path has of the name, whether the folder for modules is there, and of an import: why it
# fails, from which file it is, the kernels of a runtime in one module, and which of some kernels it lacks.
_LOOK = """\
import sys, os
def there(path):
    try:
        return os.stat(path)[0] >> 14 & 3
    except OSError:
        return 0
files = []
for folder in sys.path:
    for name in %(forms)r:
        path = (folder or os.getcwd()).rstrip("/") + "/" + name
        if folder != ".frozen" and there(path):
            files.append(path)
wrong, file, kernels, lacking = "", "", {}, %(names)r
try:
    import burnrt
    file = getattr(burnrt, "__file__", "")
    kernels = getattr(burnrt, "KERNELS", {})
    if kernels:
        lacking = [name for name in lacking if name not in kernels]
    else:
        import burnrt.kernels.named as named
        for name in lacking[:]:
            try:
                getattr(named, name.upper()) if name in %(of_ends)r else named.find(name)
                lacking.remove(name)
            except (AttributeError, ImportError):
                pass
except MemoryError:
    raise
except Exception as e:
    wrong = "%%s: %%s" %% (type(e).__name__, e)
steps = [name for name in kernels if kernels[name][1]]
ends = [name for name in kernels if not kernels[name][1]]
print((files, there(%(library)r) == 1, wrong, file, steps, ends, lacking))
"""
_FORM = ([str], bool, str, str, [str], [str], [str])

_REMOVE = """\
def remove(path):
    try:
        for name in os.listdir(path):
            remove(path + "/" + name)
        os.rmdir(path)
    except OSError:
        os.remove(path)
remove(%r)
"""


@dataclass(frozen=True)
class Found:
    """What a board has of the runtime.

    files: that have its name, in the order in which an import tries them. has_library: whether the folder for
    modules is there. wrong: why the import fails, or "". file: what it was imported from, None where that is
    the firmware. uses: what a runtime in one module is for. lacking: kernels of a model that it lacks.
    """

    files: list[str]
    has_library: bool
    wrong: str
    file: str | None
    uses: Uses
    lacking: list[str]

    @property
    def is_absent(self) -> bool:
        """Whether there is none at all."""
        return f"'{NAME}'" in self.wrong and not self.files

    @property
    def is_whole(self) -> bool:
        """Whether it runs the model."""
        return not self.wrong and not self.lacking

    @property
    def is_kept(self) -> bool:
        """Whether it runs the model and is not ours to bring: in the firmware, in ROM, or of many files."""
        return self.is_whole and (self.file is None or self.file.startswith("/rom/") or not any(self.uses))


@dataclass(frozen=True)
class Brought:
    """A runtime that a board has now.

    path: None of the firmware's. size: of the file that was brought, or 0. removed: what came before it.
    """

    path: str | None
    size: int
    kernels: list[str]
    was_sent: bool
    removed: list[str]


def look(link: Link, facts: Facts, uses: Uses) -> Found:
    """Return what the board has. uses: what the model does."""
    names = sorted({*uses.steps, *uses.ends})
    asked = {"forms": _FORMS, "names": names, "of_ends": sorted(OF_ENDS), "library": facts.library}
    files, has_library, wrong, file, steps, ends, lacking = link.ask(_LOOK % asked, _FORM)
    path = re.sub(r"/__init__\.m?py$", "", file if file.startswith("/") else facts.path_of(file))
    is_there = path in files and not wrong
    return Found(
        files, has_library, wrong, path if is_there else None, Uses(tuple(steps), tuple(ends)), lacking
    )


def check(found: Found, source: str) -> None:
    """Refuse a board whose runtime does not run the model; raises `LoadFailed`. source: the board's name."""
    if found.is_absent:
        raise LoadFailed("the board has no runtime: --runtime brings it", NAME, source=source)
    if found.wrong:
        what = f"the board's runtime can't be used, {found.wrong}: --runtime brings one for it"
        raise LoadFailed(what, NAME, source=source, found=", ".join(found.files) or "in the firmware")
    if found.lacking:
        what = "the board's runtime lacks kernels of this model: --runtime brings one that has them, too"
        raise LoadFailed(what, NAME, source=source, found=", ".join(found.lacking))


def bring(link: Link, facts: Facts, found: Found, uses: Uses, progress: Progress | None = None) -> Brought:
    """Bring a runtime for what a model does, and what the board's was for; return what was done.

    Raises `BurnpackError`, and then an older runtime is still there.
    """
    if found.is_kept:
        return Brought(found.file, 0, [], False, [])
    if facts.flash_free < 0:
        what = (
            "this board has no file system for the runtime: `burnstore romfs` puts it into a ROM image, and "
            "`burnstore freeze` into the firmware"
        )
        raise Unsupported(what, source=link.port)
    made = _bundle([uses, _kept(found, facts)], facts)
    name = f"{NAME}.mpy" if facts.mpy_version else f"{NAME}.py"
    data = made.compiled() if facts.mpy_version else made.source.encode()
    path = _place(found, facts, name)
    before = _before(link, found, facts, path)
    was_sent = upload(link, path, data, facts.flash_free, facts.heap_free, progress)
    for each in before:
        link.run("import os\n" + _REMOVE % each)
    link.restart()
    return Brought(path, len(data), list(made.kernels), was_sent, before)


def _kept(found: Found, facts: Facts) -> Uses:
    """Return what the board's runtime is for, which other models there may need, as far as known here."""
    known = {f"int8.{name}" for name in kernel_sets.int8_homes(facts.architecture)}
    known |= OF_ENDS | set(kernel_sets.float_homes(facts.architecture, facts.has_ulab))
    return Uses(*(tuple(name for name in names if name in known) for names in found.uses))


def _bundle(uses: Iterable[Uses], facts: Facts) -> Bundle:
    if facts.mpy_version not in (0, MPY_VERSION):
        what = "the board loads compiled files of another version: update its firmware, or freeze the runtime"
        raise Unsupported(what, expected=MPY_VERSION, found=facts.mpy_version)
    return bundle(uses, facts.architecture, facts.has_ulab)


def _place(found: Found, facts: Facts, name: str) -> str:
    """Return the path of the runtime.

    It lies in the folder for modules if there is one, and else beside the user's files, as a folder takes
    8 KB of flash. There it lies, too, if it must come before what the firmware has.
    """
    home, library = facts.path_of(name), f"{facts.library}/{name}"
    is_frozen = found.file is None and not found.is_absent and not (found.wrong and found.files)
    return home if home in found.files or is_frozen or not found.has_library else library


def _before(link: Link, found: Found, facts: Facts, path: str) -> list[str]:
    """Return the files to remove so that an import finds `path`; refuse where one is not ours to remove."""
    order = [*map(facts.path_of, _FORMS), *(f"{facts.library}/{form}" for form in _FORMS)]
    before = [file for file in found.files if file in order and order.index(file) < order.index(path)]
    for file in before:
        if not file.startswith(facts.library + "/"):
            words = f"mpremote rm -r :{file}" if file.endswith(f"/{NAME}") else f"mpremote rm :{file}"
            what = f"it would be imported instead of the runtime: remove it with `{words}` and deploy again"
            raise SaveFailed(what, file, source=link.port)
    return before
