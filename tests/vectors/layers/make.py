"""Make layers.json and layers.safetensors: what PyTorch's layers answer, computed in 64-bit floats.

    python tests/vectors/layers/make.py        needs torch and safetensors

layers.json: a list of cases, each with its name, the layer of burnrt.nn, its arguments and keywords, and
`params`, the names of its parameters. layers.safetensors: for each case `<name>.input`, `<name>.output` and
`<name>.<param>`, in Burn's layout.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).parent
NORMS = (
    nn.BatchNorm1d,
    nn.BatchNorm2d,
    nn.LayerNorm,
    nn.GroupNorm,
    nn.InstanceNorm1d,
    nn.InstanceNorm2d,
    nn.RMSNorm,
)
RENAMED = {"weight": "gamma", "bias": "beta"}  # in normalisation layers
TORCH_NAMES = {
    "Gelu": "GELU",
    "HardSwish": "Hardswish",
    "LeakyRelu": "LeakyReLU",
    "PRelu": "PReLU",
    "Relu": "ReLU",
    "Relu6": "ReLU6",
    "RmsNorm": "RMSNorm",
}
BY_RANK = ("BatchNorm", "InstanceNorm")  # which PyTorch has a class of for each rank

# name, layer of burnrt.nn, arguments, keywords, shape of the input
CASES = [
    ("linear", "Linear", [5, 7], {}, [1, 5]),
    ("linear_rows", "Linear", [6, 8], {}, [3, 6]),
    ("linear_one_output", "Linear", [9, 1], {}, [2, 9]),
    ("linear_no_bias", "Linear", [4, 5], {"bias": False}, [2, 3, 4]),
    ("linear_vector", "Linear", [4, 3], {}, [4]),
    ("conv1d", "Conv1d", [2, 3, 3], {}, [1, 2, 9]),
    (
        "conv1d_everything",
        "Conv1d",
        [4, 6, 3],
        {"stride": 2, "padding": 2, "dilation": 2, "groups": 2},
        [2, 4, 11],
    ),
    ("conv1d_no_bias", "Conv1d", [3, 4, 1], {"bias": False}, [2, 3, 5]),
    ("conv1d_tuples", "Conv1d", [1, 2, [4]], {"stride": [3], "padding": [1], "dilation": [1]}, [1, 1, 10]),
    ("conv2d", "Conv2d", [1, 4, 3], {}, [1, 1, 6, 7]),
    ("conv2d_batch", "Conv2d", [3, 5, 3], {}, [2, 3, 6, 6]),
    ("conv2d_pointwise", "Conv2d", [6, 5, 1], {}, [2, 6, 3, 4]),
    ("conv2d_padding", "Conv2d", [2, 3, 3], {"padding": 1}, [1, 2, 5, 6]),
    ("conv2d_wide_padding", "Conv2d", [2, 3, 3], {"padding": 4}, [1, 2, 2, 3]),
    ("conv2d_stride", "Conv2d", [2, 3, 3], {"stride": 2}, [1, 2, 8, 9]),
    ("conv2d_stride_beyond_kernel", "Conv2d", [2, 2, 2], {"stride": 3, "padding": 1}, [1, 2, 8, 8]),
    ("conv2d_dilation", "Conv2d", [2, 3, 3], {"dilation": 2, "padding": 2}, [1, 2, 7, 7]),
    ("conv2d_groups", "Conv2d", [4, 6, 3], {"groups": 2, "padding": 1}, [2, 4, 5, 5]),
    ("conv2d_depthwise", "Conv2d", [4, 4, 3], {"groups": 4, "padding": 1, "stride": 2}, [1, 4, 7, 6]),
    ("conv2d_depth_multiplier", "Conv2d", [3, 6, 3], {"groups": 3, "bias": False}, [2, 3, 5, 5]),
    (
        "conv2d_uneven",
        "Conv2d",
        [2, 3, [1, 4]],
        {"stride": [1, 2], "padding": [2, 1], "dilation": [3, 2]},
        [2, 2, 5, 12],
    ),
    ("conv2d_kernel_as_wide_as_plane", "Conv2d", [3, 4, [5, 6]], {}, [1, 3, 5, 6]),
    ("conv2d_even_kernel", "Conv2d", [2, 2, [4, 2]], {"padding": [2, 1]}, [1, 2, 6, 5]),
    ("batch_norm_2d", "BatchNorm", [3], {}, [2, 3, 4, 5]),
    ("batch_norm_flat", "BatchNorm", [6], {"eps": 0.01}, [3, 6]),
    ("batch_norm_1d", "BatchNorm", [4], {"momentum": 0.5}, [2, 4, 5]),
    ("layer_norm", "LayerNorm", [6], {}, [2, 3, 6]),
    ("layer_norm_shape", "LayerNorm", [[3, 4]], {"eps": 0.001}, [2, 3, 4]),
    ("layer_norm_plain", "LayerNorm", [5], {"elementwise_affine": False}, [2, 5]),
    ("layer_norm_no_bias", "LayerNorm", [5], {"bias": False}, [4, 5]),
    ("conv_transpose1d", "ConvTranspose1d", [2, 3, 3], {}, [1, 2, 5]),
    (
        "conv_transpose1d_everything",
        "ConvTranspose1d",
        [4, 6, 3],
        {"stride": 3, "padding": 1, "output_padding": 2, "groups": 2, "bias": False, "dilation": 2},
        [2, 4, 5],
    ),
    ("conv_transpose2d", "ConvTranspose2d", [3, 4, 3], {}, [2, 3, 4, 5]),
    ("conv_transpose2d_doubling", "ConvTranspose2d", [5, 2, 2, 2], {}, [1, 5, 3, 4]),
    ("conv_transpose2d_pointwise", "ConvTranspose2d", [6, 5, 1], {}, [1, 6, 3, 2]),
    ("conv_transpose2d_padding", "ConvTranspose2d", [4, 3, 3], {"padding": 2}, [1, 4, 4, 3]),
    ("conv_transpose2d_odd", "ConvTranspose2d", [1, 4, 3, 2, 1, 1], {}, [1, 1, 4, 4]),
    ("conv_transpose2d_depthwise", "ConvTranspose2d", [4, 4, 4, 2, 1], {"groups": 4}, [1, 4, 3, 3]),
    ("conv_transpose2d_stride_beyond_kernel", "ConvTranspose2d", [2, 2, 1, 3], {}, [1, 2, 3, 2]),
    (
        "conv_transpose2d_uneven",
        "ConvTranspose2d",
        [4, 6, [1, 4], [1, 2], [0, 3], [0, 1], 2, False, [3, 2]],
        {},
        [2, 4, 3, 5],
    ),
    ("group_norm", "GroupNorm", [2, 6], {}, [2, 6, 3, 4]),
    ("group_norm_flat", "GroupNorm", [3, 6], {"eps": 0.01}, [3, 6]),
    ("group_norm_plain", "GroupNorm", [1, 4], {"affine": False}, [2, 4, 5]),
    ("instance_norm_2d", "InstanceNorm", [3], {"affine": True}, [2, 3, 4, 5]),
    ("instance_norm_1d", "InstanceNorm", [4], {"eps": 0.001}, [2, 4, 5]),
    ("rms_norm", "RmsNorm", [6], {}, [2, 3, 6]),
    ("rms_norm_shape", "RmsNorm", [[3, 4]], {"eps": 0.001}, [2, 3, 4]),
    ("rms_norm_plain", "RmsNorm", [5], {"elementwise_affine": False}, [2, 5]),
    ("max_pool", "MaxPool2d", [2], {}, [2, 3, 4, 6]),
    ("max_pool_leaves_a_rest", "MaxPool2d", [2], {}, [1, 2, 5, 7]),
    ("max_pool_padding", "MaxPool2d", [3], {"stride": 2, "padding": 1}, [1, 2, 6, 7]),
    ("max_pool_dilation", "MaxPool2d", [[2, 3]], {"stride": 1, "dilation": [3, 2]}, [1, 2, 6, 7]),
    ("max_pool_ceil", "MaxPool2d", [3], {"stride": 2, "ceil_mode": True}, [1, 2, 6, 8]),
    ("max_pool_ceil_padding", "MaxPool2d", [2], {"padding": 1, "ceil_mode": True}, [1, 2, 5, 6]),
    ("max_pool_uneven", "MaxPool2d", [[3, 2]], {"stride": [1, 3], "padding": [1, 0]}, [2, 1, 4, 9]),
    ("avg_pool", "AvgPool2d", [2], {}, [2, 3, 4, 6]),
    ("avg_pool_padding", "AvgPool2d", [3], {"stride": 2, "padding": 1}, [1, 2, 6, 7]),
    ("avg_pool_padding_left_out", "AvgPool2d", [3, 2, 1], {"count_include_pad": False}, [1, 2, 6, 7]),
    ("avg_pool_ceil", "AvgPool2d", [3], {"stride": 2, "ceil_mode": True}, [1, 2, 6, 8]),
    (
        "avg_pool_ceil_padding",
        "AvgPool2d",
        [[3, 4]],
        {"stride": 2, "padding": 1, "ceil_mode": True},
        [1, 2, 7, 8],
    ),
    (
        "avg_pool_ceil_padding_left_out",
        "AvgPool2d",
        [3],
        {"stride": 3, "padding": 1, "ceil_mode": True, "count_include_pad": False},
        [1, 2, 6, 8],
    ),
    ("max_pool1d", "MaxPool1d", [3], {"stride": 2, "padding": 1, "dilation": 2}, [2, 3, 11]),
    ("avg_pool1d", "AvgPool1d", [4], {"stride": 3, "padding": 2, "count_include_pad": False}, [2, 3, 10]),
    ("avg_pool1d_ceil", "AvgPool1d", [2], {"ceil_mode": True}, [1, 2, 7]),
    ("adaptive1d_global", "AdaptiveAvgPool1d", [1], {}, [2, 3, 5]),
    ("adaptive1d_overlapping", "AdaptiveAvgPool1d", [3], {}, [1, 2, 7]),
    ("adaptive_global", "AdaptiveAvgPool2d", [1], {}, [2, 3, 4, 5]),
    ("adaptive_overlapping", "AdaptiveAvgPool2d", [[3, 4]], {}, [1, 2, 7, 6]),
    ("adaptive_upwards", "AdaptiveAvgPool2d", [[5, 3]], {}, [1, 2, 3, 3]),
    ("relu", "Relu", [], {}, [2, 9]),
    ("relu6", "Relu6", [], {}, [4, 9]),
    ("hardtanh", "Hardtanh", [], {}, [2, 9]),
    ("hardtanh_bounds", "Hardtanh", [-2.5], {"max_val": 0.5}, [2, 9]),
    ("leaky_relu", "LeakyRelu", [], {}, [2, 9]),
    ("leaky_relu_slope", "LeakyRelu", [0.3], {}, [2, 9]),
    ("prelu", "PRelu", [], {}, [2, 3, 4]),
    ("prelu_vector", "PRelu", [], {}, [7]),
    ("prelu_channels", "PRelu", [3], {}, [2, 3, 2, 2]),
    ("prelu_flat", "PRelu", [5], {"init": 0.1}, [2, 5]),
    ("hard_sigmoid", "Hardsigmoid", [], {}, [4, 9]),
    ("hard_swish", "HardSwish", [], {}, [4, 9]),
    ("silu", "SiLU", [], {}, [4, 9]),
    ("gelu", "Gelu", [], {}, [4, 9]),
    ("sigmoid", "Sigmoid", [], {}, [4, 9]),
    ("tanh", "Tanh", [], {}, [4, 9]),
    ("softmax", "Softmax", [-1], {}, [3, 5]),
    ("softmax_channels", "Softmax", [1], {}, [2, 4, 3, 2]),
    ("softmax_first", "Softmax", [], {"dim": 0}, [4, 3]),
    ("log_softmax", "LogSoftmax", [1], {}, [3, 10]),
    ("log_softmax_middle", "LogSoftmax", [-2], {}, [2, 4, 3]),
    ("flatten", "Flatten", [], {}, [2, 3, 4, 5]),
    ("flatten_some", "Flatten", [0, 1], {}, [2, 3, 4]),
    ("dropout", "Dropout", [0.3], {}, [2, 3]),
    ("embedding", "Embedding", [7, 4], {}, [2, 5]),
    ("embedding_padding_idx", "Embedding", [7, 4, 2], {}, [2, 5]),
    ("conv1d_same", "Conv1d", [2, 3, 4], {"padding": "same", "dilation": 3}, [1, 2, 7]),
    ("conv2d_same", "Conv2d", [2, 3, [4, 3]], {"padding": "same", "dilation": [1, 2]}, [1, 2, 5, 4]),
    ("conv2d_same_of_two", "Conv2d", [2, 4, 2], {"padding": "same", "groups": 2}, [2, 2, 3, 3]),
    ("conv2d_valid", "Conv2d", [2, 3, 3], {"padding": "valid", "stride": 2}, [1, 2, 6, 7]),
    ("batch_norm_plain", "BatchNorm", [3, 0.01, None, False], {}, [2, 3, 2, 2]),
    ("max_pool_places", "MaxPool2d", [3, 2, 1, 1, False, True], {}, [1, 2, 6, 8]),
    ("avg_pool_divisor", "AvgPool2d", [3, 2, 1, True, False, 4], {}, [1, 2, 6, 8]),
    ("avg_pool_divisor_padding", "AvgPool2d", [2], {"padding": 1, "divisor_override": -3}, [2, 1, 4, 5]),
    ("adaptive_own_height", "AdaptiveAvgPool2d", [[None, 2]], {}, [1, 2, 3, 5]),
    ("gelu_tanh", "Gelu", ["tanh"], {}, [4, 9]),
    ("relu_inplace", "Relu", [True], {}, [2, 9]),
    ("hardtanh_old_names", "Hardtanh", [], {"max_value": 0.25}, [2, 9]),
    ("elu", "ELU", [], {}, [4, 9]),
    ("elu_alpha", "ELU", [0.3, True], {}, [4, 9]),
    ("celu", "CELU", [], {}, [4, 9]),
    ("celu_alpha", "CELU", [-1.5], {}, [4, 9]),
    ("softplus", "Softplus", [], {}, [4, 9]),
    ("softplus_settings", "Softplus", [2.5, 4], {}, [4, 9]),
    ("mish", "Mish", [], {}, [4, 9]),
    ("softsign", "Softsign", [], {}, [4, 9]),
    ("softmax_of_nothing_said", "Softmax", [], {}, [3, 2, 4]),
    ("log_softmax_of_nothing_said", "LogSoftmax", [], {}, [3, 2]),
    ("unflatten", "Unflatten", [1, [2, -1]], {}, [2, 6, 3]),
    ("unflatten_last", "Unflatten", [-1, [3, 1]], {}, [2, 3]),
    ("dropout2d", "Dropout2d", [0.2, True], {}, [2, 3, 2, 2]),
    ("zero_pad1d", "ZeroPad1d", [2], {}, [2, 3, 4]),
    ("constant_pad1d", "ConstantPad1d", [[-1, 3], 0.5], {}, [2, 3, 4]),
    ("zero_pad2d", "ZeroPad2d", [[1, 0, 2, 1]], {}, [2, 2, 3, 4]),
    ("constant_pad2d", "ConstantPad2d", [[2, -1, -1, 2], -1.5], {}, [2, 2, 3, 4]),
    ("constant_pad2d_cut", "ConstantPad2d", [-1, 0.0], {}, [1, 2, 4, 5]),
    ("nearest_of_lines", "Upsample", [7], {}, [1, 2, 3]),
    ("nearest_of_lines_factor", "Upsample", [None, 1.24], {}, [1, 2, 3]),
    ("nearest", "Upsample", [], {"scale_factor": 2}, [1, 2, 3, 4]),
    ("nearest_uneven", "Upsample", [[5, 3]], {}, [1, 2, 3, 7]),
    ("nearest_factor", "Upsample", [None, [1.24, 2.6]], {}, [1, 2, 3, 5]),
    ("linear_of_lines", "Upsample", [8], {"mode": "linear"}, [1, 2, 3]),
    ("linear_of_lines_corners", "Upsample", [5, None, "linear", True], {}, [1, 2, 3]),
    ("bilinear", "Upsample", [None, 2, "bilinear"], {}, [1, 2, 3, 4]),
    ("bilinear_corners", "Upsample", [[7, 1], None, "bilinear", True], {}, [1, 2, 3, 4]),
    ("bilinear_smaller", "Upsample", [[2, 3]], {"mode": "bilinear"}, [1, 2, 5, 7]),
    ("bilinear_factor", "Upsample", [None, [1.7, 0.6], "bilinear", False], {}, [1, 2, 4, 5]),
    ("bilinear_again", "Upsample", [None, 1.7, "bilinear", False, True], {}, [1, 2, 4, 5]),
    ("selu", "SELU", [], {}, [4, 9]),
    ("log_sigmoid", "LogSigmoid", [], {}, [4, 9]),
    ("hardshrink", "Hardshrink", [], {}, [4, 9]),
    ("softshrink", "Softshrink", [1.5], {}, [4, 9]),
    ("tanhshrink", "Tanhshrink", [], {}, [4, 9]),
    ("threshold", "Threshold", [0.5, -7.0], {}, [4, 9]),
    ("rrelu", "RReLU", [0.1], {"upper": 0.5}, [4, 9]),
    ("glu", "GLU", [], {}, [3, 8]),
    ("glu_channels", "GLU", [1], {}, [2, 4, 3]),
    ("softmin", "Softmin", [1], {}, [2, 3, 4]),
    ("softmax2d", "Softmax2d", [], {}, [2, 3, 2, 4]),
]

# name of a case above, dtype that its parameters are rounded to
HALVES = [
    ("linear_rows", "float16"),
    ("linear_rows", "bfloat16"),
    ("conv2d_padding", "float16"),
    ("conv2d_depthwise", "bfloat16"),
    ("embedding", "float16"),
    ("layer_norm", "bfloat16"),
    ("conv_transpose2d_odd", "float16"),
    ("group_norm", "float16"),
    ("prelu_channels", "bfloat16"),
]


def torch_layer(name, arguments, keywords, rank):
    """Return PyTorch's layer of this name, its parameters set to random numbers that 32 bits hold."""
    if name in BY_RANK:
        name += "2d" if rank == 4 else "1d"
    arguments = [tuple(item) if isinstance(item, list) else item for item in arguments]
    layer = getattr(nn, TORCH_NAMES.get(name, name))(*arguments, **keywords).eval()
    for key, tensor in layer.state_dict().items():
        if key == "running_var":
            tensor.uniform_(0.2, 2.0)
        elif key != "num_batches_tracked":
            tensor.normal_(0.0, 0.5)
    return layer


