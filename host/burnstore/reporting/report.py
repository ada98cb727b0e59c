"""A model's report, put together of its sections."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnrt import Model
from burnstore.boards.fit import boards, speed
from burnstore.boards.fit.memory import runtime_of
from burnstore.boards.fit.report import Capacity, ways
from burnstore.boards.fit.steps import Facts, facts_of
from burnstore.boards.runtime.bundle import Bundle, bundle
from burnstore.drawing.folding import readable
from burnstore.drawing.layout import lay_out
from burnstore.drawing.sources import picture_of
from burnstore.drawing.svg import svg
from burnstore.exported.opening import has_graph
from burnstore.io.beside import has_program
from burnstore.io.opened import OpenedFile
from burnstore.models.program import load_program
from burnstore.programs.reading import Program, program_in
from burnstore.programs.uses import uses_of
from burnstore.quantize.samples import check_labels
from burnstore.reporting import accuracy, charts, weights
from burnstore.reporting.lifetimes import lifetimes
from burnstore.reporting.markup import note, page, section, table, text
from burnstore.reporting.observing import Observed, Scales, observe

_SETS = (("Cortex-M0+", "armv6m"), ("Cortex-M3", "armv7m"), ("Cortex-M4", "armv7emsp"))
_NO_PROGRAM = (
    "The file has no program, so nothing says what is computed with its weights: sizes and histograms are "
    "all that is shown."
)


def report(
    opened: OpenedFile,
    name: str,
    samples: Sequence[NDArray[Any]] = (),
    labels: NDArray[Any] | None = None,
    floats: Any = None,
) -> str:
    """Return the page on the model in a file.

    name: what the title calls it. samples: the arrays of its inputs. labels: the right class of each sample.
    floats: the model that it was made of, whose answers are compared.
    """
    reader = opened.reader
    count = sum(1 for _ in reader)
    facts = f"{len(opened.view):,} bytes, {reader.format}, {count:,} tensors"
    parts = [f"<h1>{text(name)}</h1>", f"<p>{text(facts)}</p>"]
    if has_program(reader):
        parts += _of_program(opened, name, samples, labels, floats)
    else:
        parts.append(note(_NO_PROGRAM))
        if has_graph(reader):
            parts.append(_picture(opened, name))
    return page(name, [*parts, weights.sizes(reader), weights.histograms(reader)])


def _of_program(
    opened: OpenedFile, name: str, samples: Sequence[NDArray[Any]], labels: NDArray[Any] | None, floats: Any
) -> Iterator[str]:
    model = load_program(opened.view, opened.path)
    facts, program = facts_of(opened.reader, model), program_in(model)
    scalars = {key: value for key, (_, value) in opened.reader.scalars()}
    scales = [_scale(scalars, step.layer) for step in facts.steps]
    macs = sum(step.macs for step in facts.steps)
    yield f"<p>{len(facts.steps)} steps, {macs:,} MACs, {facts.arena:,} bytes of arena</p>"
    yield _picture(opened, name)
    seen = _observed(model, program, scales, samples)
    if seen is not None:
        if labels is not None:
            check_labels(labels, len(seen.answers), seen.answers[0].size)
        yield accuracy.section_of(seen.answers, samples, labels, floats)
    uses = [uses_of(opened.reader)]
    runtime = cache(lambda march: bundle(uses, march))
    yield _steps(runtime, facts, program, scales)
    values = lifetimes(program, [step.layer for step in facts.steps])
    chart = charts.arena(values, [step.layer for step in facts.steps], facts.arena)
    yield section("RAM over time", note("Upwards: bytes of the arena. To the right: steps."), chart)
    if seen is not None:
        yield _activations(facts, seen)
    yield _boards(runtime, facts, len(opened.view))


def _scale(scalars: dict[str, Any], layer: str) -> tuple[float, int] | None:
    scale, zero = scalars.get(f"{layer}.scale"), scalars.get(f"{layer}.zero_point")
    return (float(scale), int(zero or 0)) if scale is not None else None


def _picture(opened: OpenedFile, name: str) -> str:
    picture, folds = readable(picture_of(opened, name), None)
    drawn = svg(picture, lay_out(picture)).replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
    shown = f'<div class="scroll picture" tabindex="0">{drawn}</div>'
    return section("Picture", *([note(folds)] if folds else []), shown)


def _observed(
    model: Model, program: Program, scales: Scales, samples: Sequence[NDArray[Any]]
) -> Observed | None:
    return observe(model, program, scales, samples) if samples else None


def _steps(runtime: Callable[[str], Bundle], facts: Facts, program: Program, scales: Scales) -> str:
    counted = [speed.times(facts.steps, runtime(march).kernels, march) for _, march in _SETS]
    rows = []
    for number, (step, told) in enumerate(zip(facts.steps, program.steps, strict=True)):
        scale = scales[number] if told.is_integer else None
        shape = "×".join(map(str, told.shape)) or str(sum(b - a for a, b in told.writes[:1]) // told.width)
        known = "" if scale is None else f"{scale[0]:.4g}"
        instructions = [_instructions(times[number].instructions) for times in counted]
        figures = (shape, f"{step.macs:,}", f"{step.weights:,}", known)
        rows.append((f"{number} {step.layer}", step.kernel, *figures, *instructions))
    heads = ["step", "kernel", "shape", "MACs", "bytes", "scale", *(title for title, _ in _SETS)]
    said = "Bytes are of weights. Instructions are foretold for each processor's kernels; ?: not counted."
    return section("Steps", note(said), table(heads, rows, 2))


def _instructions(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"


def _activations(facts: Facts, seen: Observed) -> str:
    found = [
        charts.histogram(f"{number} {step.layer}", numbers.astype(np.float64))
        for number, (step, numbers) in enumerate(zip(facts.steps, seen.steps, strict=True))
        if numbers is not None and numbers.size
    ]
    return section("Activations", f'<div class="grid">{"".join(found)}</div>')


def _boards(runtime: Callable[[str], Bundle], facts: Facts, size: int) -> str:
    """Return the table of boards. size: bytes of the model's file."""
    rows, processors = [], dict.fromkeys(board.processor for board in boards.BOARDS)
    runtimes = {march: runtime_of(runtime(march)) for march in processors}
    for board in boards.BOARDS:
        capacity = Capacity(board.flash, board.rom, board.heap, board.block)
        for way in ways(facts, size, runtimes[board.processor], capacity):
            if way.stock:
                verdict = "fits" if way.fits else "does not fit: " + "; ".join(way.advice)
                rows.append((board.title, way.title, verdict, f"{way.flash:,}", f"{way.least:,}"))
    return section("Boards", table(["board", "place", "verdict", "flash", "heap"], rows, 3))
