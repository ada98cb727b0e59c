"""Bytes of .mpy: of each module of shared/ and device/, and of all that an import brings."""

from tools import board_size
from tools.bench import Row, at_most


def run() -> list[Row]:
    rows = [
        at_most("all that %s brings" % entry, board_size.weight(entry), "B", most)
        for entry, most in board_size.BUDGET.items()
    ]
    return rows + [Row(module, size, "B") for module, size in sorted(board_size.sizes().items())]
