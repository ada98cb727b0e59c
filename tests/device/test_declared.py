"""Layers under Burn's names and in Burn's layout, those that can't be run yet among them."""

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import walk
from burnrt import nn
from burnrt.value import allocate
from kit import support

LSTM = ("cell_gate", "forget_gate", "input_gate", "output_gate")
COUPLED = ("cell_gate", "input_gate", "output_gate")
GRU = ("new_gate", "reset_gate", "update_gate")


def gates(names, inputs, hidden, bias=True, prefix=""):
    """Return the parameters of gate controllers, sorted by name."""
    found = []
    for name in names:
        for transform, size in (("hidden_transform", hidden), ("input_transform", inputs)):
            head = "%s%s.%s." % (prefix, name, transform)
            found += [(head + "bias", (hidden,))] if bias else []
            found.append((head + "weight", (size, hidden)))
    return found


# layer, arguments, keywords, its parameters and their shapes in Burn's layout
LAYERS = (
    ("Conv3d", (4, 6, (1, 2, 3)), {"groups": 2}, [("bias", (6,)), ("weight", (6, 2, 1, 2, 3))]),
    ("Conv3d", (1, 2, 3, 2, 1, 1, 1, False), {}, [("weight", (2, 1, 3, 3, 3))]),
    ("ConvTranspose1d", (4, 6, 3), {"groups": 2}, [("bias", (6,)), ("weight", (4, 3, 3))]),
    ("ConvTranspose2d", (4, 6, (3, 2)), {}, [("bias", (6,)), ("weight", (4, 6, 3, 2))]),
    ("ConvTranspose2d", (4, 6, 3, 2, 1, 1, 2, False, 2), {}, [("weight", (4, 3, 3, 3))]),
    ("ConvTranspose3d", (2, 3, 2), {"bias": False}, [("weight", (2, 3, 2, 2, 2))]),
    ("DeformConv2d", (4, 6, 3), {"groups": 2}, [("bias", (6,)), ("weight", (6, 2, 3, 3))]),
    ("GroupNorm", (2, 6), {}, [("beta", (6,)), ("gamma", (6,))]),
    ("GroupNorm", (2, 6, 1e-3, False), {}, []),
    ("InstanceNorm2d", (5,), {"affine": True}, [("beta", (5,)), ("gamma", (5,))]),
    ("InstanceNorm", (5,), {}, []),
    ("RMSNorm", (7,), {}, [("gamma", (7,))]),
    ("RmsNorm", ((2, 3), 1e-6), {}, [("gamma", (2, 3))]),
    ("RmsNorm", (7, None, False), {}, []),
    ("PReLU", (), {}, [("alpha", (1,))]),
    ("PRelu", (4,), {}, [("alpha", (4,))]),
    ("LSTM", (3, 4), {}, gates(LSTM, 3, 4)),
    ("LSTM", (3, 4, 1, False), {}, gates(LSTM, 3, 4, False)),
    ("Lstm", (3, 4), {"input_forget": True}, gates(COUPLED, 3, 4)),
    ("GRU", (3, 4), {"batch_first": True}, gates(GRU, 3, 4)),
    ("RNN", (3, 4, 1, "relu", False), {}, gates(("gate",), 3, 4, False)),
    ("BiLstm", (3, 4), {}, gates(LSTM, 3, 4, True, "forward.") + gates(LSTM, 3, 4, True, "reverse.")),
    ("BiGru", (3, 4, False), {}, gates(GRU, 3, 4, False, "forward.") + gates(GRU, 3, 4, False, "reverse.")),
    (
        "BiRnn",
        (1, 1),
        {},
        gates(("gate",), 1, 1, True, "forward.") + gates(("gate",), 1, 1, True, "reverse."),
    ),
    (
        "MultiheadAttention",
        (6, 2),
        {"bias": False},
        [("%s.weight" % name, (6, 6)) for name in ("key", "output", "query", "value")],
    ),
)

# layer, arguments
WITHOUT_A_PASS = (("Conv3d", (1, 2, 3)), ("ConvTranspose3d", (1, 2, 3)), ("DeformConv2d", (1, 2, 3)))

# layer, arguments, keywords that Burn's layer has nothing for, the error
REFUSED = (
    ("LSTM", (3, 4, 0), {}, InvalidTensor),
    ("GRU", (3, 0), {}, InvalidTensor),
    ("RNN", (-1, 4), {}, InvalidTensor),
    ("LSTM", (3, 4, 1, True, False, 0.0, False, 2), {}, Unsupported),
    ("MultiheadAttention", (6, 4), {}, InvalidTensor),
    ("MultiheadAttention", (6, 0), {}, InvalidTensor),
    ("MultiheadAttention", (6, 2), {"add_bias_kv": True}, Unsupported),
    ("MultiheadAttention", (6, 2), {"add_zero_attn": True}, Unsupported),
    ("InstanceNorm", (3,), {"track_running_stats": True}, Unsupported),
    ("RNN", (3, 4), {"nonlinearity": "gelu"}, Unsupported),
    ("GroupNorm", (4, 6), {}, InvalidTensor),
    ("GroupNorm", (0, 6), {}, InvalidTensor),
    ("Conv3d", (3, 4, 3), {"groups": 2}, InvalidTensor),
    ("Conv3d", (1, 1, (1, 0, 1)), {}, InvalidTensor),
    ("Conv3d", (1, 1, (1, 2)), {}, InvalidTensor),
    ("ConvTranspose1d", (2, 3, 3), {"groups": 2}, InvalidTensor),
    ("ConvTranspose2d", (1, 1, 3), {"output_padding": -1}, InvalidTensor),
    ("ConvTranspose3d", (1, 1, 3), {"output_padding": (0, 0)}, InvalidTensor),
    ("Hardtanh", (1.0, -1.0), {}, InvalidTensor),
    ("Hardtanh", (float("nan"),), {}, InvalidTensor),
    ("Hardtanh", (), {"max_val": float("inf")}, InvalidTensor),
    ("DeformConv2d", (1, 1, 3), {"stride": 0}, InvalidTensor),
)

