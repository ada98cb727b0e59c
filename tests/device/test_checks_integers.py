"""Whatever the words of a program of integers say, no kernel runs on them before all of them are checked."""

import io

from burnpack.errors import Malformed
from burnrt import Model
from burnrt.checks import program as checks
from burnrt.checks.named import find
from burnrt.kernels.int8 import plain
from burnrt.memory import Memory
from burnrt.words import work_size
from kit import support
from kit.draw import Draw
from kit.int8.small_int8 import ARENA, CUT, INPUT, OUTPUT, STEPS, Parts, place_of, rescaling, row
from kit.int8.small_program import end, packed

HUGE = (1 << 31) - 1
LEAST = -(1 << 31)


# step, word, value that is refused
WORDS = (
    ("c", "INPUT", 4),
    ("c", "INPUT", -4),
    ("c", "INPUT", HUGE),
    ("c", "OUTPUT", 30),
    ("c", "OUTPUT", 34),
    ("c", "OUTPUT", -32),
    ("c", "OUTPUT", ARENA - 60),
    ("c", "OUTPUT", 0),
    ("c", "OUTPUT", 28),
    ("c", "OUTPUT", HUGE - 3),
    ("c", "OUTPUT", LEAST),
    ("c", "LOW", -1),
    ("c", "LOW", 256),
    ("c", "HIGH", 256),
    ("c", "HIGH", -1),
    ("c", "ZERO", 256),
    ("c", "ZERO", -1),
    ("c", "RESCALE", 3),
    ("c", "RESCALE", -1),
    ("c", "RESCALE", 69),
    ("c", "RESCALE", HUGE),
    ("c", "WORK", 198),
    ("c", "WORK", 204),
    ("c", "WORK", -4),
    ("c", "WORK", 0),
    ("c", "WORK", 92),
    ("c", "WORK", HUGE - 3),
    ("c", "PAD", 256),
    ("c", "PAD", -1),
    ("c", "CHANNELS", 0),
    ("c", "CHANNELS", 1),
    ("c", "CHANNELS", 3),
    ("c", "CHANNELS", HUGE),
    ("c", "GROUPS", 0),
    ("c", "GROUPS", 2),
    ("c", "GROUPS", -1),
    ("c", "OUT_CHANNELS", 0),
    ("c", "OUT_CHANNELS", 3),
    ("c", "OUT_CHANNELS", 5),
    ("c", "HEIGHT", 0),
    ("c", "HEIGHT", 5),
    ("c", "WIDTH", 0),
    ("c", "OUT_HEIGHT", 0),
    ("c", "OUT_HEIGHT", 3),
    ("c", "OUT_HEIGHT", 6),
    ("c", "OUT_WIDTH", 6),
    ("c", "KERNEL", 0),
    ("c", "KERNEL", 2),
    ("c", "KERNEL", 32768),
    ("c", "KERNEL1", 4),
    ("c", "STRIDE", 0),
    ("c", "STRIDE", -1),
    ("c", "STRIDE1", 2),
    ("c", "PADDING", -1),
    ("c", "PADDING", 3),
    ("c", "PADDING1", HUGE),
    ("c", "DILATION", 0),
    ("c", "DILATION1", -1),
    ("d", "INPUT", 96),
    ("d", "OUTPUT", ARENA - 60),
    ("d", "CHANNELS", 3),
    ("d", "CHANNELS", 8),
    ("d", "PAD", 300),
    ("a", "INPUT", 68),
    ("a", "OTHER", 96),
    ("a", "OTHER", -4),
    ("a", "OUTPUT", 76),
    ("a", "OUTPUT", ARENA - 60),
    ("a", "COUNT", 0),
    ("a", "COUNT", -64),
    ("a", "COUNT", 63),
    ("a", "COUNT", 65),
    ("a", "COUNT", HUGE),
    ("a", "FIRST_FACTOR", 1 << 23),
    ("a", "FIRST_FACTOR", LEAST),
    ("a", "SECOND_FACTOR", -(1 << 23)),
    ("a", "BIAS", 1 << 30),
    ("a", "BIAS", LEAST),
    ("a", "SHIFT", -1),
    ("a", "SHIFT", 31),
    ("a", "LOW", 256),
    ("b", "INPUT", 132),
    ("b", "COUNT", 17),
    ("b", "LINES", 0),
    ("b", "LINES", 5),
    ("b", "PLANES", 2),
    ("b", "FIRST_STEPS", 16),
    ("b", "FIRST_STEPS1", 15),
    ("b", "SECOND_STEPS1", 2),
    ("b", "SECOND_STEPS2", 2),
    ("b", "KEPT", 2),
    ("b", "KEPT", 0),
    ("b", "SECOND_FACTOR", LEAST),
    ("b", "BIAS", 1 << 30),
    ("b", "SHIFT", 31),
    ("x", "OTHER", 30),
    ("x", "OTHER", 200),
    ("x", "OUTPUT", 40),
    ("x", "KEPT", 1),
    ("x", "FIRST_ZERO", 256),
    ("x", "SECOND_ZERO", -1),
    ("x", "FACTOR", -1),
    ("x", "FACTOR", 16513),
    ("x", "BIAS", (1 << 30) - 255 * 255 * 25),
    ("x", "SHIFT", -1),
    ("x", "SECOND_STEPS2", -1),
    ("e", "INPUT", 132),
    ("e", "COUNT", 31),
    ("e", "TABLES", 1),
    ("e", "TABLES", 0),
    ("e", "TABLES", HUGE),
    ("n", "INPUT", 132),
    ("n", "OUTPUT", 140),
    ("n", "ROWS", 0),
    ("n", "ROWS", 5),
    ("n", "SIZE", 3),
    ("n", "SIZE", 0),
    ("n", "INNER", 0),
    ("n", "INNER", 5),
    ("n", "INNER", 4129),
    ("n", "NEXT", 3),
    ("n", "CENTER", 257),
    ("n", "SHIFT", 31),
    ("n", "MEAN_BITS", 6),
    ("n", "MEAN_BITS", 16),
    ("n", "VARIANCE_BITS", 11),
    ("n", "VARIANCE_BITS", 14),
    ("n", "EPSILON", 0),
    ("n", "EPSILON", (1 << 30) - (16257 * 16 << 12)),
    ("n", "CENTER", 3),  # with which there are larger distances
    ("l", "INPUT", 132),
    ("l", "OUTPUT", 132),
    ("l", "OUTPUT", ARENA - 60),
    ("l", "COUNT", 0),
    ("l", "COUNT", 32),
    ("z", "OUTPUT", ARENA - 35),
    ("z", "OUTPUT", -4),
    ("z", "COUNT", 0),
    ("z", "COUNT", HUGE),
    ("z", "PAD", 256),
    ("z", "PAD", -1),
    ("m", "INPUT", 167),
    ("m", "INPUT", 135),
    ("m", "INPUT", -1),
    ("m", "OUTPUT", 101),
    ("m", "OUTPUT", 180),
    ("m", "OUTPUT", ARENA - 35),
    ("m", "OUTPUT", -1),
    ("m", "SOURCE", 1),
    ("m", "SOURCE", 2),
    ("m", "SOURCE", 3),
    ("m", "SOURCE", -1),
    ("m", "FIRST", 2),
    ("m", "FIRST", 34),
    ("m", "FIRST", HUGE),
    ("m", "INTO", -1),
    ("m", "INTO", 7),
    ("m", "INTO", HUGE),
    ("m", "FILLED", 0),
    ("m", "FILLED", 31),
    ("m", "FILLED", HUGE),
    ("m", "EXTENTS0", 0),
    ("m", "EXTENTS0", 2),
    ("m", "EXTENTS1", HUGE),
    ("m", "EXTENTS2", 3),
    ("m", "EXTENTS3", 1 << 23),
    ("m", "EXTENTS4", 5),
    ("m", "EXTENTS4", -1),
    ("m", "STEPS1", HUGE),
    ("m", "STEPS2", 51),
    ("m", "STEPS2", LEAST),
    ("m", "STEPS3", -2),
    ("m", "STEPS4", -2),
    ("m", "STEPS4", HUGE),
    ("m", "OUT_STEPS0", 0),
    ("m", "OUT_STEPS1", HUGE),
    ("m", "OUT_STEPS2", 21),
    ("m", "OUT_STEPS3", 0),
    ("m", "OUT_STEPS4", -1),
    ("m", "OUT_STEPS4", 3),
    ("p", "INPUT", 0),
    ("p", "OUTPUT", 136),
    ("p", "OUTPUT", ARENA - 12),
    ("p", "CHANNELS", 5),
    ("p", "KERNEL", 7),
    ("p", "PADDING", 2),
    ("p", "DILATION", 5),
    ("p", "OUT_HEIGHT", 4),
    ("r", "OUTPUT", 20),
    ("r", "WORK", 0),
    ("r", "WORK", 198),
    ("r", "WORK", ARENA - 4),
    ("r", "CHANNELS", 0),
    ("r", "HEIGHT", 0),
    ("r", "HEIGHT", 1),
    ("r", "WIDTH", 1),
    ("r", "OUT_WIDTH", 0),
    ("r", "KERNEL", 0),
    ("r", "KERNEL", 5),
    ("r", "KERNEL1", 5),
    ("r", "RESCALE", 0),
    ("r", "PAD", 256),
    ("g", "INPUT", 4),
    ("g", "CELLS", 0),
    ("g", "CELLS", 2),
    ("g", "CHANNELS", 0),
    ("g", "OUTPUT", 12),
    ("f", "INPUT", 20),
    ("f", "OUTPUT", 16),
    ("f", "ROWS", 0),
    ("f", "ROWS", 2),
    ("f", "INPUTS", 0),
    ("f", "INPUTS", 3),
    ("f", "INPUTS", HUGE),
    ("f", "OUTPUTS", 0),
    ("f", "OUTPUTS", 2),
    ("f", "OUTPUTS", 32768),
    ("s", "INPUT", 24),
    ("s", "OUTPUT", 20),
    ("s", "OUTPUT", ARENA),
    ("s", "ROWS", 0),
    ("s", "ROWS", 3),
    ("s", "SIZE", 0),
    ("s", "SIZE", 1 << 15),
)

