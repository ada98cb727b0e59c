"""Stand-ins for what a pickle describes: they hold what it says and do nothing.

Plain values come out of a pickle as themselves: None, bool, int, float, str, bytes, list, tuple.
Everything else is one of these. A dict is kept as a list of pairs, for the hash of a key from a pickle
can take as long as its author likes.
"""

from collections.abc import Callable

Builder = Callable[[tuple[object, ...]], object]


class Global:
    """A class or a function that a pickle names.

    build: what stands for calling it, or None for a name that means nothing here.
    """

    __slots__ = ("build", "module", "name")

    def __init__(self, module: str, name: str, build: Builder | None) -> None:
        self.module = module
        self.name = name
        self.build = build

    @property
    def path(self) -> str:
        """The full name, as in "torch.nn.modules.linear.Linear"."""
        return f"{self.module}.{self.name}"


class Opaque:
    """An object of a class that means nothing here.

    origin: its class, or the function that returns it.
    arguments: what that was called with.
    state: what the pickle sets it to, or None.
    items: what is appended or added to it, for a subclass of list or set; else None.
    pairs: what is put in it by key, for a subclass of dict; else None.
    """

    __slots__ = ("arguments", "items", "origin", "pairs", "state")

    def __init__(self, origin: Global, arguments: tuple[object, ...]) -> None:
        self.origin = origin
        self.arguments = arguments
        self.state: object = None
        self.items: list[object] | None = None
        self.pairs: list[tuple[object, object]] | None = None


class Refused:
    """A tensor of a kind that is not read.

    kind: what to call it in the error that is raised when it is asked for.
    """

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Dict:
    """A dict, its subclasses in the standard library included: the pairs in their order."""

    __slots__ = ("pairs", "state")

    def __init__(self) -> None:
        self.pairs: list[tuple[object, object]] = []
        self.state: object = None


class Set:
    """A set or a frozenset."""

    __slots__ = ("items",)

    def __init__(self, items: list[object]) -> None:
        self.items = items
