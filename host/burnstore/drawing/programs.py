"""The picture of a program in a file: where each value lies, and what its bytes stand for."""

from collections.abc import Iterator, Sequence
from typing import Any

from burnpack.dtype import count
from burnpack.tensor import Tensor
from burnstore.drawing.arena import Arena, Value
from burnstore.drawing.kinds import INPUT, OF_EACH, OUTPUT, STATE, kind_of
from burnstore.drawing.picture import Box, Edge, Picture
from burnstore.drawing.settings import texts_of
from burnstore.drawing.texts import of_bytes, of_scale, of_setting, of_shape, of_weights, packed
from burnstore.io.beside import PROGRAM
from burnstore.io.container import Container
from burnstore.models.program import load_program, steps_of
from burnstore.programs.reading import End, Span, Step, Stored, program_in

_COPY = "int8.copy"


class _Drawing:
    """A picture in the making. tensors: the file's, by where they begin in the program's bytes."""

    def __init__(self, container: Container) -> None:
        self.picture = Picture("")
        self.arena = Arena()
        self.scalars = {name: value for name, (_, value) in container.scalars()}
        self.tensors = _tensors(container)

    def add(self, box: Box, found: Sequence[Value], given: tuple[int, ...] = ()) -> int:
        """Add a box, and an edge from each value that it reads; return its number.

        given: the shape that the box says of one of these.
        """
        number = len(self.picture.boxes)
        self.picture.boxes.append(box)
        edges = (
            Edge(value.box, number, of_shape(_seen(value, given)), (("arena", _place(value.span)),))
            for value in found
        )
        self.picture.edges += dict.fromkeys(edges)
        return number

    def give(self, box: Box, end: End) -> None:
        """Add the box of what is there before the first step."""
        self.arena.write(Value(self.add(box, ()), "", end.span, end.shape))

    def take(self, box: Box, end: End) -> None:
        """Add the box of what is there behind the last step."""
        self.add(box, self.arena.read((end.span,)), end.shape)


def _seen(value: Value, given: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a value: as what made it says, else as what reads it does."""
    return given if len(value.shape) == 1 and count(given) == value.shape[0] else value.shape


def picture_of_program(container: Container, data: bytes | memoryview, title: str) -> Picture:
    """Return the picture of the program in an opened file. data: the file's bytes.

    Raises `Malformed` for a program that can't be run.
    """
    program = program_in(load_program(data, container.source))
    drawing = _Drawing(container)
    for number, end in enumerate(program.inputs):
        drawing.give(_end(INPUT, number, end), end)
    for number, end in enumerate(program.states):
        drawing.give(_end(STATE, number, end, "of the last run; zeros at first"), end)
    names = [name for _, name in steps_of(container)]
    if len(names) != len(program.steps):
        names = [f"step {number}" for number in range(len(program.steps))]
    for name, step in zip(names, program.steps, strict=True):
        _add_step(drawing, name, step)
    for number, end in enumerate(program.outputs):
        box = _end(OUTPUT, number, end, f"{end.last} is left to the reader" if end.last else "")
        drawing.take(box, end)
    for number, end in enumerate(program.states):
        drawing.take(_end(STATE, number, end, "for the next run"), end)
    steps = "1 step" if len(names) == 1 else f"{len(names)} steps"
    drawing.picture.title = f"{title}: {steps}, {of_bytes(program.arena)} of arena"
    return drawing.picture


def _add_step(drawing: _Drawing, name: str, step: Step) -> None:
    """Add a step's box, and note what it writes."""
    found = drawing.arena.read(step.reads)
    path = name.partition("@")[0].replace("/", ".")
    weights = [_weight(drawing, stored) for stored in step.weights]
    size = sum(stored.size for stored in step.weights)
    scale = _scale(drawing.scalars, name, step)
    lines = [
        *of_weights([text for text, _ in weights], size),
        *packed(texts_of(step.settings)),
        *_places(step.writes),
        *(f"value {text}" for text in scale),
    ]
    details = [
        ("kernel", step.kernel),
        ("layer", name),
        *(detail for _, detail in weights),
        *((key, of_setting("", value).strip()) for key, value in step.settings.items()),
        *(("arena", _place(span)) for span in step.writes),
        *(("value", text) for text in scale),
    ]
    box = Box(step.kernel, kind_of(step.kernel), path, tuple(lines), tuple(details), size)
    number = drawing.add(box, found, step.given)
    for span in step.writes:
        drawing.arena.write(Value(number, name, span, _shape(step, span, found)))


def _places(writes: Sequence[Span]) -> Iterator[str]:
    """Yield a line on where a step writes: the first place, which it answers in, and how many it works in."""
    if writes:
        more = f" and {len(writes) - 1} more" if len(writes) > 1 else ""
        yield f"arena {_place(writes[0])}{more}"


def _shape(step: Step, span: Span, found: Sequence[Value]) -> tuple[int, ...]:
    """Return the shape of what a step writes: as it says, else as one that it reads, else in one row."""
    numbers = (span[1] - span[0]) // _width(step, found)
    known = [step.shape]
    if kind_of(step.kernel) in OF_EACH:
        known += [_seen(value, step.given) for value in found]
    return next((shape for shape in known if shape and count(shape) == numbers), (numbers,))


def _width(step: Step, found: Sequence[Value]) -> int:
    """Return the bytes of a number that a step makes: of a copy as many as of what it copies."""
    if step.kernel != _COPY or not found:
        return step.width
    return max(1, (found[0].span[1] - found[0].span[0]) // max(1, count(found[0].shape)))


def _weight(drawing: _Drawing, stored: Stored) -> tuple[str, tuple[str, str]]:
    """Return the text of a weight, and its detail."""
    tensor = drawing.tensors.get(stored.start)
    size = of_bytes(stored.size)
    if tensor is None:
        return f"{stored.argument} {size}", (stored.argument, f"{size} of constants")
    shape = of_shape(tensor.shape)
    name = tensor.name.rpartition(".")[2]
    return f"{name} {shape}", (stored.argument, f"{tensor.name}, {shape}, {size}")


def _scale(scalars: dict[str, Any], name: str, step: Step) -> list[str]:
    """Return what the bytes that a step of integers makes stand for, where the file says it."""
    scale, zero_point = scalars.get(f"{name}.scale"), scalars.get(f"{name}.zero_point")
    return [of_scale(scale, zero_point)] if step.is_integer and scale is not None else []


def _end(kind: str, number: int, end: End, more: str = "") -> Box:
    """Return the box of an input, a state or an output."""
    lines = [of_shape(end.shape), f"arena {_place(end.span)}"]
    if end.width > 1:
        lines.append("indices of 16 bits")
    elif end.scale is not None:
        lines.append(of_scale(end.scale, end.zero_point))
    lines += [more] * bool(more)
    return Box(f"{kind} {number}", kind, lines=tuple(lines), details=tuple(("", line) for line in lines))


def _place(span: Span) -> str:
    return f"{of_bytes(span[1] - span[0])} at {span[0]:,}"


def _tensors(container: Container) -> dict[int, Tensor]:
    """Return the tensors of a file by where they begin, in bytes from the program's first one."""
    origin = container.span(PROGRAM)
    found = {}
    for tensor in container:
        span = container.span(tensor.name)
        if origin is not None and span is not None and span[1] > span[0]:
            found[span[0] - origin[0]] = tensor
    return found
