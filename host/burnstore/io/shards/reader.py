"""The files of a sharded checkpoint as one container."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from burnpack.errors import DuplicateName, LimitExceeded, Malformed, NotFound
from burnpack.limits import Limits
from burnpack.tensor import Tensor
from burnstore.io.container import Container
from burnstore.io.shards.index import ShardIndex


class ShardedReader:
    """The tensors of several files. Where the index places a tensor is where it is read from.

    shards: the readers of the index's files, in the order of `ShardIndex.files`. A tensor in one of
    them that the index does not name is there too. Raises `NotFound` for a tensor that is not in the
    file that the index says.
    """

    def __init__(
        self,
        index: ShardIndex,
        shards: Sequence[Container],
        source: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.source = source
        self.format = _one_format(shards)
        self._index = index
        self._shards = shards
        self._places = self._placed()
        most = (limits or Limits()).tensors
        if len(self._places) > most:
            raise LimitExceeded("too many tensors", expected=f"at most {most}", found=len(self._places))

    def _placed(self) -> dict[str, int]:
        """Return {name of a tensor: number of its shard}."""
        numbers = {file: number for number, file in enumerate(self._index.files())}
        places = {name: numbers[file] for name, file in self._index.places.items()}
        for name, number in places.items():
            if name not in self._shards[number]:
                file = self._index.places[name]
                raise NotFound("not in the file that the index says", name, expected=file)
        self._add_unnamed(places)
        return places

    def _add_unnamed(self, places: dict[str, int]) -> None:
        for number, shard in enumerate(self._shards):
            for name in shard.names():
                if name not in places:
                    places[name] = number
                elif name not in self._index.places:
                    both = f"{_file_of(self._shards[places[name]])} and {_file_of(shard)}"
                    raise DuplicateName("in two files, and the index does not say which", name, found=both)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[Tensor]:
        """Yield the tensors file by file, in the order of their data."""
        for number, shard in enumerate(self._shards):
            for tensor in shard:
                if self._places[tensor.name] == number:
                    yield tensor

    def names(self) -> list[str]:
        """Return the names of all tensors."""
        return list(self._places)

    def tensor(self, name: str) -> Tensor:
        """Return the tensor called `name`; raises `NotFound`."""
        if name not in self._places:
            raise NotFound("no tensor of this name", name, source=self.source)
        return self._shards[self._places[name]].tensor(name)

    def span(self, name: str) -> tuple[int, int] | None:
        """Return None: the bytes are in none of the index's own. Raises `NotFound`."""
        self.tensor(name)
        return None

    def metadata(self) -> list[tuple[str, str]]:
        """Return the files' metadata as (key, text) pairs; where they differ, each with its file's name."""
        found: dict[str, list[tuple[str, str]]] = {}
        for file, shard in zip(self._index.files(), self._shards, strict=True):
            for key, text in shard.metadata():
                found.setdefault(key, []).append((file, text))
        pairs = []
        for key, of_files in found.items():
            if len({text for _, text in of_files}) == 1:
                pairs.append((key, of_files[0][1]))
            else:
                pairs += [(f"{key} ({file})", text) for file, text in of_files]
        return pairs

    def scalars(self) -> list[tuple[str, tuple[str, Any]]]:
        """Return [], as the formats that are sharded have none."""
        return []

    def parts(self) -> list[Container]:
        """Return the containers of the files, in the order of `ShardIndex.files`."""
        return list(self._shards)

    def left_out(self) -> list[tuple[str, str]]:
        """Return (path, reason) of what the files hold that is like a tensor and is not read."""
        found: list[tuple[str, str]] = []
        for shard in self._shards:
            found += getattr(shard, "left_out", list)()
        return found

    def others(self) -> list[tuple[str, str]]:
        """Return what the index says besides."""
        return [("files", str(len(self._shards))), *self._index.metadata]


def _file_of(shard: Container) -> str:
    """Return a shard's file as the index names it, beside which it lies."""
    return Path(shard.source or "").name


def _one_format(shards: Sequence[Container]) -> str:
    formats = sorted({shard.format for shard in shards})
    if len(formats) > 1:
        raise Malformed("files of several formats in one checkpoint", found=" and ".join(formats))
    return formats[0] if formats else "safetensors"
