"""Integer kernels in plain Python, for any interpreter. Each family is imported when it is first used.

Nothing is allocated: no slices, no tuples, and no number that does not fit a small integer. Weights are read
without a sign, as bytes u of which u ^ 128 is the weight + 128.
"""

# No family is called like one of the functions: importing it would put it in that function's place.
_HOMES = {
    "linear": "dense",
    "conv2d": "conv",
    "depthwise2d": "depthwise",
    "max_pool2d": "pool",
    "avg_pool2d": "pool",
    "add": "elementwise",
    "lookup": "elementwise",
    "softmax": "probability",
}


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(__import__("burnrt.kernels.int8.plain." + _HOMES[name], None, None, (name,)), name)
