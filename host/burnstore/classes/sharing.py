"""Classes and functions that several modules share, which differ in constants only."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from burnstore.classes.code import Code, Constant, Text, constants, replaced, with_loops, without_defaults
from burnstore.classes.identifiers import Names, is_word
from burnstore.classes.statements import Statement

_ENDS = ("channels", "features")  # of what layers call their inputs and outputs


@dataclass(frozen=True)
class Attribute:
    """A line of `__init__`. name: the attribute's."""

    name: str
    code: Code


@dataclass(frozen=True)
class Made:
    """What is written of one module that holds others.

    hint: what its class is called in the original. inputs, statements: of `forward`; None where it has none.
    comment: above the statements. is_function: whether a function makes it, by its only attribute.
    """

    hint: str
    attributes: tuple[Attribute, ...]
    inputs: tuple[str, ...] | None = None
    statements: tuple[Statement, ...] = ()
    comment: str = ""
    is_function: bool = False

    def constants(self) -> list[Constant]:
        """Return all its constants, in order."""
        codes = [each.code for each in self.attributes] + [code for _, code in self.statements]
        return [constant for code in codes for constant in constants(code)]

    def form(self) -> object:
        """Return what it has in common with others that can share its class."""
        attributes = [(each.name, _blank(each.code)) for each in self.attributes]
        statements = [(before, _blank(code)) for before, code in self.statements]
        return (self.hint, tuple(attributes), self.inputs, tuple(statements), self.comment, self.is_function)


@dataclass
class Shared:
    """A class or function that is written once. arguments: those of each module that is made by it."""

    name: str
    made: Made
    parameters: list[str]
    arguments: list[tuple[tuple[str, Code], ...]]


def shared(group: Sequence[Made], name: str, others: Container[str] = ()) -> Shared:
    """Return what modules of one form share.

    name: of the class or function. others: of those that it may call, which no parameter is called like.
    """
    own = group[0].constants()
    columns: dict[tuple[str, ...], list[int]] = {}
    for place, column in enumerate(zip(*[made.constants() for made in group], strict=True)):
        columns.setdefault(tuple([repr(constant.value) for constant in column]), []).append(place)
    slots = [places for values, places in columns.items() if len(set(values)) > 1]
    attributes = group[0].attributes
    names = _names(own, slots, Names(others, {each.name for each in attributes}))
    at = {place: name for name, places in zip(names, slots, strict=True) for place in places}
    inside = sum(len(list(constants(each.code))) for each in attributes)
    kept = [name for name, places in zip(names, slots, strict=True) if places[-1] >= inside]
    arguments = [_arguments(made.constants(), slots, names) for made in group]
    return Shared(name, _with(group[0], at, kept), names, arguments)


def _arguments(
    own: Sequence[Constant], slots: Sequence[list[int]], names: Sequence[str]
) -> tuple[tuple[str, Code], ...]:
    firsts = zip([own[places[0]] for places in slots], names, strict=True)
    return tuple([("", replace(each, role=name, is_usual=False)) for each, name in firsts])


def _with(made: Made, at: dict[int, str], kept: list[str]) -> Made:
    """Return what is written, with the names of parameters in place of the constants that vary.

    kept: those that `forward` reads, which are attributes, too.
    """
    place, is_inside = -1, True

    def change(constant: Constant) -> Code:
        nonlocal place
        place += 1
        if place not in at:
            return constant
        return Text(at[place] if is_inside else f"self.{at[place]}")

    attributes = [
        Attribute(each.name, with_loops(without_defaults(replaced(each.code, change))))
        for each in made.attributes
    ]
    attributes = [*[Attribute(name, Text(name)) for name in kept], *attributes]
    is_inside = False
    statements = [(before, without_defaults(replaced(code, change))) for before, code in made.statements]
    return replace(made, attributes=tuple(attributes), statements=tuple(statements))


def _blank(code: Code) -> Code:
    return replaced(code, lambda constant: Constant(None, constant.role, constant.owner))


def _names(own: Sequence[Constant], slots: Sequence[list[int]], names: Names) -> list[str]:
    """Return a name for each parameter, by what the constants that it stands for are called."""
    ins = [place for place, each in enumerate(own) if each.role.startswith("in_")]
    outs = [place for place, each in enumerate(own) if each.role.startswith("out_")]
    found: list[str] = []
    for places in slots:
        is_first, is_last = ins[:1] and ins[0] in places, outs[-1:] and outs[-1] in places
        constant = own[ins[0] if is_first else outs[-1] if is_last else places[0]]
        wishes = [wish for wish in _wishes(constant, bool(is_first), bool(is_last)) if is_word(wish)]
        found.append(names.take(next((wish for wish in wishes if wish not in names), wishes[0])))
    return found


def _wishes(constant: Constant, is_first: bool, is_last: bool) -> list[str]:
    """Return names for a parameter, the best first.

    constant: what it stands for. is_first, is_last: whether that comes into the first layer, and goes out of
    the last.
    """
    role, owner = constant.role, constant.owner.strip("_")
    end = next((end for end in _ENDS if role.endswith("_" + end)), None)
    best = role
    if end is not None:
        best = end if is_first and is_last else role if is_first or is_last else f"hidden_{end}"
    return [best, role, f"{owner}_{role}"] if role else ["value"]
