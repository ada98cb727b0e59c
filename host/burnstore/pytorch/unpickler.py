"""The restricted unpickler: it reads structure, and imports, calls and hashes nothing of a pickle's.

It is Python's own unpickler in its pure form, whose operations can be exchanged one by one. The
operations that decode a number or a short text are Python's; those that make, change or call something,
and those that believe a size, are in `opcodes` and `opcodes_data`; there are no others. Python's compiled
unpickler is faster and can't be used: it hashes a dict's keys, sizes its memo by what the pickle claims,
and appends to whatever has an `append`.
"""

import io
import pickle
from collections.abc import Callable, Mapping
from typing import Any

from burnpack.errors import BurnpackError, LimitExceeded, Malformed, Truncated, printable
from burnstore.pytorch import opcodes, opcodes_data
from burnstore.pytorch.allowed import look_up
from burnstore.pytorch.budget import NAMES, Budget
from burnstore.pytorch.builders import Bytes
from burnstore.pytorch.objects import Builder, Global

LINE = 1 << 20  # bytes of a number, name or text that ends with its line, as protocol 0 writes them

Names = Mapping[tuple[str, str], Builder]
_Operation = Callable[[Any], None]


class Unpickler(pickle._Unpickler):
    """Reads one pickle from `file`, which is at its start, and leaves `file` behind its end.

    size: of the whole file, in bytes.
    load_storage: returns what stands for a persistent id.
    budget: what this pickle and others of the same file may cost.
    names: more names that mean something in this pickle, and what stands for calling them.
    """

    stack: list[Any]
    metastack: list[list[Any]]
    append: Callable[[Any], None]
    read: Callable[[int], bytes]
    pop_mark: Callable[[], list[Any]]
    encoding: str
    errors: str
    proto: int
    _file_readline: Callable[[int], bytes]

    def __init__(
        self,
        file: io.BufferedIOBase,
        size: int,
        load_storage: Callable[[object], object],
        budget: Budget,
        names: Names | None = None,
    ) -> None:
        # Texts that Python 2 wrote are UTF-8, or bytes, which survive this way.
        super().__init__(file, encoding="utf-8", errors="surrogateescape")
        self.size = size
        self.tell = file.tell
        self.read = file.read
        self.stack = []
        self.metastack = []
        self.append = self.stack.append
        self.kept: list[Any] = []  # the memo
        self.budget = budget
        self.count = budget.count
        self.count_value = budget.count_value
        self._load_storage = load_storage
        self._names = {**Bytes(budget.count).names(), **(names or {})}
        self._globals: dict[tuple[str, str], Global] = {}

    def load(self) -> Any:
        """Return the object. Nothing but `BurnpackError` is raised, whatever the bytes are."""
        try:
            return self._run()
        except BurnpackError:
            raise
        except StopIteration:
            raise LimitExceeded(
                "the pickle makes too many objects", "the pickle", offset=self.tell()
            ) from None
        except MemoryError:
            self.stack.clear()  # so that there is memory for the error
            self.metastack.clear()
            self.kept.clear()
            raise LimitExceeded(
                "not enough memory for the pickle", "the pickle", offset=self.tell()
            ) from None
        except Exception as error:
            # Python's operations have many ways to stumble over bytes that make no sense.
            if self.tell() >= self.size:
                raise Truncated("the pickle is cut short", "the pickle", offset=self.size) from error
            what = f"the pickle is damaged: {printable(str(error))}"
            raise Malformed(what, "the pickle", offset=self.tell()) from error

    def _run(self) -> Any:
        read = self.read
        operations = _OPERATIONS
        try:
            for _ in self.budget.operations:
                operations[read(1)](self)
        except pickle._Stop as stop:  # type: ignore[attr-defined]
            return stop.value
        raise LimitExceeded(
            "the pickle has too many operations", "the pickle", expected=self.budget.operations_most
        )

    def find_class(self, module: str, name: str) -> Global:
        """Return what stands for a name: one object for each name, made for this pickle."""
        found = self._globals.get((module, name))
        if found is None:
            if len(self._globals) >= NAMES:
                raise LimitExceeded("the pickle names too many classes", "the pickle", offset=self.tell())
            found = self._globals[module, name] = Global(module, name, self._build(module, name))
        return found

    def _build(self, module: str, name: str) -> Builder | None:
        return self._names.get((module, name)) or look_up(module, name)

    def persistent_load(self, pid: Any) -> Any:
        """Return what stands for a persistent id."""
        return self._load_storage(pid)

    def readline(self) -> bytes:
        """Return the next line, with its end."""
        line = self._file_readline(LINE)
        if line.endswith(b"\n"):
            return line
        if len(line) == LINE:
            raise LimitExceeded(
                "a line of the pickle is too long", "the pickle", expected=f"at most {LINE} bytes"
            )
        raise Truncated("the pickle is cut short", "the pickle", offset=self.size)


# What Python's own unpickler does harmlessly: it puts a name, or a value that takes no memory, on the stack,
# or takes one off.
_INHERITED = (
    pickle.PROTO,
    pickle.STOP,
    pickle.POP,
    pickle.POP_MARK,
    pickle.DUP,
    pickle.NONE,
    pickle.NEWTRUE,
    pickle.NEWFALSE,
    pickle.BININT1,
    pickle.EMPTY_TUPLE,
    pickle.GLOBAL,
    pickle.STACK_GLOBAL,
    pickle.PERSID,
    pickle.BINPERSID,
)
# What it does likewise, with values that are counted.
_INHERITED_VALUES = (
    pickle.INT,
    pickle.BININT,
    pickle.BININT2,
    pickle.LONG,
    pickle.LONG1,
    pickle.FLOAT,
    pickle.BINFLOAT,
    pickle.STRING,
    pickle.SHORT_BINSTRING,
    pickle.UNICODE,
    pickle.SHORT_BINUNICODE,
    pickle.SHORT_BINBYTES,
)


def _counted(operation: _Operation) -> _Operation:
    def run(machine: Unpickler) -> None:
        machine.count_value()
        operation(machine)

    return run


def _table() -> dict[bytes, _Operation]:
    table: dict[bytes, _Operation] = {bytes((code,)): opcodes.refuse for code in range(256)}
    for code in _INHERITED:
        table[code] = pickle._Unpickler.dispatch[code[0]]
    for code in _INHERITED_VALUES:
        table[code] = _counted(pickle._Unpickler.dispatch[code[0]])
    return table | opcodes.OPERATIONS | opcodes_data.OPERATIONS


_OPERATIONS = _table()
