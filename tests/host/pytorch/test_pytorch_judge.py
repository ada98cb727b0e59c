"""The command line judged by PyTorch: what that reads becomes the same tensors; the rest leaves no file.

Of what is refused there is, in each of the tables, the error that refuses it when the file is opened.
"""

import hashlib
import json
from zipfile import ZIP_DEFLATED

import pytest

from burnpack.safetensors import Reader
from burnstore.cli import main
from kit import support
from kit.pytorch import pickles as p
from kit.pytorch.pytorch_refused import REFUSED
from kit.pytorch.pytorch_refused_containers import BARE, LEGACY, TAR

# Folder of golden answers: where the files are that these belong to.
FOLDERS = {
    "pytorch_zip": "tests/vectors/pytorch_zip/",
    "pytorch_other": "tests/vectors/pytorch_other/",
    "pytorch_data": "",
}


def golden():
    """Yield (folder, file's name, rows of what PyTorch reads) for all files."""
    for folder in FOLDERS:
        with open(support.path(f"tests/vectors/{folder}/expected.json"), encoding="utf-8") as file:
            for name, rows in sorted(json.load(file).items()):
                yield folder, name, rows


GOLDEN = list(golden())

# Where the weights are in what trainers save.
KEYS = {
    "averaged.pt": "model",
    "legacy_optimizer.pt": "model",
    "lightning.pt": "state_dict",
    "module_parallel.pt": "net",
    "optimizer.pt": "model",
    "tests/data/pytorch/top_level_key.pt": "my_state_dict",
}
NOT_IN_SAFETENSORS = {"C32", "C128", "Bits8", "Bits16"}

# Each kind of checkpoint that PyTorch reads, and a file of it.
KINDS = {
    "zip": "contiguous.pt",
    "zip, packed": "compressed.pt",
    "zip, in another folder": "other_folder.pt",
    "zip, in no folder": "no_folder.pt",
    "zip, without facts": "no_facts.pt",
    "zip, big-endian": "big_endian.pt",
    "zip, big-endian and untyped": "big_endian_untyped.pt",
    "legacy": "legacy_contiguous.pt",
    "legacy, parts of storages": "legacy_parts.pt",
    "tar": "tar.pt",
    "bare pickle of protocol 0": "bare_protocol_0.pkl",
    "bare pickle of protocol 4": "bare_protocol_4.pkl",
    "every dtype": "dtypes.pt",
    "every dtype of a legacy file": "legacy_dtypes.pt",
    **{f"pickle protocol {number}": f"protocol_{number}.pt" for number in range(6)},
    "TorchScript, scripted": "scripted.pt",
    "TorchScript, traced": "traced.pt",
    "whole module": "module.pt",
    "whole module, legacy": "module_legacy.pt",
    "module in DataParallel": "module_parallel.pt",
    "state dict": "module_state.pt",
    "Lightning": "lightning.pt",
    "optimizer": "optimizer.pt",
    "moving average": "averaged.pt",
    "NumPy 1": "numpy_1_values.pt",
    "NumPy 2": "numpy_values.pt",
    "unknown classes": "opaque.pt",
    "Parameters": "parameters.pt",
    "tensor subclass": "subclass.pt",
    "nested, with keys of many kinds": "nested.pt",
    "lists": "list.pt",
    "one tensor": "bare_tensor.pt",
    "no tensors": "no_tensors.pt",
    "strides": "conv_strides.pt",
    "views of one storage": "views.pt",
    "expanded": "expanded.pt",
    "conjugate and negative": "flags.pt",
    "tied": "tied.pt",
    "without elements": "empty.pt",
    "scalars": "scalar.pt",
    "strange names": "names.pt",
}


def run(capsys, *arguments):
    """Run the command; return its exit code and what it says on stderr."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    return ended.value.code, capsys.readouterr().err


def rows(path):
    return {
        tensor.name: [tensor.dtype, list(tensor.shape), hashlib.sha256(tensor.data()).hexdigest()]
        for tensor in Reader.from_bytes(path.read_bytes())
    }


def test_there_is_a_file_of_each_kind():
    files = {name for _, name, _ in GOLDEN}
    assert set(KINDS.values()) <= files
    assert len(files) > 58


@pytest.mark.parametrize(("folder", "name", "expected"), GOLDEN, ids=[f"{row[0]}/{row[1]}" for row in GOLDEN])
def test_what_pytorch_reads_is_converted_to_the_same_tensors(folder, name, expected, tmp_path, capsys):
    source, target = support.path(FOLDERS[folder] + name), tmp_path / "out.safetensors"
    key = KEYS.get(name)
    code, said = run(capsys, "convert", source, target, *(["--top-level-key", key] if key else []))
    start = f"{key}." if key else ""
    lacking = {dtype for _, dtype, _, _ in expected} & NOT_IN_SAFETENSORS
    if lacking:
        assert code == 1 and any(dtype in said for dtype in lacking)
        assert list(tmp_path.iterdir()) == []
        return
    if not expected:
        assert code == 1 and "nothing is left to write" in said and list(tmp_path.iterdir()) == []
        return
    assert code == 0, said
    assert rows(target) == {n.removeprefix(start): rest for n, *rest in expected if n.startswith(start)}


HOSTILE = [*REFUSED, *LEGACY, *TAR, *BARE]


@pytest.mark.parametrize("target", ["out.bpk", "out.safetensors"])
@pytest.mark.parametrize(
    ("data", "words"), [(row[1], row[3]) for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_what_is_refused_leaves_no_file(data, words, target, tmp_path, capsys):
    source = tmp_path / "model.pt"
    source.write_bytes(data)
    code, said = run(capsys, "convert", source, tmp_path / target)
    assert code == 1
    assert said.count("\n") == 1 and said.startswith("burnstore: ")
    assert all(word in said for word in words)
    assert list(tmp_path.iterdir()) == [source]


def test_damage_that_shows_while_it_is_written_leaves_no_file(tmp_path, capsys):
    data = bytearray(p.checkpoint(p.a_dict({"w": p.tensor("0", 256)}), {"0": bytes(1024)}, ZIP_DEFLATED))
    start = data.find(b"archive/data/0") + len("archive/data/0")
    data[start : start + 4] = b"\xff\xff\xff\xff"
    source = tmp_path / "model.pt"
    source.write_bytes(data)
    code, said = run(capsys, "convert", source, tmp_path / "out.bpk")
    assert code == 1 and "damaged" in said and "data/0" in said
    assert list(tmp_path.iterdir()) == [source]
