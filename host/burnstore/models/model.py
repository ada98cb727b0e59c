"""The user's own model, found by "FILE:CLASS"."""

import ast
import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from burnpack.errors import LoadFailed, Unsupported, printable
from burnpack.module import Module
from burnstore.models.told import told

NEEDED = "without a program in its file, a model is run by its class, which --module names"
NOT_NEEDED = "--module is not needed: the file has a program, which runs without the class"
_ALL = "*"
_SHOWN = 8  # names in an error


def load_module(spec: str) -> Module:
    """Return an instance of the class that `spec` names, as in "examples/mnist/model.py:MnistNet".

    The class derives from Module, or from torch.nn.Module. This runs the file. The class is called without
    arguments. Raises `LoadFailed`.
    """
    from burnstore.pytorch.torch_modules import is_torch_class, torch_module  # numpy, which few commands need

    path, name = file_and_class(spec)
    names = vars(_import(Path(path)))
    cls = names.get(name)
    if not isinstance(cls, type) or not (issubclass(cls, Module) or is_torch_class(cls)):
        what = "no class of this name that derives from Module, of burnpack or of torch.nn"
        raise LoadFailed(what, name, source=path, found=_classes(names))
    made = _made(cls, name, path)
    if not isinstance(made, cls):
        raise LoadFailed("the class makes something else than itself", name, source=path)
    return made if isinstance(made, Module) else torch_module(made)


def module_of(given: Any) -> Module:
    """Return the module that is meant: an instance or a class, of burnpack's or torch's, or "FILE:CLASS".

    Raises `LoadFailed` for what is none.
    """
    from burnstore.pytorch.torch_modules import is_torch_class, torch_module

    if isinstance(given, str):
        return load_module(given)
    name = getattr(given, "__name__", type(given).__name__)
    made = _made(given, name, None) if isinstance(given, type) else given
    if isinstance(made, Module):
        return made
    if is_torch_class(type(made)):
        return torch_module(made)
    raise LoadFailed("no module, of burnpack or of torch.nn", name)


def file_and_class(spec: str) -> tuple[str, str]:
    """Return the two parts of "FILE:CLASS". Raises `LoadFailed` where one is missing."""
    path, _, name = spec.rpartition(":")
    if not path or not name:
        raise LoadFailed('a module is named as "FILE:CLASS"', found=spec)
    return path, name


def class_in_source(spec: str) -> tuple[str, str]:
    """Return the source in which a class is, and its name, without running it.

    Raises `LoadFailed` for what is no Python, and where nothing in the file has the name.
    """
    file, name = file_and_class(spec)
    try:
        source = Path(file).read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError, RecursionError) as error:
        what = f"the model's source can't be read: {printable(str(error))}"
        raise LoadFailed(what, source=file) from error
    if not {name, _ALL} & set(_names_in(tree)):
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        raise LoadFailed("no class of this name", name, source=file, found=_shown(classes))
    return source, name


def _names_in(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a source defines or imports, wherever; `_ALL` where a star imports any."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name for alias in names)


def _classes(names: Mapping[str, object]) -> str:
    """Return the classes that a module defines itself, for an error."""
    classes = [(key, value) for key, value in names.items() if isinstance(value, type)]
    return _shown([key for key, value in classes if value.__module__ == names.get("__name__")])


def _shown(names: Sequence[str]) -> str:
    """Return names for an error, the first few of many."""
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "") or "none"


def load_runnable(spec: str) -> Module:
    """Return the same of a model that can run. Raises `Unsupported` for others.

    Whatever goes wrong in its forward pass is a `BurnpackError`.
    """
    from burnstore.models.passes import guarded
    from burnstore.pytorch.torch_modules.parts import TorchPart

    model = load_module(spec)
    if isinstance(model, TorchPart):
        what = "is PyTorch's: describe it in burnrt.nn to run it (its weights can be converted as they are)"
        raise Unsupported(what, spec)
    return guarded(model)


def _made(cls: type, name: str, path: str | None) -> Any:
    try:
        return cls()
    except (Exception, SystemExit) as error:
        what = f"the class can't be made without arguments: {told(error)}"
        raise LoadFailed(what, name, source=path) from error


def _import(path: Path) -> ModuleType:
    if not path.is_file():
        raise LoadFailed("no such file", source=str(path))
    spec = importlib.util.spec_from_file_location(f"_burnstore_model_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise LoadFailed("not a Python file", source=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))  # as when the file is run: it finds its neighbours
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise LoadFailed(f"can't be imported: {told(error)}", source=str(path)) from error
    finally:
        with suppress(ValueError):  # the file may have changed the list itself
            sys.path.remove(str(path.parent))
    return module
