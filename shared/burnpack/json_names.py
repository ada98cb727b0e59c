"""The keys of a JSON object, found by name without keeping a text in memory.

Of each key there is where it stands and 16 bits of its hash: 8 bytes, whatever its length.
"""

from array import array

from burnpack.compat import const
from burnpack.errors import DuplicateName
from burnpack.json_header import Cursor

_HASH = const(0xFFFF)
_NARROW_COUNT = const(1 << 16)  # as many numbers fit beside a hash into 32 bits


class Names:
    """The keys that were added, numbered from 0.

    view: the JSON they stand in. base: where that begins in its container, for error messages.
    """

    def __init__(self, view, base):
        self._view = view
        self._base = base
        self._places = array("I")
        self._hashes = array("H")
        self._sorted = None  # hash * count + number, rising

    def __len__(self):
        return len(self._places)

    def add(self, place, name):
        """Add the key `name`, whose string is at `place` in the view."""
        self._places.append(place)
        self._hashes.append(hash(name) & _HASH)

    def settle(self):
        """Make `find` work, once all keys are added; raises `DuplicateName`."""
        count = len(self._places)
        keys = [value * count + number for number, value in enumerate(self._hashes)]
        keys.sort()
        self._sorted = array("I" if count <= _NARROW_COUNT else "Q", keys)
        self._hashes = None
        start = 0
        for at in range(1, count + 1):
            if at == count or keys[at] // count != keys[start] // count:
                if at - start > 1:
                    self._check_differ([key % count for key in keys[start:at]])
                start = at

    def cursor(self, number, depth):
        """Return a cursor at the key of this number."""
        return Cursor(self._view, self._places[number], self._base, depth)

    def name(self, number):
        """Return the key of this number."""
        return self.cursor(number, 0).string()

    def find(self, name):
        """Return the number of the key `name`, or -1."""
        count = len(self._places)
        wanted = hash(name) & _HASH
        at = self._first(wanted * count)
        while at < count and self._sorted[at] // count == wanted:
            number = self._sorted[at] % count
            if self.name(number) == name:
                return number
            at += 1
        return -1

    def _first(self, key):
        """Return how many of the sorted keys are below `key`."""
        low, high = 0, len(self._sorted)
        while low < high:
            middle = (low + high) // 2
            if self._sorted[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low

    def _check_differ(self, numbers):
        # Sorted, so that a file full of equal hashes takes no longer than it must.
        pairs = sorted([(self.name(number), number) for number in numbers])
        for at in range(1, len(pairs)):
            name, number = pairs[at]
            if name == pairs[at - 1][0]:
                raise DuplicateName("the same name twice", name, None, self._base + self._places[number])
