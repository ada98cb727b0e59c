"""The index that cbor2 makes tells the same as the one that is read byte by byte, and refuses the same."""

import random
from pathlib import Path

import cbor2
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from burnpack.checks import RANK_MOST
from burnpack.errors import BurnpackError
from burnpack.limits import Limits
from burnpack.reader import Reader
from burnstore.io.fast_index import FastIndex, FastReader, Unusual
from kit import support
from kit.examples import examples
from kit.formats import burnpack_accepted, burnpack_refused, burnpack_refused_cbor, burnpack_refused_kinds
from kit.formats.burnpack_by_hand import container, descriptor, one, sections
from kit.formats.cbor_by_hand import (
    FALSE,
    HALF_ONE,
    TRUE,
    array,
    blob,
    head,
    mapping,
    negative,
    numbers,
    opened_array,
    opened_mapping,
    opened_text,
    tagged,
    text,
    unsigned,
)

RUST = Path(support.data("rust"))
FILES = [*sorted(RUST.glob("*.bpk")), Path(support.path("examples/mnist/mnist_conv_bn.bpk"))]
MUTATIONS = 400  # of each file
U8 = text("U8")


def outcome(reader_class, data, limits=None):
    """Return all that a reader tells of `data`, or the class and text of its refusal."""
    try:
        reader = reader_class.from_static(data, limits, "a file")
        named = [reader.tensor(name) for name in reader.names()]
        return (
            [entry(tensor) for tensor in named],
            [entry(tensor) for tensor in reader],
            [reader.span(name) for name in reader.names()],
            reader.metadata(),
            repr(reader.scalars()),  # NaN is not equal to itself
            reader.version,
            reader.dialect,
            len(reader),
        )
    except BurnpackError as error:
        return type(error), str(error), error.offset


def entry(tensor):
    shape_types = [type(extent) for extent in tensor.shape]
    return tensor.name, tensor.dtype, tensor.shape, shape_types, bytes(tensor.data()), tensor.param_id


def alike(data, limits=None):
    slow, fast = outcome(Reader, data, limits), outcome(FastReader, data, limits)
    assert fast == slow
    return slow


def read_at_c_speed(name):
    """Tell whether a file's tensors are read without the decoder that goes byte by byte."""
    return not FastReader.from_static((RUST / f"{name}.bpk").read_bytes())._index._positions


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_of_rust_are_read_alike(path):
    assert isinstance(alike(path.read_bytes())[0], list)


@pytest.mark.parametrize(
    "name", ["zoo", "seq", "zoo_half", "zoo_bf16", "zoo_filtered", "shapes", "names", "ids", "scalars"]
)
def test_ordinary_files_are_read_at_c_speed(name):
    assert read_at_c_speed(name)


@pytest.mark.parametrize("name", ["quantized", "dtypes", "burn_0.20", "burn_0.20_q8s_block"])
def test_what_is_less_usual_is_left_to_the_other_index(name):
    assert not read_at_c_speed(name)


@pytest.mark.parametrize("table", [burnpack_refused, burnpack_refused_cbor, burnpack_refused_kinds])
def test_what_one_refuses_the_other_refuses_in_the_same_words(table):
    for what, data, error_class, _ in table.refused():
        found = alike(data)
        assert found[0] is error_class, what


def test_what_one_takes_the_other_takes():
    for what, data, held in burnpack_accepted.accepted():
        assert [row[0] for row in alike(data)[0]] == [row[0] for row in held], what


def test_limits_are_the_same():
    data = container(
        sections([("a", descriptor()), ("b", descriptor(U8, None, numbers(256, 257)))]), bytes(257)
    )
    for limits in (
        Limits(tensors=1),
        Limits(tensors=2),
        Limits(tensor=0),
        Limits(metadata=10),
        Limits(file=100),
        Limits(depth=8),
    ):
        alike(data, limits)


ODD_NUMBERS = {
    "bignum": tagged(2, blob(b"\x01")),
    "negative bignum": tagged(3, blob(b"\x01")),
    "empty bignum": tagged(2, blob(b"")),
    "bignum of 9 bytes": tagged(2, blob(b"\x01" + bytes(8))),
    "decimal": tagged(4, numbers(0, 1)),
    "bigfloat": tagged(5, numbers(0, 1)),
    "rational": tagged(30, numbers(1, 1)),
    "date": tagged(1, unsigned(1)),
    "unknown tag": tagged(9999, unsigned(1)),
    "shared": tagged(28, unsigned(1)),
    "reference": tagged(29, unsigned(0)),
    "string reference": tagged(25, unsigned(0)),
    "self-described": tagged(55799, unsigned(1)),
    "half": HALF_ONE,
    "single": b"\xfa\x3f\x80\x00\x00",
    "double": b"\xfb\x3f\xf0" + bytes(6),
    "infinity": b"\xf9\x7c\x00",
    "NaN": b"\xf9\x7e\x00",
    "true": TRUE,
    "false": FALSE,
    "minus one": negative(-1),
    "minus 2**64": negative(-(1 << 64)),
    "simple 1": head(7, 1),
    "simple 255": head(7, 255, 1),
    "text": text("1"),
    "long text": text("x" * 1000),
    "bytes": blob(b"\x01"),
    "list": array(numbers(1)),
    "map": mapping((unsigned(1), unsigned(1))),
    "null": b"\xf6",
    "undefined": b"\xf7",
}


