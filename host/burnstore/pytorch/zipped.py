"""A checkpoint in a zip container, TorchScript's included."""

from burnpack.limits import Limits
from burnstore.io import sniff
from burnstore.pytorch import torchscript
from burnstore.pytorch.archive import CONSTANTS, ZipArchive
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.checkpoint import Checkpoint, facts
from burnstore.pytorch.storage import Storages
from burnstore.pytorch.unpickler import Unpickler

# Records that state a fact, under the names that they have here.
FACTS = {
    "version": "version",
    "format_version": ".format_version",
    "storage_alignment": ".storage_alignment",
}


def load_checkpoint(archive: ZipArchive, kind: str, limits: Limits) -> Checkpoint:
    """Return what is in a checkpoint's zip container. kind: its format, as `sniff.zip_kind` has it."""
    archive.enter()
    order = archive.byte_order()
    storages = Storages(archive.storage, limits.tensors)
    pickled, size = archive.pickle()
    budget = Budget(limits)
    unpickler = Unpickler(pickled, size, storages.load, budget)
    root = unpickler.load()
    beside: list[tuple[str, object]] = []
    module = root
    constants: tuple[object, ...] = ()
    if kind == sniff.TORCHSCRIPT:
        constants = load_constants(archive, storages, budget)
        root, beside = torchscript.read_module(root, constants, archive, limits)
    found = facts("torchscript" if kind == sniff.TORCHSCRIPT else "zip", order, unpickler.protocol)
    for key, record in FACTS.items():
        fact = archive.fact(record)
        if fact is not None:
            found.append((key, fact.decode("utf-8", "replace")))
    checkpoint = Checkpoint(root, storages, order == "big", found, beside)
    if kind == sniff.TORCHSCRIPT:
        from burnstore.exported.script.program import ScriptProgram  # only such files need it

        checkpoint.program = ScriptProgram(archive, module, constants, checkpoint, limits)
    return checkpoint


def load_inside(archive: ZipArchive, name: str, limits: Limits) -> Checkpoint:
    """Return the checkpoint that a record of an archive is."""
    inner = archive.inside(name)
    return load_checkpoint(inner, sniff.zip_kind(inner.names()), limits)


def load_constants(archive: ZipArchive, storages: Storages, budget: Budget) -> tuple[object, ...]:
    """Return the constants of TorchScript's code, whose storages lie in a folder of their own."""
    if not archive.has(CONSTANTS):
        return ()
    pickled, size = archive.pickle(CONSTANTS)
    found = Unpickler(pickled, size, lambda pid: storages.load(pid, "constants/"), budget).load()
    return found if type(found) is tuple else ()
