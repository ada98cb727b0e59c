"""The fast index of a SafeTensors container says the same as the portable one, which decides what is odd."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.errors import BurnpackError
from burnpack.limits import Limits
from burnpack.safetensors import Index, Reader
from burnstore.io.fast_header import FastIndex, FastReader
from kit import support
from kit.formats import safetensors_cases as cases

ALL = cases.VALID + cases.STRICTER + cases.LOOSER + cases.HOSTILE
TWO = '{"a":%s,"b":%s}' % (cases.F32, cases.U8)
DATA = cases.EIGHT + b"abc"


def outcome(reader, container, limits=None):
    """Return all that a reader says of a container, or the error it raises."""
    try:
        opened = reader.from_bytes(container, limits)
    except BurnpackError as error:
        return str(error)
    tensors = [(tensor.name, tensor.dtype, tensor.shape, opened.span(tensor.name)) for tensor in opened]
    absent = "no such name" in opened
    return opened.names(), tensors, opened.metadata(), opened.scalars(), len(opened), absent


@pytest.mark.parametrize("case", ALL, ids=[case[0] for case in ALL])
def test_both_say_the_same(case):
    container = cases.container(*case[1:3])
    assert outcome(FastReader, container) == outcome(Reader, container)


METADATA = (
    "{}",
    "null",
    '{"k":"v","":"\\"é\\n\\ud83d\\ude00"}',
    '{ "k" : "v" , "a" : "" }',
    '{"k":"v","k":"w"}',
    '{"k":"v","\\u006b":"w"}',
    '{"k":"\\ud83d"}',
    '{"k":1}',
    '{"k":["v"]}',
    '{"k":{"a":"b"}}',
    '{"k":NaN}',
    '{"k":"a\tb"}',
    '[["k","v"]]',
    '["kv"]',
    '"kv"',
    '{"k":"v}',
    " {}",
    "{" * 5000,
    '{"k":' + "9" * 5000 + "}",
)


@pytest.mark.parametrize("metadata", METADATA, ids=lambda text: text[:30])
def test_both_say_the_same_of_metadata(metadata):
    for rest in ("}", "," + TWO[1:]):
        container = cases.container('{"__metadata__":' + metadata + rest, DATA if len(rest) > 1 else b"")
        assert outcome(FastReader, container) == outcome(Reader, container)


def test_metadata_with_escapes_is_read_fast():
    container = cases.container('{"__metadata__":' + METADATA[2] + "," + TWO[1:], DATA)
    assert isinstance(FastReader.from_static(container)._index, FastIndex)


@given(
    st.sampled_from(["", *METADATA[:5]]),
    st.integers(0, 200),
    st.integers(0, 2),
    st.sampled_from(["", " ", ",", ":", "{", "}", '"', "0", "1", "x", "\\", "[", "]", "\n", "a", "é", "\0"]),
)
def test_both_say_the_same_of_a_changed_header(metadata, at, dropped, added):
    header = '{"__metadata__":' + metadata + "," + TWO[1:] if metadata else TWO
    header = header[:at] + added + header[at + dropped :]
    container = cases.container(header, DATA)
    assert outcome(FastReader, container) == outcome(Reader, container)


@pytest.mark.parametrize("name", ["metadata", "tensors", "tensor", "file"])
@pytest.mark.parametrize("most", [1, 2, 7, 8, 50, 102, 103, 120, 121, 122])
def test_both_keep_the_limits(name, most):
    limits = Limits(**{name: most})
    container = cases.container(TWO, DATA)
    assert outcome(FastReader, container, limits) == outcome(Reader, container, limits)


def test_what_the_reference_writes_is_read_fast():
    data = support.read(support.path("tests/vectors/safetensors/dtypes.safetensors"))
    assert isinstance(FastReader.from_static(data)._index, FastIndex)
    assert outcome(FastReader, data) == outcome(Reader, data)


def test_what_burn_writes_is_read_fast():
    data = support.read(support.data("rust/zoo.burn.safetensors"))
    assert isinstance(FastReader.from_static(data)._index, FastIndex)
    assert outcome(FastReader, data) == outcome(Reader, data)


SPELLINGS = {
    "spaced": TWO.replace(":", " : ").replace(",", "\n,\t"),
    "escaped": TWO.replace('"a"', '"\\u0061\\"\\ud83d\\ude00"'),
    "fields in another order": '{"a":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"},"b":%s}' % cases.U8,
    "data in another order": '{"b":%s,"a":%s}' % (cases.U8, cases.F32),
    "metadata in the middle": '{"a":%s,"__metadata__":{"k":"v"},"b":%s}' % (cases.F32, cases.U8),
    "spaces behind": TWO + " \n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_is_spelt_otherwise_is_read_fast(spelling):
    data = cases.container(SPELLINGS[spelling], DATA)
    assert isinstance(FastReader.from_static(data)._index, FastIndex)
    assert outcome(FastReader, data) == outcome(Reader, data)


ODD = {
    "a zero with a minus": TWO.replace("[0,8]", "[-0,8]"),
    "a float": TWO.replace("[0,8]", "[0.0,8]"),
    "a boolean": TWO.replace("[0,8]", "[false,8]"),
    "an object for a shape": TWO.replace("[2]", "{}"),
    "a text for a shape": TWO.replace("[2]", '""'),
    "an array for a description": '{"a":[["dtype","F32"],["shape",[2]],["data_offsets",[0,8]]],"b":%s}'
    % cases.U8,
    "half a surrogate pair": TWO.replace('"a"', '"\\ud83d"'),
    "halves of pairs in two names": TWO.replace('"a"', '"\\ud83d"').replace('"b"', '"\\ude00"'),
    "half a pair in another field": TWO.replace('"dtype"', '"x":"\\ud83d","dtype"', 1),
    "another field": TWO.replace('"dtype"', '"x":null,"dtype"', 1),
    "NaN": TWO.replace('"dtype"', '"x":NaN,"dtype"', 1),
    "a field twice": TWO.replace('"dtype"', '"dtype":"F32","dtype"', 1),
    "two keys that are one": TWO.replace('"b"', '"\\u0061"'),
    "metadata twice": '{"__metadata__":{},"\\u005f_metadata__":{},"a":%s,"b":%s}' % (cases.F32, cases.U8),
    "many dimensions": TWO.replace("[2]", "[" + ",".join(["1"] * 65) + "]"),
    "an extent of 5000 digits": TWO.replace("[2]", "[" + "9" * 5000 + "]"),
}


@pytest.mark.parametrize("odd", ODD)
def test_both_say_the_same_of_what_is_odd(odd):
    data = cases.container(ODD[odd], DATA)
    assert not isinstance(outcome(FastReader, data), tuple) or odd == "another field"
    assert outcome(FastReader, data) == outcome(Reader, data)


def test_what_would_take_much_memory_goes_to_the_portable_index(monkeypatch):
    monkeypatch.setattr("burnstore.io.fast_header._ITEMS_MOST", 10)
    data = cases.container(TWO, DATA)
    assert isinstance(FastReader.from_static(data)._index, Index)
    assert outcome(FastReader, data) == outcome(Reader, data)


def test_a_found_name_has_its_own_number():
    index = FastReader.from_static(cases.container(TWO, DATA))._index
    assert [index.find(index.name(number)) for number in range(2)] == [0, 1]
    assert index.find("c") == -1


ENDLESS = """
import resource
from burnpack.errors import BurnpackError
from burnstore.io.fast_header import FastReader
from kit.formats import safetensors_cases as cases

resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
shape = ",".join([str((1 << 64) - 1)] * 400_000)
header = '{"a":{"dtype":"F32","shape":[%s],"data_offsets":[0,4]}}' % shape
try:
    FastReader.from_bytes(cases.container(header, bytes(4)))
except BurnpackError as error:
    print(error)
"""


def test_extents_are_counted_before_they_are_multiplied():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", ENDLESS], env=environment, capture_output=True, text=True)
    assert "too many dimensions" in done.stdout, done.stderr
