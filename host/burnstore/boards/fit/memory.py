"""What a model and its runtime take of a 32-bit board's heap, by where they lie.

The figures were fitted to gc.mem_alloc(), and to the least heaps in which models run, of MicroPython 1.29 on
an emulated Cortex-M3; docs/performance.md has what was measured beside what is foretold.
"""

from dataclasses import dataclass

from burnstore.boards.fit.steps import Facts

BLOCK = 16  # what the heap is given out in


@dataclass(frozen=True)
class Place:
    """Where the runtime and the model lie: "frozen", "rom" or "file".

    code, code_least: slopes and bases of the heap that importing the runtime keeps, by its bytes, and of the
    least in which it is imported, by what it keeps. slack: what the least heap of all is larger by, as a part
    of it.
    """

    name: str
    title: str
    code: tuple[float, int]
    code_least: tuple[float, int]
    slack: float

    def of_runtime(self, size: int) -> int:
        """Return what the imported runtime keeps. size: bytes of its .mpy."""
        return round(self.code[0] * size + self.code[1])

    def of_model(self, facts: Facts) -> int:
        """Return what the model keeps, with its arena."""
        found = rounded(facts.arena) + _MODEL + _STEP * len(facts.steps)
        if self.name == "file":
            found += rounded(facts.copied) + rounded(facts.program) + _FILE
        return found

    def piece(self, facts: Facts) -> int:
        """Return the largest piece of the heap."""
        return rounded(max(facts.arena, facts.copied if self.name == "file" else 0))

    def least(self, facts: Facts, runtime: int) -> int:
        """Return the least heap, free before the import, in which the model runs. runtime: of its .mpy."""
        keeps = self.of_runtime(runtime)
        imported = self.code_least[0] * keeps + self.code_least[1]
        return round((imported + self.of_model(facts)) * self.slack)


_MODEL, _STEP, _FILE = 780, 40, 160  # bytes of a model's objects, of each step's, and more where it is a file

FROZEN = Place("frozen", "frozen into the firmware", (0.0, 2200), (1.2, 1600), 1.0)
ROM = Place("rom", "in a ROM partition, read in place", (0.94, -1690), (1.25, 850), 1.02)
FILE = Place("file", "in files, read into the heap", (1.2, 2720), (1.23, 2500), 1.04)
PLACES = (FROZEN, ROM, FILE)


def rounded(size: int) -> int:
    """Return what `size` bytes in one piece take."""
    return -(-size // BLOCK) * BLOCK
