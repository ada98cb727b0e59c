"""burnstore quantize"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from burnpack.apply import refusal
from burnpack.errors import InvalidTensor, LoadFailed, SaveFailed, Unsupported, printable
from burnpack.module import Module
from burnpack.reader import Reader
from burnstore.advice.conversions import converting
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, lines_of, note
from burnstore.cli.streams import readable, shown, writable
from burnstore.cli.targets import check_new
from burnstore.comparing.sealing import is_to_seal, sealing, to_seal
from burnstore.exported.opening import has_graph
from burnstore.io.beside import has_program, is_beside
from burnstore.io.files import Buffer, replace_all
from burnstore.io.npy import load_array
from burnstore.io.opened import OpenedFile, open_burnpack, open_model
from burnstore.models.comparison import DEVIATION
from burnstore.models.eager import has_integers
from burnstore.models.given import load_samples
from burnstore.models.loaded import load_exported, load_quantized
from burnstore.models.model import NEEDED, load_runnable
from burnstore.models.program import is_quantized, load_program
from burnstore.models.selftest import PREFIX, with_program_golden
from burnstore.pipeline.programs import without_program
from burnstore.pipeline.writing import Writer
from burnstore.programs.uses import STATES, uses_of
from burnstore.quantize import quantize_model
from burnstore.quantize.choice import AUTO, CHOICES
from burnstore.quantize.measure import Report, measure
from burnstore.quantize.mixed import BITS, MIXED
from burnstore.quantize.noise import noise
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.report import plain, text_of
from burnstore.quantize.samples import Samples
from burnstore.quantize.weights import PER

_FEW = 32  # samples: with fewer, a range is likely to miss what comes later
_SAME = "\n(on the samples that it was calibrated with; --input takes others)"
_NOISE = "\n(on noise all over the range of the input; --input takes samples)"

Files = list[tuple[Path, Iterable[Buffer]]]


@click.command(
    cls=Command,
    examples="""
    burnstore quantize digits.pt2 -o q8.bpk --calibrate some.npy
    burnstore quantize digits_pt2e.pt2 -o kept.bpk
    burnstore quantize activity.pt2 -o activity.bpk --state h=1 --calibrate motions.npy
    burnstore quantize digits.bpk -o small.bpk --module model.py:DigitsNet --calibrate some.npy
    burnstore quantize digits.bpk -o other.bpk --module model.py:DigitsNet --calibrate some.npy --input x.npy
    burnstore quantize digits.bpk -o q.bpk --module model.py:DigitsNet --calibrate some.npy --report q.json
    burnstore quantize digits.bpk -o q4.bpk --module model.py:DigitsNet --calibrate some.npy --bits 4
    burnstore quantize digits.pt2 -o mixed.bpk --calibrate some.npy --bits mixed --size 8000
    burnstore quantize digits.pt2 -o floats.bpk --calibrate some.npy --float fc2 --float 'conv*'
    burnstore quantize digits.pt2 -o less.bpk --calibrate some.npy --arena 40000
    """,
)
@options.model("MODEL")
@options.output("OUT.bpk", f"The file to write. {options.ALONE}")
@options.module("The model's class. An exported program (.pt2) needs none.")
@click.option(
    "--calibrate",
    metavar="FILE",
    type=options.File(),
    help="A .npy file with inputs as the model meets them, (count, ...), some hundreds. They give the ranges "
    "of numbers. A .npz or .safetensors file with input0, input1, ... has those of several inputs. Where the "
    "states are left out, the rows are one stream. A network that PyTorch has quantized (.pt2) needs samples "
    "only for what it has left in floats.",
)
@options.shapes("Needed of a PyTorch checkpoint whose values are quantized, without --calibrate.")
@options.states()
@click.option(
    "--ranges",
    type=click.Choice(CHOICES),
    default=AUTO,
    show_default=True,
    help="What ranges, weights and biases are found by: the least and the largest number (minmax), weights "
    "and biases fitted to the samples, too (fitted), ranges of least error (mse), channels made alike before "
    "(equalized), or what loses least on some of the samples, which are held out (auto).",
)
@click.option(
    "--percentile",
    type=click.FloatRange(50, 100, min_open=True),
    help="Leave rare numbers outside the ranges: this many percent lie within each end, as in 99.99.",
)
@click.option(
    "--per",
    type=click.Choice(PER),
    default=PER[0],
    show_default=True,
    help="What has a scale of its own: each output channel of a weight, or the whole weight.",
)
@click.option(
    "--bits",
    type=click.Choice(BITS),
    default=BITS[0],
    show_default=True,
    help="How many bits a weight has. 4 are for Linears and 1×1 convolutions, other layers keep 8; mixed "
    "chooses the layers that lose least, as many as --size asks for.",
)
@click.option(
    "--float",
    "floats",
    metavar="NAME",
    multiple=True,
    help="Compute the step of this name, as the report has it, in floats; * stands for anything, as "
    "in 'head.*'. It can be repeated. For steps that lose too much in bytes, or that integers can't compute; "
    "slow on a board without an FPU.",
)
@click.option(
    "--int16",
    metavar="NAME",
    multiple=True,
    help="Compute the step of this name, as the report has it, on values of 16 bits; * stands for anything. "
    "It can be repeated. auto finds the steps that lose most in bytes, by trying them.",
)
@click.option(
    "--size",
    metavar="BYTES",
    type=click.IntRange(min=1),
    help="How large the file may be, with --bits mixed.",
)
@click.option(
    "--arena",
    metavar="BYTES",
    type=click.IntRange(min=1),
    help="How much RAM all numbers may take. Where they would take more, convolutions and pools are computed "
    "in stripes of rows: in more steps, with the same answers.",
)
@click.option(
    "--input",
    "--samples",
    "samples",
    metavar="FILE",
    type=options.File(),
    help="A file with other inputs, on which to compare with the model in floats. Without it, those of "
    "--calibrate are used. (--samples is its older name.)",
)
@click.option(
    "--labels",
    metavar="FILE",
    type=options.File(),
    help="A .npy file with the right class for each of these inputs, a whole number.",
)
@click.option(
    "--scores/--no-scores",
    default=None,
    help="Whether the answers are scores of classes, of which the largest are compared, too. Without it they "
    "are taken for scores with --labels or a softmax at the end.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=options.File(path_type=Path),
    help="Write what --json prints to this file, too.",
)
@options.digest("Write the SHA-256 of the content into the metadata, as convert does.")
@options.overwrite("OUT, and the report,")
def quantize(
    source: str,
    module: str | None,
    calibrate: str | None,
    shapes: tuple[options.Shape, ...],
    states: tuple[tuple[str, int], ...],
    output: Path,
    ranges: str,
    percentile: float | None,
    per: str,
    bits: str,
    floats: tuple[str, ...],
    int16: tuple[str, ...],
    size: int | None,
    arena: int | None,
    samples: str | None,
    labels: str | None,
    scores: bool | None,
    report: Path | None,
    digest: bool,
    overwrite: bool,
) -> None:
    """Make a model compute in integers: weights of a byte, bytes between the layers.

    MODEL is a network of torch.export.save (.pt2), or a .bpk with --module, or with it and --shape a .pt of
    torch.ao.quantization's modules. The result runs as
    `burnrt.Model`, without the model's class. The report tells how far each step is from the floats.
    """
    if (bits == MIXED) != (size is not None):
        raise click.UsageError("--bits mixed and --size BYTES go together: neither says enough alone")
    read = calibrate, samples, labels, options.class_file(module)
    _check_targets(source, output, report, read, overwrite)  # before anything takes time
    if labels and scores is False:
        raise click.UsageError("--labels and --no-scores exclude each other: labels are of classes")
    given = load_samples(calibrate) if calibrate else None
    tried = load_samples(samples) if samples else given
    right = _labels(labels, samples, given)
    path = Path(readable(source))
    with _opened(path, module) as opened:
        has_digest = is_to_seal(opened.reader, digest)
        model, left_out, sample = _loaded(module, opened, shapes)
        quantized = quantize_model(
            model,
            given,
            percentile,
            per,
            bits,
            size,
            lambda made: _writer(made, opened, _left(sample, made), has_digest)[0].size,
            arena=arena,
            states=states,
            ranges=ranges,
            floats=floats,
            int16=int16,
        )
        measured = measure(quantized, noise(quantized) if tried is None else tried, right, scores)
        proof = _left(sample, quantized)
        worst = max(each.worst for each in (measured, *measured.others))
        writer, chunks = _writer(quantized, opened, proof, has_digest, worst)
        sizes = (_size(opened), writer.size)
        data = {"output": str(output), **plain(measured), "size_before": sizes[0], "size_after": sizes[1]}
        with writable(output, ".bpk") as target:
            written: Files = [(target, chunks())]
            if report is not None:
                written.append((report, [json.dumps(data, indent=2).encode() + b"\n"]))
            replace_all(written, overwrite)
    if given is not None:
        _warn(quantized, given)  # here, what is no array of samples has been refused
    _note_left_out(left_out)
    widths = (quantized.known[end.value].width for end in quantized.network.inputs)
    of_proof = sum(each.size * width for each, width in zip(proof or (), widths, strict=False))
    answer(data, _lines(output, measured, sizes, of_proof, "" if samples else _SAME if calibrate else _NOISE))


def _labels(labels: str | None, samples: str | None, given: Samples | None) -> NDArray[Any] | None:
    """Return the labels, of the samples of --calibrate where there are no others."""
    if not labels:
        return None
    right = load_array(labels)
    if samples is None and (given is None or right.shape[:1] != given[0].shape[:1]):
        what = "not a label for each sample of --calibrate; --input names the samples that labels are of"
        raise InvalidTensor(what, source=labels)
    return right


def _check_targets(
    source: str, output: Path, report: Path | None, read: Sequence[str | None], overwrite: bool
) -> None:
    """Refuse targets that exist, that are one, or that would replace what is read. OUT may replace MODEL."""
    check_new(output, overwrite, read)
    if report is None:
        return
    check_new(report, overwrite, (source, *read))
    if os.path.realpath(report) == os.path.realpath(output):
        raise SaveFailed("the report can't go where the model goes", source=str(report))


def _left(sample: list[NDArray[Any]] | None, quantized: Quantized) -> list[NDArray[Any]] | None:
    """Return the inputs of a sample that are no states, or None."""
    states = quantized.reference.states
    return None if sample is None else [each for at, each in enumerate(sample) if at not in states]


def _warn(quantized: Quantized, samples: Samples) -> None:
    """Say where samples tell too little to calibrate with."""
    inputs = quantized.reference.given(samples)
    if len(inputs[0]) < _FEW:
        count = "one sample" if len(inputs[0]) == 1 else f"{len(inputs[0])} samples"
        note(
            f"calibrated with {count}: numbers beyond those in it will be cut off (a few hundred samples are "
            f"usual, fewer than {_FEW} are too few)"
        )
    if all(given.min() == given.max() for given in inputs):
        note("calibrated with samples of one number only: they say nothing of the range")
    elif len(inputs[0]) > 1 and all((given == given[:1]).all() for given in inputs):
        note("calibrated with samples that are all equal: they say no more than one of them")


def _opened(path: Path, module: str | None) -> OpenedFile:
    """Open what is quantized: a Burnpack, or without a class what says itself what it computes."""
    opened = open_model(path)
    if has_graph(opened.reader) if module is None else has_integers(opened.reader):
        return opened
    if module is not None:
        opened.close()
        return open_burnpack(path)
    with opened:
        _check_floats(opened)
        raise LoadFailed(NEEDED, source=opened.path, expected="FILE:CLASS")


def _check_floats(opened: OpenedFile) -> None:
    if is_quantized(opened.reader):
        raise Unsupported("is quantized already", source=opened.path)


def _size(opened: OpenedFile) -> int:
    """Return the bytes of a model in floats: its file's, or its tensors' where the file has other things."""
    if opened.reader.format == "burnpack":
        return len(opened.view)
    return sum(tensor.nbytes for tensor in opened.reader)


def _loaded(
    module: str | None, opened: OpenedFile, shapes: tuple[options.Shape, ...]
) -> tuple[Module, list[str], list[NDArray[Any]] | None]:
    """Return the model with its weights, names of tensors that it has no use for, and sample inputs."""
    if module is None:
        if shapes:
            raise click.UsageError("--shape is for a model of a class: MODEL says the shapes of its inputs")
        found = load_exported(opened)
        return found.module, [], found.samples
    if has_integers(opened.reader):
        return load_quantized(opened, module, shapes, note), [], None
    reader, model = opened.reader, load_runnable(module)
    _check_floats(opened)
    if has_program(reader) and STATES in uses_of(reader).ends:
        what = "has a program with states, and can't be quantized: what it was made of can be, with --state"
        raise Unsupported(what, source=opened.path)
    if shapes:
        vars(model)["input_shapes"] = list(shapes)
    result = model.apply(reader)
    if result.errors or result.missing:
        with converting(reader, model):
            raise refusal("the tensors do not fill the model", result, opened.path)
    return model, result.unused, None


def _writer(
    quantized: Quantized,
    opened: OpenedFile,
    sample: list[NDArray[Any]] | None,
    has_digest: bool,
    worst: float = 0.1,
) -> tuple[Writer, Callable[[], Iterator[Buffer]]]:
    """Return the writer of the quantized model, and what gives its bytes: see `sealing`.

    The texts and numbers of the one in floats come last.

    sample: inputs that become a self-test, with their answer in integers. has_digest: whether it is written.
    worst: how far answers are off.
    """
    tensors, scalars, own = quantized.tensors, quantized.scalars, dict(quantized.scalars)
    if sample is not None:
        data = quantized.to_bytes()
        tensors, tolerance = with_program_golden(Reader.from_static(data), load_program(data), [sample])
        scalars = [*scalars, *tolerance]
    scalars = [*scalars, (DEVIATION, float(np.float32(worst)))]
    for name, value in opened.reader.scalars():
        if name not in own and not name.startswith(PREFIX):
            scalars = [*scalars, (name, value)]
    of_file = opened.reader.metadata() if opened.reader.format == "burnpack" else []
    metadata = [*without_program(tuple(of_file)), *quantized.metadata]
    return sealing("burnpack", list(tensors), to_seal(metadata, has_digest), scalars)


def _note_left_out(names: list[str]) -> None:
    if any(name.startswith(PREFIX) for name in names):
        note("the self-test was of the model in floats, and is left out: see burnstore golden")
    others = sum(not is_beside(name) for name in names)
    if others:
        note(f"tensors left out that the model does not take: {others}")


def _lines(output: Path, report: Report, sizes: tuple[int, int], proof: int, on: str) -> Iterator[str]:
    """Yield the report. proof: bytes of the self-test's input."""
    yield from lines_of(text_of(report) + on)
    of_proof = f" ({proof:,} for the self-test's input)" if proof else ""
    yield (
        f"{printable(shown(output))}: {sizes[1]:,} bytes{of_proof}, of {sizes[0]:,} in floats; "
        f"{report.arena:,} bytes of RAM for all numbers, {report.macs:,} multiply-accumulates"
    )
