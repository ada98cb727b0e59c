"""Hints as the options of a conversion: on the command line, and by the names they have in Python."""

import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import reduce
from typing import Any

from burnpack.apply import refusal
from burnpack.errors import BurnpackError, LoadFailed
from burnpack.hints import LAYOUT, PARTIAL
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnstore.advice.kinds import CLOSED, CONTIGUOUS, CONVERT, KEPT, KEY, RENAME, STRIP, Hint, said
from burnstore.advice.search import hints_for
from burnstore.advice.settings import settings_of
from burnstore.io.container import Container
from burnstore.naming.remap import KeyRemapper
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import tried

# A kind of hint: the option, what is given to it on the command line, its name in Python and its value there.
_OPTIONS: dict[str, tuple[str, str, str, Callable[[Hint], Any]]] = {
    LAYOUT: ("--from-layout", "{1}", "from_layout", lambda hint: hint[1]),
    CONTIGUOUS: ("--contiguous", "", "contiguous", lambda hint: hint[1] == CLOSED),
    PARTIAL: ("--allow-partial", "", "allow_partial", lambda hint: True),
    KEY: ("--top-level-key", "{1}", "top_level_key", lambda hint: hint[1]),
    STRIP: ("--strip-prefix", "{1}", "strip_prefix", lambda hint: hint[1]),
    RENAME: ("--rename", "{1}={2}", "rename", lambda hint: [hint[1:]]),
}
_COMMAND = "burnstore convert --module"


def refused(
    what: str,
    result: ApplyResult,
    reader: Container,
    module: Module,
    options: Options,
    loaded: ApplyResult | None = None,
) -> LoadFailed:
    """Return the error that refuses a module, and says with which options a conversion fits better.

    result: what is told of. loaded: the same, where it is no conversion's own, but a load's.
    """
    hints = _hints(reader, module, options, loaded)
    result.advice = lambda _: [(hint, said(hint, _keyword(hint))) for hint in hints]
    return refusal(what, result, reader.source)


@contextmanager
def converting(reader: Container, module: Module, options: Options | None = None) -> Iterator[None]:
    """Let the error of a load within say how to convert the file, instead of how to load it."""
    try:
        yield
    except LoadFailed as error:
        if (result := getattr(error, "result", None)) is None:
            raise
        what = error.what.partition("\n")[0]
        raise refused(what, result, reader, module, options or Options(), result) from None


def in_options(error: LoadFailed) -> str:
    """Return what an error says, with hints as options of the command line."""
    result = getattr(error, "result", None)
    if result is None or result.advice is None:
        return str(error)
    hints = [hint for hint, _ in result.advice(result)]
    result.advice = lambda _: [(hint, said(hint, _option(hint))) for hint in hints]
    return str(refusal(error.what.partition("\n")[0], result, error.source))


def _hints(reader: Container, module: Module, options: Options, loaded: ApplyResult | None) -> list[Hint]:
    def attempt(hints: Iterable[Hint]) -> ApplyResult:
        return tried(reader, module, reduce(_acted, hints, options))

    settings = [[hint for hint in group if hint[0] in _OPTIONS] for group in settings_of(reader)]
    done = {PARTIAL} if options.allow_partial or loaded else set()
    with suppress(BurnpackError):
        result = attempt(())
        hints = hints_for(module, result, attempt, settings, _OPTIONS.keys() - done)
        is_enough = not hints and loaded is not None and len(result.applied) > len(loaded.applied)
        return [(CONVERT,)] if is_enough else hints
    return []


def _acted(options: Options, hint: Hint) -> Options:
    """Return the options with what a hint says, besides what was asked for before."""
    if hint[0] == STRIP:
        return replace(options, prefixes=(*options.prefixes, hint[1]))
    if hint[0] == RENAME:
        remapper = options.remapper.copy() if options.remapper else KeyRemapper()
        return replace(options, remapper=remapper.add_pattern(*hint[1:]))
    _, _, name, value = _OPTIONS[hint[0]]
    return replace(options, **{name: value(hint)})


def _option(hint: Hint) -> str:
    if hint[0] not in _OPTIONS:
        return _COMMAND
    option, text, _, _ = _OPTIONS[hint[0]]
    if hint == (CONTIGUOUS, KEPT):
        option = "--no-contiguous"
    return " ".join(["convert", option, *([shlex.quote(text.format(*hint))] if text else [])])


def _keyword(hint: Hint) -> str:
    if hint[0] not in _OPTIONS:
        return _COMMAND
    _, _, name, value = _OPTIONS[hint[0]]
    return f"{name}={value(hint)!r}"
