"""Reading Burnpack: every file of the Rust crates as they read it themselves, and what a reader hands out."""

import gc
import hashlib
import json
import struct
import sys

from burnpack.descriptor import dtype_value
from burnpack.errors import InvalidTensor, LimitExceeded, NotFound
from burnpack.layout import HEADER, HEADER_SIZE
from burnpack.limits import VIEW_REACH, Limits
from burnpack.reader import Reader
from kit import support
from kit.formats.burnpack_by_hand import container, descriptor, one, sections
from kit.formats.cbor_by_hand import mapping, numbers, text, unsigned

# Only today's Rust tells these apart from nothing: what stands in their place says what they hold.
TWINS = ("burn_0.19", "burn_0.20")

DIALECTS = (
    ("burn_0.19", "0.19"),
    ("burn_0.20", "0.20"),
    ("burn_0.20_q8s", "0.20-0.21"),
    ("burn_0.20_q8s_block", "0.20-0.21"),
    ("burn_0.21", "0.22"),  # nothing in it is written otherwise than today
    ("zoo", "0.22"),
    ("quantized", "0.22"),
    ("dtypes", "0.22"),
    ("nothing", "0.22"),
)
SIX = (("b", 2), ("c", 0), ("a", 3), ("", 1))  # names and sizes, in the order of their data


def test_the_header_is_as_long_as_its_fields():
    assert struct.calcsize(HEADER) == HEADER_SIZE


def test_files_of_rust_hold_what_rust_reads_from_memory():
    for name, expected in expectations():
        data = support.read(support.data("rust/" + name))
        check_file(Reader.from_static(data), name, expected)
        check_file(Reader.from_bytes(bytearray(data)), name, expected)


def test_files_of_rust_hold_what_rust_reads_from_a_stream():
    for name, expected in expectations():
        with open(support.data("rust/" + name), "rb") as file:
            check_file(Reader.from_stream(file), name, expected)


def expectations():
    expected = json.loads(support.read(support.data("rust/expected.json")))
    assert len(expected) == 18
    return [(name, expected[name]) for name in sorted(expected)]


def check_file(reader, name, expected):
    assert dict(reader.metadata()) == expected["metadata"], name
    check_scalars(reader.scalars(), expected["scalars"])
    tensors = expected["tensors"]
    assert reader.names() == sorted(tensors, key=lambda key: key.encode()), name
    assert len(reader) == len(tensors)
    for tensor in reader:
        check_tensor(tensor, tensors[tensor.name])
        check_tensor(reader.tensor(tensor.name), tensors[tensor.name])


def check_tensor(tensor, expected):
    data = tensor.data()
    assert plain(dtype_value(tensor.dtype)) == expected["dtype"], tensor.name
    assert list(tensor.shape) == expected["shape"], tensor.name
    assert tensor.nbytes == len(data) == expected["nbytes"], tensor.name
    assert tensor.param_id == expected.get("param_id"), tensor.name
    assert digest(data) == expected["sha256"], tensor.name
    if "hex" in expected:
        assert [byte for byte in data] == octets(expected["hex"]), tensor.name


def octets(digits):
    return [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]


def digest(data):
    return hashlib.sha256(data).digest().hex()


def plain(value):
    """Return lists of pairs as dicts, as JSON has them."""
    if isinstance(value, list):
        if value and isinstance(value[0], tuple):
            return dict([(key, plain(item)) for key, item in value])
        return [plain(item) for item in value]
    return value


def check_scalars(found, expected):
    assert [name for name, _ in found] == sorted(expected)
    for name, (kind, value) in found:
        printed_kind, printed = expected[name].rstrip(")").split("(")
        assert kind == printed_kind, name
        if kind == "Float":
            assert struct.pack(">d", value) == struct.pack(">d", float(printed)), name
        elif kind == "Bool":
            assert value is (printed == "true"), name
        else:
            assert value == int(printed) and value is not True and value is not False, name


