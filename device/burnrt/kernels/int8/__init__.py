"""Kernels on integers, from the fastest set that runs here: chosen as `burnrt.kernels` are.

A set is a module of this package with some of the functions, or all; "plain" has all and comes last:

    linear, conv2d, depthwise2d, max_pool2d, avg_pool2d, add, lookup, softmax

Each is called with the same four things, and allocates nothing:

    arena      a writable buffer, aligned to 4: all numbers that flow, as unsigned bytes, a batch of one.
               A number q of a layer stands for scale × (q - zero point).
    weight     bytes, at any address: of linear (outputs, inputs) int8, of conv2d and depthwise2d (outputs,
               channels / groups, kernel height, kernel width) int8, of lookup 256 bytes; else anything.
               Of int8 weights at least 3 bytes more can be read behind the last.
    constants  32-bit words (see `memory.words`): of linear, conv2d, depthwise2d and avg_pool2d a bias for
               each output channel (avg_pool2d: for each cell), then from word RESCALE on a rescaling word
               for each; of softmax the 256 powers.
    words      32-bit words: the step's row, see `burnrt.int8.words`.

What each computes, all in integers, exactly, on every chip (the set "numpy" is the definition):

    rescaled(sum, word) = (t × m + 2^(b - 1)) >> b   m = word & 0xFFFF, at most 2^14 - 1
                          a = word >> 16 & 31, b = word >> 24 (1 to 30)
                          t = sum >> a, cut to -32768..32767
    out(sum, word)      = ZERO + rescaled(sum, word), cut to LOW..HIGH

    linear              out(bias + Σ weight × x, word), row by row
    conv2d              the same over each window; a place in the padding counts as PAD
    max_pool2d          the largest in each window; padding does not count
    avg_pool2d          out(bias + Σ x, word) over what of a window lies inside; bias and word of number 0,
                        or, where CELLS is not 1, of the window's place in the plane
    add                 (x × FIRST_FACTOR + y × SECOND_FACTOR + BIAS) >> SHIFT, cut to LOW..HIGH
    lookup              weight[x]
    softmax             of each row: e = powers[largest - x]; min(255, (e × 256 + Σe // 2) // Σe)

No sum, nor a part of one, passes 2^30. INPUT and OUTPUT may be one place for add and lookup.
"""

_SETS = ("numpy", "thumb_dsp", "thumb_m0", "viper", "plain")
_PACKAGE = "burnrt.kernels.int8."

_in_use = []
_found = []


def use(name=None):
    """Choose the set of kernels by name; without one, the fastest that runs here.

    What the set lacks comes from the slower ones. A plan keeps the kernels it was made with. Raises
    `ImportError` for a set that does not run here.
    """
    if name and not _runs(name):
        raise ImportError("the integer kernels %s do not run here" % name)
    chosen = [name] if name else []
    for candidate in _SETS[_SETS.index(name) + 1 :] if name in _SETS else _SETS:
        if _runs(candidate):
            chosen.append(candidate)
    _in_use[:] = chosen
    for function in _found:
        globals().pop(function, None)
    _found.clear()


def in_use():
    """Return the names of the sets in use, fastest first."""
    return list(_in_use)


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    for chosen in _in_use:
        function = getattr(__import__(_PACKAGE + chosen, None, None, (name,)), name, None)
        if function is not None:
            globals()[name] = function
            _found.append(name)
            return function
    raise AttributeError(name)


def _runs(name):
    # A port without the inline assembler or the emitter finds a syntax error; code compiled for another
    # chip is a value error. For CPython there is a package "micropython", which lacks the decorators.
    try:
        __import__(_PACKAGE + name)
    except (ImportError, AttributeError, SyntaxError, ValueError):
        return False
    return True


use()
