"""Floats cast on the way: rounded to nearest, never silently infinite, read only when asked for."""

import struct

from burnpack.adapters import Context, FloatCastAdapter, HalfPrecisionAdapter
from burnpack.adapters.cast import cast
from burnpack.adapters.layers import HALVED
from burnpack.compat import ON_BOARD
from burnpack.errors import InvalidTensor, LoadFailed, NotFound, Unsupported
from burnpack.module import Module, Param
from burnpack.qfloat import QFloat
from burnpack.store import BurnpackStore
from burnpack.tensor import Tensor
from kit import support

DTYPES = ("F64", "F32", "Flex32", "F16", "BF16")
NAN = {
    "F64": "000000000000f87f",
    "F32": "0000c07f",
    "Flex32": "0000c07f",
    "F16": "007e",
    "BF16": "c07f",
}
INFINITY = {
    "F64": "000000000000f07f",
    "F32": "0000807f",
    "Flex32": "0000807f",
    "F16": "007c",
    "BF16": "807f",
}

# a number, and its bytes in each dtype; what a dtype can't hold exactly is rounded
ROUNDED = (
    (1.0, "F64", "000000000000f03f"),
    (1.0, "F32", "0000803f"),
    (1.0, "F16", "003c"),
    (1.0, "BF16", "803f"),
    (-0.0, "F64", "0000000000000080"),
    (-0.0, "F32", "00000080"),
    (-0.0, "F16", "0080"),
    (-0.0, "BF16", "0080"),
    (-2.5, "F16", "00c1"),
    (-2.5, "BF16", "20c0"),
    (0.1, "F32", "cdcccc3d"),
    (0.1, "F16", "662e"),
    (0.1, "BF16", "cd3d"),
    (1 + 2**-11, "F16", "003c"),  # a tie: to even, down
    (1 + 3 * 2**-11, "F16", "023c"),  # a tie: to even, up
    (1 + 2**-11 + 2**-20, "F16", "013c"),
    (1 + 2**-8, "BF16", "803f"),
    (1 + 3 * 2**-8, "BF16", "823f"),
    (1 + 2**-24, "F32", "0000803f"),
    (1 + 3 * 2**-24, "F32", "0200803f"),
    (2**-24, "F16", "0100"),  # the smallest
    (2**-25, "F16", "0000"),
    (3 * 2**-26, "F16", "0100"),
    (65504.0, "F16", "ff7b"),
    (65519.0, "F16", "ff7b"),
    (3.3895313892515355e38, "BF16", "7f7f"),
    (3.4028234663852886e38, "F32", "ffff7f7f"),
    (2**-149, "F32", "01000000"),
    (2**-133, "BF16", "0100"),
)

# a number that is finite and becomes infinite, the dtype, its largest number
TOO_LARGE = (
    (65520.0, "F16", "ff7b"),
    (-65520.0, "F16", "fffb"),
    (1e30, "F16", "ff7b"),
    (3.4e38, "BF16", "7f7f"),
    (-3.4e38, "BF16", "7fff"),
    (1e39, "F32", "ffff7f7f"),
    (-1e300, "F32", "ffff7fff"),
    (1e300, "BF16", "7f7f"),
)


def f64(*numbers):
    return b"".join([struct.pack("<d", number) for number in numbers])


