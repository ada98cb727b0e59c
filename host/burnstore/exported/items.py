"""Values of a JSON text, each with its place, so that an error can say where it is."""

import json
from typing import Any

from burnpack.errors import DuplicateName, LimitExceeded, Malformed

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "an integer",
    float: "a number",
    bool: "a flag",
}


class Item:
    """A value. name: its key or number in what it lies in, or what errors call the whole text."""

    __slots__ = ("_name", "_outer", "value")

    def __init__(self, value: Any, name: str, outer: "Item | None" = None) -> None:
        self.value = value
        self._name = name
        self._outer = outer

    @property
    def place(self) -> str:
        """Where the value is, as in "models/model.json: graph_module.graph.nodes[3].target"."""
        names: list[str] = []
        item = self
        while item._outer is not None:
            names.append(item._name)
            item = item._outer
        path = "".join(reversed(names)).lstrip(".")
        return f"{item._name}: {path}" if path else item._name

    def malformed(self, what: str, expected: object = None, found: object = None) -> Malformed:
        """Return the error that something is wrong here."""
        return Malformed(what, self.place, expected=expected, found=found)

    def field(self, name: str) -> "Item":
        """Return what an object has under a name."""
        found = self.get(name)
        if found is None:
            raise self.malformed("a field is missing", expected=name)
        return found

    def get(self, name: str) -> "Item | None":
        """Return the same, or None where there is none, or null."""
        value = self._of(dict).get(name)
        return None if value is None else Item(value, f".{name}", self)

    def pairs(self) -> list[tuple[str, "Item"]]:
        """Return what an object has, by its names."""
        return [(name, Item(value, f".{name}", self)) for name, value in self._of(dict).items()]

    def items(self) -> list["Item"]:
        """Return the items of a list."""
        return [Item(value, f"[{number}]", self) for number, value in enumerate(self._of(list))]

    def union(self) -> tuple[str, "Item"]:
        """Return the one key of an object, and what is under it, which may be null."""
        found = self._of(dict)
        if len(found) != 1:
            raise self.malformed("an object should have one key", expected=1, found=len(found))
        ((name, value),) = found.items()
        return name, Item(value, f".{name}", self)

    def text(self) -> str:
        """Return the text that this is."""
        found: str = self._of(str)
        return found

    def integer(self) -> int:
        """Return the integer that this is."""
        found: int = self._of(int)
        return found

    def flag(self) -> bool:
        """Return the flag that this is."""
        found: bool = self._of(bool)
        return found

    def number(self) -> float:
        """Return the number that this is: those that JSON has not are texts."""
        if type(self.value) is str and self.value in ("Infinity", "-Infinity", "NaN"):
            return float(self.value)
        if type(self.value) is int and abs(self.value) < 1 << 64:
            return float(self.value)
        found: float = self._of(float)
        return found

    def _of(self, kind: type) -> Any:
        if type(self.value) is not kind:
            found = _KINDS.get(type(self.value), "null")
            raise self.malformed("another kind of value", expected=_KINDS[kind], found=found)
        return self.value


def parse_json(text: bytes | memoryview, name: str) -> Item:
    """Return the whole of a JSON text. name: what errors call it."""
    try:
        value = json.loads(str(text, "utf-8"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise Malformed("no UTF-8", name, offset=error.start) from None
    except json.JSONDecodeError as error:
        raise Malformed(f"no JSON: {error.msg}", name, offset=error.pos) from None
    except ValueError as error:  # a number of thousands of digits
        raise Malformed(f"no JSON: {error}", name) from None
    except DuplicateName as error:
        raise error.about(f"{name}: {error.item}", None) from None
    except RecursionError:
        raise LimitExceeded("nested too deeply", name) from None
    return Item(value, name)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DuplicateName("the same key twice in an object", key)
            seen.add(key)
    return found
