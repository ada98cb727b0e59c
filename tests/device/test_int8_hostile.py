"""Whatever a file says, no kernel runs on it before all of it is checked."""

from burnpack.dtype import count
from burnpack.errors import (
    BurnpackError,
    DuplicateName,
    InvalidTensor,
    LimitExceeded,
    Malformed,
    NotFound,
    Unsupported,
)
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from burnrt import int8
from burnrt.int8 import check, flow
from burnrt.int8.program import STEPS_MOST
from kit import support
from kit.draw import Draw
from kit.int8.small_int8 import (
    ARENA,
    CUT,
    HEADER,
    INPUT,
    MORE,
    OUTPUT,
    STEPS,
    Parts,
    integers,
    rescaling,
    row,
    start_of,
    weight,
)

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
    ("c", "OUT_WIDTH", 5),
    ("c", "KERNEL", 0),
    ("c", "KERNEL", 2),
    ("c", "KERNEL", 32768),
    ("c", "KERNEL1", 4),
    ("c", "STRIDE", 0),
    ("c", "STRIDE", -1),
    ("c", "STRIDE1", 2),
    ("c", "PADDING", -1),
    ("c", "PADDING", 2),
    ("c", "PADDING1", HUGE),
    ("c", "DILATION", 0),
    ("c", "DILATION1", -1),
    ("d", "INPUT", 96),
    ("d", "OUTPUT", ARENA - 60),
    ("d", "CHANNELS", 3),
    ("d", "CHANNELS", 8),
    ("d", "PAD", 300),
    ("a", "INPUT", 0),
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
    ("l", "INPUT", 132),
    ("l", "OUTPUT", 132),
    ("l", "OUTPUT", ARENA - 60),
    ("l", "COUNT", 0),
    ("l", "COUNT", 32),
    ("p", "INPUT", 0),
    ("p", "OUTPUT", 136),
    ("p", "OUTPUT", ARENA - 12),
    ("p", "CHANNELS", 5),
    ("p", "KERNEL", 7),
    ("p", "PADDING", 2),
    ("p", "DILATION", 5),
    ("p", "OUT_HEIGHT", 4),
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

# place in the program, value
HEADERS = (
    (0, -1),
    (0, (1 << 24) + 1),
    (0, HUGE),
    (0, 196),
    (1, 2),
    (1, -4),
    (1, 4),
    (1, ARENA - 28),
    (2, 20),
    (2, 0),
    (2, -1),
    (3, 5),
    (3, -1),
    (3, 9),
    (3, HUGE),
    (4, 0),
    (4, 2),
    (5, -2),
    (6, HUGE),
    (8, 3),
    (10, 4),
)

# tensor, what it is instead
TENSORS = (
    ("c.weight", weight((4, 2, 9))),
    ("c.weight", weight((2, 4, 3, 3))),
    ("c.weight", ("I8", (4, 2, 3, 3), bytes(72))),
    ("c.weight", (QFloat("Q4S", tensor="F32"), (4, 2, 3, 3), bytes(76))),
    ("c.weight", (QFloat("Q8S", tensor="F32", mode="Lookup"), (4, 2, 3, 3), bytes(76))),
    ("c.weight", (QFloat("Q8S", block=((4, 2, 3, 3), "UE8M0")), (4, 2, 3, 3), bytes(73))),
    ("c.bias", integers([0] * 3)),
    ("c.bias", ("F32", (4,), bytes(16))),
    ("c.bias", ("I32", (4, 1), bytes(16))),
    ("c.bias", integers([0, 0, 1 << 30, 0])),
    ("c.bias", integers([0, 0, 0, (1 << 30) - 1])),  # with products added, a sum may pass the limit
    ("c.bias", integers([0, 0, LEAST, 0])),
    ("c.rescale", integers([rescaling(1)] * 5)),
    ("c.rescale", integers([rescaling(1 << 14)] * 4)),
    ("c.rescale", integers([rescaling(1, 2, 0)] * 4)),
    ("c.rescale", integers([rescaling(1, 2, 31)] * 4)),
    ("c.rescale", integers([rescaling(1, 32)] * 4)),
    ("c.rescale", integers([-1] * 4)),
    ("f.weight", weight((4, 3))),
    ("g.bias", integers([0] * 4)),
    ("l.table", ("U8", (255,), bytes(255))),
    ("l.table", ("I8", (256,), bytes(256))),
    ("s.powers", integers([1] * 255)),
    ("s.powers", integers([0] * 256)),
    ("s.powers", integers([1] * 255 + [-1])),
    ("s.powers", integers([(1 << 20) + 1] + [1] * 255)),
)

# metadata, what it says instead, error
TEXTS = (
    ("int8.version", "2", Unsupported),
    ("int8.steps", "", Malformed),
    ("int8.steps", "conv2d c", Malformed),
    ("int8.steps", "conv3d c", Unsupported),
    ("int8.steps", "conv2d", Unsupported),
    ("int8.steps", "conv2d c\n", Unsupported),
    ("int8.steps", "\n", Unsupported),
    ("int8.steps", "linear " * 40, Malformed),
    ("int8.steps", "conv2d c\ndepthwise2d c", DuplicateName),
    ("int8.last", "Softmax", Unsupported),
)

