"""Which module's `forward` has which lines: those of a network in a row, cut by the modules that they are of.

A module is called where its lines stand together, and where it is called several times, are the same each
time. Others are transparent: what is in them is called from outside, as in a list of modules.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from burnpack.errors import InvalidTensor
from burnstore.classes.description import Attribute, Description, Given, Line, Name
from burnstore.classes.tree import Node, Path, found, nearest

_NOTHING = ("Identity", "Dropout", "AlphaDropout", "Dropout1d", "Dropout2d", "Dropout3d")  # done by these

Run = tuple[int, ...]  # numbers of lines


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
    steps = cutting.steps((), tuple(range(len(lines))))
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


@dataclass
class _Cutting:
    root: Node
    lines: list[Line]
    outputs: tuple[str, ...]
    transparent: set[Path] = field(default_factory=set)
    bodies: dict[Path, Body] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.owners = [_owner(line, self.root) for line in self.lines]
        self.readers: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines):
            for name in reads_of(line):
                self.readers.setdefault(name, []).append(number)
        self._kept = set(self.outputs)
        self._known: dict[tuple[Path, Run, tuple[str, ...]], Body] = {}

    def steps(self, path: Path, run: Run) -> tuple[Line | Call, ...]:
        """Return the steps of a module's `forward`, whose lines these are."""
        while True:
            groups = [
                (child, tuple(group)) for child, group in groupby(run, lambda line: self._child(path, line))
            ]
            calls: dict[Path, list[Run]] = {}
            for child, group in groups:
                if child is not None:
                    calls.setdefault(child, []).extend(self._parts(group))
            lost = [child for child, runs in calls.items() if not self._is_called(child, runs)]
            if not lost:
                return self._put_together(groups, calls)
            self.transparent.update(lost)

    def _child(self, path: Path, line: int) -> Path | None:
        """Return the outermost module inside of another that a line is of, and that can be called."""
        owner = self.owners[line]
        for count in range(len(path) + 1, len(owner) + 1):
            if owner[:count] not in self.transparent:
                return owner[:count]
        return None

    def _is_called(self, path: Path, runs: Sequence[Run]) -> bool:
        node = found(self.root, path)
        assert node is not None
        forms = {self._form(run) for run in runs}
        if len(forms) != 1 or node.is_dict or not self._made(runs):
            return False
        body = self._body(path, runs)
        return not node.is_row or is_chain(node, body)

    def _body(self, path: Path, runs: Sequence[Run]) -> Body:
        inside = list(self._inside(runs[0]))
        outputs = tuple([inside[place] for place in self._made(runs)])
        key = (path, runs[0], outputs)
        if key not in self._known:
            before, self._kept = self._kept, self._kept | set(outputs)  # also what only another run's is read
            self._known[key] = Body(self._given(runs[0]), self.steps(path, runs[0]), outputs)
            self._kept = before
        self.bodies[path] = self._known[key]
        return self._known[key]

    def _put_together(
        self, groups: Sequence[tuple[Path | None, Run]], calls: dict[Path, list[Run]]
    ) -> tuple[Line | Call, ...]:
        steps: list[Line | Call] = []
        for child, group in groups:
            if child is None:
                steps += [self.lines[number] for number in group]
                continue
            made = self._made(calls[child])
            for run in self._parts(group):
                inside = list(self._inside(run))
                makes = tuple([inside[place] if self._leaves(inside[place], run) else None for place in made])
                steps.append(Call(child, makes, self._given(run)))
        return tuple(steps)

    def _parts(self, run: Run) -> list[Run]:
        """Return the runs of a module that is called several times, one directly after the other."""
        times = Counter(self.lines[number].call for number in run if self.lines[number].is_layer)
        count = next(iter(times.values()), 1)
        size, rest = divmod(len(run), count)
        if count == 1 or rest:
            return [run]
        parts = [run[at : at + size] for at in range(0, len(run), size)]
        return parts if len({self._form(part) for part in parts}) == 1 else [run]

    def _inside(self, run: Run) -> dict[str, int]:
        """Return the values that a run makes, in order, with their places."""
        made = [name for number in run for name in self.lines[number].makes if name is not None]
        return {name: place for place, name in enumerate(made)}

    def _given(self, run: Run) -> tuple[str, ...]:
        """Return the values that a run is given, in the order in which it reads them."""
        inside = self._inside(run)
        reads = [name for number in run for name in reads_of(self.lines[number])]
        return tuple(dict.fromkeys([name for name in reads if name not in inside]))

    def _made(self, runs: Sequence[Run]) -> list[int]:
        """Return the places of the values that are read elsewhere, after any of the runs."""
        found: set[int] = set()
        for run in runs:
            found |= {place for name, place in self._inside(run).items() if self._leaves(name, run)}
        return sorted(found)

    def _leaves(self, name: str, run: Run) -> bool:
        """Tell whether a value of a run is read outside of it. A run's lines stand together."""
        outside = (number for number in self.readers.get(name, ()) if not run[0] <= number <= run[-1])
        return name in self._kept or next(outside, None) is not None

    def _form(self, run: Run) -> tuple[object, ...]:
        """Return what two runs of the same module have in common: all but the names of values."""
        places: dict[str, str] = {}
        for name in (*self._given(run), *self._inside(run)):
            places[name] = str(len(places))
        found = []
        for number in run:
            line = self.lines[number]
            given = [_renamed((*line.arguments, *line.keywords.values()), places), *line.keywords]
            makes = tuple([places.get(str(name)) for name in line.makes])
            found.append((line.call, repr(given), makes))
        return tuple(found)
