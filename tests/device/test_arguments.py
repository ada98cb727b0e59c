"""What layers are made with: arguments without effect are taken, the others computed or refused by name."""

from burnpack.errors import BurnpackError, Unsupported
from burnrt import nn
from kit import support

DEVICES = ({"device": "cpu"}, {"dtype": "float32"}, {"device": None, "dtype": None})

# layer, arguments, keywords that change nothing
WITHOUT_EFFECT = (
    ("Linear", (2, 3), DEVICES),
    ("Conv1d", (2, 3, 1), DEVICES + ({"padding_mode": "zeros"}, {"padding": "valid"})),
    ("Conv2d", (2, 3, 1), DEVICES + ({"padding_mode": "zeros"}, {"padding": "same"})),
    ("Conv3d", (2, 3, 1), DEVICES + ({"padding_mode": "zeros"}, {"padding": "same"}, {"padding": "valid"})),
    ("ConvTranspose1d", (2, 3, 1), DEVICES + ({"padding_mode": "zeros"},)),
    ("ConvTranspose2d", (2, 3, 1), DEVICES + ({"padding_mode": "zeros"},)),
    ("ConvTranspose3d", (2, 3, 1), DEVICES + ({"padding_mode": "zeros"},)),
    ("Embedding", (3, 2, 0, None, 1.5, True, True), DEVICES + ({"_freeze": True},)),
    ("BatchNorm1d", (3,), DEVICES + ({"momentum": None, "track_running_stats": True},)),
    ("BatchNorm2d", (3, 1e-3, 0.2, False), DEVICES + ({"bias": False},)),
    ("InstanceNorm1d", (3,), DEVICES + ({"track_running_stats": False},)),
    ("GroupNorm", (3, 6), DEVICES + ({"bias": False},)),
    ("LayerNorm", (3,), DEVICES + ({"bias": False},)),
    ("RMSNorm", (3,), DEVICES),
    ("PReLU", (3, 0.1), DEVICES),
    ("LSTM", (2, 3), DEVICES + ({"proj_size": 0, "dropout": 0.5},)),
    ("GRU", (2, 3), DEVICES + ({"proj_size": 0, "dropout": 0.5},)),
    ("RNN", (2, 3), DEVICES + ({"proj_size": 0, "dropout": 0.5},)),
    ("MultiheadAttention", (4, 2), DEVICES + ({"kdim": None, "add_bias_kv": False},)),
    ("MaxPool1d", (2,), ({"return_indices": False},)),
    ("MaxPool2d", (2,), ({"return_indices": False},)),
    ("GELU", (), ({"approximate": "none"}, {"approximate": "tanh"})),
    ("Hardtanh", (), ({"inplace": True, "min_value": -2.0},)),
    ("Identity", (1, 2), ({"anything": 3},)),
)
IN_PLACE = "ReLU ReLU6 LeakyReLU Hardtanh Hardsigmoid Hardswish SiLU ELU CELU Mish Dropout Dropout1d".split()
IN_PLACE += "Dropout2d Dropout3d AlphaDropout".split()

# layer, arguments, an argument that there is nothing for
REFUSED = (
    ("Conv1d", (2, 3, 3), "padding_mode", "reflect"),
    ("Conv2d", (2, 3, 3), "padding_mode", "circular"),
    ("Conv3d", (2, 3, 3), "padding_mode", "replicate"),
    ("ConvTranspose2d", (2, 3, 3), "padding_mode", "reflect"),
    ("Conv2d", (2, 3, 3), "padding", "full"),
    ("Embedding", (3, 2), "max_norm", 1.0),
    ("Embedding", (3, 2), "_weight", [1.0]),
    ("BatchNorm2d", (3,), "track_running_stats", False),
    ("InstanceNorm2d", (3,), "track_running_stats", True),
    ("MaxPool1d", (2,), "return_indices", True),
    ("MaxPool2d", (2,), "return_indices", True),
    ("AvgPool2d", (2,), "divisor_override", 0),
    ("AvgPool2d", (2,), "divisor_override", 1.5),
    ("GELU", (), "approximate", "erf"),
    ("GELU", (), "approximate", None),
    ("LSTM", (2, 3), "proj_size", 2),
    ("GRU", (2, 3), "proj_size", 2),
    ("RNN", (2, 3), "nonlinearity", "gelu"),
    ("LSTM", (2, 3), "dropout", 1.5),
    ("LSTM", (2, 0), "hidden_size", None),
    ("MultiheadAttention", (4, 2), "add_bias_kv", True),
    ("MultiheadAttention", (4, 2), "add_zero_attn", True),
    ("Dropout", (), "p", 1.5),
    ("Dropout2d", (), "p", -0.5),
    ("CELU", (), "alpha", 0.0),
    ("Softplus", (), "beta", 0),
    ("Upsample", (2,), "mode", "bicubic"),
    ("Upsample", (2,), "mode", "area"),
    ("Upsample", (2,), "align_corners", False),
    ("Upsample", (2,), "recompute_scale_factor", True),
    ("Upsample", (), "scale_factor", 0.0),
    ("Upsample", (), "scale_factor", "2"),
    ("Upsample", (), "size", None),
    ("Upsample", (2, 2.0), "size", None),
    ("Unflatten", (1,), "unflattened_size", (-1, -1)),
    ("Unflatten", (1,), "unflattened_size", 3),
    ("Unflatten", ("name", (1,)), "dim", None),
    ("Linear", (2,), "out_features", 2.0),
    ("Conv2d", (2, 3, 3), "stride", 0),
    ("ConvTranspose2d", (2, 3, 3), "output_padding", 1),
)


def test_arguments_without_effect_are_taken():
    for name, arguments, others in WITHOUT_EFFECT:
        for keywords in others:
            getattr(nn, name)(*arguments, **keywords)
    for name in IN_PLACE:
        getattr(nn, name)(inplace=True)


def test_an_argument_that_there_is_nothing_for_is_refused_by_name():
    for name, arguments, argument, value in REFUSED:
        keywords = {} if value is None and argument != "approximate" else {argument: value}
        error = support.raises(BurnpackError, lambda: getattr(nn, name)(*arguments, **keywords))
        assert error.item == getattr(nn, name).__name__, (name, argument, str(error))
        assert argument in str(error), (name, argument, str(error))


def test_what_is_the_batchs_own_is_refused_with_the_reason():
    error = support.raises(Unsupported, lambda: nn.BatchNorm2d(3, track_running_stats=False))
    assert "the batch's own statistics" in str(error), str(error)


def test_a_layer_without_factors_has_no_parameters_for_them():
    for layer, names in (
        (nn.BatchNorm2d(3, affine=False), ["running_mean", "running_var"]),
        (nn.BatchNorm2d(3, bias=False), ["gamma", "running_mean", "running_var"]),
        (nn.GroupNorm(1, 3, bias=False), ["gamma"]),
        (nn.InstanceNorm2d(3, affine=True, bias=False), ["gamma"]),
        (nn.InstanceNorm2d(3), []),
    ):
        assert sorted([name for name, _ in layer.children()]) == names