# place in the header, value
HEADERS = (
    (1, 0),
    (1, 36),
    (1, HUGE),
    (2, -1),
    (2, (1 << 24) + 1),
    (2, HUGE),
    (2, 196),
    (3, -1),
    (3, HUGE),
    (4, 0),
    (4, -1),
    (4, 2),
    (4, 8),
    (4, HUGE),
    (5, 0),
    (5, -1),
    (5, 2),
    (5, HUGE),
    (6, -1),
    (6, len(STEPS) - 1),
    (6, len(STEPS) + 1),
    (6, 1024),
    (6, HUGE),
    (7, -1),
    (7, 0),
    (7, HUGE),
)

# whether of the output, place in its words, value
ENDS = (
    (0, 0, 3),
    (1, 0, 2),
    (0, 0, -1),
    (0, 1, 2),
    (0, 1, -4),
    (0, 1, 4),
    (0, 1, ARENA - 28),
    (0, 1, HUGE - 3),
    (0, 2, 0),
    (0, 2, -1),
    (0, 2, 1),
    (0, 2, 0x007FFFFF),
    (0, 2, 0x7F000000),
    (0, 2, 0x7F800000),
    (0, 2, 0x7FC00000),
    (0, 2, LEAST),
    (0, 3, -1),
    (0, 3, 256),
    (0, 4, 2),
    (0, 4, -1),
    (0, 5, 0),
    (0, 5, 5),
    (0, 5, -1),
    (0, 5, 16),
    (0, 5, HUGE),
    (0, 6, 0),
    (0, 6, 1 << 24),
    (0, 7, -2),
    (0, 8, HUGE),
    (1, 0, 0),
    (1, 1, 28),
    (1, 1, 132),
    (1, 1, -1),
    (1, 5, 1),
    (1, 7, 4),
)

