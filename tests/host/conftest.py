"""What tests of boards share."""

import pytest

from tools import interpreters, virtual_board


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
