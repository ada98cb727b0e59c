"""What every container of a checkpoint holds."""

from collections.abc import Sequence
from typing import Any, Protocol

from burnstore.pytorch.storage import Storages

DIGITS = 10  # of a number that a container states


class Program(Protocol):
    """What computes with a checkpoint's tensors, see `exported.opening`.

    is_export: whether the file was written for that, as no file of weights is.
    """

    is_export: bool

    def graph(self, shapes: Any, extents: Any) -> Any:
        """Return the graph."""
        ...

    def sample_inputs(self, graph: Any) -> Any:
        """Return the inputs that it was made with, as arrays, or None."""
        ...


class Checkpoint:
    """A checkpoint's object and storages.

    root: the object, made of stand-ins.
    storages: those of its tensors.
    swapped: whether the storages are big-endian.
    facts: (key, text) pairs about the container.
    beside: (path, value) of what the container holds beside the object's tensors, and is not read.
    program: what computes with the tensors, where the container has that.
    """

    def __init__(
        self,
        root: object,
        storages: Storages,
        swapped: bool,
        facts: list[tuple[str, str]],
        beside: Sequence[tuple[str, object]] = (),
    ) -> None:
        self.root = root
        self.storages = storages
        self.swapped = swapped
        self.facts = facts
        self.beside = beside
        self.program: Program | None = None


def facts(container: str, order: str, protocol: int) -> list[tuple[str, str]]:
    """Return what is known of every container."""
    return [
        ("format", "pytorch"),
        ("container", container),
        ("byteorder", order),
        ("pickle_protocol", str(protocol)),
    ]


def number(text: str | None) -> int | None:
    """Return the number that a fact states, or None."""
    return int(text) if text is not None and len(text) < DIGITS and text.isdecimal() else None
