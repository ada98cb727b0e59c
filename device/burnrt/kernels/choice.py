"""Choosing among sets of kernels, by trying which run here."""

if False:  # for type checkers
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any


class Choice:
    """The sets of a package, and those in use.

    namespace: the package's own names; a function that was looked up once is kept among them.
    sets: names of its modules, fastest first. The last runs everywhere and has all functions.
    """

    def __init__(self, namespace: "dict[str, Any]", sets: tuple[str, ...]) -> None:
        self._namespace = namespace
        self._package = namespace["__name__"] + "."
        self._sets = sets
        self._in_use: list[str] = []
        self._found: list[str] = []
        self.use()

    def use(self, name: str | None = None) -> None:
        """Choose a set by name; without one, the fastest that runs here. What it lacks, slower ones have.

        name: also of a module that somebody added to the package. A plan keeps the kernels that it was made
        with. Raises `ImportError` for a set that does not run here; then all stays as it is.
        """
        chosen, slower = [], self._sets
        if name is not None:
            if not self.runs(name):
                raise ImportError("the kernels %s%s do not run here" % (self._package, name))
            chosen = [name]
            if name in slower:
                slower = slower[slower.index(name) + 1 :]
        self._in_use = chosen + [candidate for candidate in slower if self.runs(candidate)]
        while self._found:
            self._namespace.pop(self._found.pop(), None)

    def in_use(self) -> list[str]:
        """Return the names of the sets in use, fastest first."""
        return list(self._in_use)

    def runs(self, name: str) -> bool:
        """Return whether the package has a module of this name that runs here."""
        # A port without the inline assembler or the emitter finds a syntax error; code compiled for another
        # chip is a value error. For CPython there is a package "micropython", which lacks the decorators.
        try:
            self.module(name)
        except (ImportError, AttributeError, SyntaxError, ValueError):
            return False
        return True

    def home(self, function: str) -> str:
        """Return the name of the set that `find` took a function from, or would."""
        for name in self._in_use:
            try:
                getattr(self.module(name), function)
                return name
            except (AttributeError, ImportError):
                pass
        raise AttributeError(function)

    def module(self, name: str) -> "ModuleType":
        """Return a module of the package, imported."""
        return __import__(self._package + name, None, None, (name,))

    def find(self, function: str) -> "Callable[..., Any]":
        """Return the function from the fastest set that has it.

        Raises `AttributeError`, or `ImportError` where the last set lacks the file that has it.
        """
        absent: "AttributeError | ImportError" = AttributeError(function)
        for name in self._in_use if not function.startswith("_") else ():
            try:
                found: "Callable[..., Any]" = getattr(self.module(name), function)
                self._namespace[function] = found
                self._found.append(function)
                return found
            except (AttributeError, ImportError) as error:
                absent = error
        raise absent
