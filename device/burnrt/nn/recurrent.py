"""What recurrent layers share: time steps one after the other, a state between them, gates."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import kernels, value
from burnrt.nn.layer import Layer
from burnrt.nn.linear import Linear
from burnrt.nn.module import Module
from burnrt.nn.working import working

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls, Gate, NumberBuffer
    from burnrt.value import Value


class State:
    """What a layer of one direction knows of the time steps before: Burn's LstmState or RnnState.

    It is for streaming, with `step` and `forward_with_state`, which change it in place. The layer's
    `initial_state` makes one.

    hidden: a `Value` [batch, hidden_size], what the layer answered last.
    cell: the same for an `Lstm`, which remembers in it; None for others.
    """

    hidden: "Value"
    cell: "Value | None"

    def __init__(self, hidden: "Value", cell: "Value | None" = None) -> None:
        self.hidden = hidden
        self.cell = cell

    def clear(self) -> None:
        """Forget all: as before the first time step, all numbers are zeros."""
        kernels.fill(self.hidden.data, 0, len(self.hidden.data), 0.0)
        if self.cell is not None:
            kernels.fill(self.cell.data, 0, len(self.cell.data), 0.0)


class GateController(Module):
    """One gate of a recurrent layer: the sum of two Linears.

    input_transform: a Linear of (input_size, hidden_size), for the input.
    hidden_transform: a Linear of (hidden_size, hidden_size), for the hidden state.
    bias: whether they have biases.
    """

    input_transform: "Linear"
    hidden_transform: "Linear"

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        self.input_transform = Linear(input_size, hidden_size, bias)
        self.hidden_transform = Linear(hidden_size, hidden_size, bias)

    def numbers(self) -> "Gate":
        """Return weight and bias for the input, then those for the hidden state, read in place."""
        read, kept = self.input_transform.weights, self.hidden_transform.weights
        return read("weight"), read("bias"), kept("weight"), kept("bias")


class Recurrent(Layer):
    """What `Lstm`, `Gru` and `Rnn` share: how a sequence goes through layers of one or two directions.

    Input [steps, batch, input_size], or with batch_first [batch, steps, input_size], or of one sample
    [steps, input_size]. `layer(input, state)` returns (output, state), as PyTorch does. In the output, of the
    input's rank, a step has output_size numbers: those of the hidden state after it, with two directions both
    ones. The state is that after the last step: a `Value` [states, batch, hidden_size], or without a batch
    [states, hidden_size], and where there are cells a pair of these; the states are as many as the layers,
    times the directions. Without a state before the first step its numbers are zeros.

    Each says in `call(x, out, state, work, sizes, places)` which kernel takes its time steps, and what of. Of
    several layers or two directions it has no gates of its own: it is a list of layers,
    or a layer called `forward` and one called `reverse`, as Burn's parameters are named.

    gates: their names.
    sizes: input_size, hidden_size.
    num_layers, bias, batch_first, bidirectional: as in the layers.
    make: returns a part of (input_size, bidirectional).
    kind: the name of Burn's layer.
    has_cell: whether there are cells.
    states: how many states there are.
    spares: how many buffers of the hidden state's size its kernel works in.
    """

    input_size: int
    hidden_size: int
    output_size: int
    batch_first: bool
    states: int
    kind: str

    # Each says which.
    call: "Callable[..., tuple[Any, tuple[Any, ...]]]"

    has_cell = False
    spares = 3

    def __init__(
        self,
        gates: "Iterable[str]",
        sizes: tuple[int, int],
        num_layers: int,
        bias: bool,
        batch_first: bool,
        bidirectional: bool,
        make: "Callable[[int, bool], Recurrent]",
    ) -> None:
        """sizes: input_size, hidden_size. make: returns a part of (input_size, bidirectional)."""
        self.input_size, self.hidden_size = sizes
        self.check_sizes(1, hidden_size=self.hidden_size, num_layers=num_layers)
        self.check_sizes(0, input_size=self.input_size)
        self.batch_first = batch_first
        directions = 2 if bidirectional else 1
        self.output_size = directions * self.hidden_size
        self.states = directions * num_layers
        self._is_list = num_layers > 1
        self._layers: "tuple[Recurrent, ...]" = ()
        if self._is_list:
            inputs = [self.input_size] + [self.output_size] * (num_layers - 1)
            self._layers = tuple([make(size, bidirectional) for size in inputs])
        elif bidirectional:
            self._layers = tuple([make(self.input_size, False) for _ in range(2)])
        else:
            for gate in gates:
                setattr(self, gate, GateController(self.input_size, self.hidden_size, bias))

    def output_shape(self, shape: "Shape", *_: "Shape") -> "Shape":
        """Return the shape of the output for an input of `shape`."""
        if len(shape) not in (2, 3) or shape[-1] != self.input_size or min(shape) < 1:
            order = "batch, steps" if self.batch_first else "steps, batch"
            self.refuse(shape, "[%s, %d]" % (order, self.input_size))
        return tuple(shape[:-1]) + (self.output_size,)

    def forward(self, input: "Value", state: "Any" = None) -> "tuple[Value, Any]":  # type: ignore[override]
        """Return (output, state), as PyTorch does.

        input: a `Value`.
        state: the state before the first step, which stays as it is; None for zeros.
        """
        if not hasattr(input, "through"):
            self.refuse_input(input)
        shapes = (self.output_shape(input.shape),) + (self._state_shape(input.shape),) * self.parts()
        made = input.into(shapes, self, *self.given(state, shapes[1]))
        return made[0], made[1:] if self.has_cell else made[1]

    def forward_with_state(self, input: "Value", state: "Any" = None) -> "tuple[Value, Any]":
        """Return (output, state): the answer to all time steps, and the state after the last.

        input: a `Value`.
        state: as `initial_state` makes it; it is brought up to date, and is the one that is returned, so that
            no other is allocated. Without one, the layer begins with `initial_state`.

        Raises `Unsupported` in a pass that is planned: call the layer there.
        """
        if getattr(input, "graph", None) is not None:  # a pass that is followed
            what = "forward_with_state can't be planned: call the layer, which takes and gives a state too"
            raise Unsupported(what, type(self).__name__)
        output = value.allocate(self.output_shape(input.shape))
        if state is None:
            state = self.initial_state(self.layout(input.shape)[0])
        for kernel, arguments in self.bind_state(input, output, state):
            kernel(*arguments)
        return output, state

    def bind(self, input: "Value", *values: "Any") -> "Calls":
        """Return the calls that fill the output, and the parts of the state after the last step.

        input: a `Value`.
        values: the parts of the state to begin with, unless it is zeros; the output; the parts of the state
            after the last step, unless nobody needs them. One that nobody needs may also be None.
        """
        parts = self.parts()
        after: "Sequence[Any]" = (None,) * parts
        if len(values) > parts:
            values, after = values[:-parts], values[-parts:]
        after = self.kept(after, self._state_shape(input.shape))
        calls = self.begun(values[:-1], after)
        return calls + self.bind_state(input, values[-1], self.state_of(after, 0))

    def begun(self, before: "Sequence[Value]", after: "Sequence[Value]") -> "Calls":
        """Return the calls that give the parts of a state the numbers that they begin with, or zeros."""
        calls: "Calls" = []
        for place, part in enumerate(after):
            size = len(part.data)
            if before:
                calls.append((kernels.copy_rows, (before[place].data, 0, size, part.data, 0, size, 1, size)))
            else:
                calls.append((kernels.fill, (part.data, 0, size, 0.0)))
        return calls

    def layout(self, shape: "Shape") -> tuple[int, int, int, int]:
        """Return how an input of `shape` lies: batch, steps, and from one sample and one step to the next.

        The latter two are counted in rows of input_size.
        """
        if len(shape) == 2:
            return 1, shape[0], 0, 1
        if self.batch_first:
            return shape[0], shape[1], shape[1], 1
        return shape[1], shape[0], 1, shape[1]

    def parts(self) -> int:
        """Return how many parts a state has."""
        return 2 if self.has_cell else 1

    def _state_shape(self, shape: "Shape") -> "Shape":
        batch = () if len(shape) == 2 else (self.layout(shape)[0],)
        return (self.states,) + batch + (self.hidden_size,)

    def given(self, state: "Any", shape: "Shape") -> "tuple[Value, ...]":
        """Return the parts of a state as PyTorch has it. Raises `InvalidTensor` for another."""
        if state is None:
            return ()
        parts = state if self.has_cell else (state,)
        fits = isinstance(parts, (tuple, list)) and len(parts) == self.parts()
        if not fits or [getattr(part, "shape", None) for part in parts] != [shape] * len(parts):
            expected = ("(h, c), each %r" if self.has_cell else "h %r") % (list(shape),)
            found: "Any" = [getattr(part, "shape", type(part).__name__) for part in parts] if fits else None
            found = found or type(state).__name__
            raise InvalidTensor("wrong state", type(self).__name__, None, None, expected, found)
        return tuple(parts)

    def kept(self, parts: "Sequence[Any]", shape: "Shape") -> "Sequence[Value]":
        """Return the parts of a state, with the layer's own buffers in place of None."""
        if all([part is not None for part in parts]):
            return parts
        own = getattr(self, "_own", ())
        if not own or own[0].shape != shape:
            self._own = own = [value.allocate(shape) for _ in parts]
        return [mine if part is None else part for part, mine in zip(parts, own)]

    def children(self) -> "list[tuple[str, Any]]":
        if not self._layers:
            return super().children()
        names = range(len(self._layers)) if self._is_list else ("forward", "reverse")
        return [(str(name), layer) for name, layer in zip(names, self._layers)]

    def container(self) -> str:
        if self._is_list:
            return "Vec"
        return "Struct:Bi" + self.kind if self._layers else super().container()

    def check_settings(self, dropout: float, proj_size: int) -> None:
        """Check the arguments that Burn's layers have nothing for. Raises `Unsupported`, `InvalidTensor`.

        dropout: 0 to 1; it is kept.
        proj_size: 0.
        """
        if not 0 <= dropout <= 1:
            self.refuse_argument("dropout", dropout, "is 0 to 1")
        if proj_size:
            self.refuse_argument("proj_size", proj_size, "Burn's has no projection of the hidden state")
        self.dropout = dropout

    def initial_state(self, batch: int = 1) -> "Any":
        """Return a new `State` for `batch` samples, before the first time step.

        Of several layers or two directions it is a tuple with what each of them has.
        """
        if self._layers:
            return tuple([layer.initial_state(batch) for layer in self._layers])
        shape = (batch, self.hidden_size)
        state = State(value.allocate(shape), value.allocate(shape) if self.has_cell else None)
        state.clear()
        return state

    def state_of(self, parts: "Sequence[Value]", first: int) -> "Any":
        """Return the same as `initial_state` does, from PyTorch's parts of a state: numbers are shared.

        parts: `Value`s [states, batch, hidden_size].
        first: which of the states is the layer's first.
        """
        if self._layers:
            step = self.states // len(self._layers)
            return tuple([layer.state_of(parts, first + at * step) for at, layer in enumerate(self._layers)])
        size = len(parts[0].data) // parts[0].shape[0]
        shape = (size // self.hidden_size, self.hidden_size)
        # The data are buffers.
        rows = [memoryview(part.data)[first * size : (first + 1) * size] for part in parts]  # type: ignore[arg-type]
        return State(*[value.Value(numbers, shape) for numbers in rows])

    def step(self, input: "Value", state: "Any") -> "Value":
        """Take one time step; return the hidden state, which is part of `state` and changes with it.

        input: a `Value` [batch, input_size], or [input_size] for one sample, as a sensor gives it.
        state: as `initial_state` makes it; it is brought up to date.
        """
        if self._layers:
            return self._step_of_all(input, state)
        inputs = self.input_size
        batch = input.shape[0] if len(input.shape) == 2 else 1
        if input.shape not in ((inputs,), (batch, inputs)):
            self.refuse(input.shape, "[batch, %d]" % inputs)
        kernel, arguments = self.bound(input, None, state, (batch, 1, 1, 1), (0, 0, False))
        kernel(*arguments)
        return state.hidden  # type: ignore[no-any-return] # it was checked

    def _step_of_all(self, input: "Value", state: "Any") -> "Value":
        if self.states != len(self._layers) or not self._is_list:
            raise Unsupported("a step can't be taken in two directions", type(self).__name__)
        self._check_tuple(state)
        for layer, own in zip(self._layers, state):
            input = layer.step(input, own)
        return input

    def bind_state(
        self, input: "Value", output: "Value", state: "Any", offset: int = 0, backwards: bool = False
    ) -> "Calls":
        """Return the calls that fill the output and bring `state` up to date.

        input, output: `Value`s.
        offset: where in a row of the output this direction's numbers begin.
        backwards: whether the last step comes first.
        """
        if self._layers:
            return self._calls_of_all(input, output, state)
        row = (output.shape[-1], offset, backwards)
        return [self.bound(input, output.data, state, self.layout(input.shape), row)]

    def _calls_of_all(self, input: "Value", output: "Value", state: "Any") -> "Calls":
        self._check_tuple(state)
        if not self._is_list:
            onwards, backwards = self._layers
            calls = onwards.bind_state(input, output, state[0])
            return calls + backwards.bind_state(input, output, state[1], self.hidden_size, True)
        # Each reads what the one before has written: in two buffers by turns, at last in the output.
        buffers = [output, working(self, output.shape)[0]]
        calls, turn = [], len(self._layers)
        for layer, own in zip(self._layers, state):
            turn -= 1
            calls += layer.bind_state(input, buffers[turn % 2], own)
            input = buffers[turn % 2]
        return calls

    def bound(
        self,
        input: "Value",
        out: "NumberBuffer | None",
        state: "Any",
        layout: tuple[int, int, int, int],
        row: tuple[int, int, bool],
    ) -> "tuple[Any, tuple[Any, ...]]":
        """Return the call of the kernel. layout: as `layout` returns it. row: the rest of its places."""
        batch, steps = layout[:2]
        self._check(state, batch)
        shapes = ((batch, self.input_size),) + ((batch, self.hidden_size),) * self.spares
        work = tuple([part.data for part in working(self, *shapes)])
        sizes = (batch, steps, self.input_size, self.hidden_size)
        return self.call(input.data, out, state, work, sizes, layout[2:] + row)

    def _check(self, state: object, batch: int) -> None:
        for name in ("hidden", "cell") if self.has_cell else ("hidden",):
            found = getattr(getattr(state, name), "shape", None) if isinstance(state, State) else None
            if found != (batch, self.hidden_size):
                expected = "%s [%d, %d]" % (name, batch, self.hidden_size)
                raise InvalidTensor("wrong state", type(self).__name__, None, None, expected, found)

    def _check_tuple(self, state: object) -> None:
        if not isinstance(state, (tuple, list)) or len(state) != len(self._layers):
            expected, found = (
                "%d states, as initial_state makes them" % len(self._layers),
                type(state).__name__,
            )
            raise InvalidTensor("wrong state", type(self).__name__, None, None, expected, found)
