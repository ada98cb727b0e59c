"""Fuzzing one target: good files are changed, and what finds new lines is changed further."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from burnpack.errors import BurnpackError
from tools import interpreters
from tools.fuzz import boards, guard, hosted, outcome
from tools.fuzz.finds import Finds, smaller
from tools.fuzz.lines import Lines
from tools.fuzz.mutators import plain
from tools.fuzz.targets import Target

BATCH = 150  # inputs that a process of MicroPython takes
_SHARE = 0.2  # of the inputs that find no line: how many MicroPython takes, too
_LATE = 60  # of the inputs that were kept last, one is changed a quarter of the time
_INPUT_MOST = 1 << 16  # bytes


@dataclass
class Campaign:
    """Fuzzing one target. inputs: how many each interpreter took. kept: inputs that found lines."""

    target: Target
    guard: guard.Guard
    lines: Lines
    finds: Finds
    rng: Random
    on: Sequence[str] = ("cpython", *interpreters.NAMES)
    inputs: dict[str, int] = field(default_factory=dict)
    read: int = 0
    kept: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pool = self.target.good_files()
        self._good: list[bytes] = []  # those that are read
        self._verdicts: set[str] = set()
        self._waiting: list[tuple[bytes, str]] = []
        for name in ("cpython", *self.boards()):
            self.inputs[name] = 0

    def boards(self) -> list[str]:
        """Return the MicroPythons that take the target's inputs."""
        return [name for name in self.target.boards if self.target.board and name in self.on]

    def begin(self) -> None:
        """Take all good files as they are."""
        for data in self._pool:
            self.take(data)

    def step(self) -> None:
        """Make an input and take it."""
        parents = self._good or self._pool
        if self.rng.random() < 0.5:
            parents = self._pool[-_LATE:] if self.rng.random() < 0.5 else self._pool
        data = self.rng.choice(parents)
        for _ in range(self.rng.choice((1, 1, 1, 2, 3, 5))):
            try:
                data = self.target.changed(data, self.rng, self._pool)
            except (RecursionError, ValueError, IndexError):  # damage before has left no structure
                data = plain.changed(data, self.rng, self._pool)
        data = data[:_INPUT_MOST]
        if self.take(data):
            self._pool.append(data)
            self.kept.append(data)

    def take(self, data: bytes) -> bool:
        """Give an input to CPython, now, and to MicroPython, soon; tell whether it found something new."""
        seen = self.lines.seen
        found = outcome.of(self.target.read, data, self.guard, self.lines)
        self.inputs["cpython"] += 1
        self.read += found.verdict.startswith("read ")
        if found.wrong:
            self._found(data, found)
            return False
        kind = "read" if found.verdict.startswith("read ") else found.verdict
        new = self.lines.seen > seen or kind not in self._verdicts
        self._verdicts.add(kind)
        if new:
            self._check_memory(data)
        if found.verdict.startswith("read ") and (new or data in self._pool):
            self._good.append(data)
        if self.boards() and (new or self.rng.random() < _SHARE):
            self._wait(data, found.verdict)
        return new

    def flush(self) -> None:
        """Give MicroPython what waits for it."""
        waiting, self._waiting = self._waiting, []
        for name in self.boards() if waiting else ():
            self.inputs[name] += len(waiting)
            self._compare(name, waiting)

    def _found(self, data: bytes, found: outcome.Outcome) -> None:
        wrong = found.wrong or ""
        if (self.target.name, wrong) in self.finds.kinds:
            return

        def holds(less: bytes) -> bool:
            return outcome.of(self.target.read, less, self.guard, self.lines).wrong == wrong

        self.finds.add(self.target.name, wrong, smaller(data, holds), found.detail)

    def _check_memory(self, data: bytes) -> None:
        most = guard.PEAK + guard.PEAK_EACH * len(data)
        peak = guard.peak_of(lambda: outcome.of(self.target.read, data, self.guard, self.lines))
        if peak > most:
            self.finds.add(self.target.name, "too much memory", data, f"{peak} bytes, of {most}")

    def _wait(self, data: bytes, verdict: str) -> None:
        if not self.target.both and not verdict.startswith("read "):
            return
        self._waiting.append((data, verdict))
        if len(self._waiting) >= BATCH:
            self.flush()

    def _compare(self, name: str, waiting: list[tuple[bytes, str]]) -> None:
        """Compare what CPython and an interpreter say; go on behind an input that ends the process."""
        while waiting:
            try:
                told = boards.verdicts_of(
                    name, self.target.board, [(each, self._runs(each)) for each, _ in waiting]
                )
            except boards.Ended as ended:
                data = waiting[ended.number][0]
                self.finds.add(self.target.name, f"{name} ends", data, str(ended))
                waiting = waiting[ended.number + 1 :]
                continue
            for (data, ours), theirs in zip(waiting, told, strict=True):
                self._agree(name, data, ours, theirs)
            return

    def _runs(self, data: bytes) -> bool:
        try:
            return self.target.board == "program" and hosted.runs(data)
        except BurnpackError:
            return False

    def _agree(self, name: str, data: bytes, ours: str, theirs: str) -> None:
        refused = "refused" if not ours.startswith("read ") else ours
        if theirs in (refused, boards.SHORT):
            return
        what = theirs.split(" ")[:2] if theirs.startswith("wrong") else [theirs.split(" ")[0]]
        wrong = f"{name} says {' '.join(what)}, CPython {refused.split(' ')[0]}"
        self.finds.add(self.target.name, wrong, data, f"{name}: {theirs}\nCPython: {ours}")
