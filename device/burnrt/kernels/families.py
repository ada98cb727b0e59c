"""Which family of kernels has which: one table for all sets, of floats and of integers.

A set that is a package has a module for each of its families, with all or some of these kernels. Tools of the
host read the table, too. No family is called like a kernel: importing it would put it in that one's place.
"""

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

FAMILIES = """
memory buffer floats fill copy_rows weights
dense linear
packed linear4
conv conv2d
depthwise depthwise2d
conv_transpose conv_transpose2d
pool max_pool2d avg_pool2d adaptive_avg_pool2d adaptive_max_pool2d
each relu add multiply batch_norm affine
normalizing normalize
tables lookup_each
norm batch_norm layer_norm rms_norm affine
table embedding
picking index_select
attending attention
rectifier relu clamp threshold prelu hard_sigmoid hard_swish
activation gelu sigmoid silu tanh
probability softmax quiet_softmax log_softmax
smooth elu gelu_tanh mish softplus softsign
resampling resample2d resample
quantizing fake_quantize quantize dequantize
gated lstm gru
recurrent rnn
sequences gru lstm rnn
strides copy_strided
moves copy fill
elementwise add multiply lerp lookup
broadcasting add_strided multiply_strided subtract divide minimum maximum
choosing compare where
dividing power floor_divide remainder fmod
functions absolute sqrt rsqrt exp expm1 log log1p sin cos tan erf
rounding floor ceil rint trunc
reducing total product amax amin argmax argmin variance cumsum
matrices matmul
sigmoids gelu gelu_tanh sigmoid silu tanh
masked masked_softmax
products matmul
max_pool max_pool2d
avg_pool avg_pool2d
wide_sums wide_conv2d
wide_broadcasting wide_add wide_multiply
wide_each wide_lookup narrow
"""


def kernel(package: str, name: str) -> "Callable[..., Any]":
    """Return a kernel from the family that has it in the set `package`, a package.

    Raises `AttributeError` for what is no kernel, and that or `ImportError` for one that the set lacks.
    """
    absent: "AttributeError | ImportError" = AttributeError(name)
    for line in FAMILIES.split("\n"):
        words = line.split()
        if name in words[1:]:
            try:
                return getattr(__import__("%s.%s" % (package, words[0]), None, None, (name,)), name)  # type: ignore[no-any-return] # by name
            except (AttributeError, ImportError) as error:
                absent = error
    raise absent
