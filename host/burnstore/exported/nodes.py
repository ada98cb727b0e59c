"""The operations of an exported program.

What lies in a graph of its own, as under `torch.no_grad`, is put in line.
"""

from burnpack.errors import BurnpackError, LimitExceeded, Unsupported
from burnstore.exported import metas
from burnstore.exported.arguments import Arguments
from burnstore.exported.graph import Argument, Graph, Node, Place, Ref
from burnstore.exported.items import Item
from burnstore.exported.places import parse_places, source_line
from burnstore.exported.symbols import Number, Symbols

OPERATIONS = "torch.ops."  # before the names of operations
DEPTH = 32  # of graphs in graphs
# Operations that run a graph as it is: the argument that is the graph, and what others must be for that.
_IN_LINE: dict[str, tuple[int, dict[int, Argument]]] = {
    "higher_order.wrap_with_set_grad_enabled": (1, {}),
    "higher_order.wrap_with_autocast": (4, {2: False}),  # enabled
}
_ASSERT = "aten._assert_scalar.default"
NUMBERS = ("sym_int_values", "sym_float_values", "sym_bool_values")


class Scope:
    """The values of one graph of a program, while its operations are read.

    values: what each name stands for by now. outer: the scope of the graph that this one lies in.
    """

    def __init__(self, item: Item, symbols: Symbols, graph: Graph, outer: "Scope | None" = None) -> None:
        self.values: dict[str, Argument] = {}
        self._item = item
        self._symbols = symbols
        self._graph = graph
        self._metas = dict(item.field("tensor_values").pairs())
        self._depth: int = outer._depth + 1 if outer else 0
        self._nodes: dict[str, int] = outer._nodes if outer else {}
        self._inner: dict[str, int] = outer._inner if outer else dict.fromkeys(self._metas, 0)
        self._places: dict[str, Place] = outer._places if outer else {}
        found = [item.get(key) for key in NUMBERS]
        self._numbers = {name: number for part in found if part for name, number in part.pairs()}
        self.arguments = Arguments(self.values, self._number)

    def define(self, name: Item) -> str:
        """Make a value of the graph; return what it is called there."""
        text = name.text()
        meta = self._metas.get(text)
        if text in self.values:
            raise name.malformed("two values of one name", found=text)
        if meta is None:
            raise name.malformed("a value has no entry in tensor_values", found=text)
        unique = _unique(text, self._inner) if self._depth else text
        self._graph.specs[unique] = metas.spec(meta, self._symbols)
        self.values[text] = Ref(unique)
        return unique

    def add(self, node: Item) -> None:
        """Add an operation to the graph, unless it makes nothing but numbers, which are known."""
        operation = node.field("target").text().removeprefix(OPERATIONS)
        made = [part.union() for part in node.field("outputs").items()]
        if made and all(key.startswith("as_sym_") for key, _ in made):
            return
        if operation in _IN_LINE:
            self._put_in_line(operation, node)
            return
        arguments = self._read(node.field("inputs"))
        if operation == _ASSERT and self._holds(node, arguments):
            return
        outputs = [name for key, value in made for name in self._outputs(key, value)]
        self._graph.nodes.append(self._node(node, operation, arguments, outputs))

    def _number(self, item: Item) -> Number:
        """Return a number that the graph has under a name."""
        found = self._numbers.get(item.text())
        if found is None:
            raise item.malformed("a number is read that is not defined", found=item.text())
        return self._symbols.number(found)

    def _read(self, inputs: Item) -> dict[str, Argument]:
        arguments: dict[str, Argument] = {}
        for number, given in enumerate(inputs.items()):
            name = given.field("name").text() or str(number)
            if name in arguments:
                raise given.malformed("two arguments of one name", found=name)
            arguments[name] = self.arguments.read(given.field("arg"))
        return arguments

    def _holds(self, node: Item, arguments: dict[str, Argument]) -> bool:
        """Tell whether an assertion is of a number, which must hold."""
        if arguments.get("self") is False:
            what = f"the program is not made for these extents: {arguments.get('assert_msg')}"
            raise Unsupported(what, node.place, found=self._symbols.values)
        return not isinstance(arguments.get("self"), Ref)

    def _outputs(self, key: str, value: Item) -> list[str]:
        """Define what an output of a node is; return the names of its values, "" for none."""
        if key == "as_tensor":
            return [self.define(value.field("name"))]
        if key == "as_tensors":
            return [self.define(part.field("name")) for part in value.items()]
        if key == "as_none" or key.startswith("as_sym_"):
            return [""]
        raise Unsupported("an operation makes what is not read here", value.place, found=key)

    def _node(self, item: Item, operation: str, arguments: dict[str, Argument], outputs: list[str]) -> Node:
        metadata = item.field("metadata")
        stack, trace = metadata.get("nn_module_stack"), metadata.get("stack_trace")
        try:
            places = parse_places(stack.text(), self._places) if stack else ()
        except BurnpackError as error:
            raise error.about(metadata.place, None) from None
        given = item.get("name")
        name = given.text() if given else next(filter(None, outputs), operation)
        name = _unique(name, self._nodes)
        line = source_line(trace.text(), places) if trace else ""
        return Node(name, operation, arguments, tuple(outputs), places, line)

    def _put_in_line(self, operation: str, node: Item) -> None:
        """Add the operations of a graph that is an argument, given the arguments behind it."""
        at, settings = _IN_LINE[operation]
        given = [part.field("arg") for part in node.field("inputs").items()]
        if len(given) <= at or given[at].union()[0] != "as_graph":
            raise node.malformed("an operation that should run a graph has none")
        for number, needed in settings.items():
            found = self.arguments.read(given[number])
            if found != needed:
                what = f"{operation} is not read here with this argument"
                raise Unsupported(what, given[number].place, expected=needed, found=found)
        if self._depth >= DEPTH:
            raise LimitExceeded("graphs are nested too deeply", node.place, expected=f"at most {DEPTH}")
        inner = Scope(given[at].union()[1].field("graph"), self._symbols, self._graph, self)
        answers = inner.run([self.arguments.read(part) for part in given[at + 1 :]])
        outputs = [name for part in node.field("outputs").items() for name in _named(part)]
        if len(outputs) != len(answers):
            raise node.malformed("a graph answers another number of values", len(outputs), len(answers))
        self._name(outputs, answers)

    def run(self, given: list[Argument]) -> list[Argument]:
        """Add all operations, whose inputs are given; return what the graph answers."""
        names = [name for item in self._item.field("inputs").items() for name in _named(item)]
        if len(names) != len(given):
            raise self._item.malformed("a graph is given another number of values", len(names), len(given))
        self._name(names, given)
        for node in self._item.field("nodes").items():
            self.add(node)
        return [self.arguments.read(item) for item in self._item.field("outputs").items()]

    def _name(self, names: list[Item | None], values: list[Argument]) -> None:
        for name, value in zip(names, values, strict=True):
            if name is not None and isinstance(value, tuple):
                raise name.malformed("a list of values has the name of one")
            if name is not None:
                self.values[name.text()] = value


def _named(item: Item) -> list[Item | None]:
    """Return the names of the values that an input or output is; None for what is no tensor."""
    key, value = item.union()
    if key == "as_tensor":
        return [value.field("name")]
    return [part.field("name") for part in value.items()] if key == "as_tensors" else [None]


def _unique(name: str, taken: dict[str, int]) -> str:
    """Return a name that nothing has, the given one or with a number, which is taken then.

    taken: the names that there are, and the last number behind each.
    """
    unique = name
    while unique in taken:
        taken[name] += 1
        unique = f"{name}_{taken[name]}"
    taken[unique] = 0
    return unique
