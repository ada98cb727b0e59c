"""A value is indexed and sliced as PyTorch's tensors are; what it can't do is named, with what to write."""

from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnrt import kernels, nn, tensor
from burnrt.value import Value
from kit import support
from kit.draw import Draw


def counted(shape):
    """Return a value of this shape with the numbers 0, 1, 2..., and the same as nested lists."""
    size = 1
    for extent in shape:
        size *= extent
    nested = [float(number) for number in range(size)]
    for extent in reversed(shape[1:]):
        nested = [nested[start : start + extent] for start in range(0, len(nested), extent or 1)]
    return tensor(list(range(size)), shape), nested


def taken(nested, keys):
    """Return what the keys, one for each dimension, take of nested lists."""
    if not keys:
        return nested
    found = nested[keys[0]]
    return taken(found, keys[1:]) if isinstance(keys[0], int) else [taken(part, keys[1:]) for part in found]


def nested_of(value):
    if not isinstance(value, Value):
        return value
    return [nested_of(part) for part in value] if len(value.shape) > 1 else list(value)


class Keys:
    def __getitem__(self, key):
        return key if isinstance(key, tuple) else (key,)


KEYS = Keys()


def any_key(draw, extent):
    """Return the text of a key for a dimension."""
    if draw.below(3) == 0:
        return str(draw.below(2 * extent) - extent)
    ends = ["" if draw.below(2) else str(draw.below(2 * extent + 5) - extent - 2) for _ in range(2)]
    return "%s:%s%s" % (ends[0], ends[1], ("", ":1", ":2", ":3")[draw.below(4)])


def any_case(draw):
    """Return a shape, the text of an index, and the same index with a key for each dimension."""
    shape = tuple([1 + draw.below(4) for _ in range(1 + draw.below(4))])
    keys = [any_key(draw, extent) for extent in shape]
    start = draw.below(len(shape) + 1)
    end = start + draw.below(len(shape) + 1 - start)
    if draw.below(3) and (start or end < len(shape)):
        whole = keys[:start] + [":"] * (end - start) + keys[end:]
        return shape, keys[:start] + ["..."] * (draw.below(2) or end < len(shape)) + keys[end:], whole
    return shape, keys[: end or 1], keys[: end or 1] + [":"] * (len(shape) - (end or 1))


class Part(nn.Module):
    def __init__(self, key):
        self.key = key

    def forward(self, x):
        return x[self.key]