# step, which of FROM, SIZE and CONSTANTS, value
SOURCES = (
    ("c", 0, -1),
    ("c", 0, 1 << 20),
    ("c", 0, HUGE),
    ("c", 1, 71),
    ("c", 1, 73),
    ("c", 1, 0),
    ("c", 1, -72),
    ("c", 2, 0),
    ("c", 2, 28),
    ("c", 2, 34),
    ("c", 2, -4),
    ("c", 2, 1 << 20),
    ("c", 2, HUGE - 3),
    ("l", 0, -4),
    ("l", 0, 1 << 20),
    ("l", 1, 255),
    ("l", 1, 257),
    ("p", 1, 4),
    ("g", 2, 0),
    ("n", 2, 0),
    ("n", 2, 1 << 20),
    ("s", 2, 0),
    ("s", 2, 1 << 20),
)

# step, what its constants are instead
CONSTANTS = (
    ("c", packed([0, 0, 1 << 30, 0] + [rescaling(1)] * 4)),
    (
        "c",
        packed([0, 0, 0, (1 << 30) - 1] + [rescaling(1)] * 4),
    ),  # with products added, a sum may pass the limit
    ("c", packed([0, 0, LEAST, 0] + [rescaling(1)] * 4)),
    ("c", packed([0] * 4 + [rescaling(1)] * 3 + [rescaling(1 << 14)])),
    ("c", packed([0] * 4 + [rescaling(1, 2, 0)] * 4)),
    ("c", packed([0] * 4 + [rescaling(1, 2, 31)] * 4)),
    ("c", packed([0] * 4 + [rescaling(1, 32)] * 4)),
    ("c", packed([0] * 4 + [-1] * 4)),
    ("g", packed([0] + [0])),
    ("n", packed([8193, 0] * 16)),
    ("n", packed([0, 0] * 15 + [-8193, 0])),
    ("n", packed([0, 0] * 15 + [8192, (1 << 29) + 1])),
    ("n", packed([0, LEAST] + [0, 0] * 15)),
    ("r", packed([0, rescaling(1)] + [0] * 7 + [2 << 9])),
    ("r", packed([0, rescaling(1)] + [0] * 3 + [-1] + [0] * 4)),
    ("r", packed([0, 0] + [0] * 8)),
    ("r", packed([(1 << 30) - 255 * 1022 * 1022, rescaling(1)] + [0] * 8)),
    ("s", packed([0] * 256)),
    ("s", packed([1] * 255 + [-1])),
    ("s", packed([(1 << 20) + 1] + [1] * 255)),
)


