"""What lies between a file's tensors, and where they begin."""

from collections.abc import Iterator

from burnpack.layout import ALIGNMENT
from burnstore.io.container import Container

Found = tuple[str, str, str | None, str]  # level, what, item, detail


def between(reader: Container, view: memoryview) -> Iterator[Found]:
    """Yield the places before and between tensors that are not zeros, and the tensors that lie in others.

    view: the file's bytes. The reader has refused what lies behind the last tensor.
    """
    spans = sorted((*_span(reader, name), name) for name in reader.names())
    end, last, tied = None, None, None
    for start, stop, name in spans:
        if start == stop or (start, stop) == tied:
            continue
        tied = start, stop
        if end is not None and start < end:
            yield "warning", "its bytes are also another tensor's", name, f"{last}, up to byte {end:,}"
        elif end is not None and any(view[end:start]):
            yield "warning", "something else than zeros before it", name, f"bytes {end:,} to {start:,}"
        if end is None or stop > end:
            end, last = stop, name


def alignment(reader: Container) -> Iterator[Found]:
    """Yield that a Burnpack's tensors lie where boards can't use them in place."""
    if reader.format != "burnpack":
        return
    off = [name for name in reader.names() if _span(reader, name)[0] % ALIGNMENT]
    if off:
        what = "not aligned, as Burn 0.19 wrote it: boards can't read it in place, and convert aligns it"
        yield "warning", what, None, f"{len(off):,} tensors, the first is {off[0]}"


def _span(reader: Container, name: str) -> tuple[int, int]:
    span = reader.span(name)
    assert span is not None  # of the formats whose tensors lie there as they are
    return span
