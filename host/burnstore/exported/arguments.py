"""The arguments of operations: in a program's JSON each is a union of many kinds, with one key."""

from collections.abc import Callable, Container, Mapping

from burnpack.errors import Unsupported
from burnstore.exported import kinds
from burnstore.exported.graph import Argument
from burnstore.exported.items import Item
from burnstore.exported.symbols import Number


class Arguments:
    """Reads arguments.

    values: what the names of values stand for by now. number: returns the number that a name stands for.
    """

    def __init__(self, values: Mapping[str, Argument], number: Callable[[Item], Number]) -> None:
        self._values = values
        self._number = number

    def read(self, item: Item, kinds: Container[str] | None = None) -> Argument:
        """Return an argument. kinds: that it may be of; None for all."""
        key, value = item.union()
        if key not in (_READERS if kinds is None else kinds):
            raise Unsupported("an argument of a kind that is not read here", item.place, found=key)
        return _READERS[key](self, value)

    def tensor(self, item: Item) -> Argument:
        """Return a value of the graph, given by its name."""
        name = item.field("name").text()
        if name not in self._values:
            raise item.malformed("a value is read that is not defined before", found=name)
        return self._values[name]

    def optional(self, item: Item) -> Argument:
        """Return a value of the graph, or none."""
        return self.read(item, ("as_tensor", "as_none"))

    def symbolic(self, item: Item) -> Argument:
        """Return a number, which may be given by a name."""
        key, value = item.union()
        return self._number(value) if key == "as_name" else self.read(item, ("as_int", "as_float", "as_bool"))


def _each(read: Callable[[Arguments, Item], Argument]) -> Callable[[Arguments, Item], Argument]:
    return lambda arguments, item: tuple([read(arguments, part) for part in item.items()])


def _none(arguments: Arguments, item: Item) -> Argument:
    return None


def _device(arguments: Arguments, item: Item) -> Argument:
    index = item.get("index")
    name = item.field("type").text()
    return name if index is None else f"{name}:{index.integer()}"


def _complex(arguments: Arguments, item: Item) -> Argument:
    return complex(item.field("real").number(), item.field("imag").number())


def _graph(arguments: Arguments, item: Item) -> Argument:
    return item.field("name").text()  # the operation, which is none of ATen's, is refused by its name


_int, _float = lambda _, item: item.integer(), lambda _, item: item.number()
_READERS: dict[str, Callable[[Arguments, Item], Argument]] = {
    "as_none": _none,
    "as_tensor": Arguments.tensor,
    "as_tensors": _each(Arguments.tensor),
    "as_optional_tensor": Arguments.optional,
    "as_optional_tensors": _each(Arguments.optional),
    "as_nested_tensors": _each(_each(Arguments.tensor)),
    "as_int": _int,
    "as_ints": _each(_int),
    "as_int_lists": _each(_each(_int)),
    "as_float": _float,
    "as_floats": _each(_float),
    "as_float_lists": _each(_each(_float)),
    "as_bool": lambda _, item: item.flag(),
    "as_bools": _each(lambda _, item: item.flag()),
    "as_string": lambda _, item: item.text(),
    "as_strings": _each(lambda _, item: item.text()),
    "as_operator": lambda _, item: item.text(),
    "as_complex": _complex,
    "as_sym_int": Arguments.symbolic,
    "as_sym_ints": _each(Arguments.symbolic),
    "as_sym_float": Arguments.symbolic,
    "as_sym_floats": _each(Arguments.symbolic),
    "as_sym_bool": Arguments.symbolic,
    "as_sym_bools": _each(Arguments.symbolic),
    "as_scalar_type": lambda _, item: kinds.scalar_type(item),
    "as_layout": lambda _, item: kinds.layout(item),
    "as_memory_format": lambda _, item: kinds.memory_format(item),
    "as_device": _device,
    "as_graph": _graph,
}
