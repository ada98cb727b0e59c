"""A planned forward pass answers as one without a plan, in one arena."""

import gc
import sys
from array import array

from burnpack.errors import BurnpackError, InvalidTensor, LimitExceeded, Unsupported
from burnpack.module import Module as PlainModule
from burnpack.module import walk
from burnrt import kernels, nn, tensor
from burnrt.calls import caller
from burnrt.plan import Plan
from kit import support
from kit.draw import Draw


class Residual(nn.Module):
    def __init__(self):
        self.conv1 = nn.Conv2d(2, 4, 3, padding=1)
        self.norm = nn.BatchNorm(4)
        self.conv2 = nn.Conv2d(4, 4, 3, padding=1)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(64, 5)

    def forward(self, x):
        x = self.relu(self.norm(self.conv1(x)))
        x = self.relu(x + self.conv2(x))
        return self.fc(self.flatten(self.pool(x)))


SHAPE = (1, 2, 8, 8)
SIZE = 128


def filled(model):
    """Return the model with numbers in its parameters, in memory of their own."""
    draw = Draw(5)
    for _, _, param in walk(model):
        numbers = array("f", [(1 + draw.below(200)) / 200 for _ in range(param.nbytes() // 4)])
        param.data = bytearray(bytes(numbers))
    return model


def numbers(size, seed=1):
    draw = Draw(seed)
    return [draw.below(2001) / 1000 - 1 for _ in range(size)]


def parts(answer):
    return [part for item in answer for part in parts(item)] if isinstance(answer, tuple) else [answer]


def same(model, shape, size):
    """Check that plan and model answer alike, again and again."""
    plan = model.plan(shape)
    for seed in (1, 2):
        given = numbers(size, seed)
        wanted = model(tensor(given, shape))
        found = plan(given)
        for one, other in zip(parts(found), parts(wanted)):
            assert one.shape == other.shape and list(one.data) == list(other.data)


def test_a_plan_answers_as_the_model_does():
    for chosen in ("plain", kernels.in_use()[0]):
        kernels.use(chosen)
        try:
            same(filled(Residual()), SHAPE, SIZE)
        finally:
            kernels.use()


def test_the_size_is_known_before_there_are_parameters():
    plan = Residual().plan(SHAPE)
    # conv1's output, what conv2 makes of it, and the input beside them at no time
    assert plan.size == 4 * (256 + 256)
    text = str(plan)
    assert "2048 bytes" in text and "conv2 (1, 4, 8, 8)" in text and "input (1, 2, 8, 8)" in text
    assert repr(plan) == "Plan(Residual, (1, 2, 8, 8): 8 steps in 2048 bytes)"


def test_input_and_output_are_places_in_the_arena():
    plan = filled(Residual()).plan(SHAPE)
    given = numbers(SIZE)
    for index in range(SIZE):
        plan.input.data[index] = given[index]
    assert plan.run() is None
    assert plan.output.shape == (1, 5)
    assert list(plan.output.data) == list(plan(given).data)
    assert plan.input.shape == SHAPE


def test_answers_of_calls_are_copies():
    plan = filled(Residual()).plan(SHAPE)
    first = plan(numbers(SIZE, 1))
    before = list(first.data)
    plan(numbers(SIZE, 2))
    assert list(first.data) == before


class Random(nn.Module):
    """Layers that take values made before, at random; the last is the answer."""

    def __init__(self, draw, steps):
        layers = [nn.ReLU(), nn.Tanh(), nn.Linear(6, 6), nn.Add(), nn.Dropout(), nn.LogSoftmax()]
        self.layers = nn.ModuleList(layers)
        self._choices = [(draw.below(6), draw.below(1 << 20), draw.below(1 << 20)) for _ in range(steps)]
        self._final = draw.below(3)

    def forward(self, x):
        values = [x]
        for kind, first, second in self._choices:
            first, second = values[first % len(values)], values[second % len(values)]
            layer = self.layers[kind]
            values.append(layer(first, second) if kind == 3 else layer(first))
        return values[-1 - self._final % len(values)].reshape((3, 2))


def test_random_networks_answer_alike():
    draw = Draw(11)
    for _ in range(40):
        same(filled(Random(draw, 1 + draw.below(9))), (1, 6), 6)


# layer, arguments, shape of its input
LAYERS = (
    ("AdaptiveAvgPool2d", (2,), (1, 2, 5, 4)),
    ("AvgPool2d", (2,), (1, 2, 5, 4)),
    ("BatchNorm", (2,), (1, 2, 3)),
    ("BiGru", (3, 4), (5, 1, 3)),
    ("Conv1d", (2, 4, 3), (1, 2, 6)),
    ("ConvTranspose2d", (2, 4, 3), (1, 2, 3, 3)),
    ("Gelu", (), (7,)),
    ("GroupNorm", (2, 4), (1, 4, 3)),
    ("Gru", (3, 4), (5, 1, 3)),
    ("LayerNorm", (6,), (2, 6)),
    ("LogSoftmax", (), (2, 6)),
    ("Lstm", (3, 4), (5, 2, 3)),
    ("MaxPool2d", (2,), (1, 2, 5, 4)),
    ("MultiHeadAttention", (8, 2), (4, 1, 8)),
    ("PRelu", (2,), (1, 2, 3)),
    ("RmsNorm", (6,), (2, 6)),
)


class Between(nn.Module):
    """A layer between others; of several answers the first goes on."""

    def __init__(self, layer):
        self.layers = nn.ModuleList([nn.Tanh(), layer, nn.Sigmoid()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            x = x[0] if isinstance(x, tuple) else x
        return x


def test_layers_of_every_kind_answer_alike():
    for name, arguments, shape in LAYERS:
        size = 1
        for extent in shape:
            size *= extent
        layer = filled(getattr(nn, name)(*arguments))
        same(layer, shape, size)
        same(Between(layer), shape, size)


def test_a_value_that_is_needed_later_is_not_written_over():
    class Net(nn.Module):
        def __init__(self):
            self.relu = nn.ReLU()

        def forward(self, x):
            y = self.relu(x)
            z = self.relu(y)
            return (x + z) + y

    assert list(Net().plan((4,))([-1, 2, -3, 4]).data) == [-1.0, 6.0, -3.0, 12.0]
    assert Net().plan((4,)).size == 4 * 4 * 3


def test_activations_take_no_room_of_their_own():
    rows = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid(), nn.Softmax())
    assert rows.plan((1, 100)).size == 400
    same(rows, (1, 100), 100)


def test_a_model_that_computes_nothing_gives_its_input():
    plan = nn.Sequential(nn.Flatten()).plan((1, 2, 2))
    assert list(plan([1, 2, 3, 4])[0]) == [1.0, 2.0, 3.0, 4.0] and plan.size == 16


def test_every_kind_of_module_has_a_plan():
    class Own(PlainModule):
        def __init__(self):
            self.relu = nn.ReLU()

        def forward(self, x):
            return self.relu(x)

    class Choice(nn.Enum):
        pass

    for plan in (
        nn.ReLU().plan((1, 2)),
        nn.Sequential(nn.ReLU()).plan((1, 2)),
        Choice(Simple=nn.ReLU()).plan((1, 2)),
        Plan(Own(), (1, 2)),
    ):
        assert list(plan([-1, 2])[0]) == [0.0, 2.0]


def test_layers_of_the_users_own_that_only_run_are_planned_too():
    class Twice(nn.Layer):
        def run(self, input, output):
            for index in range(len(output.data)):
                output.data[index] = 2 * input.data[index]

    assert list(nn.Sequential(Twice(), nn.ReLU(), Twice()).plan((3,))([-1, 1, 2])) == [0.0, 4.0, 8.0]


def test_a_pass_that_cannot_be_followed_is_refused():
    class Net(nn.Module):
        def forward(self, x):
            return x[0][0]

    support.raises(Unsupported, Net().plan, (1, 2))


class Ends(nn.Module):
    def __init__(self):
        self.fc, self.relu = nn.Linear(4, 3), nn.ReLU()

    def forward(self, x):
        y = self.fc(x)
        return self.relu(y), (y[:, 1:], None), [x]


def test_a_plan_answers_with_as_many_values_as_the_model():
    plan, model = None, filled(Ends())
    plan = model.plan((2, 4))
    given = numbers(8)
    first, (second, nothing), third = plan(given)
    wanted = model(tensor(given, (2, 4)))
    assert nothing is None
    for found, expected in ((first, wanted[0]), (second, wanted[1][0]), (third[0], wanted[2][0])):
        assert found.shape == expected.shape and list(found.data) == list(expected.data)
    assert plan.output[0].shape == (2, 3) and plan.output[1][1] is None


def test_a_model_without_numbers_is_refused_when_it_runs_and_can_be_loaded_then():
    model = Residual()
    plan = model.plan(SHAPE)
    assert "load" in str(support.raises(BurnpackError, plan.run))
    filled(model)
    assert list(plan(numbers(SIZE)).data) == list(model(tensor(numbers(SIZE), SHAPE)).data)


def test_a_wrong_number_of_values_or_another_shape_is_refused():
    plan = nn.ReLU().plan((1, 4))
    assert support.raises(InvalidTensor, plan, [1, 2, 3]).expected == 4
    support.raises(InvalidTensor, plan, tensor([1, 2, 3, 4], (4, 1)))
    assert list(plan(tensor([1, 2, 3, 4], (1, 4)))[0]) == [1.0, 2.0, 3.0, 4.0]


def test_the_callers_arena_is_used_and_may_be_shared():
    size = Residual().plan(SHAPE).size
    arena = array("f", [7.0] * (size // 4 + 1))
    model = filled(Residual())
    plans = [model.plan(SHAPE, arena), model.plan(SHAPE, arena=arena)]
    given = numbers(SIZE)
    wanted = list(model(tensor(given, SHAPE)).data)
    assert [list(plan(given).data) for plan in plans] == [wanted, wanted]
    assert wanted[0] in list(arena) and arena[size // 4] == 7.0


def test_an_arena_that_does_not_do_is_refused_when_the_plan_is_made():
    model = nn.ReLU()
    error = support.raises(InvalidTensor, model.plan, (1, 4), array("f", [0.0] * 3))
    assert (error.expected, error.found) == ("16 bytes", "12 bytes")
    for arena in (bytearray(16), bytes(16), array("d", [0.0] * 4), array("i", [0] * 4), [0.0] * 4):
        support.raises(InvalidTensor, model.plan, (1, 4), arena)


def test_without_room_the_error_says_what_is_needed_and_what_is_free():
    if sys.implementation.name != "micropython" or sys.maxsize < 1 << 32:
        support.skip("the heap of this interpreter grows")
    plan = nn.Sequential(nn.ReLU()).plan((1, 1 << 24))
    assert plan.size == 1 << 26
    for _ in range(2):
        error = support.raises(LimitExceeded, plan.run)
        assert error.item == "Sequential"
        assert error.expected == "%d bytes in one piece" % (1 << 26)
        assert "bytes free" in error.found and int(error.found.split()[0]) <= gc.mem_free() + 4096


def test_a_plan_keeps_the_parameters_it_was_made_with():
    model = filled(Residual())
    given = numbers(SIZE)
    plan = model.plan(SHAPE)
    wanted = list(plan(given).data)
    for _, _, param in walk(model):
        param.data = bytearray(param.nbytes())
    gc.collect()
    litter = [bytearray(b"\xff" * 64) for _ in range(500)]
    assert list(plan(given).data) == wanted and litter
    del model
    gc.collect()
    litter = [bytearray(b"\xff" * 64) for _ in range(500)]
    assert list(plan(given).data) == wanted


CALLS = bytearray(1)


class Counting:
    """A set of kernels that compute nothing, as `kernels` takes a module."""


def one_of_4(x, y, out, count):
    CALLS[0] += 1


def one_of_3(x, out, count):
    CALLS[0] += 1


def one_of_7(x, weight, bias, out, rows, inputs, outputs):
    CALLS[0] += 1


def one_of_8(x, x_shape, out, out_shape, kernel, stride, padding, dilation):
    CALLS[0] += 1


def one_of_10(x, gamma, beta, mean, variance, epsilon, out, batch, channels, inner):
    CALLS[0] += 1


def one_of_11(x, x_shape, weight, weight_shape, bias, out, out_shape, stride, padding, dilation, groups):
    CALLS[0] += 1


def test_a_run_allocates_nothing_of_its_own():
    if sys.implementation.name != "micropython":
        support.skip("this interpreter can't lock its heap")
    from micropython import heap_lock, heap_unlock

    Counting.linear, Counting.conv2d, Counting.batch_norm = one_of_7, one_of_11, one_of_10
    Counting.relu, Counting.add, Counting.max_pool2d = one_of_3, one_of_4, one_of_8
    sys.modules["burnrt.kernels.counting"] = Counting
    kernels.use("counting")
    try:
        plan = filled(Residual()).plan(SHAPE)
        plan.prepare()
        CALLS[0] = 0
        heap_lock()
        try:
            plan.run()
        finally:
            heap_unlock()
    finally:
        kernels.use()
        del sys.modules["burnrt.kernels.counting"]
    assert CALLS[0] == 8


def test_a_call_hands_over_all_arguments_in_order():
    def function(*arguments):
        return arguments

    for count in range(16):
        arguments = tuple(range(count))
        assert caller(count)(function, arguments, None, None) == arguments
