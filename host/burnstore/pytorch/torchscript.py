"""TorchScript archives: a pickle of modules, beside the code of their classes.

Which attributes of a class are its parameters and buffers stands at the top of its code, as in

    class Conv2d(Module):
      __parameters__ = ["weight", "bias", ]
      __buffers__ = []

The class `__torch__.a.b.C` stands in `code/__torch__/a/b.py`. The code is looked through, and never run.
"""

import re

from burnpack.errors import LimitExceeded, Unsupported
from burnpack.limits import Limits
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.budget import BASE, OBJECTS_PER_TENSOR
from burnstore.pytorch.objects import Dict, Global, Opaque

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

    def state_names(self, origin: Global) -> Places | None:
        """Return the names of a class's parameters and buffers, in this order; None if it is no module."""
        if origin not in self._known:
            file = f"code/{origin.module.replace('.', '/')}.py"
            if file not in self._files:
                self._files[file] = parse_code(self._text(file))
            self._known[origin] = self._files[file].get(origin.name)
        return self._known[origin]

    def _text(self, file: str) -> str:
        if not self._archive.has(file):
            return ""
        record = self._archive.record(file)
        self._left -= record.size
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


def state_of(root: object, archive: ZipArchive, limits: Limits) -> Dict:
    """Return the tensors of a module's `state_dict()`, nested as the modules are.

    A module that is met twice becomes the same dict twice; one in itself becomes a dict in itself.
    """
    classes = Classes(archive)
    if type(root) is not Opaque or classes.state_names(root.origin) is None:
        raise Unsupported("a TorchScript archive of something else than a module is not read here")
    made = {id(root): Dict()}
    pending = [root]
    steps = BASE + OBJECTS_PER_TENSOR * limits.tensors  # modules that share no state have no more attributes
    while pending:
        module = pending.pop()
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
                    pending.append(value)
                target.pairs.append((key, made[id(value)]))
    return made[id(root)]
