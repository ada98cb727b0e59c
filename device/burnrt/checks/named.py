"""Checks by the names that programs have for kernels; bundles have a table instead."""

if False:  # for type checkers
    from typing import Any

FAMILIES = """
integers.sums int8.linear int8.conv2d int8.depthwise2d int8.max_pool2d int8.avg_pool2d
integers.packed int8.linear4
integers.each int8.add int8.lookup int8.lookup_each int8.softmax
integers.recurrent int8.gru int8.lstm int8.rnn
integers.moves int8.copy int8.fill
integers.products int8.masked_softmax int8.matmul int8.embedding
integers.normalizing int8.normalize
integers.resampling int8.resample
integers.broadcasting int8.add_strided int8.multiply_strided
integers.wide int8.wide_conv2d int8.wide_add int8.wide_multiply int8.wide_lookup int8.narrow
floats.each relu gelu sigmoid silu tanh hard_swish gelu_tanh mish softsign add multiply lerp
floats.each hard_sigmoid clamp threshold elu softplus prelu affine fake_quantize
floats.each quantize dequantize
floats.norm batch_norm layer_norm rms_norm softmax quiet_softmax log_softmax
floats.dense linear embedding
floats.conv conv2d conv_transpose2d
floats.pool max_pool2d avg_pool2d adaptive_avg_pool2d adaptive_max_pool2d
floats.rows fill copy_rows copy_strided index_select
floats.attending attention
floats.resampling resample2d
floats.recurrent lstm gru rnn
floats.broadcasting add_strided multiply_strided subtract divide minimum maximum
floats.broadcasting compare where power floor_divide remainder fmod matmul
floats.each absolute sqrt rsqrt exp expm1 log log1p sin cos tan erf floor ceil rint trunc
floats.reducing total product amax amin argmax argmin variance cumsum
"""


def find(name: str) -> "Any":
    """Return what checks a step of the kernel called `name`. Raises `KeyError` where there is none."""
    for line in FAMILIES.split("\n"):
        homes = line.split()
        if name in homes[1:]:
            name = name.split(".")[-1]
            return getattr(__import__("burnrt.checks." + homes[0], None, None, (name,)), name)
    raise KeyError("no such kernel", None, name)
