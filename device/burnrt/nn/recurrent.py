"""What recurrent layers share: time steps one after the other, a state between them, gates."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import kernels, value
from burnrt.nn.layer import Layer
from burnrt.nn.linear import Linear
from burnrt.nn.module import Module
from burnrt.nn.working import working


class State:
    """What a recurrent layer knows of the time steps before: Burn's LstmState or RnnState.

    hidden: a `Value` [batch, hidden_size], what the layer answered last. cell: the same for an `Lstm`, which
    remembers in it; None for others. `initial_state` of the layer makes one.
    """

    def __init__(self, hidden, cell=None):
        self.hidden = hidden
        self.cell = cell

    def clear(self):
        """Forget all: as before the first time step, all numbers are zeros."""
        kernels.fill(self.hidden.data, 0, len(self.hidden.data), 0.0)
        if self.cell is not None:
            kernels.fill(self.cell.data, 0, len(self.cell.data), 0.0)


class GateController(Module):
    """One gate: a Linear for the input, a Linear for the hidden state."""

    def __init__(self, input_size, hidden_size, bias=True):
        self.input_transform = Linear(input_size, hidden_size, bias)
        self.hidden_transform = Linear(hidden_size, hidden_size, bias)

    def numbers(self):
        """Return weight and bias for the input, then those for the hidden state, read in place."""
        transforms = (self.input_transform, self.hidden_transform)
        return [transform.weights(name) for transform in transforms for name in ("weight", "bias")]


def gate_product(numbers, x, hidden, out, spare, rows, inputs, size):
    """out = input_transform(x) + hidden_transform(hidden), of a gate with these `numbers`.

    x: (rows, inputs). hidden, out, spare: (rows, size), three buffers; spare is room to work in.
    """
    kernels.linear(x, numbers[0], numbers[1], out, rows, inputs, size)
    kernels.linear(hidden, numbers[2], numbers[3], spare, rows, size, size)
    kernels.add(out, spare, out, rows * size)


class Recurrent(Layer):
    """What layers of one and of two directions share.

    Input [steps, batch, input_size], or with batch_first [batch, steps, input_size], or of one sample
    [steps, input_size]. In the output, of the same rank, a step has hidden_size numbers: those of the
    hidden state after it, with two directions both ones.
    """

    def output_shape(self, shape):
        if len(shape) not in (2, 3) or shape[-1] != self.input_size or min(shape) < 1:
            order = "batch, steps" if self.batch_first else "steps, batch"
            self.refuse(shape, "[%s, %d]" % (order, self.input_size))
        return tuple(shape[:-1]) + (self.output_size,)

    def forward_with_state(self, input, state=None):
        """Return (output, state): the answer to all time steps, and the state after the last.

        state: what is known of the steps before; it is brought up to date, and is the one that is returned.
            Without one, the layer begins with `initial_state`.
        """
        if hasattr(input, "graph"):  # a pass that is followed
            raise Unsupported("forward_with_state can't be planned", type(self).__name__)
        output = value.allocate(self.output_shape(input.shape))
        if state is None:
            state = self.initial_state(self.layout(input.shape)[0])
        for kernel, arguments in self.bind_state(input, output, state):
            kernel(*arguments)
        return output, state

    def bind(self, input, output):
        return self.bind_state(input, output, None)

    def layout(self, shape):
        """Return how an input of `shape` lies: batch, steps, and from one sample and one step to the next.

        The latter two are counted in rows of input_size.
        """
        if len(shape) == 2:
            return 1, shape[0], 0, 1
        if self.batch_first:
            return shape[0], shape[1], shape[1], 1
        return shape[1], shape[0], 1, shape[1]


class OneWay(Recurrent):
    """What layers of one direction share. What PyTorch can be asked for and Burn does not have is refused.

    Each says in `gates()` which gates it has, and in `advance(gates, x, state, spares, rows)` how a time step
    changes the state.
    """

    spares = 3  # buffers of the hidden state's size that `advance` works in
    has_cell = False

    def __init__(self, gates, input_size, hidden_size, num_layers, bias, batch_first, bidirectional):
        name = type(self).__name__
        self.check_sizes(1, hidden_size=hidden_size, num_layers=num_layers)
        self.check_sizes(0, input_size=input_size)
        if num_layers != 1:
            raise Unsupported("has one layer: make a list of %d" % num_layers, name)
        if bidirectional:
            raise Unsupported("has one direction: Bi%s has two" % name, name)
        for gate in gates:
            setattr(self, gate, GateController(input_size, hidden_size, bias))
        self.input_size = input_size
        self.hidden_size = self.output_size = hidden_size
        self.batch_first = batch_first
        self._state = None

    def check_settings(self, dropout, proj_size):
        """Keep what only matters in training; raise `Unsupported` for what Burn's layers have nothing for."""
        if not 0 <= dropout <= 1:
            self.refuse_argument("dropout", dropout, "is 0 to 1")
        if proj_size:
            self.refuse_argument("proj_size", proj_size, "Burn's has no projection of the hidden state")
        self.dropout = dropout

    def initial_state(self, batch=1):
        """Return a new `State` for `batch` samples, before the first time step."""
        shape = (batch, self.hidden_size)
        state = State(value.allocate(shape), value.allocate(shape) if self.has_cell else None)
        state.clear()
        return state

    def step(self, input, state):
        """Take one time step; return the hidden state, which is part of `state` and changes with it.

        input: a `Value` [batch, input_size], or [input_size] for one sample, as a sensor gives it.
        state: brought up to date.
        """
        inputs = self.input_size
        batch = input.shape[0] if len(input.shape) == 2 else 1
        if input.shape not in ((inputs,), (batch, inputs)):
            self.refuse(input.shape, "[batch, %d]" % inputs)
        self._check(state, batch)
        self.advance(self._numbers(), input.data, state, self._work(batch)[1], batch)
        return state.hidden

    def bind_state(self, input, output, state, offset=0, backwards=False):
        """Return the calls that fill the output and bring `state` up to date.

        state: None for one of the layer's own, which is cleared first.
        offset: where in a row of the output this direction's numbers begin.
        backwards: whether the last step comes first.
        """
        batch, steps, batch_step, step = self.layout(input.shape)
        calls = []
        if state is None:
            state = self._own_state(batch)
            calls.append((state.clear, ()))
        self._check(state, batch)
        order = range(steps - 1, -1, -1) if backwards else range(steps)
        places = (batch, batch_step, step, output.shape[-1], offset)
        row, spares = self._work(batch)
        arguments = (input.data, output.data, state, self._numbers(), row, spares, order, places)
        return calls + [(self._follow, arguments)]

    def _follow(self, x, out, state, gates, row, spares, order, places):
        batch, batch_step, step, width, offset = places
        inputs, size, hidden = self.input_size, self.hidden_size, state.hidden.data
        for number in order:
            at = number * step
            kernels.copy_rows(x, at * inputs, batch_step * inputs, row, 0, inputs, batch, inputs)
            self.advance(gates, row, state, spares, batch)
            kernels.copy_rows(hidden, 0, size, out, at * width + offset, batch_step * width, batch, size)

    def _own_state(self, batch):
        if self._state is None or len(self._state.hidden) != batch:
            self._state = self.initial_state(batch)
        return self._state

    def _numbers(self):
        return [gate and gate.numbers() for gate in self.gates()]

    def _work(self, batch):
        """Return buffers to work in: one for the inputs of a time step, and a list of the spares."""
        shapes = ((batch, self.input_size),) + ((batch, self.hidden_size),) * self.spares
        buffers = [part.data for part in working(self, *shapes)]
        return buffers[0], buffers[1:]

    def _check(self, state, batch):
        for name in ("hidden", "cell") if self.has_cell else ("hidden",):
            found = getattr(getattr(state, name, None), "shape", None)
            if found != (batch, self.hidden_size):
                expected = "%s [%d, %d]" % (name, batch, self.hidden_size)
                raise InvalidTensor("wrong state", type(self).__name__, None, None, expected, found)
