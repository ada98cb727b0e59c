"""Writing Burnpack: what Rust wrote comes out byte for byte, and nothing is written that no reader takes."""

import io

from burnpack.errors import (
    BurnpackError,
    DuplicateName,
    InvalidTensor,
    LimitExceeded,
    Malformed,
    SaveFailed,
    Truncated,
    Unsupported,
)
from burnpack.limits import Limits
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from kit import support

# Files in today's form, which come out as they went in.
TODAYS = (
    "burn_0.21 dtypes ids names nothing odd quantized quantized_values scalars scalars_only seq shapes zoo "
    "zoo_bf16 zoo_filtered zoo_half"
).split()
OLDER = ("burn_0.19", "burn_0.20", "burn_0.20_q8s", "burn_0.20_q8s_block")

WORD = 1 << 64


def again(reader, limits=None):
    """Return a writer of all that a reader holds, in the order of its data."""
    return Writer(reader, reader.metadata(), reader.scalars(), limits)


def u8(name, *values):
    return Tensor(name, "U8", (len(values),), bytes(values))


def test_a_file_that_rust_wrote_is_written_again_byte_for_byte():
    for name in TODAYS:
        data = support.read(support.data("rust/%s.bpk" % name))
        assert again(Reader.from_static(data)).to_bytes() == data, name


def test_a_trained_model_is_written_again_byte_for_byte_from_a_stream():
    path = support.path("examples/mnist/mnist_conv_bn.bpk")
    with open(path, "rb") as file, open(path, "rb") as original:
        for chunk in again(Reader.from_stream(file)).chunks():
            for start in range(0, len(chunk), 1 << 16):
                piece = bytes(chunk[start : start + (1 << 16)])
                assert original.read(len(piece)) == piece
        assert original.read(1) == b""


def test_files_of_older_releases_are_written_as_todays():
    for name in OLDER:
        old = Reader.from_static(support.read(support.data("rust/%s.bpk" % name)))
        new = Reader.from_static(again(old).to_bytes())
        assert new.dialect == "0.22" and old.dialect != "0.22", name
        assert contents(new) == contents(old)
        assert new.metadata() == old.metadata() and new.scalars() == old.scalars()
        assert again(new).to_bytes() == again(old).to_bytes()


def contents(reader):
    return [(item.name, item.dtype, item.shape, bytes(item.data()), item.param_id) for item in reader]


def test_the_bytes_of_a_small_container_are_these():
    found = Writer([u8("b", 7), Tensor("a", "Bool", (), b"\1", 500)], [("k", "v")], [("s", 1)]).to_bytes()
    front = (
        b"NRUB\1\0\xa8\0\0\0"
        b"\xa3\x67tensors\xa2"
        b"\x61a\xa4\x65dtype\xa1\x64Bool\x66Native\x65shape\x80\x6cdata_offsets\x82\x19\1\0\x19\1\1\x68param_id\x19\1\xf4"
        b"\x61b\xa3\x65dtype\x62U8\x65shape\x81\1\x6cdata_offsets\x82\0\1"
        b"\x68metadata\xa1\x61k\x61v"
        b"\x67scalars\xa1\x61s\xa1\x63Int\1"
    )
    front = front[:6] + (len(front) - 10).to_bytes(4, "little") + front[10:]
    assert found == front + bytes(256 - len(front)) + b"\7" + bytes(255) + b"\1"


def test_data_lies_in_the_order_given_and_names_are_sorted_by_their_utf8():
    names = ["b", "\U0001f525", "", "\uffff", "a.10", "B", "a.9", "é"]
    tensors = [u8(name, number) for number, name in enumerate(names)]
    reader = Reader.from_static(Writer(tensors).to_bytes())
    assert [tensor.name for tensor in reader] == names
    assert reader.names() == ["", "B", "a.10", "a.9", "b", "é", "\uffff", "\U0001f525"]
    assert [reader.span(name)[0] % 256 for name in names] == [0] * len(names)
    for number, name in enumerate(names):
        assert bytes(reader.view(name)) == bytes((number,))


def test_every_tensor_begins_on_a_multiple_of_256_and_zeros_lie_between():
    sizes = (1, 255, 256, 257, 0, 3, 0, 0, 512, 1)
    tensors = [u8("t%d" % number, *([255] * size)) for number, size in enumerate(sizes)]
    data = Writer(tensors).to_bytes()
    reader = Reader.from_static(data)
    spans = [reader.span("t%d" % number) for number in range(len(sizes))]
    assert [start % 256 for start, _ in spans] == [0] * len(sizes)
    assert [end - start for start, end in spans] == list(sizes)
    end = spans[0][0]
    for start, after in spans:
        assert not any(data[end:start])
        assert start - end < 256
        end = after
    assert end == len(data)


