"""Functions that move numbers answer as PyTorch's do, and copy nothing that need not be copied."""

import json

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import functional as F
from burnrt import kernels, nn, tensor
from kit import support


def cases():
    return json.loads(support.read(support.path("tests/vectors/moves/moves.json")))


def counted(shape, start=0):
    size = 1
    for extent in shape:
        size *= extent
    return tensor(list(range(start, start + size)), shape)


def given(shapes):
    return {name: counted(shape, 100 * at) for at, (name, shape) in enumerate(zip("xyz", shapes))}


def called(text, values):
    return eval(text, dict(values, F=F, nn=nn))


def listed(answer):
    return list(answer) if isinstance(answer, tuple) else [answer]


def check(text, found, wanted):
    assert len(found) == len(wanted), text
    for value, (shape, numbers) in zip(found, wanted):
        assert list(value.shape) == shape, (text, value.shape, shape)
        close = [abs(one - other) < 1e-4 for one, other in zip(value.data, numbers)]
        assert all(close) and len(close) == len(numbers), (text, value, numbers)


class Net(nn.Module):
    """A pass that `write` says, given a value that is there besides the input's."""

    def __init__(self, write):
        self.forward = write


def test_numbers_are_moved_as_torch_does():
    for name in (kernels.in_use()[0], "plain"):
        kernels.use(name)
        try:
            for text, shapes, wanted in cases():
                check(text, listed(called(text, given(shapes))), wanted)
        finally:
            kernels.use()


def test_numbers_are_moved_in_a_plan_as_without_one():
    for text, shapes, wanted in cases():
        if len(shapes) == 1:
            plan = Net(lambda x: called(text, {"x": x})).plan(shapes[0])
            for _ in range(2):
                check(text, listed(plan(counted(shapes[0]))), wanted)


# What is in one piece, of a value of (1, 4, 1, 3): nothing is computed.
VIEWS = (
    "F.permute(x, (1, 0, 3, 2))",
    "F.transpose(x, 0, 1)",
    "F.movedim(x, 2, 0)",
    "F.narrow(x, 1, 1, 2)",
    "F.select(x, 1, -1)",
    "F.split(x, 2, dim=1)[1]",
    "F.chunk(x, 4, 1)[2]",
    "F.unbind(x, 1)[3]",
    "F.unbind(x, 2)[0]",
    "F.cat([x])",
    "F.stack([x], 1)",
    "F.expand(x, (1, -1, 1, 3))",
    "F.repeat(x, (1, 1, 1, 1, 1))",
    "F.flip(x, (0, 2))",
    "F.roll(x, (3, 4), (3, 1))",
    "F.pad(x, (0, 0))",
)


def test_what_lies_in_one_piece_is_shared():
    for text in VIEWS:
        x = counted((1, 4, 1, 3))
        found = called(text, {"x": x})
        found.data[0] = -1.0
        assert -1.0 in list(x.data), text


def test_what_keeps_its_order_is_no_step_of_a_plan():
    for text in VIEWS:
        if text.startswith(("F.narrow", "F.select(", "F.split", "F.chunk", "F.unbind(x, 1)")):
            continue  # a part has a place of its own
        plan = Net(lambda x: called(text, {"x": x})).plan((1, 4, 1, 3))
        assert plan.size == 4 * 12, text


# what is written of a value of (2, 3, 4)
WRONG = (
    "F.cat([])",
    "F.cat([x, 1.0])",
    "F.cat([x, x], 3)",
    "F.cat([x, y], 1)",
    "F.cat([x, F.unbind(x)[0]])",
    "F.cat(['x'])",
    "F.stack([])",
    "F.stack([x, y])",
    "F.stack([x, x], 4)",
    "F.split(x, 0)",
    "F.split(x, -1)",
    "F.split(x, [1, 1], 1)",
    "F.split(x, [-1, 4], 1)",
    "F.split(x, 1.5)",
    "F.chunk(x, 0)",
    "F.chunk(x, 2, 3)",
    "F.tensor_split(x, 0)",
    "F.unbind(x, -4)",
    "F.select(x, 0, 2)",
    "F.select(x, 1, -4)",
    "F.select(x, 1, 0.0)",
    "F.narrow(x, 1, 2, 2)",
    "F.narrow(x, 1, 0, -1)",
    "F.narrow(x, 1, 4, 0)",
    "F.permute(x, (0, 1))",
    "F.permute(x, (0, 1, 1))",
    "F.permute(x, (0, 1, 3))",
    "F.permute(x, (0, 1, 'a'))",
    "F.transpose(x, 0, 3)",
    "F.movedim(x, (0, 1), 2)",
    "F.movedim(x, (0, 0), (1, 2))",
    "F.t(x)",
    "F.flip(x, (0, 0))",
    "F.roll(x, 1, (0, 1))",
    "F.roll(x, 1.5)",
    "F.expand(x, (3, 4))",
    "F.expand(x, (2, 3, 5))",
    "F.expand(x, (-1, 2, 3, 4))",
    "F.expand(x, (2, 3, -2))",
    "F.repeat(x, (2, 2))",
    "F.repeat(x, (1, 1, -1))",
    "F.repeat_interleave(x, -1)",
    "F.pad(x, (1,))",
    "F.pad(x, (1, 2, 3))",
    "F.pad(x, 1)",
    "F.pad(x, (0.5, 1))",
    "F.pad(x, (0, 0, 0, 0, 0, 0, 1, 1))",
    "F.pad(x, (-2, -2))",
    "F.pad(x, (4, 0), 'reflect')",
    "F.pad(x, (0, 5), 'circular')",
    "F.pad(x, (0, 1), 'edge')",
    "F.pad(x, (0, 1), 'reflect', 1.0)",
    "F.index_select(x, 1, [0, 3])",
    "F.index_select(x, 1, [-1, 0])",
    "F.index_select(x, 1, [0.5])",
    "F.index_select(x, 1, 'a')",
    "F.index_select(x, 3, [0])",
    "F.index_select(x, 1, F.narrow(x, 0, 0, 1))",
    "F.pixel_shuffle(x, 2)",
    "F.pixel_shuffle(x, 0)",
    "F.pixel_unshuffle(x, 3)",
    "F.channel_shuffle(x, 2)",
    "F.unfold(x, 2)",
    "F.unfold(x.unsqueeze(0), 5)",
    "F.unfold(x.unsqueeze(0), 2, stride=0)",
    "F.windows(x, 1, 4, 1)",
    "F.windows(x, 1, 1, 0)",
    "F.flatten(x, 2, 1)",
    "F.unsqueeze(x, 4)",
    "F.interpolate(x)",
    "F.interpolate(x, 2, 2)",
    "F.interpolate(x, (2, 2))",
    "F.interpolate(x, 2, mode='bilinear')",
    "F.interpolate(x, 2, mode='bicubic')",
    "F.interpolate(x, 2, mode='linear', antialias=True)",
    "F.interpolate(x, 0)",
    "F.interpolate(x, scale_factor=-1.0)",
)


