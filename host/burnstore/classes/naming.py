"""What the values of a `forward` are called, as a person would call them.

What goes from line to line is `x`. What is read again later is called after the module that makes it, or `y`,
`z` and so on where no module does.
"""

from collections.abc import Mapping

from burnstore.classes.bodies import Body, Call, part_of, reads_of
from burnstore.classes.description import LayerOf, Line
from burnstore.classes.identifiers import Names, is_word, value_name

_FLOW = tuple("xyzuvw")
_STATES = ("h", "c")  # of recurrent layers
_UNREAD = "_"


def input_names(body: Body, asked: list[str] | None) -> list[str]:
    """Return what the inputs of a `forward` are called. asked: by the original, or None."""
    count = len(body.inputs)
    if asked is None:
        return list(_FLOW[:count]) if count <= 3 else [f"x{place + 1}" for place in range(count)]
    names = Names()
    return [names.take(name if is_word(name) else "x") for name in asked]


def names_of(body: Body, inputs: list[str], layers: Mapping[str, LayerOf]) -> dict[str, str]:
    """Return the name of each value of a body that is read. inputs: those of its inputs, in order."""
    return _Naming(body, inputs, layers).names


def is_recurrent(kind: str) -> bool:
    """Tell whether a layer answers with its states, too."""
    return kind.removeprefix("Bi").lower() in ("lstm", "gru", "rnn")


class _Naming:
    def __init__(self, body: Body, inputs: list[str], layers: Mapping[str, LayerOf]) -> None:
        self.names = dict(zip(body.inputs, inputs, strict=True))
        self._layers = layers
        self._readers: dict[str, list[int]] = {}
        for place, step in enumerate(body.steps):
            for key in reads_of(step):
                self._readers.setdefault(key, []).append(place)
        for key in body.outputs:
            self._readers.setdefault(key, []).append(len(body.steps))
        self._taken = Names()
        self._spare: list[str] = []  # names with numbers that were left
        for key in body.inputs:
            if key in self._readers and self.names[key] not in self._taken:
                self._taken.take(self.names[key])
        for place, step in enumerate(body.steps):
            self._name(place, step)

    def _name(self, place: int, step: Line | Call) -> None:
        """Give a name to each value that a step makes, after those that it is the last to read are free."""
        ended = [key for key in dict.fromkeys(reads_of(step)) if self._readers[key][-1] == place]
        free = [self.names[key] for key in ended]
        for name in free:
            self._taken.leave(name)
            if name[:1] == _FLOW[0] != name:
                self._spare.append(name)
        kind = self._layers[step.call].kind if isinstance(step, Line) and step.is_layer else ""
        for number, key in enumerate(step.makes):
            if key is None or key not in self._readers:
                continue
            if number and is_recurrent(kind):
                wish = _STATES[min(number, 2) - 1]
            elif kind.endswith("Cell") and len(free) > 1:
                wish = free[-len(step.makes) :][number]
            else:
                wish = self._own(place, step, key, number) or self._flowing(free)
            self.names[key] = self._taken.take(wish)

    def _own(self, place: int, step: Line | Call, key: str, number: int) -> str | None:
        """Return a name after the module that makes a value, where it is read later than by the next step."""
        path = part_of(step)
        if number or not path or self._readers[key] == [place + 1]:
            return None
        name = value_name(reversed(path))
        return name if name and name not in self._taken else None

    def _flowing(self, free: list[str]) -> str:
        """Return the name that what goes from line to line has."""
        for name in (*[name for name in free if name in _FLOW], *_FLOW):
            if name not in self._taken:
                return name
        while self._spare:
            name = self._spare.pop()
            if name not in self._taken:
                return name
        return _FLOW[0]