def test_a_file_that_ends_in_an_empty_tensor_ends_in_padding():
    data = Writer([u8("a", 1), u8("z")]).to_bytes()
    assert len(data) == 512 and Reader.from_static(data).span("z") == (512, 512)
    assert len(Writer([]).to_bytes()) == 256
    assert Reader.from_static(Writer([]).to_bytes()).names() == []


def test_every_dtype_shape_and_id_comes_back():
    dtypes = "F64 F32 Flex32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 Bool Bool(U8) Bool(U32)".split()
    tensors = []
    for number, dtype in enumerate(dtypes):
        for shape in ((), (0,), (3,), (2, 0), (1, 2, 1, 3)):
            tensor = Tensor("%s%r" % (dtype, shape), dtype, shape, None, (1 << 64) - 1 - number)
            tensors.append(Tensor(tensor.name, dtype, shape, bytes(tensor.nbytes), tensor.param_id))
    tensors.append(Tensor("no id", "U8", (1,) * 64, b"\1"))
    tensors.append(Tensor("id 0", "U8", (), b"\1", 0))
    found = contents(Reader.from_static(Writer(tensors).to_bytes()))
    assert found == [(t.name, t.dtype, t.shape, bytes(t.data()), t.param_id) for t in tensors]


def test_every_scheme_comes_back_whatever_the_length_of_its_bytes():
    schemes = (
        QFloat(),
        QFloat("Q4F", ("PackedU32", 0), tensor="BF16"),
        QFloat("E2M1", ("PackedNative", 255), "Lookup", "F32", ((1, 255), "UE4M3")),
        QFloat("Q2S", "Native", "Symmetric", None, ((1, 2, 3, 4, 5), "UE8M0")),
    )
    tensors = [Tensor("q%d" % n, scheme, (3, 10), b"\1\2\3", None, 3) for n, scheme in enumerate(schemes)]
    reader = Reader.from_static(Writer(tensors).to_bytes())
    assert [reader.tensor("q%d" % n).dtype for n in range(4)] == list(schemes)
    assert [bytes(tensor.data()) for tensor in reader] == [b"\1\2\3"] * 4


def test_scalars_come_back_with_the_kind_they_were_given():
    given = (
        ("a", 1, ("Int", 1)),
        ("b", -(1 << 63), ("Int", -(1 << 63))),
        ("c", (1 << 63) - 1, ("Int", (1 << 63) - 1)),
        ("d", 1 << 63, ("UInt", 1 << 63)),
        ("e", ("UInt", 0), ("UInt", 0)),
        ("f", ("UInt", WORD - 1), ("UInt", WORD - 1)),
        ("g", 0.1, ("Float", 0.1)),
        ("h", ("Float", -0.0), ("Float", -0.0)),
        ("i", True, ("Bool", True)),
        ("j", ("Bool", False), ("Bool", False)),
        ("", float("inf"), ("Float", float("inf"))),
    )
    pairs = [(name, value) for name, value, _ in given]
    found = Reader.from_static(Writer([], [], pairs).to_bytes()).scalars()
    assert found == sorted([(name, value) for name, _, value in given])
    assert [type(value[1]) for _, value in found] == [type(value[1]) for _, _, value in sorted_by_name(given)]


def sorted_by_name(rows):
    return sorted(rows, key=lambda row: row[0])


def test_metadata_and_scalars_may_be_dicts():
    found = Reader.from_static(Writer([], {"kk": "v", "a": ""}, {"s1": 5}).to_bytes())
    assert found.metadata() == [("a", ""), ("kk", "v")]
    assert found.scalars() == [("s1", ("Int", 5))]


def test_metadata_may_be_a_mapping_that_is_no_dict():
    class Mapping:
        def __iter__(self):
            return iter(["ab"])

        def items(self):
            return [("ab", "v")]

    assert Reader.from_bytes(Writer([], Mapping()).to_bytes()).metadata() == [("ab", "v")]


def test_the_same_tensors_give_the_same_bytes_however_they_are_written():
    tensors = [u8("b", 1, 2, 3), u8("e"), u8("a", *([9] * 300)), u8("z")]
    writer = Writer(tensors, [("k", "v")], [("s", 0.5)])
    whole = writer.to_bytes()
    file = io.BytesIO()
    writer.write_to(file)
    assert (
        file.getvalue() == whole == writer.to_bytes() == b"".join([bytes(chunk) for chunk in writer.chunks()])
    )
    assert writer.size == len(whole)
    assert Writer(reversed_pairs(tensors), [("k", "v")]).to_bytes() != whole
    assert (
        Writer(tensors, [("b", "1"), ("a", "2")]).to_bytes()
        == Writer(tensors, [("a", "2"), ("b", "1")]).to_bytes()
    )


