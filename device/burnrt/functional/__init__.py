"""PyTorch's functions on values: their names and arguments are those of `torch` and `torch.nn.functional`.

    from burnrt import functional as F

    y = F.cat([F.relu(a), b], dim=1)

Each is imported when it is first used. Where one takes a value it also takes a parameter of the model; where
PyTorch takes a number for a tensor, so does it.
"""

from burnrt.value import lacking

# A line for each module: its name, and the functions in it.
HOMES = """
activations gelu hardsigmoid hardswish hardtanh leaky_relu relu relu6 sigmoid silu tanh
attention scaled_dot_product_attention
convolutions conv1d conv2d conv_transpose1d conv_transpose2d
dense embedding linear
more_activations celu elu glu hardshrink logsigmoid mish prelu rrelu selu
more_activations softplus softshrink softsign tanhshrink threshold
norms batch_norm group_norm instance_norm layer_norm rms_norm
pooling adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d
pooling avg_pool1d avg_pool2d max_pool1d max_pool2d
probability log_softmax softmax softmin
quantizing fake_quantize_per_tensor_affine
joining cat concat concatenate stack
ordering flip moveaxis movedim permute roll swapaxes swapdims t transpose
padding pad
parts chunk narrow select split tensor_split unbind
repeating broadcast_to expand expand_as repeat repeat_interleave tile
resizing interpolate upsample
selecting index_select
shuffling channel_shuffle pixel_shuffle pixel_unshuffle unfold windows
viewing flatten ravel reshape squeeze unflatten unsqueeze
"""


def home(name):
    """Return the module of this package that has the function called `name`, or None."""
    for line in HOMES.split("\n"):
        words = line.split()
        if name in words[1:]:
            return words[0]
    return None


# A line for each operator: its name in Python, without underscores, and the function that computes it.
OPERATORS = """
"""


def operator(name):
    """Return what computes an operator. Raises `Unsupported` where there is nothing."""
    for line in OPERATORS.split("\n"):
        words = line.split()
        if words and words[0] == name:
            return __getattr__(words[1])
    raise lacking(name)


def __getattr__(name):
    found = home(name)
    if found is None:
        raise AttributeError("burnrt.functional has no %s" % name)
    value = getattr(__import__("burnrt.functional." + found, None, None, (name,)), name)
    globals()[name] = value
    return value