# Factors and what is added; steps.
MAY_BE_NEGATIVE = {
    "add": (7, 8, 9),
    "copy": (14, 15, 16, 17, 18),
    "add_strided": (7, 8, 9),
    "multiply_strided": (9,),
}


def refused(parts, source=None):
    """Return the text of the error that opening the model must raise."""
    return str(support.raises(Malformed, look, parts.to_bytes() if source is None else source))


def look(source):
    """Check a program, without what `Model` does besides."""
    checks.check_program(Memory(source))


def named(step):
    """Return how errors call a step."""
    number = [name for _, name, _ in STEPS].index(step)
    return "step %d, int8.%s: " % (number, STEPS[number][0])


def test_the_model_itself_is_not_refused():
    assert run(Parts()) == OUTPUT


def test_a_wrong_word_is_refused_where_it_is_or_where_its_numbers_are_looked_for():
    for number in support.some(len(WORDS)):
        step, name, value = WORDS[number]
        parts = Parts()
        parts.set(step, name, value)
        text = refused(parts)
        found = named(step) in text or "it reads" in text
        assert found and "expected" in text and "found" in text, (step, name, value, text)


def test_each_word_of_each_step_has_a_least_and_a_largest_value():
    unused = (("max_pool2d", "softmax", "lookup"), ("LOW", "HIGH", "ZERO", "RESCALE", "WORK", "PAD"))
    for operation, step, _ in STEPS:
        for place in range(len(row(operation))):
            for number, value in enumerate((LEAST, -1, HUGE)):
                if support.APART > 1 and number != place % 3:
                    continue  # on MicroPython one for each word
                parts = Parts()
                body = parts.words_of(step)
                if value == -1 and place in MAY_BE_NEGATIVE.get(operation, ()):
                    continue
                body[3 + place] = value
                assert named(step) in refused(parts), (operation, place, value, unused)


