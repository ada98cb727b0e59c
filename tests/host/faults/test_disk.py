"""A disk that is full, a folder that may not be written to: told as what they are, and nothing is lost."""

import shutil
import tempfile
from pathlib import Path

import pytest

from burnpack.errors import SaveFailed
from kit import faulty, support

LARGE = 1 << 20  # bytes of a tensor: six of them are more than the disk has


@pytest.mark.parametrize("kind", ["burnpack", "safetensors", "sharded"])
@pytest.mark.parametrize("existing", [True, False])
def test_a_full_disk_leaves_the_old_model_and_no_scratch(small_disk, kind, existing):
    target = small_disk / ("model.bpk" if kind == "burnpack" else "model.safetensors")
    store = faulty.store(kind, target).overwrite(True)
    if existing:
        faulty.model(1).save_into(store)
    before = {path.name: path.read_bytes() for path in small_disk.iterdir()}
    error = support.raises(SaveFailed, faulty.model(2, LARGE).save_into, store)
    assert "can't write: No space left on device" in str(error) and str(small_disk) in str(error)
    assert {path.name: path.read_bytes() for path in small_disk.iterdir()} == before
    if existing:
        assert faulty.version_of(store) == 1


@pytest.fixture
def open_folder():
    """Return a folder that everybody can look into, unlike those that pytest makes."""
    folder = Path(tempfile.mkdtemp(prefix="burnstore-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("kind", ["burnpack", "safetensors", "sharded"])
@pytest.mark.parametrize("existing", [True, False])
def test_a_folder_without_permission_is_an_error_that_names_the_file(
    open_folder, in_a_process, kind, existing
):
    target = open_folder / ("model.bpk" if kind == "burnpack" else "model.safetensors")
    if existing:
        faulty.model(1).save_into(faulty.store(kind, target))
        for path in open_folder.iterdir():
            path.chmod(0o666)  # the file may be written to, its folder may not
    before = {path.name: path.read_bytes() for path in open_folder.iterdir()}
    open_folder.chmod(0o555)
    lines = in_a_process("save_once.py", kind, target)
    assert lines[0].startswith("SaveFailed: " + str(open_folder)) and "Permission denied" in lines[0]
    assert {path.name: path.read_bytes() for path in open_folder.iterdir()} == before
