"""How kernels are chosen, and what they promise beyond their results."""

import math

from burnpack.qfloat import QFloat
from burnrt import kernels
from burnrt.checks.named import FAMILIES
from burnrt.kernels import plain
from burnrt.kernels.plain.in_place import Unpacked, in_place
from burnrt.kernels.plain.special import fraction_tanh, series_erf
from kit import support

NUMBERS = [-700.0, -3.5, -1.0, -0.25, -0.0, 0.0, 1e-3, 0.5, 1.0, 2.75, 88.0, 700.0]

EXACT = 2e-15 if 1.0 + 1e-12 > 1.0 else 1e-6  # what to expect of 64-bit floats, and of 32-bit ones

# What steps of floats call, and what makes buffers.
FLOATS = [name for line in FAMILIES.split("\n") for name in line.split()[1:] if not name.startswith("int8.")]
FLOATS += ["buffer", "floats", "weights"]

# kernel, what it needs besides x and out, which may be one buffer
IN_PLACE = (
    ("relu", (12,)),
    ("hard_swish", (12,)),
    ("gelu_tanh", (12,)),
    ("mish", (12,)),
    ("softsign", (12,)),
    ("silu", (12,)),
    ("gelu", (12,)),
    ("sigmoid", (12,)),
    ("tanh", (12,)),
    ("softmax", (2, 3, 2)),
    ("quiet_softmax", (2, 3, 2)),
    ("log_softmax", (2, 3, 2)),
    ("absolute", (12,)),
    ("exp", (12,)),
    ("expm1", (12,)),
    ("sin", (12,)),
    ("cos", (12,)),
    ("erf", (12,)),
    ("floor", (12,)),
    ("ceil", (12,)),
    ("rint", (12,)),
    ("trunc", (12,)),
    ("cumsum", (2, 3, 2)),
)

# kernel of two inputs that are broadcast, what it is told besides
BROADCAST = (
    ("add_strided", ()),
    ("multiply_strided", ()),
    ("subtract", ()),
    ("divide", ()),
    ("minimum", ()),
    ("maximum", ()),
    ("power", ()),
    ("floor_divide", ()),
    ("remainder", ()),
    ("fmod", ()),
    ("compare", ((1.0, 0.0, 2.0, 3.0),)),
)


def test_plain_is_always_in_use_and_last():
    assert kernels.in_use()[-1] == "plain"


def test_a_set_is_chosen_by_name_until_told_otherwise():
    usual = kernels.in_use()
    kernels.use("plain")
    try:
        assert kernels.in_use() == ["plain"]
        assert type(kernels.buffer(2)) is type(plain.buffer(2))
    finally:
        kernels.use()
    assert kernels.in_use() == usual


def test_a_set_that_does_not_run_here_is_refused_and_changes_nothing():
    usual = kernels.in_use()
    support.raises(ImportError, kernels.use, "abacus")
    assert kernels.in_use() == usual


def test_every_kernel_is_still_found_after_choosing_again():
    for _ in range(2):
        kernels.use("plain")
        for name in FLOATS:
            assert callable(getattr(kernels, name)), name
    kernels.use()


def test_an_unknown_kernel_is_an_attribute_error():
    support.raises(AttributeError, getattr, kernels, "conv9d")


def test_kernels_that_may_work_in_place_give_the_same_answer_there():
    for name, sizes in IN_PLACE:
        kernel = getattr(kernels, name)
        x, out = kernels.floats(NUMBERS), kernels.buffer(12)
        kernel(x, out, *sizes)
        kernel(x, x, *sizes)
        assert list(x) == list(out), name


def test_arithmetic_may_work_in_place():
    more = [number / 100 + 0.5 for number in NUMBERS]
    for name, count in (("add", 2), ("multiply", 2), ("lerp", 3)):
        kernel = getattr(kernels, name)
        given = [kernels.floats(numbers) for numbers in (NUMBERS, more, more[::-1])[:count]]
        out = kernels.buffer(12)
        kernel(*(given + [out, 12]))
        for place in range(count):
            again = [kernels.floats(numbers) for numbers in given]
            kernel(*(again + [again[place], 12]))
            assert list(again[place]) == list(out), (name, place)
    for kernel, before, after in (
        (kernels.clamp, (-1.0, 2.0), (12,)),
        (kernels.prelu, ([0.5, -2.0],), (2, 2, 3)),
    ):
        x, out = kernels.floats(NUMBERS), kernels.buffer(12)
        kernel(*((x,) + before + (out,) + after))
        kernel(*((x,) + before + (x,) + after))
        assert list(x) == list(out)