def test_a_word_out_of_its_range_is_told_by_its_number_with_its_range():
    for step, name, value, expected in (
        ("c", "STRIDE", 0, "1 to 32768"),
        ("d", "PAD", 256, "0 to 255"),
        ("f", "LOW", -1, "0 to 255"),
        ("a", "COUNT", 0, "1 to 16777216"),
    ):
        parts = Parts()
        parts.set(step, name, value)
        error = support.raises(Malformed, look, parts.to_bytes())
        assert error.what == "word %d" % (3 + place_of(name))
        assert (error.expected, error.found) == (expected, value) and named(step) in str(error)


def test_a_wrong_header_is_refused():
    for place, value in HEADERS:
        parts = Parts()
        parts.head[place] = value
        support.raises(Malformed, Model, io.BytesIO(parts.to_bytes()))


def test_a_buffer_for_weights_that_is_too_small_is_refused():
    parts = Parts()
    length = len(parts.parts()[1])
    for size in (0, 4, 40, length - 16):
        parts.head[3] = size
        assert "cut short" in str(support.raises(Malformed, Model, io.BytesIO(parts.to_bytes())))


def test_wrong_ends_are_refused():
    for of_output, place, value in ENDS:
        parts = Parts()
        (parts.outputs if of_output else parts.inputs)[0][place] = value
        assert refused(parts), (of_output, place, value)


def test_inputs_lie_apart_and_are_all_looked_at():
    for at, fits in ((32, True), (28, False), (0, False), (ARENA, False), (30, False)):
        parts = Parts()
        parts.inputs.append(end((1, 8), at, 0.5))
        if fits:
            assert run(parts) == OUTPUT
        else:
            refused(parts)


def test_an_output_is_what_was_written_and_not_written_over():
    for shape, at, fits in (
        ((1, 4), 16, True),
        ((1, 64), 136, True),
        ((1, 2), 24, True),
        ((1, 4), 24, False),
        ((1, 4, 4, 4), 32, True),
    ):
        parts = Parts()
        parts.outputs.append(end(shape, at, 0.5))
        if fits:
            assert run(parts) == OUTPUT
        else:
            assert "it reads" in refused(parts)
    parts = Parts()
    parts.outputs.append(end((1, 4, 2, 2), 0, 0.5))
    parts.set("s", "OUTPUT", 0)
    parts.outputs[0][1] = 0
    assert "it reads" in refused(parts)


def test_wrong_sources_are_refused():
    for step, place, value in SOURCES:
        parts = Parts()
        parts.words_of(step)[place] = value
        for source in (parts.to_bytes(), io.BytesIO(parts.to_bytes())):
            support.raises(Malformed, Model, source)


def test_wrong_constants_are_refused_with_their_place():
    for step, data in CONSTANTS:
        parts = Parts()
        parts.constants[step] = data
        assert named(step) + "word" in refused(parts)


def test_a_constant_is_told_by_its_word_in_the_program():
    for place in (0, 63, 64, 65, 127, 255):
        parts = Parts()
        numbers = [1] * 256
        numbers[place] = -5
        parts.constants["s"] = packed(numbers)
        error = support.raises(Malformed, look, parts.to_bytes())
        data = parts.parts()[0]
        start = len(data) // 4 - 256
        assert error.found == -5 and error.what == "word %d" % (start + place), (place, error.what)


def test_a_step_with_fewer_or_more_words_is_refused():
    for _, name, _ in STEPS:
        for change in (-1, 1, 40):
            parts = Parts()
            body = parts.words_of(name)
            body[:] = body[:change] if change < 0 else body + [0] * change
            assert "size" in refused(parts)
        parts = Parts()
        parts.words_of(name)[:] = []
        assert "size" in refused(parts)


