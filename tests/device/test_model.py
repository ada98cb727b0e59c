"""A model answers as the program in its file says, from where the file lies."""

import gc
import io
import struct
import sys
from array import array

from burnpack.errors import Malformed
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnrt import Model, memory
from burnrt.arguments import ARENA as IN_ARENA
from burnrt.arguments import INT, NUMBERS
from burnrt.kernels import int8 as kernels
from burnrt.lengths import LENGTHS
from kit import support
from kit.int8.small_int8 import ARENA, ELSEWHERE, INPUT, ONES, OUTPUT, OUTPUT_SHAPE, STEPS, Parts, row
from kit.int8.small_program import Program, end

GIVEN = [0.5 * (q - 3) for q in INPUT]


def model_of(parts=None):
    return Model((parts or Parts()).to_bytes())


def answer(model):
    model.input[:] = INPUT
    model.run()
    return bytes(model.output)


def sets():
    """Return the names of the sets of kernels that run here, each of which can do all."""
    return [name for name in ("numpy", "viper", "plain") if name in kernels.in_use()]


def test_every_set_of_kernels_gives_the_same_answer():
    for name in sets():
        kernels.use(name)
        try:
            assert answer(model_of()) == OUTPUT, name
        finally:
            kernels.use()


def test_a_run_can_be_repeated():
    model = model_of()
    assert [answer(model) for _ in range(3)] == [OUTPUT] * 3


def test_a_model_is_called_with_floats_and_gives_floats():
    model = model_of()
    found = model(GIVEN)
    assert found.shape == OUTPUT_SHAPE
    assert [number * 256 for number in found.data] == list(OUTPUT)
    assert found.argmax() == 0
    assert model(GIVEN).data is not model(GIVEN).data


def test_an_answer_is_the_input_of_another_model():
    first = Program(8, [end((1, 2), 0, 0.5)], [end((1, 2), 0, 0.5)])
    assert list(Model(first.to_bytes())(Model(first.to_bytes())([1.0, 2.5])).data) == [1.0, 2.5]


def test_bytes_are_no_floats():
    model = model_of()
    for given in (bytes(INPUT), bytearray(INPUT)):
        assert "model.input" in str(support.raises(Malformed, model, given))
    assert model([number for number in INPUT]).shape == OUTPUT_SHAPE


def test_another_number_of_values_or_inputs_is_refused():
    model = model_of()
    assert support.raises(Malformed, model, [0] * 31).found == 31
    assert support.raises(Malformed, model, GIVEN, GIVEN).found == 2
    support.raises(Malformed, model)


def test_a_file_without_a_program_is_told_what_writes_one():
    assert "`burnstore convert" in str(
        support.raises(Malformed, Model, Writer([Tensor("a", "U8", (99,), bytes(99))]).to_bytes())
    )
    support.raises(Malformed, Model, b"")
    support.raises(Malformed, Model, bytes(300))


def test_from_memory_nothing_is_copied():
    data = bytearray(Parts().to_bytes())
    model = Model(data)
    assert answer(model) == OUTPUT
    start, finish = Reader.from_static(data).span("all.weights")
    data[start:finish] = bytes(finish - start)
    assert answer(model) != OUTPUT


def test_at_an_odd_address_the_file_is_copied():
    for shift in range(1, 5):
        data = memoryview(bytearray(shift) + Parts().to_bytes())[shift:]
        model = Model(data)
        assert answer(model) == OUTPUT, shift
        copied = not memory.is_aligned(data)
        data[-100:] = bytes(100)
        assert (answer(model) == OUTPUT) == copied, shift


def test_from_a_file_the_answer_is_the_same():
    assert answer(Model(io.BytesIO(Parts().to_bytes()))) == OUTPUT


def test_the_callers_arena_is_used():
    buffer = bytearray(ARENA + 4)
    model = Model(Parts().to_bytes(), buffer)
    assert model.arena is buffer
    assert answer(model) == OUTPUT
    assert bytes(buffer[24:27]) == OUTPUT


def test_models_share_an_arena():
    first = model_of()
    second = Model(Parts().to_bytes(), first.arena)
    assert [answer(model) for model in (first, second, first)] == [OUTPUT] * 3


def test_an_arena_that_does_not_do_is_refused():
    data = Parts().to_bytes()
    assert support.raises(Malformed, Model, data, bytearray(ARENA + 3)).found == ARENA + 3
    for arena in (bytes(ARENA + 4), [0] * (ARENA + 4), (1, 2, 4, 4)):
        support.raises(Malformed, Model, data, arena)
    odd = memoryview(bytearray(ARENA + 8))[1:]
    if not memory.is_aligned(odd):
        support.raises(Malformed, Model, data, odd)


