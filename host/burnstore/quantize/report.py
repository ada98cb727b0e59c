"""What quantizing cost, as text and as plain values."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from burnpack.errors import printable
from burnstore.quantize.measure import Report, StepError

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
    return "\n".join([*lines, "", *_answers(report)])


def _cells(step: StepError) -> tuple[str, ...]:
    ratio = f"{step.ratio:.1f}" if isfinite(step.ratio) else "-"
    largest = (f"{step.largest:.2g}", f"{step.largest / step.scale:.1f}")
    numbers = (f"{step.count:,}", f"{step.macs:,}", f"{step.scale:.3g}")
    return (printable(step.name), step.kernel, *numbers, ratio, *largest)


def _answers(report: Report) -> list[str]:
    lines = [_error(report)]
    if report.of_4_bits:
        lines.insert(0, f"weights of 4 bits: {', '.join(map(printable, report.of_4_bits))}")
    if report.agreeing is not None:
        lines.append(f"same answer in floats and in integers: {_part(report.agreeing, report.samples)}")
    if report.agreeing is not None and report.are_scores is None:
        lines[-1] += ", if the answers are scores (--scores or --no-scores says so)"
    if report.right_before is not None and report.right_after is not None:
        before, after = (_part(right, report.samples) for right in (report.right_before, report.right_after))
        lines.append(f"right: {before} in floats, {after} in integers")
    return lines


def _error(report: Report) -> str:
    """Return how far the answers' numbers are off, beside how far they reach."""
    text = f"error of the answers: RMSE {report.rmse:.3g}"
    if not report.deviation:
        return text
    reach, spread = (100 * report.rmse / whole for whole in (report.largest - report.least, report.deviation))
    bounds = f"{report.least:.3g} to {report.largest:.3g}"
    return f"{text}, {reach:.2g} % of their range ({bounds}), {spread:.2g} % of their standard deviation"


def _part(count: int, whole: int) -> str:
    return f"{count:,} of {whole:,} ({100 * count / whole:.2f} %)"


def plain(report: Report) -> dict[str, Any]:
    """Return the report as values for JSON; a ratio that is no finite number is None."""
    found = asdict(report)
    for step in found["steps"]:
        step["ratio"] = step["ratio"] if isfinite(step["ratio"]) else None
    return {**found, "macs": report.macs, "of_4_bits": report.of_4_bits}