# scalar, what it is instead
SCALARS = (
    ("input.scale", 0.0),
    ("input.scale", -1.0),
    ("input.scale", float("nan")),
    ("input.scale", float("inf")),
    ("input.scale", 1e-50),
    ("input.scale", 1e-40),
    ("s.scale", 1e39),
    ("input.scale", 1),
    ("input.zero_point", -1),
    ("input.zero_point", 256),
    ("input.zero_point", 0.5),
    ("s.scale", True),
    ("s.zero_point", 1 << 40),
)


def refused(parts, error_class=BurnpackError):
    """Return the error that opening the model must raise; it names the file."""
    reader = Reader.from_static(parts.to_bytes(), None, "net.bpk")
    error = support.raises(error_class, int8.Model, reader)
    assert error.source == "net.bpk", str(error)
    return error


def spoilt(name, tensor):
    parts = Parts()
    parts.tensors[name] = tensor
    return parts


def test_the_model_itself_is_not_refused():
    int8.Model(Reader.from_static(Parts().to_bytes()))


def test_a_wrong_word_is_refused_where_it_is_or_where_its_numbers_are_looked_for():
    for step, name, value in WORDS:
        parts = Parts()
        parts.set(step, name, value)
        error = refused(parts)
        assert error.expected is not None and error.found is not None, (step, name, value, str(error))
        item, text = str(error.item), str(error)
        named = item.split(",")[0] == "step " + step or item.split(".")[0] == step
        assert named or "numbers were written" in text, (step, name, value, text)


def test_a_word_out_of_its_range_is_called_by_its_name():
    for step, name, value, label in (
        ("c", "STRIDE", 0, "vertical STRIDE"),
        ("c", "STRIDE1", 0, "horizontal STRIDE"),
        ("d", "PAD", 256, "PAD"),
        ("f", "LOW", 256, "LOW"),
    ):
        parts = Parts()
        parts.set(step, name, value)
        error = refused(parts, Malformed)
        text = "net.bpk: step %s, " % step
        assert str(error).startswith(text) and "wrong %s (" % label in str(error), str(error)
        assert error.found == value and "to" in error.expected


def test_a_wrong_header_is_refused():
    for place, value in HEADERS:
        parts = Parts()
        parts.words[place] = value
        refused(parts)
    parts = Parts()
    parts.words[0] = HUGE
    refused(parts, LimitExceeded)


def test_a_program_that_is_too_short_or_too_long_is_refused():
    for size in range(0, len(Parts().words), 5):
        parts = Parts()
        parts.words = parts.words[:size]
        refused(parts, Malformed)
    parts = Parts()
    parts.words.append(0)
    assert refused(parts, Malformed).found == len(parts.words)


def test_a_wrong_tensor_is_refused_by_its_name():
    for name, tensor in TENSORS:
        error = refused(spoilt(name, tensor))
        step = name.split(".")[0]
        assert name in str(error) or "step %s," % step in str(error), str(error)


def test_a_missing_tensor_is_named():
    for name in sorted(Parts().tensors):
        parts = Parts()
        del parts.tensors[name]
        assert refused(parts, NotFound).item == name


def test_a_wrong_text_is_refused():
    for name, text, error_class in TEXTS:
        parts = Parts()
        parts.metadata[name] = text
        refused(parts, error_class)
    for name in ("int8.version", "int8.steps"):
        parts = Parts()
        del parts.metadata[name]
        refused(parts)


def test_a_file_that_is_no_quantized_model_is_refused_with_advice():
    parts = Parts()
    parts.metadata = {}
    assert "burnstore quantize" in str(refused(parts, NotFound))


def test_a_wrong_or_missing_scalar_is_refused():
    for name, value in SCALARS:
        parts = Parts()
        parts.scalars[name] = value
        assert refused(parts, Malformed).item == name
    for name in ("input.scale", "input.zero_point", "s.scale", "s.zero_point"):
        parts = Parts()
        del parts.scalars[name]
        assert refused(parts, NotFound).item == name


def test_more_steps_than_a_model_has_are_refused():
    parts = Parts()
    parts.words = parts.words[:HEADER]
    parts.words[2] = 0
    for _ in range(STEPS_MOST + 1):
        parts.words += row("add", CUT, {"OTHER": 0, "COUNT": 32})
    parts.metadata["int8.steps"] = "\n".join(["add a%d" % number for number in range(STEPS_MOST + 1)])
    assert str(STEPS_MOST) in refused(parts, LimitExceeded).expected


