"""Files are replaced whole or not at all, whatever goes wrong."""

import errno
import gc
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from burnpack.errors import InvalidTensor, SaveFailed, Truncated
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.io import files
from burnstore.io.files import MappedFile, overwrite_in_place, replace
from kit import support

OLD, NEW = b"old contents", [b"new", b"", bytearray(b" con"), memoryview(b"tents")]
WHOLE = b"new contents"

as_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root may mount a file system"
)
not_as_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may do anything")


@pytest.fixture
def folder(tmp_path):
    """Return a folder, in which nothing but the targets may be left."""
    place = tmp_path / "folder"
    place.mkdir()
    yield place
    assert [path.name for path in place.iterdir() if path.suffix == ".tmp"] == []


@pytest.fixture
def target(folder):
    path = folder / "model.bpk"
    path.write_bytes(OLD)
    return path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_holds_all_chunks(folder):
    replace(folder / "new.bpk", NEW)
    assert (folder / "new.bpk").read_bytes() == WHOLE


def test_a_file_of_no_chunks_is_empty(folder):
    replace(folder / "new.bpk", [])
    assert (folder / "new.bpk").read_bytes() == b""


def test_paths_may_be_texts(folder):
    replace(str(folder / "new.bpk"), NEW)
    assert (folder / "new.bpk").read_bytes() == WHOLE


def test_an_existing_file_is_kept_unless_overwriting_was_asked_for(target):
    with pytest.raises(SaveFailed, match=r"model\.bpk: the file exists"):
        replace(target, NEW)
    assert target.read_bytes() == OLD
    replace(target, NEW, overwrite=True)
    assert target.read_bytes() == WHOLE


def test_an_existing_file_is_refused_before_anything_is_made(target):
    def chunks():
        raise AssertionError("nothing may be asked for")
        yield b""

    with pytest.raises(SaveFailed):
        replace(target, chunks())


def test_open_readers_keep_the_old_file(target):
    with MappedFile(target) as mapped, target.open("rb") as opened:
        replace(target, NEW, overwrite=True)
        assert bytes(mapped.view) == OLD and opened.read() == OLD
    assert target.read_bytes() == WHOLE


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o444, 0o755])
def test_permission_bits_of_an_existing_file_are_kept(target, bits):
    target.chmod(bits)
    replace(target, NEW, overwrite=True)
    assert mode(target) == bits and target.read_bytes() == WHOLE


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_permissions_that_the_umask_leaves(folder, umask):
    before = os.umask(umask)
    try:
        replace(folder / "new.bpk", NEW)
    finally:
        os.umask(before)
    assert mode(folder / "new.bpk") == 0o666 & ~umask


def test_a_symlink_is_followed_and_stays(target, folder):
    link = folder / "link.bpk"
    link.symlink_to(target.name)
    with pytest.raises(SaveFailed, match=r"link\.bpk: the file exists"):
        replace(link, NEW)
    replace(link, NEW, overwrite=True)
    assert link.is_symlink() and target.read_bytes() == WHOLE


def test_a_symlink_into_another_folder_has_its_scratch_file_there(tmp_path, folder):
    real = tmp_path / "elsewhere" / "model.bpk"
    real.parent.mkdir()
    link = folder / "link.bpk"
    link.symlink_to(real)
    replace(link, NEW, overwrite=True)
    assert link.is_symlink() and real.read_bytes() == WHOLE and list(real.parent.iterdir()) == [real]


@pytest.mark.parametrize("write", [replace, overwrite_in_place])
def test_a_link_to_nothing_is_kept_unless_overwriting_was_asked_for(folder, write):
    link = folder / "link.bpk"
    link.symlink_to(folder / "nothing.bpk")
    error = support.raises(SaveFailed, write, link, NEW)
    assert "exists already" in str(error) and link.is_symlink() and not link.exists()
    write(link, NEW, True)
    assert link.is_symlink() and (folder / "nothing.bpk").read_bytes() == WHOLE