def test_what_torch_refuses_is_one_error():
    values = {"x": counted((2, 3, 4)), "y": counted((2, 2, 5))}
    for text in WRONG:
        try:
            found = called(text, values)
        except (InvalidTensor, Unsupported):
            continue
        raise AssertionError("%s was not refused: %r" % (text, found))


def test_places_may_be_the_numbers_of_a_value():
    for index in (tensor([2, 0]), [2, 0], (2, 0), range(2, -1, -2)):
        assert list(F.index_select(counted((3, 2)), 0, index).data) == [4.0, 5.0, 0.0, 1.0]
    assert list(F.index_select(counted((3,)), 0, 2).data) == [2.0]
    assert F.index_select(counted((3, 2)), 0, []).shape == (0, 2)


def test_windows_of_a_dimension_are_those_that_a_tensors_unfold_has():
    found = F.windows(counted((2, 5)), 1, 3, 2)
    assert found.shape == (2, 2, 3)
    assert list(found.data) == [0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0, 8.0, 9.0]


# As methods of a value of (2, 3), and as functions.
METHODS = (
    ("x.T", "F.t(x)"),
    ("x.mT", "F.transpose(x, 0, 1)"),
    ("x.t()", "F.t(x)"),
    ("x.permute(1, 0)", "F.permute(x, (1, 0))"),
    ("x.flip(0, 1)", "F.flip(x, (0, 1))"),
    ("x.expand(2, -1, 3)", "F.expand(x, (2, 2, 3))"),
    ("x.repeat(2, 1)", "F.repeat(x, (2, 1))"),
    ("x.tile(2)", "F.tile(x, (2,))"),
    ("x.chunk(3, dim=1)[1]", "F.chunk(x, 3, 1)[1]"),
    ("x.split([1, 2], -1)[0]", "F.split(x, (1, 2), 1)[0]"),
    ("x.select(-1, 0)", "F.select(x, 1, 0)"),
    ("x.roll(1, 0)", "F.roll(x, 1, 0)"),
    ("x.unfold(1, 2, 1)", "F.windows(x, 1, 2, 1)"),
    ("x[None, :, 1:]", "F.unsqueeze(F.narrow(x, 1, 1, 2), 0)"),
)


def test_functions_are_methods_of_values_too():
    for written, same in METHODS:
        found, wanted = [called(text, {"x": counted((2, 3))}) for text in (written, same)]
        assert (found.shape, list(found.data)) == (wanted.shape, list(wanted.data)), written


def test_values_of_no_numbers_join_and_part():
    empty = tensor([], (2, 0, 3))
    assert F.cat([empty, counted((2, 1, 3)), empty], 1).shape == (2, 1, 3)
    assert F.cat([tensor([]), counted((2, 3))]).shape == (2, 3)
    assert [each.shape for each in F.chunk(empty, 2, 1)] == [(2, 0, 3)] * 2
    assert F.narrow(counted((2, 3)), 1, 3, 0).shape == (2, 0)
    assert F.permute(empty, (2, 1, 0)).shape == (3, 0, 2)
    assert F.repeat(counted((2, 3)), (0, 1)).shape == (0, 3)
    assert F.flip(empty, (0, 1)).shape == empty.shape


def test_parameters_and_numbers_are_moved_as_values_are():
    token = nn.Parameter((1, 1, 2))
    token.data = bytes(kernels.floats([5.0, 6.0]))
    found = F.cat([F.expand(token, (2, 1, 2)), counted((2, 2, 2))], 1)
    assert list(found.data) == [5.0, 6.0, 0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 4.0, 5.0, 6.0, 7.0]
    net = Net(lambda x: F.cat([token, x], 1))
    net.token = token
    assert list(net.plan((1, 2, 2))(counted((1, 2, 2))).data) == [5.0, 6.0, 0.0, 1.0, 2.0, 3.0]
    assert list(F.expand(2.0, (3,)).data) == [2.0] * 3
