"""Formats are told by content, and what is no checkpoint is named for what it is."""

import gzip
import io
import json
import struct
import zipfile

import numpy
import pytest

import pickles as p
import support
from burnpack.errors import UnknownFormat
from burnstore import sniff


def saved(save, *arguments, **keywords):
    file = io.BytesIO()
    save(file, *arguments, **keywords)
    return file.getvalue()


def zipped(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
    return file.getvalue()


def safetensors(header):
    data = json.dumps(header).encode()
    return struct.pack("<Q", len(data)) + data


KNOWN = {
    "tests/vectors/pytorch_zip/contiguous.pt": sniff.PYTORCH_ZIP,
    "tests/vectors/pytorch_zip/compressed.pt": sniff.PYTORCH_ZIP,
    "tests/vectors/pytorch_zip/no_folder.pt": sniff.PYTORCH_ZIP,
    "tests/vectors/pytorch_other/scripted.pt": sniff.TORCHSCRIPT,
    "tests/vectors/pytorch_other/legacy_tied.pt": sniff.PYTORCH_LEGACY,
    "tests/vectors/pytorch_other/legacy_protocol_1.pt": sniff.PYTORCH_LEGACY,
    "tests/vectors/pytorch_other/legacy_protocol_5.pt": sniff.PYTORCH_LEGACY,
    "tests/vectors/pytorch_other/tar.pt": sniff.PYTORCH_TAR,
    "tests/vectors/pytorch_other/bare_protocol_0.pkl": sniff.PICKLE,
    "tests/vectors/pytorch_other/bare_protocol_2.pkl": sniff.PICKLE,
    "tests/vectors/pytorch_other/bare_protocol_4.pkl": sniff.PICKLE,
}


@pytest.mark.parametrize(("name", "kind"), KNOWN.items())
def test_a_golden_file_is_recognised_by_path_and_by_bytes(name, kind):
    path = support.path(name)
    assert sniff.sniff(path) == kind
    assert sniff.sniff(support.read(path)) == kind


@pytest.mark.parametrize(("name", "kind"), KNOWN.items())
def test_the_first_kilobytes_do_for_all_that_is_no_torchscript(name, kind):
    start = support.read(support.path(name))[:600]
    assert sniff.sniff(start) == (sniff.PYTORCH_ZIP if kind == sniff.TORCHSCRIPT else kind)


BYTES = {
    "burnpack": (b"NRUB\x01\x00" + bytes(20), sniff.BURNPACK),
    "safetensors": (safetensors({}), sniff.SAFETENSORS),
    "safetensors, cut short": (safetensors({"a": {"dtype": "F32"}})[:12], sniff.SAFETENSORS),
    "an index of shards": (json.dumps({"metadata": {}, "weight_map": {}}).encode(), sniff.SHARD_INDEX),
    "a pickle of protocol 1": (b"}q\x00.", sniff.PICKLE),
    "a pickle of a class": (b"ccollections\nOrderedDict\n)R.", sniff.PICKLE),
}


@pytest.mark.parametrize(("data", "kind"), BYTES.values(), ids=BYTES)
def test_bytes_are_recognised(data, kind):
    assert sniff.sniff(data) == kind
    assert sniff.sniff(memoryview(bytearray(data))) == kind


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
ONNX = b"\x08\x09\x12\x07pytorch\x1a\x052.1.0:\x10"
FOREIGN = {
    "Git LFS": LFS,
    "HTML": b"\n<!DOCTYPE html>\n<html><head><title>404</title></head></html>",
    "XML": b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>",
    "empty": b"",
    "GGUF": b"GGUF\x03\x00\x00\x00" + bytes(16),
    "HDF5": b"\x89HDF\r\n\x1a\n" + bytes(16),
    "NumPy array": saved(numpy.save, numpy.arange(3)),
    "NumPy arrays": saved(numpy.savez, a=numpy.arange(3)),
    "ONNX": ONNX,
    "TensorFlow Lite": b"\x1c\x00\x00\x00TFL3" + bytes(16),
    "gzip": gzip.compress(b"x"),
    "Keras": zipped("metadata.json", "config.json", "model.weights.h5"),
    "torch.export": zipped("m/archive_format", "m/models/model.json"),
    "Office": zipped("[Content_Types].xml", "word/document.xml"),
    "zip archive": zipped("readme.txt"),
    "tar archive": p.tar({"readme.txt": b"x"}),
    "JSON": json.dumps({"config": {}}).encode(),
    "plain text": b"These are not the weights that you are looking for.\n",
    "no format": b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09",
}


@pytest.mark.parametrize(("what", "data"), FOREIGN.items(), ids=FOREIGN)
def test_what_is_no_checkpoint_is_named(what, data, tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(data)
    with pytest.raises(UnknownFormat, match=what) as raised:
        sniff.sniff(path)
    assert "model.pt" in str(raised.value)


def test_a_long_text_that_is_cut_inside_a_letter_is_still_text():
    with pytest.raises(UnknownFormat, match="plain text"):
        sniff.sniff("é".encode() * 5000)
    with pytest.raises(UnknownFormat, match="plain text"):
        sniff.sniff(b"x" + "é".encode() * 5000)
