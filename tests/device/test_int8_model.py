"""A quantized model answers as its file says, from where the file lies."""

import gc
import io
import struct
import sys
from array import array

from burnrt.int8.numbers import dequantize, quantize

from burnpack.errors import InvalidTensor, LimitExceeded, NotFound
from burnpack.reader import Reader
from burnpack.store import BurnpackStore
from burnpack.writer import Writer
from burnrt import allocation, int8, selftest, tensor
from burnrt.kernels import int8 as kernels
from kit import support
from kit.int8.small_int8 import (
    ARENA,
    COLUMNS,
    INPUT,
    INPUT_SHAPE,
    ONES,
    OUTPUT,
    OUTPUT_SHAPE,
    STEPS,
    WEIGHTS,
    Parts,
    row,
)
from kit.int8.small_int8 import integers as words_of

WORDS_SIZE = 4 * len(Parts().words)
# What does not come from the file in place when it lies at an odd address: biases, then rescaling words.
COLUMNS_SIZE = sum([4 * (64 + count) for count in COLUMNS.values()])


def model_of(parts=None, data=None):
    return int8.Model(Reader.from_static(data or (parts or Parts()).to_bytes(), None, "net.bpk"))


def answer(plan):
    plan.input[:] = INPUT
    plan.run()
    return bytes(plan.output)


def sets():
    """Return the names of the sets of kernels that run here, each of which can do all."""
    return [name for name in ("numpy", "viper", "plain") if name in kernels.in_use()]


def test_every_set_of_kernels_gives_the_same_answer():
    for name in sets():
        kernels.use(name)
        try:
            assert answer(model_of().plan()) == OUTPUT, name
        finally:
            kernels.use()


def test_a_run_can_be_repeated():
    plan = model_of().plan()
    assert [answer(plan) for _ in range(3)] == [OUTPUT] * 3


def test_a_model_is_called_with_floats_and_gives_floats():
    floats = [0.5 * (q - 3) for q in INPUT]
    model = model_of()
    for given in (floats, tensor(floats, INPUT_SHAPE)):
        value = model(given)
        assert value.shape == OUTPUT_SHAPE
        assert [number * 256 for number in value.data] == list(OUTPUT)
    assert model(floats).data is not model(floats).data


def test_bytes_are_no_floats():
    plan = model_of().plan()
    for given in (bytes(INPUT), bytearray(INPUT)):
        assert "plan.input" in str(support.raises(InvalidTensor, plan, given))
    assert plan([number for number in INPUT]).shape == OUTPUT_SHAPE


def test_a_model_is_made_from_an_opened_file_alone():
    data = Parts().to_bytes()
    for given in ("net.bpk", data, memoryview(data), BurnpackStore.from_static(data), None):
        assert "blob.find(NAME).reader()" in str(support.raises(InvalidTensor, int8.Model, given))


def test_a_model_in_floats_is_told_what_makes_it_one_in_integers():
    floats = Reader.from_static(Writer([]).to_bytes(), None, "net.bpk")
    assert "`burnstore quantize`" in str(support.raises(NotFound, int8.Model, floats))


def test_a_model_comes_from_a_store_too():
    store = BurnpackStore.from_static(Parts().to_bytes())
    assert answer(int8.Model.from_store(store).plan()) == OUTPUT


def test_from_memory_nothing_is_copied():
    data = bytearray(Parts().to_bytes())
    plan = model_of(data=data).plan()
    assert plan.copied == 0 and answer(plan) == OUTPUT
    start, end = Reader.from_static(data).span("f.weight")
    data[start : end - 4] = bytes(end - 4 - start)
    assert answer(plan) != OUTPUT


def test_at_an_odd_address_all_but_weights_and_tables_is_copied():
    for shift in range(1, 5):
        data = memoryview(bytearray(shift) + Parts().to_bytes())[shift:]
        plan = model_of(data=data).plan()
        odd = shift != 4 and allocation.addressof is not None
        assert plan.copied == (WORDS_SIZE + COLUMNS_SIZE + 4 * 256 if odd else 0), shift
        assert answer(plan) == OUTPUT, shift


def test_from_a_file_every_tensor_is_read_once():
    model = int8.Model(Reader.from_stream(io.BytesIO(Parts().to_bytes())))
    size = WORDS_SIZE + COLUMNS_SIZE + 4 * 256 + 256
    for shape in WEIGHTS.values():
        weights = 1
        for extent in shape:
            weights *= extent
        size += weights + 4
    assert model.plan().copied == size
    assert answer(model.plan()) == OUTPUT


