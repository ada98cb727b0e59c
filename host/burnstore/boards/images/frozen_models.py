"""Which models a folder for a firmware build has: written beside them, so that the next one adds to them."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from burnpack.errors import BurnpackError, Malformed
from burnstore.boards.images.names import check_name
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.bundle import Bundle, bundle
from burnstore.programs.uses import Uses

RECORD = "models.json"
FORMS = ("c-module", "portable", "module")  # by the assembler, as a C array, as a literal in a .py


@dataclass(frozen=True)
class Frozen:
    """A model in a firmware.

    name: what the board imports. form: of FORMS. uses: what its program calls; None without one, as then its
    class runs it. modules: of the packages, what finding, loading and running it takes.
    """

    name: str
    form: str
    uses: Uses | None
    modules: tuple[str, ...]


def read_models(folder: Path) -> list[Frozen]:
    """Return the models that a folder has, as its record says. Raises `Malformed` for what is no record."""
    path = folder / RECORD
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["models"]
        return [_model(row) for row in rows]
    except FileNotFoundError:
        return []
    except (BurnpackError, ValueError, TypeError, LookupError, RecursionError):
        raise Malformed(
            "no record of `burnstore freeze`: freeze into another folder", source=str(path)
        ) from None


def record(models: Iterable[Frozen]) -> bytes:
    """Return the record of models."""
    rows = [asdict(model) | {"uses": model.uses and model.uses._asdict()} for model in models]
    return (json.dumps({"models": rows}, indent=2) + "\n").encode()


def with_model(models: Iterable[Frozen], model: Frozen) -> list[Frozen]:
    """Return the models with one more, or in place of that of its name, sorted."""
    return [
        found for _, found in sorted(({each.name: each for each in models} | {model.name: model}).items())
    ]


def runtime_for(models: Iterable[Frozen], architecture: str | None) -> Bundle | list[str]:
    """Return the one runtime of all models: a bundle, or, where a class runs one of them, modules."""
    found = list(models)
    used = [model.uses for model in found if model.uses is not None]
    if len(used) == len(found):
        return bundle(used, architecture)
    return sorted({name for model in found for name in model.modules})


def _model(row: Any) -> Frozen:
    check_name(row["name"])
    if row["form"] not in FORMS:
        raise ValueError(row["form"])
    uses = row["uses"] and Uses(*(_texts(row["uses"][field]) for field in Uses._fields))
    modules = _texts(row["modules"])
    if not set(modules) <= set(runtime.modules()):
        raise ValueError(modules)
    return Frozen(row["name"], row["form"], uses, modules)


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(values)
    return tuple(values)
