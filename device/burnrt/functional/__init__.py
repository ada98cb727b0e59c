"""PyTorch's functions on values: their names and arguments are those of `torch` and `torch.nn.functional`.

    from burnrt import functional as F

    y = F.cat([F.relu(a), b], dim=1)

Each is imported when it is first used. Where one takes a value it also takes a parameter of the model; where
PyTorch takes a number for a tensor, so does it.
"""

from burnrt.value import lacking

# Lines of a module's name, and functions in it.
HOMES = """
activations gelu hardsigmoid hardswish hardtanh leaky_relu relu relu6 sigmoid silu tanh
arithmetic add mul multiply neg negative rsub square sub subtract
attention scaled_dot_product_attention
clamping clamp clamp_max clamp_min clip
comparing bitwise_and bitwise_not bitwise_or bitwise_xor eq ge greater greater_equal gt isnan le less
comparing less_equal logical_and logical_not logical_or logical_xor lt masked_fill maximum minimum ne
comparing not_equal sign where
convolutions conv1d conv2d conv_transpose1d conv_transpose2d
dense embedding linear
dividing div divide reciprocal rtruediv true_divide
each abs absolute cos erf exp exp2 expm1 log log10 log1p log2 rsqrt sin sqrt tan
joining cat concat concatenate stack
matrices addmm baddbmm bmm dot matmul mm mv rmatmul
more_activations celu elu glu hardshrink logsigmoid mish prelu rrelu selu softplus softshrink softsign
more_activations tanhshrink threshold
norms batch_norm group_norm instance_norm layer_norm rms_norm
ordering flip moveaxis movedim permute roll swapaxes swapdims t transpose
padding pad
parts chunk narrow select split tensor_split unbind
pooling adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d avg_pool1d avg_pool2d
pooling max_pool1d max_pool2d
powers float_power pow rpow
probability log_softmax softmax softmin
quantizing fake_quantize_per_tensor_affine
reducing amax amin argmax argmin max mean min sum
repeating broadcast_to expand expand_as repeat repeat_interleave tile
resizing interpolate upsample
rounding ceil fix floor floor_divide fmod frac remainder rfloordiv rmod round trunc
scaling local_response_norm normalize
selecting index_select
shuffling channel_shuffle pixel_shuffle pixel_unshuffle unfold windows
statistics cumsum logsumexp norm prod std std_mean var var_mean
viewing flatten ravel reshape squeeze unflatten unsqueeze
"""


def home(name):
    """Return the module of this package that has the function called `name`, or None."""
    for line in HOMES.split("\n"):
        words = line.split()
        if name in words[1:]:
            return words[0]
    return None


# A line for each operator and for each method that values leave to a function: its name in Python, without
# underscores, and the function.
OPERATORS = """
argmax argmax
add add
radd add
sub sub
rsub rsub
mul mul
rmul mul
truediv div
rtruediv rtruediv
floordiv floor_divide
rfloordiv rfloordiv
mod remainder
rmod rmod
pow pow
rpow rpow
matmul matmul
rmatmul rmatmul
neg neg
abs abs
invert logical_not
and logical_and
rand logical_and
or logical_or
ror logical_or
xor logical_xor
rxor logical_xor
lt lt
le le
eq eq
ne ne
ge ge
gt gt
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
