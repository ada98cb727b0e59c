"""Which module's `forward` has which lines: those of a network in a row, cut by the modules that they are of.

A module is called where its lines stand together, and where it is called several times, are the same each
time. Others are transparent: what is in them is called from outside, as in a list of modules.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from burnpack.errors import InvalidTensor
from burnstore.classes.description import Attribute, Description, Given, Line, Name
from burnstore.classes.tree import Node, Path, found, nearest

_NOTHING = ("Identity", "Dropout", "AlphaDropout", "Dropout1d", "Dropout2d", "Dropout3d")  # done by these


@dataclass(frozen=True)
class Call:
    """A module that is called."""

    path: Path
    makes: tuple[str | None, ...]
    reads: tuple[str, ...]


@dataclass(frozen=True)
class Body:
    """What a `forward` does: values by their keys, each made once."""

    inputs: tuple[str, ...]
    steps: tuple[Line | Call, ...]
    outputs: tuple[str, ...]


def reads_of(step: Line | Call) -> tuple[str, ...]:
    """Return the values that a step reads, in order."""
    if isinstance(step, Call):
        return step.reads
    return tuple(
        [name.text for name in _leaves((step.arguments, *step.keywords.values())) if isinstance(name, Name)]
    )


def bodies_of(description: Description, root: Node) -> dict[Path, Body]:
    """Return what `forward` does of each module that is called, that of the network under ()."""
    inputs, lines, outputs = _once_made(description)
    cutting = _Cutting(root, lines, outputs)
    steps = cutting.steps((), range(len(lines)))
    found = {path: body for path, body in cutting.bodies.items() if path not in cutting.transparent}
    return {**found, (): Body(inputs, steps, outputs)}


def joined_inputs(body: Body) -> tuple[Name, ...]:
    """Return all inputs, where the first step joins them in order and no other reads them; else ()."""
    first = body.steps[0] if body.steps else None
    inputs = tuple(map(Name, body.inputs))
    if not isinstance(first, Line) or first.is_layer or first.arguments[:1] != (inputs,):
        return ()
    read = Counter([name for step in body.steps for name in reads_of(step)] + list(body.outputs))
    return inputs if all(read[name] == 1 for name in body.inputs) else ()


def is_chain(node: Node, body: Body) -> bool:
    """Tell whether a row feeds each of its modules with the output of the one before."""
    if len(body.inputs) != 1 or len(body.outputs) != 1:
        return False
    at: str | None = body.inputs[0]
    called = []
    for step in body.steps:
        path, given = part_of(step), step.reads if isinstance(step, Call) else step.arguments
        if (
            not path
            or path[:-1] != node.path
            or given not in ((at,), (Name(str(at)),))
            or len(step.makes) != 1
        ):
            return False
        if isinstance(step, Line) and step.keywords:
            return False
        called.append(int(path[-1]))
        at = step.makes[0]
    idle = [child for name, child in node.children.items() if int(name) not in set(called)]
    in_order = all(one < two for one, two in pairwise(called))
    return bool(called) and at == body.outputs[0] and in_order and all(map(_does_nothing, idle))


def part_of(step: Line | Call) -> Path:
    """Return the path of the module that a step calls; () of a function."""
    return step.path if isinstance(step, Call) else tuple(step.call.split(".")) if step.is_layer else ()


def _does_nothing(node: Node) -> bool:
    return node.layer is not None and node.layer.kind in _NOTHING


def _once_made(description: Description) -> tuple[tuple[str, ...], list[Line], tuple[str, ...]]:
    """Return inputs, lines and outputs with a key for each value, as names may be given again."""
    keys: dict[str, str] = {}
    count = 0

    def key(name: str) -> str:
        nonlocal count
        count += 1
        keys[name] = str(count)
        return keys[name]

    inputs = tuple([key(name) for name in description.inputs])
    lines = []
    for line in description.lines:
        if line.is_layer and line.call not in description.layers:
            raise InvalidTensor("a line calls a layer that there is not", line.call)
        arguments = tuple([_renamed(each, keys) for each in line.arguments])
        keywords = {name: _renamed(each, keys) for name, each in line.keywords.items()}
        makes = tuple([key(name) if name is not None else None for name in line.makes])
        lines.append(replace(line, makes=makes, arguments=arguments, keywords=keywords))
    outputs = tuple([_key(name.text, keys) for name in description.outputs])
    return inputs, lines, outputs


def _renamed(given: Given, keys: dict[str, str]) -> Given:
    if isinstance(given, Name):
        return Name(_key(given.text, keys))
    return tuple([_renamed(each, keys) for each in given]) if isinstance(given, tuple) else given


def _key(name: str, keys: dict[str, str]) -> str:
    if name not in keys:
        raise InvalidTensor("a line reads what no line before it makes", name)
    return keys[name]


def _leaves(given: Given) -> Iterator[Given]:
    if isinstance(given, tuple):
        for each in given:
            yield from _leaves(each)
    else:
        yield given


def _owner(line: Line, root: Node) -> Path:
    """Return the innermost module that all that a line names of the class is in."""
    own = (
        tuple(line.call.split("."))[:-1] if line.is_layer else tuple(line.step.rpartition("/")[0].split("."))
    )
    owner = nearest(root, own)
    for given in _leaves((line.arguments, *line.keywords.values())):
        if isinstance(given, Attribute):
            other = nearest(root, tuple(given.path.split("."))[:-1])
            same = [one == two for one, two in zip(owner, other, strict=False)]
            owner = owner[: same.index(False) if False in same else len(same)]
    return owner


@dataclass(frozen=True)
class _Called:
    """How a module is called. runs: its lines, each time. inputs, made: the values, each time.

    A value that is made and that nobody reads this time is None. outputs: what the first run makes of them.
    """

    runs: list[range]
    inputs: list[tuple[str, ...]]
    made: list[tuple[str | None, ...]]
    outputs: tuple[str, ...]


class _Cutting:
    def __init__(self, root: Node, lines: list[Line], outputs: tuple[str, ...]) -> None:
        self.bodies: dict[Path, Body] = {}
        self.transparent: set[Path] = set()
        self._root, self._lines = root, lines
        self._owners = [_owner(line, root) for line in lines]
        self._reads = [reads_of(line) for line in lines]
        self._last = {name: number for number, names in enumerate(self._reads) for name in names}
        self._kept = set(outputs)
        self._known: dict[tuple[Path, range, tuple[str, ...]], Body] = {}

    def steps(self, path: Path, run: range) -> tuple[Line | Call, ...]:
        """Return the steps of a module's `forward`, whose lines these are."""
        while True:
            groups = list(self._groups(path, run))
            calls: dict[Path, list[range]] = {}
            for child, group in groups:
                if child is not None:
                    calls.setdefault(child, []).extend(self._parts(group))
            found = {child: self._called(child, runs) for child, runs in calls.items()}
            lost = {child for child, called in found.items() if called is None}
            if not lost:
                return self._put_together(groups, found)
            self.transparent |= lost

    def _groups(self, path: Path, run: range) -> Iterator[tuple[Path | None, range]]:
        """Yield the lines of a run that stand together, and which module inside they are of."""
        start = run.start
        for child, group in groupby(run, lambda number: self._child(path, number)):
            stop = start + sum(1 for _ in group)
            yield child, range(start, stop)
            start = stop

    def _child(self, path: Path, number: int) -> Path | None:
        """Return the outermost module inside of another that a line is of, and that can be called."""
        owner = self._owners[number]
        for count in range(len(path) + 1, len(owner) + 1):
            if owner[:count] not in self.transparent:
                return owner[:count]
        return None

    def _called(self, path: Path, runs: list[range]) -> _Called | None:
        """Return how a module is called in these runs, or None for one that is not."""
        node = found(self._root, path)
        assert node is not None
        if node.is_dict or not self._are_alike(runs):
            return None
        called = self._seen(runs)
        if not called.outputs:
            return None
        key = (path, runs[0], called.outputs)
        if key not in self._known:
            before, self._kept = self._kept, self._kept | set(called.outputs)  # also what another run makes
            self._known[key] = Body(called.inputs[0], self.steps(path, runs[0]), called.outputs)
            self._kept = before
        self.bodies[path] = self._known[key]
        return called if not node.is_row or is_chain(node, self._known[key]) else None

    def _seen(self, runs: list[range]) -> _Called:
        made = [self._made(run) for run in runs]
        left = [[self._leaves(name, run) for name in names] for names, run in zip(made, runs, strict=True)]
        places = [place for place, flags in enumerate(zip(*left, strict=True)) if any(flags)]
        values = [
            tuple([names[place] if flags[place] else None for place in places])
            for names, flags in zip(made, left, strict=True)
        ]
        return _Called(
            runs, list(map(self._given, runs)), values, tuple([made[0][place] for place in places])
        )

    def _put_together(
        self, groups: Sequence[tuple[Path | None, range]], found: Mapping[Path, _Called | None]
    ) -> tuple[Line | Call, ...]:
        calls = {}
        for path, called in found.items():
            assert called is not None
            for run, inputs, made in zip(called.runs, called.inputs, called.made, strict=True):
                calls[run.start] = run.stop, Call(path, made, inputs)
        steps: list[Line | Call] = []
        for child, group in groups:
            at = group.start
            while child is not None and at < group.stop:
                at, call = calls[at]
                steps.append(call)
            steps += self._lines[at : group.stop]
        return tuple(steps)

    def _parts(self, run: range) -> list[range]:
        """Return the runs of a module that is called several times, one directly after the other."""
        times = Counter(self._lines[number].call for number in run if self._lines[number].is_layer)
        count = next(iter(times.values()), 1)
        size, rest = divmod(len(run), count)
        if count == 1 or rest:
            return [run]
        parts = [run[at : at + size] for at in range(0, len(run), size)]
        return parts if self._are_alike(parts) else [run]

    def _made(self, run: range) -> list[str]:
        """Return the values that a run makes, in order."""
        return [name for number in run for name in self._lines[number].makes if name is not None]

    def _given(self, run: range) -> tuple[str, ...]:
        """Return the values that a run is given, in the order in which it reads them."""
        made = set(self._made(run))
        return tuple(
            dict.fromkeys([name for number in run for name in self._reads[number] if name not in made])
        )

    def _leaves(self, name: str, run: range) -> bool:
        """Tell whether a value of a run is read behind it."""
        return name in self._kept or self._last.get(name, 0) >= run.stop

    def _are_alike(self, runs: list[range]) -> bool:
        first = self._form(runs[0]) if len(runs) > 1 else ()
        return all(self._form(run) == first for run in runs[1:])

    def _form(self, run: range) -> tuple[object, ...]:
        """Return what two runs of the same module have in common: all but the names of values."""
        places: dict[str, str] = {}
        for name in (*self._given(run), *self._made(run)):
            places[name] = str(len(places))
        form = []
        for number in run:
            line = self._lines[number]
            given = [_renamed((*line.arguments, *line.keywords.values()), places), *line.keywords]
            makes = tuple([places.get(str(name)) for name in line.makes])
            form.append((line.call, repr(given), makes))
        return tuple(form)
