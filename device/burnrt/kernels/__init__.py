"""The arithmetic of the layers, from the fastest set of kernels that this interpreter runs.

A set is a module of this package with functions, all of them or some:

    buffer(count)                a new flat buffer for numbers, its contents not set
    floats(values)               a new flat buffer with a copy of `values`
    weights(data, dtype, count)  a parameter's bytes as a sequence of numbers, nothing copied
    fill, copy_rows, copy_strided, index_select   numbers set, and rows of numbers moved, within buffers
    linear, conv2d, conv_transpose2d, max_pool2d, avg_pool2d, adaptive_avg_pool2d, adaptive_max_pool2d,
    batch_norm, layer_norm, rms_norm, affine, embedding, attention, add, multiply, lerp, relu, clamp,
    threshold, prelu, hard_sigmoid, hard_swish, gelu, sigmoid, silu, tanh, softmax, quiet_softmax,
    log_softmax, elu, gelu_tanh, mish, softplus, softsign, fake_quantize, resample2d, lstm, gru, rnn, matmul
    quantize, dequantize      floats as bytes, and bytes as floats
    add_strided, multiply_strided, subtract, divide, power, floor_divide, remainder, fmod, minimum, maximum,
    compare, where      inputs that are broadcast
    absolute, sqrt, rsqrt, exp, expm1, log, log1p, sin, cos, tan, erf, floor, ceil, rint, trunc, cumsum
    total, product, amax, amin, argmax, argmin, variance      rows made one number each

A layer calls `kernels.conv2d(...)`. The function is looked up in the sets in use, fastest first, when
it is needed for the first time; "plain" has them all and comes last. Kernels are told every shape
and write into a buffer they are given; where that may be the input's own buffer, the kernel says so.
"""

from burnrt.kernels.choice import Choice

SETS = ("numpy", "thumb_fpu", "ulab", "plain")

_choice = Choice(globals(), SETS)
use = _choice.use
in_use = _choice.in_use


def __getattr__(name):
    if name == "int8":  # MicroPython asks here for a submodule, before it looks for its files
        return _choice.module(name)
    return _choice.find(name)
