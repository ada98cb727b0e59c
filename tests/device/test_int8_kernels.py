"""Every set of integer kernels that runs here answers as the definition does, bit for bit."""

import burnrt.kernels.int8 as kernels
from burnrt.kernels.int8.memory import words as words_of
from burnrt.kernels.named import NATIVE
from burnrt.lengths import LENGTHS
from kit import support
from kit.int8 import int8_golden

try:
    from micropython import heap_lock, heap_unlock
    from uctypes import addressof
except ImportError:
    heap_lock = None


PACKED = ("linear4",)  # whose weights lie at a multiple of 4


def sets():
    """Return the names of the sets that run here, fastest first."""
    return [name for name in kernels.SETS if kernels._choice.runs(name)]


def kernel(name, operation):
    """Return the operation of one set, None where it has none."""
    try:
        return getattr(kernels._choice.module(name), operation)
    except (AttributeError, ImportError):  # no such name, or no file that would have it
        return None


def golden():
    return int8_golden.cases(support.read(support.path(int8_golden.PATH)))


def arguments(name, arena, weight, constants, words):
    """Return what a set's kernel is called with: buffers and words, or where they lie."""
    if name in NATIVE:
        return addressof(arena), addressof(weight), addressof(constants), addressof(words)
    return arena, weight, words_of(constants), words_of(words)


def check(name, operation, function, given, after, free):
    """Compare the whole arena, but for what the kernel may write besides its output."""
    arena, words = given[0], given[3]
    function(*arguments(name, *given))
    start, size = free
    arena[start : start + size] = after[start : start + size]
    assert arena == after, (name, operation, list(words))


def test_each_set_gives_exactly_the_golden_answers_and_touches_nothing_else():
    for name in sets():
        seen = []
        for operation, arena, weight, constants, words, after, free in golden():
            function = kernel(name, operation)
            if function is not None:
                check(name, operation, function, (bytearray(arena), weight, constants, words), after, free)
                seen.append(operation)
        assert seen, name


def test_weights_lie_at_any_address():
    for name in sets():
        for operation, arena, weight, constants, words, after, free in golden():
            function = kernel(name, operation)
            for shift in range(1, 4) if function is not None and operation not in PACKED else ():
                moved = memoryview(bytes(shift) + weight)[shift:]
                check(name, operation, function, (bytearray(arena), moved, constants, words), after, free)


def test_weights_may_be_read_only_and_words_too():
    for operation, arena, weight, constants, words, after, free in golden():
        given = bytearray(arena), memoryview(weight), memoryview(constants), memoryview(words)
        check(kernels.home(operation), operation, getattr(kernels, operation), given, after, free)


def test_kernels_allocate_nothing():
    if heap_lock is None:
        support.skip("the heap cannot be locked here")
    for name in sets():
        for operation, arena, weight, constants, words, _, _ in golden():
            function = kernel(name, operation)
            if function is None:
                continue
            arena = bytearray(arena)
            given = arguments(name, arena, weight, constants, words)
            function(*given)  # what is imported at the first call is not the kernel's own
            run_locked(function, given[0], given[1], given[2], given[3])


def run_locked(function, arena, weight, constants, words):
    heap_lock()
    try:
        function(arena, weight, constants, words)
    finally:
        heap_unlock()


def test_plain_is_always_in_use_and_has_every_operation():
    assert kernels.in_use()[-1] == "plain" and sets()[-1] == "plain"
    for operation in LENGTHS:
        assert callable(kernel("plain", operation)), operation


def test_a_set_is_chosen_by_name_until_told_otherwise():
    usual = kernels.in_use()
    assert usual == sets()
    kernels.use("plain")
    try:
        assert kernels.in_use() == ["plain"]
        assert kernels.linear is kernel("plain", "linear")
    finally:
        kernels.use()
    assert kernels.in_use() == usual


def test_what_a_set_lacks_comes_from_the_next_that_has_it():
    try:
        for name in sets():
            kernels.use(name)
            assert kernels.in_use()[0] == name
            for operation in LENGTHS:
                having = [each for each in kernels.in_use() if kernel(each, operation) is not None]
                assert getattr(kernels, operation) is kernel(having[0], operation), (name, operation)
    finally:
        kernels.use()


def test_a_set_that_does_not_run_here_is_refused_and_changes_nothing():
    usual = kernels.in_use()
    missing = [name for name in kernels.SETS if name not in usual]
    for name in missing + ["abacus"]:
        support.raises(ImportError, kernels.use, name)
        assert kernels.in_use() == usual


def test_an_unknown_operation_is_an_attribute_error():
    support.raises(AttributeError, getattr, kernels, "conv9d")