def test_biases_and_rescaling_words_apart_in_the_file_are_joined():
    parts = Parts()
    for name in ("c", "f"):
        parts.tensors[name + ".n"] = words_of(list(range(100)))
    plan = model_of(parts).plan()
    assert plan.copied == 4 * (64 + 4) + 4 * (64 + 3)
    assert answer(plan) == OUTPUT


def test_the_size_of_the_arena_is_known_before_there_is_one():
    plan = model_of().plan(INPUT_SHAPE)
    assert plan.size == ARENA + 4
    assert str(plan.size) in repr(plan)


def test_the_callers_arena_is_used():
    buffer = bytearray(ARENA + 4)
    plan = model_of().plan(arena=buffer)
    assert answer(plan) == OUTPUT
    assert bytes(buffer[24:27]) == OUTPUT


def test_an_arena_that_does_not_do_is_refused():
    model = model_of()
    error = support.raises(InvalidTensor, model.plan, None, bytearray(ARENA + 3))
    assert (error.expected, error.found) == ("%d bytes" % (ARENA + 4), "%d bytes" % (ARENA + 3))
    support.raises(InvalidTensor, model.plan, None, bytes(ARENA + 4))
    support.raises(InvalidTensor, model.plan, None, [0] * (ARENA + 4))
    support.raises(InvalidTensor, model.plan, None, memoryview(bytes(ARENA + 4)))
    error = support.raises(InvalidTensor, model.plan, None, array("b", bytes(ARENA + 4)))
    assert (error.expected, error.found) == ("unsigned int of 1 bytes", "int of 1 bytes")
    if allocation.addressof is not None:
        odd = memoryview(bytearray(ARENA + 8))[1:]
        assert "a multiple of 4" in str(support.raises(InvalidTensor, model.plan, None, odd))


def test_another_shape_is_refused():
    model = model_of()
    assert support.raises(InvalidTensor, model.plan, (1, 2, 4, 5)).expected == INPUT_SHAPE
    support.raises(InvalidTensor, model, tensor([0] * 32, (1, 32)))
    assert support.raises(InvalidTensor, model, [0] * 31).found == 31


def test_without_room_the_error_says_what_is_needed_and_nothing_is_half_made():
    parts = Parts()
    parts.words[0] = 1 << 24
    plan = model_of(parts).plan()
    if sys.implementation.name == "micropython" and sys.maxsize > 1 << 32:  # the others' heaps grow
        error = support.raises(LimitExceeded, plan.run)
        assert str((1 << 24) + 4) in error.expected and "bytes free" in error.found
        support.raises(LimitExceeded, plan.run)
    assert answer(model_of().plan()) == OUTPUT


def test_room_that_cannot_be_made_is_a_limit():
    def make():
        raise MemoryError

    error = support.raises(LimitExceeded, allocation.claim, make, 1234, "Net")
    assert error.item == "Net" and "1234" in error.expected


def test_a_run_allocates_nothing():
    if sys.implementation.name != "micropython":
        support.skip("this interpreter can't lock its heap")
    from micropython import heap_lock, heap_unlock

    for name in sets():
        kernels.use(name)
        plan = model_of().plan()
        assert answer(plan) == OUTPUT
        plan.input[:] = INPUT
        heap_lock()
        try:
            plan.run()
        finally:
            heap_unlock()
            kernels.use()
        assert bytes(plan.output) == OUTPUT, name


def test_a_step_takes_little_memory():
    if not hasattr(gc, "mem_alloc") or sys.maxsize < 1 << 32:
        support.skip("this interpreter can't tell what is on its heap")
    few, many = pooling(2), pooling(42)
    heap_of(few)
    small, large = heap_of(few), heap_of(many)
    assert 0 < (large - small) / 40 < 256, (small, large)


def heap_of(reader):
    """Return the bytes that a model and its plan take of the heap, without what is in the file."""
    gc.collect()
    before = gc.mem_alloc()
    plan = int8.Model(reader).plan()
    plan.prepare()
    gc.collect()
    return gc.mem_alloc() - before


