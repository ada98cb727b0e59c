"""Attention answers as PyTorch does, masks and all; what only Burn's has is as Burn defines it."""

import math

from burnpack.errors import InvalidTensor
from burnpack.module import walk
from burnrt import kernels, nn, tensor, value
from burnrt.value import Value, allocate
from kit import support
from kit.models import sequences


def inputs_of(name, answers):
    parts = [sequences.value(answers, "%s.%s" % (name, part)) for part in ("query", "key", "value")]
    return [part for part in parts if part is not None]


def filled(layer):
    for number, (_, _, param) in enumerate(sorted(walk(layer), key=lambda found: found[0])):
        size = param.nbytes() // 4
        param.data = bytes(kernels.floats([((7 * at + 3 * number) % 11 - 5) / 8 for at in range(size)]))
    return layer


def sample(*shape):
    size = 1
    for extent in shape:
        size *= extent
    return tensor([((5 * at) % 13 - 6) / 4 for at in range(size)], shape)


def test_attention_answers_as_torch_does():
    def check():
        for name, layer, answers in sequences.each(True):
            if name + ".mask_pad" in answers or name + ".mask_attn" in answers:
                continue
            given = inputs_of(name, answers)
            for _ in range(2):
                sequences.check(name + ".output", layer(*given)[0], answers)
            assert layer.output_shape(*[part.shape for part in given]) == given[0].shape

    sequences.on_every_set(check)


def test_masks_and_weights_are_as_torchs():
    def check():
        masked = 0
        for name, layer, answers in sequences.each(True):
            masks = [sequences.value(answers, "%s.mask_%s" % (name, part)) for part in ("pad", "attn")]
            weights = allocate(answers.tensor(name + ".weights").shape)
            given = inputs_of(name, answers)
            given += [None] * (3 - len(given))
            output = layer.attend(*(given + masks + [weights]))
            sequences.check(name + ".output", output, answers)
            sequences.check(name + ".weights", weights, answers)
            masked += masks != [None, None]
        assert masked == 3

    sequences.on_every_set(check)


def test_a_mask_may_be_bytes():
    def check():
        layer = filled(nn.MultiHeadAttention(4, 2))
        given = sample(3, 2, 4)
        numbers = [0, 0, 1, 0, 1, 0]
        one = layer.attend(given, None, None, tensor(numbers, (2, 3)))
        other = layer.attend(given, None, None, Value(bytes(numbers), (2, 3)))
        assert list(one.data) == list(other.data) != list(layer(given)[0].data)

    sequences.on_every_set(check)


def test_who_may_look_at_nothing_looks_at_everything_alike():
    """The masked scores are all the same number, and not minus infinity, which would leave NaN."""
    layer = filled(nn.MultiHeadAttention(4, 1))
    weights = allocate((1, 1, 2, 2))
    layer.attend(sample(2, 4), None, None, tensor([1, 1], (1, 2)), None, weights)
    assert list(weights.data) == [0.5, 0.5, 0.5, 0.5]


def test_a_quiet_softmax_leaves_room_for_nothing():
    def check():
        for numbers in ([-1.0, 0.5, 2.0], [-50.0, -60.0, -1e4], [60.0, 70.0, 80.0]):
            out = kernels.buffer(3)
            kernels.quiet_softmax(kernels.floats(numbers), out, 1, 3, 1)
            total = 1.0 + sum([math.exp(number) for number in numbers])
            for found, number in zip(out, numbers):
                wanted = math.exp(number) / total
                assert abs(found - wanted) < 1e-6 + 1e-4 * wanted, (numbers, found, wanted)

    sequences.on_every_set(check)


def test_quiet_attention_of_hidden_places_is_nothing():
    loud, quiet = (
        filled(nn.MultiHeadAttention(4, 2, bias=False, quiet_softmax=way)) for way in (False, True)
    )
    mask = tensor([1, 1, 1], (1, 3))
    assert set(quiet.attend(sample(3, 4), None, None, mask).data) == {0.0}
    assert set(loud.attend(sample(3, 4), None, None, mask).data) != {0.0}
    weights = allocate((1, 2, 3, 3))
    quiet.attend(sample(3, 4), None, None, None, None, weights)
    for head in weights[0]:
        for row in head:
            assert 0.0 < sum(row) < 1.0