def reversed_pairs(items):
    return [items[-1 - at] for at in range(len(items))]


def test_planning_reads_nothing_and_writing_reads_each_tensor_once_in_turn():
    asked = []

    def provider(name, size):
        def data():
            asked.append(name)
            return bytes(size)

        return data

    tensors = [Tensor(name, "F32", (4,), provider(name, 16)) for name in ("c", "a", "b")]
    writer = Writer(tensors)
    assert asked == [] and writer.size == 256 + 512 + 16
    chunks = writer.chunks()
    next(chunks)
    assert asked == []
    while asked == []:
        next(chunks)
    assert asked == ["c"]
    list(chunks)
    assert asked == ["c", "a", "b"]


def test_a_provider_of_another_length_is_an_error_that_names_the_tensor():
    for found in (0, 3, 5):
        writer = Writer([u8("good", 1), Tensor("bad", "F32", (1,), lambda found=found: bytes(found))])
        for write in (writer.to_bytes, lambda writer=writer: writer.write_to(io.BytesIO())):
            error = support.raises(InvalidTensor, write)
            assert str(error) == "bad: wrong number of bytes (expected 4, found %d)" % found


def test_a_provider_that_fails_is_an_error_that_names_the_tensor():
    def fails_with(error):
        def data():
            raise error

        return data

    for failure, words in (
        (OSError("the disk is gone"), "bad: its bytes can't be had: OSError: the disk is gone"),
        (KeyError("x"), "bad: its bytes can't be had: KeyError"),
        (ValueError(), "bad: its bytes can't be had: ValueError"),
    ):
        error = support.raises(
            SaveFailed, Writer([u8("good", 1), Tensor("bad", "U8", (1,), fails_with(failure))]).to_bytes
        )
        assert words in str(error), str(error)
    cut = Truncated("the file ends early", None, "old.bpk", 7)
    error = support.raises(Truncated, Writer([Tensor("bad", "U8", (1,), fails_with(cut))]).to_bytes)
    assert str(error) == "old.bpk: bad: the file ends early (at byte 7)"


def test_what_no_reader_takes_is_not_planned():
    for what, tensor, error_class, words in (
        (
            "too few bytes",
            Tensor("w", "F32", (2, 3), None, None, 20),
            InvalidTensor,
            "expected 24 bytes, found 20 bytes",
        ),
        (
            "too many bytes",
            Tensor("w", "F32", (2, 3), None, None, 28),
            InvalidTensor,
            "expected 24 bytes, found 28 bytes",
        ),
        ("65 dimensions", Tensor("w", "U8", (1,) * 65, None), InvalidTensor, "too many dimensions"),
        ("a huge shape", Tensor("w", "U8", (1 << 32, 1 << 32), None), InvalidTensor, "64 bits"),
        ("a huge shape of nothing", Tensor("w", "U8", (1 << 63, 2, 0), None), InvalidTensor, "64 bits"),
        ("a negative extent", Tensor("w", "U8", (-1, -1), None), InvalidTensor, "negative extent"),
        ("half an extent", Tensor("w", "U8", (2.0,), None), InvalidTensor, "no integer"),
        ("a text for an extent", Tensor("w", "U8", ("2",), None, None, 2), InvalidTensor, "no integer"),
        ("a huge tensor", Tensor("w", "U8", (1 << 62,), None), LimitExceeded, "too large"),
        ("an unknown dtype", Tensor("w", "U9", (1,), b"\1"), Unsupported, "U9"),
        ("an unknown dtype of known size", Tensor("w", "U9", (1,), b"\1", None, 1), Unsupported, "U9"),
        ("SafeTensors' own dtype", Tensor("w", "F8_E4M3", (1,), b"\1"), Unsupported, "F8_E4M3"),
        ("a complex dtype", Tensor("w", "C64", (1,), bytes(8)), Unsupported, "C64"),
        ("a negative id", Tensor("w", "U8", (1,), b"\1", -1), InvalidTensor, "param_id"),
        ("an id too large", Tensor("w", "U8", (1,), b"\1", WORD), InvalidTensor, "param_id"),
        ("an id of text", Tensor("w", "U8", (1,), b"\1", "1"), InvalidTensor, "param_id"),
        ("a truth for an id", Tensor("w", "U8", (1,), b"\1", True), InvalidTensor, "param_id"),
        ("half an id", Tensor("w", "U8", (1,), b"\1", 1.0), InvalidTensor, "param_id"),
        ("an unknown value", _quantized(QFloat("Q9S")), Malformed, "unknown name"),
        ("an unknown mode", _quantized(QFloat(mode="Affine")), Malformed, "unknown name"),
        ("an unknown store", _quantized(QFloat(store="Packed")), Malformed, "wrong type"),
        ("an unknown packing", _quantized(QFloat(store=("PackedU64", 0))), Malformed, "store"),
        ("packing along dimension -1", _quantized(QFloat(store=("PackedU32", -1))), Malformed, "unsigned"),
        ("an unknown scale", _quantized(QFloat(tensor="F64")), Malformed, "unknown name"),
        ("an unknown block scale", _quantized(QFloat(block=((4,), "I8"))), Malformed, "unknown name"),
        ("a block of 256", _quantized(QFloat(block=((256,), "F32"))), Malformed, "too large"),
        ("a block of 0", _quantized(QFloat(block=((0,), "F32"))), Malformed, "block"),
        ("a block of six dimensions", _quantized(QFloat(block=((1,) * 6, "F32"))), Malformed, "large"),
    ):
        error = support.raises(error_class, Writer, [tensor])
        assert type(error) is error_class, (what, error)
        assert str(error).startswith("w: ") and words in str(error), (what, str(error))