@pytest.mark.parametrize("what", ODD_NUMBERS)
def test_only_plain_unsigned_integers_are_numbers(what):
    item = ODD_NUMBERS[what]
    places = [
        descriptor(U8, array(item)),
        descriptor(U8, array(unsigned(1), item)),
        descriptor(U8, array(unsigned(0), item), numbers(0, 0)),
        descriptor(U8, None, array(item, unsigned(1))),
        descriptor(U8, None, array(unsigned(0), item)),
        descriptor(U8, numbers(0), array(item, item)),
        descriptor(U8, item),
        descriptor(U8, None, item),
        descriptor(item),
    ]
    for place in places:
        assert issubclass(alike(one(place))[0], BurnpackError)
    identified = alike(one(descriptor(U8, None, None, ("param_id", item))))
    assert isinstance(identified[0], list) if what == "null" else issubclass(identified[0], BurnpackError)


WRAPPERS = {
    "self-described": lambda item: tagged(55799, item),
    "shared": lambda item: tagged(28, item),
    "set": lambda item: tagged(258, item),
    "string references": lambda item: tagged(256, item),
    "encoded": lambda item: tagged(24, blob(item)),
    "unknown tag": lambda item: tagged(40000, item),
    "array": lambda item: array(item),
    "bytes": blob,
}


@pytest.mark.parametrize("what", WRAPPERS)
def test_nothing_may_be_wrapped(what):
    wrap = WRAPPERS[what]
    pairs = [("dtype", U8), ("shape", numbers(1)), ("data_offsets", numbers(0, 1))]
    for wrapped in (
        wrap(sections([("w", descriptor())])),
        mapping(("tensors", wrap(mapping(("w", descriptor()))))),
        sections([("w", wrap(descriptor()))]),
        sections([(wrap(text("w")), descriptor())]),
        sections([("w", descriptor())], ("metadata", wrap(mapping(("a", text("b")))))),
        sections([("w", descriptor())], ("metadata", mapping(("a", wrap(text("b")))))),
        *[
            sections([("w", mapping(*[*pairs[:n], (pairs[n][0], wrap(pairs[n][1])), *pairs[n + 1 :]]))])
            for n in range(3)
        ],
    ):
        assert issubclass(alike(container(wrapped, b"\x07"))[0], BurnpackError)


@pytest.mark.parametrize(
    "more",
    [b"\0", b"\xff", b"\xf6", b"\xa0", blob(bytes(16)), text(""), blob(bytes(16)) * 2, b"\x82", b"\x50"],
)
def test_bytes_behind_the_metadata_are_seen(more):
    assert issubclass(alike(container(sections([("w", descriptor())]) + more, b"\x07"))[0], BurnpackError)


def test_keys_that_differ_only_in_their_spelling_are_the_same():
    for again in (text("a", 1), text("a", 8), opened_text("a"), opened_text("", "a")):
        for metadata in (
            sections([("a", descriptor()), (again, descriptor())]),
            sections([("w", descriptor())], ("metadata", mapping(("a", text("")), (again, text(""))))),
        ):
            assert "the same key twice" in alike(container(metadata, b"\x07"))[1]


def test_keys_are_compared_letter_by_letter():
    # One is composed, the other is not; unicode says that they mean the same.
    data = container(
        sections([("\u00e9", descriptor(U8, numbers(0), numbers(0, 0))), ("e\u0301", descriptor())]), b"\x07"
    )
    assert len(alike(data)[0]) == 2


# A tree of values, and how each is spelt: the same container in a thousand forms.

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
dtypes = st.sampled_from(
    ["F64", "F32", "Flex32", "F16", "BF16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8"]
)
SIZES = {
    "F64": 8,
    "I64": 8,
    "U64": 8,
    "F32": 4,
    "Flex32": 4,
    "I32": 4,
    "U32": 4,
    "F16": 2,
    "BF16": 2,
    "I16": 2,
    "U16": 2,
}


