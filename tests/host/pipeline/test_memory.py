"""Peak memory: of a save, the largest tensor; of a huge file, what is used of it."""

import mmap
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from burnpack.reader import Reader
from burnpack.safetensors import Reader as SafetensorsReader
from burnpack.tensor import Tensor
from burnstore import array_from_tensor, open_model, save_burnpack, save_safetensors
from burnstore.pipeline.conversion import plan

COUNT, SIZE = 24, 1 << 20
SPARE = 1 << 20  # what a save may take beyond its largest tensor
TWO_GIB = (1 << 31) + 5  # more than a signed 32-bit number counts


@pytest.fixture
def traced():
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.mark.parametrize("save", [save_burnpack, save_safetensors], ids=["burnpack", "safetensors"])
def test_a_save_holds_one_tensor_at_a_time(tmp_path, traced, save):
    tensors = [Tensor(f"{number}", "U8", (SIZE,), lambda: bytes(SIZE)) for number in range(COUNT)]
    save(tmp_path / "model", tensors)
    assert (tmp_path / "model").stat().st_size > COUNT * SIZE
    assert SIZE <= traced() < SIZE + SPARE


def sparse_file(path, header, size):
    """Make a file of a header and `size` bytes of nothing, which take no room on the disk."""
    with path.open("wb") as file:
        file.write(header)
        file.truncate(len(header) + size)


@pytest.mark.parametrize("kind", ["burnpack", "safetensors"])
def test_a_tensor_of_2_gib_is_read_where_it_lies(tmp_path, traced, kind):
    path = tmp_path / "huge"
    sparse_file(path, HEADERS[kind](), TWO_GIB)
    with open_model(path) as opened:
        assert opened.tensor("w").nbytes == TWO_GIB
        assert opened.array("w")[-1] == 0
    with path.open("rb") as file:
        tail = bytearray(5)
        reader = (Reader if kind == "burnpack" else SafetensorsReader).from_stream(file)
        start, end = reader.span("w")
        file.seek(end - 5)
        assert file.readinto(tail) == 5 and end - start == TWO_GIB
    assert traced() < SPARE


@pytest.mark.parametrize("save", [save_burnpack, save_safetensors], ids=["burnpack", "safetensors"])
def test_a_tensor_of_2_gib_is_written_in_pieces(traced, save, monkeypatch):
    nothing = mmap.mmap(-1, TWO_GIB)  # pages that nobody touches are not there
    written = []
    monkeypatch.setattr(
        "burnstore.pipeline.writing.replace", lambda path, chunks, *_: written.extend(map(len, chunks))
    )
    save("model", [Tensor("w", "U8", (TWO_GIB,), memoryview(nothing))])
    assert written[-1] == TWO_GIB and sum(written) > TWO_GIB
    assert traced() < SPARE


def _burnpack_header():
    metadata = b"\xa1\x67tensors\xa1\x61w\xa3\x65dtype\x62U8\x65shape\x81" + _number(TWO_GIB)
    metadata += b"\x6cdata_offsets\x82\x00" + _number(TWO_GIB)
    header = b"NRUB" + struct.pack("<HI", 1, len(metadata)) + metadata
    return header + bytes(-len(header) % 256)


def _number(value):
    return b"\x1a" + struct.pack(">I", value)


def _safetensors_header():
    header = b'{"w":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (TWO_GIB, TWO_GIB)
    return struct.pack("<Q", len(header)) + header


HEADERS = {"burnpack": _burnpack_header, "safetensors": _safetensors_header}


def test_converting_gives_back_the_memory_of_the_source(tmp_path):
    """A mapped source's pages count as the process's memory: a conversion must let go of them."""
    source = tmp_path / "source.bpk"
    save_burnpack(source, [Tensor(f"{number}", "U8", (SIZE,), bytes(SIZE)) for number in range(64)])
    with open_model(source) as opened:
        before = _mapped_bytes(source)
        plan(opened, tmp_path / "target.safetensors").run()
        after = _mapped_bytes(source)
    assert before < SIZE and after < 16 * SIZE


def _mapped_bytes(path):
    """Return how much of a file that this process has mapped is in its memory."""
    try:
        text = Path("/proc/self/smaps").read_text()
    except OSError:
        pytest.skip("no /proc/self/smaps here")
    of_file = [block for block in text.split("VmFlags") if str(path) in block]
    return sum(int(block.split("Rss:")[1].split()[0]) for block in of_file) * 1024


def test_arrays_are_views_of_the_map(tmp_path, traced):
    save_burnpack(tmp_path / "model.bpk", [Tensor("w", "F32", (SIZE,), bytes(4 * SIZE))])
    with open_model(tmp_path / "model.bpk") as opened:
        array = array_from_tensor(opened.tensor("w"))
        assert array.nbytes == 4 * SIZE and isinstance(array, np.ndarray)
        tracemalloc.reset_peak()
        assert float(array.sum()) == 0.0
        assert traced() < SPARE