def test_every_shorter_program_is_refused():
    whole = Parts().parts()[0]
    data = Parts().to_bytes()
    start = data.find(whole[:12])
    for size in range(0, len(whole), 12 * support.APART):
        cut = bytearray(data[: start + size])
        if size > 8:
            cut[start + 4 : start + 8] = packed([size])
        refused(None, bytes(cut))


def test_an_unknown_kernel_is_refused_by_its_name():
    for name in ("int8.conv3d", "int8._check", "int8.hold", "int8.linear2", "use", "find", "_sums", "int8."):
        parts = Parts()
        parts.names = ["int8.%s" % operation for operation, _, _ in STEPS]
        parts.steps[2][0] = 2
        parts.names[2] = name or "_"
        assert name in refused(parts)


def test_a_kernel_that_is_not_among_the_names_is_refused():
    for place in (8, 100, HUGE, LEAST):
        parts = Parts()
        parts.names = ["int8.%s" % operation for operation, _, _ in STEPS]
        parts.steps[3][0] = place
        assert "step" in refused(parts) or "range" in refused(parts)


def test_a_program_that_would_run_for_hours_is_refused():
    parts = Parts()
    parts.arena = 50300
    parts.inputs = [end((1, 1, 200, 200), 0, 0.5)]
    parts.outputs = [end((1, 1, 101, 101), 40000, 0.5)]
    windows = {
        "HEIGHT": 200,
        "WIDTH": 200,
        "OUT_HEIGHT": 101,
        "OUT_WIDTH": 101,
        "KERNEL": 100,
        "KERNEL1": 100,
    }
    ones = {"STRIDE": 1, "STRIDE1": 1, "DILATION": 1, "DILATION1": 1, "CHANNELS": 1, "OUTPUT": 40000}
    parts.steps = []
    for count in range(1, 8):
        parts.step("int8.max_pool2d", 0, 0, 0, *row("max_pool2d", windows, ones))
        work = 64 * (200 * 200 + 101 * 101) + count * 101 * 101 * 100 * 100
        if work <= checks._WORK_MOST:
            look(parts.to_bytes())
        else:
            assert "word work" in refused(parts) and str(work) in refused(parts)
    assert work > checks._WORK_MOST


def test_more_steps_than_a_model_has_are_refused():
    parts = Parts()
    parts.steps = []
    for _ in range(1024):
        parts.step("int8.add", 0, 0, 0, *row("add", CUT, {"OTHER": 0, "COUNT": 32}))
    assert "0 to 1023" in refused(parts)


def pool(extent, kernel, stride, dilation, padding, windows):
    """Check a step of a pool along a line."""
    sizes = {"WIDTH": extent, "OUT_WIDTH": windows, "KERNEL1": kernel, "STRIDE1": stride}
    more = {"DILATION1": dilation, "PADDING1": padding}
    single = {"CHANNELS": 1, "HEIGHT": 1, "OUT_HEIGHT": 1, "KERNEL": 1, "STRIDE": 1, "DILATION": 1}
    return find("int8.max_pool2d")[1](row("max_pool2d", single, sizes, more), None, 0)