def _quantized(scheme):
    return Tensor("w", scheme, (4,), bytes(8), None, 8)


def test_names_are_texts_that_utf8_can_hold_and_no_two_are_the_same():
    for name in (None, 5, b"w", "\ud800", "a\udfff", ("w",)):
        for error in (
            support.raises(Malformed, Writer, [Tensor(name, "U8", (1,), b"\1")]),
            support.raises(Malformed, Writer, [], [(name, "v")]),
            support.raises(Malformed, Writer, [], [], [(name, 1)]),
        ):
            assert str(error)
    for text in (None, 5, b"v", 1.5, True, "\ud800"):
        error = support.raises(Malformed, Writer, [], [("key", text)])
        assert str(error).startswith("key: ") and "metadata" in str(error), str(error)
    assert "a: the same name twice" in str(
        support.raises(DuplicateName, Writer, [u8("a", 1), u8("b"), u8("a", 2)])
    )
    assert "k: " in str(support.raises(DuplicateName, Writer, [], [("k", "1"), ("k", "1")]))
    assert "s: " in str(support.raises(DuplicateName, Writer, [], [], [("s", 1), ("s", 2)]))


def test_what_is_no_scalar_is_refused_by_name():
    for value in (
        None,
        "1",
        b"1",
        [1],
        WORD,
        -(1 << 63) - 1,
        1j,
        (),
        ("Int",),
        ("Int", 1, 2),
        ("Int", 1 << 63),
        ("Int", True),
        ("Int", 1.0),
        ("UInt", -1),
        ("UInt", WORD),
        ("Float", 1),
        ("Float", "1"),
        ("Bool", 1),
        ("Bool", None),
        ("Text", "a"),
        (1, 1),
    ):
        error = support.raises(Malformed, Writer, [], [], [("step", value)])
        assert str(error).startswith("step: not a scalar"), (value, str(error))


def test_limits_are_those_of_a_reader():
    tensors = [u8("a", *([1] * 300)), u8("b", 2)]
    good = Writer(tensors)
    metadata = int.from_bytes(good.to_bytes()[6:10], "little")
    for name, least in (("tensors", 2), ("tensor", 300), ("file", good.size), ("metadata", metadata)):
        assert Writer(tensors, [], [], Limits(**{name: least})).to_bytes() == good.to_bytes(), name
        error = support.raises(LimitExceeded, Writer, tensors, [], [], Limits(**{name: least - 1}))
        assert str(least - 1) in str(error), (name, str(error))


def test_a_file_that_takes_only_a_part_is_an_error():
    class Full:
        def write(self, data):
            return min(len(data), 100)

    support.raises(SaveFailed, Writer([u8("a", *([1] * 300))]).write_to, Full())


def test_what_a_writer_takes_a_reader_takes():
    for tensors, metadata, scalars in (
        ([], [("", "")], []),
        ([], [], [("", 0)]),
        ([u8("\0\n\x1b\x7f\U0010ffff", 1)], [("\0", "\n")], [("\0", False)]),
        ([Tensor("w", "U8", (0, WORD - 1), b"")], [], []),
        ([u8("x" * 70000, 1)], [("k" * 300, "v" * 70000)], []),
    ):
        try:
            data = Writer(tensors, metadata, scalars).to_bytes()
        except BurnpackError as error:
            raise AssertionError(str(error)) from None
        reader = Reader.from_static(data)
        assert again(reader).to_bytes() == data
        assert reader.metadata() == metadata and [name for name, _ in reader.scalars()] == [
            name for name, _ in scalars
        ]
