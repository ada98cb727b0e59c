"""Whatever the arguments of kernels of floats are, no kernel runs on them before all are checked."""

import struct

from burnpack.errors import InvalidTensor, Malformed
from burnrt import Model, kernels
from burnrt.arguments import ARENA, BYTES, FLOAT, INT, NONE, NUMBERS, TRUTH, TUPLE
from burnrt.checks.named import FAMILIES, find
from burnrt.checks.program import check_program
from burnrt.kernels import plain
from burnrt.memory import Memory
from kit import support
from kit.draw import Draw
from kit.int8.small_program import Program, end, packed

HUGE = (1 << 28) - 1

# Calls as checks see them: of a buffer a list of how many numbers it has, of bytes in the arena a text.
PLANES = ([72], (1, 2, 6, 6))
GATE = ([12], [4], [16], [4])
CALLS = (
    ("linear", ([6], [12], [4], [8], 2, 3, 4)),
    ("linear", ([6], [12], None, [8], 2, 3, 4)),
    ("embedding", ([3], [20], [12], 3, 5, 4)),
    ("conv2d", PLANES + ([36], (2, 2, 3, 3), [2], [72], (1, 2, 6, 6), (1, 1), (1, 1), (1, 1), 1)),
    ("conv2d", PLANES + ([36], (4, 1, 3, 3), None, [36], (1, 4, 3, 3), (2, 2), (2, 2), (2, 2), 2)),
    ("conv2d", PLANES + ([4], (2, 2, 1, 1), None, [128], (1, 2, 8, 8), (1, 1), (1, 1), (1, 1), 1)),
    (
        "conv_transpose2d",
        PLANES + ([36], (2, 2, 3, 3), [2], [242], (1, 2, 11, 11), (2, 2), (1, 1), (1, 1), 1),
    ),
    (
        "conv_transpose2d",
        PLANES + ([18], (2, 1, 3, 3), None, [288], (1, 2, 12, 12), (2, 2), (1, 1), (1, 1), 2),
    ),
    ("max_pool2d", PLANES + ([18], (1, 2, 3, 3), (2, 2), (2, 2), (0, 0), (1, 1))),
    ("max_pool2d", PLANES + ([32], (1, 2, 4, 4), (3, 3), (2, 2), (1, 1), (1, 1))),
    ("avg_pool2d", PLANES + ([32], (1, 2, 4, 4), (3, 3), (2, 2), (1, 1), True)),
    ("avg_pool2d", PLANES + ([32], (1, 2, 4, 4), (3, 3), (2, 2), (1, 1), False)),
    ("adaptive_avg_pool2d", PLANES + ([40], (1, 2, 4, 5))),
    ("adaptive_avg_pool2d", PLANES + ([128], (1, 2, 8, 8))),
    ("adaptive_max_pool2d", PLANES + ([40], (1, 2, 4, 5))),
    ("batch_norm", ([24], [3], [3], [3], [3], 1e-5, [24], 2, 3, 4)),
    ("affine", ([24], [3], [3], [24], 2, 3, 4)),
    ("prelu", ([24], [3], [24], 2, 3, 4)),
    ("layer_norm", ([24], [4], [4], 1e-5, [24], 6, 4)),
    ("layer_norm", ([24], None, None, 1e-5, [24], 6, 4)),
    ("rms_norm", ([24], [4], 1e-5, [24], 6, 4)),
    ("rms_norm", ([24], None, 1e-5, [24], 6, 4)),
    ("attention", ([48], [32], [32], (), -1e4, False, [4], None, [48], (1, 6, 4, 2, 4), (48, 32, 8))),
    (
        "attention",
        ([96], [64], [64], (([8], 4, 0), ([48], 24, 4)), -1e4, True, [4], [96], [96])
        + ((2, 6, 4, 2, 4), (8, 8, 16)),
    ),
    (
        "attention",
        ([96], [64], [64], (([9], 0, -1, 5), ([52], 24, 4, 4)), 0.0, False, [4], None, [96])
        + ((2, 6, 4, 2, 4), (8, 8, 16)),
    ),
    ("add", ([9], [9], [9], 9)),
    ("multiply", ([9], [9], [9], 9)),
    ("lerp", ([9], [9], [9], [9], 9)),
    ("relu", ([9], [9], 9)),
    ("gelu", ([9], [9], 9)),
    ("sigmoid", ([9], [9], 9)),
    ("silu", ([9], [9], 9)),
    ("tanh", ([9], [9], 9)),
    ("hard_swish", ([9], [9], 9)),
    ("gelu_tanh", ([9], [9], 9)),
    ("mish", ([9], [9], 9)),
    ("softsign", ([9], [9], 9)),
    ("clamp", ([9], -1.0, 6.0, [9], 9)),
    ("threshold", ([9], -0.5, 0.5, 0.0, [9], 9)),
    ("hard_sigmoid", ([9], 0.2, 0.5, [9], 9)),
    ("elu", ([9], 1.0, 1.0, [9], 9)),
    ("softplus", ([9], 1.0, 20.0, [9], 9)),
    ("fake_quantize", ([9], 0.5, -128, 127, [9], 9)),
    ("quantize", ([9], 0.5, 128, "9 bytes", 9)),
    ("dequantize", ("9 bytes", 0.5, 128, [9], 9)),
    ("softmax", ([24], [24], 2, 3, 4)),
    ("quiet_softmax", ([24], [24], 2, 3, 4)),
    ("log_softmax", ([24], [24], 2, 3, 4)),
    ("resample2d", PLANES + ([12], (1, 2, 2, 3), ((0, 1, 0.5), (5, 5, 0.0)), ((0, 1, 0.0),) * 3)),
    ("add_strided", ([24], (12, 4, 1), [12], (0, 4, 1), [24], (2, 3, 4))),
    ("add_strided", ([6], (1,), [1], (0,), [6], (6,))),
    ("multiply_strided", ([3], (1, 0), [4], (0, 1), [12], (3, 4))),
    ("subtract", ([6], (1,), [6], (1,), [6], (6,))),
    ("divide", ([1], (0, 0), [12], (4, 1), [12], (3, 4))),
    ("power", ([9], (1,), [1], (0,), [9], (9,))),
    ("minimum", ([9], (1,), [1], (0,), [9], (9,))),
    ("maximum", ([9], (1,), [1], (0,), [9], (9,))),
    ("floor_divide", ([9], (1,), [1], (0,), [9], (9,))),
    ("remainder", ([9], (1,), [1], (0,), [9], (9,))),
    ("fmod", ([9], (1,), [1], (0,), [9], (9,))),
    ("compare", ([12], (4, 1), [3], (1, 0), [12], (3, 4), (1.0, 0.0, 0.0, 0.0))),
    ("where", ([3], (1, 0), [12], (4, 1), [1], (0, 0), [12], (3, 4))),
    ("matmul", ([12], (6, 3, 1), [12], (0, 4, 1), [16], (2, 2, 3, 4))),
    ("matmul", ([6], (0, 1, 2), [24], (12, 1, 3), [16], (2, 2, 3, 4))),
    ("absolute", ([9], [9], 9)),
    ("sqrt", ([9], [9], 9)),
    ("rsqrt", ([9], [9], 9)),
    ("exp", ([9], [9], 9)),
    ("expm1", ([9], [9], 9)),
    ("log", ([9], [9], 9)),
    ("log1p", ([9], [9], 9)),
    ("sin", ([9], [9], 9)),
    ("cos", ([9], [9], 9)),
    ("tan", ([9], [9], 9)),
    ("erf", ([9], [9], 9)),
    ("floor", ([9], [9], 9)),
    ("ceil", ([9], [9], 9)),
    ("rint", ([9], [9], 9)),
    ("trunc", ([9], [9], 9)),
    ("total", ([24], 0.5, [8], 2, 3, 4)),
    ("product", ([24], [8], 2, 3, 4)),
    ("amax", ([24], [8], 2, 3, 4)),
    ("amin", ([24], [8], 2, 3, 4)),
    ("argmax", ([24], [8], 2, 3, 4)),
    ("argmin", ([24], [8], 2, 3, 4)),
    ("variance", ([24], 0.5, [8], 2, 3, 4)),
    ("cumsum", ([24], [24], 2, 3, 4)),
    ("fill", ([8], 2, 6, -1.5)),
    ("fill", ([9], 0, 9, 0.0)),
    ("copy_rows", ([15], 1, 5, [14], 2, 4, 3, 4)),
    ("copy_rows", ([15], 13, -3, [12], 2, 4, 3, 2)),
    ("copy_rows", ([2], 1, 0, [9], 0, 1, 9, 1)),
    ("index_select", ([24], [36], 2, 4, 3, (3, 0, 0, 1, 2, 3))),
    ("index_select", ([4], [2], 1, 4, 1, (2, 3))),
    ("copy_strided", ([35], 1, (12, 4), [28], 2, (9, 3), (3, 3), 2)),
    ("copy_strided", ([32], 12, (9, -6), [28], 2, (9, 3), (3, 3), 2)),
    (
        "lstm",
        ([30], [40], GATE, GATE, GATE, GATE, [8], [8], ([6], [8], [8], [8]))
        + ((2, 5, 3, 4), (5, 1, 4, 0, False)),
    ),
    (
        "lstm",
        ([30], None, GATE, None, GATE, GATE, [8], [8], ([6], [8], [8], [8]))
        + ((2, 5, 3, 4), (1, 2, 4, 0, True)),
    ),
    (
        "gru",
        ([30], [80], GATE, GATE, GATE, True, [8], ([6], [8], [8], [8])) + ((2, 5, 3, 4), (5, 1, 8, 4, True)),
    ),
    (
        "gru",
        ([30], None, GATE, GATE, GATE, False, [8], ([6], [8], [8], [8]), (2, 5, 3, 4), (5, 1, 4, 0, False)),
    ),
    ("rnn", ([30], None, GATE, True, [8], ([6], [8], [8]), (2, 5, 3, 4), (5, 1, 4, 0, False))),
    ("rnn", ([30], [40], GATE, False, [8], ([6], [8], [8]), (2, 5, 3, 4), (1, 2, 4, 0, False))),
)


