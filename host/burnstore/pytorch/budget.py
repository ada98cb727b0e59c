"""What the pickles of a file may cost, in time and memory."""

from burnpack.limits import Limits

# A tensor takes 32 operations and makes 6 objects; wrapped in a Parameter, 44 and 9. An object takes up to
# 110 bytes, so 800,000 of them 90 MB. Its names and numbers are up to 8 values, of 70 bytes each.
OPERATIONS_PER_TENSOR = 40
OBJECTS_PER_TENSOR = 8
VALUES_PER_TENSOR = 10
BASE = 10_000  # operations, objects and values for what a checkpoint holds besides tensors
MARKS_PER_DEPTH = 4  # operations left open for each level of nesting
NAMES = 10_000  # classes and functions; a checkpoint names some dozens


class Budget:
    """Counts down, for all pickles of one file together.

    operations: yields once for each operation that may be done.
    count: is called for each object that is made; raises `StopIteration` when there may be no more.
    count_value: likewise, for each text and number.
    operations_most: how many operations there were at first; no memo has a higher number.
    marks_most: how many groups may be left open.
    """

    def __init__(self, limits: Limits) -> None:
        self.operations_most = BASE + OPERATIONS_PER_TENSOR * limits.tensors
        self.operations = iter(range(self.operations_most))
        self.count = iter(range(BASE + OBJECTS_PER_TENSOR * limits.tensors)).__next__
        self.count_value = iter(range(BASE + VALUES_PER_TENSOR * limits.tensors)).__next__
        self.marks_most = MARKS_PER_DEPTH * limits.depth
