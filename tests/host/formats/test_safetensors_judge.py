"""The reference implementation of SafeTensors judges ours, in both directions."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from safetensors import SafetensorError, deserialize, safe_open

from burnpack import errors
from burnpack.errors import BurnpackError
from burnpack.safetensors import Reader
from burnpack.safetensors_header import burn_name
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from burnstore.io.fast_header import FastReader
from kit import support
from kit.examples import examples
from kit.formats import safetensors_cases as cases
from vectors.safetensors import make as vectors

READERS = (Reader, FastReader)
RUST = ("odd", "zoo", "zoo.burn", "zoo.torch", "burn_0.20")
REAL = ("examples/mnist/mnist", *("tests/data/rust/" + name for name in RUST))


def theirs(container):
    """Return what the reference reads: {name: (dtype, shape, bytes)}."""
    read = deserialize(bytes(container))
    return {
        name: (burn_name(found["dtype"]), tuple(found["shape"]), bytes(found["data"])) for name, found in read
    }


def ours(reader):
    """Return what our reader reads, in the same form."""
    return {tensor.name: (tensor.dtype, tensor.shape, bytes(tensor.data())) for tensor in reader}


def written(tensors, metadata):
    """Return what our writer makes of {name: (dtype, shape, bytes)}."""
    listed = [Tensor(name, burn_name(dtype), shape, data) for name, (dtype, shape, data) in tensors.items()]
    return Writer(listed, metadata.items()).to_bytes()


def titles(table):
    return pytest.mark.parametrize("case", table, ids=[case[0] for case in table])


def refused(container):
    with pytest.raises(SafetensorError):
        deserialize(container)


def test_the_vectors_are_what_the_reference_makes():
    for name, build in vectors.FILES.items():
        assert (vectors.HERE / name).read_bytes() == build()


@titles(cases.VALID)
def test_both_take_the_same(case, tmp_path):
    container = cases.container(*case[1:])
    path = tmp_path / "case.safetensors"
    path.write_bytes(container)
    with safe_open(path, "np") as file:
        metadata = file.metadata() or {}
    for reader in READERS:
        opened = reader.from_bytes(container)
        assert ours(opened) == theirs(container)
        assert dict(opened.metadata()) == metadata


@titles(cases.HOSTILE)
def test_both_refuse_the_same(case):
    container = cases.container(*case[1:3])
    refused(container)
    for reader in READERS:
        with pytest.raises(getattr(errors, case[3])):
            reader.from_bytes(container)


@titles(cases.FOREIGN)
def test_both_refuse_other_files(case):
    refused(case[1])
    for reader in READERS:
        with pytest.raises(getattr(errors, case[2])):
            reader.from_bytes(case[1])


@titles(cases.STRICTER)
def test_the_reference_takes_what_only_we_refuse(case):
    container = cases.container(*case[1:3])
    deserialize(container)
    for reader in READERS:
        with pytest.raises(getattr(errors, case[3])):
            reader.from_bytes(container)


@titles(cases.LOOSER)
def test_the_reference_refuses_what_only_we_take(case):
    refused(cases.container(*case[1:]))


@pytest.mark.parametrize("name", REAL)
def test_real_files_read_alike(name):
    data = support.read(support.path(name + ".safetensors"))
    for reader in READERS:
        assert ours(reader.from_static(data)) == theirs(data)


def test_three_gigabytes_are_planned_and_opened_without_being_read(tmp_path):
    size = 3 << 30

    def data():
        raise AssertionError("the data was asked for")

    writer = Writer([Tensor("a", "U8", (size,), data)])
    path = tmp_path / "large.safetensors"
    with path.open("w+b") as file:
        file.write(next(writer.chunks()))
        file.truncate(writer.size)  # a hole, which takes no room
        for reader in READERS:
            opened = reader.from_stream(file)
            assert opened.tensor("a").nbytes == size
            assert opened.span("a") == (writer.size - size, writer.size)
    with safe_open(path, "np") as file:
        assert file.get_slice("a").get_shape() == [size]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=70)
DTYPES = st.sampled_from([dtype for dtype in vectors.DTYPES if dtype != "F4"])
SHAPES = st.lists(st.integers(0, 4), max_size=4).map(tuple)


@st.composite
def tensors(draw):
    """Return {name: (dtype, shape, bytes)}."""
    found = {}
    for name in draw(st.lists(TEXTS.filter(lambda text: text != "__metadata__"), max_size=6, unique=True)):
        dtype, shape = draw(DTYPES), draw(SHAPES)
        size = vectors.size_of(dtype, shape)
        found[name] = dtype, shape, draw(st.binary(min_size=size, max_size=size))
    return found


@given(tensors(), st.dictionaries(TEXTS, TEXTS, max_size=1))
def test_both_write_the_same_bytes(given_tensors, metadata):
    container = written(given_tensors, metadata)
    assert container == vectors.reference(given_tensors, metadata or None)
    for reader in READERS:
        assert ours(reader.from_bytes(container)) == theirs(container)


@given(tensors(), st.dictionaries(TEXTS, TEXTS, max_size=5))
def test_the_reference_reads_what_we_write(given_tensors, metadata):
    container = written(given_tensors, metadata)
    meant = {name: (burn_name(dtype), shape, data) for name, (dtype, shape, data) in given_tensors.items()}
    assert theirs(container) == meant
    for reader in READERS:
        assert dict(reader.from_bytes(container).metadata()) == metadata


# Pieces to build headers from that are nearly right.
PIECES = (
    *'[ ] { } , : 0 1 4 8 -1 1.5 1e2 00 null true " \\ \x01 é [0,8] [0,0] [2] [0]'.split(" "),
    *'"a" "b" "dtype" "shape" "data_offsets" "__metadata__" "F32" "U8" "F4" "x" ""'.split(" "),
    *r'"\u0061" "\ud800" "\ud83d\ude00" "x":{"y":[]},'.split(" "),
    *("", " ", "\n", cases.F32, cases.U8, '"a":%s,' % cases.F32),
)
STARTS = [
    header for _, header, *_ in cases.VALID + cases.HOSTILE if isinstance(header, str) and len(header) < 400
]


@st.composite
def headers(draw):
    """Return the header of a case with a few of its parts replaced."""
    header = draw(st.sampled_from(STARTS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(header)))
        end = min(len(header), start + draw(st.integers(0, 3)))
        header = header[:start] + draw(st.sampled_from(PIECES)) + header[end:]
    return header


def only_we_refuse(header, error):
    """Tell whether the differences that `burnpack.safetensors` lists explain this one."""
    if isinstance(error, errors.DuplicateName) or header[0] in " \n":
        return True
    return (
        re.search(r':\s*\[\s*"|"dtype"\s*:\s*\{', header) is not None
    )  # a list of texts, a dtype in an object


@examples(8)
@given(headers(), st.sampled_from([b"", cases.EIGHT, cases.EIGHT + b"abc"]))
@example('{"a":%s,"\\u0061":%s}' % (cases.F32, cases.F32), cases.EIGHT)
def test_broken_headers_are_taken_or_refused_alike(header, data):
    container = cases.container(header, data)
    try:
        expected = theirs(container)
    except SafetensorError:
        expected = None
    for reader in READERS:
        try:
            found = ours(reader.from_bytes(container))
        except BurnpackError as error:
            assert expected is None or only_we_refuse(header, error), error
        else:
            assert found == expected