def test_what_is_broadcast_may_be_written_where_the_larger_input_is():
    large, small = [number / 100 + 8 for number in NUMBERS], [0.5, 2.0, 3.5, 4.0]
    extents, packed, row = (3, 4), (4, 1), (0, 1)
    for name, more in BROADCAST:
        kernel = getattr(kernels, name)
        for is_first in (True, False):
            answers = []
            for is_shared in (False, True):
                numbers, fewer = kernels.floats(large), kernels.floats(small)
                out = numbers if is_shared else kernels.buffer(12)
                pairs = ((numbers, packed), (fewer, row))
                first, second = pairs if is_first else (pairs[1], pairs[0])
                kernel(*(first + second + (out, extents) + more))
                answers.append(list(out))
            assert answers[0] == answers[1], (name, is_first)


def test_attention_may_write_where_its_queries_are():
    rows = [kernels.floats([number / (700 + shift) for number in NUMBERS]) for shift in range(3)]
    out = kernels.buffer(12)
    for target in (out, rows[0]):
        sizes, steps = (1, 3, 3, 2, 2), (12, 12, 4)
        kernels.attention(*(rows + [(), -1e4, False, kernels.buffer(3), None, target, sizes, steps]))
    assert list(rows[0]) == list(out)


def test_rows_are_copied_from_anywhere_to_anywhere():
    for chosen in ("plain", kernels.in_use()[0]):
        kernels.use(chosen)
        out = kernels.floats([9.0] * 8)
        kernels.copy_rows(kernels.floats(range(12)), 2, 5, out, 1, 3, 2, 2)
        assert list(out) == [9.0, 2.0, 3.0, 9.0, 7.0, 8.0, 9.0, 9.0]
        kernels.fill(out, 3, 2, 0.5)
        assert list(out) == [9.0, 2.0, 3.0, 0.5, 0.5, 8.0, 9.0, 9.0]
    kernels.use()


def test_normalisation_may_work_in_place():
    gamma = kernels.floats([0.5, 2.0, -1.0])
    channels = (gamma, gamma, gamma, kernels.floats([1.0, 0.5, 4.0]), 1e-5)
    for kernel, before, after in (
        (kernels.batch_norm, channels, (2, 3, 2)),
        (kernels.layer_norm, (gamma, gamma, 1e-5), (4, 3)),
        (kernels.rms_norm, (gamma, 1e-5), (4, 3)),
        (kernels.affine, (gamma, gamma), (2, 3, 2)),
    ):
        x, out = kernels.floats(NUMBERS), kernels.buffer(12)
        kernel(*((x,) + before + (out,) + after))
        kernel(*((x,) + before + (x,) + after))
        assert list(x) == list(out)


def test_activations_reach_their_limits_without_overflow():
    for chosen in ("plain", kernels.in_use()[0]):
        kernels.use(chosen)
        for name, low, high in (("sigmoid", 0.0, 1.0), ("tanh", -1.0, 1.0), ("relu", 0.0, 1e30)):
            out = kernels.buffer(2)
            getattr(kernels, name)(kernels.floats([-1e30, 1e30]), out, 2)
            assert abs(out[0] - low) == 0 and abs(out[1] / high - 1) < 1e-6, (chosen, name)
    kernels.use()


