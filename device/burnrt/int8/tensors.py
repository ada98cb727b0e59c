"""A quantized model's tensors, used where they lie if that can be."""

if False:  # for type checkers
    from typing import NoReturn

    from burnpack.container import Container
    from burnpack.tensor import Tensor
    from burnpack.types import Buffer, Dtype, Shape
    from burnrt.types import Words


try:
    from uctypes import addressof
except ImportError:  # CPython, where words are read at any address
    addressof = None

from burnpack.errors import InvalidTensor
from burnpack.qfloat import QFloat
from burnrt.allocation import WORD
from burnrt.kernels.int8.memory import words as words_in

_SPARE = 3  # bytes behind the last weight, which kernels may read


class Tensors:
    """The tensors of an opened container.

    copied: bytes that were put on the heap, as they could not be used in place: from a file all are, from
        memory those of words at an odd address.

    What is returned stays valid as long as this object and the container do.
    """

    copied: int

    def __init__(self, container: "Container") -> None:
        self._container = container
        self._kept: list[bytearray] = []
        self.copied = 0

    def words(self, name: str) -> "tuple[Words, int, memoryview]":
        """Return (words, count, view) of an I32 tensor of one dimension: its words, and their bytes."""
        tensor = self._tensor(name, "I32", None)
        if len(tensor.shape) != 1:
            self._refuse(tensor, "shape", "one dimension", tensor.shape)
        view = self._kept_view(tensor.data())
        if not _is_aligned(view):
            view = self._kept_view(bytearray(view))
        return words_in(view), tensor.shape[0], view

    def columns(self, name: str, count: int, start: int) -> "Words":
        """Return the words of `name`.bias, and of `name`.rescale from word `start` on: `count` of each."""
        bias = self._tensor(name + ".bias", "I32", (count,))
        rescale = self._tensor(name + ".rescale", "I32", (count,))
        container = self._container
        if container.in_memory:
            first, last = container.span(bias.name), container.span(rescale.name)
            if last[0] - first[0] == WORD * start:
                view = container.stretch(bias.name, rescale.name)
                if _is_aligned(view):
                    return words_in(view)
        joined = self._kept_view(bytearray(WORD * (start + count)))
        bias.readinto(joined[: WORD * count])
        rescale.readinto(joined[WORD * start :])
        return words_in(joined)

    def powers(self, name: str) -> "Words":
        """Return the 256 words of `name`.powers."""
        self._tensor(name + ".powers", "I32", (256,))
        return self.words(name + ".powers")[0]

    def table(self, name: str) -> "Buffer":
        """Return the 256 bytes of `name`.table."""
        return self._bytes(self._tensor(name + ".table", "U8", (256,)))

    def weight(self, name: str, shape: tuple[int, ...]) -> "Buffer":
        """Return the bytes of `name`.weight: int8, and what lies behind."""
        tensor = self._container.tensor(name + ".weight")
        scheme = tensor.dtype
        if not isinstance(scheme, QFloat) or scheme.parts()[:3] != QFloat("Q8S").parts()[:3]:
            self._refuse(tensor, "dtype", QFloat("Q8S"), scheme)
        lines = shape[:2] + shape[3:] if len(shape) == 4 and shape[2] == 1 else shape
        if tensor.shape not in (shape, lines):
            self._refuse(tensor, "shape", shape, tensor.shape)
        if tensor.nbytes != scheme.nbytes(tensor.shape):
            self._refuse(tensor, "number of bytes", scheme.nbytes(tensor.shape), tensor.nbytes)
        behind = scheme.scales_nbytes(tensor.shape)
        if behind < _SPARE:
            self._refuse(tensor, "size of the scales", "at least %d bytes" % _SPARE, behind)
        return self._bytes(tensor)

    def _tensor(self, name: str, dtype: "Dtype", shape: "Shape | None") -> "Tensor":
        tensor = self._container.tensor(name)
        if tensor.dtype != dtype:
            self._refuse(tensor, "dtype", dtype, tensor.dtype)
        if shape is not None and tensor.shape != shape:
            self._refuse(tensor, "shape", shape, tensor.shape)
        return tensor

    def _bytes(self, tensor: "Tensor") -> "Buffer":
        """Return the bytes of a tensor, at any address."""
        data = tensor.data()
        return data if self._container.in_memory else self._kept_view(data)

    def _kept_view(self, data: "Buffer") -> memoryview:
        """Return a view of a buffer; one that is on the heap is counted, and kept."""
        if isinstance(data, bytearray):
            self.copied += len(data)
            self._kept.append(data)
        return memoryview(data)

    def _refuse(self, tensor: "Tensor", what: str, expected: object, found: object) -> "NoReturn":
        raise InvalidTensor("wrong %s" % what, tensor.name, expected=expected, found=found)


def _is_aligned(view: "Buffer") -> bool:
    return addressof is None or addressof(view) % WORD == 0