def test_a_file_written_in_place_stays_the_same_file(target, folder):
    before, link = target.stat().st_ino, folder / "link.bpk"
    os.link(target, link)
    overwrite_in_place(target, NEW, True)
    assert target.stat().st_ino == before and link.read_bytes() == WHOLE
    overwrite_in_place(folder / "new.bpk", NEW)
    assert (folder / "new.bpk").read_bytes() == WHOLE
    error = support.raises(SaveFailed, overwrite_in_place, target, NEW)
    assert "exists already" in str(error)


def test_a_failure_in_place_is_told_and_leaves_a_part(target):
    def failing():
        yield bytes(files.SMALL)
        raise InvalidTensor("no more")

    error = support.raises(InvalidTensor, overwrite_in_place, target, failing(), True)
    assert error.source == str(target) and target.read_bytes() == bytes(files.SMALL)


def test_a_file_that_tensors_are_read_from_is_not_written_in_place(target):
    mapped = MappedFile(target)
    view = mapped.view[:3]
    mapped.close()  # the view keeps the map alive
    error = support.raises(SaveFailed, overwrite_in_place, target, NEW, True)
    assert "read from this file" in str(error) and bytes(view) == OLD[:3]
    view.release()
    del mapped, view
    gc.collect()
    overwrite_in_place(target, NEW, True)
    assert target.read_bytes() == WHOLE


def test_what_is_no_regular_file_is_not_replaced(folder):
    (folder / "model.bpk").mkdir()
    os.mkfifo(folder / "fifo")
    for path in (folder / "model.bpk", folder / "fifo", Path("/dev/null")):
        for overwrite in (False, True):
            with pytest.raises(SaveFailed, match="not a regular file"):
                replace(path, NEW, overwrite)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_folder_that_is_not_there_is_an_error_that_names_the_file(folder):
    for path in (folder / "none" / "model.bpk", folder / "file" / "model.bpk"):
        (folder / "file").touch()
        with pytest.raises(SaveFailed) as caught:
            replace(path, NEW)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "failure", [ValueError("no"), OSError(errno.EIO, "gone"), KeyboardInterrupt(), GeneratorExit()]
)
@pytest.mark.parametrize("at", [0, 1, 3])
@pytest.mark.parametrize("existing", [True, False])
def test_a_failure_at_any_chunk_leaves_everything_as_it_was(folder, failure, at, existing):
    path = folder / "model.bpk"
    if existing:
        path.write_bytes(OLD)

    def chunks():
        for number, chunk in enumerate([b"a" * 100, b"b" * 100, b"c" * 100, b""]):
            if number == at:
                raise failure
            yield chunk

    expected = SaveFailed if isinstance(failure, OSError) else type(failure)
    with pytest.raises(expected):
        replace(path, chunks(), overwrite=True)
    assert [(p.name, p.read_bytes()) for p in folder.iterdir()] == ([("model.bpk", OLD)] if existing else [])


@pytest.mark.parametrize("bad", ["a", "b", "c"])
@pytest.mark.parametrize(
    "provider, error, words",
    [
        (lambda: bytes(3), InvalidTensor, "wrong number of bytes (expected 300, found 3)"),
        (lambda: 1 / 0, SaveFailed, "its bytes can't be had: ZeroDivisionError: division by zero"),
        (Path("/nowhere/at/all").read_bytes, SaveFailed, "its bytes can't be had: FileNotFoundError"),
    ],
)
def test_a_provider_that_fails_is_named_and_leaves_the_old_file(target, bad, provider, error, words):
    tensors = [Tensor(name, "U8", (300,), provider if name == bad else bytes(300)) for name in "abc"]
    with pytest.raises(error) as caught:
        replace(target, Writer(tensors).chunks(), overwrite=True)
    assert str(caught.value).startswith(f"{target}: {bad}: {words}")
    assert target.read_bytes() == OLD


def test_a_source_that_ends_early_keeps_its_own_name(target):
    def gone():
        raise Truncated("the file ends early", None, "source.bpk")

    with pytest.raises(Truncated, match=r"^source\.bpk: a: the file ends early$"):
        replace(target, Writer([Tensor("a", "U8", (1,), gone)]).chunks(), overwrite=True)
    assert target.read_bytes() == OLD


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_that_another_process_makes_meanwhile(folder, overwrite):
    path = folder / "model.bpk"

    def chunks():
        yield b"new"
        path.write_bytes(b"theirs")
        yield b" contents"

    if overwrite:
        replace(path, chunks(), overwrite=True)
        assert path.read_bytes() == WHOLE
    else:
        with pytest.raises(SaveFailed, match=r"model\.bpk: another process made the file meanwhile"):
            replace(path, chunks())
        assert path.read_bytes() == b"theirs"


