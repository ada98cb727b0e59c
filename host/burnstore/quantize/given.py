"""Which shapes the inputs of a model have, as samples of them show."""

from collections.abc import Mapping, Sequence

from burnpack.errors import BurnpackError, InvalidTensor, Unsupported
from burnpack.module import Module
from burnstore.quantize.reference import Reference
from burnstore.quantize.samples import Samples, Shape, of_another_shape


def reference_of(
    model: Module, samples: Samples | None, states: Mapping[int, int], floats: Sequence[str] = ()
) -> Reference:
    """Return the reference of a model for samples, each without its batch, or whole where it says its shapes.

    samples: None of a model that says its shapes. Raises `InvalidTensor` for another without samples,
    `Unsupported` where the shape of a state is not known, and what following the model raises.
    """
    known = getattr(model, "input_shapes", None)
    if known is not None:
        reference = Reference(model, known, states, floats)
        if samples is not None:
            reference.given(samples)  # which refuses others
        return reference
    if samples is None:
        what = "samples are needed to quantize this model (--calibrate), or shapes of its inputs (--shape) "
        what += "where PyTorch has quantized all"
        raise InvalidTensor(what, type(model).__name__)
    left_out = _left_out(model, samples, states)
    if left_out:
        what = "give samples of the states, too: the model does not say their shapes"
        raise Unsupported(what, "the samples", found=len(samples))
    return _found(model, samples, states, floats)


def _left_out(model: Module, samples: Samples, states: Mapping[int, int]) -> bool:
    """Tell whether samples are of the inputs that are no states alone."""
    return any(place >= len(samples) for place in states)


def _found(model: Module, samples: Samples, states: Mapping[int, int], floats: Sequence[str]) -> Reference:
    """Return the reference for inputs that are as samples behind a batch of one, or as whole samples."""
    try:
        return Reference(model, [(1, *array.shape[1:]) for array in samples], states, floats)
    except BurnpackError:
        if _takes(model, [(1, *array.shape) for array in samples]):  # all of it is one sample
            raise of_another_shape(samples[0], samples[0].shape) from None
        raise


def _takes(model: Module, shapes: list[Shape]) -> bool:
    try:
        Reference(model, shapes)
    except BurnpackError:
        return False
    return True