def test_a_run_allocates_nothing():
    if sys.implementation.name != "micropython":
        support.skip("this interpreter can't lock its heap")
    from micropython import heap_lock, heap_unlock

    for name in sets():
        kernels.use(name)
        model = model_of()
        assert answer(model) == OUTPUT
        model.input[:] = INPUT
        heap_lock()
        try:
            model.run()
        finally:
            heap_unlock()
            kernels.use()
        assert bytes(model.output) == OUTPUT, name


def test_a_step_takes_little_memory():
    if not hasattr(gc, "mem_alloc") or sys.maxsize < 1 << 32:
        support.skip("this interpreter can't tell what is on its heap")
    few, many = pooling(2), pooling(42)
    heap_of(few)
    small, large = heap_of(few), heap_of(many)
    assert 0 < (large - small) / 40 < 80, (small, large)


def heap_of(data):
    """Return the bytes that a model takes of the heap, besides its file."""
    gc.collect()
    before = gc.mem_alloc()
    model = Model(data)
    model.run()
    gc.collect()
    return gc.mem_alloc() - before


def pooling(steps):
    """Return a model with so many steps, each of which pools windows of one number."""
    parts = Program(64, [end((4,), 0, 1.0)], [end((4,), 32 * (steps % 2), 1.0)])
    for step in range(steps):
        places = {"INPUT": 32 * (step % 2), "OUTPUT": 32 * ((step + 1) % 2), "CHANNELS": 4}
        sizes = ("HEIGHT", "WIDTH", "OUT_HEIGHT", "OUT_WIDTH", "KERNEL", "KERNEL1", "STRIDE", "STRIDE1")
        words = row("max_pool2d", dict([(name, 1) for name in sizes]), ONES, {"PADDING": 0}, places)
        parts.step("int8.max_pool2d", 0, 0, 0, *words)
    return parts.to_bytes()


def test_a_model_keeps_the_kernels_it_was_made_with():
    model = model_of()
    kernels.use("plain")
    try:
        assert answer(model) == OUTPUT
    finally:
        kernels.use()


def test_the_logarithm_of_softmax_may_come_last():
    parts = Parts()
    parts.outputs = [end(OUTPUT_SHAPE, 24, 1 / 256, 0, 1)]
    found = model_of(parts)(GIVEN)
    scores = model_of()(GIVEN)
    differences = [scores.data[i] - found.data[i] for i in range(3)]
    assert max(differences) - min(differences) < 1e-6
    assert 1.0 < differences[0] < 2.0


def test_a_model_without_steps_gives_its_input():
    model = Model(Program(32, [end((32,), 0, 0.5, 3)], [end((32,), 0, 0.5, 3)]).to_bytes())
    assert answer(model) == INPUT
    assert list(model(GIVEN).data) == GIVEN


def test_ends_of_floats_are_refused_where_the_arena_is_one_of_bytes():
    parts = Program(32, [end((4,), 0)], [end((4,), 0)])
    assert "word 0" in str(support.raises(Malformed, Model, parts.to_bytes()))
    parts.names = ["add"]
    assert list(Model(parts.to_bytes())([1.0, 2.0, 3.0, 4.0]).data) == [1.0, 2.0, 3.0, 4.0]


def test_the_names_of_kernels_are_parted_by_the_same_bytes_on_every_interpreter():
    parts = linear()
    parts.names = ["a\x85\xa0\x1cb", "linear"]
    parts.steps[0][0] = "linear"
    assert list(Model(parts.to_bytes())([1.0, 2.0]).data) == [7.5, 9.5]


def test_a_program_whose_steps_lie_behind_it_is_refused():
    parts = linear()
    size = len(parts.parts()[0])
    for fewer in range(4, 40, 4):
        parts.head = {1: size - 8 - fewer}  # behind the steps are two constants
        for make in (lambda data: data, io.BytesIO):
            support.raises(Malformed, Model, make(parts.to_bytes()))


def test_a_header_that_announces_more_than_a_small_board_can_seek_is_cut_short():
    good = linear().to_bytes()
    for size in (1 << 30, (1 << 31) - 300, 1 << 31, 0x84000070, (1 << 32) - 1):
        data = good[:6] + struct.pack("<I", size) + good[10:]
        for make in (lambda data: data, io.BytesIO):
            assert "cut short" in str(support.raises(Malformed, Model, make(data)))


def test_a_program_of_floats_computes_with_numbers_in_the_file():
    for make in (lambda data: data, io.BytesIO):
        model = Model(make(linear().to_bytes()))
        assert list(model([1.0, 2.0]).data) == [1.0 + 6.0 + 0.5, 2.0 + 8.0 - 0.5]
        assert isinstance(model.arena, array)


