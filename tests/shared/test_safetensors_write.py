"""SafeTensors containers are written as the reference does it, and refused where a reader would."""

import io
import struct

from burnpack.errors import (
    DuplicateName,
    InvalidTensor,
    LimitExceeded,
    Malformed,
    SaveFailed,
    Unsupported,
)
from burnpack.limits import Limits
from burnpack.qfloat import QFloat
from burnpack.safetensors import Reader
from burnpack.safetensors_header import DTYPES, burn_name
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from kit import support
from kit.formats import safetensors_cases as cases


def tensor(name, dtype="U8", shape=(1,), data=b"a"):
    return Tensor(name, dtype, shape, data)


def header(container):
    """Return the header of a container, without its size."""
    return container[8 : 8 + struct.unpack("<Q", container[:8])[0]]


def test_wide_elements_come_first_and_then_names_in_order():
    tensors = [
        tensor("b"),
        tensor("é"),
        tensor("a", "F32", (), cases.EIGHT[:4]),
        tensor("z", "F64", (1,), cases.EIGHT),
        tensor("B", "BF16", (1, 1), b"cd"),
        tensor("", "I8", (2, 0), b""),
        tensor("😀", "U8", (2,), b"xy"),
        tensor("\uffff", "U8", (2,), b"uv"),
    ]
    written = Writer(tensors).to_bytes()
    expected = (
        '{"z":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},'
        '"a":{"dtype":"F32","shape":[],"data_offsets":[8,12]},'
        '"B":{"dtype":"BF16","shape":[1,1],"data_offsets":[12,14]},'
        '"":{"dtype":"I8","shape":[2,0],"data_offsets":[14,14]},'
        '"b":{"dtype":"U8","shape":[1],"data_offsets":[14,15]},'
        '"é":{"dtype":"U8","shape":[1],"data_offsets":[15,16]},'
        '"\uffff":{"dtype":"U8","shape":[2],"data_offsets":[16,18]},'
        '"😀":{"dtype":"U8","shape":[2],"data_offsets":[18,20]}}'
    )
    assert str(header(written), "utf-8").rstrip(" ") == expected
    assert written.endswith(cases.EIGHT + cases.EIGHT[:4] + b"cd" + b"a" + b"a" + b"uv" + b"xy")
    assert Writer(reversed(tensors)).to_bytes() == written


def test_the_same_input_gives_the_same_bytes():
    tensors = [tensor("t%d" % number, "U8", (1,), bytes([number])) for number in range(50)]
    metadata = [("k%d" % number, "v") for number in range(50)]
    assert Writer(tensors, metadata).to_bytes() == Writer(tensors, metadata).to_bytes()


def test_data_starts_on_a_multiple_of_8_whatever_the_header_is_long():
    sizes = []
    for extra in range(8):
        writer = Writer([tensor("n" * extra)])
        written = writer.to_bytes()
        sizes.append(len(header(written).rstrip(b" ")) % 8)
        assert len(header(written)) % 8 == 0
        assert writer.size == len(written)
        assert Reader.from_bytes(written).names() == ["n" * extra]
    assert sorted(sizes) == list(range(8))


def test_metadata_keeps_its_order_and_comes_first():
    pairs = [("z", "1"), ("a", 'é"\n'), ("", "")]
    written = Writer([tensor("t")], pairs).to_bytes()
    assert header(written).startswith('{"__metadata__":{"z":"1","a":"é\\"\\n","":""},"t":'.encode())
    assert Reader.from_bytes(written).metadata() == pairs
    assert header(Writer([tensor("t")]).to_bytes()).startswith(b'{"t":')


def test_nothing_at_all_is_a_container():
    assert Writer([]).to_bytes() == struct.pack("<Q", 8) + b"{}      "
    assert Reader.from_bytes(Writer([], [("k", "v")]).to_bytes()).metadata() == [("k", "v")]


def test_what_is_written_is_read_again():
    tensors = []
    for number, name in enumerate(DTYPES):
        dtype = burn_name(name)
        size = Tensor("", dtype, (2, 4), b"").nbytes
        tensors.append(tensor("%d/\n" % number, dtype, (2, 4), bytes([number]) * size))
    reader = Reader.from_bytes(Writer(tensors).to_bytes())
    assert len(reader) == len(tensors)
    for before in tensors:
        after = reader.tensor(before.name)
        assert (after.dtype, after.shape, bytes(after.data())) == (before.dtype, before.shape, before.data())
    assert Writer(list(reader)).to_bytes() == Writer(tensors).to_bytes()


def test_tensors_are_asked_for_one_at_a_time_in_the_order_of_the_data():
    asked = []

    def provider(name, size):
        def data():
            asked.append(name)
            return bytes(size)

        return data

    writer = Writer([tensor("b", "U8", (3,), provider("b", 3)), tensor("a", "F32", (2,), provider("a", 8))])
    assert asked == []
    chunks = writer.chunks()
    next(chunks)
    assert asked == []
    assert len(next(chunks)) == 8
    assert asked == ["a"]
    assert len(next(chunks)) == 3
    assert asked == ["a", "b"]
    assert list(chunks) == []


def test_a_buffer_is_passed_on_as_it_is():
    data = memoryview(bytearray(cases.EIGHT))
    chunks = list(Writer([tensor("a", "F32", (2,), data)]).chunks())
    assert chunks[1] is data