# kernel, its settings, what comes of 1e4, -1e4, 1e30, -1e30, infinity and minus infinity as PyTorch has it
INF, NAN = float("inf"), float("nan")
FAR = (1e4, -1e4, 1e30, -1e30, INF, -INF)
ANSWERS = (
    ("gelu", (), (1e4, 0.0, 1e30, 0.0, INF, NAN)),
    ("gelu_tanh", (), (1e4, 0.0, 1e30, 0.0, INF, NAN)),
    ("silu", (), (1e4, 0.0, 1e30, 0.0, INF, NAN)),
    ("mish", (), (1e4, 0.0, 1e30, 0.0, INF, NAN)),
    ("hard_swish", (), (1e4, 0.0, 1e30, 0.0, INF, NAN)),
    ("sigmoid", (), (1.0, 0.0, 1.0, 0.0, 1.0, 0.0)),
    ("tanh", (), (1.0, -1.0, 1.0, -1.0, 1.0, -1.0)),
    ("elu", (0.5, 1.0), (1e4, -0.5, 1e30, -0.5, INF, -0.5)),
    ("elu", (2.0, 2.0), (1e4, -2.0, 1e30, -2.0, INF, -2.0)),
    ("elu", (-2.0, -2.0), (1e4, -INF, 1e30, -INF, INF, -INF)),
    ("softplus", (1.0, 20.0), (1e4, 0.0, 1e30, 0.0, INF, 0.0)),
    ("softplus", (2.0, 1e38), (1e4, 0.0, 1e30, 0.0, INF, 0.0)),
    ("softplus", (-2.0, 20.0), (0.0, -1e4, 0.0, -1e30, 0.0, -INF)),
    ("softsign", (), (1.0, -1.0, 1.0, -1.0, NAN, NAN)),
    ("fake_quantize", (0.5, -128, 127), (63.5, -64.0, 63.5, -64.0, 63.5, -64.0)),
)


def test_far_from_zero_nothing_overflows():
    for chosen in kernels.in_use():
        kernels.use(chosen)
        for name, settings, expected in ANSWERS:
            x, out = kernels.floats(FAR), kernels.buffer(6)
            getattr(kernels, name)(*((x,) + settings + (out, 6)))
            for found, wanted in zip(out, expected):
                same = found == wanted or abs(found - wanted) <= 2e-4 * abs(wanted) < INF
                assert same or (found != found and wanted != wanted), (chosen, name, settings, list(out))
    kernels.use()


def test_numbers_are_rounded_to_what_bytes_say_and_halves_to_even_ones():
    for chosen in kernels.in_use():
        kernels.use(chosen)
        x = kernels.floats([0.25, 0.75, -0.25, -0.75, 0.3, 1.9, -1.6, NAN])
        kernels.fake_quantize(x, 0.5, -3, 2, x, 8)
        assert list(x)[:7] == [0.0, 1.0, 0.0, -1.0, 0.5, 1.0, -1.5], (chosen, list(x))
        assert x[7] != x[7]
    kernels.use()


def test_every_set_makes_the_same_bytes_of_floats_and_the_same_floats_of_bytes():
    numbers = (0.25, 0.24, -0.25, -0.26, 3.0, 62.9, -64.1, NAN, INF, -INF, 1e30, 0.0)
    wanted = [129, 128, 128, 127, 134, 254, 0, 0, 255, 0, 255, 128]
    for chosen in kernels.in_use():
        kernels.use(chosen)
        out = bytearray(12)
        kernels.quantize(kernels.floats(numbers), 0.5, 128, out, 12)
        assert list(out) == wanted, (chosen, list(out))
        found, exact = kernels.buffer(12), kernels.floats([0.1])[0]
        kernels.dequantize(memoryview(out), 0.1, 3, found, 12)
        rounded = kernels.floats([exact * (byte - 3) for byte in wanted])
        assert list(found) == list(rounded), (chosen, list(found))
    kernels.use()


def test_shares_of_far_numbers_are_what_they_are():
    for chosen in kernels.in_use():
        kernels.use(chosen)
        for top in (1e4, 1e30, -1e30):
            for name, half, none in (("softmax", 0.5, 0.0), ("log_softmax", -0.6931472, -INF)):
                out = kernels.buffer(3)
                getattr(kernels, name)(kernels.floats([top, top, -INF]), out, 1, 3, 1)
                assert max(abs(out[0] - half), abs(out[1] - half)) < 1e-6 and out[2] == none, (
                    chosen,
                    name,
                    top,
                )
    kernels.use()