# shapes of query, key and value, which of them is refused
WRONG_INPUTS = (
    (((3, 2, 5),), 0),
    (((4,),), 0),
    (((1, 3, 2, 4),), 0),
    (((0, 2, 4),), 0),
    (((3, 2, 4), (5, 1, 4)), 1),
    (((3, 2, 4), (5, 2, 3)), 1),
    (((3, 2, 4), (5, 4)), 1),
    (((3, 4), (5, 2, 4)), 1),
    (((3, 4), (0, 4)), 1),
    (((3, 2, 4), (5, 2, 4), (4, 2, 4)), 2),
)


def test_wrong_inputs_are_refused():
    layer = filled(nn.MultiHeadAttention(4, 2))
    for shapes, wrong in WRONG_INPUTS:
        error = support.raises(InvalidTensor, lambda: layer(*[sample(*shape) for shape in shapes]))
        assert error.item == "MultiHeadAttention" and error.found == list(shapes[wrong]), (shapes, str(error))
    turned = filled(nn.MultiHeadAttention(4, 2, batch_first=True))
    error = support.raises(InvalidTensor, turned, sample(2, 3, 4), sample(1, 3, 4))
    assert error.found == [1, 3, 4]


def test_wrong_masks_and_weights_are_refused():
    layer = filled(nn.MultiHeadAttention(4, 2))
    for name, shape, wanted in (
        ("mask_pad", (3, 2), "a mask_pad [2, 3]"),
        ("mask_pad", (3,), "a mask_pad [2, 3]"),
        ("mask_attn", (2, 3), "a mask_attn [2, 3, 3]"),
        ("mask_attn", (1, 3, 3), "a mask_attn [2, 3, 3]"),
        ("weights", (2, 3, 3), "weights [2, 2, 3, 3]"),
    ):
        error = support.raises(InvalidTensor, lambda: layer.attend(sample(3, 2, 4), **{name: sample(*shape)}))
        assert (error.expected, error.found) == (wanted, list(shape))


def test_weights_are_the_mean_of_all_heads_or_each_or_none():
    def check():
        for shape in ((3, 2, 4), (3, 4)):
            layer = filled(nn.MultiheadAttention(4, 2))
            given, keys = sample(*shape), sample(*(5,) + shape[1:])
            batch = shape[1:-1]
            every = allocate((2 if batch else 1, 2, 3, 5))
            layer.attend(given, keys, None, None, None, every)
            output, each = layer(given, keys, keys, average_attn_weights=False)
            assert each.shape == batch + (2, 3, 5) and list(each.data) == list(every.data)
            same, mean = layer(given, keys, keys)
            assert mean.shape == batch + (3, 5) and list(same.data) == list(output.data)
            for one in range(2 if batch else 1):
                pairs = zip(every[one][0].reshape(-1), every[one][1].reshape(-1))
                found = mean[one].reshape(-1) if batch else mean.reshape(-1)
                for number, (a, b) in zip(found, pairs):
                    assert abs(number - (a + b) / 2) < 1e-6
            again, nothing = layer(given, keys, keys, need_weights=False)
            assert nothing is None and list(again.data) == list(output.data)

    sequences.on_every_set(check)


class Looking(nn.Module):
    def __init__(self, forward):
        self.attention = filled(nn.MultiheadAttention(4, 2))
        self.forward = lambda x: forward(self.attention, x)


