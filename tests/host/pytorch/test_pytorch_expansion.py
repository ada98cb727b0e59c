"""What small files expand to is said, limited unless it is allowed, and written in little memory."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from burnpack.errors import LimitExceeded
from burnpack.limits import EXPANSION, Limits
from burnstore.pytorch import strided
from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.pytorch import pickles as p

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measured by Linux's ways")

MIB = 1 << 20
PEAK = 120 * MIB  # of a process, the interpreter and numpy included

RUN = """
import sys
sys.path[:0] = json_paths
from burnstore.cli import main
try:
    main(sys.argv[1:])
finally:
    with open("/proc/self/status") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
    print(f"peak {peak}", file=sys.stderr)
"""


def run(*arguments):
    """Run the command in a process; return its exit code, what it prints and says, and its peak in bytes."""
    script = RUN.replace("json_paths", json.dumps(sys.path))
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    said, _, peak = done.stderr.rpartition("peak ")
    return done.returncode, done.stdout + said, int(peak) << 10


def expanded(count, sizes=(1 << 20,)):
    """A checkpoint of tensors over one storage of 16 bytes, each an element repeated."""
    tensors = {f"w{n}": p.tensor("0", 4, (size // 4,), (0,)) for n, size in enumerate(sizes * count)}
    return p.checkpoint(p.a_dict({"ok": p.tensor("0", 4), **tensors}), {"0": bytes(range(16))})


GIBIBYTE = support.data("reports/expands_to_1_gb.pt")


def test_what_a_file_expands_to_is_said_and_refused_with_the_option_that_allows_it(tmp_path):
    target = tmp_path / "out.bpk"
    code, said, peak = run("inspect", GIBIBYTE)
    assert code == 0 and str(1 << 30) in said and peak < PEAK
    code, said, peak = run("convert", GIBIBYTE, target)
    assert code == 1 and not target.exists() and peak < PEAK
    assert all(word in said for word in ("w: 4 bytes", str(1 << 30), str(EXPANSION), "max_expansion"))


def test_what_is_allowed_is_written_in_little_memory(tmp_path):
    target = tmp_path / "out.bpk"
    source = tmp_path / "model.pt"
    source.write_bytes(expanded(1, (192 * MIB,)))
    for command in (["convert", source, target], ["inspect", source, "--hash"]):
        code, said, peak = run(*command, "--max-expansion", 1 << 30)
        assert code == 0 and f"{192 * MIB - 4:,} bytes more than the file holds" in said
        assert peak < PEAK
    assert target.stat().st_size > 192 * MIB
    target.unlink()


def test_the_limit_is_for_all_tensors_together_and_leaves_the_others():
    reader = PytorchReader.from_buffer(expanded(5), limits=Limits(expansion=3 * MIB))
    assert reader.expansion == 5 * (MIB - 4)
    assert [path for path, _ in reader.left_out()] == ["w3", "w4"]
    assert bytes(reader.tensor("ok").data()) == bytes(range(16))
    assert bytes(reader.tensor("w0").data()) == bytes(range(4)) * (MIB // 4)
    with pytest.raises(LimitExceeded, match="w3"):
        reader.tensor("w3").data()
    raised = PytorchReader.from_buffer(expanded(5), limits=Limits(expansion=5 * MIB))
    assert len(raised.tensor("w4").data()) == MIB


def test_rows_that_overlap_are_expanded_too():
    windows = p.checkpoint(p.a_dict({"w": p.tensor("0", 2000, (1000, 1000), (1, 1))}), {"0": bytes(8000)})
    assert PytorchReader.from_buffer(windows).expansion == 4 * (1_000_000 - 1999)


@pytest.mark.parametrize("shape", [(7, 5), (5, 7, 3), (1, 1, 11), (2, 0, 3), (), (64,), (3, 1, 2, 4)])
@pytest.mark.parametrize("swapped", (False, True))
def test_pieces_are_what_data_returns(shape, swapped, monkeypatch):
    count = 1
    for extent in shape:
        count *= extent
    strides = tuple(reversed(p.contiguous(tuple(reversed(shape)))))
    data = bytes(range(256)) * 8
    operations = p.a_dict(
        {
            "transposed": p.tensor("0", 512, shape, strides, 3),
            "expanded": p.tensor("0", 512, shape, (0,) * len(shape), 1),
        }
    )
    order = b"big" if swapped else b"little"
    for size in (4, 16, 100, 1 << 20):
        monkeypatch.setattr(strided, "_PIECE", size)
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            reader = PytorchReader.from_buffer(p.checkpoint(operations, {"0": data}, method, byteorder=order))
            for tensor in reader:
                pieces = list(tensor.renamed("other").pieces())
                assert b"".join(pieces) == bytes(tensor.data())
                if tensor.name == "expanded":
                    assert all(len(piece) <= size for piece in pieces)


def packed(path, tensors, sizes):
    """Write a checkpoint of records of zeros, packed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/data.pkl", p.pickled(p.a_dict(tensors)))
        for key, size in sizes.items():
            entry = zipfile.ZipInfo(f"x/data/{key}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as file:
                for _ in range(size // MIB):
                    file.write(bytes(MIB))


SIDE = 6656
COUNT = SIDE * SIDE  # elements of a record: 169 MiB
PACKED = {
    "whole": {"w": p.tensor("0", COUNT)},
    "transposed": {"w": p.tensor("0", COUNT, (SIDE, SIDE), (1, SIDE))},
    "halves": {f"w{n}": p.tensor("0", COUNT, (COUNT // 2,), offset=n * COUNT // 2) for n in (1, 0)},
    "under two names": {"a": p.tensor("0", COUNT), "b": p.tensor("0", COUNT)},
}


@pytest.mark.parametrize("tensors", PACKED.values(), ids=PACKED)
def test_a_small_record_of_a_large_tensor_is_written_in_little_memory(tensors, tmp_path):
    source, target = tmp_path / "model.pt", tmp_path / "out.bpk"
    packed(source, tensors, {"0": 4 * COUNT})
    assert source.stat().st_size < MIB
    for command in (["inspect", source], ["convert", source, target]):
        code, said, peak = run(*command)
        assert code == 0, said
        assert peak < PEAK
    os.unlink(target)


MANY = {
    "texts": b"U\x02ab" * 3_900_000,
    "integers": b"J\x01\x02\x03\x04" * 3_900_000,
    "small integers": b"M\x01\x02" * 3_900_000,
    "floats": b"G\x3f\xf0\x00\x00\x00\x00\x00\x01" * 1_700_000,
    "tuples": b"K\x00\x85" * 1_900_000,
    "dicts": b"}" * 3_900_000,
    "lists": b"]" * 3_900_000,
    "None": b"N" * 3_900_000,
    "memo": b"Nq\x00" * 1_900_000,
    "bytes": b"C\x02ab" * 3_900_000,
    "long integers": b"\x8a\x04abcd" * 2_500_000,
}


@pytest.mark.parametrize("method", (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
@pytest.mark.parametrize("operations", MANY.values(), ids=MANY)
def test_millions_of_values_take_little_memory(operations, method, tmp_path):
    source = tmp_path / "model.pt"
    listed = b"](" + operations + b"e"
    source.write_bytes(p.checkpoint(p.a_dict({"w": p.tensor("0", 4), "x": listed}), {"0": bytes(16)}, method))
    _, said, peak = run("inspect", source, "--json")
    assert "Traceback" not in said
    assert peak < 200 * MIB


def test_four_million_packed_texts_take_little_memory(tmp_path):
    for command in (["inspect"], ["convert"]):
        source = support.data("reports/packed_pickle_of_4_million.pt")
        code, said, peak = run(*command, source, *([tmp_path / "out.bpk"] if command == ["convert"] else []))
        assert code == 1 and "the packed pickle is too large" in said
        assert peak < PEAK


def test_a_packed_checkpoint_of_many_tensors_is_not_too_much():
    names = [f"model.layers.{n // 8}.attention.{'qkvo'[n % 4]}_proj.{n % 8}" for n in range(20_000)]
    tensors = {name: p.tensor("0", 4) for name in names}
    data = p.checkpoint(p.a_dict(tensors), {"0": bytes(16)}, zipfile.ZIP_DEFLATED)
    assert PytorchReader.from_buffer(data).names() == names
