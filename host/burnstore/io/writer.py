"""A Burnpack container written as Burn's `Writer` writes one: into a buffer or a file."""

from pathlib import Path

from burnpack import writer as shared
from burnpack.errors import SaveFailed
from burnstore.io.files import PathLike, overwrite_in_place, replace, with_default_suffix

_SUFFIX = ".bpk"


class Writer(shared.Writer):
    """`burnpack.writer.Writer`, for files too.

    Of the methods that write files: auto_extension: whether ".bpk" is appended to a path without an
    extension. overwrite: whether the file may exist.
    """

    def write_into(self, buffer: bytearray | memoryview) -> None:
        """Write the container into a buffer, from its beginning; what is behind stays as it is.

        Raises `SaveFailed` where the buffer is smaller than `size`.
        """
        target = memoryview(buffer).cast("B")
        if len(target) < self.size:
            raise SaveFailed("the buffer is too small", expected=self.size, found=len(target))
        start = 0
        for chunk in self.chunks():
            end = start + memoryview(chunk).nbytes
            target[start:end] = chunk
            start = end

    def write_to_file(self, path: PathLike, overwrite: bool = True, auto_extension: bool = True) -> None:
        """Write a file whole or not at all: a failure leaves what was there.

        path: the file's.
        overwrite: whether a file that exists may be replaced.
        auto_extension: whether a path without an extension gets ".bpk".

        Raises `SaveFailed` where nothing can be written, and what `chunks` raises.
        """
        replace(_target(path, auto_extension), self.chunks(), overwrite)

    def write_to_file_in_place(
        self, path: PathLike, overwrite: bool = True, auto_extension: bool = True
    ) -> None:
        """Write over a file, without a second one beside it: a failure leaves a part of the new one.

        path, overwrite, auto_extension: as in `write_to_file`.

        Raises `SaveFailed` where nothing can be written, and what `chunks` raises.
        """
        overwrite_in_place(_target(path, auto_extension), self.chunks(), overwrite)


def _target(path: PathLike, auto_extension: bool) -> Path:
    return with_default_suffix(Path(path), _SUFFIX) if auto_extension else Path(path)
