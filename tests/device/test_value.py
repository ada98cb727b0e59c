"""What flows between layers."""

from burnpack.errors import InvalidTensor
from burnrt import kernels, tensor
from burnrt.value import Value, allocate
from kit import support


def test_a_tensor_takes_numbers_from_any_sequence():
    for values in ([0, 1, 2, 250], (0, 1, 2, 250), bytes([0, 1, 2, 250]), memoryview(bytes([0, 1, 2, 250]))):
        assert list(tensor(values, (1, 4)).data) == [0.0, 1.0, 2.0, 250.0]


def test_a_tensor_without_a_shape_has_one_dimension():
    assert tensor([1, 2, 3]).shape == (3,)


def test_rows_in_a_list_are_refused_and_not_taken_for_numbers():
    for kind in (list, tuple):
        for given in ((kind([1, 2]), kind([3, 4])), (kind([1]),)):
            for shape in ((), ((len(given),),)):
                support.raises(
                    (InvalidTensor, TypeError), tensor, list(given), *shape
                )  # a board's is a TypeError


def test_a_tensor_is_a_copy():
    values = kernels.floats([1, 2])
    value = tensor(values)
    values[0] = 9
    assert list(value) == [1.0, 2.0]


def test_the_shape_must_hold_just_the_values():
    for shape in ((2, 2), (2, 4), ()):
        error = support.raises(InvalidTensor, tensor, [1, 2, 3, 4, 5], shape)
        assert error.found == 5


def test_a_value_of_many_dimensions_is_a_sequence_of_values():
    value = tensor(range(12), (2, 3, 2))
    assert len(value) == 2
    assert [row.shape for row in value] == [(3, 2), (3, 2)]
    assert [list(row) for row in value[1]] == [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]
    assert value[-1][-1][-1] == 11.0
    for index in (2, -3):
        support.raises(IndexError, value.__getitem__, index)


def test_a_row_shares_the_values_numbers():
    value = tensor(range(4), (2, 2))
    value.data[3] = 9.0
    assert list(value[1]) == [2.0, 9.0]


def test_argmax_counts_in_row_major_order_and_finds_the_first():
    assert tensor([1, 7, 3, 7], (2, 2)).argmax() == 1
    assert tensor([-5, -2, -3]).argmax() == 1


def test_reshape_shares_the_numbers():
    value = tensor(range(6), (2, 3))
    assert value.reshape((3, 2)).data is value.data
    assert support.raises(InvalidTensor, value.reshape, (4, 2)).expected == 8


def test_reshape_takes_a_tuple_or_extents_one_of_which_is_what_the_others_leave():
    value = tensor(range(6), (2, 3))
    for given, shape in (
        ((1, -1), (1, 6)),
        (((-1, 2),), (3, 2)),
        ((-1,), (6,)),
        ((3, 2), (3, 2)),
        (([6],), (6,)),
    ):
        assert value.reshape(*given).shape == shape
    for given in ((4, -1), (-1, -1), (0, -1), (-1, -6)):
        support.raises(InvalidTensor, value.reshape, *given)
    assert tensor([], (0, 2)).reshape(0, -1).shape == (0, 0)


def test_a_value_keeps_the_callers_buffer():
    buffer = kernels.buffer(4)
    assert Value(buffer, (2, 2)).data is buffer


def test_allocate_makes_room_for_a_shape():
    value = allocate((2, 3))
    assert value.shape == (2, 3) and len(value.data) == 6
    value.data[5] = 0.25
    assert value.data[5] == 0.25
