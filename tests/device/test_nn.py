"""What layers are called, what they hold, and what they refuse."""

from array import array

import burnrt
from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import walk
from burnrt import nn, tensor
from burnrt.value import allocate
from kit import support

LAYERS = (
    "AdaptiveAvgPool2d Add AvgPool2d BatchNorm BiGru BiLstm BiRnn Conv1d Conv2d ConvTranspose1d "
    "ConvTranspose2d Dropout Embedding Flatten Gelu GroupNorm Gru HardSwish Hardtanh InstanceNorm LayerNorm "
    "LeakyRelu Linear LogSoftmax Lstm MaxPool2d MultiHeadAttention PRelu Relu Relu6 RmsNorm Rnn Sequential "
    "SiLU Sigmoid Softmax Tanh"
).split()

# other name, the layer's own
ALIASES = (("ReLU", "Relu"), ("GELU", "Gelu"), ("BatchNorm1d", "BatchNorm"), ("BatchNorm2d", "BatchNorm"))

# layer, arguments, keywords, its parameters and their shapes in Burn's layout
PARAMETERS = (
    ("Linear", (3, 5), {}, (("bias", (5,)), ("weight", (3, 5)))),
    ("Linear", (3, 5, False), {}, (("weight", (3, 5)),)),
    ("Conv1d", (4, 6, 3), {"groups": 2}, (("bias", (6,)), ("weight", (6, 2, 3)))),
    ("Conv2d", (4, 6, (3, 2)), {}, (("bias", (6,)), ("weight", (6, 4, 3, 2)))),
    ("Conv2d", (4, 8, 3, 2, 1, 1, 4, False), {}, (("weight", (8, 1, 3, 3)),)),
    (
        "BatchNorm",
        (7,),
        {},
        (("beta", (7,)), ("gamma", (7,)), ("running_mean", (7,)), ("running_var", (7,))),
    ),
    ("LayerNorm", (7,), {}, (("beta", (7,)), ("gamma", (7,)))),
    ("Embedding", (9, 4), {}, (("weight", (9, 4)),)),
    ("ReLU", (), {}, ()),
)

# layer, arguments, shape of an input that does not fit, what is expected of it
WRONG_INPUTS = (
    ("Linear", (3, 5), (2, 4), "[..., 3]"),
    ("Linear", (3, 5), (), "[..., 3]"),
    ("Conv1d", (2, 3, 3), (1, 3, 8), "[batch, 2, length]"),
    ("Conv1d", (2, 3, 3), (2, 8), "[batch, 2, length]"),
    ("Conv1d", (2, 3, 3), (1, 2, 2), "no smaller than the kernel"),
    ("Conv2d", (2, 3, 3), (2, 8, 8), "[batch, 2, height, width]"),
    ("Conv2d", (2, 3, 3), (1, 3, 8, 8), "[batch, 2, height, width]"),
    ("Conv2d", (2, 3, 3), (1, 2, 8, 2), "no smaller than the kernel"),
    ("BatchNorm", (4,), (1, 3, 2, 2), "[batch, 4, ...]"),
    ("BatchNorm", (4,), (4,), "[batch, 4, ...]"),
    ("LayerNorm", (4,), (2, 3), "[..., 4]"),
    ("LayerNorm", ((2, 4),), (4,), "[..., 2, 4]"),
    ("RmsNorm", (4,), (2, 3), "[..., 4]"),
    ("GroupNorm", (2, 4), (4,), "[batch, 4, ...]"),
    ("GroupNorm", (2, 4), (1, 2, 4), "[batch, 4, ...]"),
    ("GroupNorm", (2, 4), (1, 4, 0), "[batch, 4, ...]"),
    ("InstanceNorm", (4,), (1, 3, 2, 2), "[batch, 4, ...]"),
    ("PRelu", (4,), (4,), "[batch, 4, ...]"),
    ("PRelu", (4,), (1, 3), "[batch, 4, ...]"),
    ("ConvTranspose1d", (2, 3, 3), (1, 3, 8), "[batch, 2, length]"),
    ("ConvTranspose1d", (2, 3, 3), (1, 2, 8, 8), "[batch, 2, length]"),
    ("ConvTranspose2d", (2, 3, 3), (2, 8, 8), "[batch, 2, height, width]"),
    ("ConvTranspose2d", (2, 3, 3), (1, 2, 0, 8), "[batch, 2, height, width]"),
    ("ConvTranspose2d", (2, 3, 3, 1, 2), (1, 2, 2, 8), "more than the padding takes away"),
    ("MaxPool2d", (2,), (1, 4, 4), "[batch, channels, height, width]"),
    ("MaxPool2d", (3,), (1, 1, 2, 4), "a plane no smaller than the window"),
    ("AvgPool2d", (3,), (1, 1, 4, 2), "a plane no smaller than the window"),
    ("AdaptiveAvgPool2d", (2,), (1, 4, 4), "[batch, channels, height, width]"),
    ("Softmax", (2,), (1, 4), "a dimension 2"),
    ("Flatten", (), (4,), "dimensions 1 to -1"),
)

