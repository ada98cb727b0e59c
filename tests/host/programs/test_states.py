"""A state goes from each run of a program to the next, as if the class were given it by hand."""

from io import BytesIO

import numpy as np
import pytest

from burnpack.errors import InvalidTensor, NotFound, Unsupported
from burnpack.reader import Reader
from burnrt import Model, kernels, nn
from burnstore.programs.floats import program_of
from burnstore.programs.states import places_of
from burnstore.programs.uses import STATES, uses_of
from kit import support
from kit.models.chains import loaded
from kit.models.programs import One, close
from kit.models.streaming import SHAPES, TIED, Step, by_hand, file_with_states, without

RUNS = 4
WAYS = (("numpy", bytes), ("plain", BytesIO))


def check(model, shapes, states):
    """Hold a program with states against its class, which is given them; return the program's form."""
    form, data = file_with_states(model, shapes, states)
    stream = [[noise(*shape, seed=(run, place)) for place, shape in enumerate(shapes)] for run in range(RUNS)]
    wanted = list(by_hand(model, shapes, states, stream))
    for name, source in WAYS:
        kernels.use(name)
        try:
            runnable = Model(source(data))
            for _ in range(2):
                for given, answers in zip(stream, wanted, strict=True):
                    close(run(runnable, without(given, states)), answers)
                runnable.reset()
        finally:
            kernels.use()
    return form


def run(model, given):
    answer = model(*given)
    answers = answer if isinstance(answer, tuple) else (answer,)
    return [np.array(each.data, np.float32).reshape(each.shape) for each in answers]


def noise(*shape, seed):
    return np.random.default_rng(seed).normal(0, 1, shape).astype(np.float32)


def test_a_recurrent_step_keeps_its_hidden_state():
    form = check(loaded(Step()), SHAPES, TIED)
    assert (len(form.inputs), len(form.states), len(form.outputs)) == (1, 1, 1)


# What is done, the states of inputs x, a, b, and the steps. The numbers of a state that a step overwrites at
# once are nowhere copied to.
CASES = {
    "a sum, in place": (lambda part, x, a: (part(x), a + x), {1: 1}, ["tanh", "add"]),
    "a function of itself, in place": (lambda part, x, a: (x + a, part(a)), {1: 1}, ["add", "tanh"]),
    "made when the old is not needed": (lambda part, x, a: (x + a, part(x)), {1: 1}, ["add", "tanh"]),
    "made while the old is needed": (lambda part, x, a: (part(x) + a, part(x)), {1: 1}, None),
    "the input": (lambda part, x, a: (x + a, x), {1: 1}, ["add", "copy_rows"]),
    "the input, twice": (
        lambda part, x, a, b: (x + a + b, x),
        {1: 1, 2: 1},
        ["add", "add"] + ["copy_rows"] * 2,
    ),
    "a line of delays": (
        lambda part, x, a, b: (x + a + b, x, a),
        {1: 1, 2: 2},
        ["add", "add", "copy_rows", "copy_rows"],
    ),
    "each the other": (
        lambda part, x, a, b: (part(x + a), b, a + x),
        {1: 1, 2: 2},
        None,
    ),
    "each the other, as it was": (
        lambda part, x, a, b: (x + a, b, a),
        {1: 1, 2: 2},
        ["add"] + ["copy_rows"] * 3,
    ),
    "itself": (lambda part, x, a: (x + a, a), {1: 1}, None),
    "an output, too": (lambda part, x, a: [part(x + a)] * 2, {1: 1}, ["add", "tanh", "copy_rows"]),
    "answered as it was": (lambda part, x, a: (a, x + a), {1: 1}, ["add", "copy_rows", "copy_rows"]),
    "one for two": (lambda part, x, a, b: (a + b, part(x)), {1: 1, 2: 1}, ["add", "tanh", "copy_rows"]),
    "not read": (lambda part, x, a: (part(x), x), {1: 1}, ["tanh", "copy_rows"]),
    "under another shape": (
        lambda part, x, a: (x + a, part(x.reshape(3, 2)).reshape(2, 3)),
        {1: 1},
        ["add", "tanh"],
    ),
}