class Bounded:
    """So many numbers: a buffer that no kernel reads or writes beside."""

    def __init__(self, count):
        self._numbers = [0.25] * count

    def __len__(self):
        return len(self._numbers)

    def __getitem__(self, place):
        return self._numbers[self._inside(place)]

    def __setitem__(self, place, value):
        self._numbers[self._inside(place)] = value

    def _inside(self, place):
        assert 0 <= place | 0 < len(self._numbers), (place, len(self._numbers))  # of floats there is no |
        return place


def run(name, arguments):
    """Run a kernel in plain Python on buffers of just these sizes."""
    kernels.use("plain")
    try:
        getattr(plain, name)(*[made(argument, name) for argument in arguments])
    finally:
        kernels.use()


def made(argument, name):
    if isinstance(argument, str):
        argument = [int(argument.split()[0])]
    if isinstance(argument, list):
        buffer = Bounded(argument[0])
        if name == "embedding":
            buffer._numbers = [0.0] * argument[0]
        return buffer
    return tuple([made(part, name) for part in argument]) if isinstance(argument, tuple) else argument


def test_each_kernel_of_floats_that_layers_call_has_a_check_and_a_call_here():
    names = [name for line in FAMILIES.split("\n") for name in line.split()[1:]]
    known = [name for name in names if not name.startswith("int8.")]
    assert sorted(set([name for name, _ in CALLS])) == sorted(known)


