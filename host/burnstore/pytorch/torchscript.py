"""TorchScript archives: a pickle of modules, beside the code of their classes.

Which attributes of a class are its parameters and buffers stands at the top of its code, as in

    class Conv2d(Module):
      __parameters__ = ["weight", "bias", ]
      __buffers__ = []

The class `__torch__.a.b.C` stands in `code/__torch__/a/b.py`. The code is looked through, and never run.
"""

import re

from burnpack.errors import LimitExceeded, Unsupported
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.objects import Dict, Global, Opaque

CODE = 16 << 20  # bytes of one file of code
_CLASS = re.compile(r"class (\w+)\(Module\):")
_NAMES = re.compile(r"  __(?:parameters|buffers)__ = \[(.*)\]")
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')


class Classes:
    """The module classes in an archive, each with the names of its parameters and buffers."""

    def __init__(self, archive: ZipArchive) -> None:
        self._archive = archive
        self._files: dict[str, dict[str, list[str]]] = {}

    def state_names(self, origin: Global) -> list[str] | None:
        """Return the names of a class's parameters and buffers, in this order; None if it is no module."""
        file = f"code/{origin.module.replace('.', '/')}.py"
        if file not in self._files:
            self._files[file] = parse_code(self._text(file))
        return self._files[file].get(origin.name)

    def _text(self, file: str) -> str:
        if not self._archive.has(file):
            return ""
        record = self._archive.record(file)
        if record.size > CODE:
            raise LimitExceeded("the code is too long", record.name, expected=CODE, found=record.size)
        return str(record.view(), "utf-8", "replace")


def parse_code(text: str) -> dict[str, list[str]]:
    """Return the module classes in a file of code, with the names of their parameters and buffers."""
    classes: dict[str, list[str]] = {}
    names: list[str] = []
    for line in text.splitlines():
        started = _CLASS.fullmatch(line)
        if started is not None:
            names = classes[started[1]] = []
        elif not line.startswith(" "):
            names = []  # of what is no module
        listed = _NAMES.fullmatch(line)
        if listed is not None:
            names.extend(_NAME.findall(listed[1]))
    return classes


def state_of(root: object, archive: ZipArchive) -> Dict:
    """Return the tensors of a module's `state_dict()`, nested as the modules are.

    A module that is met twice becomes the same dict twice; one in itself becomes a dict in itself.
    """
    classes = Classes(archive)
    if type(root) is not Opaque or classes.state_names(root.origin) is None:
        raise Unsupported("a TorchScript archive of something else than a module is not read here")
    made = {id(root): Dict()}
    pending = [root]
    while pending:
        module = pending.pop()
        target = made[id(module)]
        names = classes.state_names(module.origin) or []
        attributes = module.state.pairs if type(module.state) is Dict else []
        values = {key: value for key, value in attributes if type(key) is str}
        target.pairs = [(name, values[name]) for name in names if values.get(name) is not None]
        for key, value in attributes:
            if type(value) is Opaque and classes.state_names(value.origin) is not None:
                if id(value) not in made:
                    made[id(value)] = Dict()
                    pending.append(value)
                target.pairs.append((key, made[id(value)]))
    return made[id(root)]