@st.composite
def containers(draw):
    """Return a valid container: spelt at random, its tensors in any order."""
    described = []
    start = 0
    for name in draw(st.lists(names, max_size=5, unique=True)):
        dtype = draw(dtypes)
        shape = draw(st.lists(st.integers(0, 5), max_size=3))
        size = SIZES.get(dtype, 1)
        for extent in shape:
            size *= extent
        fields = {"dtype": dtype, "shape": shape, "data_offsets": [start, start + size]}
        if draw(st.booleans()):
            fields["param_id"] = draw(st.integers(0, (1 << 64) - 1))
        if draw(st.integers(0, 9)) == 0:
            fields["later " + draw(names)] = draw(st.none() | st.integers(-5, 5) | names)
        described.append((name, fields))
        start = -(-(start + size) // 256) * 256
    end = max((fields["data_offsets"][1] for _, fields in described), default=0)
    metadata = {"tensors": dict(draw(st.permutations(described)))}
    if draw(st.booleans()):
        metadata["metadata"] = draw(st.dictionaries(names, names, max_size=3))
    if draw(st.integers(0, 9)) == 0:
        metadata["scalars"] = {name: {"Int": 1} for name in draw(st.sets(names, max_size=2))}
    spelt = (
        draw(spellings(metadata))
        if draw(st.booleans())
        else cbor2.dumps(metadata, canonical=draw(st.booleans()))
    )
    return container(spelt, draw(st.randoms(use_true_random=False)).randbytes(end))


@st.composite
def spellings(draw, value):
    """Return `value` as CBOR, in any valid spelling and with the keys of maps in any order."""
    if isinstance(value, dict):
        pairs = [
            (draw(spellings(key)), draw(spellings(value[key]))) for key in draw(st.permutations(list(value)))
        ]
        return opened_mapping(*pairs) if draw(st.booleans()) else mapping(*pairs)
    if isinstance(value, list):
        items = [draw(spellings(item)) for item in value]
        return opened_array(*items) if draw(st.booleans()) else array(*items)
    if isinstance(value, str):
        cut = draw(st.integers(0, len(value)))
        return (
            opened_text(value[:cut], value[cut:])
            if draw(st.integers(0, 3)) == 0
            else text(value, draw(width(value)))
        )
    if value is None or value < 0:
        return cbor2.dumps(value)
    return unsigned(value, draw(st.sampled_from([None, 8])))


def width(value):
    return st.sampled_from([None, 4, 8] if len(value.encode()) < 1 << 32 else [None])


@examples(2, suppress_health_check=[HealthCheck.too_slow])
@given(containers())
def test_valid_containers_are_read_alike_however_they_are_spelt(data):
    assert isinstance(alike(data)[0], list)


@examples(3, suppress_health_check=[HealthCheck.too_slow])
@given(
    containers(), st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=3)
)
def test_changed_bytes_of_valid_containers_are_judged_alike(data, changes):
    changed = bytearray(data)
    front = 10 + int.from_bytes(data[6:10], "little")
    for at, byte in changes:
        changed[10 + at % (front - 10)] = byte
    alike(bytes(changed))


@examples(3)
@given(st.binary(max_size=40))
@example(b"\xa1gtensors")
def test_random_bytes_are_judged_alike(metadata):
    alike(container(metadata))
    alike(container(b"\xa1\x67tensors" + metadata))
    alike(container(b"\xa1\x67tensors\xa1\x61w" + metadata))
    alike(container(b"\xa1\x67tensors\xa1\x61w\xa3\x65dtype\x62U8\x65shape" + metadata))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_damaged_files_of_rust_are_judged_alike(path):
    data = path.read_bytes()
    front = 10 + int.from_bytes(data[6:10], "little")
    rng = random.Random(path.name)
    for _ in range(MUTATIONS if len(data) < 100_000 else MUTATIONS // 10):
        alike(damaged(data, front, rng))


def damaged(data, front, rng):
    """Return `data` with one to four bytes of its front changed, put in, taken out or repeated."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(front)
        kind = rng.randrange(5)
        if kind < 2:
            changed[at] = rng.randrange(256)
        elif kind == 2:
            changed.insert(at, rng.randrange(256))
        elif kind == 3:
            del changed[at]
        else:
            length = rng.randrange(1, 40)
            changed[at:at] = changed[at : at + length]
    return bytes(changed)


class Unmultiplied(int):
    """A number by which nothing is multiplied."""

    def __rmul__(self, other):
        raise AssertionError("multiplied")


def test_a_shape_with_too_many_extents_is_refused_before_they_are_multiplied():
    shape = [Unmultiplied(1)] * (RANK_MOST + 1)
    tensors = {"a": {"dtype": "F32", "shape": shape, "data_offsets": [0, 4]}}
    with pytest.raises(Unusual):
        FastIndex._take(FastIndex.__new__(FastIndex), tensors, Limits())
