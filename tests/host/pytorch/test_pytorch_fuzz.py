"""Whatever the bytes are, a checkpoint is read or refused with a `BurnpackError`; nothing else gets out."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.errors import BurnpackError, Malformed, Truncated, UnknownFormat
from burnpack.limits import Limits
from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.examples import examples
from kit.pytorch import pickles as p

VECTORS = Path(support.path("tests/vectors/pytorch_zip"))
OTHERS = VECTORS.parent / "pytorch_other"
SMALL = Limits(tensors=100, tensor=1 << 20, file=1 << 24)


def read_or_refuse(data):
    """Use all that a reader offers; tell whether the bytes were read."""
    try:
        reader = PytorchReader.from_buffer(data, limits=SMALL)
        reader.others()
        for tensor in reader:
            assert len(tensor.data()) == tensor.nbytes
    except BurnpackError:
        return False
    return True


@pytest.mark.parametrize("name", ["contiguous.pt", "compressed.pt", "no_facts.pt"])
def test_every_shorter_prefix_is_refused(name):
    data = (VECTORS / name).read_bytes()
    for size in range(len(data)):
        with pytest.raises(Truncated if size >= 4 else UnknownFormat):
            PytorchReader.from_buffer(data[:size])


# How much of a file must be there for its format to be known.
KNOWN = {"legacy_tied.pt": 2, "legacy_parts.pt": 2, "bare_protocol_2.pkl": 2, "tar.pt": 8}


@pytest.mark.parametrize(("name", "known"), KNOWN.items())
def test_every_shorter_prefix_of_another_container_is_refused(name, known):
    data = (OTHERS / name).read_bytes()
    for size in range(len(data.rstrip(b"\0"))):
        with pytest.raises((Truncated, Malformed) if size >= known else UnknownFormat):
            PytorchReader.from_buffer(data[:size])


CHANGED = [
    VECTORS / "views.pt",
    VECTORS / "compressed.pt",
    VECTORS / "nested.pt",
    OTHERS / "legacy_views.pt",
    OTHERS / "legacy_parts.pt",
    OTHERS / "tar.pt",
    OTHERS / "bare_protocol_0.pkl",
    OTHERS / "module_legacy.pt",
    OTHERS / "scripted.pt",
]


@pytest.mark.parametrize("path", CHANGED, ids=[path.stem for path in CHANGED])
def test_a_changed_byte_anywhere_is_survived(path):
    data = bytearray(path.read_bytes())
    for position in range(0, len(data), 1 + len(data) // 2500):
        change = (0x01, 0x80, 0xFF)[position % 3]
        data[position] ^= change
        read_or_refuse(bytes(data))
        data[position] ^= change


def records_of(name):
    with zipfile.ZipFile(VECTORS / name) as archive:
        return {entry.split("/", 1)[1]: archive.read(entry) for entry in archive.namelist()}


VARIED = "nested opaque numpy_values flags subclass protocol_0 protocol_4"


@pytest.mark.parametrize("name", [f"{name}.pt" for name in VARIED.split()])
def test_every_operation_of_a_pickle_may_be_another(name):
    entries = records_of(name)
    pickled = entries.pop("data.pkl")
    codes = b"(.012FGHIJKLMNPQRSTUVXabcdeghijlmnopqrstu})]\x80\x81\x85\x8f\x92\x93\x94\x95\x96\x97"
    for position in range(0, len(pickled), 3):
        for code in (codes[position % len(codes)], codes[position * 7 % len(codes)]):
            changed = pickled[:position] + bytes((code,)) + pickled[position + 1 :]
            read_or_refuse(p.archive({"data.pkl": changed, **entries}))


@pytest.mark.parametrize("name", ["nested.pt", "opaque.pt", "protocol_0.pt", "protocol_5.pt"])
def test_every_shorter_prefix_of_a_pickle_is_cut_short(name):
    entries = records_of(name)
    pickled = entries.pop("data.pkl")
    for size in range(len(pickled)):
        with pytest.raises(Truncated):
            PytorchReader.from_buffer(p.archive({"data.pkl": pickled[:size], **entries}))


SIMPLE = (
    b"( 0 1 2 N K\x05 ) ] } \x8f t l d \x85 \x86 \x87 a e s u \x90 \x91 q\x00 h\x00 \x94 R \x81 \x92 b o Q"
)
OPERATIONS = [
    *SIMPLE.split(b" "),
    p.text("a"),
    b"C\x01x",
    b"ix\ny\n",
    *[
        p.name("torch._utils", f"_rebuild_{kind}")
        for kind in ("tensor", "tensor_v2", "tensor_v3", "parameter")
    ],
    p.name("torch._tensor", "_rebuild_from_type_v2"),
    p.name("collections", "OrderedDict"),
    p.name("copyreg", "__newobj__"),
    p.name("copyreg", "_reconstructor"),
    p.name("builtins", "set"),
    p.name("numpy", "dtype"),
    p.name("numpy._core.multiarray", "scalar"),
    p.name("_codecs", "encode"),
    p.name("some", "Class"),
    p.storage("0", 4),
    p.tensor("0", 4),
    p.a_tuple(2, 2),
    p.ordered_dict(),
]


@examples(4)
@given(st.lists(st.sampled_from(OPERATIONS), max_size=40))
def test_operations_in_any_order_are_survived(operations):
    read_or_refuse(p.checkpoint(b"".join(operations), {"0": bytes(16)}))


@examples(2)
@given(st.binary(max_size=200))
def test_any_bytes_are_survived(data):
    read_or_refuse(data)
    read_or_refuse(b"PK\x03\x04" + data)
    read_or_refuse(b"\x80\x02" + data)
    read_or_refuse(p.archive({"data.pkl": b"\x80\x02" + data}))


NUMBERS = st.one_of(st.integers(-2, 9), st.sampled_from([1 << 31, (1 << 63) - 1, 1 << 63, 1 << 64]))


@examples(4)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4), NUMBERS, st.integers(0, 20))
def test_a_tensor_that_is_listed_can_be_read(extents, offset, count):
    shape, stride = [extent for extent, _ in extents], [stride for _, stride in extents]
    tensor = p.tensor("0", count, shape, stride, offset)
    read_or_refuse(p.checkpoint(p.a_dict({"w": tensor}), {"0": bytes(4 * count)}))


def test_the_fuzzer_also_meets_what_is_read():
    assert read_or_refuse(p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(16)}))
    assert zipfile.is_zipfile(io.BytesIO((VECTORS / "views.pt").read_bytes()))
