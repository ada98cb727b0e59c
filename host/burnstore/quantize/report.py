"""What quantizing cost, as text and as plain values."""

from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import Any

from burnpack.errors import printable
from burnstore.quantize.measure import IN_FLOATS, Answers, Report, StepError

_COLUMNS = ("step", "operation", "bytes", "MACs", "scale", "dB", "largest error", "steps")


def text_of(report: Report) -> str:
    """Return a table of all steps, and what became of the answers."""
    rows = [_COLUMNS, *map(_cells, report.steps)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([*lines, "", *_answers(report), *_method(report), *_widening(report)])


def _cells(step: StepError) -> tuple[str, ...]:
    ratio = f"{step.ratio:.1f}" if isfinite(step.ratio) else "-"
    scale, steps = "-", "-"
    if step.scale is not None:
        scale, steps = f"{step.scale:.3g}", f"{step.largest / step.scale:.1f}"
    largest = (f"{step.largest:.2g}", steps)
    numbers = (f"{step.count * step.width:,}", f"{step.macs:,}", scale)
    return (printable(step.name), step.kernel, *numbers, ratio, *largest)


def _answers(report: Report) -> Iterator[str]:
    if report.of_4_bits:
        yield f"weights of 4 bits: {', '.join(map(printable, report.of_4_bits))}"
    if report.in_floats:
        count = sum(step.count for step in report.steps if step.kernel == IN_FLOATS)
        steps = "1 step" if len(report.in_floats) == 1 else f"{len(report.in_floats)} steps"
        yield f"in floats: {steps}, {count:,} numbers, which is slow on a board without an FPU"
    if report.in_16_bits:
        yield f"in 16 bits: {', '.join(map(printable, report.in_16_bits))}"
    yield from _of_output(report, report.samples, "the answers")
    for number, other in enumerate(report.others, 1):
        yield from _of_output(other, report.samples, f"output {number}")


def _of_output(found: Answers, samples: int, name: str) -> Iterator[str]:
    yield _error(found, name)
    of = "" if name == "the answers" else f" in {name}"
    if found.agreeing is not None:
        doubt = ", if the answers are scores (--scores or --no-scores says so)"
        part = _part(found.agreeing, samples)
        yield f"same answer in floats and in integers{of}: {part}" + doubt * (found.are_scores is None)
    if found.right_before is not None and found.right_after is not None:
        before, after = (_part(right, samples) for right in (found.right_before, found.right_after))
        yield f"right: {before} in floats, {after} in integers"


def _error(found: Answers, name: str) -> str:
    """Return how far the numbers of an output are off, beside how far they reach."""
    text = f"error of {name}: RMSE {found.rmse:.3g}"
    if not found.deviation:
        return text
    reach, spread = (100 * found.rmse / whole for whole in (found.largest - found.least, found.deviation))
    bounds = f"{found.least:.3g} to {found.largest:.3g}"
    return f"{text}, {reach:.2g} % of their range ({bounds}), {spread:.2g} % of their standard deviation"


def _method(report: Report) -> list[str]:
    """Return how the integers were found, and what each method lost that was tried."""
    if not report.losses:
        return [f"ranges: {report.method}"]
    tried = ", ".join(f"{name} {lost:.3g}" for name, lost in report.losses.items())
    return [f"ranges: {report.method}, by the RMSE on samples that were held out: {tried}"]


def _widening(report: Report) -> Iterator[str]:
    """Yield what was tried to find the steps that have 16 bits."""
    found = report.widening
    if found is None:
        return
    (_, before), *tried = found.losses
    if not tried:
        yield "16 bits: no step can have them"
        return
    whole, after = tried[0]
    text = f"16 bits, by the RMSE on samples that were held out: none {before:.3g}, all that can {after:.3g}"
    if not found.taken:
        yield f"{text}, which is too little: none taken"
        return
    yield f"{text}; taken: {', '.join(map(printable, found.taken))}"
    for names, lost in tried[1:]:
        left_out = ", ".join(printable(name) for name in whole if name not in names)
        yield f"  without {left_out}: {lost:.3g}"
    yield f"  the arena has {report.arena:,} bytes, and {found.arena:,} without 16 bits"


def _part(count: int, whole: int) -> str:
    return f"{count:,} of {whole:,} ({100 * count / whole:.2f} %)"


def plain(report: Report) -> dict[str, Any]:
    """Return the report as values for JSON; a ratio or an error that is no finite number is None."""
    found = asdict(report)
    for step in found["steps"]:
        for name in ("ratio", "largest"):
            step[name] = step[name] if isfinite(step[name]) else None
    if report.widening is not None:
        losses = [(names, lost if isfinite(lost) else None) for names, lost in report.widening.losses]
        found["widening"]["losses"] = losses
    names = {"of_4_bits": report.of_4_bits, "in_floats": report.in_floats, "in_16_bits": report.in_16_bits}
    return {**found, "macs": report.macs, **names}
