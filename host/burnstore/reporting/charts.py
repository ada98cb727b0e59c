"""Charts as SVG within a page: bars, histograms, and an arena over time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from burnstore.reporting.lifetimes import Lifetime
from burnstore.reporting.markup import text

_ROW = 18
_NAMES, _BARS, _FIGURES = 220, 360, 130
_STEP = 46  # the width of a step in the chart of the arena
_HIGH = 300  # of the arena
_LEFT = 70
_COLOURS = 7
_BINS = 32
_PLOT = 90


def bars(rows: Sequence[tuple[str, int]]) -> str:
    """Return bars of sizes, in bytes, with their names."""
    most = max([1, *(size for _, size in rows)])
    wide, high = _NAMES + _BARS + _FIGURES, _ROW * len(rows)
    lines = [_open(wide, high, "Bytes of each layer")]
    for number, (name, size) in enumerate(rows):
        base = _ROW * number + 13
        lines.append(f'<text x="{_NAMES - 6}" y="{base}" text-anchor="end">{text(name, 34)}</text>')
        length = _BARS * size / most
        lines.append(f'<rect class="bar" x="{_NAMES}" y="{base - 10}" width="{length:.1f}" height="12"/>')
        lines.append(f'<text class="dim" x="{_NAMES + length + 6:.1f}" y="{base}">{size:,} B</text>')
    return "\n".join(['<div class="scroll" tabindex="0">', *lines, "</svg></div>"])


def histogram(name: str, numbers: NDArray[np.float64], about: str = "") -> str:
    """Return a small histogram of numbers, with their least and largest. about: what else is said."""
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return f"<div><h3>{text(name)}</h3><p>no finite numbers</p></div>"
    low, high = float(finite.min()), float(finite.max())
    # Reckoned from -1 to 1, since the difference of the largest numbers is infinite.
    unit = max(abs(low), abs(high)) or 1.0
    counts, _ = np.histogram(finite / unit, _BINS, (low / unit, high / unit) if low < high else None)
    most, step = max(1, int(counts.max())), 240 / _BINS
    lines = [_open(240, _PLOT + 16, f"Histogram of {name}", fixed=False)]
    for number, count in enumerate(counts.tolist()):
        tall = _PLOT * count / most
        place = f'x="{number * step:.1f}" y="{_PLOT - tall:.1f}" width="{step - 0.8:.1f}" height="{tall:.1f}"'
        lines.append(f'<rect class="bar" {place}/>')
    lines.append(f'<path class="axis" d="M0 {_PLOT}H240"/>')
    lines.append(f'<text class="dim" x="0" y="{_PLOT + 13}">{low:.4g}</text>')
    lines.append(f'<text class="dim" x="240" y="{_PLOT + 13}" text-anchor="end">{high:.4g}</text></svg>')
    odd = numbers.size - finite.size
    more = f", {odd:,} not finite" if odd else ""
    said = f"{numbers.size:,} numbers, mean {float((finite / unit).mean()) * unit:.4g}{more}{about}"
    return "\n".join([f"<div><h3>{text(name)}</h3>", *lines, f'<p class="note">{text(said)}</p></div>'])


def arena(lifetimes: Sequence[Lifetime], steps: Sequence[str], size: int) -> str:
    """Return which value lies where in an arena during which step. size: of the arena, in bytes."""
    step = max(14, min(_STEP, 1800 // max(1, len(steps))))
    wide, high = _LEFT + step * len(steps) + 10, _HIGH + 34
    lines = [_open(wide, high, "Values in the arena during each step")]
    for part in range(5):
        base = 8 + _HIGH * (4 - part) / 4
        lines.append(f'<path class="axis" d="M{_LEFT} {base:.0f}H{wide - 10}"/>')
        place = f'x="{_LEFT - 5}" y="{base + 4:.0f}" text-anchor="end"'
        lines.append(f'<text class="dim" {place}>{size * part // 4:,}</text>')
    for number, value in enumerate(lifetimes):
        lines.append(_value(value, number % _COLOURS, step, size))
    every = max(1, -(-28 // step))
    for number in range(0, len(steps), every):
        place = f'x="{_LEFT + step * (number + 0.5):.0f}" y="{_HIGH + 24}" text-anchor="middle"'
        lines.append(f'<text class="dim" {place}>{number}<title>{text(steps[number])}</title></text>')
    return "\n".join(['<div class="scroll" tabindex="0">', *lines, "</svg></div>"])


def _value(value: Lifetime, colour: int, step: int, size: int) -> str:
    start, end = value.span
    tall = _HIGH * (end - start) / max(1, size)
    top = 8 + _HIGH - _HIGH * end / max(1, size)
    left, wide = _LEFT + step * value.first, step * (value.last - value.first + 1)
    said = f"{value.name}: {end - start:,} bytes at {start:,}, steps {value.first} to {value.last}"
    label = ""
    letters = int(wide / 6.5)
    if tall > 13 and letters > 2:
        place = f'x="{left + wide / 2:.1f}" y="{top + tall / 2 + 4:.1f}" text-anchor="middle"'
        label = f'<text {place} style="fill:#fff">{text(value.name, letters)}</text>'
    place = f'x="{left}" y="{top:.1f}" width="{wide}" height="{max(tall, 0.5):.1f}"'
    fill = f"hsl({(210 + colour * 51) % 360} 45% 40%)"
    return f'<g><title>{text(said)}</title><rect class="value" {place} fill="{fill}"/>{label}</g>'


def _open(wide: float, high: float, label: str, fixed: bool = True) -> str:
    size = f'width="{wide:.0f}" height="{high:.0f}" ' if fixed else ""
    return (
        f'<svg class="chart" role="img" aria-label="{text(label)}" {size}viewBox="0 0 {wide:.0f} {high:.0f}">'
    )
