"""The program that a conversion writes into a file, or leaves out."""

from collections.abc import Sequence
from typing import NamedTuple

from burnpack.errors import BurnpackError, Unsupported, printable
from burnpack.layout import aligned
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnstore.io.beside import PROGRAM, STEPS_KEY, VERSION_KEY, has_program
from burnstore.io.container import Container
from burnstore.pipeline.layouts import BURN
from burnstore.pipeline.options import Options, Pairs, Shapes, Ties, shapes_of

_ATTRIBUTE = "input_shape"  # of a class
_LEFT_OUT = "the program is left out, as it reads the file as it was; --module and --shape write it anew"
_HOW = f"--shape (or {_ATTRIBUTE} in the class) says what shape the input has"


class Programmed(NamedTuple):
    """tensor: the program, to be written before all others, or None. metadata: what goes with it."""

    tensor: Tensor | None
    metadata: Pairs = ()
    notes: tuple[str, ...] = ()


def programmed(
    module: Module | None, tensors: Sequence[Tensor], reader: Container, kind: str, options: Options
) -> Programmed:
    """Return the program of what is written, and notes on it.

    It is made of the module, where an input's shape is known. One that the source has is kept where its
    tensors are written as they are, and left out where they are not. Raises what makes it impossible to write
    a program that is asked for.
    """
    if options.shape or options.state:
        _check_asked(module, kind, options)
        return _written(module, options.shape or _classs_shapes(module), tensors, options.state)
    old = has_program(reader)
    if old and kind == "burnpack" and module is None and _stay(tensors, reader, options):
        return Programmed(reader.tensor(PROGRAM), _of_program(reader))
    notes = [_LEFT_OUT] if old else []
    if kind == "burnpack" and module is not None and _runs(module) and options.to_layout in (None, BURN):
        return _with_classs_shape(module, tensors, notes)
    return Programmed(None, (), tuple(notes))


def without_program(metadata: Pairs) -> Pairs:
    """Return a file's metadata without those of its program."""
    return tuple(pair for pair in metadata if pair[0] not in (VERSION_KEY, STEPS_KEY))


def _check_asked(module: Module | None, kind: str, options: Options) -> None:
    if module is None:
        raise Unsupported("a program is made of the model's class, which --module names", _HOW)
    if kind != "burnpack":
        raise Unsupported("only a .bpk has a program, which a shape is for", found=kind)
    if options.to_layout not in (None, BURN):
        raise Unsupported("a program reads Burn's layout", expected=BURN, found=options.to_layout)


def _with_classs_shape(module: Module, tensors: Sequence[Tensor], notes: list[str]) -> Programmed:
    """Return the program for the shape that the class says; where there can be none, a note says why."""
    try:
        return _written(module, _classs_shapes(module), tensors)
    except BurnpackError as error:
        return Programmed(None, (), (*notes, printable(f"no program for boards is written: {error}")))


def _classs_shapes(module: Module | None) -> Shapes:
    """Return the shapes of inputs that a class says. Raises `Unsupported` where it says none."""
    try:
        found = shapes_of(getattr(type(module), _ATTRIBUTE, None))
    except TypeError as error:
        raise Unsupported(str(error), _ATTRIBUTE) from None
    if not found:
        raise Unsupported(_HOW)
    return found


def _written(module: Module | None, shapes: Shapes, tensors: Sequence[Tensor], ties: Ties = ()) -> Programmed:
    from burnstore.programs.floats import program_of  # and with it numpy and the layers
    from burnstore.programs.states import places_of

    assert module is not None
    form = program_of(module, shapes, tensors, places_of(module, ties))
    return Programmed(form.tensor(tensors), tuple(form.metadata()))


def _runs(module: Module) -> bool:
    """Tell whether a module is made of the layers that run here."""
    return all(getattr(type(module), name, None) is not None for name in ("forward", "plan"))


def _stay(tensors: Sequence[Tensor], reader: Container, options: Options) -> bool:
    """Tell whether a file's tensors are written as they are, and where they are from its program on."""
    own = [tensor for tensor in reader if tensor.name != PROGRAM]
    if options.adapter is not None or [_facts(each) for each in own] != [_facts(each) for each in tensors]:
        return False
    first, end = reader.span(PROGRAM) or (0, 0)
    for tensor in own:
        start = first + aligned(end - first)
        if reader.span(tensor.name) != (start, start + tensor.nbytes):
            return False
        end = start + tensor.nbytes
    return True


def _facts(tensor: Tensor) -> tuple[object, ...]:
    return tensor.name, tensor.dtype, tensor.shape, tensor.nbytes


def _of_program(reader: Container) -> Pairs:
    return tuple(pair for pair in reader.metadata() if pair[0] in (VERSION_KEY, STEPS_KEY))
