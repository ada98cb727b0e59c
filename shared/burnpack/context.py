"""Where a parameter is in its model, as filters and adapters are told."""

if False:  # for type checkers
    pass


_VARIANT = "Enum:"


class Context:
    """Where a parameter is in its model.

    path: attribute names and list indices joined with dots, as in "encoder.0.weight".
    containers: what each step leads through, outermost first, as in ("Struct:Net", "Vec", "Struct:Linear").
    """

    path: str
    containers: tuple[str, ...]

    def __init__(self, path: str, containers: tuple[str, ...]) -> None:
        self.path = path
        self.containers = containers

    @property
    def name(self) -> str:
        """The last segment of the path."""
        return self.path.rsplit(".", 1)[-1]

    @property
    def module_type(self) -> str | None:
        """The innermost module around the parameter, as in "Struct:Linear", or None.

        What only holds or wraps (a list, a tuple, a row of layers) is passed over.
        """
        for container in reversed(self.containers):
            if container.split(":")[0] in ("Struct", "Enum"):
                return container
        return None


def without_variants(path: str, containers: tuple[str, ...]) -> str:
    """Return the path without the names of enum variants, which PyTorch's names lack.

    Each segment leads through the container in the same place; a variant's leads through an enum.
    """
    segments = path.split(".")
    if not has_variant(containers) or len(segments) != len(containers):  # as without them already
        return path
    pairs = zip(segments, containers)
    return ".".join([segment for segment, container in pairs if not container.startswith(_VARIANT)])


def has_variant(containers: tuple[str, ...]) -> bool:
    """Return whether the way leads through an enum."""
    for container in containers:
        if container.startswith(_VARIANT):
            return True
    return False
