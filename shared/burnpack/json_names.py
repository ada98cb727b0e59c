"""The keys of a JSON object, found by name without keeping a text in memory.

Of each key there is where it stands and 16 bits of its hash: 8 bytes, whatever its length.
"""

from array import array

from burnpack.compat import const, rising
from burnpack.errors import DuplicateName
from burnpack.json_header import Cursor

if False:  # for type checkers
    from burnpack.types import Buffer


_HASH = const(0xFFFF)
_NARROW_COUNT = const(1 << 16)  # as many numbers fit beside a hash into 32 bits


class Names:
    """The keys that were added, numbered from 0.

    view: the JSON they stand in. base: where that begins in its container, for error messages.
    """

    def __init__(self, view: "Buffer", base: int) -> None:
        self._view = view
        self._base = base
        self._places = array("I")
        self._hashes = array("H")
        self._sorted: "array[int]"  # hash * count + number, by hash and then by name
        self._sorted = None  # type: ignore[assignment] # until they are settled

    def __len__(self) -> int:
        return len(self._places)

    def add(self, place: int, name: str) -> None:
        """Add the key `name`, whose string is at `place` in the view."""
        self._places.append(place)
        self._hashes.append(hash(name) & _HASH)

    def settle(self) -> None:
        """Make `find` work, once all keys are added; raises `DuplicateName`."""
        count = len(self._places)
        keys = rising([value * count + number for number, value in enumerate(self._hashes)])
        self._hashes = None  # type: ignore[assignment] # no longer needed
        start = 0
        for at in range(1, count + 1):
            if at == count or keys[at] // count != keys[start] // count:
                if at - start > 1:
                    keys[start:at] = self._by_name(keys[start:at])
                start = at
        self._sorted = array("I" if count <= _NARROW_COUNT else "Q", keys)

    def cursor(self, number: int, depth: int) -> "Cursor":
        """Return a cursor at the key of this number."""
        return Cursor(self._view, self._places[number], self._base, depth)

    def name(self, number: int) -> str:
        """Return the key of this number."""
        return self.cursor(number, 0).string()

    def find(self, name: str) -> int:
        """Return the number of the key `name`, or -1."""
        low, high = 0, len(self._places)
        wanted = hash(name) & _HASH
        while low < high:
            middle = (low + high) // 2
            found = self._sorted[middle] // len(self._places)
            if found == wanted:
                number = self._sorted[middle] % len(self._places)
                known = self.name(number)
                if known == name:
                    return number
            if found < wanted or (found == wanted and known < name):
                low = middle + 1
            else:
                high = middle
        return -1

    def _by_name(self, keys: list[int]) -> list[int]:
        """Return keys of one hash as their names rise, so that a file full of equal hashes costs no more."""
        count = len(self._places)
        pairs = rising([(self.name(key % count), key) for key in keys])
        for at in range(1, len(pairs)):
            name, key = pairs[at]
            if name == pairs[at - 1][0]:
                place = self._base + self._places[key % count]
                raise DuplicateName("the same name twice", name, None, place)
        return [key for _, key in pairs]
