"""What holds a run to its bounds: memory, the processor's time, and that it writes nothing."""

import os
import signal
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

SPACE = 2 << 30  # bytes of address space that a process may take beyond what it has
PEAK = 48 << 20  # bytes that reading an input may take at once
PEAK_EACH = 64  # bytes more, for each of the input's
PATIENCE = 60  # seconds of the processor until an input counts as one that hangs; a watchdog, and no measure

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = frozenset(
    "os.remove os.rename os.mkdir os.rmdir os.link os.symlink os.truncate os.chmod os.chown os.system os.exec"
    " os.fork os.forkpty os.posix_spawn os.spawn os.startfile subprocess.Popen socket.connect socket.bind"
    " shutil.rmtree shutil.move shutil.copyfile ctypes.dlopen pickle.find_class webbrowser.open".split()
)


class Outside(BaseException):
    """An input made the project write, start or open what is no concern of a reader."""


class Hangs(BaseException):
    """An input was not done with in time."""


class Guard:
    """Holds functions to the bounds. It stays for the rest of the process: Python has no way to unhook it."""

    def __init__(self) -> None:
        self._active = False
        self._scratch = os.path.realpath(tempfile.gettempdir())
        sys.addaudithook(self._audit)
        if hasattr(signal, "SIGVTALRM"):
            signal.signal(signal.SIGVTALRM, self._late)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold what is inside to the bounds."""
        _timer(PATIENCE)
        self._active = True
        try:
            yield
        finally:
            self._active = False
            _timer(0)

    def _late(self, number: int, frame: Any) -> None:
        raise Hangs("more than %d seconds of the processor" % PATIENCE)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._active:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITING and not self._is_scratch(path):
                raise Outside("opens %r to write" % (path,))
        elif event in _CHANGING and not (event == "os.remove" and self._is_scratch(arguments[0])):
            raise Outside("%s%r" % (event, arguments))

    def _is_scratch(self, path: object) -> bool:
        """Tell whether a path is a temporary file, as a spool for what is unpacked."""
        return isinstance(path, str | bytes) and os.path.realpath(os.fsdecode(path)).startswith(self._scratch)


def limit_space() -> None:
    """Let this process take no more than `SPACE` bytes beyond what it has."""
    if resource is None or not os.path.exists("/proc/self/statm"):
        return
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + SPACE
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


@contextmanager
def unlimited() -> Iterator[None]:
    """Let a process that is started inside take what it wants: node reserves more than it uses."""
    if resource is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def peak_of(function: Callable[[], Any]) -> int:
    """Return how many bytes a function takes at once."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _timer(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
