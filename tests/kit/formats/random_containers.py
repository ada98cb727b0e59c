"""Random Burnpack containers: all that the format can hold, small. The same seed gives the same ones."""

import struct
from random import Random

from burnpack.descriptor import BOOLS, FLOATS, INTEGERS
from burnpack.qfloat import BLOCK_RANK, MODES, PACKED, SCALES, VALUES, QFloat
from burnpack.tensor import Tensor

PLAIN = (*FLOATS, *INTEGERS, *BOOLS.values())
NAMES = (
    *("", ".", "weight", "a.0.weight", "a.10.weight", "a.9.weight", "__metadata__", '"\\/', "é 重み"),
    *(
        "\0\n\r\t\x1b[31m",
        "\x7f\x80\x9f",
        "\ufffd\ufeff\uffff",
        "\u202e\u2028\x85",
        "🔥\U0010ffff",
        "n" * 300,
    ),
)
EDGES = (0, 1, 23, 24, 255, 256, 65535, 65536, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
FLOAT_EDGES = (
    *(0.0, -0.0, 1.0, 0.1, 65504.0, 65520.0, 2.0**-24, 2.0**-25, 2.0**-14, 3.4028234663852886e38, 1e39),
    *(2.0**-149, 2.0**-150, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")),
)


def parts(rng):
    """Return the (tensors, metadata, scalars) of a container, as a writer takes them."""
    tensors = {}
    for _ in range(rng.randrange(6)):
        tensor = _tensor(rng, name(rng))
        tensors[tensor.name] = tensor
    listed = list(tensors.values())
    rng.shuffle(listed)
    metadata = {name(rng): name(rng) for _ in range(rng.randrange(4))}
    scalars = {name(rng): scalar(rng) for _ in range(rng.randrange(4))}
    return listed, list(metadata.items()), list(scalars.items())


def _tensor(rng, called):
    extents = shape(rng)
    dtype = scheme(rng, len(extents)) if rng.randrange(3) == 0 else rng.choice(PLAIN)
    # A quantized tensor's bytes are handed out however many there are.
    odd = rng.randrange(300) if isinstance(dtype, QFloat) and rng.randrange(8) == 0 else None
    tensor = Tensor(called, dtype, extents, None, param_id(rng), odd)
    return Tensor(called, dtype, extents, rng.randbytes(tensor.nbytes), tensor.param_id, odd)


def shape(rng):
    if rng.randrange(16) == 0:
        return (rng.choice((255, 256, 257)),)
    rank = rng.choice((0, 1, 1, 2, 2, 2, 3, 4, 5, 8))
    return tuple(rng.randrange(3 if rank > 3 else 6) for _ in range(rank))


def param_id(rng):
    return rng.choice((None, rng.choice(EDGES), rng.getrandbits(64)))


def scheme(rng, rank):
    """Return a quantization scheme that a tensor of this rank can have."""
    store = rng.choice(("Native", *((packed, rng.randrange(max(rank, 1))) for packed in PACKED)))
    extents = [rng.choice((1, 2, 3, 5, 32, 255)) for _ in range(rng.randint(0, min(rank, BLOCK_RANK)))]
    block = (tuple(extents), rng.choice(list(SCALES))) if rng.randrange(2) else None
    tensor = rng.choice(list(SCALES)) if rng.randrange(2) else None
    return QFloat(rng.choice(list(VALUES)), store, rng.choice(MODES), tensor, block)


def scalar(rng):
    """Return a scalar as (kind, value)."""
    kind = rng.choice(("Int", "UInt", "Bool", "Float", "Float"))
    if kind == "Bool":
        return kind, rng.random() < 0.5
    if kind == "Float":
        return kind, rng.choice((rng.choice(FLOAT_EDGES), *struct.unpack("<d", rng.randbytes(8))))
    number = rng.choice((rng.choice(EDGES), rng.getrandbits(rng.randint(0, 64))))
    return (kind, number) if kind == "UInt" else (kind, number - (1 << 63) if number >> 63 else -number)


def name(rng):
    kind = rng.randrange(3)
    if kind == 0:
        return rng.choice(NAMES)
    if kind == 1:
        return "layers.%d.weight" % rng.randrange(1000)
    return "".join([_letter(rng) for _ in range(rng.randrange(40))])


def _letter(rng):
    """Return a character of any width of UTF-8."""
    code = rng.randrange(rng.choice((0x80, 0x800, 0x10000, 0x110000)))
    return "?" if 0xD800 <= code < 0xE000 else chr(code)


def of_seed(seed, count):
    """Return the parts of `count` containers."""
    rng = Random(seed)
    return [parts(rng) for _ in range(count)]
