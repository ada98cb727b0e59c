"""Opening a file of any format."""

import numpy as np
import pytest

from burnpack.errors import BurnpackError, NotFound, UnknownFormat
from burnstore import open_model, save_burnpack, save_safetensors, tensor_from_array
from kit import support

ARRAYS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([True, False])}
TENSORS = [tensor_from_array(name, array) for name, array in ARRAYS.items()]
SAVE = {"burnpack": save_burnpack, "safetensors": save_safetensors}


@pytest.mark.parametrize("name", ["model", "model.pt", "model.bin", "model.safetensors"])
@pytest.mark.parametrize("kind", SAVE)
def test_a_format_is_recognised_by_content_whatever_the_name(tmp_path, kind, name):
    SAVE[kind](tmp_path / name, TENSORS)
    with open_model(tmp_path / name) as opened:
        assert opened.reader.format == kind
        assert sorted(opened.names()) == ["a", "b"]
        assert all(np.array_equal(opened.array(key), array) for key, array in ARRAYS.items())
        assert {tensor.name for tensor in opened} == set(ARRAYS)


def test_an_array_outlives_the_opened_file(tmp_path):
    save_burnpack(tmp_path / "model.bpk", TENSORS)
    with open_model(tmp_path / "model.bpk") as opened:
        array = opened.array("a")
    assert array.tolist() == ARRAYS["a"].tolist()
    assert not array.flags.writeable


def test_an_error_names_the_file(tmp_path):
    save_burnpack(tmp_path / "model.bpk", TENSORS)
    whole = (tmp_path / "model.bpk").read_bytes()
    (tmp_path / "cut.bpk").write_bytes(whole[:-1])
    for name in ("cut.bpk",):
        error = support.raises(BurnpackError, open_model, tmp_path / name)
        assert str(error).startswith(f"{tmp_path / name}: the file is cut short")
    with open_model(tmp_path / "model.bpk") as opened:
        error = support.raises(NotFound, opened.tensor, "absent")
        assert str(error).startswith(f"{tmp_path / 'model.bpk'}: absent: ")


@pytest.mark.parametrize(
    "content, what",
    [
        (b"", "an empty file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (b"GGUF\x03\0\0\0", "GGUF"),
        (b"\x93NUMPY\x01\0", "NumPy"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"\0" * 300, "no format that is known here"),
    ],
)
def test_another_file_is_called_what_it_is(tmp_path, content, what):
    (tmp_path / "model.pt").write_bytes(content)
    error = support.raises(UnknownFormat, open_model, tmp_path / "model.pt")
    assert what in str(error) and str(tmp_path / "model.pt") in str(error)