def linear():
    """Return a program of floats: [1, 2] × [2, 2] + bias, into the rest of the arena."""
    parts = Program(16, [end((1, 2), 0)], [end((1, 2), 8)])
    parts.weights["w"] = floats(1.0, 2.0, 3.0, 4.0)
    parts.constants["b"] = floats(0.5, -0.5)
    body = [IN_ARENA, 2, NUMBERS, ("weight", "w"), 4, NUMBERS, ("constant", "b"), 2, 2 << 3 | IN_ARENA, 2]
    parts.step("linear", *(body + [number << 3 | INT for number in (1, 2, 2)]))
    return parts


def floats(*numbers):
    return struct.pack("<%df" % len(numbers), *numbers)


def test_several_inputs_and_outputs_go_in_order():
    parts = Program(24, [end((2,), 0, 0.5), end((1,), 8)], [end((1,), 8), end((2,), 0, 0.5)])
    parts.names = ["add"]
    first, second = Model(parts.to_bytes())([1.0, 2.0], [7.0])
    assert list(first.data) == [7.0] and list(second.data) == [1.0, 2.0]


def summing(kept=8, made=4):
    """Return a program whose answer is the sum of all inputs so far, the state."""
    state = end((1,), kept, None, 0, 1)
    parts = Program(12, [end((1,), 0), state], [end((1,), made)])
    parts.step("add", *(in_arena(0) + in_arena(kept) + in_arena(made) + [1 << 3 | INT]))
    one, none = 1 << 3 | INT, 0 << 3 | INT
    parts.step("copy_rows", *(in_arena(made) + [none, one] + in_arena(kept) + [none, one, one, one]))
    return parts


def in_arena(start, count=1):
    return [start // 4 << 3 | IN_ARENA, count]


def test_a_state_is_what_the_run_before_has_left():
    for make in (lambda data: data, io.BytesIO):
        model = Model(make(summing().to_bytes()))
        assert (len(model.inputs), len(model.outputs)) == (1, 1)
        assert [each.shape for each in model.states] == [(1,)]
        assert [model([number]).data[0] for number in (1.0, 2.0, 3.0)] == [1.0, 3.0, 6.0]
        assert list(model.states[0].read().data) == [6.0]


def test_states_are_zeros_before_the_first_run_and_after_a_reset():
    arena = array("f", [7.0] * 4)
    model = Model(summing().to_bytes(), arena)
    for _ in range(2):
        assert model([5.0]).data[0] == 5.0
        model.reset()
    model.states[0].write([2.0])
    assert model([5.0]).data[0] == 7.0


def test_a_model_without_states_has_none_to_reset():
    model = model_of()
    assert answer(model) == OUTPUT
    model.reset()
    assert model.states == [] and bytes(model.output) == OUTPUT


def test_a_state_of_bytes_begins_with_the_byte_that_stands_for_zero():
    state = end((4,), 4, 0.5, 9, 1)
    model = Model(Program(8, [end((4,), 0, 0.5), state], [end((4,), 4, 0.5, 9)]).to_bytes())
    assert bytes(model.output) == bytes([9] * 4)
    assert list(model.states[0].read().data) == [0.0] * 4


def test_the_place_of_a_state_stays():
    model = Model(summing().to_bytes())
    data = model.states[0].data
    for _ in range(3):
        model.input[0] = 1.0
        model.run()
    assert model.output[0] == 3.0 and model.states[0].data is data


def test_states_that_lie_outside_or_over_an_input_are_refused():
    assert "word 4" in str(support.raises(Malformed, Model, summing(kept=0).to_bytes()))
    support.raises(Malformed, Model, summing(kept=12).to_bytes())
    parts = summing()
    parts.inputs[1][4] = 2  # LAST is 0 or 1
    support.raises(Malformed, Model, parts.to_bytes())


def test_states_come_behind_all_inputs_of_which_there_is_one():
    parts = summing()
    parts.inputs[0][4] = 1
    assert "word 4" in str(support.raises(Malformed, Model, parts.to_bytes()))
    parts = Program(16, [end((1,), 0), end((1,), 4, None, 0, 1), end((1,), 8)], [end((1,), 4)])
    parts.names = ["add"]
    assert "word 4" in str(support.raises(Malformed, Model, parts.to_bytes()))
    parts.inputs.append(parts.inputs.pop(1))
    assert Model(parts.to_bytes())([1.0], [2.0]).data[0] == 0.0


def test_every_operation_is_in_the_model():

    assert sorted([step[0] for step in STEPS] + list(ELSEWHERE)) == sorted(LENGTHS)
