"""Quantized dtypes: how long their bytes are, and what their schemes look like in a file."""

from burnpack.cbor import Cursor
from burnpack.cbor_encode import value as encoded
from burnpack.descriptor import OLD_SCHEME, TODAY, dtype_value, parse_dtype
from burnpack.dtype import kind, nbytes
from burnpack.errors import InvalidTensor
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from kit import support
from kit.formats.burnpack_by_hand import block, block_size, old_scheme, scheme
from kit.formats.cbor_by_hand import mapping, text, unsigned

NATIVE = "Native"
WORDS = ("PackedU32", 0)
BYTES = ("PackedNative", 0)

# scheme, shape, bytes of the values, bytes of the scales
LENGTHS = (
    (QFloat("Q8S"), (3, 10), 30, 4),
    (QFloat("Q8S"), (), 1, 4),
    (QFloat("Q8S"), (0,), 0, 4),
    (QFloat("Q8S"), (512, 512), 262144, 4),
    (QFloat("Q8S", tensor="F16"), (3, 10), 30, 2),
    (QFloat("Q8S", tensor="UE8M0"), (3, 10), 30, 1),
    (QFloat("Q2F"), (3, 10), 30, 4),
    (QFloat("Q8F", WORDS), (3, 10), 36, 4),
    (QFloat("Q4S", WORDS), (3, 3), 12, 4),
    (QFloat("Q2F", WORDS), (3, 10), 12, 4),
    (QFloat("Q2F", WORDS), (16,), 4, 4),
    (QFloat("Q2F", WORDS), (17,), 8, 4),
    (QFloat("Q2F", WORDS), (0, 17), 0, 4),
    (QFloat("Q2F", WORDS), (17, 0), 0, 4),
    (QFloat("Q2S", ("PackedU32", 1)), (3, 10), 40, 4),
    (QFloat("Q2S", ("PackedU32", 1)), (17, 10), 80, 4),
    (QFloat("Q4S", ("PackedU32", 1)), (2, 9, 5), 80, 4),
    (QFloat("E2M1", BYTES), (3, 10), 15, 4),
    (QFloat("E2M1", BYTES), (3, 9), 15, 4),
    (QFloat("E4M3", BYTES), (5,), 5, 4),
    (QFloat("Q4S", BYTES), (3, 10), 30, 4),
    (QFloat("Q2F", ("PackedNative", 2)), (3, 10), 30, 4),
    (QFloat("Q8S", WORDS), (), 4, 4),
    (QFloat("Q4F", ("PackedU32", 1)), (), 4, 4),
    (QFloat("E2M1", BYTES), (), 1, 4),
    (QFloat("Q8S", block=((5,), "F32")), (3, 10), 30, 24),
    (QFloat("Q8S", block=((4,), "F32")), (3, 10), 30, 36),
    (QFloat("Q8S", block=((4,), "BF16")), (3, 10), 30, 18),
    (QFloat("Q8S", block=((5,), "UE4M3"), tensor="F32"), (3, 10), 30, 10),
    (QFloat("Q8S", block=((5,), "UE4M3"), tensor="F16"), (3, 10), 30, 8),
    (QFloat("Q8S", block=((), "F16")), (3, 10), 30, 60),
    (QFloat("Q8S", block=((3, 2), "BF16")), (3, 10), 30, 10),
    (QFloat("Q8S", block=((2, 3), "F32")), (4, 3, 10), 120, 128),
    (QFloat("Q8S", block=((255,), "F16")), (2, 256), 512, 8),
    (QFloat("Q8S", block=((2, 2), "F32")), (0, 10), 0, 0),
    (QFloat("Q4S", WORDS, block=((5,), "F32")), (3, 10), 24, 24),
)


def test_the_length_follows_from_scheme_and_shape():
    for dtype, shape, values, scales in LENGTHS:
        found = (dtype.values_nbytes(shape), dtype.scales_nbytes(shape))
        assert found == (values, scales), (dtype, shape, found)
        assert dtype.nbytes(shape) == nbytes(dtype, shape) == values + scales


def test_the_tensors_of_rust_are_as_long_as_their_schemes_say():
    for name, count in (
        ("quantized", 13),
        ("quantized_values", 45),
        ("burn_0.20_q8s", 4),
        ("burn_0.20_q8s_block", 2),
    ):
        reader = Reader.from_static(support.read(support.data("rust/%s.bpk" % name)))
        assert len(reader) == count
        for tensor in reader:
            assert isinstance(tensor.dtype, QFloat) and kind(tensor.dtype) == "float"
            assert tensor.dtype.nbytes(tensor.shape) == tensor.nbytes, (name, tensor)


