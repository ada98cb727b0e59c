"""Packed records: any part is read right, what is shared is expanded once, and no part costs much more."""

import random
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pickles as p
from burnpack.errors import Malformed
from burnstore.pytorch import deflated
from burnstore.pytorch.deflated import Deflated, Expander, Recent
from burnstore.pytorch.reader import PytorchReader

DATA = random.Random(1).randbytes(5000) + bytes(20_000) + random.Random(2).randbytes(5000)


def packed(data):
    expander = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return memoryview(expander.compress(data) + expander.flush())


PACKED = packed(DATA)


@pytest.fixture
def expanded(monkeypatch):
    """Count the bytes that are expanded."""
    given = []
    step = Deflated._step

    def counted(record, most):
        piece, more = step(record, most)
        given.append(len(piece))
        return piece, more

    monkeypatch.setattr(Deflated, "_step", counted)
    return lambda: sum(given)


@pytest.fixture
def small(monkeypatch):
    """Make records of a few kilobytes large ones."""
    monkeypatch.setattr(deflated, "WHOLE", 0)
    monkeypatch.setattr(deflated, "BETWEEN", 500)
    monkeypatch.setattr(deflated, "PIECE", 300)
    monkeypatch.setattr(deflated, "FED", 200)


SPANS = st.lists(st.tuples(st.integers(0, len(DATA)), st.integers(0, len(DATA))), max_size=8)


@settings(max_examples=60)
@given(SPANS, st.sampled_from([(1 << 20, 1 << 20, 1 << 16), (500, 300, 200), (1, 1, 1), (4000, 70, 7)]))
def test_every_part_is_what_was_packed(spans, sizes):
    with pytest.MonkeyPatch.context() as patch:
        for name, size in zip(("BETWEEN", "PIECE", "FED"), sizes, strict=True):
            patch.setattr(deflated, name, size)
        record = Deflated("r", PACKED, len(DATA))
        for start, end in spans:
            start, end = sorted((start, end))
            assert record.read(start, end) == DATA[start:end]


def test_parts_in_their_order_are_expanded_once(small, expanded):
    record = Deflated("r", PACKED, len(DATA))
    for start in range(0, len(DATA), 1000):
        record.read(start, start + 1000)
    assert expanded() == len(DATA)


def test_a_part_in_any_order_costs_no_more_than_the_way_from_a_mark(small, expanded):
    record = Deflated("r", PACKED, len(DATA))
    starts = list(range(0, len(DATA), 1000))
    random.Random(3).shuffle(starts)
    record.read(0, len(DATA))
    before, between = expanded(), max(500, len(DATA) // deflated.MARKS)
    for start in starts:
        record.read(start, start + 1000)
    assert expanded() - before <= len(starts) * (1000 + between + deflated.PIECE)


def test_two_records_in_turns_keep_their_places(small, expanded):
    expander = Expander()
    for start in range(0, len(DATA), 1000):
        for name in ("a", "b"):
            expander.read(name, PACKED, len(DATA), start, start + 1000)
    assert expanded() == 2 * len(DATA)


def checkpoint(tensors, size=4096):
    """A packed checkpoint over one storage of float32 numbers."""
    return p.checkpoint(p.a_dict(tensors), {"0": random.Random(4).randbytes(size)}, zipfile.ZIP_DEFLATED)


SHARED = {
    "tied": {"a": p.tensor("0", 1024), "b": p.tensor("0", 1024), "c": p.tensor("0", 1024)},
    "parts": {f"w{n}": p.tensor("0", 1024, (16,), offset=16 * n) for n in (3, 1, 2, 63)},
    "views": {"a": p.tensor("0", 1024, (32, 32)), "t": p.tensor("0", 1024, (32, 32), (1, 32))},
    "expanded": {f"w{n}": p.tensor("0", 1024, (4, 8), (0, 1), offset=n) for n in range(9)},
}


@pytest.mark.parametrize("tensors", SHARED.values(), ids=SHARED)
def test_a_shared_storage_is_expanded_once_and_not_for_each_tensor(tensors, expanded):
    data = checkpoint(tensors)
    reader = PytorchReader.from_buffer(data)
    opening = expanded()
    for _ in range(2):
        for tensor in reader:
            tensor.data()
    assert expanded() - opening == 4096


def test_of_a_large_record_only_the_part_before_a_tensors_end_is_expanded(small, expanded):
    reader = PytorchReader.from_buffer(checkpoint({"head": p.tensor("0", 1 << 16, (10,))}, 1 << 18))
    opening = expanded()
    assert len(reader.tensor("head").data()) == 40
    assert expanded() - opening == 40


SIZES = {"longer": len(DATA) + 1, "shorter": len(DATA) - 1}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_record_of_another_size_is_refused_where_it_ends(size):
    record = Deflated("r", PACKED, size)
    assert record.read(0, 100) == DATA[:100]
    with pytest.raises(Malformed, match="record r"):
        record.read(size - 10, size)


def test_a_record_that_is_cut_or_has_no_end_is_refused():
    for cut in (0, 1, len(PACKED) // 2, len(PACKED) - 1):
        with pytest.raises(Malformed, match="damaged"):
            Deflated("r", PACKED[:cut], len(DATA)).read(0, len(DATA))
    endless = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    unfinished = endless.compress(DATA) + endless.flush(zlib.Z_SYNC_FLUSH)
    with pytest.raises(Malformed, match="damaged"):
        Deflated("r", memoryview(unfinished), len(DATA)).read(0, len(DATA))


def test_what_was_used_last_is_kept_as_far_as_it_fits():
    made = []

    def get(recent, key, weight):
        return recent.get(key, weight, lambda: made.append(key) or key)

    recent = Recent(10)
    for key, weight in (("a", 4), ("b", 4), ("a", 4), ("c", 4), ("a", 4), ("b", 4), ("d", 10), ("a", 4)):
        assert get(recent, key, weight) == key
    assert made == ["a", "b", "c", "b", "d", "a"]
