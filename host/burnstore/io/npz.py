"""Arrays in .npz files: a zip of .npy files. What packed ones expand to is limited."""

from typing import Any

from numpy.typing import NDArray

from burnpack.errors import LimitExceeded
from burnpack.limits import Limits
from burnstore.io.npy import parse_npy
from burnstore.pytorch.archive import ZipArchive

EXPANDED_MOST = 1 << 28  # bytes of all packed arrays that are asked for together
_ENDING = ".npy"


class NpzFile:
    """A .npz over `view`, which is sliced. source: what errors call it."""

    def __init__(self, view: memoryview, source: str) -> None:
        self._archive = ZipArchive(view, Limits())
        self._source = source

    def names(self) -> list[str]:
        """Return the names of the arrays; none of another zip."""
        return [name[: -len(_ENDING)] for name in self._archive.names() if name.endswith(_ENDING)]

    def arrays(self, names: list[str]) -> list[NDArray[Any]]:
        """Return the arrays of these names; one that is stored is a view. Raises `BurnpackError`."""
        records = [self._archive.record(name + _ENDING) for name in names]
        size = sum(record.size for record in records if record.start is None)
        if size > EXPANDED_MOST:
            what = "packed arrays that expand to too much (numpy.savez stores them as they are)"
            raise LimitExceeded(
                what, source=self._source, expected=f"at most {EXPANDED_MOST} bytes", found=size
            )
        for record in records:
            self._archive.check_sum(record)
        pairs = zip(names, records, strict=True)
        return [parse_npy(record.view(), self._source, name) for name, record in pairs]
