"""The arithmetic of the layers, from the fastest set of kernels that this interpreter runs.

A set is a module of this package with functions, all of them or some:

    buffer(count)                a new flat buffer for numbers, its contents not set
    floats(values)               a new flat buffer with a copy of `values`
    weights(data, dtype, count)  a parameter's bytes as a sequence of numbers, nothing copied
    fill, copy_rows              numbers set, and rows of numbers moved, within buffers
    linear, conv2d, conv_transpose2d, max_pool2d, avg_pool2d, adaptive_avg_pool2d, batch_norm, layer_norm,
    rms_norm, affine, embedding, attention, add, multiply, lerp, relu, clamp, prelu, hard_swish, gelu,
    sigmoid, silu, tanh, softmax, quiet_softmax, log_softmax

A layer calls `kernels.conv2d(...)`. The function is looked up in the sets in use, fastest first, when
it is needed for the first time; "plain" has them all and comes last. Kernels are told every shape
and write into a buffer they are given; where that may be the input's own buffer, the kernel says so.
"""

# The sets, fastest first, and a module without which the set need not be tried. Firmware with ulab may have a
# module called numpy, but not this part of it.
_SETS = (
    ("numpy", "numpy.lib.stride_tricks"),
    ("thumb_fpu", "uctypes"),
    ("ulab", "ulab"),
    ("plain", "array"),
)

_PACKAGE = "burnrt.kernels."

_in_use = []
_found = []


def use(name=None):
    """Choose the set of kernels by name; without one, the fastest that runs here.

    What the set lacks comes from "plain". Values made before stay valid. Raises `ImportError` for a set
    that does not run here.
    """
    if name and not _importable(_PACKAGE + name):
        raise ImportError("the kernels %s do not run here" % name)
    chosen = [name] if name else [found for found, needed in _SETS if _runs(found, needed)]
    _in_use[:] = chosen
    if "plain" not in _in_use:
        _in_use.append("plain")
    for function in _found:
        globals().pop(function, None)
    _found.clear()


def in_use():
    """Return the names of the sets in use, fastest first."""
    return list(_in_use)


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if name == "int8":  # MicroPython asks here for a submodule, before it looks for its files
        return __import__(_PACKAGE + name, None, None, (name,))
    for chosen in _in_use:
        function = getattr(__import__(_PACKAGE + chosen, None, None, (name,)), name, None)
        if function is not None:
            globals()[name] = function
            _found.append(name)
            return function
    raise AttributeError(name)


def _runs(name, needed):
    return _importable(needed) and _importable(_PACKAGE + name)


def _importable(module):
    # A port that does not know a decorator, or an instruction, finds a syntax error; one that is given code
    # compiled for another chip, a value error.
    try:
        __import__(module)
    except (ImportError, SyntaxError, ValueError):
        return False
    return True


use()
