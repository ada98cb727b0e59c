"""What every opened checkpoint offers, whatever its format."""

from collections.abc import Iterator
from typing import Any, Protocol

from burnpack.tensor import Tensor


class Container(Protocol):
    """What every opened checkpoint offers, whatever its format, as `burnpack.container.Container` does.

    `span` is None for a tensor whose bytes do not lie in the one file as they are.
    """

    format: str
    source: str | None

    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def names(self) -> list[str]:
        """Return the names of all tensors."""
        ...

    def tensor(self, name: str) -> Tensor:
        """Return the tensor called `name`. Raises `NotFound`."""
        ...

    def span(self, name: str) -> tuple[int, int] | None:
        """Return where a tensor's bytes are: (start, end), from the file's start, or None."""
        ...

    def metadata(self) -> list[tuple[str, str]]:
        """Return the file's metadata as (key, value) texts."""
        ...

    def scalars(self) -> list[tuple[str, tuple[str, Any]]]:
        """Return the file's scalars as (name, (kind, value)); only a Burnpack has any."""
        ...
