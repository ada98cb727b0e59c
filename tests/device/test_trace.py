"""A forward pass is followed without numbers: each layer's call, on which values, under which name."""

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import Module as PlainModule
from burnrt import nn, tensor
from burnrt.trace import trace
from kit import support


class Block(nn.Module):
    def __init__(self):
        self.conv = nn.Conv2d(1, 1, 3, padding=1)
        self.relu = nn.ReLU()
        self.drop = nn.Dropout()

    def forward(self, x):
        return x + self.drop(self.relu(self.conv(x)))


class Net(nn.Module):
    def __init__(self):
        self.blocks = nn.ModuleList([Block(), Block()])
        self.act = nn.Enum(Learnt=nn.PReLU())
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(16, 3), nn.Softmax())
        self.relu = nn.ReLU()

    def forward(self, x):
        for block in self.blocks:
            x = self.relu(block(x))
        return self.head(self.act(x))


class Answers(nn.Module):
    """Answers with what it is told to."""

    def __init__(self, forward):
        self.forward = forward


NET = (
    ("blocks.0.conv", (0,), 1),
    ("blocks.0.relu", (1,), 2),
    ("Add", (0, 2), 3),
    ("relu", (3,), 4),
    ("blocks.1.conv", (4,), 5),
    ("blocks.1.relu", (5,), 6),
    ("Add@2", (4, 6), 7),
    ("relu@2", (7,), 8),
    ("act.Learnt", (8,), 9),
    ("head.1", (9,), 10),
    ("head.2", (10,), 11),
)


def test_each_call_is_a_step_with_the_layers_path():
    graph = trace(Net(), (1, 1, 4, 4))
    found = []
    for step in graph.steps:
        found.append((step.name, tuple([value.number for value in step.inputs]), step.output.number))
    assert found == list(NET), found
    assert graph.input.number == 0 and graph.output.number == 11
    assert graph.sizes == [16] * 10 + [3, 3]
    assert graph.output.shape == (1, 3)


def test_a_step_has_its_layer_and_the_shapes_at_that_moment():
    net = Net()
    steps = trace(net, (1, 1, 4, 4)).steps
    assert steps[0].layer is net.blocks[0].conv
    assert steps[8].output.shape == (1, 1, 4, 4) and steps[9].inputs[0].shape == (1, 16)


def test_a_layer_alone_goes_by_its_class():
    assert [step.name for step in trace(nn.Linear(2, 3), (5, 2)).steps] == ["Linear"]


def test_a_model_that_is_burnpacks_own_module_is_followed_too():
    class Plain(PlainModule):
        def __init__(self):
            self.fc = nn.Linear(2, 3)

        def forward(self, x):
            return self.fc(x)

    assert [step.name for step in trace(Plain(), (1, 2)).steps] == ["fc"]


def test_of_a_layer_with_two_paths_the_smaller_is_its_name():
    class Tied(nn.Module):
        def __init__(self):
            self.b = self.a = nn.ReLU()
            self.c = [self.a]

        def forward(self, x):
            return self.b(self.c[0](x))

    assert [step.name for step in trace(Tied(), (1,)).steps] == ["a", "a@2"]


def test_what_is_reshaped_is_the_same_value():
    graph = trace(Answers(lambda x: x.reshape(3, -1).reshape((12,))), (2, 6))
    assert graph.steps == [] and graph.output.number == 0 and graph.output.shape == (12,)
    support.raises(InvalidTensor, trace, Answers(lambda x: x.reshape((5,))), (2, 6))


def test_parts_of_a_value_are_steps_unless_nothing_is_left_out():
    graph = trace(Answers(lambda x: nn.ReLU()(x[:, -1])), (2, 3, 4))
    assert [step.name for step in graph.steps] == ["Index", "Relu"]
    for forward in (lambda x: x[0], lambda x: x[..., :9], lambda x: x[:, 0:1:2][0]):
        graph = trace(Answers(forward), (1, 1, 4))
        assert graph.steps == [] and graph.output.number == 0


def test_a_layer_may_make_several_values():
    def forward(x):
        output, (hidden, cell) = lstm(x)
        return lstm(output, (hidden, cell))[0], hidden

    lstm = nn.LSTM(3, 3)
    graph = trace(Answers(forward), (4, 2, 3))
    assert [tuple([value.number for value in step.inputs]) for step in graph.steps] == [(0,), (1, 2, 3)]
    assert [tuple([value.number for value in step.outputs]) for step in graph.steps] == [(1, 2, 3), (4, 5, 6)]
    assert [value.number for value in graph.outputs] == [4, 2] and graph.unread() == [5, 6]
    assert graph.steps[0].output is graph.steps[0].outputs[0]


# what a forward pass does that can't be followed
BEYOND = (
    lambda x: x if x[0][0] > 0 else nn.ReLU()(x),
    lambda x: x[0, 0],
    lambda x: list(x[0]),
    lambda x: x[0].item(),
    lambda x: nn.ReLU()(x) if x else x,
    lambda x: {"scores": x},
    lambda x: (x, 1),
    lambda x: (x, tensor([0, 0])),
    lambda x: None,
    lambda x: (),
    lambda x: nn.Add()(x, tensor([0, 0], (2, 1))),
    lambda x: tensor([0, 0], (2, 1)),
)


def test_a_pass_that_depends_on_numbers_or_on_others_is_unsupported():
    for forward in BEYOND:
        support.raises(Unsupported, trace, Answers(forward), (2, 1))


def test_the_error_says_that_numbers_are_missing():
    text = str(support.raises(Unsupported, trace, Answers(BEYOND[0]), (2, 1)))
    assert "(1,)" in text and "depends on numbers" in text


def test_a_value_of_another_pass_is_from_outside():
    kept = []

    def forward(x):
        kept.append(x)
        return kept[0] + x

    trace(Answers(forward), (2,))
    assert "outside" in str(support.raises(Unsupported, trace, Answers(forward), (2,)))


def test_a_wrong_shape_is_the_layers_error():
    assert support.raises(InvalidTensor, trace, nn.Linear(2, 3), (5, 3)).item == "Linear"


def test_containers_keep_their_names():
    assert nn.Module().container() == "Struct:Module"
    assert nn.Linear(1, 1).container() == "Struct:Linear"
    assert nn.Sequential().container() == nn.ModuleList().container() == "Vec"
    assert nn.Enum(A=nn.ReLU()).container() == "Enum:Enum"
    for part in (nn.Module(), nn.Linear(1, 1), nn.Sequential(), nn.ModuleList(), nn.Enum(A=nn.ReLU())):
        assert isinstance(part, PlainModule) and callable(part.plan)
