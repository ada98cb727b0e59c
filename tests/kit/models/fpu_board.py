"""The float kernels in inline assembler on an emulated chip, with an FPU.

Their Python runs here, under stand-ins for MicroPython's modules, and their machine code on the emulator.
"""

import importlib.util
import math
import sys
from array import array
from pathlib import Path
from types import ModuleType

import numpy as np

from burnrt import kernels
from kit.int8.unicorn_thumb import Buffer, Chip, address, functions

CHIP = "armv7emsp"  # with floats of 32 bits; code for one with floats of 64 bits too is the same
PACKAGE = "burnrt.kernels.thumb_fpu"
FOLDER = Path(kernels.__file__).parent / "thumb_fpu"
FAMILIES = tuple(sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "memory")))


class Floats:
    """Floats in flash, as `weights` gives them on a board."""

    def __init__(self, values, place=None):
        self.buffer = Buffer(np.asarray(values, "<f4").tobytes(), remainder=place)


class Board:
    """The kernels, on a chip.

    edge: the remainder by 4 at which x and out begin a page, or None, where they end one. instructions: how
    many it has done.
    """

    def __init__(self, modules):
        self.chip, self.edge = Chip(CHIP), None
        self.instructions, self._kept, self._out = 0, {}, None
        stand_in(modules, "micropython", const=int, asm_thumb=lambda written: written)
        stand_in(modules, "uctypes", struct=Floats, sizeof=lambda floats: len(floats.buffer.data))
        stand_in(modules, PACKAGE)
        self.memory = self._load(modules, "memory")
        self.memory._apart, self.memory.keep = lambda *buffers: 0, self._keep
        self._families = [self._load(modules, family) for family in FAMILIES]

    def run(self, kernel, before, count, after):
        """Return what a kernel puts into a buffer of `count` numbers."""
        self._out = array("f", [math.nan] * count)
        (run,) = (getattr(family, kernel) for family in self._families if hasattr(family, kernel))
        run(*before, self._out, *after)
        return np.array(self._out)

    def _load(self, modules, name):
        path = FOLDER / (name + ".py")
        spec = importlib.util.spec_from_file_location(PACKAGE + "." + name, path)
        module = importlib.util.module_from_spec(spec)
        modules.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        for assembled, code in functions(path, CHIP).items():
            setattr(module, assembled, self._calling(code))
        return module

    def _keep(self, words, offset, buffer):
        kept = self._kept.setdefault(id(words), {})
        kept.pop(offset, None)
        words[offset // 4] = 0
        if buffer is not None:
            kept[offset] = self._given(buffer)

    def _calling(self, code):
        def call(*arguments):
            kept = {}
            for words in arguments:
                kept = self._kept.get(id(words), kept)
            for number, offset in enumerate(kept, len(arguments)):
                arguments[-1][offset // 4] = address(number, kept[offset])
            done = self.chip.call(code, *map(self._given, arguments), *kept.values())
            for argument, data in zip(arguments, done.buffers, strict=False):
                if self._is_writable(argument):
                    argument[:] = array(argument.typecode, data)
            assert done.result == 0  # a larger number would be an object on the board's heap
            self.instructions += done.instructions

        return call

    def _given(self, argument):
        if isinstance(argument, array):
            return Buffer(argument.tobytes(), self._is_writable(argument), self.edge)
        return argument.buffer if isinstance(argument, Floats) else argument

    def _is_writable(self, argument):
        return isinstance(argument, array) and (argument is self._out or argument.typecode == "i")


def stand_in(modules, name, **members):
    module = ModuleType(name)
    vars(module).update(members)
    modules.setitem(sys.modules, name, module)
