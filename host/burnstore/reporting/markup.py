"""HTML of texts, tables and charts. Every text from outside is escaped here, and nowhere else."""

from collections.abc import Iterable, Sequence
from html import escape

from burnstore.drawing.texts import short

_LETTERS = 200  # of a cell
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>%(title)s</title>
<style>
:root { color-scheme: light dark; --ink: #1d2126; --dim: #5c6570; --line: #d5dade; --back: #fff;
  --soft: #f3f5f7; --bar: #2f6fb3; --good: #1d7a3d; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ea; --dim: #9aa4ae; --line: #3a4149;
  --back: #16191c; --soft: #20252a; --bar: #6aa7e8; --good: #63c685; --bad: #ff8a80; } }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--back); color: var(--ink);
  font: 15px/1.45 system-ui, Helvetica, Arial, sans-serif; }
h1, h2, p { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: .9rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .4rem 0; } .note { color: var(--dim); }
.scroll { overflow-x: auto; max-width: 100%%; border: 1px solid var(--line); border-radius: 6px; }
.picture { background: #fff; max-height: 40rem; overflow: auto; }
.picture svg { display: block; margin: 0 auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: 100%%; }
th, td { padding: .25rem .6rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--soft); }
th:first-child, td.text, th.text { text-align: left; } tbody th { font-weight: 500; }
td.diagonal { background: var(--soft); font-weight: 600; } td.zero { color: var(--dim); }
.grid { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.grid > div { border: 1px solid var(--line); border-radius: 6px; padding: .6rem; min-width: 0; }
.grid svg { width: 100%%; height: auto; display: block; }
.chart text { fill: var(--ink); font: 11px system-ui, Helvetica, Arial, sans-serif; }
.chart .dim { fill: var(--dim); } .chart .bar { fill: var(--bar); } .chart .axis { stroke: var(--line); }
.chart .value { stroke: var(--back); }
</style>
</head>
<body>
%(body)s
</body>
</html>
"""


def text(value: object, most: int = _LETTERS) -> str:
    """Return a text for HTML: one line, with what is not seen spelled out, and escaped."""
    return escape(short(str(value), most))


def page(title: str, parts: Iterable[str]) -> str:
    """Return the whole page. parts: HTML."""
    return _PAGE % {"title": text(title), "body": "\n".join(parts)}


def section(title: str, *parts: str) -> str:
    """Return a part of the page with its title. parts: HTML."""
    return "\n".join((f"<section><h2>{text(title)}</h2>", *parts, "</section>"))


def note(what: str) -> str:
    """Return a remark."""
    return f'<p class="note">{text(what, 1000)}</p>'


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> str:
    """Return a table that scrolls in itself. words: how many columns are texts; others are numbers."""
    kinds = [' class="text"' if number < words else "" for number in range(len(heads))]
    head = "".join(
        f'<th scope="col"{kind}>{text(each)}</th>' for kind, each in zip(kinds, heads, strict=True)
    )
    lines = [
        '<div class="scroll" tabindex="0"><table>',
        f"<thead><tr>{head}</tr></thead>",
        "<tbody>",
    ]
    for first, *others in rows:
        cells = "".join(f"<td{kind}>{text(each)}</td>" for kind, each in zip(kinds[1:], others, strict=True))
        lines.append(f'<tr><th scope="row">{text(first)}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody>", "</table></div>"])
