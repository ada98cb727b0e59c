"""A checkpoint out of its container, which is recognised by its content."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from burnpack.errors import BurnpackError, LimitExceeded, Unsupported
from burnpack.limits import Limits
from burnstore.io import sniff
from burnstore.io.collection import no_collection
from burnstore.pytorch import torchscript
from burnstore.pytorch.archive import CONSTANTS, ZipArchive
from burnstore.pytorch.bare import load_pickle
from burnstore.pytorch.budget import Budget
from burnstore.pytorch.checkpoint import Checkpoint, facts
from burnstore.pytorch.legacy import load_legacy
from burnstore.pytorch.storage import Storages
from burnstore.pytorch.unpickler import Unpickler

# Records that state a fact, under the names that they have here.
FACTS = {
    "version": "version",
    "format_version": ".format_version",
    "storage_alignment": ".storage_alignment",
}


@contextmanager
def loading(source: str | None) -> Iterator[None]:
    """Surround what makes objects of a file: errors get the file's name. source: what to call it."""
    try:
        with no_collection():
            yield
    except BurnpackError as error:
        raise error.within(source) from error.__cause__
    except RecursionError:
        raise LimitExceeded("nested too deeply for the caller's stack", source=source) from None
    except MemoryError:
        raise LimitExceeded("not enough memory for what the file holds", source=source) from None


def load(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a checkpoint's container, or raise what the bytes are instead."""
    if len(view) > limits.file:
        raise LimitExceeded("the file is too large", expected=f"at most {limits.file} bytes", found=len(view))
    kind = sniff.PYTORCH_ZIP if sniff.is_zip(view) else sniff.sniff_view(view)
    if kind not in LOADERS:
        raise Unsupported(f"a file of the format {kind}, no PyTorch checkpoint")
    return LOADERS[kind](view, limits)


def load_zip(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a zip container, TorchScript's included."""
    archive = ZipArchive(view, limits)
    kind = sniff.zip_kind(archive.names())
    archive.enter()
    order = archive.byte_order()
    storages = Storages(archive.storage, limits.tensors)
    pickled, size = archive.pickle()
    budget = Budget(limits)
    unpickler = Unpickler(pickled, size, storages.load, budget)
    root = unpickler.load()
    beside: list[tuple[str, object]] = []
    if kind == sniff.TORCHSCRIPT:
        constants = load_constants(archive, storages, budget)
        root, beside = torchscript.read_module(root, constants, archive, limits)
    found = facts("torchscript" if kind == sniff.TORCHSCRIPT else "zip", order, unpickler.protocol)
    for key, record in FACTS.items():
        fact = archive.fact(record)
        if fact is not None:
            found.append((key, fact.decode("utf-8", "replace")))
    return Checkpoint(root, storages, order == "big", found, beside)


def load_constants(archive: ZipArchive, storages: Storages, budget: Budget) -> tuple[object, ...]:
    """Return the constants of TorchScript's code, whose storages lie in a folder of their own."""
    if not archive.has(CONSTANTS):
        return ()
    pickled, size = archive.pickle(CONSTANTS)
    found = Unpickler(pickled, size, lambda pid: storages.load(pid, "constants/"), budget).load()
    return found if type(found) is tuple else ()


def load_tar(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a tar container."""
    from burnstore.pytorch import tar  # only the oldest files need it

    return tar.load_tar(view, limits)


LOADERS: dict[str, Callable[[memoryview, Limits], Checkpoint]] = {
    sniff.PYTORCH_ZIP: load_zip,
    sniff.TORCHSCRIPT: load_zip,
    sniff.PYTORCH_LEGACY: load_legacy,
    sniff.PYTORCH_TAR: load_tar,
    sniff.PICKLE: load_pickle,
}
