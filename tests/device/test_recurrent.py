"""Recurrent layers answer as PyTorch does, at once and step by step."""

from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import walk
from burnrt import kernels, nn, tensor, value
from burnrt.calls import caller
from burnrt.nn.recurrent import State
from kit import support
from kit.models import sequences

KINDS = (
    ("Lstm", {}),
    ("Lstm", {"input_forget": True}),
    ("Gru", {}),
    ("Gru", {"reset_after": False}),
    ("Rnn", {}),
)
BOTH_WAYS = ("BiLstm", "BiGru", "BiRnn")


def filled(layer):
    """Return the layer with different numbers in its parameters."""
    for number, (_, _, param) in enumerate(sorted(walk(layer), key=lambda found: found[0])):
        size = param.nbytes() // 4
        numbers = kernels.floats([((7 * at + 3 * number) % 11 - 5) / 8 for at in range(size)])
        param.data = memoryview(numbers) if isinstance(numbers, memoryview) else bytes(numbers)
    return layer


def sample(*shape):
    size = 1
    for extent in shape:
        size *= extent
    return tensor([((5 * at) % 13 - 6) / 4 for at in range(size)], shape)


def close(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        assert abs(one - other) < 1e-5, (list(found), list(wanted))


def state_of(source, name, which):
    """Return the state that a case begins with or ends in: a `State`, or a pair for both directions."""
    parts = [sequences.value(source, "%s.%s%s" % (name, which, part)) for part in ("hidden", "cell")]
    if len(parts[0].shape) == 2:
        return State(*parts)
    return [State(*[part if part is None else part[way] for part in parts]) for way in range(2)]


def test_layers_answer_as_torch_does():
    def check():
        for name, layer, answers in sequences.each(False):
            given = sequences.value(answers, name + ".input")
            for _ in range(2):  # nothing of the first pass is left in the second
                sequences.check(name + ".output", layer(given)[0], answers)
            assert layer.output_shape(given.shape) == answers.tensor(name + ".output").shape

    sequences.on_every_set(check)


def test_a_pass_that_begins_with_a_state_answers_as_torch_does_and_gives_the_state_after_it():
    def check():
        for name, layer, answers in sequences.each(False):
            given, state = sequences.value(answers, name + ".input"), state_of(answers, name, "first_")
            output, after = layer.forward_with_state(given, state)
            assert after is state
            sequences.check(name + ".continued", output, answers)
            wanted = state_of(answers, name, "")
            pairs = [(after, wanted)] if isinstance(after, State) else zip(after, wanted)
            for one, other in pairs:
                close(one.hidden.data, other.hidden.data)
                if other.cell is not None:
                    close(one.cell.data, other.cell.data)

    sequences.on_every_set(check)


def test_without_a_state_a_pass_begins_as_one_that_forgets():
    for name, layer, answers in sequences.each(False):
        given = sequences.value(answers, name + ".input")
        sequences.check(name + ".output", layer.forward_with_state(given)[0], answers)


def test_step_by_step_comes_the_same_as_at_once():
    for name, keywords in KINDS:
        layer = filled(getattr(nn, name)(3, 5, **keywords))
        at_once = layer(sample(6, 3))[0]
        state = layer.initial_state()
        for number, row in enumerate(sample(6, 3)):
            hidden = layer.step(row, state)
            assert hidden is state.hidden and hidden.shape == (1, 5)
            close(hidden.data, at_once[number].data)


def test_steps_take_a_batch():
    layer = filled(nn.Gru(3, 4))
    given = sample(5, 2, 3)
    at_once, state = layer(given)[0], layer.initial_state(2)
    for number in range(5):
        close(layer.step(given[number], state).data, at_once[number].data)


def test_a_state_that_is_cleared_begins_anew():
    layer = filled(nn.Lstm(3, 5))
    state = layer.initial_state()
    first = list(layer.step(sample(3), state).data)
    assert list(layer.step(sample(3), state).data) != first
    state.clear()
    assert list(layer.step(sample(3), state).data) == first


def test_a_sequence_may_be_cut_anywhere():
    for name, keywords in KINDS:
        layer = filled(getattr(nn, name)(3, 4, **keywords))
        given = sample(7, 3)
        whole, end = layer.forward_with_state(given)
        head, state = layer.forward_with_state(tensor(given.data[:9], (3, 3)))
        tail, state = layer.forward_with_state(tensor(given.data[9:], (4, 3)), state)
        close(list(head.data) + list(tail.data), whole.data)
        close(state.hidden.data, end.hidden.data)


def test_the_order_of_the_dimensions_changes_no_number():
    for name in ("Lstm", "Gru", "Rnn", "BiLstm"):
        one = filled(getattr(nn, name)(3, 4))
        other = filled(getattr(nn, name)(3, 4, batch_first=True))
        given = sample(5, 2, 3)
        turned = tensor([number for at in range(2) for step in given for number in step[at]], (2, 5, 3))
        (answer, state), (again, same) = one(given), other(turned)
        assert answer.shape == (5, 2, one.output_size) and again.shape == (2, 5, one.output_size)
        for step in range(5):
            for at in range(2):
                close(answer[step][at].data, again[at][step].data)
        for part, other in zip(state, same) if one.has_cell else ((state, same),):
            assert part.shape == other.shape == (one.states, 2, 4)
            close(part.data, other.data)


def test_gates_may_be_coupled():
    """One number each: forgetting is the rest of what is taken in, as Burn's input_forget has it."""
    layer = nn.Lstm(1, 1, bias=False, input_forget=True)
    assert (
        sorted([path for path, _, _ in walk(layer)])[0].startswith("cell_gate") and layer.forget_gate is None
    )
    for _, _, param in walk(layer):
        param.data = b"\x00\x00\x80\x3e"  # 0.25
    state = State(tensor([0.2], (1, 1)), tensor([0.8], (1, 1)))
    output, state = layer.forward_with_state(tensor([0.6, -0.3], (2, 1)), state)
    exp = __import__("math").exp
    hidden, cell, wanted = 0.2, 0.8, []
    for x in (0.6, -0.3):
        total = 0.25 * (x + hidden)
        gate = 1 / (1 + exp(-total))
        cell = (1 - gate) * cell + gate * (1 - 2 / (exp(2 * total) + 1))
        hidden = gate * (1 - 2 / (exp(2 * cell) + 1))
        wanted.append(hidden)
    close(output.data, wanted)
    close(state.cell.data, [cell])


def test_the_reset_gate_may_come_before_the_weights():
    layer = nn.Gru(1, 1, bias=False, reset_after=False)
    for name, number in (("update_gate", b"\x00\x00\x00\x3f"), ("reset_gate", b"\x00\x00\x00\x3f")):
        for transform in (getattr(layer, name).input_transform, getattr(layer, name).hidden_transform):
            transform.weight.data = number  # 0.5
    layer.new_gate.input_transform.weight.data = b"\x00\x00\x80\x3f"  # 1
    layer.new_gate.hidden_transform.weight.data = b"\x00\x00\x00\x40"  # 2
    output, _ = layer.forward_with_state(tensor([0.4], (1, 1)), State(tensor([0.6], (1, 1))))
    exp = __import__("math").exp
    gate = 1 / (1 + exp(-0.5))
    new = 1 - 2 / (exp(2 * (0.4 + 2 * gate * 0.6)) + 1)
    close(output.data, [(1 - gate) * new + gate * 0.6])


# layer, shape that does not fit, what is expected
WRONG_INPUTS = (
    ("Lstm", {}, (4, 2, 5), "[steps, batch, 3]"),
    ("Gru", {"batch_first": True}, (4, 2, 5), "[batch, steps, 3]"),
    ("Rnn", {}, (3,), "[steps, batch, 3]"),
    ("Rnn", {}, (1, 1, 1, 3), "[steps, batch, 3]"),
    ("Gru", {}, (0, 2, 3), "[steps, batch, 3]"),
    ("Gru", {}, (2, 0, 3), "[steps, batch, 3]"),
    ("BiLstm", {}, (4, 2, 5), "[steps, batch, 3]"),
    ("BiGru", {"batch_first": True}, (2,), "[batch, steps, 3]"),
)


def test_a_wrong_input_is_refused():
    for name, keywords, shape, expected in WRONG_INPUTS:
        layer = filled(getattr(nn, name)(3, 2, **keywords))
        for call in (lambda: layer(sample(*shape)), lambda: layer.forward_with_state(sample(*shape))):
            error = support.raises(InvalidTensor, call)
            assert (error.item, error.expected, error.found) == (name, expected, list(shape))


def test_a_step_of_another_size_is_refused():
    layer = filled(nn.Lstm(3, 2))
    for shape in ((2,), (1, 2), (1, 1, 3), ()):
        error = support.raises(InvalidTensor, layer.step, sample(*shape), layer.initial_state())
        assert (error.item, error.expected, error.found) == ("Lstm", "[batch, 3]", list(shape))
    for batch, shape in ((1, (2, 3)), (2, (3,)), (2, (1, 3))):
        error = support.raises(InvalidTensor, layer.step, sample(*shape), layer.initial_state(batch))
        assert "wrong state" in str(error) and error.found == (batch, 2)


def test_a_state_of_another_layer_is_refused():
    lstm, gru, both = filled(nn.Lstm(3, 2)), filled(nn.Gru(3, 2)), filled(nn.BiGru(3, 2))
    for layer, state in (
        (lstm, gru.initial_state()),
        (lstm, lstm.initial_state(2)),
        (lstm, nn.Lstm(3, 4).initial_state()),
        (gru, State(sample(2))),
        (gru, both.initial_state()),
        (both, gru.initial_state()),
        (both, both.initial_state(2)),
        (lstm, sample(1, 1, 2)),
    ):
        error = support.raises(InvalidTensor, layer.forward_with_state, sample(4, 3), state)
        assert "wrong state" in str(error) and error.expected is not None
    support.raises(InvalidTensor, lstm.step, sample(3), gru.initial_state())


def test_a_gate_without_data_is_named():
    layer = filled(nn.Gru(3, 2))
    layer.reset_gate.hidden_transform.bias.data = None
    assert "bias" in str(support.raises(BurnpackError, layer, sample(4, 3)))


def test_only_two_nonlinearities_are_there():
    error = support.raises(Unsupported, nn.Rnn, 3, 2, 1, "gelu")
    assert error.item == "Rnn" and error.found == "gelu"


def test_a_second_pass_allocates_what_it_answers_alone():
    made = []
    allocate = value.allocate

    def counted(shape):
        made.append(tuple(shape))
        return allocate(shape)

    value.allocate = counted
    try:
        for name in [name for name, _ in KINDS] + list(BOTH_WAYS):
            layer = filled(getattr(nn, name)(3, 4))
            layer(sample(6, 2, 3))
            made.clear()
            layer(sample(9, 2, 3))
            state = [(layer.states, 2, 4)] * (2 if layer.has_cell else 1)
            assert made == [layer.output_shape((9, 2, 3))] + state, (name, made)
        layer = filled(nn.Lstm(3, 4))
        state = layer.initial_state()
        layer.step(sample(3), state)
        made.clear()
        layer.step(sample(3), state)
        assert made == []
    finally:
        value.allocate = allocate


# kernels that do nothing, each with as many arguments as the real one has
IDLE = {
    "linear": lambda a, b, c, d, e, f, g: None,
    "copy_rows": lambda a, b, c, d, e, f, g, h: None,
    "fill": lambda a, b, c, d: None,
    "add": lambda a, b, c, d: None,
    "multiply": lambda a, b, c, d: None,
    "lerp": lambda a, b, c, d, e: None,
    "sigmoid": lambda a, b, c: None,
    "tanh": lambda a, b, c: None,
}


def test_besides_the_kernels_a_bound_pass_touches_no_heap():
    try:
        from micropython import heap_lock, heap_unlock
    except ImportError:
        support.skip("this interpreter can't lock its heap")
    for name, keywords in KINDS + (("BiGru", {}),):
        layer = filled(getattr(nn, name)(3, 4, **keywords))
        calls = layer.bind(sample(6, 2, 3), value.allocate((6, 2, layer.output_size)))
        for kernel in IDLE:
            getattr(kernels, kernel)  # so that `use` takes it away again
            setattr(kernels, kernel, IDLE[kernel])
        prepared = [(caller(len(arguments)), call, arguments) for call, arguments in calls]
        heap_lock()
        try:
            for made, call, arguments in prepared:
                made(call, arguments, None, None)
        finally:
            heap_unlock()
            kernels.use()


def test_layers_in_a_row_and_in_a_model():
    class Net(nn.Module):
        def __init__(self):
            self.layers = nn.ModuleList([nn.Lstm(3, 4), nn.Gru(4, 2)])
            self.head = nn.Linear(2, 1)

        def forward(self, x):
            for layer in self.layers:
                x, _ = layer(x)
            return self.head(x[len(x) - 1])

    assert filled(Net())(sample(6, 2, 3)).shape == (2, 1)


class Pass(nn.Module):
    """A model with the layer, and the forward pass that it is told."""

    def __init__(self, layer, forward):
        self.layer = layer
        self.forward = lambda x: forward(layer, x)


def flat(answer):
    return [part for item in answer for part in flat(item)] if isinstance(answer, tuple) else [answer]


# what a forward pass does with an Lstm, and the shapes it answers with
PASSES = (
    (lambda lstm, x: lstm(x), [(6, 2, 4), (2, 2, 4), (2, 2, 4)]),
    (lambda lstm, x: lstm(x)[0], [(6, 2, 4)]),
    (lambda lstm, x: lstm(x)[0][-1], [(2, 4)]),
    (lambda lstm, x: lstm(x)[0][:, -1], [(6, 4)]),
    (lambda lstm, x: lstm(x)[1][0][-1], [(2, 4)]),
    (lambda lstm, x: lstm(x)[1][1], [(2, 2, 4)]),
    (lambda lstm, x: lstm(x[3:], lstm(x[:3])[1])[0], [(3, 2, 4)]),
    (lambda lstm, x: lstm(x[3:], lstm(x[:3])[1])[1], [(2, 2, 4), (2, 2, 4)]),
)


def test_passes_that_take_any_part_of_what_a_layer_answers_are_planned():
    for forward, shapes in PASSES:
        for layer in (nn.LSTM(3, 2, bidirectional=True), nn.LSTM(3, 4, 2)):
            if layer.hidden_size == 2:
                shapes = [shape if len(shape) == 3 and shape[0] > 2 else None for shape in shapes]
            model = Pass(filled(layer), forward)
            wanted = flat(model(sample(6, 2, 3)))
            plan = model.plan((6, 2, 3))
            for _ in range(2):
                found = flat(plan(sample(6, 2, 3)))
                assert [value.shape for value in found] == [value.shape for value in wanted]
                for one, other, shape in zip(found, wanted, shapes):
                    assert shape in (None, one.shape)
                    close(list(one.data), list(other.data))


def test_a_plan_has_no_room_for_a_state_that_nobody_reads():
    layer = nn.LSTM(3, 8)
    sizes = [Pass(layer, forward).plan((6, 2, 3)).size // 4 for forward, _ in PASSES[:2]]
    assert sizes == [36 + 96 + 2 * 16, 36 + 96]


def test_a_state_that_a_pass_begins_with_is_not_changed():
    layer = filled(nn.GRU(3, 4))
    first = tensor([0.5] * 8, (1, 2, 4))
    _, state = layer(sample(5, 2, 3), first)
    assert set(first.data) == {0.5} and state is not first and set(state.data) != {0.5}


def test_a_pass_may_be_cut_where_its_state_is_handed_on():
    for layer in (nn.LSTM(3, 4, 2), nn.GRU(3, 4, bidirectional=False), nn.RNN(3, 4, 3)):
        filled(layer)
        whole, end = layer(sample(6, 2, 3))
        one, state = layer(sample(6, 2, 3)[:4])
        two, state = layer(sample(6, 2, 3)[4:], state)
        close(list(one.data) + list(two.data), whole.data)
        for part, other in zip(flat(state), flat(end)):
            close(part.data, other.data)


def test_two_directions_are_the_same_by_either_name():
    for name, both in (("LSTM", "BiLstm"), ("GRU", "BiGru"), ("RNN", "BiRnn")):
        one, other = filled(getattr(nn, name)(3, 4, bidirectional=True)), filled(getattr(nn, both)(3, 4))
        assert sorted([path for path, _, _ in walk(one)]) == sorted([path for path, _, _ in walk(other)])
        assert one.container() == other.container() == "Struct:" + both
        close(one(sample(5, 2, 3))[0].data, other(sample(5, 2, 3))[0].data)


def test_layers_are_a_list_to_stores_each_fed_by_the_one_before():
    layer = filled(nn.GRU(3, 4, 2, bidirectional=True))
    assert layer.container() == "Vec"
    names = ("0.forward", "0.reverse", "1.forward", "1.reverse")
    assert {path[:9] for path, _, _ in walk(layer)} == set(names)
    wide = [
        param.shape for path, _, param in walk(layer) if path == "1.reverse.reset_gate.input_transform.weight"
    ]
    assert wide == [(8, 4)]
    one, two = [child for _, child in layer.children()]
    output, state = layer(sample(5, 2, 3))
    first, before = one(sample(5, 2, 3))
    second, after = two(first)
    close(output.data, second.data)
    close(state.data, list(before.data) + list(after.data))
    streamed = layer.forward_with_state(sample(5, 2, 3))[1]
    close(streamed[1][0].hidden.data, state[2].data)


def test_layers_take_steps_where_they_go_one_way():
    layer = filled(nn.LSTM(3, 4, 2))
    state, at_once = layer.initial_state(), layer(sample(6, 3))[0]
    for number, row in enumerate(sample(6, 3)):
        close(layer.step(row, state).data, at_once[number].data)
    both = filled(nn.BiLstm(3, 4))
    assert "two directions" in str(support.raises(Unsupported, both.step, sample(3), both.initial_state()))


# layer, arguments, what is given as a state, what is expected
WRONG_STATES = (
    ("LSTM", {}, lambda: sample(1, 2, 4), "(h, c), each [1, 2, 4]"),
    ("LSTM", {}, lambda: (sample(1, 2, 4),), "(h, c), each [1, 2, 4]"),
    ("LSTM", {}, lambda: (sample(1, 2, 4), sample(1, 1, 4)), "(h, c), each [1, 2, 4]"),
    ("LSTM", {"num_layers": 2}, lambda: (sample(1, 2, 4), sample(1, 2, 4)), "(h, c), each [2, 2, 4]"),
    ("LSTM", {}, lambda: nn.LSTM(3, 4).initial_state(2), "(h, c), each [1, 2, 4]"),
    ("LSTM", {}, lambda: 3, "(h, c), each [1, 2, 4]"),
    ("GRU", {}, lambda: sample(2, 4), "h [1, 2, 4]"),
    ("GRU", {"bidirectional": True}, lambda: sample(1, 2, 4), "h [2, 2, 4]"),
    ("GRU", {}, lambda: (sample(1, 2, 4), sample(1, 2, 4)), "h [1, 2, 4]"),
    ("RNN", {}, lambda: [1.0], "h [1, 2, 4]"),
)


def test_a_state_of_another_shape_is_refused_with_the_right_one():
    for name, keywords, given, expected in WRONG_STATES:
        layer = filled(getattr(nn, name)(3, 4, **keywords))
        error = support.raises(InvalidTensor, layer, sample(5, 2, 3), given())
        assert "wrong state" in str(error) and error.expected == expected, (name, str(error))


def test_what_a_layer_answers_is_taken_apart_before_the_next():
    model = filled(nn.Sequential(nn.LSTM(3, 4), nn.Linear(4, 1)))
    error = support.raises(InvalidTensor, model, sample(5, 2, 3))
    assert error.item == "Linear" and "y, state = lstm(x)" in str(error)


def test_a_pass_that_hands_over_its_state_is_not_planned():
    layer = nn.Lstm(2, 3)

    class Net(nn.Module):
        def forward(self, x):
            return layer.forward_with_state(x)[0]

    assert "forward_with_state can't be planned" in str(support.raises(Unsupported, Net().plan, (4, 1, 2)))
