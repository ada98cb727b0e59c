"""Finding a model's bytes on the board, by name: in the firmware, in ROMFS, or in a file.

found = blob.find("digits")
model.load_from(found.store())
print(found.storage, found.in_flash, found.alignment)
"""

import os
import sys

if False:  # for type checkers
    from types import ModuleType
    from typing import Any

    from burnpack.container import Container
    from burnpack.limits import Limits
    from burnpack.loading_store import LoadingStore
    from burnpack.types import Buffer, Writable
    from burnrt.types import Closable


try:
    from uctypes import addressof
except ImportError:  # CPython, where nobody asks for an address
    addressof = None

from burnpack.container import Stream
from burnpack.errors import InvalidTensor, NotFound
from burnpack.reader import Reader

ALIGNED = 16  # bytes: what a vector of four numbers wants, and what the heap gives
ALIGNMENT_MOST = 256  # bytes, as tensors lie in a Burnpack

_ROM = "/rom/"
_SUFFIXES = (".bpk", ".safetensors", "")
_MAGIC = b"NRUB"


def find(name: str, rom: str = _ROM, folder: str = "") -> "Blob":
    """Return the `Blob` called `name`: of a module that has it as DATA, else in ROMFS, else in a file.

    name: a module's name, which is imported, or a file's without its suffix, .bpk or .safetensors.
    rom, folder: where ROMFS is mounted, and where other files are; both end with "/".

    Raises `NotFound`. Who finds a file closes it: `Blob.close`.
    """
    found = _in_module(name) or _in_folder(rom, name) or _in_folder(folder, name)
    if found is None:
        raise NotFound("no module with DATA, and no file in %s or %s" % (rom, folder or "."), name)
    return found


class Blob:
    """A model's bytes.

    name: of the Python module, or the path of the file.
    storage: where they are: "module", "rom" or "file".
    size: bytes.
    view: a memoryview of them, or None for a file, which is read one tensor at a time.
    in_flash: whether the bytes are used where they lie in flash, and take no heap.
    alignment: the largest power of two, up to 256, that the view's address is a multiple of; 1 where the
        interpreter tells no addresses. Tensors begin on multiples of 256 within a Burnpack, so theirs is
        the same. None for a file: each tensor gets a buffer of its own on the heap.
    """

    name: str
    storage: str
    size: int
    view: memoryview | None
    in_flash: bool
    alignment: int | None

    def __init__(
        self,
        name: str,
        storage: str,
        view: memoryview | None,
        in_flash: bool = False,
        file: "Closable | None" = None,
    ) -> None:
        self.name = name
        self.storage = storage
        self.view = view
        # What has no view has a file.
        self.size = file.seek(0, 2) if view is None else len(view)  # type: ignore[union-attr]
        self.in_flash = in_flash
        self.alignment = None if view is None else alignment_of(view)
        self._file: "Any" = file

    def is_aligned(self) -> bool:
        """Return whether every number lies where all processors read it in one go."""
        return self.alignment is None or self.alignment >= ALIGNED

    def reader(self, limits: "Limits | None" = None) -> "Container":
        """Return a reader of the container, Burnpack or SafeTensors. A file stays open while it is used."""
        if self.view is not None:
            return _reader_class(bytes(self.view[:4])).from_static(self.view, limits, self.name)
        self._file.seek(0)
        return _reader_class(self._file.read(4)).from_stream(self._file, limits, self.name)

    def store(self, limits: "Limits | None" = None) -> "LoadingStore":
        """Return a store that loads modules, with the options of all stores.

        From memory, parameters are views. From a file, each is read into one buffer of its size, made once.
        """
        from burnpack.loading_store import ReaderStore  # a quantized model is not loaded so, and does not pay

        return ReaderStore(self.reader(limits))

    def into(self, buffer: "Writable") -> "Blob":
        """Return the blob with all its bytes in the caller's `buffer`, of `size` bytes.

        For a heap that will be in pieces: make the buffer early, read later. Raises `InvalidTensor` for
        another size.
        """
        if len(buffer) != self.size:
            raise InvalidTensor("wrong size of the buffer", self.name, expected=self.size, found=len(buffer))
        if self.view is not None:
            buffer[:] = self.view
        else:
            Stream(self._file, self.name).fill(0, buffer)
        return Blob(self.name, self.storage, memoryview(buffer))

    def close(self) -> None:
        """Close the file, if there is one. What was loaded stays."""
        if self._file is not None:
            self._file.close()


def alignment_of(view: "Buffer") -> int:
    """Return the largest power of two, up to 256, that the address of `view` is a multiple of."""
    if addressof is None or not len(view):
        return 1
    address: int = addressof(view) | ALIGNMENT_MOST
    return address & -address


def _in_module(name: str) -> "Blob | None":
    if not name or "/" in name or "." in name:  # a path: not to be taken for a module's
        return None
    known = name in sys.modules
    try:
        module = __import__(name)
    except ImportError:
        return None
    data = getattr(module, "DATA", None)
    if isinstance(data, bytes):
        return Blob(name, "module", memoryview(data), _stays_in_flash(module))
    if not known:  # another module of this name: it is not ours to keep
        sys.modules.pop(name, None)
    return None


def _stays_in_flash(module: "ModuleType") -> bool:
    """Return whether the module is part of the firmware, or an .mpy in ROMFS: both are used in place."""
    path: str | None = getattr(module, "__file__", None)
    if path is None:  # written in C
        return True
    if path.startswith(_ROM):
        return path.endswith(".mpy")
    return not _exists(path)  # a frozen module names a file that the board does not have


def _exists(path: str) -> bool:
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def _in_folder(folder: str, name: str) -> "Blob | None":
    for suffix in _SUFFIXES:
        path = folder + name + suffix
        try:
            file = open(path, "rb")
        except OSError:
            continue
        view = _mapped(file)
        if view is None:
            return Blob(path, "file", None, False, file)
        file.close()
        return Blob(path, "rom", view, True)
    return None


def _mapped(file: "Any") -> memoryview | None:
    """Return a view of a file in ROMFS, which is memory; None for a file of any other kind."""
    try:
        return memoryview(file)
    except TypeError:
        return None


def _reader_class(magic: bytes) -> "type[Container]":
    if magic == _MAGIC:
        return Reader
    from burnpack.safetensors import Reader as SafetensorsReader  # few boards have such files

    return SafetensorsReader