def test_parts_are_those_that_nested_lists_have():
    draw = Draw(17)
    for number in range(300 // support.APART):
        shape, text, whole = any_case(draw)
        text, value = ", ".join(text), counted(shape)
        key = eval("KEYS[%s]" % text, {"KEYS": KEYS})
        expected = taken(value[1], eval("KEYS[%s]" % ", ".join(whole), {"KEYS": KEYS}))
        kernels.use("plain" if number % 2 else kernels.in_use()[0])
        try:
            found = value[0][key]
            same = value[0][key[0]] if len(key) == 1 else found
            planned = Part(key).plan(shape)(value[0]) if isinstance(found, Value) else found
        finally:
            kernels.use()
        wanted = expected if 0 not in getattr(found, "shape", ()) else nested_of(found)
        for one in (found, same, planned):
            assert nested_of(one) == wanted, (shape, text, one, expected)


# shape, index, shape of the part
SHAPES = (
    ((2, 3, 4), KEYS[:, -1], (2, 4)),
    ((2, 3, 4), KEYS[..., 2:], (2, 3, 2)),
    ((2, 3, 4), KEYS[-1, ..., 0], (3,)),
    ((2, 3, 4), KEYS[5:], (0, 3, 4)),
    ((2, 3, 4), KEYS[:, 2:1], (2, 0, 4)),
    ((2, 3, 4), KEYS[...], (2, 3, 4)),
    ((2, 3, 4), KEYS[1, 2, ...], (4,)),
    ((2, 0, 4), KEYS[:, :, 1], (2, 0)),
    ((1, 3), KEYS[0, 1:3], (2,)),
    ((2, 3), KEYS[None], (1, 2, 3)),
    ((2, 3), KEYS[:, None], (2, 1, 3)),
    ((2, 3), KEYS[..., None], (2, 3, 1)),
    ((2, 3), KEYS[None, 1, ..., None, None], (1, 3, 1, 1)),
    ((4,), KEYS[None, 1::2], (1, 2)),
)


def test_the_shape_of_a_part_is_as_in_pytorch():
    for shape, key, expected in SHAPES:
        assert counted(shape)[0][key].shape == expected, (shape, key)


def test_a_part_in_one_piece_shares_the_numbers():
    value = counted((2, 3, 4))[0]
    for key in (KEYS[1], KEYS[0, 1:], KEYS[1:, :], KEYS[..., :], KEYS[1, 2, 1:3]):
        part = value[key]
        part.data[0] = -1.0
        assert -1.0 in list(value.data), key
        part.data[0] = 7.0
    apart = value[:, 1]
    apart.data[0] = -1.0
    assert -1.0 not in list(value.data)


def test_an_index_beyond_a_dimension_is_an_index_error():
    value = counted((2, 3))[0]
    for key in (KEYS[2], KEYS[-3], KEYS[:, 3], KEYS[..., -4], KEYS[0, 0, 0], KEYS[0, ..., 0, 0]):
        support.raises(IndexError, lambda: value[key])
        support.raises(IndexError, Part(key).plan, (2, 3))


# what is no index of a value, what the error says
WRONG = (
    (True, "ints, slices"),
    ([0, 1], "ints, slices"),
    (0.5, "ints, slices"),
    ("a", "ints, slices"),
    ((..., ...), "more than one"),
    (KEYS[::-1], "steps from 1 on"),
    (KEYS[:, ::0], "steps from 1 on"),
    (tensor([0.0]), "ints, slices"),
)


def test_what_is_no_index_is_unsupported():
    value = counted((2, 3))[0]
    for key, said in WRONG:
        for get in (lambda: value[key], lambda: Part(key).plan((2, 3))):
            assert said in str(support.raises(Unsupported, get)), key


# what is written, what the error says
LACKING = (
    (lambda x: x.no_such_thing, ("x.no_such_thing ", "layers")),
    (lambda x: x.cuda(), ("x.cuda ", "leave it out")),
    (lambda x: x.numpy(), ("x.numpy ", "numpy.asarray(x)")),
    (lambda x: nn.ReLU()(x) if x else x, ("if x, bool(x) ", "outside")),
    (lambda x: nn.ReLU()(x) if x > 0 else x, ("if x, bool(x) ", "outside")),
    (lambda x: int(x), ("int(x) ", "outside")),
    (lambda x: x.__setitem__(0, 3), ("x[...] = y ", "a layer")),
)


def test_what_a_value_cannot_do_says_what_to_write_instead():
    class Net(nn.Module):
        pass

    value = counted((2, 3))[0]
    for write, said in LACKING:
        net = Net()
        net.forward = write
        for call in (lambda: net(value), lambda: net.plan((2, 3))):
            text = str(support.raises(Unsupported, call))
            assert text.startswith(said[0]) and said[1] in text, text


def test_a_board_is_spared_the_texts():
    import sys

    if sys.implementation.name != "cpython":
        support.skip("the modules of this interpreter can't be hidden")
    hidden, sys.modules["burnrt.advice"] = sys.modules.pop("burnrt.advice", None), None
    try:
        assert "bool" in str(support.raises(Unsupported, lambda: bool(counted((2,))[0])))
    finally:
        del sys.modules["burnrt.advice"]
        if hidden:
            sys.modules["burnrt.advice"] = hidden


def test_values_are_told_apart_by_who_they_are():
    value, other = counted((2,))[0], counted((2,))[0]
    assert value in [value] and value != None and {value: 1}[value] == 1  # noqa: E711
    assert value == value and not (value == None) and value is not other  # noqa: E711
    assert list((value == other).data) == [1.0, 1.0] and list((value != 1).data) == [1.0, 0.0]


# what is written, the shape it makes of (2, 1, 3)
VIEWS = (
    (lambda x: x.view(3, -1), (3, 2)),
    (lambda x: x.view((6,)), (6,)),
    (lambda x: x.flatten(), (6,)),
    (lambda x: x.flatten(1), (2, 3)),
    (lambda x: x.flatten(0, 1), (2, 3)),
    (lambda x: x.flatten(start_dim=-2), (2, 3)),
    (lambda x: x.squeeze(), (2, 3)),
    (lambda x: x.squeeze(0), (2, 1, 3)),
    (lambda x: x.squeeze(-2), (2, 3)),
    (lambda x: x.squeeze((0, 1)), (2, 3)),
    (lambda x: x.unsqueeze(0), (1, 2, 1, 3)),
    (lambda x: x.unsqueeze(-1), (2, 1, 3, 1)),
    (lambda x: x.unflatten(-1, (3, -1)), (2, 1, 3, 1)),
    (lambda x: x.contiguous().detach().clone().cpu().float(), (2, 1, 3)),
    (lambda x: x.view(x.size(0), -1), (2, 3)),
    (lambda x: x.reshape(x.size()[-1], x.numel() // 3), (3, 2)),
    (lambda x: x.view_as(x.flatten()).reshape_as(x), (2, 1, 3)),
    (lambda x: x.view(x.dim(), x.ndim - 1), (3, 2)),
)


def test_other_shapes_of_the_same_numbers_are_as_in_pytorch():
    class Net(nn.Module):
        pass

    value = counted((2, 1, 3))[0]
    for write, shape in VIEWS:
        net = Net()
        net.forward = write
        for found in (net(value), net.plan((2, 1, 3))(value)):
            assert found.shape == shape and list(found.data) == list(value.data)
    assert value[1, 0, 2:].item() == 5.0


def test_dimensions_that_are_not_there_are_refused():
    value = counted((2, 1, 3))[0]
    for write in (
        lambda x: x.flatten(3),
        lambda x: x.flatten(2, 1),
        lambda x: x.squeeze(3),
        lambda x: x.unsqueeze(4),
        lambda x: x.unsqueeze("a"),
        lambda x: x.size(-4),
        lambda x: x.unflatten(2, (2, 2)),
        lambda x: x.view(4, -1),
        lambda x: x.item(),
    ):
        support.raises(InvalidTensor, write, value)


def test_python_asks_a_value_for_its_own_names_only():
    value = counted((2,))[0]
    for name in ("__deepcopy__", "_repr_html_"):
        assert not hasattr(value, name)
    support.raises(BurnpackError, lambda: value.no_such_name)