def test_files_that_todays_rust_refuses_hold_what_their_safetensors_twin_holds():
    from burnpack.safetensors import Reader as Safetensors

    for name in TWINS:
        reader = Reader.from_static(support.read(support.data("rust/%s.bpk" % name)))
        twin = Safetensors.from_static(support.read(support.data("rust/%s.safetensors" % name)))
        assert sorted(reader.names()) == sorted(twin.names()) and len(reader) == 13
        for tensor in reader:
            other = twin.tensor(tensor.name)
            assert (tensor.dtype, tensor.shape) == (other.dtype, other.shape), tensor.name
            assert bytes(tensor.data()) == bytes(other.data()), (name, tensor.name)
        assert dict(reader.metadata())["version"].startswith(name[5:])


def test_each_release_is_recognised_by_what_it_wrote():
    for name, dialect in DIALECTS:
        reader = Reader.from_static(support.read(support.data("rust/%s.bpk" % name)))
        assert (reader.dialect, reader.version, reader.format) == (dialect, 1, "burnpack"), name


def test_a_trained_model_of_rust_is_read_from_a_stream():
    with open(support.path("examples/mnist/mnist_conv_bn.bpk"), "rb") as file:
        reader = Reader.from_stream(file)
        shapes = [(tensor.name, tensor.dtype, tensor.shape) for tensor in reader]
        assert len(shapes) == 18 and all([dtype == "F32" for _, dtype, _ in shapes])
        buffer = bytearray(max([reader.tensor(name).nbytes for name in reader.names()]))
        total = 0
        for tensor in reader:
            view = memoryview(buffer)[: tensor.nbytes]
            tensor.readinto(view)
            total += tensor.nbytes
            assert any(view) or tensor.name.endswith("bias") or tensor.name.endswith("beta"), tensor.name
        start, end = reader.span(reader.names()[0])
        assert end - start == reader.tensor(reader.names()[0]).nbytes
        assert total <= file.seek(0, 2)


def test_names_come_in_the_order_of_the_index_and_tensors_in_the_order_of_their_data():
    reader = Reader.from_static(six())
    assert reader.names() == ["", "a", "b", "c"]
    assert [tensor.name for tensor in reader] == [name for name, _ in SIX]
    assert len(reader) == 4
    assert "a" in reader and "" in reader and "d" not in reader and "A" not in reader


def six():
    """Return a container whose data lies in the order of `SIX`, each byte telling which tensor's it is."""
    tensors = []
    data = b""
    for number, (name, size) in enumerate(SIX):
        data += bytes(-len(data) % 256)
        offsets = numbers(len(data), len(data) + size)
        tensors.append((name, descriptor(text("U8"), numbers(size), offsets, ("param_id", unsigned(number)))))
        data += bytes((number,)) * size
    return container(sections(sorted(tensors)), data)


def test_a_span_is_counted_from_the_start_of_the_file():
    data = six()
    reader = Reader.from_static(data)
    for number, (name, size) in enumerate(SIX):
        start, end = reader.span(name)
        assert end - start == size and start % 256 == 0
        assert data[start:end] == bytes((number,)) * size


def test_all_ways_to_a_tensor_lead_to_the_same_bytes():
    data = six()
    reader = Reader.from_static(data)
    for name, size in SIX:
        start, end = reader.span(name)
        filled = bytearray(size)
        reader.tensor(name).readinto(filled)
        assert (
            bytes(reader.view(name)) == bytes(reader.tensor(name).data()) == bytes(filled) == data[start:end]
        )


def test_a_stretch_goes_from_one_tensor_to_the_end_of_another():
    data = six()
    for reader in (Reader.from_static(data), Reader.from_stream(File(data))):
        for first, last in (("b", "a"), ("b", "b"), ("a", "b")):
            start, end = reader.span(first)[0], reader.span(last)[1]
            assert bytes(reader.stretch(first, last)) == data[start:end]
        support.raises(NotFound, reader.stretch, "a", "aa")


def test_a_reader_knows_whether_its_bytes_are_in_memory():
    assert Reader.from_static(six()).in_memory and Reader.from_bytes(six()).in_memory
    assert not Reader.from_stream(File(six())).in_memory


def test_what_is_not_there_is_not_found_and_named():
    reader = Reader.from_static(six(), None, "a.bpk")
    for look in (reader.tensor, reader.view, reader.span):
        error = support.raises(NotFound, look, "conv.weight")
        assert str(error) == "a.bpk: conv.weight: no tensor of this name"
    for name in ("\ud800", "a\0", "aa", "`"):
        assert name not in reader
        support.raises(NotFound, reader.tensor, name)