def test_the_values_quantized_by_burn_lie_in_blocks_as_their_names_say():
    reader = Reader.from_static(support.read(support.data("rust/quantized_values.bpk")))
    assert reader.tensor("q2f.block2x8").dtype == QFloat("Q2F", block=((2, 8), "F32"))
    assert reader.tensor("q2f.block8_bf16").dtype == QFloat("Q2F", block=((8,), "BF16"))
    assert reader.tensor("q2f.tensor_f16").dtype.tensor == "F16"
    assert reader.tensor("q2f.block2x8").dtype.grid((4, 16)) == (2, 2)


def test_the_grid_of_blocks_rounds_up_each_dimension():
    for extents, shape, grid in (
        ((4,), (8,), (2,)),
        ((4,), (9,), (3,)),
        ((4,), (3, 9), (3, 3)),
        ((2, 4), (3, 9), (2, 3)),
        ((2, 4), (5, 3, 9), (5, 2, 3)),
        ((1, 1), (2, 3), (2, 3)),
        ((255,), (1,), (1,)),
        ((4,), (0,), (0,)),
    ):
        assert QFloat("Q8S", block=(extents, "F32")).grid(shape) == grid, (extents, shape)


def test_a_shape_that_does_not_suit_the_scheme_is_refused():
    for dtype, shape in (
        (QFloat("Q4S", ("PackedU32", 2)), (3, 3)),
        (QFloat("Q4S", block=((2, 2), "F32")), (4,)),
        (QFloat("Q4S", block=((2,), "F32")), ()),
    ):
        support.raises(InvalidTensor, dtype.nbytes, shape)


def test_schemes_are_equal_where_all_their_parts_are():
    different = [
        QFloat(),
        QFloat("Q4S"),
        QFloat("Q8S", WORDS),
        QFloat("Q8S", ("PackedU32", 1)),
        QFloat("Q8S", mode="Lookup"),
        QFloat("Q8S", tensor="F32"),
        QFloat("Q8S", block=((4,), "F32")),
        QFloat("Q8S", block=((1, 4), "F32")),
        QFloat("Q8S", block=((4,), "F16")),
    ]
    for at, one in enumerate(different):
        assert one == QFloat(*one.parts()) and hash(one) == hash(QFloat(*one.parts()))
        assert [other == one for other in different] == [other == at for other in range(len(different))]
        assert one != "F32" and one != "QFloat" and one is not None
    assert repr(QFloat("E2M1", BYTES, "Lookup", "F32", ((2, 8), "UE4M3"))) == (
        "QFloat(E2M1, PackedNative(0), Lookup, block 2x8 UE4M3, tensor F32)"
    )


def test_a_scheme_is_written_as_todays_burn_writes_it_and_read_again():
    size = mapping(("storage", b"\x85\x02\x18\xff\x01\x01\x01"), ("len", unsigned(2)))
    for dtype, item in (
        (QFloat(), scheme()),
        (
            QFloat("Q4F", ("PackedU32", 1), tensor="BF16"),
            scheme(_store("PackedU32", 1), _named("Q4F"), _scaled("BF16")),
        ),
        (
            QFloat("Q2S", BYTES, "Lookup"),
            scheme(_named("Q2S"), _store("PackedNative", 0), ("mode", text("Lookup"))),
        ),
        (QFloat("Q8S", block=((2, 255), "UE8M0")), scheme(("block", block(size, "UE8M0")))),
    ):
        written = encoded(dtype_value(dtype))
        assert written == mapping(("QFloat", item)), dtype
        assert parse_dtype(Cursor(written)) == (dtype, TODAY)


def _named(value):
    return "value", text(value)


def _scaled(scale):
    return "tensor", text(scale)


def _store(name, dimension):
    return "store", mapping((name, unsigned(dimension)))


def test_the_older_form_says_the_same_and_is_told_apart():
    size = block_size(4)
    for item, dtype in (
        (old_scheme(), QFloat()),
        (old_scheme(("param", text("BF16"))), QFloat(tensor="BF16")),
        (old_scheme(("store", text("U32"))), QFloat(store=WORDS)),
        (old_scheme(("level", mapping(("Block", size)))), QFloat(block=((4,), "F32"))),
        (
            old_scheme(("level", mapping(("Block", size))), ("param", text("F16")), _store("PackedU32", 0)),
            QFloat(store=WORDS, block=((4,), "F16")),
        ),
    ):
        assert parse_dtype(Cursor(mapping(("QFloat", item)))) == (dtype, OLD_SCHEME)


def test_the_block_level_of_an_older_file_is_kept():
    reader = Reader.from_static(support.read(support.data("rust/burn_0.20_q8s_block.bpk")))
    for tensor in reader:
        assert tensor.dtype == QFloat("Q8S", block=((4,), "F32")), tensor
