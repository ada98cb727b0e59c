"""A quantized model in its file: checked once, then trusted."""

from burnpack.dtype import count
from burnpack.errors import BurnpackError, InvalidTensor, LimitExceeded, Malformed, NotFound, Unsupported
from burnrt.allocation import WORD
from burnrt.int8 import check, flow
from burnrt.int8.plan import Plan
from burnrt.int8.program import NAME, Program
from burnrt.int8.tensors import Tensors
from burnrt.kernels.int8.memory import words as words_in

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any, Self

    from burnpack.container import Container
    from burnpack.loading_store import LoadingStore
    from burnpack.types import Scalar
    from burnrt.int8.check import Step
    from burnrt.value import Value


VERSION = "1"
_LAST = ("", "LogSoftmax")
_SCALE_LEAST, _SCALE_MOST = 2.0**-126, 2.0**127


class Model:
    """A model in integers, as `burnstore quantize` wrote it, used in place.

        found = blob.find("digits")
        model = int8.Model(found.reader())
        print(model(pixels).argmax())

    container: an opened Burnpack, which must stay open and unchanged. From memory, weights are used where
        they lie, and so are all others where the file lies at a multiple of 4. From a file, all are read.
    work: how many numbers a run may look at, at most; None is 600 million, on a board 2²⁸.
    input_shape, output_shape: tuples, the batch, which is 1, first.
    input_scale, input_zero, output_scale, output_zero: what the bytes that go in and come out stand for:
        x = (byte - zero) · scale.
    last: "LogSoftmax" where that is left to be computed in floats, else "".
    steps: list of (operation, weight, constants, words), as kernels take them.
    arena: bytes in which all numbers flow.
    input_at, output_at: where in the arena the numbers are that come in and go out.
    copied: bytes of the file that had to be put on the heap.

    Everything in the file is checked here. Raises `BurnpackError`, which says what is wrong where.
    """

    input_at: int
    output_at: int
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]
    input_scale: float
    input_zero: int
    output_scale: float
    output_zero: int
    last: str
    steps: "list[tuple[str, Any, Any, Any]]"
    arena: int
    copied: int

    _plan: "Plan | None"

    def __init__(self, container: "Container", work: int | None = None) -> None:
        if not hasattr(container, "scalars"):
            what = "takes an opened Burnpack, as blob.find(NAME).reader()"
            raise InvalidTensor(what, "int8.Model", found=type(container).__name__)
        try:
            self._read(container, check.WORK_MOST if work is None else work)
        except BurnpackError as error:
            raise error.within(container.source)
        except MemoryError:
            raise LimitExceeded("the model takes more memory than there is", None, container.source)

    @classmethod
    def from_store(cls, store: "LoadingStore") -> "Self":
        """Return the model in a store, as `BurnpackStore.from_file("digits.bpk")` on a computer."""
        return cls(store.container())

    def plan(self, shape: "Sequence[int] | None" = None, arena: "Any" = None) -> "Plan":
        """Return a `burnrt.int8.plan.Plan`, which runs the model without allocating.

        shape: of the input, which the file says; `InvalidTensor` is raised for another.
        arena: the caller's own bytes, or None.
        """
        if shape is not None and tuple(shape) != self.input_shape:
            raise InvalidTensor("wrong input shape", "the model", None, None, self.input_shape, tuple(shape))
        return Plan(self, arena)

    def __call__(self, values: "Any") -> "Value":
        """Return the answer to an input as a new `Value`; the first call makes a plan and keeps it."""
        if self._plan is None:
            self._plan = self.plan()
        return self._plan(values)

    def __repr__(self) -> str:
        facts = (len(self.steps), self.input_shape, self.output_shape)
        return "Model(%d steps in integers, %r to %r)" % facts

    def _read(self, container: "Container", work_most: int) -> None:
        self._plan = None
        self._tensors = tensors = Tensors(container)  # keeps what the steps have the address of
        text = _facts(container, self)
        words, size, view = tensors.words(NAME)
        program = Program(words, size)
        self.arena, self.input_at, self.output_at = program.arena, program.input_at, program.output_at
        self.input_shape, self.output_shape = program.input_shape, program.output_shape
        places = flow.Places(self.arena)
        flow.check_input(program, places)
        self.steps = []
        work = check.END_WORK * (count(self.input_shape) + count(self.output_shape))
        name = "input"
        for operation, name, start, end in program.rows(text):
            words = words_in(view[WORD * start : WORD * end])
            step = check.Step(operation, name, words)
            work += step.work
            check.check_work(work, work_most)
            flow.check_flow(step, places)
            self.steps.append((operation,) + _constants(step, tensors) + (words,))
        flow.check_output(program, places)
        self.copied = tensors.copied
        scalars = dict(container.scalars())
        self.input_scale, self.input_zero = _scale(scalars, "input")
        self.output_scale, self.output_zero = _scale(scalars, name)


def _constants(step: "Step", tensors: "Tensors") -> "tuple[Any, Any]":
    """Return (weight, constants) of a step; what it has not is its words, as kernels want some buffer."""
    weight = constants = step.words
    if step.columns:
        constants = tensors.columns(step.name, step.columns, step.rescale)
        check.check_columns(step, constants)
    if step.weight:
        weight = tensors.weight(step.name, step.weight)
    if step.operation == "lookup":
        weight = tensors.table(step.name)
    if step.operation == "softmax":
        constants = tensors.powers(step.name)
        check.check_powers(step, constants)
    return weight, constants


def _facts(container: "Container", model: "Model") -> str:
    """Set what the metadata says; return the text of the steps."""
    texts = dict(container.metadata())
    if "int8.steps" not in texts:
        raise NotFound("a model in floats: `burnstore quantize` makes one in integers")
    if texts.get("int8.version") != VERSION:
        found = texts.get("int8.version")
        raise Unsupported("written by another version", "int8.version", None, None, VERSION, found)
    model.last = texts.get("int8.last", "")
    if model.last not in _LAST:
        raise Unsupported("unknown last layer", "int8.last", None, None, _LAST[1], model.last)
    return texts["int8.steps"]


def _scale(scalars: "dict[str, Scalar]", name: str) -> tuple[float, int]:
    """Return (scale, zero point) of the numbers called `name`."""
    for what in (".scale", ".zero_point"):
        if name + what not in scalars:
            raise NotFound("no scalar of this name", name + what)
    kind, scale = scalars[name + ".scale"]
    # All is computed in binary32, where a number out of these bounds is 0, or has no inverse, or no end.
    if kind != "Float" or not _SCALE_LEAST <= scale <= _SCALE_MOST:
        expected = "%g to %g" % (_SCALE_LEAST, _SCALE_MOST)
        raise Malformed("wrong scale", name + ".scale", None, None, expected, scale)
    kind, zero = scalars[name + ".zero_point"]
    if kind not in ("Int", "UInt") or not 0 <= zero <= 255:
        raise Malformed("wrong zero point", name + ".zero_point", None, None, "0 to 255", zero)
    return scale, zero  # type: ignore[return-value] # the kinds say so
