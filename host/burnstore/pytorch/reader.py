"""A PyTorch checkpoint as a container: a list of tensors by name, whose bytes stay where they are."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from burnpack.errors import BurnpackError, NotFound, Unsupported
from burnpack.limits import Limits
from burnpack.tensor import Tensor
from burnstore.io.files import MappedFile, PathLike
from burnstore.pytorch import describe, gather, left_out, quantized
from burnstore.pytorch.checkpoint import Program, number
from burnstore.pytorch.containers import load, loading
from burnstore.pytorch.flatten import children, flatten, key_text
from burnstore.pytorch.layout import Entry, check_total, named, place, refusal, too_far, unread
from burnstore.pytorch.modules import module_state
from burnstore.pytorch.objects import Dict, Opaque
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.tensors import IntegerTensor, PieceTensor, UnreadTensor


class PytorchReader:
    """The tensors of a checkpoint by name, in the order in which the checkpoint holds them.

    Opening reads the pickle and checks every tensor against its storage; no tensor's bytes are read.
    Use it as a context manager, or `close` it: tensors' bytes are views of the mapped file.
    A tensor of a kind that is not read, or that is expanded too far, is an `UnreadTensor`.
    expansion: how many bytes of the tensors repeat others of the file.
    """

    format = "pytorch"

    def __init__(self, view: memoryview, source: str | None = None, limits: Limits | None = None) -> None:
        self.source = source
        self._limits = limits or Limits()
        self._file: MappedFile | None = None
        self._closed = False
        self.expansion = 0
        with loading(source):
            self._checkpoint = load(view, self._limits)
            self._entries = self._place_all()

    @classmethod
    def open(cls, path: PathLike, limits: Limits | None = None) -> "PytorchReader":
        """Open a checkpoint file, which is mapped and recognised by its content."""
        file = MappedFile(path)
        try:
            reader = cls(file.view, os.fspath(path), limits)
        except BaseException:
            file.close()
            raise
        reader._file = file
        return reader

    @classmethod
    def from_buffer(
        cls, buffer: bytes | bytearray | memoryview, source: str | None = None, limits: Limits | None = None
    ) -> "PytorchReader":
        """Open a checkpoint in memory: `buffer` is sliced, kept alive and never copied.

        source: what to call it in errors.
        """
        return cls(memoryview(buffer).cast("B"), source, limits)

    def _place_all(self) -> dict[str, Entry]:
        checkpoint, limits = self._checkpoint, self._limits
        walk = flatten(checkpoint.root, limits)
        self._fruitful = walk.fruitful
        if not walk.found and type(checkpoint.root) is Opaque:
            found = describe.describe(checkpoint.root)
            raise Unsupported("holds no tensors in dicts, lists or tuples", found=found)
        entries: dict[str, Entry] = {}
        named = quantized.own_names(walk.found)
        self._names = list(named)
        self._unread: dict[str, BurnpackError] = {}
        self._steps: dict[str, quantized.Steps] = {}
        for name, view in named.items():
            kind = unread(view)
            if kind is not None:
                self._unread[name] = refusal(name, kind).within(self.source)
            elif isinstance(view, TensorView):
                entries[name] = place(name, view, checkpoint.storages, limits, checkpoint.swapped)
            if isinstance(view, quantized.QuantizedView):
                places = checkpoint.storages, limits, checkpoint.swapped
                self._steps[name] = quantized.steps_of(name, view, *places)
        stored = checkpoint.storages.locate_all()
        check_total(sum(entry.nbytes for entry in entries.values()), stored, limits)
        _mark_again(entries.values())
        self._check_expansion(entries)
        return entries

    def _check_expansion(self, entries: dict[str, Entry]) -> None:
        """Put those among the unread that are expanded too far, taken together with those before them."""
        for name, entry in entries.items():
            self.expansion += entry.expansion
            if entry.expansion and self.expansion > self._limits.expansion:
                self._unread[name] = too_far(entry, self._limits).within(self.source)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._entries or name in self._unread

    def __iter__(self) -> Iterator[Tensor]:
        for name in self._names:
            yield self.tensor(name)

    def names(self) -> list[str]:
        """Return the names of all tensors."""
        return list(self._names)

    def tensor(self, name: str) -> Tensor:
        """Return the tensor called `name`; raises `NotFound`."""
        error = self._unread.get(name)
        return self._tensor(self._find(name)) if error is None else UnreadTensor(name, error)

    def span(self, name: str) -> tuple[int, int] | None:
        """Return where the tensor's bytes are: (start, end), from the file's start.

        None where they are not in the file as they are: strided, packed, big-endian, or not read.
        """
        if name in self._unread:
            return None
        entry = self._find(name)
        if entry.record.start is None or not gather.is_slice(entry) or name in self._steps:
            return None
        start = entry.record.start + entry.start
        return start, start + entry.nbytes

    @property
    def version(self) -> int | None:
        """The version of the container, where it states one."""
        return number(dict(self._checkpoint.facts).get("version"))

    @property
    def program(self) -> Program | None:
        """What computes with the tensors; None for files that hold tensors alone."""
        return self._checkpoint.program

    def metadata(self) -> list[tuple[str, str]]:
        """Return facts about the container as (key, text) pairs."""
        return list(self._checkpoint.facts)

    def scalars(self) -> list[tuple[str, tuple[str, Any]]]:
        """Return none: numbers in a checkpoint are not Burn's scalars. `others` describes them."""
        return []

    def others(self) -> list[tuple[str, str]]:
        """Return (name, short description) of what the checkpoint holds besides tensors."""
        found = [(name, quantized.told(self._entries[name])) for name in self._steps]
        return found + describe.others(self._checkpoint.root, self._fruitful)

    def entries(self) -> list[tuple[str, object]]:
        """Return (key, value) of all that the checkpoint's dict, list or module holds; values as pickled."""
        return [(key_text(key) or "", value) for key, value in children(self._checkpoint.root)[1]]

    def module(self, key: str) -> Opaque | None:
        """Return the whole module that the checkpoint is, or has under a key; None where there is none."""
        root = self._checkpoint.root
        found = dict(self.entries()).get(key) if key else root
        return found if type(found) is Opaque and module_state(found) is not None else None

    def is_dict(self) -> bool:
        """Return whether the checkpoint is a dict, and no list, module or tensor."""
        root = self._checkpoint.root
        return type(root) is Dict or (type(root) is Opaque and root.pairs is not None)

    def holds_tensors(self, value: object) -> bool:
        """Return whether a value of the checkpoint is a dict, list or module with tensors somewhere in it."""
        return id(value) in self._fruitful

    def left_out(self) -> list[tuple[str, str]]:
        """Return (path, reason) of what is like a tensor, or changes one, and is not read."""
        unread = [(name, error.what) for name, error in self._unread.items()]
        checkpoint = self._checkpoint
        roots = [("", checkpoint.root), *checkpoint.beside]
        read = [entry.view for entry in self._entries.values()]
        return unread + left_out.left_out(roots, read, self._limits)

    def close(self) -> None:
        """Close the file; the map stays for as long as there are views of it."""
        self._closed = True
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> "PytorchReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def _find(self, name: str) -> Entry:
        entry = self._entries.get(name)
        if entry is None:
            raise NotFound("no tensor of this name", name, source=self.source)
        return entry

    def _dequantized(self, entry: Entry) -> Tensor:
        def data() -> memoryview:
            with self._reading(entry):
                return quantized.numbers_of(entry, self._steps[entry.name])

        def scales() -> Any:
            with self._reading(entry):
                return quantized.scales_of(entry, self._steps[entry.name])

        return IntegerTensor(entry.name, "F32", entry.shape, data, scales=scales)

    def _tensor(self, entry: Entry) -> Tensor:
        if entry.name in self._steps:
            return self._dequantized(entry)

        def data() -> memoryview:
            with self._reading(entry):
                return gather.read(entry)

        def fill(buffer: bytearray | memoryview) -> None:
            with self._reading(entry):
                gather.fill(entry, memoryview(buffer))

        def pieces() -> Iterator[bytes | memoryview]:
            with self._reading(entry):
                yield from gather.pieces(entry)

        filled = None if gather.is_slice(entry) else fill
        return PieceTensor(
            entry.name, entry.dtype, entry.shape, data, None, entry.nbytes, filled, pieces=pieces
        )

    @contextmanager
    def _reading(self, entry: Entry) -> Iterator[None]:
        if self._closed:
            raise BurnpackError("the checkpoint is closed", entry.name, source=self.source)
        try:
            yield
        except BurnpackError as error:
            raise named(error, entry.name).within(self.source) from error


def _mark_again(entries: Iterable[Entry]) -> None:
    """Mark the records that are read more than once, or in another order than theirs."""
    seen: set[int] = set()
    for entry in entries:
        entry.record.again |= id(entry.record) in seen or not gather.is_slice(entry)
        seen.add(id(entry.record))