# layer, arguments, keywords that contradict each other
IMPOSSIBLE = (
    ("Conv2d", (3, 4, 3), {"groups": 2}),
    ("Conv2d", (4, 3, 3), {"groups": 2}),
    ("Conv1d", (4, 4, 3), {"groups": 0}),
    ("Conv2d", (1, 1, 0), {}),
    ("Conv2d", (1, 1, 3), {"stride": 0}),
    ("Conv2d", (1, 1, 3), {"padding": -1}),
    ("Conv1d", (1, 1, 3), {"dilation": 0}),
    ("MaxPool2d", (2,), {"padding": 2}),
    ("AvgPool2d", (3,), {"padding": 2}),
    ("AdaptiveAvgPool2d", (0,), {}),
    ("Conv2d", (1, 1, 3), {"padding": "same", "stride": 2}),
    ("Conv2d", (1, 1, 3), {"padding": None}),
    ("Conv2d", (1, 1, 3), {"stride": 2.0}),
    ("Conv2d", (1, 1, (3, 3, 3)), {}),
    ("ConvTranspose2d", (1, 1, 3), {"padding": "same"}),
    ("ConvTranspose2d", (1, 1, 3), {"output_padding": 1}),
    ("ConvTranspose1d", (1, 1, 3), {"stride": 2, "output_padding": 2, "dilation": 2}),
    ("ConvTranspose2d", (1, 1, 3), {"stride": (1, 2), "output_padding": 1}),
    ("Conv2d", (1, 0, 3), {}),
    ("Conv2d", (-1, 1, 3), {}),
    ("Conv2d", (2, 2.0, 3), {}),
    ("Conv2d", (2, 2, 3), {"groups": -1}),
    ("Linear", (-1, 2), {}),
    ("Linear", (2.5, 2), {}),
    ("Linear", (2, "2"), {}),
    ("Embedding", (3, -2), {}),
    ("Embedding", (3, 2), {"padding_idx": 3}),
    ("Embedding", (3, 2), {"padding_idx": -4}),
    ("BatchNorm", (-1,), {}),
    ("LayerNorm", ((),), {}),
    ("LayerNorm", (-3,), {}),
    ("RmsNorm", ((2, 1.5),), {}),
    ("GroupNorm", (2.0, 4), {}),
    ("GroupNorm", (-2, 4), {}),
    ("PRelu", (0,), {}),
    ("MaxPool2d", (3, 0), {}),
    ("MaxPool2d", (3,), {"dilation": 0}),
    ("AvgPool1d", (3,), {"padding": -1}),
    ("AdaptiveAvgPool2d", (None,), {}),
    ("AdaptiveAvgPool2d", ((1, 2, 3),), {}),
    ("AdaptiveAvgPool1d", (None,), {}),
    ("Upsample", (0,), {}),
    ("Upsample", ((2, 1.5),), {}),
    ("ConstantPad2d", ((1, 2, 3), 0.0), {}),
    ("ZeroPad1d", (1.5,), {}),
    ("Unflatten", (1, (2, -3)), {}),
    ("MaxPool2d", ((2, None),), {}),
    ("AvgPool1d", (None,), {}),
)