def test_not_a_number_goes_through():
    nan = float("nan")
    for chosen in ("plain", kernels.in_use()[0]):
        kernels.use(chosen)
        out = kernels.buffer(1)
        for name in "relu gelu gelu_tanh sigmoid tanh silu hard_swish mish softsign".split():
            getattr(kernels, name)(kernels.floats([nan]), out, 1)
            assert out[0] != out[0], (chosen, name)
        kernels.clamp(kernels.floats([nan]), 0.0, 6.0, out, 1)
        assert out[0] != out[0], chosen
        kernels.elu(kernels.floats([nan]), 0.5, 1.0, out, 1)
        assert out[0] != out[0], chosen
        kernels.softplus(kernels.floats([nan]), 2.0, 20.0, out, 1)
        assert out[0] != out[0], chosen
        kernels.hard_sigmoid(kernels.floats([nan]), 0.2, 0.5, out, 1)
        assert out[0] != out[0], chosen
        kernels.prelu(kernels.floats([nan]), (0.5,), out, 1, 1, 1)
        assert out[0] != out[0], chosen
        for place in range(4):
            values = [1.0, 2.0, 3.0, 4.0]
            values[place] = nan
            window = ((1, 1, 1, 4), out, (1, 1, 1, 1), (1, 4), (1, 1), (0, 0), (1, 1))
            kernels.max_pool2d(kernels.floats(values), *window)
            assert out[0] != out[0], (chosen, place)
    kernels.use()


def test_own_error_function_is_as_good_as_the_interpreters():
    if not hasattr(math, "erf"):
        support.skip("this interpreter has no erf to compare with")
    for step in range(-700, 701):
        x = step / 100
        assert abs(series_erf(x) - math.erf(x)) <= EXACT, x
    assert series_erf(1e-20) == 1e-20 * 1.1283791670955126
    assert series_erf(float("inf")) == 1.0 and series_erf(float("-inf")) == -1.0
    assert series_erf(float("nan")) != series_erf(float("nan"))


def test_own_tangent_is_as_good_as_the_interpreters():
    if not hasattr(math, "tanh"):
        support.skip("this interpreter has no tanh to compare with")
    for step in range(-1000, 1001):
        x = step / 100
        assert abs(fraction_tanh(x) - math.tanh(x)) <= EXACT * abs(math.tanh(x)), x
    assert fraction_tanh(1e6) == 1.0 and fraction_tanh(-1e6) == -1.0
    assert fraction_tanh(float("nan")) != fraction_tanh(float("nan"))


def test_numbers_are_read_in_place_at_any_address():
    expected = [1.5, -0.25, 65504.0, 0.0]
    packed = b"\x00\x00\xc0\x3f\x00\x00\x80\xbe\x00\xe0\x7f\x47\x00\x00\x00\x00"
    for shift in range(5):
        moved = memoryview(bytes(shift) + packed)[shift:]
        for sequence in (in_place(moved, "f", 4), Unpacked(moved, "f")):
            assert [sequence[index] for index in range(4)] == expected, shift


def test_numbers_read_in_place_are_no_copies():
    data = bytearray(8)
    sequence = in_place(data, "f", 2)
    data[7] = 0x40
    assert sequence[1] == 2.0


def test_no_set_takes_numbers_of_a_dtype_that_nobody_knows():
    usual = kernels.in_use()
    for name in usual:
        kernels.use(name)
        try:
            for dtype in ("F8", "U8", "", QFloat()):
                assert kernels.weights(bytes(64), dtype, 2) is None, (name, dtype)
        finally:
            kernels.use()
    assert kernels.in_use() == usual


def test_a_row_without_a_difference_and_no_epsilon_is_no_number():
    for name in kernels.in_use()[:1] + ["plain"]:
        kernels.use(name)
        try:
            out = kernels.buffer(3)
            kernels.layer_norm(kernels.floats([0.25] * 3), None, None, 0.0, out, 1, 3)
            assert all([number != number for number in out])
            kernels.rms_norm(kernels.floats([0.0] * 3), None, 0.0, out, 1, 3)
            assert all([number != number for number in out])
        finally:
            kernels.use()
