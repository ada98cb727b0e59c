"""SafeTensors containers are read exactly, or refused; none is guessed at."""

import io
import json
import struct

from burnpack import errors, safetensors_header
from burnpack.dtype import row
from burnpack.errors import BurnpackError, InvalidTensor, LimitExceeded, NotFound, Truncated, UnknownFormat
from burnpack.limits import Limits
from burnpack.safetensors import Reader
from kit import support
from kit.formats import safetensors_cases as cases

GOOD = cases.container(
    '{"__metadata__":{"z":"1","a":"é"},"b":%s,"a\\u0021":%s}  ' % (cases.F32, cases.U8), cases.EIGHT + b"xyz"
)


def opened(case, limits=None):
    return Reader.from_bytes(cases.container(case[1], case[2]), limits)


def refused(error_name, data, limits=None, what=None):
    """Return the error that opening `data` raises from memory; a file must raise the same."""
    error = support.raises(BurnpackError, Reader.from_static, data, limits)
    assert type(error) is getattr(errors, error_name), (what, error_name, error)
    again = support.raises(BurnpackError, Reader.from_stream, io.BytesIO(data), limits)
    assert str(again) == str(error)
    return error


def test_a_container_gives_what_is_in_it():
    for reader in (Reader.from_bytes(GOOD), Reader.from_static(GOOD), Reader.from_stream(io.BytesIO(GOOD))):
        assert reader.format == "safetensors"
        assert len(reader) == 2
        assert reader.names() == ["b", "a!"]
        assert reader.metadata() == [("z", "1"), ("a", "é")]
        assert reader.scalars() == []
        tensor = reader.tensor("a!")
        assert (tensor.name, tensor.dtype, tensor.shape) == ("a!", "U8", (3,))
        assert (tensor.nbytes, tensor.param_id) == (3, None)
        assert bytes(tensor.data()) == b"xyz"
        assert bytes(reader.view("b")) == cases.EIGHT
        assert reader.span("a!") == (len(GOOD) - 3, len(GOOD))
        assert [tensor.name for tensor in reader] == ["b", "a!"]
        assert "b" in reader and "c" not in reader
        support.raises(NotFound, reader.tensor, "__metadata__")


def test_nothing_is_copied_from_memory():
    buffer = bytearray(GOOD)
    view = Reader.from_static(buffer).view("b")
    buffer[len(GOOD) - 11] = 77
    assert view[0] == 77


def test_a_tensor_fills_the_buffer_it_is_given():
    for reader in (Reader.from_static(GOOD), Reader.from_stream(io.BytesIO(GOOD))):
        buffer = bytearray(3)
        reader.tensor("a!").readinto(buffer)
        assert buffer == b"xyz"
        support.raises(InvalidTensor, reader.tensor("a!").readinto, bytearray(4))


def test_valid_containers_are_taken():
    for case in cases.VALID:
        reader = opened(case)
        assert sum([tensor.nbytes for tensor in reader]) == len(case[2]), case[0]
        for name in reader.names():
            assert reader.tensor(name).name == name, case[0]
            assert len(reader.view(name)) == reader.tensor(name).nbytes, case[0]


def test_more_is_refused_than_the_reference_refuses():
    for what, header, data, error in cases.STRICTER:
        refused(error, cases.container(header, data), None, what)


def test_what_is_skipped_may_be_any_json():
    for case in cases.LOOSER:
        assert len(opened(case)) == 1


def test_hostile_containers_are_refused():
    for what, header, data, error in cases.HOSTILE:
        refused(error, cases.container(header, data), None, what)


def test_other_files_are_refused():
    for what, data, error in cases.FOREIGN:
        refused(error, data, None, what)


def test_an_error_shows_what_a_foreign_file_begins_with():
    for what, data, name in cases.FOREIGN:
        if name == "UnknownFormat":
            error = support.raises(UnknownFormat, Reader.from_bytes, data)
            assert error.found == data[:40], what
    assert "https://git-lfs" in str(support.raises(UnknownFormat, Reader.from_bytes, cases.FOREIGN[7][1]))
    assert "the file is empty" in str(support.raises(Truncated, Reader.from_bytes, b""))


def test_each_shorter_prefix_is_truncated():
    Reader.from_bytes(GOOD)
    for size in range(len(GOOD)):
        refused("Truncated", GOOD[:size])


def test_a_cut_says_both_sizes():
    error = refused("Truncated", GOOD[:-1])
    assert (error.expected, error.found) == (len(GOOD), len(GOOD) - 1)
    error = refused("Malformed", GOOD + b"\0")
    assert (error.expected, error.found) == (len(GOOD), len(GOOD) + 1)


def test_a_changed_byte_in_the_header_raises_nothing_else():
    for at in range(len(GOOD) - 11):
        for change in (0x01, 0x20, 0x80, 0xFF):
            broken = bytearray(GOOD)
            broken[at] ^= change
            try:
                reader = Reader.from_bytes(broken)
                reader.metadata()
                [bytes(tensor.data()) for tensor in reader]
            except BurnpackError:
                pass


