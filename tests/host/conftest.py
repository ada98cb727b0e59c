"""What tests of boards share."""

import hashlib
import os

import pytest

from burnstore.boards.runtime import bundle, cross
from tools import interpreters, virtual_board


@pytest.fixture(autouse=True, scope="session")
def _each_mpy_is_compiled_once():
    """Keep what mpy-cross makes of a source between tests, workers and runs."""
    kept, compiled_by = interpreters.ROOT / "build" / "mpy", cross.compiled_by
    kept.mkdir(parents=True, exist_ok=True)

    def once(program, source, name, architecture, level=0):
        about = "\0".join([name, architecture or "", str(level), str(os.stat(program).st_mtime_ns)])
        digest = hashlib.sha256(about.encode() + b"\0" + source.read_bytes()).hexdigest()
        file = kept / (digest + ".mpy")
        if not file.exists():
            data = compiled_by(program, source, name, architecture, level)
            scratch = kept / ("%s.%d.tmp" % (digest, os.getpid()))
            scratch.write_bytes(data)
            scratch.replace(file)
        return file.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cross, "compiled_by", once)
        yield


@pytest.fixture(autouse=True, scope="session")
def _each_bundle_is_merged_once():
    """Keep the source of a bundle between the tests of a worker: merging takes most of a second."""
    kept, one_source = {}, bundle._one_source

    def once(sources):
        about = repr((sources.texts, sources.homes))
        if about not in kept:
            kept[about] = one_source(sources)
        return kept[about]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "_one_source", once)
        yield


@pytest.fixture
def make_board(tmp_path):
    """Return a function that starts a virtual board, as in `make_board(heap="2M", rom=0)`."""
    boards = []

    def make(**settings):
        folder = tmp_path / ("board%d" % len(boards))
        inside, scratch = folder / "files", folder / "hidden"
        inside.mkdir(parents=True)
        scratch.mkdir()
        board = virtual_board.VirtualBoard(inside, scratch, **settings)
        boards.append(board)
        return board.start()

    try:
        interpreters.unix_program()
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    yield make
    for board in boards:
        board.stop()


@pytest.fixture
def board(make_board):
    """Return a virtual board with the usual heap and ROM partition."""
    return make_board()
