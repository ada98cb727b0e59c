"""Casting with numpy gives the bytes that casting number by number gives."""

import numpy as np
import pytest

from burnpack.adapters.cast import cast
from burnpack.errors import InvalidTensor
from burnstore.numerics.elements import cast as cast_fast

DTYPES = ("F64", "F32", "Flex32", "F16", "BF16")
PAIRS = [(source, target) for source in DTYPES for target in DTYPES if source != target]

# around the places where rounding changes what comes out
EDGES = [0.0, -0.0, 5e-324, 2**-149, 2**-150, 2**-24, 2**-25, 3 * 2**-26, 65504.0, 65519.999, 65520.0]
EDGES += [1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-8, 1 + 2**-8 + 2**-40, 3.3895e38, 3.4e38, 3.5e38, 1e300]


def numbers(dtype):
    """Return bytes of every kind of number of a dtype: all codes of the narrow ones."""
    random = np.random.default_rng(4)
    if dtype in ("F16", "BF16"):
        return np.arange(1 << 16, dtype="<u2").tobytes()
    form, codes = ("<f8", "<u8") if dtype == "F64" else ("<f4", "<u4")
    any_bits = random.integers(0, 1 << 63, 3000, np.uint64).astype(codes).tobytes()
    usual = random.normal(0, 30000, 3000).astype(form).tobytes()
    with np.errstate(over="ignore"):
        edges = np.array(EDGES + [-edge for edge in EDGES]).astype(form).tobytes()
    return any_bits + usual + edges


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_both_ways_of_casting_give_the_same_bytes(source, target):
    data = numbers(source)
    expected = bytes(cast(data, source, target, True, "x"))
    assert bytes(cast_fast(data, source, target, True, "x")) == expected


@pytest.mark.parametrize("way", [cast, cast_fast])
def test_both_refuse_what_would_become_infinite_in_the_same_words(way):
    data = np.array([1.0, 70000.0, 80000.0], "<f4").tobytes()
    with pytest.raises(InvalidTensor) as caught:
        way(data, "F32", "F16", False, "fc.weight")
    expected = (
        "fc.weight: a number too large for F16 (expected saturate=True, or a wider dtype, found 70000.0)"
    )
    assert str(caught.value) == expected
