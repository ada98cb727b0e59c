"""What a board pays for an import, and for an open file, stays within its budget."""

import pytest

from tools import board_size
from tools.bench import Skipped, bench_board_memory


@pytest.mark.parametrize("entry", board_size.BUDGET)
def test_the_modules_that_an_import_brings_stay_within_budget(entry):
    assert 0 < board_size.weight(entry) <= board_size.BUDGET[entry]


def test_an_import_brings_what_is_imported_at_once_and_the_packages_above():
    brought = board_size.brought_by("burnpack.tensor")
    assert {"burnpack", "burnpack.tensor", "burnpack.dtype"} <= set(brought)
    assert "burnpack.module" not in brought


def test_heap_of_an_open_file_and_of_a_view_stays_within_the_goals():
    try:
        rows = bench_board_memory.run()
    except Skipped as reason:
        pytest.skip(str(reason))
    assert [row for row in rows if row.met is False] == []
    assert len([row for row in rows if row.met]) >= 4