def test_a_plan_fills_the_weights_only_where_they_are_read():
    given = sample(3, 2, 4)
    sizes = []
    for forward in (
        lambda layer, x: layer(x, x, x)[0],
        lambda layer, x: layer(x, x, x, need_weights=False)[0],
        lambda layer, x: layer(x, x, x)[1],
        lambda layer, x: layer(x, x, x, average_attn_weights=False)[1],
    ):
        model = Looking(forward)
        plan, wanted = model.plan((3, 2, 4)), model(given)
        found = plan(given)
        assert found.shape == wanted.shape and list(found.data) == list(wanted.data)
        sizes.append(plan.size // 4)
    assert sizes == [48, 48, 48 + 18, 48 + 36]


def added(mask, shape):
    """Return numbers that hide what the marks of a mask do."""
    return tensor([float("-inf") if mark else 0.0 for mark in mask.data], shape)


def test_masks_of_numbers_are_added_as_torch_does():
    def check():
        found = 0
        for name, layer, answers in sequences.each(True):
            masks = [sequences.value(answers, "%s.mask_%s" % (name, part)) for part in ("pad", "attn")]
            if masks == [None, None] or (masks[1] is not None and len(masks[1].shape) == 3):
                continue
            names = ("key_padding_mask", "attn_mask")
            given = [(key, added(mask, mask.shape)) for key, mask in zip(names, masks) if mask is not None]
            inputs = inputs_of(name, answers)
            output, weights = layer(*inputs, average_attn_weights=False, **dict(given))
            sequences.check(name + ".output", output, answers)
            sequences.check(name + ".weights", weights, answers)
            found += 1
        assert found == 2

    sequences.on_every_set(check)


def test_a_mask_may_be_a_parameter_and_both_may_be_given():
    class Net(nn.Module):
        def __init__(self):
            self.attention, self.mask = filled(nn.MultiheadAttention(4, 2)), nn.Parameter((3, 3))
            self.mask.data = bytes(sample(3, 3).data)

        def forward(self, x):
            pad = x[0, :, :3]
            return self.attention(x, key_padding_mask=pad, attn_mask=self.mask, is_causal=True)

    model, given = Net(), sample(3, 2, 4)
    output, weights = model(given)
    again = model.plan((3, 2, 4))(given)
    assert list(again[0].data) == list(output.data) and list(again[1].data) == list(weights.data)
    assert list(output.data) != list(model.attention(given)[0].data)


def test_a_mask_that_does_not_fit_is_refused():
    layer = filled(nn.MultiheadAttention(4, 2))
    for name, shape, wanted in (
        ("key_padding_mask", (3, 2), "a mask [2, 3]"),
        ("attn_mask", (3, 2), "a mask [3, 3]"),
        ("attn_mask", (4, 3, 3), "a mask [3, 3]"),
    ):
        error = support.raises(InvalidTensor, lambda: layer(sample(3, 2, 4), **{name: sample(*shape)}))
        assert (error.expected, error.found) == (wanted, list(shape))
    error = support.raises(InvalidTensor, lambda: layer(sample(3, 2, 4), is_causal=True))
    assert "attn_mask" in str(error)


def test_keys_and_values_may_have_other_sizes():
    """As if the numbers that they lack were zeros."""
    narrow, wide = [filled(nn.MultiheadAttention(4, 2, **sizes)) for sizes in ({"kdim": 3, "vdim": 2}, {})]
    assert (narrow.key.weight.shape, narrow.value.weight.shape) == ((3, 4), (2, 4))
    for part in ("query", "key", "value", "output"):
        one, other = getattr(narrow, part), getattr(wide, part)
        other.bias.data = one.bias.data
        other.weight.data = one.weight.data + bytes(other.weight.nbytes() - one.weight.nbytes())
    x, key, value = sample(5, 2, 4), sample(5, 2, 4), sample(5, 2, 4)
    short = [tensor(list(each[:, :, :size].data), (5, 2, size)) for each, size in ((key, 3), (value, 2))]
    for found, wanted in zip(narrow(x, *short), wide(x, key, value)):
        for one, other in zip(found.data, wanted.data):
            assert abs(one - other) < 1e-6
    error = support.raises(InvalidTensor, lambda: narrow(x, key, value))
    assert error.found == [5, 2, 4]


def test_a_second_pass_allocates_its_output_alone():
    made = []
    allocated = value.allocate

    def counted(shape):
        made.append(tuple(shape))
        return allocated(shape)

    value.allocate = counted
    try:
        layer = filled(nn.MultiHeadAttention(4, 2))
        for given in ((sample(3, 2, 4),), (sample(3, 2, 4), sample(5, 2, 4))):
            layer(*given, need_weights=False)
            made.clear()
            layer(*given, need_weights=False)
            assert made == [(3, 2, 4)]
    finally:
        value.allocate = allocated
