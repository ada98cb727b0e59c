"""A forward pass of the user's own code: whatever goes wrong in it is one error that says where."""

import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from burnpack.errors import BurnpackError, LoadFailed, Unsupported
from burnpack.module import Module
from burnrt.advice import advised
from burnrt.trace import paths_of
from burnrt.value import Value
from burnstore.models.told import told

_PYTHONS_OWN = sysconfig.get_path("stdlib")
_OURS = frozenset(("burnpack", "burnrt", "burnstore"))


def guarded(model: Module) -> Module:
    """Return the model, whose forward pass now raises nothing but `BurnpackError`, out of memory aside.

    The error names the part of the model that was at work, by its path or else its class, and the line of the
    user's code.
    """
    forward = getattr(model, "forward", None)

    def guard(*inputs: Any, **named: Any) -> Any:
        if forward is None:
            raise Unsupported("has no forward pass: def forward(self, x)", type(model).__name__)
        try:
            return forward(*inputs, **named)
        except BurnpackError as error:
            raise _placed(error, model) from error
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            what = f"its forward pass fails: {told(error)}"
            raise _placed(LoadFailed(what), model, error.__traceback__) from error

    vars(model)["forward"] = guard
    return model


def _placed(error: BurnpackError, model: Module, where: TracebackType | None = None) -> BurnpackError:
    """Return the error, told in which part of the model and on which line of a file it came up."""
    frames = list(_frames(where or error.__traceback__))
    theirs = [frame for frame in frames if not _is_ours(frame)]
    source = error.source
    if source is None and theirs:
        source = f"{theirs[-1][0].f_code.co_filename}:{theirs[-1][1]}"
    paths = paths_of(model)
    item = _item(error.item, _at_work(frames, paths) or model, paths)
    return error.about(item, source)


def _item(item: Any, part: Module, paths: dict[int, str]) -> Any:
    """Return what an error is about: where it says the part's class, or nothing, the part's path too."""
    kind = type(part).__name__
    name, path = str(kind if item is None else item), paths.get(id(part))
    if not path or not (name + ".").startswith(kind + "."):
        return name
    return f"{path}{name[len(kind) :]} ({kind})"


def _at_work(frames: list[tuple[FrameType, int]], paths: dict[int, str]) -> Module | None:
    """Return the innermost part of the model whose method was running."""
    for frame, _ in reversed(frames):
        part = frame.f_locals.get("self")
        if isinstance(part, Module) and id(part) in paths:
            return part
    return None


def _frames(where: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while where is not None:
        yield where.tb_frame, where.tb_lineno
        where = where.tb_next


def _is_ours(found: tuple[FrameType, int]) -> bool:
    """Tell whether a frame is of these packages, or of others that were installed or are Python's own."""
    name = str(found[0].f_globals.get("__name__", ""))
    file = Path(found[0].f_code.co_filename)
    is_pythons = str(file).startswith("<frozen") or file.is_relative_to(_PYTHONS_OWN)
    return is_pythons or name.partition(".")[0] in _OURS or "site-packages" in file.parts


def _torch_function(function: Any, types: Any, arguments: Any = (), named: Any = None) -> Any:
    """Answer a function of torch's that was given a value, by torch's protocol for foreign types."""
    raise advised(f"torch.{getattr(function, '__name__', 'function')}")


Value.__torch_function__ = staticmethod(_torch_function)  # type: ignore[attr-defined]