# PyTorch's name, Burn's
ALIASES = (
    ("BatchNorm3d", "BatchNorm"),
    ("GRU", "Gru"),
    ("Hardswish", "HardSwish"),
    ("InstanceNorm1d", "InstanceNorm"),
    ("InstanceNorm2d", "InstanceNorm"),
    ("InstanceNorm3d", "InstanceNorm"),
    ("LSTM", "Lstm"),
    ("LeakyReLU", "LeakyRelu"),
    ("MultiheadAttention", "MultiHeadAttention"),
    ("PReLU", "PRelu"),
    ("RMSNorm", "RmsNorm"),
    ("RNN", "Rnn"),
    ("ReLU6", "Relu6"),
)


def burn_name(name):
    return dict(ALIASES).get(name, name)


def test_parameters_have_burns_names_and_layout():
    for name, arguments, keywords, expected in LAYERS:
        layer = getattr(nn, name)(*arguments, **keywords)
        assert sorted([(path, param.shape) for path, _, param in walk(layer)]) == expected, name
        assert layer.container() == "Struct:" + burn_name(name), name


def test_a_layer_without_a_forward_pass_says_so_when_called():
    value = allocate((1, 2))
    for name, arguments in WITHOUT_A_PASS:
        layer = getattr(nn, name)(*arguments)
        for call in (
            lambda: layer(value),
            lambda: layer(value, value, value),
            lambda: layer.output_shape((1, 2)),
            lambda: layer.bind(value, value),
        ):
            error = support.raises(Unsupported, call)
            assert str(error) == "%s: has no forward pass yet" % burn_name(name)


def test_what_burns_layer_has_nothing_for_is_refused():
    for name, arguments, keywords, error_class in REFUSED:
        error = support.raises(error_class, lambda: getattr(nn, name)(*arguments, **keywords))
        assert error.item == burn_name(name), str(error)


def test_where_and_of_what_kind_numbers_are_makes_no_difference():
    for name in ("LSTM", "GRU", "RNN"):
        layer = getattr(nn, name)(3, 4, device="cpu", dtype=None)
        assert len(list(walk(layer))) == len(list(walk(getattr(nn, name)(3, 4))))
    assert nn.MultiheadAttention(6, 2, 0.0, True, False, False, None, None, True, "cpu").batch_first


def test_what_only_burn_has_goes_by_its_name():
    for name in ("LSTM", "GRU"):
        support.raises(
            TypeError, lambda: getattr(nn, name)(3, 4, 1, True, False, 0.0, False, 0, None, None, 1)
        )


def test_pytorchs_names_lead_to_the_same_classes():
    for alias, name in ALIASES:
        assert getattr(nn, alias) is getattr(nn, name), alias


def test_every_layer_that_adapters_know_is_declared():
    from burnpack.adapters.layers import LAYERS

    assert [name for name in LAYERS if not nn.is_layer(name)] == []


def test_a_class_derived_from_a_layer_goes_by_its_name():
    class Mine(nn.Linear):
        pass

    class Mined(Mine):
        pass

    class Own(nn.Layer):
        pass

    class Normed(nn.BatchNorm2d):
        pass

    class Row(nn.Sequential):
        pass

    for layer, container in (
        (Mine(1, 2), "Struct:Linear"),
        (Mined(1, 2), "Struct:Linear"),
        (Own(), "Struct:Own"),
        (Normed(3), "Struct:BatchNorm"),
        (Row(), "Vec"),
        (nn.MaxPool2d(2), "Struct:MaxPool2d"),
        (nn.Softmax(), "Struct:Softmax"),
    ):
        assert layer.container() == container


def test_a_module_list_is_a_list():
    layers = nn.ModuleList([nn.Linear(1, 2)]).append(nn.Linear(2, 3))
    found = sorted([(path, containers) for path, containers, _ in walk(layers)])
    assert found[0] == ("0.bias", ("Vec", "Struct:Linear")) and found[-1][0] == "1.weight"
    assert len(layers) == 2 and layers[1].weight.shape == (2, 3)
    assert [layer.weight.shape for layer in layers] == [(1, 2), (2, 3)]
    assert len(nn.ModuleList()) == 0


def test_a_choice_of_layers_is_an_enum():
    class Activation(nn.Enum):
        pass

    model = nn.Sequential(Activation(PRelu=nn.PReLU(2)), Activation(Relu=nn.ReLU()))
    assert [path for path, _, _ in walk(model)] == ["0.PRelu.alpha"]