def test_right_arguments_are_let_pass_and_stay_within_their_buffers():
    for number in support.some(len(CALLS)):
        name, arguments = CALLS[number]
        work, written, _ = find(name)(*arguments)
        assert work > 0 and written > 0, name
        run(name, arguments)


def test_what_is_written_is_what_the_kernel_writes():
    for name, arguments in CALLS:
        _, written, _ = find(name)(*arguments)
        buffers = [made(argument, name) for argument in arguments]
        before = [flattened(buffer) for buffer in buffers]
        kernels.use("plain")
        try:
            getattr(plain, name)(*buffers)
        finally:
            kernels.use()
        for place in range(len(buffers)):
            assert written >> place & 1 or flattened(buffers[place]) == before[place], (name, place)


def flattened(buffer):
    if isinstance(buffer, tuple):
        return [flattened(part) for part in buffer]
    return list(buffer._numbers) if isinstance(buffer, Bounded) else None


def accepts(name, arguments):
    try:
        answer = find(name)(*arguments)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False
    return bool(answer) and answer[0]


def test_a_buffer_that_is_too_small_is_refused():
    for name, arguments in CALLS:
        for place in range(len(arguments)):
            if isinstance(arguments[place], list):
                count = arguments[place][0]
                for other in ([count - 1], [1], [0], [-count], None, count, (count,), float(count)):
                    changed = arguments[:place] + (other,) + arguments[place + 1 :]
                    optional = other is None and any(
                        [call[1][place] is None for call in CALLS if call[0] == name]
                    )
                    if optional or other == arguments[place]:
                        continue
                    assert not accepts(name, changed), (name, place, other)


