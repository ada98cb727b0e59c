"""What a source computes, where it says that itself: its class, its program's options, and its self-test.

Layers and functions are imported when there is such a source.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace as replaced
from functools import partial
from typing import TYPE_CHECKING, Any

from burnpack.errors import LoadFailed, SaveFailed, Unsupported
from burnpack.module import Module, walk
from burnpack.tensor import Tensor
from burnstore.exported.opening import has_graph, says
from burnstore.io.beside import COMPUTED
from burnstore.io.container import Container
from burnstore.naming.steps import NamedListing
from burnstore.pipeline.layouts import PYTORCH
from burnstore.pipeline.options import Options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from burnstore.models.exported import Exported

_WHOLE = (
    "the program of a network reads all of its tensors, under the names that the file has; "
    "--no-program (program=False) writes some of them, or under other names"
)


def network_of(reader: Container, kind: str, options: Options) -> "Exported | None":
    """Return what a source computes, if it says that and a program is to be written."""
    is_asked = has_graph(reader) or (options.shape and says(reader))  # who asks it of TorchScript, says so
    if kind != "burnpack" or not options.program or options.to_layout == PYTORCH or not is_asked:
        return None
    from burnstore.models.exported import exported

    return exported(reader, options.shape)


def with_computed(named: NamedListing, reader: Container, module: Module) -> NamedListing:
    """Return the tensors of an exported program, with those that its described class has computed."""
    lacking = {path for path, _, _ in walk(module)} - set(named.names())
    if not any(path.rpartition(".")[2].startswith(COMPUTED) for path in lacking):
        return named
    from burnstore.models.exported import exported

    computed = [tensor for tensor in exported(reader).constants if tensor.name in lacking]
    tensors = [*map(named.tensor, named.names()), *computed]
    return NamedListing(tensors, named.source, named.notes, named.metadata())


def for_network(network: "Exported", options: Options) -> Options:
    """Return the options for a network whose names are those of the file."""
    contiguous = bool(options.contiguous)
    return replaced(options, contiguous=contiguous, from_layout=PYTORCH, shape=network.shapes)


@contextmanager
def whole(network: "Exported | None", reader: Container) -> Iterator[None]:
    """Tell of a network that has not got its tensors within why a file's own network may lack some."""
    try:
        yield
    except LoadFailed:
        if network is None:
            raise
        raise Unsupported(_WHOLE, source=reader.source) from None


def check_whole(network: "Exported", tensors: Iterable[Tensor], reader: Container) -> None:
    """Refuse to write a program without all tensors that it reads."""
    lacking = {path for path, _, _ in walk(network.module)} - {tensor.name for tensor in tensors}
    if lacking:
        raise Unsupported(_WHOLE, min(lacking), source=reader.source)


def self_test(
    network: "Exported | None",
    tensors: list[Tensor],
    options: Options,
    answers: "list[NDArray[Any]] | None",
) -> tuple[list[Tensor], list[tuple[str, Any]]]:
    """Return the tensors and numbers of the case that a network's file has a sample of."""
    if network is None or network.samples is None:
        return [], []
    from burnstore.models.selftest import Judge, with_golden
    from burnstore.programs.states import places_of

    states = places_of(network.module, options.state)
    judge: Judge = list
    if answers is not None and not states and options.adapter is None:
        judge = partial(_judged, answers)
    found, scalars = with_golden(tensors, network.module, [network.samples], judge=judge, states=states)
    return found[len(tensors) :], scalars


def _judged(wanted: "list[NDArray[Any]]", found: "list[list[NDArray[Any]]]") -> "list[list[NDArray[Any]]]":
    """Return PyTorch's answers to the one case. Raises `SaveFailed` where those that are found are others."""
    from burnstore.models.comparison import deviations
    from burnstore.models.selftest import DEFAULT_TOLERANCE

    (answers,) = found
    what = "the program does not answer as PyTorch does: nothing is written"
    shapes, expected = ([list(each.shape) for each in arrays] for arrays in (answers, wanted))
    if shapes != expected:
        raise SaveFailed(what, "the answers", expected=expected, found=shapes)
    worst = max(deviations(*pair).max(initial=0) for pair in zip(answers, wanted, strict=True))
    if worst > DEFAULT_TOLERANCE:
        raise SaveFailed(what, expected=f"at most {DEFAULT_TOLERANCE} off", found=f"{worst:.2g}")
    return [wanted]