def tensor(dtype, data, shape=None):
    return Tensor("a.b", dtype, shape or (len(data) // (Tensor("", dtype, (), None).nbytes),), data, 3)


def within(layer):
    return Context("a.b", ("Struct:Net", layer))


def test_numbers_are_rounded_to_nearest_ties_to_even():
    for number, dtype, expected in ROUNDED:
        found = cast(f64(number), "F64", dtype, False, "x")
        assert found.hex() == expected, (number, dtype, found.hex())


def test_what_a_narrow_float_holds_comes_back_from_a_wide_one():
    for narrow in ("F16", "BF16"):
        codes = b"".join([struct.pack("<H", code) for code in range(0, 65536, 7)])
        for wide in ("F32", "F64"):
            widened = cast(codes, narrow, wide, False, "x")
            back = cast(widened, wide, narrow, False, "x")
            for at in range(0, len(codes), 2):
                code, found = struct.unpack_from("<H", codes, at)[0], struct.unpack_from("<H", back, at)[0]
                infinity = struct.unpack("<H", bytes_of_hex(INFINITY[narrow]))[0]
                if code & 0x7FFF > infinity:  # NaN of any kind
                    assert found == struct.unpack("<H", bytes_of_hex(NAN[narrow]))[0], (narrow, code)
                else:
                    assert found == code, (narrow, wide, code, found)


def bytes_of_hex(text):
    return bytes([int(text[at : at + 2], 16) for at in range(0, len(text), 2)])


def test_a_nan_becomes_the_quiet_nan_and_an_infinity_stays_one():
    for source in DTYPES:
        nan = bytearray(bytes_of_hex(NAN[source]))
        nan[-1] |= 0x80  # with a sign, and something in its fraction
        nan[0] |= 1
        for target in DTYPES:
            if source != target:
                assert cast(bytes(nan), source, target, False, "x").hex() == NAN[target], (source, target)
                infinite = bytes_of_hex(INFINITY[source])
                assert cast(infinite, source, target, False, "x").hex() == INFINITY[target]


def test_what_would_become_infinite_is_refused_and_saturates_when_asked():
    for number, dtype, largest in TOO_LARGE:
        error = support.raises(InvalidTensor, cast, f64(1.0, number), "F64", dtype, False, "fc.weight")
        assert str(error).startswith("fc.weight: a number too large for %s" % dtype), str(error)
        assert "saturate=True" in str(error)
        assert cast(f64(number), "F64", dtype, True, "x").hex() == largest


def test_every_float_is_cast_whatever_module_it_is_in():
    numbers = f64(0.5, -3.0)
    for source in DTYPES:
        data = numbers if source == "F64" else cast(numbers, "F64", source, False, "x")
        for target in DTYPES:
            for layer in ("Struct:BatchNorm", "Enum:Mine", "Vec"):
                found = FloatCastAdapter.to(target).adapt(tensor(source, bytes(data)), within(layer))
                assert (found.name, found.dtype, found.shape, found.param_id) == ("a.b", target, (2,), 3)
                assert found.nbytes == len(found.data())
                back = found.data() if target == "F64" else cast(found.data(), target, "F64", False, "x")
                assert bytes(back) == numbers, (source, target)


def test_what_is_no_float_stays_as_it_is():
    for dtype in ("I64", "I8", "U8", "Bool", "Bool(U32)", "C64", QFloat()):
        given = (
            tensor(dtype, bytes(16), (2,)) if isinstance(dtype, str) else Tensor("q", dtype, (4,), bytes(8))
        )
        assert FloatCastAdapter.to("F16").adapt(given, within("Struct:Linear")) is given
    same = tensor("F16", bytes(4))
    assert FloatCastAdapter.to("F16").adapt(same, within("Struct:Linear")) is same


def test_floats_and_targets_that_can_not_be_cast_are_refused():
    for dtype in ("F8_E4M3", "F8_E5M2", "F4"):
        given = Tensor("small", dtype, (2,), bytes(2))
        error = support.raises(Unsupported, FloatCastAdapter.to("F32").adapt, given, within("Struct:Linear"))
        assert error.item == "small" and error.found == dtype
    for target in ("I32", "F8_E4M3", "Bool", "f16", "half", ""):
        support.raises(Unsupported, FloatCastAdapter.to, target)


def test_scalars_and_empty_tensors_are_cast_too():
    for shape, size in (((), 2), ((0,), 0), ((2, 0), 0), ((1, 1, 1), 2)):
        given = Tensor("x", "F32", shape, bytes(size * 2))
        found = FloatCastAdapter.to("F16").adapt(given, within("Struct:Linear"))
        assert found.shape == shape and len(found.data()) == found.nbytes == size


def test_halving_takes_f32_to_f16_and_back_in_the_layers_that_take_no_harm():
    adapter = HalfPrecisionAdapter()
    wide, narrow = tensor("F32", struct.pack("<f", 0.5)), tensor("F16", b"\0\x38")
    for layer in HALVED:
        assert bytes(adapter.adapt(wide, within("Struct:" + layer)).data()) == b"\0\x38"
        back = adapter.adapt(narrow, within("Struct:" + layer))
        assert (back.dtype, bytes(back.data())) == ("F32", struct.pack("<f", 0.5))
    for layer in ("Struct:BatchNorm", "Struct:Mine", "Enum:Linear", "Vec"):
        assert adapter.adapt(wide, within(layer)) is wide
    assert adapter.adapt(wide, Context("x", ())) is wide


def test_halving_leaves_every_other_dtype():
    for dtype in ("F64", "BF16", "Flex32", "I32", "Bool"):
        given = tensor(dtype, bytes(16), (2,))
        assert HalfPrecisionAdapter().adapt(given, within("Struct:Linear")) is given
    quantized = Tensor("q", QFloat(), (4,), bytes(8))
    assert HalfPrecisionAdapter().adapt(quantized, within("Struct:Linear")) is quantized


def test_modules_are_added_to_halving_and_taken_out():
    wide = tensor("F32", bytes(4))
    adapter = (
        HalfPrecisionAdapter().with_module("Mine").with_module("Enum:Choice").without_module("LayerNorm")
    )
    for layer, dtype in (
        ("Struct:Mine", "F16"),
        ("Enum:Choice", "F16"),
        ("Struct:Choice", "F32"),
        ("Struct:LayerNorm", "F32"),
        ("Struct:Linear", "F16"),
    ):
        assert adapter.adapt(wide, within(layer)).dtype == dtype, layer
    less = adapter.with_module("Mine").without_module("Struct:Mine")
    assert less.adapt(wide, within("Struct:Mine")).dtype == "F32"
    assert adapter.adapt(wide, within("Struct:Mine")).dtype == "F16"  # each step makes another adapter
    saturating = HalfPrecisionAdapter(saturate=True).with_module("Mine")
    large = saturating.adapt(tensor("F32", struct.pack("<f", 1e5)), within("Struct:Mine"))
    assert bytes(large.data()) == b"\xff\x7b"
    for name in ("LayerNorm", "BatchNorm", "Nothing", "Enum:Linear", "linear"):
        error = support.raises(NotFound, adapter.without_module, name)
        assert error.item == name
    assert HalfPrecisionAdapter().adapt(wide, within("Struct:LayerNorm")).dtype == "F16"  # not shared


def test_halving_refuses_what_would_become_infinite_or_saturates():
    large = tensor("F32", struct.pack("<f", 1e5))
    support.raises(InvalidTensor, HalfPrecisionAdapter().adapt(large, within("Struct:Linear")).data)
    saturated = HalfPrecisionAdapter(saturate=True).adapt(large, within("Struct:Linear"))
    assert bytes(saturated.data()) == b"\xff\x7b"


def test_a_cast_reads_nothing_before_its_time():
    asked = []

    def data():
        asked.append(1)
        return bytes(8)

    given = Tensor("x", "F32", (2,), data)
    for target in ("F64", "BF16", "F16", "F32", "F16"):
        given = FloatCastAdapter.to(target).adapt(given, within("Struct:Linear"))
    assert asked == [] and given.nbytes == 4
    assert len(given.data()) == 4 and asked == [1]


def test_a_load_that_would_make_a_number_infinite_changes_nothing():
    module = Module()
    module.x, module.y = Param((1,), "F16"), Param((1,), "F16")
    from burnpack.writer import Writer

    data = Writer(
        [Tensor("x", "F32", (1,), struct.pack("<f", 1.0)), Tensor("y", "F32", (1,), struct.pack("<f", 1e6))]
    ).to_bytes()
    store = BurnpackStore.from_static(data).with_from_adapter(FloatCastAdapter.to("F16"))
    error = support.raises(LoadFailed, module.load_from, store)
    assert "y: LoadError: y: a number too large for F16" in str(error), str(error)
    assert module.x.data is None and module.x.dtype == "F16"
    store.with_from_adapter(FloatCastAdapter.to("F16", saturate=True))
    module.load_from(store)
    assert bytes(module.y.data) == b"\xff\x7b" and module.x.dtype == "F16"


def test_f32_and_flex32_are_the_same_bytes():
    data = bytes([0, 0, 128, 63, 205, 204, 204, 61])
    assert bytes(cast(data, "F32", "Flex32", False, "x")) == data
    if not ON_BOARD:
        assert bytes(cast(memoryview(data), "Flex32", "F32", False, "x")) == data