def test_one_argument_more_or_less_is_refused():
    for name, arguments in CALLS:
        assert not accepts(name, arguments[:-1]) and not accepts(name, arguments + (1,)), name
        assert not accepts(name, ()), name


def test_no_argument_may_be_of_another_kind():
    for name, arguments in CALLS:
        for place in range(len(arguments)):
            for other in ((), (1, 2, 3), "x", [3]):
                if isinstance(arguments[place], bool) or arguments[place] == other:
                    continue
                changed = arguments[:place] + (other,) + arguments[place + 1 :]
                if not isinstance(other, list) or not isinstance(arguments[place], list):
                    assert not accepts(name, changed) or (name, other) == ("attention", ()), (
                        name,
                        place,
                        other,
                    )


def test_no_truth_is_taken_for_a_number():
    for name, arguments in CALLS:
        for place in range(len(arguments)):
            for other in of_truths(arguments[place]):
                changed = arguments[:place] + (other,) + arguments[place + 1 :]
                assert not accepts(name, changed), (name, place, other)


def of_truths(argument):
    """Return the argument with one of its numbers 0 and 1, each in turn, as a truth."""
    if isinstance(argument, tuple):
        places = range(len(argument))
        cut = [(argument[:at], of_truths(argument[at]), argument[at + 1 :]) for at in places]
        return [before + (part,) + after for before, parts, after in cut for part in parts]
    return [bool(argument)] if type(argument) is int and argument in (0, 1) else []


LEAVES = (
    -(1 << 28),
    -3,
    -1,
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    12,
    255,
    4096,
    HUGE,
    None,
    True,
    0.5,
    -1.0,
    [4],
    [6],
    "4 bytes",
    (1, 2),
    (),
)


def spoilt(draw, arguments):
    """Return arguments of which one part, however deep, is another."""
    if not arguments:
        return (LEAVES[draw.below(len(LEAVES))],)
    place = draw.below(len(arguments))
    part = arguments[place]
    if isinstance(part, tuple) and draw.below(8):
        new = spoilt(draw, part)
    elif isinstance(part, list) and draw.below(2):
        new = [max(0, part[0] + draw.below(5) - 2)]
    elif isinstance(part, int) and draw.below(2):
        new = part + draw.below(5) - 2
    else:
        new = LEAVES[draw.below(len(LEAVES))]
    return arguments[:place] + (new,) + arguments[place + 1 :]


ROUNDS = 25
WORK_MOST = 3000


