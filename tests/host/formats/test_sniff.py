"""Formats are told by content, and what is no checkpoint is named for what it is."""

import bz2
import gzip
import io
import json
import lzma
import struct
import zipfile
import zlib

import numpy
import pytest

from burnpack.errors import UnknownFormat
from burnstore import open_model
from burnstore.io import sniff
from kit import support
from kit.pytorch import pickles as p


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
    "tests/data/pt2/ecg.pt2": sniff.EXPORTED,
    "tests/data/pt2/kws_torch2.6.pt2": sniff.EXPORTED,
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
def test_the_first_kilobytes_do_for_all_that_lies_not_in_a_folder_with_more_than_a_checkpoint(name, kind):
    start = support.read(support.path(name))[:600]
    in_folder = kind == sniff.TORCHSCRIPT or name.endswith("ecg.pt2")
    assert sniff.sniff(start) == (sniff.PYTORCH_ZIP if in_folder else kind)


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
RECORD = b"\x82\xa8metadata\x85\xa5float\xa3f32\xa6format\xd9\x2dburn_core::record::file::"
JSON_RECORD = json.dumps(
    {"metadata": {"format": "burn_core::record::file::PrettyJsonFileRecorder"}}, indent=2
)
SIGNATURE_OF_A_TABLE = b"\x57\xfb\x80\x8b\x24\x75\x47\xdb"


def field(number, content):
    """Return a field of a message of protocol buffers: a number, or bytes."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


FOREIGN = {
    "a record that Burn's NamedMpkFileRecorder wrote.*BurnpackStore": support.read(
        support.data("reports/m.mpk")
    ),
    "a record that Burn's BinFileRecorder wrote.*BurnpackStore": support.read(
        support.data("reports/m.burn.bin")
    ),
    "Burn's NamedMpkGzFileRecorder": gzip.compress(RECORD + b"NamedMpkGzFileRecorder"),
    "Burn's PrettyJsonFileRecorder": JSON_RECORD.encode(),
    "Burn's JsonGzFileRecorder": gzip.compress(JSON_RECORD.replace("PrettyJson", "JsonGz").encode()),
    "one of Burn's recorders .*BurnpackStore": b"\x82\xa4item\x81\xa1w\x93" + bytes(9),
    "one of Burn's recorders": b"\x04\0\0\0\0\0\0\0bf16\x03\0\0\0\0\0\0\0i32" + bytes(9),
    "one of Burn's recorders (?#gz)": gzip.compress(b"\x03\0\0\0\0\0\0\0f16\x03\0\0\0\0\0\0\0i16"),
    "a torch.package.*state_dict": zipped(
        "p/.data/0.storage", "p/m/model.pkl", "p/.data/extern_modules", "p/byteorder"
    ),
    "ONNX(?#graph first)": field(1, 8) + field(7, b"graph") + field(8, b"\x10\x0d"),
    "ONNX(?#version of the model)": field(1, 3) + field(5, 1) + field(2, b"tool") + field(7, bytes(300)),
    "TensorFlow SavedModel": field(1, 1) + field(2, bytes(300)),
    "Core ML": field(1, 4) + field(2, b"about") + field(500, bytes(20)),
    "the index of a TensorFlow checkpoint": bytes(100) + SIGNATURE_OF_A_TABLE,
    "the list of TensorFlow": b'model_checkpoint_path: "model.ckpt-1"\n',
    "ExecuTorch": b"\x1c\0\0\0ET12" + bytes(16),
    "ONNX Runtime": b"\x1c\0\0\0ORTM" + bytes(16),
    "MessagePack, such as Flax": b"\x81\xa6params\x81\xa5dense" + bytes(9),
    "a pickle of joblib": b"\x80\x04\x95\0\0\0\0\0\0\0\0\x8c\x13joblib.numpy_pickle\x94",
    "zlib, such as joblib": zlib.compress(b"\x80\x04joblib"),
    "compressed with LZMA": lzma.compress(b"x", lzma.FORMAT_ALONE),
    "compressed with xz": lzma.compress(b"x"),
    "compressed with bzip2": bz2.compress(b"x"),
    "a distributed checkpoint.*dcp_to_torch": b"\x80\x04\x8c\x25torch.distributed.checkpoint.metadata\x94",
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


@pytest.mark.parametrize("size", [0x5D, 0x8B1F, 0x0178, 0x685A42])
def test_a_header_whose_size_looks_like_another_format_is_safetensors(size):
    header = json.dumps({"w": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}}).encode()
    data = struct.pack("<Q", size) + header.ljust(size)
    assert sniff.sniff(data[:4096]) == sniff.SAFETENSORS


FOLDERS = {
    "give the file in it, model.safetensors.index.json": (
        "model.safetensors.index.json",
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "config.json",
    ),
    "pytorch_model.bin.index.json": ("pytorch_model.bin.index.json", "pytorch_model-00001-of-00001.bin"),
    "give the file in it, model.safetensors$": ("config.json", "model.safetensors", "tokenizer.json"),
    "a.pt or b.pt or c.pt or another of 4": ("a.pt", "b.pt", "c.pt", "d.pt"),
    "a distributed checkpoint: .*dcp_to_torch": (".metadata", "__0_0.distcp"),
    "an archive of PyTorch, unpacked": ("data.pkl", "version", "byteorder"),
    "a TensorFlow SavedModel": ("saved_model.pb", "variables"),
    "a folder, where a file was expected$": ("readme.txt",),
    "where a file was expected$": (),
}


@pytest.mark.parametrize(("what", "names"), FOLDERS.items(), ids=FOLDERS)
def test_of_a_folder_the_file_that_is_meant_is_named(what, names, tmp_path):
    for name in names:
        (tmp_path / name).touch()
    for read in (sniff.sniff, open_model):
        with pytest.raises(UnknownFormat, match=what) as raised:
            read(tmp_path)
        assert str(raised.value).startswith(str(tmp_path)[:100])
