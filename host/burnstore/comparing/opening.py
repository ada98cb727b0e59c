"""The tensors of a file of any format, and the digest of its content."""

from burnpack.hints import LAYOUT, PYTORCH
from burnpack.limits import Limits
from burnstore.comparing.digest import Content, content_of, digest_of
from burnstore.io.files import PathLike, Progress
from burnstore.io.opened import OpenedFile
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import selected


def content(opened: OpenedFile) -> Content:
    """Return the content of a file: of a PyTorch checkpoint what `convert` would write of it.

    That is what lies under its top-level key, without the facts of its container.
    """
    if opened.reader.format != "pytorch":
        return content_of(opened.reader)
    listing = selected(opened.reader, Options())
    return Content([listing.tensor(name) for name in listing.names()], [(LAYOUT, PYTORCH)])


def digest(path: PathLike, limits: Limits | None = None, progress: Progress | None = None) -> str:
    """Return the digest of a model's content, such as "sha256:9f86d0…", whatever the file's format.

    path: the file's, or that of the index of a sharded checkpoint.
    limits: how much is believed of what the file claims: a `Limits`.
    progress: is called with the number of bytes of each piece that is read.

    Raises `BurnpackError` for what is in the file, `OSError` for what the operating system refuses.
    """
    with OpenedFile(path, limits) as opened:
        return digest_of(content(opened), progress)