def test_whatever_is_accepted_stays_within_its_buffers():
    draw = Draw(11)
    found = 0
    for name, arguments in CALLS:
        for _ in range(ROUNDS // support.APART):
            changed = arguments
            for _ in range(1 + draw.below(4)):
                changed = spoilt(draw, changed)
            work = accepts(name, changed)
            if work and work < WORK_MOST:
                found += changed != arguments
                try:
                    run(name, changed)
                except InvalidTensor:
                    assert name == "embedding"
    assert found > 20 // support.APART


def spelled(*arguments):
    """Return the words of arguments; a pair ("at", first, count) stands for floats in the arena."""
    words = []
    for argument in arguments:
        if argument is None:
            words.append(NONE)
        elif isinstance(argument, bool):
            words.append(int(argument) << 3 | TRUTH)
        elif isinstance(argument, int):
            words.append(argument << 3 | INT)
        elif isinstance(argument, float):
            words += [FLOAT, struct.unpack("<i", struct.pack("<f", argument))[0]]
        elif argument[:1] == ("at",):
            words += [argument[1] << 3 | ARENA, argument[2]]
        elif argument[:1] == ("file",):
            words += [argument[3] << 3 | NUMBERS, argument[1], argument[2]]
        elif argument[:1] == ("bytes",):
            words += [BYTES, argument[1], argument[2]]
        elif argument[:1] == ("arena",):
            words += [1 << 3 | BYTES, argument[1], argument[2]]
        else:
            words += [len(argument) << 3 | TUPLE] + spelled(*argument)
    return words


def at(first, count):
    return ("at", first, count)


class Small(Program):
    """Numbers 0-3 go in; 4-6 are made of them, 8-10 of these, and come out."""

    def __init__(self):
        super().__init__(48, [end((1, 4), 0)], [end((1, 3), 32)])
        self.weights = {"w": bytes(48), "b": bytes(12)}

    def dense(self, x=None, out=None, weight=12, bias=3, more=()):
        w, b = ("weight", "w"), ("weight", "b")
        words = (
            spelled(x or at(0, 4))
            + [NUMBERS, w, weight, NUMBERS, b, bias]
            + spelled(out or at(4, 3), 1, 4, 3)
        )
        self.step("linear", *(words + list(more)))
        return self

    def then(self, kernel, *arguments):
        self.step(kernel, *spelled(*arguments))
        return self

    def whole(self):
        return self.dense().then("relu", at(4, 3), at(8, 3), 3)


def refused(program):
    data = program.to_bytes()
    return str(support.raises(Malformed, lambda: check_program(Memory(data))))


def test_a_program_of_floats_runs():
    model = Model(Small().whole().to_bytes())
    assert list(model([1.0, 2.0, 3.0, 4.0]).data) == [0.0] * 3


def test_what_is_not_written_is_nothing_to_read():
    for x in (
        at(1, 4),
        at(0, 3),
        at(0, 5),
        at(4, 4),
        at(8, 4),
        at(-1, 4),
        at(1 << 20, 4),
        at(0, 0),
        at(0, -4),
    ):
        text = refused(Small().dense(x))
        assert text.startswith("step 0, linear: "), text
    assert "it reads" in refused(Small().dense())  # the output


def test_what_is_written_lies_in_the_arena_and_apart_from_what_is_read():
    for out in (at(0, 3), at(1, 3), at(3, 3), at(10, 3), at(-1, 3), at(1 << 24, 3)):
        assert refused(Small().dense(None, out)).startswith("step 0, linear: ")
    check_program(Memory(Small().whole().to_bytes()))


def test_a_kernel_that_may_work_in_place_does():
    Model(Small().dense().then("relu", at(4, 3), at(4, 3), 3).then("relu", at(4, 3), at(8, 3), 3).to_bytes())
    for out in (at(3, 3), at(5, 3), at(6, 3)):
        program = Small().dense().then("relu", at(4, 3), out, 3)
        assert "step 1, relu: " in refused(program)
    both = Small().dense().then("add", at(4, 3), at(4, 3), at(4, 3), 3).then("relu", at(4, 3), at(8, 3), 3)
    Model(both.to_bytes())


def test_what_was_written_in_pieces_is_read_whole():
    pieces = Small().dense().then("relu", at(4, 3), at(8, 3), 3)
    pieces.outputs = [end((1, 4), 32)]
    assert "it reads" in refused(pieces)
    pieces.then("fill", at(11, 1), 0, 1, 0.5)
    assert list(Model(pieces.to_bytes())([0.0] * 4).data) == [0.0, 0.0, 0.0, 0.5]
    pieces.then("fill", at(7, 2), 0, 2, 0.5)  # which is over a part of what comes out
    assert "it reads" in refused(pieces)


def test_weights_lie_in_the_file():
    for kind, start, size in ((NUMBERS, 1 << 20, 12), (NUMBERS, -4, 12), (NUMBERS, 0, 12), (BYTES, 400, 12)):
        program = Small()
        program.step("linear", *(spelled(at(0, 4)) + [kind, start, size, NONE] + spelled(at(4, 3), 1, 4, 3)))
        support.raises(Malformed, Model, program.to_bytes())
    for weight, bias in ((11, 3), (13, 3), (12, 2), (12, 4), (-12, 3), (1 << 28, 3), (0, 3)):
        assert "step 0, linear: " in refused(Small().dense(None, None, weight, bias))


def test_words_that_spell_no_arguments_are_refused():
    for words in (
        [],
        [INT],
        [5 << 3 | TUPLE],
        [HUGE << 3 | TUPLE],
        [1 << 3 | TUPLE] * 40,
        [ARENA],
        [4 << 3 | NUMBERS, 400, 3],
        [-1 << 3 | NUMBERS, 400, 3],
        [FLOAT],
        [BYTES, 1],
    ):
        program = Small()
        program.step("relu", *words)
        assert "step 0, relu: " in refused(program), words
    assert "step 0, linear: arguments" in refused(Small().dense(None, None, 12, 3, [INT]))


def test_a_step_that_ends_within_an_argument_is_refused():
    program = Small().whole()
    body = program.steps[0][1]
    for size in range(len(body)):
        cut = Small().whole()
        del cut.steps[0][1][size:]
        assert "step" in refused(cut)


CANARY = 32
INTERESTING = (-8, -1, 0, 1, 2, 3, 4, 8, 9, 11, 12, 17, 24, 25, 32, 35, 43, 48, 67, 255, 1 << 16, HUGE)


def test_random_words_never_make_a_kernel_write_outside_its_arena():
    draw = Draw(5)
    whole = Small().whole()
    data = bytearray(whole.to_bytes())
    start, size = bytes(data).find(b"BRT1"), len(whole.parts()[0])
    accepted = 0
    for _ in range(4 * ROUNDS):
        undo = []
        for _ in range(1 + draw.below(2)):
            place = start + 4 * (2 + draw.below(size // 4 - 2))
            undo.append((place, bytes(data[place : place + 4])))
            data[place : place + 4] = packed([INTERESTING[draw.below(len(INTERESTING))]])
        accepted += survives(data, start)
        for place, old in reversed(undo):
            data[place : place + 4] = old
    assert accepted > 0 and survives(data, start)


def survives(data, start):
    """Return whether the program is taken, and its run leaves alone what lies around the arena."""
    size = struct.unpack_from("<i", data, start + 8)[0] + 4
    if not 4 <= size < 1 << 16:
        return False
    try:
        check_program(Memory(bytes(data)))
        around = kernels.floats([1.5] * ((size + 3) // 4 + 2 * CANARY))
        model = Model(bytes(data), memoryview(around)[CANARY : len(around) - CANARY])
    except Malformed:
        return False
    try:
        model.run()
    except InvalidTensor:
        pass
    assert list(around[:CANARY]) == [1.5] * CANARY == list(around[len(around) - CANARY :])
    return True


def in_bytes(start, count):
    return ("arena", start, count)


def test_bytes_lie_in_the_arena_and_apart_from_floats_that_are_read():
    def then(first, second):
        program = Small().dense().then("quantize", at(4, 3), 0.5, 128, first, 3)
        return program.then("dequantize", second, 0.5, 128, at(8, 3), 3)

    check_program(Memory(then(in_bytes(28, 3), in_bytes(28, 3)).to_bytes()))
    for first in (
        in_bytes(20, 3),
        in_bytes(28, 2),
        in_bytes(46, 3),
        in_bytes(-4, 3),
        at(7, 3),
        in_bytes(29, 3),
    ):
        assert refused(then(first, in_bytes(28, 3))).startswith("step 1, quantize: "), first
    for second in (in_bytes(30, 3), in_bytes(28, 4), in_bytes(28, 2), in_bytes(1 << 25, 3), at(4, 3)):
        assert refused(then(in_bytes(28, 3), second)).startswith("step 2, dequantize: "), second
    for scale, zero in ((0.0, 0), (-1.0, 0), (1e-39, 0), (float("inf"), 0), (0.5, 256), (0.5, -1), (1, 0.5)):
        program = Small().dense().then("quantize", at(4, 3), scale, zero, in_bytes(28, 3), 3)
        assert refused(program).startswith("step 1, quantize: "), (scale, zero)


def test_no_kernel_takes_bytes_for_floats():
    program = Small().dense().then("quantize", at(4, 3), 0.5, 128, in_bytes(28, 3), 3)
    assert refused(program.then("relu", in_bytes(28, 3), at(8, 3), 3)).startswith("step 2, relu: ")
    program = Small()
    program.step("linear", *spelled(at(0, 4), ("bytes", 400, 12), None, at(4, 3), 1, 4, 3))
    assert refused(program).startswith("step 0, linear: ")
