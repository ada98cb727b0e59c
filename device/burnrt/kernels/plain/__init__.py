"""Kernels in plain Python, for any interpreter. Floats are as wide as the interpreter's own.

Each family of kernels is imported when it is first used.
"""

# No family is called like one of the functions: importing it would put it in that function's place.
_HOMES = {
    "buffer": "memory",
    "floats": "memory",
    "weights": "memory",
    "linear": "dense",
    "conv2d": "conv",
    "max_pool2d": "pool",
    "avg_pool2d": "pool",
    "adaptive_avg_pool2d": "pool",
    "batch_norm": "norm",
    "layer_norm": "norm",
    "embedding": "table",
    "relu": "activation",
    "gelu": "activation",
    "sigmoid": "activation",
    "tanh": "activation",
    "softmax": "probability",
    "log_softmax": "probability",
}


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(__import__("burnrt.kernels.plain." + _HOMES[name], None, None, (name,)), name)