def test_a_file_gets_the_same_bytes():
    writer = Writer([tensor("a"), tensor("b", "F32", (2,), cases.EIGHT)])
    file = io.BytesIO()
    writer.write_to(file)
    assert file.getvalue() == writer.to_bytes()


def test_a_file_that_takes_less_is_noticed():
    class Full:
        def write(self, chunk):
            return len(chunk) - 1

    support.raises(SaveFailed, Writer([tensor("a")]).write_to, Full())


def test_a_tensor_that_breaks_its_promise_is_named():
    for data in (b"", b"ab"):
        error = support.raises(InvalidTensor, Writer([tensor("a"), tensor("b", data=data)]).to_bytes)
        assert error.item == "b"


def test_names_that_no_reader_takes_are_refused():
    support.raises(DuplicateName, Writer, [tensor("a"), tensor("b"), tensor("a", "F32", (2,), cases.EIGHT)])
    support.raises(InvalidTensor, Writer, [tensor("__metadata__")])
    for name in ("\ud800", "a\udfff", None, 1, b"a"):
        support.raises(Malformed, Writer, [tensor(name)])


def test_metadata_that_no_reader_takes_is_refused():
    for pairs in ([("k", 1)], [("k", None)], [(1, "v")], [("k", b"v")], [("\ud800", "v")], [("k", "\udfff")]):
        support.raises(Malformed, Writer, [], pairs)
    support.raises(DuplicateName, Writer, [], [("k", "1"), ("j", ""), ("k", "2")])


def test_shapes_that_no_reader_takes_are_refused():
    for dtype, shape in (
        ("F4", (3,)),
        ("F6_E2M3", (2, 3)),
        ("U8", (1,) * 65),
        ("U8", (1 << 63, 4)),
        ("U8", (-1,)),
    ):
        support.raises(InvalidTensor, Writer, [tensor("a", dtype, shape)])
    support.raises(InvalidTensor, Writer, [Tensor("a", "U8", (3,), b"", None, 4)])


def test_each_limit_of_a_reader_is_a_writers():
    tensors = [tensor("a"), tensor("b", "F32", (2,), cases.EIGHT)]
    written = Writer(tensors).to_bytes()
    most = len(header(written))
    assert Writer(tensors, (), Limits(most, 2, None, 8, len(written))).to_bytes() == written
    for limits in (Limits(most - 1), Limits(tensors=1), Limits(tensor=7), Limits(file=len(written) - 1)):
        support.raises(LimitExceeded, Writer, tensors, (), limits)


def test_dtypes_without_a_name_are_refused():
    for dtype in ("C32", "C128", "Bits8", "Bits16", "BOOL", "F33", QFloat()):
        error = support.raises(Unsupported, Writer, [tensor("a", dtype, (4,), bytes(64))])
        assert error.item == "a"


def test_burns_own_dtypes_keep_their_meaning():
    words = b"\0\0\0\0\1\0\0\0\0\0\0\2\xff\xff\xff\xff"
    tensors = [
        tensor("native", "Bool", (2,), b"\0\1"),
        tensor("bytes", "Bool(U8)", (2,), b"\1\0"),
        tensor("words", "Bool(U32)", (2, 2), words),
        tensor("flex", "Flex32", (2,), cases.EIGHT),
    ]
    reader = Reader.from_bytes(Writer(tensors).to_bytes())
    for name, dtype, shape, data in (
        ("native", "Bool", (2,), b"\0\1"),
        ("bytes", "Bool", (2,), b"\1\0"),
        ("words", "Bool", (2, 2), b"\0\1\1\1"),
        ("flex", "F32", (2,), cases.EIGHT),
    ):
        found = reader.tensor(name)
        assert (found.dtype, found.shape, bytes(found.data())) == (dtype, shape, data)
    error = support.raises(InvalidTensor, Writer, [Tensor("a", "Bool(U32)", (2,), b"", None, 2)])
    assert error.expected == "8 bytes"
    support.raises(InvalidTensor, Writer([tensor("a", "Bool(U32)", (2,), bytes(7))]).to_bytes)


def test_a_param_id_is_left_out():
    with_id = Tensor("a", "U8", (1,), b"a", 7)
    assert Writer([with_id]).to_bytes() == Writer([tensor("a")]).to_bytes()


def test_containers_of_the_reference_are_written_again_byte_for_byte():
    for name in ("dtypes", "names"):
        data = support.read(support.path("tests/vectors/safetensors/%s.safetensors" % name))
        reader = Reader.from_static(data)
        tensors = [reader.tensor(title) for title in sorted(reader.names())]
        assert Writer(tensors, reader.metadata()).to_bytes() == data


def test_real_files_are_written_again_byte_for_byte():
    names = ("odd", "zoo", "zoo.burn", "zoo.torch", "burn_0.19")
    paths = [support.data("rust/%s.safetensors" % name) for name in names]
    for path in paths + [support.path("examples/mnist/mnist.safetensors")]:
        data = support.read(path)
        reader = Reader.from_static(data)
        chunks = Writer(list(reader), reader.metadata()).chunks()
        at = 0
        for chunk in chunks:
            assert data[at : at + len(chunk)] == chunk, path
            at += len(chunk)
        assert at == len(data)
