"""What kind of target a save finds: its permissions, symlinks, other names, files that are no models."""

import os
import stat

import pytest

from burnpack.errors import SaveFailed
from kit import faulty, support


def modes(folder):
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o664])
def test_permission_bits_are_kept(way, bits):
    way.save(1)
    for path in way.folder.iterdir():
        path.chmod(bits)
    way.save(2)
    assert way.loaded() == 2 and modes(way.folder) == {bits}


def test_a_new_model_has_the_permissions_that_the_umask_leaves(way):
    before = os.umask(0o027)
    try:
        way.save(1)
    finally:
        os.umask(before)
    assert modes(way.folder) == {0o640}


def test_a_symlink_is_followed_and_stays(way, tmp_path):
    if way.name == "sharded":
        return  # see the next test
    real = tmp_path / "elsewhere"
    real.mkdir()
    way.target.symlink_to(real / "real.bin")
    way.save(1)
    way.save(2)
    assert way.target.is_symlink() and way.loaded() == 2
    assert [path.name for path in real.iterdir()] == ["real.bin"]


def test_a_symlinked_index_is_followed_and_the_shards_lie_beside_the_link(tmp_path):
    real = tmp_path / "elsewhere"
    real.mkdir()
    target = tmp_path / "model.safetensors"
    index = tmp_path / "model.safetensors.index.json"
    index.symlink_to(real / "index")
    store = faulty.store("sharded", target).overwrite(True)
    faulty.model(1).save_into(store)
    faulty.model(2).save_into(store)
    assert index.is_symlink() and faulty.version_of(store) == 2
    assert [path.name for path in real.iterdir()] == ["index"]
    assert len(list(tmp_path.glob("model*-of-00003.safetensors"))) == 3


def test_another_name_of_the_old_file_keeps_the_old_model(way):
    if way.name == "sharded":
        return
    way.save(1)
    other = way.target.with_name("other" + way.target.suffix)
    os.link(way.target, other)
    way.save(2)
    assert way.loaded() == 2
    assert faulty.version_of(faulty.store(way.name, other)) == 1


def test_without_overwrite_what_is_there_stays(way):
    way.save(1)
    before = way.files()
    error = support.raises(SaveFailed, faulty.model(2).save_into, way.store())
    assert "the file exists already (the option overwrite replaces it)" in str(error)
    assert way.files() == before


def test_what_is_no_file_is_no_target(way):
    way.target.mkdir()
    error = support.raises(SaveFailed, way.save, 1)
    assert "not a regular file" in str(error) and list(way.folder.iterdir()) == [way.target]
