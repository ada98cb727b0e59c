"""Options that several commands have, each written once: one name means one thing everywhere."""

import re
from collections.abc import Callable, Mapping
from math import inf, prod
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from burnpack.limits import EXPANSION
from burnstore.cli.streams import is_stream

_DIGITS = 18  # of a whole number: more than any size has, fewer than Python refuses to read
_NUMBERS = 1 << 26  # in an input: 256 MB of floats, more than any board holds
_SIZE = re.compile(r"([0-9]{1,18})([KMGT]?)(I?B)?", re.ASCII | re.IGNORECASE)
_BESIDE = "out"  # OUT as an argument of its own
ALONE = '"-" is the standard output. OUT can also follow without -o.'

Shape = tuple[int, ...]
Decorator = Callable[[Any], Any]


class _Output(click.Option):
    """-o OUT, which may also be given without -o, as the last argument."""

    def consume_value(self, context: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """Return the value, and where it is from. Refuse two."""
        value, source = super().consume_value(context, opts)
        beside = opts.get(_BESIDE)
        if not isinstance(beside, str):
            return value, source
        if isinstance(value, str):
            raise click.UsageError(f"OUT is given twice: -o {value}, and {beside}", context)
        return beside, ParameterSource.COMMANDLINE


class _Beside(click.Argument):
    """OUT without -o, which the usage leaves to the help of -o."""

    def get_usage_pieces(self, context: click.Context) -> list[str]:
        """Return nothing."""
        return []


class File(click.Path):
    """A file's path. "-" is refused where it is no stream: a file of that name is hardly meant."""

    def __init__(self, allows_stream: bool = False, path_type: type = str) -> None:
        super().__init__(path_type=path_type)
        self.allows_stream = allows_stream

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the path."""
        if not value:
            self.fail("the name of the file is empty", parameter, context)
        if is_stream(value) and not self.allows_stream:
            what = 'only the model and OUT can be standard streams; "./-" is a file of this name'
            self.fail(what, parameter, context)
        return super().convert(value, parameter, context)


def model(metavar: str = "MODEL.bpk") -> Decorator:
    """Return the argument of a command that reads a model; "-" is the standard input: see `readable`."""
    return click.argument("source", metavar=metavar, type=File(allows_stream=True))


def output(
    metavar: str, help: str, required: bool = True, alone: bool = True, is_folder: bool = False
) -> Decorator:
    """Return -o. alone: whether OUT is taken without -o, too. is_folder: then it can't be a stream."""

    def check(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
        if is_folder and value is not None and is_stream(value):
            raise click.BadParameter("a folder is written, which no stream takes", context, parameter)
        return value

    option = click.option(
        "-o",
        "--output",
        cls=_Output,
        metavar=metavar,
        required=required,
        type=click.Path(path_type=Path),
        callback=check,
        help=help,
    )
    beside = click.argument(_BESIDE, cls=_Beside, required=False, expose_value=False, type=click.Path())
    return lambda function: option(beside(function)) if alone else option(function)


def digest(help: str) -> Decorator:
    """Return the option that asks for the digest of a content."""
    return click.option("--digest", is_flag=True, help=help)


def everything(help: str) -> Decorator:
    """Return the option that shows what is left out of a long answer."""
    return click.option("--all", "everything", is_flag=True, help=help)


def overwrite(what: str = "OUT") -> Decorator:
    """Return the option that allows to replace what is there."""
    return click.option("--overwrite", is_flag=True, help=f"Replace {what} if it exists.")


def module(help: str, required: bool = False) -> Decorator:
    """Return the option that names a model's class."""
    return click.option(
        "--module",
        metavar="FILE:CLASS",
        required=required,
        type=click.Path(),  # for completion
        callback=_class_of,
        help=help,
    )


def _class_of(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and not all(value.rpartition(":")[::2]):
        what = f'a class is named as FILE:CLASS, as in "model.py:Net", not "{value}"'
        raise click.BadParameter(what, context, parameter)
    return value


def class_file(module: str | None) -> str | None:
    """Return the file of "FILE:CLASS", or None."""
    return module.rpartition(":")[0] if module else None


def march(help: str) -> Decorator:
    """Return the option that names a processor."""
    from burnstore.boards.runtime.cross import ARCHITECTURES  # which imports more than most commands need

    named = f"{help} It is named as mpy-cross names it: {', '.join(ARCHITECTURES)}."
    return click.option("--march", metavar="ARCH", type=click.Choice(ARCHITECTURES), help=named)


port = click.option(
    "--port", metavar="PORT", help="The board's serial port. Without it, the first board on USB."
)

top_level_key = click.option(
    "--top-level-key",
    metavar="KEY",
    help='Where the weights are in the dict of a PyTorch file, as in "model" or "state.model"; "" is no key. '
    "Without it, the key is found if it is clear.",
)


def inputs(required: bool = False) -> Decorator:
    """Return the option for files with a model's inputs: see `burnstore.models.given`."""
    return click.option(
        "--input",
        "inputs",
        metavar="FILE",
        multiple=True,
        required=required,
        type=File(),
        help="A .npy file with an input of the model, its batch first. It is given once for each input, in "
        "order, case by case. A .npz or .safetensors file with input0, input1, ... has all inputs of a case.",
    )


def expected(without: str) -> Decorator:
    """Return the option for files with the answers to them. without: what happens if it isn't given."""
    return click.option(
        "--expect",
        "expected",
        metavar="FILE",
        multiple=True,
        type=File(),
        help="What the model must answer, in the same way: a .npy file for each output, or a file with "
        f"output0, output1, ..., which may be that of --input. {without}",
    )


def cases(help: str, most: int | None = None) -> Decorator:
    """Return the option that says how many cases there are."""
    return click.option("--cases", metavar="N", type=click.IntRange(1, most), help=help)


def shapes(use: str) -> Decorator:
    """Return the option for the shape of each input. use: what it is used for."""
    return click.option(
        "--shape",
        "shapes",
        metavar="N,N,...",
        multiple=True,
        callback=shapes_of,
        help=f'The shape of an input, its batch first, as in "1,1,28,28": once for each input. {use}',
    )


def states() -> Decorator:
    """Return the option that ties inputs to outputs."""
    return click.option(
        "--state",
        "states",
        metavar="INPUT=N",
        multiple=True,
        callback=ties_of,
        help="Let each run leave an input to the next: output N, counted from 0, becomes the input of this "
        "name, or number. It can be repeated.",
    )


def tolerance(without: str) -> Decorator:
    """Return the option that says how far a number may be off. without: what holds if it isn't given."""
    return click.option(
        "--tolerance",
        metavar="NUMBER",
        type=float,
        callback=tolerance_of,
        help=f"How far a number may be off, as a part of it, or of 1 where it is smaller. {without}",
    )


def shapes_of(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[Shape, ...]:
    """Return what was given as "1,1,28,28", each time."""
    return tuple(_shape(value, context, parameter) for value in values)


def pairs_of(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return what was given as "A=B", each as (A, B); the first "=" divides."""
    pairs = []
    for value in values:
        left, equals, right = value.partition("=")
        if not equals:
            raise click.BadParameter(f'"{value}" has no "="', context, parameter)
        pairs.append((left, right))
    return tuple(pairs)


def ties_of(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, int], ...]:
    """Return what was given as "h=1", each as an input and the number of an output."""
    pairs = pairs_of(context, parameter, values)
    for given, made in pairs:
        if not given or not is_whole(made):
            what = f'a state is an input, "=" and the number of an output, as in "h=1", not "{given}={made}"'
            raise click.BadParameter(what, context, parameter)
    return tuple((given, int(made)) for given, made in pairs)


def bytes_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return what was given as "4096", "192K", "2M", "500MB" or "4GiB"; only MB and its like are by 1,000."""
    if value is None:
        return None
    found = _SIZE.fullmatch(value)
    if not found:
        what = 'sizes are written as "4096", "192K", "2M", "500MB" or "4GiB"'
        raise click.BadParameter(what, context, parameter)
    digits, prefix, ending = found.groups(default="")
    base = 1000 if ending.upper() == "B" else 1024
    return int(digits) * int(base ** " KMGT".index(prefix.upper() or " "))


def some_bytes_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return the same, 1 at least."""
    size = bytes_of(context, parameter, value)
    if size == 0:
        raise click.BadParameter("a size of 1 byte or more is needed", context, parameter)
    return size


def tolerance_of(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Return a tolerance that a test can pass and fail."""
    if value is not None and not 0 <= value < inf:
        raise click.BadParameter("a tolerance is a number from 0 on", context, parameter)
    return value


def _shape(value: str, context: click.Context, parameter: click.Parameter) -> Shape:
    words = value.split(",")
    if not all(is_whole(word) and int(word) for word in words):
        what = 'extents are written as "1,1,28,28", each 1 or more'
        raise click.BadParameter(what, context, parameter)
    shape = tuple(map(int, words))
    if prod(shape) > _NUMBERS:
        what = f"an input of more than {_NUMBERS:,} numbers is more than any board holds"
        raise click.BadParameter(what, context, parameter)
    return shape


def is_whole(word: str) -> bool:
    """Tell whether a word is a whole number of sensible length."""
    return word.isascii() and word.isdecimal() and len(word) <= _DIGITS


max_expansion = click.option(
    "--max-expansion",
    "expansion",
    metavar="BYTES",
    callback=bytes_of,
    help="How many bytes the expanded tensors of a PyTorch file may have beyond those that the file holds "
    f"of them. [default: {EXPANSION:,}]",
)
