"""The user's own model, found by "FILE:CLASS"."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from burnpack.errors import LoadFailed
from burnpack.module import Module


def load_module(spec: str) -> Module:
    """Return an instance of the class that `spec` names, as in "examples/mnist/model.py:MnistNet".

    The class derives from Module, or from torch.nn.Module. This runs the file. The class is called without
    arguments. Raises `LoadFailed`.
    """
    from burnstore.torch_modules import is_torch_class, torch_module  # numpy, which few commands need

    path, separator, name = spec.rpartition(":")
    if not separator or not path or not name:
        raise LoadFailed('a module is named as "FILE:CLASS"', None, None, None, None, spec)
    cls = getattr(_import(Path(path)), name, None)
    if not isinstance(cls, type) or not (issubclass(cls, Module) or is_torch_class(cls)):
        what = "no class of this name that derives from Module, of burnpack or of torch.nn"
        raise LoadFailed(what, name, path)
    try:
        made = cls()
    except Exception as error:
        raise LoadFailed(
            f"the class can't be made without arguments: {type(error).__name__}: {error}", name, path
        ) from error
    return made if isinstance(made, Module) else torch_module(made)


def _import(path: Path) -> ModuleType:
    if not path.is_file():
        raise LoadFailed("no such file", None, str(path))
    spec = importlib.util.spec_from_file_location(f"_burnstore_model_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise LoadFailed("not a Python file", None, str(path))
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))  # as when the file is run: it finds its neighbours
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise LoadFailed(f"can't be imported: {type(error).__name__}: {error}", None, str(path)) from error
    finally:
        sys.path.remove(str(path.parent))
    return module
