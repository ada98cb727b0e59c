"""The text of an `ApplyResult`: enough to mend what did not match."""

from burnpack.errors import printable
from burnpack.similar import meant

if False:  # for type checkers
    from burnpack.result import ApplyResult


_SHOWN = 10
_LINE = 1000  # characters
_PROGRAM = "burnrt.program"  # a tensor of files that need no class


def summary(result: "ApplyResult") -> str:
    """Return counts, then what is wrong, then what would help, a line each."""
    lines = [_counts(result)]
    needs_no_class = _PROGRAM in result.unused and (result.errors or result.missing)
    if needs_no_class:  # as of a quantized model, whose tensors fill no class
        lines.insert(0, "the file has a program: it runs as burnrt.Model, without its class")
    lines.extend(_shown(["%s: %s" % (path, _why(error)) for error, path in _failures(result)], "error"))
    lines.extend(_shown(_missing_lines(result), "missing parameter"))
    lines.extend(_shown(["unused: " + printable(name) for name in result.unused], "unused tensor"))
    lines.extend(["note: " + note for note in result.notes])
    if not needs_no_class:
        lines.extend(_help_lines(result))
    return "\n".join([printable(line, _LINE) for line in lines])


def _help_lines(result: "ApplyResult") -> list[str]:
    try:
        advice = [] if result.advice is None else result.advice(result)
    except (ImportError, MemoryError):  # a board that only loads has neither adapters nor much room
        return []
    return [("note: " if hint[0] == "another" else "help: ") + text for hint, text in advice]


def _counts(result: "ApplyResult") -> str:
    parts = []
    for name in ("applied", "skipped", "missing", "unused", "errors"):
        number = len(getattr(result, name))
        if number or name == "applied":
            parts.append("%d %s" % (number, name))
    return ", ".join(parts)


def _failures(result: "ApplyResult") -> list[tuple[tuple[str, str | None, str], str]]:
    return [((kind, expected, found), path) for kind, path, expected, found in result.errors]


def _why(error: tuple[str, str | None, str]) -> str:
    kind, expected, found = error
    return "%s: %s" % (kind, found) if expected is None else "%s (expected %s, found %s)" % error


def _shown(lines: list[str], what: str) -> list[str]:
    if len(lines) <= _SHOWN:
        return lines
    rest = len(lines) - _SHOWN
    return lines[:_SHOWN] + ["... and %d more %s%s" % (rest, what, "s" if rest > 1 else "")]


def _missing_lines(result: "ApplyResult") -> list[str]:
    lines = []
    for path, containers in result.missing[:_SHOWN]:
        close = meant(path, containers, result.unused)
        lines.append("missing: %s%s" % (path, " (is it %s?)" % printable(close) if close else ""))
    return lines + ["missing: " + path for path, _ in result.missing[_SHOWN:]]
