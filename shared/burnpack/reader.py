"""Reading a Burnpack container."""

from burnpack import layout
from burnpack.container import Container
from burnpack.errors import LimitExceeded
from burnpack.index import Index
from burnpack.limits import Limits

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.container import Memory, Stream
    from burnpack.types import BurnpackIndex


class Reader(Container):
    """A Burnpack container: opened by `from_bytes`, `from_static` or `from_stream`.

    All that Burn 0.19 to 0.22 wrote is read.
    """

    format = "burnpack"
    _index: "BurnpackIndex"
    _index_of: "Callable[[memoryview, Limits], BurnpackIndex]" = Index  # the host puts a faster one here

    @property
    def version(self) -> int:
        """The format version in the header."""
        return self._index.format_version

    @property
    def dialect(self) -> str:
        """The release of Burn that writes in this form: "0.19", "0.20", "0.20-0.21" or, today's, "0.22"."""
        return self._index.dialect()

    @classmethod
    def _open(cls, source: "Memory | Stream", limits: "Limits | None") -> "BurnpackIndex":
        limits = limits or Limits()
        if source.size > limits.file:
            raise LimitExceeded(
                "the file is too large", None, None, None, "at most %d" % limits.file, source.size
            )
        version, size = layout.parse_header(source.take(0, min(source.size, layout.HEADER_SIZE)), limits)
        layout.check_metadata(size, source.size)
        index = cls._index_of(memoryview(source.take(layout.HEADER_SIZE, size)), limits)

        def padding_is_zero(start: int, end: int) -> bool:
            return not any(source.take(start, end - start))

        index.format_version = version
        index.data_start, index.packed = layout.data_start(index, size, source.size, padding_is_zero)
        return index
