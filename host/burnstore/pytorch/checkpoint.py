"""What every container of a checkpoint holds."""

from burnstore.pytorch.storage import Storages


class Checkpoint:
    """A checkpoint's object and storages.

    root: the object, made of stand-ins.
    storages: those of its tensors.
    swapped: whether the storages are big-endian.
    facts: (key, text) pairs about the container.
    """

    def __init__(self, root: object, storages: Storages, swapped: bool, facts: list[tuple[str, str]]) -> None:
        self.root = root
        self.storages = storages
        self.swapped = swapped
        self.facts = facts


def facts(container: str, order: str, protocol: int) -> list[tuple[str, str]]:
    """Return what is known of every container."""
    return [
        ("format", "pytorch"),
        ("container", container),
        ("byteorder", order),
        ("pickle_protocol", str(protocol)),
    ]
