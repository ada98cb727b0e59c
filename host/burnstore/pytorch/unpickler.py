"""The restricted unpickler: it reads structure, and imports, calls and hashes nothing of a pickle's.

Its operations are functions in `opcodes`, `opcodes_stack`, `opcodes_numbers` and `opcodes_data`; there are no
others. Python's own unpickler is faster and can't be used: it hashes a dict's keys, sizes its memo by what
the pickle claims, and appends to whatever has an `append`.
"""

import io
from collections.abc import Callable, Mapping
from typing import Any

from burnpack.errors import BurnpackError, LimitExceeded, Malformed, Truncated, printable
from burnstore.pytorch import opcodes, opcodes_data, opcodes_numbers, opcodes_stack
from burnstore.pytorch.allowed import look_up
from burnstore.pytorch.budget import NAMES, Budget
from burnstore.pytorch.builders import Bytes
from burnstore.pytorch.objects import Builder, Global
from burnstore.pytorch.opcodes_stack import Stop

LINE = 1 << 20  # bytes of a number, name or text that ends with its line, as protocol 0 writes them

Names = Mapping[tuple[str, str], Builder]
_Operation = Callable[[Any], None]


class Unpickler:
    """Reads one pickle from `file`, which is at its start, and leaves `file` behind its end.

    size: of the whole file, in bytes.
    load_storage: returns what stands for a persistent id.
    budget: what this pickle and others of the same file may cost.
    names: more names that mean something in this pickle, and what stands for calling them.

    What operations see of it, besides `find_class`, `readline` and `pop_mark`:

    stack: the values since the last mark. metastack: the stacks below it. append: puts a value on the stack.
    kept: the memo. protocol: what the pickle says it is written in. read, tell: the file's. count,
    count_value: the budget's.
    """

    def __init__(
        self,
        file: io.BufferedIOBase,
        size: int,
        load_storage: Callable[[object], object],
        budget: Budget,
        names: Names | None = None,
    ) -> None:
        self.size = size
        self.tell = file.tell
        self.read = file.read
        self.stack: list[Any] = []
        self.metastack: list[list[Any]] = []
        self.append = self.stack.append
        self.kept: list[Any] = []
        self.protocol = 0
        self.budget = budget
        self.count = budget.count
        self.count_value = budget.count_value
        self.load_storage = load_storage
        self._line = file.readline
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
            # Operations have many ways to stumble over bytes that make no sense.
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
        except Stop as stop:
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

    def pop_mark(self) -> list[Any]:
        """Return the values since the last mark, and go on with the stack below it."""
        values = self.stack
        self.stack = self.metastack.pop()
        self.append = self.stack.append
        return values

    def readline(self) -> bytes:
        """Return the next line, with its end."""
        line = self._line(LINE)
        if line.endswith(b"\n"):
            return line
        if len(line) == LINE:
            raise LimitExceeded(
                "a line of the pickle is too long", "the pickle", expected=f"at most {LINE} bytes"
            )
        raise Truncated("the pickle is cut short", "the pickle", offset=self.size)


_OPERATIONS: dict[bytes, _Operation] = {
    **{bytes((code,)): opcodes.refuse for code in range(256)},
    **opcodes.OPERATIONS,
    **opcodes_stack.OPERATIONS,
    **opcodes_numbers.OPERATIONS,
    **opcodes_data.OPERATIONS,
}