def test_every_tensor_is_found_however_many_there_are_and_however_they_are_sorted():
    for count in (1, 2, 3, 7, 64):
        names = ["n%03d" % number for number in range(count)]
        for order in (names, names[::1][1:] + names[:1]):
            tensors = [(name, descriptor(text("U8"), numbers(0), numbers(0, 0))) for name in order]
            reader = Reader.from_static(container(sections(tensors)))
            assert reader.names() == order
            assert all([name in reader and reader.tensor(name).name == name for name in names])
            assert not any([name in reader for name in ("", "n", "n0000", "n064", "o", "n00 ", "z")])


def test_from_static_slices_the_buffer_and_never_copies():
    buffer = bytearray(six())
    reader = Reader.from_static(buffer)
    tensor = reader.tensor("a")
    early, view = tensor.data(), reader.view("a")
    start, _ = reader.span("a")
    buffer[start] = 99
    assert early[0] == view[0] == tensor.data()[0] == reader.view("a")[0] == 99
    assert [item.data()[0] for item in reader if item.name == "a"] == [99]


def test_from_static_takes_any_buffer():
    data = six()
    shifted = memoryview(b"\xff" * 3 + data)[3:]
    for buffer in (data, bytearray(data), memoryview(data), memoryview(bytearray(data)), shifted):
        reader = Reader.from_static(buffer)
        assert bytes(reader.view("a")) == b"\2\2\2"


def test_from_bytes_keeps_its_own_copy_of_what_can_change():
    buffer = bytearray(six())
    reader = Reader.from_bytes(buffer)
    buffer[reader.span("a")[0]] = 99
    assert bytes(reader.view("a")) == b"\2\2\2"


def test_the_buffer_lives_as_long_as_a_view_of_it():
    view = Reader.from_static(six()).tensor("a").data()
    gc.collect()
    [bytearray(1000) for _ in range(20)]  # what was freed is used again
    assert bytes(view) == b"\2\2\2"


def test_readinto_takes_a_buffer_of_exactly_the_right_length():
    data = six()
    for reader in (Reader.from_static(data), Reader.from_stream(File(data))):
        tensor = reader.tensor("a")
        buffer = bytearray(b"-----")
        tensor.readinto(memoryview(buffer)[1:4])
        assert bytes(buffer) == b"-\2\2\2-"
        for length in (0, 2, 4):
            error = support.raises(InvalidTensor, tensor.readinto, bytearray(length))
            assert str(error) == "a: wrong number of bytes (expected 3, found %d)" % length


class File:
    """A seekable file in memory that gives at most `most` bytes at once, and counts them."""

    def __init__(self, data, most=1 << 30):
        self.data = data
        self.most = most
        self.at = 0
        self.read = 0

    def seek(self, offset, whence=0):
        self.at = offset + (0, self.at, len(self.data))[whence]
        return self.at

    def readinto(self, buffer):
        part = self.data[self.at : self.at + min(len(buffer), self.most)]
        buffer[: len(part)] = part
        self.at += len(part)
        self.read += len(part)
        return len(part)


def test_a_stream_may_give_its_bytes_in_pieces():
    data = six()
    for most in (1, 2, 7):
        reader = Reader.from_stream(File(data, most))
        for name, _ in SIX:
            assert bytes(reader.tensor(name).data()) == bytes(Reader.from_static(data).view(name))


def test_opening_a_stream_reads_the_header_and_no_tensor():
    data = container(
        sections([("w", descriptor(text("U8"), numbers(100000), numbers(0, 100000)))]), bytes(100000)
    )
    file = File(data)
    reader = Reader.from_stream(file)
    tensor = reader.tensor("w")
    assert [item.name for item in reader] == ["w"] and reader.span("w")[1] == len(data)
    assert file.read <= 256 + 10
    tensor.readinto(bytearray(100000))
    assert file.read <= 100000 + 256 + 10


