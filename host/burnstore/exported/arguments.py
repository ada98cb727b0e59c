"""The arguments of operations: in a program's JSON each is a union of many kinds, with one key."""

from collections.abc import Callable, Container, Mapping

from burnpack.errors import Unsupported
from burnstore.exported import kinds
from burnstore.exported.graph import Argument, Ref
from burnstore.exported.items import Item

Numbers = Mapping[str, int | float | bool]


class Arguments:
    """Reads arguments. defined: the values that there are by now. numbers: those that are plain numbers."""

    def __init__(self, defined: Container[str], numbers: Numbers) -> None:
        self._defined = defined
        self._numbers = numbers

    def read(self, item: Item) -> Argument:
        """Return an argument."""
        key, value = item.union()
        read = _READERS.get(key)
        if read is None:
            raise Unsupported("an argument of a kind that is not read here", item.place, found=key)
        return read(self, value)

    def tensor(self, item: Item) -> Argument:
        """Return a value of the graph, given by its name."""
        name = item.field("name").text()
        if name not in self._defined:
            raise item.malformed("a value is read that is not defined before", found=name)
        return Ref(name)

    def symbolic(self, item: Item) -> Argument:
        """Return a number, which may be given by a name."""
        key, value = item.union()
        if key != "as_name":
            return self.read(item)
        name = value.text()
        if name not in self._numbers:
            raise value.malformed("a number is read that is not defined", found=name)
        return self._numbers[name]


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
    "as_optional_tensor": Arguments.read,
    "as_optional_tensors": _each(Arguments.read),
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
