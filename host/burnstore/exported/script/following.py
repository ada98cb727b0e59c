"""A network in TorchScript, followed from its inputs to its answers: its graph."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burnpack.errors import NotFound, Unsupported, printable
from burnpack.limits import Limits
from burnstore.exported.graph import Argument, Graph, Ref, Shapes, by_name
from burnstore.exported.inplace import check_in_place
from burnstore.exported.script.code import Code
from burnstore.exported.script.machine import Dotted, Machine, Module
from burnstore.exported.script.network import ScriptNetwork
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.objects import Dict
from burnstore.pytorch.rebuild import TensorView
from burnstore.pytorch.storage import Storages
from burnstore.pytorch.unpickler import Unpickler

if TYPE_CHECKING:
    from burnstore.exported.script.program import ScriptProgram

TRACED = "traced_inputs.pkl"  # the inputs that a network was traced with, without their numbers


def followed(program: "ScriptProgram", shapes: Shapes, extents: Mapping[str, int]) -> Graph:
    """Return the graph of a network. shapes: of inputs, by name, for those that were not traced."""
    if extents:
        raise NotFound("no open extent of this name: TorchScript has none", next(iter(extents)))
    code = Code(program.archive)
    network = ScriptNetwork(program.checkpoint, program.constants, program.limits)
    module = network.module("", program.root)
    forward = code.method(module.owner, "forward")
    if forward is None:
        raise Unsupported("the code has no method forward", found=module.owner)
    names = [argument.arg for argument in forward.node.args.args][1:]
    needed = len(names) - len(forward.node.args.defaults)
    network.add_inputs(names, needed, by_name(shapes, names), _traced(program.archive, program.limits))
    given = [Ref(name) for name in network.graph.inputs]
    network.graph.outputs += _flat(Machine(code, network).call_method(module, "forward", given, {}))
    check_in_place(network.graph, {})
    return network.graph


def _traced(archive: ZipArchive, limits: Limits) -> list[TensorView]:
    """Return the inputs that a network was traced with, whose bytes are not in the file."""
    if not archive.has(TRACED):
        return []
    pickled, size = archive.pickle(TRACED)
    storages = Storages(archive.record, limits.tensors)
    found = Unpickler(pickled, size, storages.load, Budget(limits)).load()
    pairs = found.pairs if type(found) is Dict else []
    inputs = next((value for name, value in pairs if type(name) is str and name == "forward"), None)
    return [view for view in inputs if isinstance(view, TensorView)] if isinstance(inputs, list) else []


def _flat(value: Any) -> list[Argument]:
    """Return the answers, lists and tuples one after the other."""
    if isinstance(value, (list, tuple)):
        return [answer for part in value for answer in _flat(part)]
    if isinstance(value, (Module, Dotted)):
        raise Unsupported("the network answers what is no value", found=printable(str(value)))
    return [value]
