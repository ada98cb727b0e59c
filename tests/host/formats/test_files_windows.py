"""What files do where the system is Windows, as far as another one can tell."""

import os

import pytest

from burnpack.errors import SaveFailed
from burnstore.io import files


def refuse(*_):
    raise PermissionError(13, "Access is denied")


def test_a_file_that_is_mapped_and_can_not_be_replaced_is_told_so(tmp_path, monkeypatch):
    target = tmp_path / "net.bpk"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", refuse)
    with files.MappedFile(target), pytest.raises(SaveFailed, match="write to another name") as failed:
        files.replace(target, [b"new"], overwrite=True)
    assert str(target) in str(failed.value)
    assert target.read_bytes() == b"old" and os.listdir(tmp_path) == ["net.bpk"]


def test_another_refusal_keeps_the_words_of_the_system(tmp_path, monkeypatch):
    target = tmp_path / "net.bpk"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(SaveFailed, match="Access is denied"):
        files.replace(target, [b"new"], overwrite=True)
    assert os.listdir(tmp_path) == ["net.bpk"]


def test_where_files_have_no_permissions_a_scratch_file_gets_none(tmp_path, monkeypatch):
    target = tmp_path / "net.bpk"
    target.write_bytes(b"old")
    target.chmod(0o444)
    monkeypatch.setattr(files, "_HAS_PERMISSIONS", False)
    monkeypatch.setattr(os, "replace", refuse)
    modes = []
    publish = files._publish
    monkeypatch.setattr(
        files,
        "_publish",
        lambda scratch, *rest: (modes.append(scratch.stat().st_mode), publish(scratch, *rest)),
    )
    with pytest.raises(SaveFailed, match="Access is denied"):
        files.replace(target, [b"new"], overwrite=True)
    assert modes[0] & 0o200 and os.listdir(tmp_path) == ["net.bpk"]


@pytest.mark.parametrize("folder_flag", [True, False])
def test_a_folder_that_can_not_be_opened_is_not_waited_for(tmp_path, monkeypatch, folder_flag):
    if not folder_flag:
        monkeypatch.delattr(os, "O_DIRECTORY", raising=False)
    files.replace(tmp_path / "net.bpk", [b"new"])
    assert (tmp_path / "net.bpk").read_bytes() == b"new"


def test_where_there_are_no_links_a_new_file_is_renamed_and_none_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(1, "Incorrect function")))
    files.replace(tmp_path / "net.bpk", [b"new"])
    with pytest.raises(SaveFailed, match="exists already"):
        files.replace(tmp_path / "net.bpk", [b"newer"])
    assert (tmp_path / "net.bpk").read_bytes() == b"new"


def test_a_long_name_may_be_cut_within_a_letter(tmp_path):
    for ending in ("", "x", "xx"):
        name = "ü" * 120 + ending + ".bpk"
        files.replace(tmp_path / name, [b"new"])
        assert (tmp_path / name).read_bytes() == b"new"
