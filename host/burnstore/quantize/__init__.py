"""Quantizing: from a model in floats to one in integers, as `burnrt.Model` runs it on a board.

reference  the same pass in floats, over samples
statistics, ranges   what flows through it; the range of each value's numbers
calibrate  what each value's bytes stand for
methods, choice      ranges, weights and biases that lose least: fit, inputs, equalize, errors
weights, rescale, memory   integers; `burnstore.programs.integers` says what a file holds of them
rows       stripes of rows, for a smaller arena
mixed      weights of 4 bits, for all layers or those that lose least
wide, tables, widening   values of 16 bits, for the steps of these names or those that lose most
integer    the program, run here
measure, report   what it costs
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import Module
from burnstore.graph.fold import fold_scales
from burnstore.graph.fuse import fuse_clips
from burnstore.graph.layers import integer_network
from burnstore.graph.matrices import fold_moves
from burnstore.graph.states import tie
from burnstore.graph.wide import place_wide
from burnstore.models.eager import passes_bytes
from burnstore.models.running import input_names
from burnstore.programs.integers import program_of
from burnstore.programs.states import places_of
from burnstore.quantize.calibrate import all_bytes
from burnstore.quantize.choice import AUTO, CHOICES, held_out, methods_to_try, quantized_best
from burnstore.quantize.derived import derived
from burnstore.quantize.fixed import fix_rounded, pass_on
from burnstore.quantize.given import reference_of
from burnstore.quantize.integer import IntegerRun
from burnstore.quantize.mixed import BITS, MIXED, all_packed, note_moments, of_size
from burnstore.quantize.quantized import KEPT, Quantized
from burnstore.quantize.rows import in_arena
from burnstore.quantize.samples import samples_of
from burnstore.quantize.statistics import Flow
from burnstore.quantize.weights import PER
from burnstore.quantize.widening import widened


def quantize_model(
    model: Module,
    samples: Any,
    percentile: float | None = None,
    per: str = "channel",
    bits: int | str = 8,
    size: int | None = None,
    size_of: Callable[[Quantized], int] = lambda quantized: quantized.size,
    *,
    arena: int | None = None,
    states: Mapping[str | int, int] | Iterable[tuple[str | int, int]] = (),
    ranges: str = AUTO,
    floats: Iterable[str] = (),
    int16: Iterable[str] = (),
) -> Quantized:
    """Return a loaded model in integers.

    model: a `burnrt.nn.Module` with its weights.
    samples: (count, ...) numbers as the model is given them, without a batch each; what flows through it for
        these says what the integers must reach. Of a model of several inputs, a tuple of such arrays. None
        for a network that PyTorch has quantized, which says so itself.
    percentile: how much of the numbers of a value is within its range, as 99.99; None: all of them.
    per: "channel" for a scale for each output channel of a weight, "tensor" for one.
    bits: of a weight, 8 or 4, the latter where a layer can have them; "mixed": 4 for as many layers as a file
        of `size` bytes asks for, those that lose least on the samples.
    size_of: how many bytes the file of a model has, where it holds more than the model.
    arena: how many bytes of a board's memory all numbers may take. Where they would take more, convolutions
        and pools are computed in stripes of rows, by which no answer changes.
    states: of inputs that a run leaves to the next, {name or place of the input: place of the output that it
        becomes}, or pairs of these. Where the samples leave these inputs out, they are one stream, run one
        after the other.
    ranges: how ranges are found, and what else is done for the numbers: "minmax", "fitted",
        "mse" or "equalized"; "auto" takes what loses least on a quarter of the samples, which is held out.
    floats: the names of steps, as the report has them, or patterns with *, that are computed in floats.
    int16: the same of steps that compute on values of 16 bits; "auto": those that are found to lose most
        without.

    Raises `Unsupported` for what integers are not made for, `NotFound` for a name in `floats` or `int16` that
    no step has, `InvalidTensor` for numbers that can't be used.
    """
    if per not in PER:
        raise InvalidTensor("scales are per one of these", expected=" ".join(PER), found=per)
    if ranges not in CHOICES:
        raise InvalidTensor("ranges are one of these", expected=" ".join(CHOICES), found=ranges)
    if percentile is not None and not 50 < percentile <= 100:
        raise InvalidTensor("not a percentile", expected="more than 50, at most 100", found=percentile)
    if str(bits) not in BITS:
        raise InvalidTensor("weights have one of these bits", expected=" ".join(BITS), found=bits)
    if (bits == MIXED) != (size is not None):
        raise InvalidTensor("a size is given with mixed bits, and only with them", found=size)
    given = None if samples is None else samples_of(samples)
    if given is None and size is not None:
        raise InvalidTensor("samples are needed to find what loses least (--calibrate)", found=bits)
    ties = places_of(model, states.items() if isinstance(states, Mapping) else states)
    chosen, wide = ((names,) if isinstance(names, str) else tuple(names) for names in (floats, int16))
    reference = reference_of(model, given, ties, chosen)
    made = integer_network(reference.graph, chosen)
    tie(made, ties, input_names(model))
    fold_scales(made)
    fixed = fix_rounded(made)
    if passes_bytes(model):
        pass_on(made, fixed)
    fuse_clips(made)
    fold_moves(made)
    if wide and given is None:
        what = "samples are needed for the ranges of values of 16 bits (--calibrate)"
        raise InvalidTensor(what, found=wide[0])
    widening = None
    if AUTO in wide and given is not None:
        if len(wide) > 1:
            raise InvalidTensor("auto finds the steps itself, and takes no names beside it", found=wide)
        kept, held = held_out(reference, reference.given(given))
        methods = methods_to_try(ranges, kept, fixed, percentile)
        widening = widened(made, Flow(reference, kept), held, methods, per, fixed, percentile)
        wide = widening.taken
    place_wide(made, wide)
    if str(bits) != "8" and given is not None:
        note_moments(made, reference, given)
    if given is None:
        known = all_bytes(made, derived(made, fixed), fixed)
        best = Quantized(program_of(made, known, per), made, known, reference, KEPT)
    else:
        best = quantized_best(reference, made, given, per, fixed, ranges, percentile)
        best = replace(best, widening=widening)
    quantized = best

    def remade() -> Quantized:
        return replace(best, program=program_of(best.network, best.known, per, best.fits))

    if size is not None and given is not None:
        quantized = of_size(quantized, remade, given, size, size_of)
    elif str(bits) == "4":
        quantized = all_packed(quantized, remade)
    if arena is not None and (made.floats or made.wide):
        raise Unsupported("an arena can be asked for where all steps are in bytes", found=arena)
    if arena is not None:
        quantized = in_arena(quantized, arena, per)
        if size is not None and size_of(quantized) > size:
            what = "the file can't be so small, with so small an arena"
            raise Unsupported(what, expected=f"{size_of(quantized)} bytes at least", found=size)
    IntegerRun(quantized.to_bytes())  # it is checked as on a board
    return quantized
