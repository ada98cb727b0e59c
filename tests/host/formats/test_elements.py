"""Transposing with numpy gives the bytes that the portable code gives; all is done in blocks."""

import mmap

import numpy as np
import pytest

from burnpack import adapters as portable
from burnpack.adapters.pytorch import transposed as portable_transposed
from burnpack.errors import InvalidTensor
from burnstore.numerics import adapters, elements
from burnstore.numerics.elements import cast, transposed
from kit import support


def test_a_large_cast_is_done_in_blocks_of_which_each_is_checked(monkeypatch):
    monkeypatch.setattr(elements, "_BLOCK", 10)
    numbers = np.arange(25, dtype=np.float32)
    assert (
        np.frombuffer(cast(numbers.data.cast("B"), "F32", "F16", False, "w"), "<f2").tolist()
        == numbers.tolist()
    )
    numbers[24] = 1e6
    error = support.raises(InvalidTensor, cast, numbers.data.cast("B"), "F32", "F16", False, "w")
    assert "w: " in str(error) and "1000000" in str(error)


@pytest.mark.parametrize("size", [1, 2, 4, 8])
@pytest.mark.parametrize("rows, columns", [(1, 1), (3, 5), (1, 7), (7, 1), (0, 3), (3, 0), (19, 34)])
def test_a_matrix_is_transposed_alike(monkeypatch, rows, columns, size):
    monkeypatch.setattr(elements, "_TILE", 16)
    data = np.random.default_rng(0).bytes(rows * columns * size)
    assert bytes(transposed(data, rows, columns, size)) == bytes(
        portable_transposed(data, rows, columns, size)
    )


def test_a_matrix_larger_than_a_tile_is_transposed_by_numpys_own_word():
    matrix = np.random.default_rng(1).integers(0, 1 << 32, (600, 517), np.uint32)
    assert bytes(transposed(matrix.data.cast("B"), 600, 517, 4)) == matrix.T.tobytes()


def test_the_source_of_a_mapped_matrix_is_given_back(tmp_path):
    path = tmp_path / "matrix"
    path.write_bytes(bytes(4096))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        view = memoryview(mapped)
        assert list(elements._released(view, range(3), elements._RELEASE)) == [0, 1, 2]
        assert bytes(transposed(view, 2, 2048, 1)) == bytes(4096)
        view.release()


@pytest.mark.parametrize(
    "name", ["PyTorchToBurnAdapter", "BurnToPyTorchAdapter", "HalfPrecisionAdapter", "FloatCastAdapter"]
)
def test_the_adapters_are_the_portable_ones_with_other_arithmetic(name):
    assert issubclass(getattr(adapters, name), getattr(portable, name))