def pool(extent, kernel, stride, dilation, padding, windows):
    """Return a step of a pool along a line."""
    sizes = {"WIDTH": extent, "OUT_WIDTH": windows, "KERNEL1": kernel, "STRIDE1": stride}
    more = {"DILATION1": dilation, "PADDING1": padding}
    single = {"CHANNELS": 1, "HEIGHT": 1, "OUT_HEIGHT": 1, "KERNEL": 1, "STRIDE": 1, "DILATION": 1}
    return check.Step("max_pool2d", "p", row("max_pool2d", single, sizes, more))


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
            support.raises(Malformed, pool, *numbers)
        found[wanted] += 1
    assert min(found) > 100


def after(step, *known):
    """Return which of the (start, count) in `known` are still there after the first step."""
    places = flow.Places(ARENA + 64)
    for start, size in known:
        places.put(start, size)
    flow.check_flow(step, places)
    return [place for place in known if places.hold(*place)], places


def convolution(**changed):
    words = dict(STEPS[0][2])
    words.update(changed)
    return check.Step("conv2d", "c", row("conv2d", *(MORE["conv2d"] + (words,))))


def test_what_a_step_writes_over_is_not_there_any_more():
    given, other = (0, 32), (ARENA, 16)
    found, places = after(convolution(), given, other)
    assert found == [given, other] and places.hold(32, 64) and places.is_last(32, 64)
    assert after(convolution(OUTPUT=ARENA), given, other)[0] == [given]
    assert after(convolution(OUTPUT=ARENA - 52, WORK=32), given, other)[0] == [given]
    assert after(convolution(WORK=ARENA - 60), given, other)[0] == [given]


def test_a_part_of_what_was_written_is_nothing_to_read():
    places = flow.Places(ARENA)
    places.put(0, 32)
    for start, size in ((0, 31), (0, 33), (4, 28), (4, 32), (-4, 36)):
        assert not places.hold(start, size)
    assert places.hold(0, 32)


def run(parts, arena=None):
    plan = int8.Model(Reader.from_static(parts.to_bytes())).plan(None, arena)
    plan.input[:] = INPUT[: len(plan.input)]
    plan.run()
    return bytes(plan.output)


CANARY = 32
INTERESTING = (-1, 0, 1, 2, 3, 4, 5, 8, 16, 20, 24, 32, 36, 64, 96, 136, 200, 204, 255, 256, 1 << 14, 1 << 16)
ROUNDS = 200


def test_random_words_never_make_a_kernel_write_outside_its_arena():
    draw = Draw(7)
    good = Parts()
    data = bytearray(good.to_bytes())
    start = Reader.from_static(data).span("int8.program")[0]
    accepted = 0
    for _ in range(ROUNDS):
        undo = []
        for _ in range(1 + draw.below(2)):
            place = start + 4 * draw.below(len(good.words))
            undo.append((place, bytes(data[place : place + 4])))
            value = INTERESTING[draw.below(len(INTERESTING))] if draw.below(4) else draw.below(1 << 20)
            data[place : place + 4] = (value & 0xFFFFFFFF).to_bytes(4, "little")
        accepted += survives(data)
        for place, old in reversed(undo):
            data[place : place + 4] = old
    assert accepted > 0
    assert survives(data)


def survives(data):
    """Return whether the model is taken, and its run leaves alone what lies around the arena."""
    try:
        model = int8.Model(Reader.from_static(data))
    except BurnpackError:
        return False
    size = model.plan().size
    if size > 1 << 16:
        return False
    around = bytearray([0xA5] * (size + 2 * CANARY))
    plan = model.plan(None, memoryview(around)[CANARY : CANARY + size])
    plan.input[:] = bytes([0xFF]) * len(plan.input)
    plan.run()
    untouched = bytes([0xA5]) * CANARY
    assert bytes(around[:CANARY]) == untouched and bytes(around[CANARY + size :]) == untouched
    assert len(plan.output) == count(model.output_shape)
    return True


def test_the_table_spoils_words_of_the_program():
    assert start_of("c") == HEADER and OUTPUT == run(Parts())
    assert support.raises(InvalidTensor, int8.Model(Reader.from_static(Parts().to_bytes())).plan, (1,))


def test_a_program_that_would_run_for_hours_is_refused_and_the_limit_can_be_set():
    reader = Reader.from_static(support.read(support.data("reports/int8_pool_for_hours.bpk")))
    assert "takes too long" in str(support.raises(LimitExceeded, int8.Model, reader))
    small = Reader.from_static(Parts().to_bytes())
    work = work_of_small_model()
    assert int8.Model(small, work).steps
    assert str(work) in str(support.raises(LimitExceeded, int8.Model, small, work - 1))


def work_of_small_model():
    """Return how many numbers the small model looks at, counted by hand."""
    conv = 4 * 16 * 2 * 9
    depthwise, add, lookup = 64 * 9, 8 * 64, 8 * 64
    pools = 16 * 4 + 4 * 4
    ends = 64 * (32 + 3)  # each becomes a byte, or a float
    return ends + conv + depthwise + add + lookup + pools + 3 * 4 + 3
