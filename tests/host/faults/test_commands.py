"""A command on a disk that is soon full leaves nothing behind, and does its work when there is room again."""

import os
import subprocess
import sys

import numpy as np
import pytest

from burnpack.errors import BurnpackError, SaveFailed
from burnstore.io import files
from kit import support
from kit.boards.freezing import ENVIRONMENT

MODEL = """\
from burnrt import nn

class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(100, 300)

    def forward(self, x):
        return self.fc(x)
"""
ROOM = 2 << 20  # bytes of the disk

# Words of a command; all that it writes is below the disk's folder.
COMMANDS = {
    "convert": "convert m.bpk {disk}/o.bpk",
    "freeze": "freeze m.bpk -o {disk}/new/firmware --name net",
    "freeze --portable": "freeze m.bpk -o {disk}/new/firmware --name net --portable",
    "golden": "golden m.bpk {disk}/o.bpk --module net.py:Net --shape 1,100",
    "romfs": "romfs m.bpk -o {disk}/o.romfs",
    "quantize": "quantize m.bpk --module net.py:Net --calibrate x.npy -o {disk}/o.bpk --report {disk}/o.json",
}


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """Return a folder with a model, its class, and samples."""
    from burnstore.numerics.arrays import tensor_from_array
    from burnstore.pipeline.writing import save_burnpack

    folder = tmp_path_factory.mktemp("work")
    (folder / "net.py").write_text(MODEL)
    generator = np.random.default_rng(0)
    np.save(folder / "x.npy", generator.random((20, 100), "f4"))
    weight, bias = generator.random((100, 300), "f4"), generator.random(300, "f4")
    tensors = [tensor_from_array("fc.weight", weight), tensor_from_array("fc.bias", bias)]
    save_burnpack(folder / "m.bpk", tensors)
    return folder


def run(work, disk, kind, *more):
    words = [sys.executable, "-m", "burnstore", *COMMANDS[kind].format(disk=disk).split(), *more]
    return subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, cwd=work, check=False)


def content(folder):
    return {path.relative_to(folder): path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def fill(disk, room):
    """Leave so many bytes of the disk, in whole pages."""
    (disk / "filler").write_bytes(bytes(ROOM - room))


@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize("room", [0, 12 << 10])
def test_a_full_disk_leaves_nothing_and_the_next_run_is_whole(work, small_disk, kind, room):
    fill(small_disk, room)
    before = content(small_disk)
    done = run(work, small_disk, kind)
    assert done.returncode == 1 and str(small_disk) in done.stderr and "No space left" in done.stderr
    assert done.stderr.count("\n") == 1 and content(small_disk) == before
    (small_disk / "filler").unlink()
    assert run(work, small_disk, kind).returncode == 0


@pytest.mark.parametrize("kind", ["freeze", "quantize"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_wherever_the_disk_is_full_all_files_are_there_or_none(work, small_disk, kind, share):
    assert run(work, small_disk, kind).returncode == 0
    written = content(small_disk)
    pages = sum((len(data or b"") + 4095) // 4096 for data in written.values())
    subprocess.run(["rm", "-r", *map(str, small_disk.iterdir())], check=True)
    fill(small_disk, int(pages * share) * 4096)
    before = content(small_disk)
    assert run(work, small_disk, kind).returncode == 1
    assert content(small_disk) == before


@pytest.mark.parametrize("kind", ["freeze", "quantize"])
def test_a_full_disk_leaves_all_of_the_old_files(work, small_disk, kind):
    assert run(work, small_disk, kind).returncode == 0
    used = sum((len(data or b"") + 4095) // 4096 for data in content(small_disk).values()) * 4096
    fill(small_disk, used + 8192)
    before = content(small_disk)
    assert run(work, small_disk, kind, "--overwrite").returncode == 1
    assert content(small_disk) == before


@pytest.mark.parametrize("kind", COMMANDS)
def test_that_a_file_exists_is_said_before_the_work(work, tmp_path, kind):
    assert run(work, tmp_path, kind).returncode == 0
    before = content(tmp_path)
    words = COMMANDS[kind].format(disk=tmp_path).split()
    absent = [word.replace("m.bpk", "absent.bpk") for word in words]  # which would be told of otherwise
    if kind in ("golden", "quantize"):
        absent = [word.replace("net.py", "raises.py") for word in words]
        (work / "raises.py").write_text("raise SystemError('work was begun')")
    command = [sys.executable, "-m", "burnstore", *absent]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, cwd=work, check=False)
    assert done.returncode == 1 and "exists already" in done.stderr, done.stderr
    assert content(tmp_path) == before


def group(folder, texts, broken=-1):
    """Return files for `replace_all`, the one of number `broken` with content that can't be had."""

    def chunks(number):
        yield texts.encode()
        if number == broken:
            raise BurnpackError("no such luck")

    return [(folder / name, chunks(number)) for number, name in enumerate(("a", "sub/b", "sub/deep/c"))]


@pytest.mark.parametrize("existing", [True, False])
@pytest.mark.parametrize("at", range(3))
def test_files_that_belong_together_are_all_written_or_none(tmp_path, existing, at):
    if existing:
        files.replace_all(group(tmp_path, "old"))
    before = content(tmp_path)
    error = support.raises(BurnpackError, files.replace_all, group(tmp_path, "new", at), True)
    assert "no such luck" in str(error) and ("a", "b", "c")[at] == os.path.basename(error.source)
    assert content(tmp_path) == before


@pytest.mark.parametrize("at", range(3))
def test_new_files_are_taken_back_where_one_does_not_get_its_name(tmp_path, monkeypatch, at):
    publish, calls = files._publish, []

    def failing(scratch, target, overwrite):
        calls.append(target)
        if len(calls) == at + 1:
            raise OSError(28, "No space left on device")
        publish(scratch, target, overwrite)

    monkeypatch.setattr(files, "_publish", failing)
    error = support.raises(SaveFailed, files.replace_all, group(tmp_path, "new"))
    assert "No space left" in str(error) and content(tmp_path) == {}


def test_of_files_that_belong_together_one_that_exists_is_refused_before_any_is_written(tmp_path):
    (tmp_path / "a").write_text("mine")
    error = support.raises(SaveFailed, files.replace_all, group(tmp_path, "new"))
    assert "exists already" in str(error) and content(tmp_path) == {
        (tmp_path / "a").relative_to(tmp_path): b"mine"
    }
