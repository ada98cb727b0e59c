"""Measurements: every `bench_*.py` here is one subject, found by its name.

A subject has `run()`, which returns its rows; what it cannot measure on this machine, it leaves out
and says so by raising `Skipped` where nothing is left.
"""

from typing import NamedTuple


class Row(NamedTuple):
    """One figure.

    value: the figure, in `unit`.
    peer: what it was measured against in the same run, and how many of its unit, where there is one.
    goal: what was aimed at, in words; `met` tells whether it was reached, None where there is no goal.
    """

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None
    goal: str = ""
    met: bool | None = None

    def ratio(self) -> float | None:
        """Return the figure as a multiple of the peer's."""
        return self.value / self.peer_value if self.peer_value else None


class Skipped(Exception):
    """A subject cannot be measured here; the text says why."""


def at_most(
    name: str, value: float, unit: str, goal: float, peer: str = "", peer_value: float | None = None
) -> Row:
    """Return a row whose figure should not exceed `goal`."""
    return Row(name, value, unit, peer, peer_value, "≤ %g %s" % (goal, unit), value <= goal)


def at_most_times(name: str, value: float, unit: str, peer: str, peer_value: float, times: float) -> Row:
    """Return a row whose figure should be at most so many times the peer's."""
    return Row(name, value, unit, peer, peer_value, "≤ %g × %s" % (times, peer), value <= times * peer_value)


def at_least_times(name: str, value: float, unit: str, peer: str, peer_value: float, times: float) -> Row:
    """Return a row whose figure should be at least so many times the peer's."""
    return Row(name, value, unit, peer, peer_value, "≥ %g × %s" % (times, peer), value >= times * peer_value)