def filled(layer):
    """Return the layer with some number in every parameter."""
    for _, _, param in walk(layer):
        numbers = array("f", [0.5] * (param.nbytes() // 4))
        param.data = bytes(numbers)
    return layer


def zeros(shape):
    value = allocate(shape)
    for index in range(len(value.data)):
        value.data[index] = 0.0
    return value


def test_every_layer_is_found_under_burns_name():
    for name in LAYERS:
        assert getattr(nn, name).__name__ == name


def test_pytorchs_names_lead_to_the_same_classes():
    for alias, name in ALIASES:
        assert getattr(nn, alias) is getattr(nn, name), alias


def test_an_unknown_layer_is_an_attribute_error():
    support.raises(AttributeError, getattr, nn, "Conv7d")


def test_parameters_have_burns_names_and_layout():
    for name, arguments, keywords, expected in PARAMETERS:
        layer = getattr(nn, name)(*arguments, **keywords)
        found = sorted([(path, param.shape) for path, _, param in walk(layer)])
        assert found == list(expected), (name, found)


def test_a_wrong_input_shape_is_refused_with_what_was_expected_and_found():
    for name, arguments, shape, expected in WRONG_INPUTS:
        layer = filled(getattr(nn, name)(*arguments))
        error = support.raises(InvalidTensor, layer, zeros(shape))
        assert error.item == name and error.expected == expected, (name, str(error))
        assert str(list(shape)) in str(error), (name, str(error))


def test_a_layer_that_cannot_exist_is_refused_when_it_is_made():
    for name, arguments, keywords in IMPOSSIBLE:

        def make():
            return getattr(nn, name)(*arguments, **keywords)

        assert support.raises(InvalidTensor, make).item == name


def test_a_parameter_without_data_is_named():
    layer = filled(nn.Linear(2, 2))
    layer.bias.data = None
    error = support.raises(BurnpackError, layer, zeros((1, 2)))
    assert "Linear.bias" in str(error) and "load" in str(error), str(error)


def test_a_parameter_with_the_wrong_number_of_bytes_is_refused():
    layer = filled(nn.Linear(2, 2))
    layer.weight.data = bytes(15)
    error = support.raises(InvalidTensor, layer, zeros((1, 2)))
    assert (error.item, error.expected, error.found) == ("Linear.weight", 16, 15)


def test_a_dtype_that_no_kernel_reads_is_refused():
    layer = filled(nn.Linear(2, 2))
    layer.weight.dtype = "I32"
    assert support.raises(Unsupported, layer, zeros((1, 2))).found == "I32"


def test_a_sum_is_of_two_values_of_one_shape():
    one, other = tensor([1, 2, 3], (1, 3)), tensor([0.5, -2, 4], (1, 3))
    for total in (nn.Add()(one, other), one + other):
        assert total.shape == (1, 3) and list(total.data) == [1.5, 0.0, 7.0]
    assert list(one.data) == [1.0, 2.0, 3.0] and list(other.data) == [0.5, -2.0, 4.0]
    for shape in ((3,), (3, 1), (1, 2)):
        error = support.raises(InvalidTensor, nn.Add(), one, zeros(shape))
        assert (error.item, error.found) == ("Add", list(shape)) and "[1, 3]" in error.expected
    assert list((one + zeros((3,))).data) == [1.0, 2.0, 3.0]
    assert (one + zeros((3, 1))).shape == (3, 3)
    support.raises(InvalidTensor, lambda: one + [1, 2, 3])


def test_an_embedding_refuses_what_names_no_row():
    layer = filled(nn.Embedding(3, 2))
    assert layer(tensor([0, 2])).shape == (2, 2)
    for index in (3, -1, 0.5):
        assert support.raises(InvalidTensor, layer, tensor([0, index])).item == "Embedding"


def test_flatten_and_dropout_share_the_inputs_numbers():
    value = zeros((2, 3, 4))
    assert nn.Flatten()(value).data is value.data
    assert nn.Flatten()(value).shape == (2, 12)
    assert nn.Dropout(0.5)(value) is value
    assert nn.Identity(54, unused=0.1)(value) is value


def test_the_two_hard_sigmoids_have_slopes_of_their_own():
    given = tensor([-9, -2.5, 0, 1, 9])
    for layer, slope in (
        (nn.HardSigmoid(), 0.2),
        (nn.Hardsigmoid(), 1 / 6),
        (nn.HardSigmoid(0.5, 0.25), 0.5),
    ):
        assert layer.container() == "Struct:HardSigmoid"
        wanted = [max(0.0, min(1.0, slope * number + layer.beta)) for number in given]
        found = list(layer(given))
        assert max([abs(a - b) for a, b in zip(found, wanted)]) < 1e-6, (slope, found)


def test_a_model_that_is_given_no_value_says_what_it_takes():
    for model in (nn.ReLU(), nn.Sequential(nn.Flatten(), nn.ReLU()), nn.LSTM(2, 3)):
        for given in ([1.0, 2.0], b"12", None):
            assert "burnrt.tensor(values, shape)" in str(support.raises(InvalidTensor, model, given))


def test_an_argument_that_is_no_number_is_shown():
    error = support.raises(InvalidTensor, nn.Conv2d, 1, 1, 3, 1, "1")
    assert "padding" in str(error) and "'1'" in str(error)


def test_a_part_that_is_not_there_is_told_what_brings_it():
    assert "burnstore deploy --runtime" in str(
        support.raises(AttributeError, getattr, burnrt, "no_such_part")
    )
    assert not hasattr(burnrt, "_private") and not hasattr(nn, "no_such_part")


def test_what_a_part_lacks_is_not_taken_for_the_part():
    error = support.raises(ImportError, burnrt.part, "burnrt.kernels", {}, "ulab")
    assert "burnrt.kernels.ulab" not in str(error)


def test_a_sequential_is_a_list_of_layers_to_stores():
    model = filled(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Sequential(nn.Linear(3, 1))))
    found = sorted([(path, containers) for path, containers, _ in walk(model)])
    assert found == [
        ("0.bias", ("Vec", "Struct:Linear")),
        ("0.weight", ("Vec", "Struct:Linear")),
        ("2.0.bias", ("Vec", "Vec", "Struct:Linear")),
        ("2.0.weight", ("Vec", "Vec", "Struct:Linear")),
    ]
    assert len(model) == 3 and type(model[1]) is nn.Relu
    assert model.output_shape((7, 2)) == (7, 1)


def test_a_sequential_feeds_each_layer_with_the_one_before():
    model = filled(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)))
    # Every weight and bias is 1/2: 3 · 1/2 · (1/2 · (1 + 2) + 1/2) + 1/2
    assert list(model(tensor([1, 2], (1, 2)))[0]) == [3.5]
    assert list(model(tensor([-9, 2], (1, 2)))[0]) == [0.5]
