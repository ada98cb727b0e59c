"""The pickle's operations that make, change or call something, as the restricted unpickler has them.

Each takes the unpickler. `stack` holds the values since the last mark, `metastack` the stacks below it.
What an operation does to an object depends on the object's exact type, which is a plain value's or one
of `objects`; whatever else it finds there makes the pickle malformed.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from burnpack.errors import Malformed
from burnstore.pytorch.builders import COPIES, construct, set_state, weight
from burnstore.pytorch.objects import Dict, Global, Opaque, Set

if TYPE_CHECKING:
    from burnstore.pytorch.unpickler import Unpickler


def refuse(machine: Unpickler) -> None:
    """An operation that no checkpoint needs: extension codes, buffers outside the pickle, or no operation."""
    raise Malformed("the pickle has an unknown operation", "the pickle", offset=machine.tell() - 1)


# Containers.


def make_empty_tuple(machine: Unpickler) -> None:
    """The tuple of nothing, of which there is one."""
    machine.append(())


def make_tuple(machine: Unpickler) -> None:
    """Make a tuple of all since the mark."""
    machine.count()
    items = machine.pop_mark()  # before `append` is looked up: it becomes another
    machine.append(tuple(items))


def make_tuple_1(machine: Unpickler) -> None:
    """Make a tuple of the top."""
    machine.count()
    machine.stack[-1] = (machine.stack[-1],)


def make_tuple_2(machine: Unpickler) -> None:
    """Make a tuple of the two at the top."""
    machine.count()
    stack = machine.stack
    last = stack.pop()
    stack[-1] = (stack[-1], last)


def make_tuple_3(machine: Unpickler) -> None:
    """Make a tuple of the three at the top."""
    machine.count()
    stack = machine.stack
    last = stack.pop()
    middle = stack.pop()
    stack[-1] = (stack[-1], middle, last)


def make_empty_list(machine: Unpickler) -> None:
    """Make a list."""
    machine.count()
    machine.append([])


def make_list(machine: Unpickler) -> None:
    """Make a list of all since the mark."""
    machine.count()
    items = machine.pop_mark()
    machine.append(items)


def make_empty_dict(machine: Unpickler) -> None:
    """Make a dict."""
    machine.count()
    machine.append(Dict())


def make_dict(machine: Unpickler) -> None:
    """Make a dict of the keys and values since the mark."""
    machine.count()
    made = Dict()
    made.pairs = _pairs(machine, machine.pop_mark())
    machine.append(made)


def make_empty_set(machine: Unpickler) -> None:
    """Make a set."""
    machine.count()
    machine.append(Set([]))


def make_set(machine: Unpickler) -> None:
    """Make a frozenset of all since the mark."""
    machine.count()
    items = machine.pop_mark()
    machine.append(Set(items))


def _pairs(machine: Unpickler, items: list[object]) -> list[tuple[object, object]]:
    if len(items) % 2:
        raise Malformed("a dict of the pickle has a key without a value", "the pickle")
    for _ in range(len(items) // 2):  # before they take memory
        machine.count()
    return list(zip(items[::2], items[1::2], strict=True))


def _add_items(target: object, items: list[object]) -> None:
    if type(target) is list:
        target.extend(items)
    elif type(target) is Set:
        target.items.extend(items)
    elif type(target) is Opaque:
        if target.items is None:
            target.items = []
        target.items.extend(items)
    else:
        raise Malformed("the pickle appends to what is no list", "the pickle", found=type(target).__name__)


def _add_pairs(machine: Unpickler, target: object, items: list[object]) -> None:
    if type(target) is Dict:
        target.pairs.extend(_pairs(machine, items))
    elif type(target) is Opaque:
        if target.pairs is None:
            target.pairs = []
        target.pairs.extend(_pairs(machine, items))
    else:
        raise Malformed("the pickle stores in what is no dict", "the pickle", found=type(target).__name__)


def append(machine: Unpickler) -> None:
    """Append the top to the list below it."""
    item = machine.stack.pop()
    _add_items(machine.stack[-1], [item])


def append_all(machine: Unpickler) -> None:
    """Append all since the mark to the list or set below it."""
    items = machine.pop_mark()
    _add_items(machine.stack[-1], items)


def store(machine: Unpickler) -> None:
    """Store a key and its value in the dict below them."""
    value = machine.stack.pop()
    key = machine.stack.pop()
    _add_pairs(machine, machine.stack[-1], [key, value])


def store_all(machine: Unpickler) -> None:
    """Store the keys and values since the mark in the dict below it."""
    items = machine.pop_mark()
    _add_pairs(machine, machine.stack[-1], items)


# Calls: nothing is called but the stand-in of an allowed name.


def _made(machine: Unpickler, origin: object, arguments: object) -> object:
    machine.count()
    made = construct(origin, arguments)
    if type(made) in COPIES:
        for _ in range(weight(made)):
            machine.count()
    return made


def call(machine: Unpickler) -> None:
    """Stand for a call of the function or class below the arguments."""
    arguments = machine.stack.pop()
    machine.stack[-1] = _made(machine, machine.stack[-1], arguments)


def call_with_names(machine: Unpickler) -> None:
    """Stand for a call with named arguments, which no allowed name takes and an opaque object forgets."""
    names = machine.stack.pop()
    origin = machine.stack[-2]
    if type(names) is not Dict or type(origin) is not Global or (names.pairs and origin.build is not None):
        raise Malformed("a call has named arguments that make no sense", "the pickle", offset=machine.tell())
    call(machine)


def call_marked(machine: Unpickler) -> None:
    """Stand for a call; the class and its arguments are all since the mark."""
    items = machine.pop_mark()
    machine.append(_made(machine, items[0], tuple(items[1:])))


def call_named(machine: Unpickler) -> None:
    """Stand for a call; the class is named by two lines, its arguments are all since the mark."""
    module, name = [str(machine.readline()[:-1], "ascii") for _ in range(2)]
    arguments = tuple(machine.pop_mark())
    machine.append(_made(machine, machine.find_class(module, name), arguments))


def set_up(machine: Unpickler) -> None:
    """Set the state of the object below the top."""
    state = machine.stack.pop()
    set_state(machine.stack[-1], state)


OPERATIONS: dict[bytes, Callable[[Any], None]] = {
    pickle.EMPTY_TUPLE: make_empty_tuple,
    pickle.TUPLE: make_tuple,
    pickle.TUPLE1: make_tuple_1,
    pickle.TUPLE2: make_tuple_2,
    pickle.TUPLE3: make_tuple_3,
    pickle.EMPTY_LIST: make_empty_list,
    pickle.LIST: make_list,
    pickle.EMPTY_DICT: make_empty_dict,
    pickle.DICT: make_dict,
    pickle.EMPTY_SET: make_empty_set,
    pickle.FROZENSET: make_set,
    pickle.APPEND: append,
    pickle.APPENDS: append_all,
    pickle.ADDITEMS: append_all,
    pickle.SETITEM: store,
    pickle.SETITEMS: store_all,
    pickle.REDUCE: call,
    pickle.NEWOBJ: call,
    pickle.NEWOBJ_EX: call_with_names,
    pickle.OBJ: call_marked,
    pickle.INST: call_named,
    pickle.BUILD: set_up,
}
