"""TorchScript archives: a pickle of modules, beside the code of their classes.

Which attributes of a class are its parameters and buffers stands at the top of its code, as in

    class Conv2d(Module):
      __parameters__ = ["weight", "bias", ]
      __buffers__ = []

The class `__torch__.a.b.C` stands in `code/__torch__/a/b.py`. The code is looked through, and never run.
"""

import re
from collections.abc import Sequence

from burnpack.errors import LimitExceeded, Unsupported
from burnpack.limits import Limits
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.budget import BASE, OBJECTS_PER_TENSOR
from burnstore.pytorch.constants import named_constants, unkept
from burnstore.pytorch.describe import join
from burnstore.pytorch.objects import Dict, Global, Opaque, Refused, Set
from burnstore.pytorch.rebuild import TensorView

FOLDER = "code/"
ATTRIBUTES = (TensorView, Refused, Opaque, Dict, Set, list, tuple)  # what may hold tensors
# What stands for a constant that the code names and the archive has not.
UNKEPT = Refused("a constant laid out for MKLDNN, which PyTorch does not write")
CODE = 8 << 20  # bytes of code that are looked through, of all files together
_CLASS = re.compile(r"^class (\w+)\(Module\):\n((?:  __(?:parameters|buffers)__ = \[.*\]\n)*)", re.MULTILINE)
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')

Places = dict[str, int]  # the names of a class's parameters and buffers, each with its place among them


class Classes:
    """The module classes in an archive, each with the names of its parameters and buffers."""

    def __init__(self, archive: ZipArchive) -> None:
        self._archive = archive
        self._files: dict[str, dict[str, Places]] = {}
        self._known: dict[Global, Places | None] = {}
        self._left = CODE
        self._seen: set[str] = set()

    def state_names(self, origin: Global) -> Places | None:
        """Return the names of a class's parameters and buffers, in this order; None if it is no module."""
        if origin not in self._known:
            file = f"{FOLDER}{origin.module.replace('.', '/')}.py"
            if file not in self._files:
                self._files[file] = parse_code(self._text(file))
            self._known[origin] = self._files[file].get(origin.name)
        return self._known[origin]

    def texts(self) -> list[str]:
        """Return all code of the archive."""
        return [self._text(file) for file in self._archive.names_in(FOLDER) if file.endswith(".py")]

    def _text(self, file: str) -> str:
        if not self._archive.has(file):
            return ""
        record = self._archive.record(file)
        self._left -= 0 if file in self._seen else record.size
        self._seen.add(file)
        if self._left < 0:
            raise LimitExceeded("there is too much code", record.name, expected=f"at most {CODE} bytes")
        return str(record.view(), "utf-8", "replace")


def parse_code(text: str) -> dict[str, Places]:
    """Return the module classes in a file of code, with the names of their parameters and buffers."""
    classes = {}
    for found in _CLASS.finditer(text):
        names = dict.fromkeys(_NAME.findall(found[2]))
        classes[found[1]] = {name: place for place, name in enumerate(names)}
    return classes


def read_module(
    root: object, constants: Sequence[object], archive: ZipArchive, limits: Limits
) -> tuple[Dict, list[tuple[str, object]]]:
    """Return a module's tensors, nested as the modules are, and (path, value) of what is beside them.

    A frozen module, which has no attribute `training`, keeps its weights among the constants of its code.
    """
    classes = Classes(archive)
    beside: list[tuple[str, object]] = []
    state = state_of(root, classes, limits, beside)
    if isinstance(root, Opaque) and _is_frozen(root):
        texts = [text for text in classes.texts() if "CONSTANTS" in text or "Constant" in text]
        named = named_constants(constants, texts, [key for key, _ in state.pairs], limits.tensors)
        state.pairs.extend(named.pairs)
        beside += [(name, UNKEPT) for name in unkept(texts)]
        constants = [None if isinstance(value, (TensorView, Refused)) else value for value in constants]
    beside += [(f"constants.{number}", value) for number, value in enumerate(constants)]
    return state, beside


def _is_frozen(root: Opaque) -> bool:
    pairs = root.state.pairs if isinstance(root.state, Dict) else []
    return not any(type(key) is str and key == "training" for key, _ in pairs)


def state_of(root: object, classes: Classes, limits: Limits, beside: list[tuple[str, object]]) -> Dict:
    """Return the tensors of a module's `state_dict()`, nested as the modules are.

    A module that is met twice becomes the same dict twice; one in itself becomes a dict in itself.
    beside: is given the attributes that are no parameters, buffers or modules.
    """
    if type(root) is not Opaque or classes.state_names(root.origin) is None:
        raise Unsupported("a TorchScript archive of something else than a module is not read here")
    made = {id(root): Dict()}
    pending = [("", root)]
    steps = BASE + OBJECTS_PER_TENSOR * limits.tensors  # modules that share no state have no more attributes
    while pending:
        path, module = pending.pop()
        target = made[id(module)]
        places = classes.state_names(module.origin) or {}
        attributes = module.state.pairs if type(module.state) is Dict else []
        steps -= len(attributes)
        if steps < 0:
            raise LimitExceeded("too many values to look through", "the pickle")
        values = {key: value for key, value in attributes if type(key) is str and key in places}
        names = sorted(values, key=places.__getitem__)
        target.pairs = [(name, values[name]) for name in names if values[name] is not None]
        for key, value in attributes:
            if type(value) is Opaque and classes.state_names(value.origin) is not None:
                if id(value) not in made:
                    made[id(value)] = Dict()
                    pending.append((join(path, key), value))
                target.pairs.append((key, made[id(value)]))
            elif type(value) in ATTRIBUTES and not (type(key) is str and key in places):
                beside.append((join(path, key), value))
    return made[id(root)]
