"""Several modules of MicroPython, made one source.

simple    without what MicroPython does not need: docstrings, annotations, what is for other interpreters
modules   what each module binds: statements, constants, imports; and what an import means
scopes    which names of a function are its own
qualify   every other name in a statement, replaced by the symbol that it means
merge     what the entries reach, in order, under names that do not clash
shorter   arguments and private attributes by shorter names, which take less of an .mpy
written   the source
"""

from burnstore.boards.runtime.merging.merge import merged
from burnstore.boards.runtime.merging.modules import Sources, Symbol
from burnstore.boards.runtime.merging.shorter import shorten
from burnstore.boards.runtime.merging.written import written

__all__ = ["Sources", "Symbol", "merged", "shorten", "written"]
