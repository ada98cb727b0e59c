"""What became of each parameter and each tensor when a module was loaded."""

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Advice


class ApplyResult:
    """What became of each parameter and each tensor when a module was loaded. `print` shows it.

    applied: paths of the parameters that have a tensor.
    skipped: paths of those that the filter left out.
    missing: (path, containers) of those that the source lacks; a parameter of two names is not among them
        when one of these is there.
    unused: names of the tensors that no parameter took.
    errors: (kind, path, expected, found); kind is "ShapeMismatch", "KindMismatch", "AdapterError" or
        "LoadError", or "LayoutMismatch" for a square matrix in PyTorch's layout.
    notes: what the store found out without having been told.
    advice: a function of the result that returns what would mend the load, or None: (hint, text) pairs, of
        which `print` shows the texts.
    """

    applied: list[str]
    skipped: list[str]
    missing: list[tuple[str, tuple[str, ...]]]
    unused: list[str]
    errors: list[tuple[str, str, str | None, str]]
    notes: list[str]
    advice: "Callable[[ApplyResult], Advice] | None"

    def __init__(self) -> None:
        self.applied = []
        self.skipped = []
        self.missing = []
        self.unused = []
        self.errors = []
        self.notes = []
        self.advice = None

    def fail(self, kind: str, path: str, expected: str | None, found: str) -> None:
        """Note why a tensor does not fit the parameter at `path`.

        kind, expected, found: as in `errors`.
        """
        self.errors.append((kind, path, expected, found))

    def is_success(self) -> bool:
        """Return whether nothing that was found failed to fit."""
        return not self.errors

    def __repr__(self) -> str:
        return "<ApplyResult: %s>" % str(self).split("\n")[0]

    def __str__(self) -> str:
        try:
            from burnpack.summary import summary  # only who prints a result pays for it

            return summary(self)
        except (ImportError, MemoryError):  # a board may have no room for it
            counts = (len(self.applied), len(self.missing), len(self.errors))
            return "%d applied, %d missing, %d errors" % counts