@pytest.mark.parametrize("overwrite", [False, True])
def test_without_hard_links_a_file_is_checked_for_and_renamed(folder, overwrite, monkeypatch):
    def refused(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    replace(folder / "new.bpk", NEW, overwrite)
    assert (folder / "new.bpk").read_bytes() == WHOLE

    def chunks():
        yield b"mine"
        (folder / "late.bpk").write_bytes(b"theirs")

    if not overwrite:
        with pytest.raises(SaveFailed, match="another process made the file meanwhile"):
            replace(folder / "late.bpk", chunks())
        assert (folder / "late.bpk").read_bytes() == b"theirs"


def test_the_scratch_file_lies_beside_the_target_and_bears_its_name(target, folder):
    def chunks():
        yield b"a"
        (scratch,) = [path.name for path in folder.iterdir() if path != target]
        assert scratch.startswith(f"model.bpk.{os.getpid()}-") and scratch.endswith(".tmp")
        assert target.read_bytes() == OLD

    replace(target, chunks(), overwrite=True)


def test_what_a_killed_process_of_the_same_number_left_is_passed_by(target, folder, monkeypatch):
    monkeypatch.setattr(files, "_serial", iter(range(100)))
    left = [folder / f"model.bpk.{os.getpid()}-{number}.tmp" for number in range(3)]
    for path in left:
        path.write_bytes(b"left behind")
    replace(target, NEW, overwrite=True)
    assert target.read_bytes() == WHOLE
    for path in left:
        assert path.read_bytes() == b"left behind"
        path.unlink()


def test_progress_counts_the_bytes_that_are_written(folder, monkeypatch):
    monkeypatch.setattr(files, "PIECE", 100)
    told = []
    replace(folder / "new.bpk", [bytes(250), b"", bytes(7)], progress=told.append)
    assert told == [100, 100, 57]  # small chunks are written together


def test_a_failure_of_the_progress_leaves_the_old_file(target):
    def broken(_):
        raise RuntimeError("the terminal is gone")

    with pytest.raises(RuntimeError):
        replace(target, NEW, overwrite=True, progress=broken)
    assert target.read_bytes() == OLD


def test_a_model_is_saved_onto_the_file_it_is_mapped_from(folder):
    path = folder / "model.bpk"
    tensors = [Tensor(name, "U8", (100000,), name.encode() * 100000) for name in "abc"]
    path.write_bytes(Writer(tensors).to_bytes())
    with MappedFile(path) as mapped:
        reader = Reader.from_static(mapped.view)
        turned = [reader.tensor("c"), reader.tensor("a").renamed("d")]
        replace(path, Writer(turned).chunks(), overwrite=True)
        assert bytes(reader.view("b")) == b"b" * 100000
        del reader, turned
    found = Reader.from_bytes(path.read_bytes())
    assert [(t.name, bytes(t.data()[:1])) for t in found] == [("c", b"c"), ("d", b"a")]


def test_a_chunk_of_another_item_size_is_written_as_bytes(folder):
    replace(folder / "new.bpk", [memoryview(bytearray(16)).cast("d"), memoryview(b"\1\2\3\4").cast("H")])
    assert (folder / "new.bpk").read_bytes() == bytes(16) + b"\1\2\3\4"


def test_a_partial_write_goes_on_where_it_stopped(folder, monkeypatch):
    class Reluctant:
        def __init__(self, file):
            self._file = file

        def write(self, data):
            return self._file.write(data[:3])

    real = files._write
    monkeypatch.setattr(files, "_write", lambda file, chunk, progress: real(Reluctant(file), chunk, progress))
    replace(folder / "new.bpk", NEW)
    assert (folder / "new.bpk").read_bytes() == WHOLE


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_fails_at_the_end_leaves_the_old_file(target, monkeypatch, step):
    def refused(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, step, refused)
    with pytest.raises(SaveFailed, match=r"model\.bpk: can't write: Input/output error"):
        replace(target, NEW, overwrite=True)
    assert target.read_bytes() == OLD


def test_a_folder_that_can_not_be_synced_spoils_nothing(target, monkeypatch):
    real = os.open

    def refused(path, flags, *arguments, **keywords):
        if flags & os.O_DIRECTORY:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *arguments, **keywords)

    monkeypatch.setattr(os, "open", refused)
    replace(target, NEW, overwrite=True)
    assert target.read_bytes() == WHOLE


