"""A checkpoint out of its container, which is recognised by its content."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from burnpack.errors import BurnpackError, LimitExceeded, Unsupported
from burnpack.limits import Limits
from burnstore.io import sniff
from burnstore.io.collection import no_collection
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.bare import load_pickle
from burnstore.pytorch.checkpoint import Checkpoint
from burnstore.pytorch.legacy import load_legacy
from burnstore.pytorch.zipped import load_checkpoint


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
    """Return what is in a zip container, TorchScript's and exported programs' included."""
    archive = ZipArchive(view, limits)
    kind = sniff.zip_kind(archive.names())
    if kind == sniff.EXPORTED:
        from burnstore.exported.archive import load_exported  # only such files need it

        return load_exported(archive, limits)
    return load_checkpoint(archive, kind, limits)


def load_tar(view: memoryview, limits: Limits) -> Checkpoint:
    """Return what is in a tar container."""
    from burnstore.pytorch import tar  # only the oldest files need it

    return tar.load_tar(view, limits)


LOADERS: dict[str, Callable[[memoryview, Limits], Checkpoint]] = {
    sniff.PYTORCH_ZIP: load_zip,
    sniff.TORCHSCRIPT: load_zip,
    sniff.EXPORTED: load_zip,
    sniff.PYTORCH_LEGACY: load_legacy,
    sniff.PYTORCH_TAR: load_tar,
    sniff.PICKLE: load_pickle,
}