def test_an_error_names_the_tensor_and_the_place():
    header = '{"ok":%s,"wrong":%s}' % (cases.F32, cases.U8.replace("8,11", "8,12"))
    error = support.raises(InvalidTensor, Reader.from_bytes, cases.container(header, bytes(12)), None, "x.st")
    place = 8 + header.index('{"dtype":"U8"')
    text = "x.st: wrong: the bytes do not match U8 [3] (expected 3 bytes, found 4 bytes, at byte %d)" % place
    assert str(error) == text


def test_each_limit_is_kept_and_can_be_set():
    two = '{"a":%s,"b":%s}' % (cases.F32, cases.F32.replace("0,8", "8,16"))
    data = cases.container(two, bytes(16))
    Reader.from_bytes(data, Limits(metadata=len(two), tensors=2, tensor=8, file=len(data)))
    for limits in (
        Limits(metadata=len(two) - 1),
        Limits(tensors=1),
        Limits(tensor=7),
        Limits(file=len(data) - 1),
    ):
        refused("LimitExceeded", data, limits)
    deep = cases.container(cases.nested(20), cases.EIGHT)
    Reader.from_bytes(deep, Limits(depth=23))
    refused("LimitExceeded", deep, Limits(depth=22))


def test_too_little_memory_is_a_limit_too():
    class Exhausting(io.BytesIO):
        def readinto(self, buffer):
            raise MemoryError

    assert support.raises(LimitExceeded, Reader.from_stream, Exhausting(GOOD), None, "x.st").source == "x.st"


def test_the_header_may_not_be_larger_than_the_reference_takes():
    huge = Limits(metadata=1 << 40)
    refused("LimitExceeded", struct.pack("<Q", 100000001) + b"{", huge)
    refused("Truncated", struct.pack("<Q", 100000000) + b"{", huge)


def test_each_dtype_is_read():
    for name in safetensors_header.DTYPES:
        dtype = safetensors_header.burn_name(name)
        size = row(dtype)[1]  # bytes of 8 elements
        header = cases.member('"%s"' % name, "[4,2]", "[0,%d]" % size)
        tensor = Reader.from_bytes(cases.container(header, bytes(range(size)))).tensor("a")
        assert (tensor.dtype, tensor.nbytes) == (dtype, size)
        assert bytes(tensor.data()) == bytes(range(size))


def test_many_tensors_are_found_in_any_order():
    members = []
    for number in range(700):
        members.append(
            '"t%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}' % (number, number, number + 1)
        )
    data = bytes([number % 251 for number in range(700)])
    for order in (members, list(reversed(members))):
        reader = Reader.from_bytes(cases.container("{" + ",".join(order) + "}", data))
        assert len(reader) == 700
        for number in (0, 1, 250, 251, 699):
            assert reader.view("t%d" % number)[0] == number % 251
        assert [tensor.name for tensor in reader][300] == "t300"


def test_the_first_field_is_as_long_as_its_format_says():
    assert struct.calcsize(safetensors_header.SIZE) == safetensors_header.HEADER_START


def test_containers_of_the_reference_read_as_it_reads_them():
    expected = json.loads(str(support.read(support.path("tests/vectors/safetensors/expected.json")), "utf-8"))
    for name in ("dtypes.safetensors", "names.safetensors"):
        data = support.read(support.path("tests/vectors/safetensors/" + name))
        reader = Reader.from_static(data)
        tensors = expected[name]["tensors"]
        assert reader.metadata() == [tuple(pair) for pair in expected[name]["metadata"]]
        assert sorted(reader.names()) == [tensor[0] for tensor in tensors]
        for title, dtype, shape, content in tensors:
            tensor = reader.tensor(title)
            assert tensor.dtype == safetensors_header.burn_name(dtype), title
            assert tensor.shape == tuple(shape), title
            assert bytes(tensor.data()) == bytes.fromhex(content), title


def test_real_files_read_as_the_other_container_of_the_same_tensors():
    from burnpack.reader import Reader as BurnpackReader

    for name in ("odd", "burn_0.21"):
        other = BurnpackReader.from_bytes(support.read(support.data("rust/%s.bpk" % name)))
        reader = Reader.from_bytes(support.read(support.data("rust/%s.safetensors" % name)))
        assert len(reader) == len(other)
        for tensor in reader:
            twin = other.tensor(tensor.name)
            assert (tensor.dtype, tensor.shape) == (twin.dtype, twin.shape)
            assert bytes(tensor.data()) == bytes(twin.data())


def test_the_largest_real_file_is_read_whole():
    data = support.read(support.path("examples/mnist/mnist.safetensors"))
    reader = Reader.from_static(data)
    assert len(reader) == 20
    assert sum([tensor.nbytes for tensor in reader]) == len(data) - 1528
    assert reader.tensor("fc1.weight").shape == (32, 11616)