def test_each_window_has_something_of_the_input_as_if_one_looked_at_all_of_its_places():
    draw = Draw(3)
    found = [0, 0]
    while sum(found) < 1500:
        extent, kernel, stride, dilation = [1 + draw.below(9) for _ in range(4)]
        padding = draw.below(18)
        windows = (extent + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1 + draw.below(2)
        if windows < 1:
            continue
        starts = range(-padding, windows * stride - padding, stride)
        inside = [[0 <= start + tap * dilation < extent for tap in range(kernel)] for start in starts]
        wanted = all([any(places) for places in inside])
        numbers = (extent, kernel, stride, dilation, padding, windows)
        if wanted:
            pool(*numbers)
        else:
            support.raises(ValueError, pool, *numbers)
        found[wanted] += 1
    assert min(found) > 100


def test_too_many_windows_are_refused():
    for windows in range(1, 12):
        numbers = (10, 3, 2, 1, 0, windows)
        if windows <= 5:
            pool(*numbers)
        else:
            support.raises(ValueError, pool, *numbers)


def test_what_a_step_writes_over_is_not_there_any_more():
    for output, lost in ((96, False), (92, True), (28, True), (32, True), (0, False)):
        parts = Parts()
        parts.arena = 420
        parts.set("d", "OUTPUT", 200)  # what `add` reads besides is at 32
        parts.set("c", "WORK", 300)
        parts.set("a", "OTHER", 200)
        parts.set("a", "OUTPUT", 200)
        for step in ("b", "x", "n"):
            parts.set(step, "INPUT", 200)
            parts.set(step, "OUTPUT", 200)
        parts.set("l", "INPUT", 200)
        pool = ["int8.max_pool2d", list(parts.words_of("p"))]
        pool[1][3:5] = [200, output]
        parts.steps.insert(2, pool)
        text = refused(parts) if lost else look(parts.to_bytes())
        assert not lost or "step 3, int8.add: it reads" in text, (output, text)


class Arena:
    words = (0, 0, 100)


def test_of_what_is_left_of_a_value_one_piece_can_be_read():
    known = [(0, 40)]
    checks._write(Arena, known, (8, 16))
    checks._write(Arena, known, (28, 32))
    for span in ((0, 8), (8, 16), (20, 28), (16, 28), (32, 40)):
        checks._covered(known, [span])
    for span in ((0, 40), (0, 16), (12, 20), (16, 32), (28, 40), (40, 44)):
        assert "it reads" in str(support.raises(ValueError, checks._covered, known, [span])), span
    checks._write(Arena, known, (16, 24))
    checks._covered(known, [(24, 28), (8, 24)])
    support.raises(ValueError, checks._covered, known, [(20, 28)])


def test_a_part_of_what_was_written_can_be_read_and_several_pieces_together():
    parts = Parts()
    parts.set("p", "INPUT", 16)
    parts.set("p", "OUTPUT", 136)
    parts.set("g", "INPUT", 136)
    look(parts.to_bytes())  # of the input, of what conv2d made, and of what copy filled
    for start in (76, 17, -4):
        parts.set("p", "INPUT", start)
        assert refused(parts)


def spread(parts, rows, to, filled=36):
    """Let the copy fill every second byte, so many, from a place on."""
    changes = {"EXTENTS2": 1, "EXTENTS3": 1, "EXTENTS4": rows, "STEPS4": 1, "OUT_STEPS4": 2, "FIRST": 0}
    body = list(parts.words_of("m"))
    for name, value in changes.items():
        body[3 + place_of(name)] = value
    body[3 + place_of("INTO")], body[3 + place_of("FILLED")] = to, filled
    return ["int8.copy", body]


def test_what_several_steps_fill_can_be_read_once_it_is_filled():
    for steps, fits in (
        (((16, 0), (16, 1)), True),
        (((16, 0), (15, 1)), False),
        (((16, 0),), False),
        (((16, 0), (16, 1), (3, 1)), True),
        (((8, 0), (8, 1), (8, 16), (8, 17)), True),
        (((8, 0), (8, 1), (8, 16)), False),
        (((16, 0), (16, 1), (16, 0, 36)), False),  # another place, over the first
    ):
        parts = Parts()
        moves = [spread(parts, *(step + (32,))[:3]) for step in steps]
        first = [name for _, name, _ in STEPS].index("z")
        parts.steps[first : first + 2] = moves
        index = first + len(moves)
        parts.steps[index][1][3 + place_of("INPUT")] = 96
        parts.steps[index][1][3 + place_of("CHANNELS")] = 2
        parts.steps[index + 1][1][3 + place_of("CHANNELS")] = 2
        parts.steps[index + 2][1][3 + place_of("CHANNELS")] = 2
        parts.steps[index + 3 :] = []
        parts.outputs = [end((1, 2), 16, 0.5)]
        if fits:
            look(parts.to_bytes())
        else:
            assert "it reads" in refused(parts), steps


def test_what_several_steps_fill_is_lost_where_one_writes_over_it():
    parts = Parts()
    parts.set("p", "OUTPUT", 100)
    parts.set("g", "INPUT", 100)
    parts.outputs.append(end((1, 36), 96, 0.5))
    assert "it reads" in refused(parts)


def test_numbers_at_work_are_nothing_to_read():
    parts = Parts()
    parts.set("d", "INPUT", 200)
    assert "step 1, int8.depthwise2d: it reads" in refused(parts)


def run(parts):
    model = Model(parts.to_bytes())
    model.input[:] = INPUT[: len(model.input)]
    model.run()
    return bytes(model.output)


class Bounded:
    """Bytes that no kernel reads or writes beside."""

    def __init__(self, data):
        self._data = bytearray(data)

    def __getitem__(self, place):
        return self._data[self._inside(place)]

    def __setitem__(self, place, value):
        self._data[self._inside(place)] = value

    def _inside(self, place):
        assert 0 <= place < len(self._data), (place, len(self._data))
        return place


def run_bounded(data):
    """Run all steps of a program in plain Python, each on buffers of no more than it may look at."""
    memory = Memory(data)
    words = memory.words
    at = 8 + words[7]
    for _ in range(words[4] + words[5]):
        at += 6 + words[at + 5]
    arena = Bounded(bytes([0xFF]) * words[2])
    for _ in range(words[6]):
        size = words[at + 1]
        start, weight_size, constants = [words[at + 2 + place] for place in range(3)]
        step = [words[at + 5 + place] for place in range(size - 3)]
        numbers = [words[place] for place in range(constants // 4, words[1] // 4)]
        weight = Bounded(bytes(memory.stretch(start, weight_size))[:weight_size])
        getattr(plain, memory.names[words[at]][5:])(arena, weight, numbers, step)
        at += 2 + size


def test_what_conv2d_works_in_is_what_its_words_say():
    for pairs in (1, 2, 5):
        parts = Parts()
        parts.set("c", "PAIRS", pairs)
        parts.arena = 200 + work_size(2, 3, 3, pairs)
        look(parts.to_bytes())
        parts.arena -= 4
        assert named("c") + "word end" in refused(parts)


CANARY = 32
INTERESTING = (-1, 0, 1, 2, 3, 4, 5, 8, 16, 20, 24, 32, 36, 64, 96, 136, 200, 204, 255, 256, 1 << 14, 1 << 16)
ROUNDS = 300


def test_random_words_never_make_a_kernel_write_outside_its_arena():
    draw = Draw(7)
    data = bytearray(Parts().to_bytes())
    program = Parts().parts()[0]
    start = data.find(program[:12])
    accepted = 0
    for _ in range(ROUNDS // support.APART):
        undo = []
        for _ in range(1 + draw.below(2)):
            place = start + 4 * draw.below(len(program) // 4 - 256 - 64)
            undo.append((place, bytes(data[place : place + 4])))
            value = INTERESTING[draw.below(len(INTERESTING))] if draw.below(4) else draw.below(1 << 20)
            data[place : place + 4] = packed([value])
        accepted += survives(data)
        for place, old in reversed(undo):
            data[place : place + 4] = old
    assert accepted > 0
    assert survives(data)


def survives(data):
    """Return whether the model is taken, and its run leaves alone what lies around the arena."""
    start = bytes(data).find(b"BRT1")
    size = int.from_bytes(bytes(data[start + 8 : start + 12]), "little") + 4
    if size > 1 << 16:
        return False
    around = bytearray([0xA5] * (size + 2 * CANARY))
    try:
        look(bytes(data))
        model = Model(bytes(data), memoryview(around)[CANARY : CANARY + size])
    except Malformed:
        return False
    run_bounded(bytes(data))
    model.input[:] = bytes([0xFF]) * len(model.input)
    model.run()
    untouched = bytes([0xA5]) * CANARY
    assert bytes(around[:CANARY]) == untouched and bytes(around[CANARY + size :]) == untouched
    return True