@pytest.mark.parametrize(("called", "states", "steps"), CASES.values(), ids=CASES)
def test_a_state_becomes_what_the_run_has_made(called, states, steps):
    form = check(One(nn.Tanh(), called), [(2, 3)] * (1 + len(states)), states)
    assert steps is None or [kernel for kernel, _ in form.steps] == steps


@pytest.mark.parametrize("seed", range(30))
def test_any_network_keeps_any_states(seed):
    generator = np.random.default_rng(seed)
    inputs, steps, outputs = generator.integers((2, 1, 2), (6, 9, 7))
    reads = [generator.integers(0, inputs + step, 2) for step in range(steps)]
    kinds = generator.integers(0, 3, steps)
    made = generator.integers(0, inputs + steps, outputs)
    made[0] = inputs + steps - 1
    tied = generator.permutation(inputs)[: generator.integers(1, inputs)]
    states = {int(place): int(generator.integers(1, outputs)) for place in tied}

    def called(layer, *given):
        found = list(given)
        for kind, (one, other) in zip(kinds, reads, strict=True):
            found.append(layer.act(found[one]) if kind else found[one] + found[other])
            if kind == 2:
                found[-1] = layer.fc(found[-1])
        return tuple(found[place] for place in made)

    class Both(nn.Module):
        def __init__(self):
            self.act, self.fc = nn.Tanh(), nn.Linear(3, 3)

        def forward(self, *given):
            return called(self, *given)

    check(loaded(Both()), [(2, 3)] * int(inputs), states)


REFUSED = {
    "another shape": (
        {1: 0},
        InvalidTensor,
        "h: output 0, which is the state of the",
    ),
    "no such output": ({1: 2}, Unsupported, "h: no output 2"),
    "no such input": ({2: 1}, Unsupported, "input 2: no such input"),
}


@pytest.mark.parametrize(("states", "error", "why"), REFUSED.values(), ids=REFUSED)
def test_a_tie_that_is_none_is_refused_by_name(states, error, why):
    model = loaded(Step())
    raised = support.raises(error, program_of, model, SHAPES, model.collect(), states)
    assert why in str(raised)


def test_both_shapes_are_named_where_they_differ():
    model = loaded(Step())
    raised = support.raises(InvalidTensor, program_of, model, SHAPES, model.collect(), {1: 0})
    assert (raised.expected, raised.found) == ([1, 6], [1, 2])


@pytest.mark.parametrize(
    ("called", "states", "what"),
    [(lambda part, x, a: part(x + a), {1: 0}, "output"), (lambda part, a: (part(a), a), {0: 1}, "input")],
)
def test_something_is_left_to_go_in_and_to_come_out(called, states, what):
    model = One(nn.Tanh(), called)
    shapes = [(2, 3)] * (2 if what == "output" else 1)
    raised = support.raises(Unsupported, program_of, model, shapes, model.collect(), states)
    assert f"no {what} is left" in str(raised)


def test_inputs_are_named_as_forward_names_them_or_as_the_module_says():
    model = Step()
    assert (
        places_of(model, [("h", 1)]) == places_of(model, [("1", 1)]) == places_of(model, [(1, 1)]) == {1: 1}
    )
    model.input_names = ["sound", "before"]
    assert places_of(model, [("before", 1)]) == {1: 1}
    assert "sound, before" in str(support.raises(NotFound, places_of, model, [("h", 1)]))
    assert "9" * 5000 in str(support.raises(NotFound, places_of, model, [("9" * 5000, 1)]).item)


def test_an_input_is_tied_once():
    for ties in ([("h", 1), ("1", 0)], [("h", 1), ("h", 1)]):
        assert "twice" in str(support.raises(Unsupported, places_of, Step(), ties))


def test_a_runtime_is_told_whether_there_are_states():
    model = loaded(Step())
    for states in ({}, TIED):
        data = file_with_states(model, SHAPES, states)[1]
        assert uses_of(Reader.from_static(data)).ends == (STATES,) * bool(states)