def burn_parameters(layer):
    """Return the layer's parameters under Burn's names, in Burn's layout."""
    found = {}
    for key, tensor in layer.state_dict().items():
        if key == "num_batches_tracked":
            continue
        if isinstance(layer, NORMS):
            key = RENAMED.get(key, key)
        if isinstance(layer, nn.PReLU):
            key = "alpha"
        if isinstance(layer, nn.Linear) and key == "weight":
            tensor = tensor.t()
        found[key] = tensor.detach().contiguous().clone()
    return found


def input_for(layer, shape):
    if isinstance(layer, nn.Embedding):
        return torch.randint(0, layer.num_embeddings, shape)
    return torch.randn(shape) * 3.0


def add_case(case, dtype, cases, tensors):
    """Add one case, its parameters in `dtype`, to the list and to the tensors."""
    name, layer_name, arguments, keywords, shape = case
    layer = torch_layer(layer_name, arguments, keywords, len(shape)).to(dtype)
    parameters = burn_parameters(layer)
    if dtype != torch.float32:
        name += "_" + str(dtype).removeprefix("torch.")
    given = input_for(layer, shape)
    with torch.no_grad():
        answer = layer.double()(given if isinstance(layer, nn.Embedding) else given.double())
    for key, tensor in parameters.items():
        tensors["%s.%s" % (name, key)] = tensor
    tensors[name + ".input"] = given.float()
    tensors[name + ".output"] = answer.float().contiguous()
    cases.append(
        {
            "name": name,
            "layer": layer_name,
            "arguments": arguments,
            "keywords": keywords,
            "params": sorted(parameters),
        }
    )


def main():
    torch.manual_seed(20)
    cases, tensors = [], {}
    for case in CASES:
        add_case(case, torch.float32, cases, tensors)
    by_name = {case[0]: case for case in CASES}
    for name, dtype in HALVES:
        add_case(by_name[name], getattr(torch, dtype), cases, tensors)
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "layers.json").write_text("[\n%s\n]\n" % lines, encoding="utf-8")
    save_file(tensors, HERE / "layers.safetensors")


if __name__ == "__main__":
    main()
