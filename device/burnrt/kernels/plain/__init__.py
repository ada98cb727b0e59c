"""Kernels in plain Python, for any interpreter. Floats are as wide as the interpreter's own.

Each family of kernels is imported when it is first used.
"""

# No family is called like one of the functions: importing it would put it in that function's place.
_HOMES = {
    "buffer": "memory",
    "floats": "memory",
    "fill": "memory",
    "copy_rows": "memory",
    "weights": "memory",
    "add": "arithmetic",
    "multiply": "arithmetic",
    "lerp": "arithmetic",
    "linear": "dense",
    "conv2d": "conv",
    "conv_transpose2d": "conv_transpose",
    "max_pool2d": "pool",
    "avg_pool2d": "pool",
    "adaptive_avg_pool2d": "pool",
    "batch_norm": "norm",
    "layer_norm": "norm",
    "rms_norm": "norm",
    "affine": "norm",
    "embedding": "table",
    "attention": "attending",
    "relu": "rectifier",
    "clamp": "rectifier",
    "prelu": "rectifier",
    "hard_sigmoid": "rectifier",
    "hard_swish": "rectifier",
    "gelu": "activation",
    "sigmoid": "activation",
    "silu": "activation",
    "tanh": "activation",
    "softmax": "probability",
    "quiet_softmax": "probability",
    "log_softmax": "probability",
    "elu": "smooth",
    "gelu_tanh": "smooth",
    "mish": "smooth",
    "softplus": "smooth",
    "softsign": "smooth",
    "resample2d": "resampling",
}


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(__import__("burnrt.kernels.plain." + _HOMES[name], None, None, (name,)), name)
