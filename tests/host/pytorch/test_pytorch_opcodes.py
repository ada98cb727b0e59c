"""The restricted unpickler's own operations read plain values as Python's unpickler does."""

import io
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.errors import Malformed, Truncated
from burnpack.limits import Limits
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.unpickler import Unpickler
from kit.examples import examples

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple)
)

# Written by hand, as no pickler of today writes them.
OLD = (
    b"S'a\\x41\\n'\n.",
    b'S"it\'s"\n.',
    b"I00\n.",
    b"I01\n.",
    b"I-7\n.",
    b"L12L\n.",
    b"L-12\n.",
    b"F1.5\n.",
    b"V\\u1234\xe4\n.",
    b"U\x02ab.",
    b"T\x02\x00\x00\x00ab.",
    b"(I1\n0I2\n1I3\n.",
    b"I1\n22\x86.",
    b"(I1\nI2\n1).",
)
SENSELESS = (
    b"\x80\x09N.",
    b"K\x01K\x02\x93.",
    b"Sab\n.",
    b"S'ab\n.",
    b"Ione\n.",
    b"2.",
    b"1N.",
    b"I1\n(.",
    b"U\x02\xff",
    b"M\x01",
)


def read(data, storage=None):
    return Unpickler(io.BytesIO(data), len(data), storage, Budget(Limits())).load()


@given(VALUES, st.integers(2, pickle.HIGHEST_PROTOCOL))
@examples(2)
def test_plain_values_are_as_pythons_unpickler_has_them(value, protocol):
    data = pickle.dumps(value, protocol)
    if b"_codecs" not in data:  # as protocol 2 writes bytes, which is a call
        assert repr(read(data)) == repr(pickle.loads(data))


@given(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(), st.integers(0, 1))
@examples(1)
def test_plain_values_of_the_first_protocols_are_as_pythons_unpickler_has_them(value, protocol):
    data = pickle.dumps(value, protocol)
    assert repr(read(data)) == repr(pickle.loads(data))


@pytest.mark.parametrize("data", OLD)
def test_what_old_picklers_wrote_is_as_pythons_unpickler_has_it(data):
    found, wanted = read(data), pickle.loads(data)
    assert (type(found), found) == (type(wanted), wanted)


@pytest.mark.parametrize("data", SENSELESS)
def test_what_makes_no_sense_is_refused(data):
    with pytest.raises((Malformed, Truncated)):
        read(data)


@pytest.mark.parametrize("data", (b"P12\n.", b"X\x02\x00\x00\x0012Q."))
def test_a_persistent_id_is_asked_for_and_nothing_else(data):
    assert read(data, lambda pid: ["storage", pid]) == ["storage", "12"]
