"""Weights that fit what they multiply."""

from typing import NamedTuple

from burnstore.graph.operations import Numbers


class Fit(NamedTuple):
    """What scales of weights and biases are fitted to.

    means, squares: what each weight multiplies and its square, on average over samples, (outputs, inputs).
    drift: by how much the mean of each output is off besides, (outputs).
    """

    means: Numbers
    squares: Numbers
    drift: Numbers

    def shift(self, error: Numbers) -> Numbers:
        """Return by how much the mean of each output is off, where weights are off by `error`."""
        found: Numbers = (error * self.means).sum(1) + self.drift
        return found
