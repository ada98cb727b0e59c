"""What an index costs is in proportion to its size, whatever the names are: operations are counted."""

import burnpack.json_names
from burnpack.cbor import Cursor
from burnpack.compat import rising
from burnpack.errors import DuplicateName
from burnpack.index import Index
from burnpack.json_names import Names
from burnpack.limits import Limits
from kit.formats.burnpack_by_hand import descriptor, sections
from kit.formats.cbor_by_hand import mapping, numbers, text
from kit.support import raises

COUNT = 256
BITS = 9  # of COUNT


class Compared:
    """A number that counts how often it is compared."""

    count = 0

    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        Compared.count += 1
        return self.number < other.number


def test_sorting_what_rises_or_falls_compares_little():
    for numbers_given in (range(COUNT), range(COUNT, 0, -1), [0] * COUNT):
        Compared.count = 0
        found = [each.number for each in rising([Compared(number) for number in numbers_given])]
        assert found == sorted(numbers_given)
        assert Compared.count <= 3 * BITS * COUNT


class CountedIndex(Index):
    reads = 0

    def _encoded_name(self, number):
        CountedIndex.reads += 1
        return Index._encoded_name(self, number)


def falling(count):
    return ["t%05d" % number for number in range(count, 0, -1)]


def index_of(names):
    described = descriptor(text("U8"), numbers(0), numbers(0, 0))
    return CountedIndex(memoryview(sections([(name, described) for name in names])), Limits())


def test_names_that_fall_are_found_by_few_comparisons():
    names = falling(COUNT)
    index = index_of(names)
    assert [index.name(number) for number in range(COUNT)] == names
    CountedIndex.reads = 0
    assert [index.find(name) for name in names] == list(range(COUNT))
    assert index.find("t") == index.find("t00000") == index.find("u") == -1
    assert CountedIndex.reads <= (COUNT + 3) * BITS


def test_names_in_any_order_are_found():
    names = ["b", "", "c", "a", "aa", "\u00e9", "A"]
    index = index_of(names)
    assert [index.find(name) for name in names] == list(range(len(names)))
    assert index.find("ab") == -1


class CountedNames(Names):
    reads = 0

    def name(self, number):
        CountedNames.reads += 1
        return Names.name(self, number)


def names_of(texts):
    """Return the index of keys that all have one hash."""
    burnpack.json_names.hash = lambda name: 7
    view = b",".join(['"%s"'.encode() % name.encode() for name in texts])
    names = CountedNames(memoryview(view), 0)
    place = 0
    for name in texts:
        names.add(place, name)
        place += len(name.encode()) + 3
    names.settle()
    return names


def test_names_with_one_hash_are_found_by_few_comparisons():
    try:
        texts = falling(COUNT)
        names = names_of(texts)
        CountedNames.reads = 0
        assert [names.find(name) for name in texts] == list(range(COUNT))
        assert names.find("t") == names.find("t00000") == names.find("u") == -1
        assert CountedNames.reads <= (COUNT + 3) * BITS
    finally:
        del burnpack.json_names.hash


def test_of_names_with_one_hash_two_that_are_one_are_seen():
    try:
        for texts in (["b", "a", "b"], ["a", "a"], ["b", "a", "a", "c"]):
            raises(DuplicateName, names_of, texts)
        assert len(names_of(["b", "a", ""])) == 3
    finally:
        del burnpack.json_names.hash


class CountedCursor(Cursor):
    heads = 0

    def _head(self):
        CountedCursor.heads += 1
        return Cursor._head(self)


def heads_of(keys):
    CountedCursor.heads = 0
    cursor = CountedCursor(memoryview(mapping(*[(text(key), text("")) for key in keys])))
    for _ in cursor.keys():
        cursor.text()
    return CountedCursor.heads


def test_a_map_is_read_once_and_once_more_where_many_keys_are_out_of_order():
    few = ["shape", "dtype", "data_offsets"]
    assert heads_of(few) == 1 + 2 * len(few)
    assert heads_of(falling(COUNT)[::-1]) == 1 + 2 * COUNT
    assert heads_of(falling(COUNT)) == 1 + 2 * COUNT  # the second time by cursors of its own


def test_of_many_keys_the_second_of_two_alike_is_named():
    keys = falling(20)
    for again in (0, 9, 19):
        error = raises(DuplicateName, heads_of, keys + ["x", keys[again], "y"])
        assert error.item == keys[again]
        assert error.offset == 1 + 20 * 8 + 3  # behind the head, the twenty and "x"