def pooling(steps):
    """Return a reader of a model with so many steps, each of which pools windows of one number."""
    parts = Parts()
    parts.words = [64, 0, 0, 1, 4, 1, 4]
    for step in range(steps):
        places = {"INPUT": 32 * (step % 2), "OUTPUT": 32 * ((step + 1) % 2), "CHANNELS": 4}
        sizes = ("HEIGHT", "WIDTH", "OUT_HEIGHT", "OUT_WIDTH", "KERNEL", "KERNEL1", "STRIDE", "STRIDE1")
        parts.words += row("max_pool2d", dict([(name, 1) for name in sizes]), ONES, {"PADDING": 0}, places)
    parts.metadata["int8.steps"] = "\n".join(
        ["max_pool2d %s" % (step or "s") for step in range(steps - 1, -1, -1)]
    )
    return Reader.from_static(parts.to_bytes())


def test_a_plan_keeps_the_kernels_it_was_made_with():
    plan = model_of().plan()
    plan.prepare()
    kernels.use("plain")
    try:
        assert answer(plan) == OUTPUT
    finally:
        kernels.use()


def test_the_logarithm_of_softmax_may_come_last():
    parts = Parts()
    parts.metadata["int8.last"] = "LogSoftmax"
    found = model_of(parts)([0.5 * (q - 3) for q in INPUT])
    scores = model_of()([0.5 * (q - 3) for q in INPUT])
    differences = [scores.data[i] - found.data[i] for i in range(3)]
    assert max(differences) - min(differences) < 1e-6
    assert 1.0 < differences[0] < 2.0


# x / 0.5 + 10 (scale 0.5, zero point 10): given, quantized
QUANTIZED = (
    (0.0, 10),
    (0.24, 10),
    (0.25, 11),
    (-0.25, 10),
    (-0.26, 9),
    (-5.0, 0),
    (-5.26, 0),
    (-1e30, 0),
    (122.5, 255),
    (122.74, 255),
    (122.75, 255),
    (1e30, 255),
    (float("inf"), 255),
    (float("-inf"), 0),
    (float("nan"), 0),
)


def test_numbers_are_rounded_half_up_and_cut():
    target = bytearray(1)
    for given, wanted in QUANTIZED:
        quantize([given], 0.5, 10, target)
        assert target[0] == wanted, (given, target[0])


def test_each_step_of_quantizing_is_rounded_to_32_bits():
    # The quotient is below 1.5 by less than a binary32 number can say.
    target = bytearray(1)
    quantize([1.5 * 0.1], 0.1, 0, target)
    assert target[0] == 2
    quantize([1e-9], 3e38, 0, target)
    assert target[0] == 0


def test_what_was_dequantized_is_quantized_to_the_same():
    source, target = bytes(range(256)), bytearray(256)
    for scale in (0.003921569, 0.1, 1 / 3, 7.77, 1e-6, 1e6):
        for zero in (0, 1, 128, 255):
            quantize(dequantize(source, scale, zero, (256,)).data, scale, zero, target)
            assert target == source, (scale, zero)


def case(parts, number, given, wanted):
    """Put a case of the self-test into a file."""
    for name, numbers, shape in (("input", given, INPUT_SHAPE), ("output", wanted, OUTPUT_SHAPE)):
        data = bytearray(4 * len(numbers))
        for place, value in enumerate(numbers):
            struct.pack_into("<f", data, 4 * place, value)
        parts.tensors["selftest.%s.%d" % (name, number)] = ("F32", shape, bytes(data))


def test_the_self_test_of_a_quantized_model_is_exact():
    parts = Parts()
    case(parts, 0, [0.5 * (q - 3) for q in INPUT], [q / 256 for q in OUTPUT])
    parts.scalars["selftest.tolerance"] = 0.0
    container = Reader.from_static(parts.to_bytes())
    verdict = selftest.run(int8.Model(container), container)
    assert verdict.passed and verdict.cases == 1 and verdict.tolerance == 0.0
    case(parts, 1, [0.5 * (q - 3) for q in INPUT], [(q + 1) / 256 for q in OUTPUT])
    container = Reader.from_static(parts.to_bytes())
    assert not selftest.run(int8.Model(container), container).passed


def test_a_model_without_steps_gives_its_input():
    parts = Parts()
    parts.words = [32, 0, 0, 1, 32, 1, 32]
    parts.metadata["int8.steps"] = ""
    plan = model_of(parts).plan()
    assert answer(plan) == INPUT
    assert list(plan.dequantize().data) == [0.5 * (q - 3) for q in INPUT]


def test_every_operation_is_in_the_model():
    assert sorted([step[0] for step in STEPS]) == sorted(at.LENGTHS)
