"""The progress bar, shown on a terminal only, and not with -q."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from burnstore.cli.manner import manner
from burnstore.io.files import Progress


@contextmanager
def progress(what: str, size: int) -> Iterator[Progress | None]:
    """Show a bar for `size` bytes, called `what`; give what is told how many more are done, or None."""
    if manner().quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich import progress as rich  # a quarter of a quiet command's time
    from rich.console import Console

    columns = (
        rich.TextColumn(what),
        rich.BarColumn(),
        rich.DownloadColumn(),
        rich.TransferSpeedColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=size)
        yield lambda done: bar.advance(task, done)
