"""Make functional.json and functional.safetensors: what PyTorch's functions answer, in 64-bit floats.

    python tests/vectors/functional/make.py        needs torch and safetensors

functional.json: a list of cases, each with its name, the function of burnrt.functional, what it is given, one
after the other, its keywords, and how many of its tensors are inputs at least. A text is the name of a tensor
in functional.safetensors, `<case>.<number>` or `<case>.<keyword>`; the answer is `<case>.output`, or
`<case>.output<number>` where there are several.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

HERE = Path(__file__).parent
torch.manual_seed(11)


def noise(*shape):
    return torch.randn(shape)


def positive(*shape):
    return torch.rand(shape) + 0.1


EACH = (
    "celu elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish relu relu6 rrelu selu"
)
MORE = "sigmoid silu softplus softshrink softsign tanh tanhshrink"
ALONG = ("softmax", "softmin", "log_softmax")
ATTENTION = "scaled_dot_product_attention"

# name, function, what it is given, keywords
CASES = [
    ("conv1d", "conv1d", [noise(2, 4, 11), noise(6, 2, 3), noise(6), 2, 2, 2, 2], {}),
    ("conv1d_same", "conv1d", [noise(1, 4, 11), noise(6, 4, 4)], {"padding": "same"}),
    ("conv2d", "conv2d", [noise(2, 4, 7, 6), noise(6, 2, 3, 2), noise(6)], {"padding": [1, 0], "groups": 2}),
    ("conv2d_one_sample", "conv2d", [noise(4, 7, 6), noise(3, 4, 3, 3)], {"stride": 2}),
    ("conv_transpose1d", "conv_transpose1d", [noise(2, 4, 5), noise(4, 3, 3), noise(6), 3, 1, 2, 2, 2], {}),
    ("conv_transpose2d", "conv_transpose2d", [noise(1, 4, 5, 3), noise(4, 3, 3, 2), None, 2], {}),
    ("linear", "linear", [noise(2, 3, 5), noise(4, 5), noise(4)], {}),
    ("linear_no_bias", "linear", [noise(5), noise(4, 5)], {}),
    ("linear_vector", "linear", [noise(3, 5), noise(5)], {}),
    ("batch_norm", "batch_norm", [noise(2, 3, 4), noise(3), positive(3), noise(3), noise(3)], {"eps": 0.001}),
    ("batch_norm_plain", "batch_norm", [noise(2, 3, 4, 2), noise(3), positive(3)], {}),
    ("batch_norm_bias", "batch_norm", [noise(2, 3), noise(3), positive(3), None, noise(3)], {}),
    ("layer_norm", "layer_norm", [noise(2, 3, 4), [3, 4], noise(3, 4), noise(3, 4)], {}),
    ("layer_norm_plain", "layer_norm", [noise(2, 3, 4), [4]], {"eps": 0.01}),
    ("layer_norm_bias", "layer_norm", [noise(2, 3, 4), [4], None, noise(4)], {}),
    ("rms_norm", "rms_norm", [noise(2, 3, 4), [4], noise(4)], {"eps": 0.001}),
    ("rms_norm_plain", "rms_norm", [noise(2, 3, 4), [3, 4]], {"eps": 0.001}),
    ("group_norm", "group_norm", [noise(2, 6, 4), 3, noise(6), noise(6)], {}),
    ("group_norm_bias", "group_norm", [noise(2, 6, 4, 2), 2, None, noise(6)], {}),
    ("instance_norm", "instance_norm", [noise(2, 6, 4)], {}),
    ("instance_norm_affine", "instance_norm", [noise(1, 3, 4, 2), None, None, noise(3), noise(3)], {}),
    (
        "instance_norm_running",
        "instance_norm",
        [noise(2, 3, 4), noise(3), positive(3), noise(3), noise(3)],
        {"use_input_stats": False},
    ),
    ("normalize", "normalize", [noise(2, 3, 4)], {}),
    ("normalize_sums", "normalize", [noise(2, 3, 4), 1.0, -1], {}),
    ("local_response_norm", "local_response_norm", [noise(2, 5, 4) * 3, 4], {"alpha": 0.1}),
    ("local_response_norm2d", "local_response_norm", [noise(1, 5, 2, 3) * 3, 3, 0.5, 0.6, 2.0], {}),
    ("prelu", "prelu", [noise(2, 3, 4), noise(3)], {}),
    ("prelu_one", "prelu", [noise(2, 3, 4), noise(1)], {}),
    (
        "max_pool1d",
        "max_pool1d",
        [noise(2, 3, 11), 3],
        {"stride": 2, "padding": 1, "dilation": 2, "ceil_mode": True},
    ),
    (
        "max_pool2d_one_sample",
        "max_pool2d",
        [noise(3, 11, 9), [3, 2], [2, 3], 1, [2, 1], True],
        {},
    ),
    ("avg_pool1d", "avg_pool1d", [noise(2, 3, 11), 3, 2, 1, True, False], {}),
    ("avg_pool2d", "avg_pool2d", [noise(2, 3, 11, 9), [3, 2], [2, 3], 1, True, True, 5], {}),
    ("adaptive_avg_pool1d", "adaptive_avg_pool1d", [noise(2, 3, 11), 4], {}),
    ("adaptive_avg_pool2d", "adaptive_avg_pool2d", [noise(2, 3, 11, 5), [None, 2]], {}),
    ("adaptive_max_pool1d", "adaptive_max_pool1d", [noise(2, 3, 11), 4], {}),
    ("adaptive_max_pool2d", "adaptive_max_pool2d", [noise(2, 3, 11, 5), [None, 2]], {}),
    ("adaptive_max_pool2d_even", "adaptive_max_pool2d", [noise(3, 6, 8), [3, 2]], {}),
    *[(name, name, [noise(3, 8) * 3], {}) for name in f"{EACH} {MORE}".split()],
    ("logsigmoid_far", "logsigmoid", [noise(2, 9) * 40], {}),
    ("gelu_tanh", "gelu", [noise(2, 9)], {"approximate": "tanh"}),
    ("hardtanh_bounds", "hardtanh", [noise(3, 8), -0.3, 0.4], {}),
    ("hardshrink_wide", "hardshrink", [noise(3, 8), 1.2], {}),
    ("softshrink_narrow", "softshrink", [noise(3, 8), 0.1], {}),
    ("threshold", "threshold", [noise(3, 8), 0.1, 20.0], {}),
    ("elu_alpha", "elu", [noise(2, 9), 0.3], {}),
    ("softplus_steep", "softplus", [noise(2, 9), 0.3, 1.0], {}),
    ("glu", "glu", [noise(3, 8)], {}),
    ("glu_first", "glu", [noise(4, 3, 5), 0], {}),
    ("glu_inner", "glu", [noise(2, 6, 3)], {"dim": -2}),
    *[(f"{name}{dim}", name, [noise(2, 3, 4)], {"dim": dim}) for name in ALONG for dim in (0, 1, -1)],
]


def attending(queries, keys, mask=None, wide=None, **keywords):
    """Return the case of attention of queries, keys and a mask of these shapes."""
    name = "_".join(["attention", *("x".join(map(str, shape)) for shape in (queries, keys)), *keywords])
    given = [noise(*queries), noise(*keys), noise(*keys[:-1], wide or keys[-1])]
    name += "" if wide is None else f"_wide{wide}"
    if mask is not None:
        name += "_masked" + "x".join(map(str, mask))
        given.append(noise(*mask).masked_fill(torch.rand(mask) < 0.3, -torch.inf))
    return name, ATTENTION, given, keywords


CASES += [
    attending((5, 4), (6, 4)),
    attending((2, 3, 5, 4), (2, 3, 6, 4)),
    attending((2, 3, 5, 4), (2, 3, 6, 4), is_causal=True),
    attending((2, 6, 4), (2, 3, 4), is_causal=True, scale=0.3),
    attending((2, 3, 5, 4), (2, 3, 6, 4), (5, 6)),
    attending((2, 3, 5, 4), (2, 3, 6, 4), (3, 5, 6)),
    attending((2, 3, 5, 4), (2, 3, 6, 4), (2, 1, 1, 6), scale=1.0),
    attending((1, 3, 3, 4), (1, 3, 2, 4), (1, 3, 3, 2)),  # of which some rows are all masked
    attending((2, 6, 5, 4), (2, 2, 5, 4), enable_gqa=True, is_causal=True),
    attending((2, 4, 5, 4), (2, 2, 6, 4), (2, 4, 5, 6), enable_gqa=True),
    attending((2, 4, 5, 4), (2, 1, 6, 4), (4, 5, 6), enable_gqa=True, scale=0.2),
    attending((2, 3, 5, 4), (2, 3, 6, 4), (5, 6), wide=7),
    attending((3, 5, 4), (3, 6, 4), wide=2, is_causal=True),
]


def noted(name, given, tensors):
    """Return what a case is given as JSON has it; tensors go among the others, in 32-bit floats."""
    if not isinstance(given, torch.Tensor):
        return given
    tensors[name] = given
    return name


def case(name, function, given, keywords, tensors):
    noting = [noted(f"{name}.{number}", value, tensors) for number, value in enumerate(given)]
    named = {key: noted(f"{name}.{key}", value, tensors) for key, value in keywords.items()}
    inner = torch.nn.functional
    doubled = [value.double() if isinstance(value, torch.Tensor) else value for value in given]
    more = {
        key: value.double() if isinstance(value, torch.Tensor) else value for key, value in keywords.items()
    }
    answer = getattr(inner, function)(*doubled, **more)
    answers = answer if isinstance(answer, tuple) else [answer]
    for number, value in enumerate(answers):
        tensors[f"{name}.output{number if len(answers) > 1 else ''}"] = value
    inputs = 3 if function == ATTENTION else 1
    return {"name": name, "function": function, "given": noting, "keywords": named, "inputs": inputs}


def main():
    tensors = {}
    cases = [case(*row, tensors) for row in CASES]
    (HERE / "functional.json").write_text("[\n%s\n]\n" % ",\n".join(map(json.dumps, cases)))
    stored = {name: tensor.detach().float().contiguous() for name, tensor in tensors.items()}
    save_file(stored, HERE / "functional.safetensors")


if __name__ == "__main__":
    main()