@not_as_root
def test_a_folder_that_may_not_be_written_to_is_an_error(folder):
    folder.chmod(0o500)
    try:
        with pytest.raises(SaveFailed, match="Permission denied"):
            replace(folder / "new.bpk", NEW)
    finally:
        folder.chmod(0o700)


def test_a_folder_that_may_not_be_looked_into_is_an_error(folder, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "exists", refused)
    with pytest.raises(SaveFailed, match=r"new\.bpk: can't write: Permission denied"):
        replace(folder / "new.bpk", NEW)


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True)
    if done.returncode:
        pytest.skip("no file system can be mounted here: " + done.stderr.decode().strip())
    yield place
    subprocess.run(["umount", place], check=True)


@as_root
def test_a_full_disk_leaves_the_old_file_and_no_scratch(small_disk):
    target = small_disk / "model.bpk"
    target.write_bytes(OLD)
    with pytest.raises(SaveFailed, match=r"model\.bpk: can't write: No space left on device"):
        replace(target, (bytes(100_000) for _ in range(30)), overwrite=True)
    assert [(path.name, path.read_bytes()) for path in small_disk.iterdir()] == [("model.bpk", OLD)]


KILLED = """
import os, signal, sys
from burnstore.io.files import replace
def chunks():
    yield b"new" * 100000
    os.kill(os.getpid(), signal.SIGKILL)
    yield b""
replace(sys.argv[1], chunks(), overwrite=True)
"""


def test_a_kill_leaves_the_old_file_and_a_scratch_that_can_be_deleted(tmp_path):
    target = tmp_path / "model.bpk"
    target.write_bytes(OLD)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", KILLED, target], env=env)
    assert done.returncode == -9
    assert target.read_bytes() == OLD
    (scratch,) = [path for path in tmp_path.iterdir() if path != target]
    assert scratch.name.endswith(".tmp")
    replace(target, NEW, overwrite=True)
    assert target.read_bytes() == WHOLE


def test_an_empty_file_is_mapped_as_no_bytes(folder):
    (folder / "empty").touch()
    with MappedFile(folder / "empty") as mapped:
        assert len(mapped.view) == 0
        mapped.forget()


def test_a_map_lives_as_long_as_a_view_of_it(target):
    mapped = MappedFile(target)
    view = mapped.view[4:]
    mapped.close()
    mapped.close()
    assert bytes(view) == OLD[4:]


def test_what_was_forgotten_is_read_again(target):
    with MappedFile(target) as mapped:
        assert bytes(mapped.view) == OLD
        mapped.forget()
        assert bytes(mapped.view) == OLD


def test_many_small_chunks_take_few_writes(folder, monkeypatch):
    sizes = []
    write = files._write
    monkeypatch.setattr(
        files,
        "_write",
        lambda file, chunk, progress: sizes.append(len(chunk)) or write(file, chunk, progress),
    )
    chunks = [bytes([number % 251]) * 7 for number in range(10_000)] + [bytes(files.SMALL)]
    replace(folder / "new.bpk", iter(chunks))
    assert (folder / "new.bpk").read_bytes() == b"".join(chunks)
    assert len(sizes) == 3


def test_a_chunk_that_is_written_over_is_written_as_it_was(folder):
    def chunks():
        buffer = bytearray(8)
        for number in range(5):
            buffer[:] = bytes([number]) * 8
            yield memoryview(buffer)

    replace(folder / "new.bpk", chunks())
    assert (folder / "new.bpk").read_bytes() == bytes(sorted(list(range(5)) * 8))
