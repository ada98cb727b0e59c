"""Packed records: any part is read right, and a record is expanded once, whatever is asked for of it."""

import errno
import random
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnpack.errors import Malformed, SaveFailed
from burnstore.pytorch import deflated
from burnstore.pytorch.deflated import Deflated, Spool
from burnstore.pytorch.reader import PytorchReader
from kit.examples import examples
from kit.pytorch import pickles as p

DATA = random.Random(1).randbytes(5000) + bytes(20_000) + random.Random(2).randbytes(5000)


def packed(data):
    expander = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return memoryview(expander.compress(data) + expander.flush())


PACKED = packed(DATA)


@pytest.fixture
def expanded(monkeypatch):
    """Count the bytes that are expanded."""
    given = []
    step = deflated._Expansion._step

    def counted(expansion, most):
        piece, more = step(expansion, most)
        given.append(len(piece))
        return piece, more

    monkeypatch.setattr(deflated._Expansion, "_step", counted)
    return lambda: sum(given)


@pytest.fixture
def large(monkeypatch):
    """Make records of a few kilobytes large ones."""
    monkeypatch.setattr(deflated, "WHOLE", 0)
    monkeypatch.setattr(deflated, "PIECE", 300)
    monkeypatch.setattr(deflated, "FED", 200)


SPANS = st.lists(st.tuples(st.integers(0, len(DATA)), st.integers(0, len(DATA))), max_size=8)


@examples(0.5)
@given(
    SPANS, st.sampled_from([(1 << 20, 1 << 16), (300, 200), (1, 1), (70, 7)]), st.sampled_from([0, 1 << 20])
)
def test_every_part_is_what_was_packed(spans, sizes, room):
    with pytest.MonkeyPatch.context() as patch:
        for name, size in zip(("PIECE", "FED", "WHOLE"), (*sizes, room), strict=True):
            patch.setattr(deflated, name, size)
        record, spool = Deflated("r", PACKED, len(DATA)), Spool()
        for start, end in spans:
            start, end = sorted((start, end))
            assert record.read(start, end) == b"".join(record.pieces(start, end)) == DATA[start:end]
            assert spool.view(record)[start:end] == DATA[start:end]


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


def test_records_whose_tensors_are_taken_in_turn_are_expanded_once(large, expanded):
    records = {str(key): random.Random(key).randbytes(4096) for key in range(5)}
    tensors = {f"w{n}.{key}": p.tensor(key, 1024, (16,), offset=16 * n) for n in range(60) for key in records}
    reader = PytorchReader.from_buffer(p.checkpoint(p.a_dict(tensors), records, zipfile.ZIP_DEFLATED))
    opening = expanded()
    for name in random.Random(5).sample(reader.names(), len(reader)):
        start, key = 64 * int(name[1:].split(".")[0]), name.split(".")[1]
        assert reader.tensor(name).data() == records[key][start : start + 64]
    assert expanded() - opening == sum(map(len, records.values()))


def test_views_of_kept_records_outlive_more_records_and_the_reader(large):
    records = {str(key): random.Random(key).randbytes(4096) for key in range(3)}
    tensors = {f"{key}{n}": p.tensor(key, 1024, (8,), offset=n) for key in records for n in range(2)}
    reader = PytorchReader.from_buffer(p.checkpoint(p.a_dict(tensors), records, zipfile.ZIP_DEFLATED))
    views = {key: reader.tensor(f"{key}1").data() for key in records}
    del reader
    assert all(views[key] == data[4:36] for key, data in records.items())


def test_of_a_large_record_only_the_part_before_a_tensors_end_is_expanded(large, expanded):
    reader = PytorchReader.from_buffer(checkpoint({"head": p.tensor("0", 1 << 16, (10,))}, 1 << 18))
    opening = expanded()
    assert len(reader.tensor("head").data()) == 40
    assert expanded() - opening == 40


def test_a_full_disk_is_told_with_the_record_and_the_way_out(large, monkeypatch):
    def full(file, piece):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(deflated, "_write_all", full)
    reader = PytorchReader.from_buffer(checkpoint(SHARED["parts"]), "model.pt")
    with pytest.raises(SaveFailed) as raised:
        reader.tensor("w3").data()
    assert all(
        word in str(raised.value) for word in ("model.pt", "w3", "data/0", "no space", "TMPDIR", "4096")
    )


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