def test_more_bytes_than_there_is_memory_for_are_an_error_that_says_so():
    size = 1 << 62 if sys.maxsize > 1 << 32 else 0x7FFFFE00
    front = container(sections([("w", descriptor(text("U8"), numbers(size), numbers(0, size)))]))

    class Huge(File):
        def seek(self, offset, whence=0):
            self.at = offset + (len(front) + size if whence == 2 else 0)
            return self.at

    limits = Limits(tensor=size, file=2 * size)
    tensor = Reader.from_stream(Huge(front), limits, "card").tensor("w")
    error = support.raises(LimitExceeded, tensor.data)
    assert str(error).startswith("card: w: more bytes than there is memory for (found %d" % size), str(error)


def test_a_tensor_of_a_stream_is_read_anew_each_time():
    data = six()
    tensor = Reader.from_stream(File(data)).tensor("a")
    first = tensor.data()
    first[0] = 77
    assert bytes(tensor.data()) == b"\2\2\2"


def test_a_renamed_tensor_reads_the_same_bytes():
    tensor = Reader.from_static(six()).tensor("a").renamed("other")
    assert (tensor.name, tensor.param_id, tensor.nbytes, bytes(tensor.data())) == ("other", 2, 3, b"\2\2\2")
    assert repr(tensor) == "Tensor('other', U8, (3,))"


def test_metadata_and_scalars_come_as_pairs_in_the_order_of_the_file():
    texts = mapping(("z", text("1")), ("a", text("")), ("", text("é")))
    scalars = mapping(("y", mapping(("UInt", unsigned(1)))), ("b", mapping(("Bool", b"\xf4"))))
    reader = Reader.from_static(container(sections([], ("metadata", texts), ("scalars", scalars))))
    assert reader.metadata() == [("z", "1"), ("a", ""), ("", "é")]
    assert reader.scalars() == [("y", ("UInt", 1)), ("b", ("Bool", False))]
    assert Reader.from_static(one(descriptor())).metadata() == []
    assert Reader.from_static(one(descriptor())).scalars() == []


def test_what_lies_out_of_a_views_reach_is_refused_never_wrapped():
    far = the_reach()
    spans = (("far", far + 256, far + 260), ("near", 0, 4), ("nothing", far, far))
    reader = Reader.from_static(large(spans, 0))
    assert bytes(reader.tensor("near").data()) == b"\1\1\1\1"
    for name in ("far", "nothing"):
        tensor = reader.tensor(name)
        for error in (
            support.raises(LimitExceeded, tensor.data),
            support.raises(LimitExceeded, tensor.readinto, bytearray(tensor.nbytes)),
            support.raises(LimitExceeded, reader.view, name),
        ):
            assert str(error).startswith(name + ": out of a view's reach on this processor"), str(error)


def test_a_view_that_begins_too_far_back_in_its_buffer_is_refused_never_wrapped():
    half = the_reach() // 2
    buffer = large((("far", half + 256, half + 260), ("near", 0, 4)), half)
    for begun in (memoryview(buffer)[half:], memoryview(memoryview(buffer)[half:])):
        error = support.raises(LimitExceeded, Reader.from_static, begun, None, "flash")
        assert str(error).startswith("flash: out of a view's reach on this processor"), str(error)


def test_a_view_that_begins_far_back_in_its_buffer_is_read_where_all_of_it_is_in_reach():
    half = the_reach() // 2
    data = container(sections([("w", descriptor(text("U8"), numbers(4), numbers(1 << 20, (1 << 20) + 4)))]))
    buffer = bytearray(half) + data + bytes(1 << 20) + b"\1\2\3\4"
    assert bytes(Reader.from_static(memoryview(buffer)[half:]).view("w")) == b"\1\2\3\4"


def the_reach():
    if VIEW_REACH > 1 << 40:
        support.skip("views reach everywhere on this processor")
    return VIEW_REACH


def large(spans, before):
    """Return `before` zeros and a container of U8 tensors at these (name, start, end), all bytes 1."""
    tensors = [
        (name, descriptor(text("U8"), numbers(end - start), numbers(start, end)))
        for name, start, end in spans
    ]
    front = container(sections(tensors))
    size = before + len(front) + max([end for _, _, end in spans])
    buffer = bytearray(size)
    buffer[before : before + len(front)] = front
    for _, start, end in spans:
        for at in range(start, end):
            buffer[before + len(front) + at] = 1
    return buffer
