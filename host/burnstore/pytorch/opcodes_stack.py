"""The pickle's operations on the stack, and on names, as the restricted unpickler has them.

Each takes the unpickler. What makes no sense raises any error: the unpickler tells what became of the pickle.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from burnpack.errors import LimitExceeded

if TYPE_CHECKING:
    from burnstore.pytorch.unpickler import Unpickler


class Stop(Exception):
    """The pickle is over. value: the object that it describes."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


def check_protocol(machine: Unpickler) -> None:
    """Note which protocol the pickle is written in; refuse one that is not known."""
    machine.protocol = machine.read(1)[0]
    if machine.protocol > pickle.HIGHEST_PROTOCOL:
        raise ValueError(f"unsupported pickle protocol: {machine.protocol}")


def skip_frame(machine: Unpickler) -> None:
    """A frame's size only helps to read ahead."""
    machine.read(8)


def stop(machine: Unpickler) -> None:
    """The top is the pickle's object."""
    raise Stop(machine.stack.pop())


def mark(machine: Unpickler) -> None:
    """Start collecting what belongs together."""
    if len(machine.metastack) >= machine.budget.marks_most:
        raise LimitExceeded(
            "nested too deeply", "the pickle", expected=machine.budget.marks_most, offset=machine.tell()
        )
    machine.metastack.append(machine.stack)
    machine.stack = []
    machine.append = machine.stack.append


def drop(machine: Unpickler) -> None:
    """Take the top off, or the mark where nothing is above it."""
    if machine.stack:
        machine.stack.pop()
    else:
        machine.pop_mark()


def drop_marked(machine: Unpickler) -> None:
    """Take all off since the mark."""
    machine.pop_mark()


def repeat(machine: Unpickler) -> None:
    """Put the top on the stack once more."""
    machine.append(machine.stack[-1])


# Names: of classes and functions, which are not imported, and of storages.


def name_by_lines(machine: Unpickler) -> None:
    """A class or function, named by two lines."""
    module, name = [str(machine.readline()[:-1], "utf-8") for _ in range(2)]
    machine.append(machine.find_class(module, name))


def name_by_stack(machine: Unpickler) -> None:
    """A class or function, named by the two texts at the top."""
    name = machine.stack.pop()
    module = machine.stack.pop()
    if type(name) is not str or type(module) is not str:
        raise ValueError("a class is named by what is no text")
    machine.append(machine.find_class(module, name))


def refer_by_line(machine: Unpickler) -> None:
    """What a persistent id stands for, which is a line."""
    machine.append(machine.load_storage(str(machine.readline()[:-1], "ascii")))


def refer_by_stack(machine: Unpickler) -> None:
    """What the persistent id at the top stands for."""
    machine.append(machine.load_storage(machine.stack.pop()))


OPERATIONS: dict[bytes, Callable[[Any], None]] = {
    pickle.PROTO: check_protocol,
    pickle.FRAME: skip_frame,
    pickle.STOP: stop,
    pickle.MARK: mark,
    pickle.POP: drop,
    pickle.POP_MARK: drop_marked,
    pickle.DUP: repeat,
    pickle.GLOBAL: name_by_lines,
    pickle.STACK_GLOBAL: name_by_stack,
    pickle.PERSID: refer_by_line,
    pickle.BINPERSID: refer_by_stack,
}
