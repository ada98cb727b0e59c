"""The graph: operations, and the values between them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from burnpack.module import Param
from burnrt.value import Value
from burnstore.graph.operations import Operation

# What is the same in each run: a parameter, numbers, or one number.
Source = Param | Value | float


class End(NamedTuple):
    """A value that goes into a network or comes out.

    shape: begins with the batch. last: what of an output is left to real numbers, "LogSoftmax" or nothing.
    """

    value: int
    shape: tuple[int, ...]
    last: str | None = None


class State(NamedTuple):
    """An input that a run leaves to the next. given: what goes in. next: the value that it becomes."""

    given: End
    next: int


class Planes(NamedTuple):
    """The layout of a value whose rows may be computed one after another."""

    channels: int
    height: int
    width: int


class Stripe(NamedTuple):
    """Which rows of another value, the whole, a value is. is_copy: of rows that are made elsewhere."""

    whole: int
    planes: Planes
    first: int
    rows: int
    is_copy: bool


@dataclass
class Network:
    """Operations in the order in which they run, each after those that it reads.

    inputs, outputs: what goes in and comes out. states: what else goes in, and is not given.
    sizes: of each value, by its number, how many numbers it holds. constants: of values that are the same in
    each run, by their numbers. floats: of values in floats within a network in integers, by their numbers,
    which value of the followed pass they are. wide: the same of values of 16 bits, indices among
    them. stripes: of values that
    are rows of others, by their numbers.
    """

    inputs: list[End]
    outputs: list[End]
    sizes: dict[int, int]
    operations: list[Operation] = field(default_factory=list)
    constants: dict[int, Source] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    floats: dict[int, int] = field(default_factory=dict)
    wide: dict[int, int] = field(default_factory=dict)
    stripes: dict[int, Stripe] = field(default_factory=dict)

    @property
    def input(self) -> int:
        """The value that is the first input."""
        return self.inputs[0].value

    @property
    def output(self) -> int:
        """The value that is the first output."""
        return self.outputs[0].value

    @property
    def input_shape(self) -> tuple[int, ...]:
        return self.inputs[0].shape

    @property
    def output_shape(self) -> tuple[int, ...]:
        return self.outputs[0].shape

    def followed(self, value: int) -> int:
        """Return the value of the followed pass whose numbers a value has."""
        value = self.wide.get(value, value)
        return self.floats.get(value, value)

    def is_output(self, value: int) -> bool:
        """Tell whether a value comes out of the network."""
        return any(value == end.value for end in self.outputs)

    def readers(self, value: int) -> list[Operation]:
        """Return the operations that read a value."""
        return [operation for operation in self.operations if value in operation.inputs]

    def only_reader(self, value: int) -> Operation | None:
        """Return the operation that reads a value which nobody else needs, or None."""
        readers = self.readers(value)
        return readers[0] if len(readers) == 1 and not self.is_output(value) else None

    def maker(self, value: int) -> Operation | None:
        """Return the operation that makes a value, or None of an input."""
        return next((found for found in self.operations if value in found.outputs), None)

    def drop(self, operation: Operation, replacement: int) -> None:
        """Take an operation out; who reads its output reads another value of its size instead."""
        self.operations.remove(operation)
        for reader in self.readers(operation.output):
            reader.inputs = tuple(
                replacement if value == operation.output else value for value in reader.inputs
            )
        self.outputs = [
            end._replace(value=replacement) if end.value == operation.output else end for end in self.outputs
        ]

    def replace(self, old: Operation, new: Operation) -> None:
        """Put an operation in the place of another."""
        self.operations[self.operations.index(old)] = new

    @property
    def given(self) -> list[End]:
        """All that goes in: inputs, then states."""
        return [*self.inputs, *(state.given for state in self.states)]

    def values(self) -> Iterator[int]:
        """Yield the inputs, the states, and what each operation makes and somebody reads, or has in it.

        None of these is in floats, or of 16 bits.
        """
        for end in self.given:
            yield end.value
        for operation in self.operations:
            yield from (
                value
                for value in operation.outputs
                if value is not None and value not in self.floats and value not in self.wide
            )
            yield from operation.within
