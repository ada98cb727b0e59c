"""What `burnstore convert` does besides changing the format, option by option."""

import os
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from burnpack.errors import (
    BurnpackError,
    DuplicateName,
    LoadFailed,
    Malformed,
    NotFound,
    SaveFailed,
    Unsupported,
)
from burnpack.reader import Reader
from burnstore.advice.conversions import in_options
from burnstore.cli import commands
from kit import support
from kit.pytorch import pickles as p

MODEL = """
from burnpack.module import Enum, Module, Param

def layer(name, **shapes):
    made = type(name, (Module,), {})()
    for param, shape in shapes.items():
        setattr(made, param, Param(shape))
    return made

class Net(Module):
    def __init__(self):
        self.dense = layer("Linear", weight=(2, 3), bias=(3,))
        self.norm = layer("BatchNorm", gamma=(2,))

class Row(Module):
    def __init__(self):
        self.fc = [layer("Linear", weight=(2, 3)) for _ in range(3)]

class Gapped(Module):
    def __init__(self):
        self.fc = [layer("Linear", weight=(2, 3)) if number % 2 == 0 else Module() for number in range(5)]

class Choice(Enum):
    pass

class Chosen(Module):
    def __init__(self):
        self.part = Choice(First=layer("Linear", weight=(2, 3)))

class Square(Module):
    def __init__(self):
        self.one = layer("Linear", weight=(2, 2))
        self.two = layer("Linear", weight=(2, 2))
"""

NET = {
    "dense.weight": np.arange(6, dtype=np.float32).reshape(3, 2),
    "dense.bias": np.array([1.5, 2.5, 1e-3], np.float32),
    "norm.weight": np.ones(2, np.float32),
}


def tensor(number, shape=(3, 2)):
    return p.tensor("0", 64, shape, offset=number)


STORAGE = {"0": np.arange(64, dtype=np.float32).tobytes()}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)
    save_file(NET, "net.safetensors", {"note": "old", "format": "pt"})
    save_file({"module." + name: array for name, array in NET.items()}, "wrapped.safetensors")
    gapped = p.a_dict({f"fc.{number}.weight": tensor(number) for number in (0, 2, 4)})
    Path("gapped.pt").write_bytes(p.checkpoint(gapped, STORAGE))
    both = p.a_dict({"model": p.a_dict({"a.w": tensor(0)}), "ema": p.a_dict({"a.w": tensor(6)})})
    Path("both.pt").write_bytes(p.checkpoint(both, STORAGE))
    Path("chosen.pt").write_bytes(p.checkpoint(p.a_dict({"part.weight": tensor(0)}), STORAGE))
    return tmp_path


def convert(*arguments):
    """Run the command here; return the reader of what it wrote, if it wrote anything."""
    commands.main(["convert", *arguments], standalone_mode=False)
    target = Path(arguments[1])
    return Reader.from_bytes(target.read_bytes()) if target.suffix == ".bpk" and target.exists() else None


def floats(reader, name, dtype="<f4"):
    return np.frombuffer(reader.view(name), dtype).tolist()


def test_names_are_changed_in_order(folder):
    found = convert("net.safetensors", "out.bpk", "--rename", r"^(\w+)\.=$1/", "--rename", "dense=fc")
    assert found.names() == ["fc/bias", "fc/weight", "norm/weight"]


def test_a_replacement_may_have_the_sign_that_divides(folder):
    assert convert("net.safetensors", "out.bpk", "--rename", "^dense=a=b").names()[0] == "a=b.bias"
    support.raises(click.BadParameter, convert, "net.safetensors", "out2.bpk", "--rename", "dense")
    support.raises(Malformed, convert, "net.safetensors", "out2.bpk", "--rename", "(=x")
    support.raises(DuplicateName, convert, "net.safetensors", "out2.bpk", "--rename", r"^.*$=x")
    assert not Path("out2.bpk").exists()


def test_prefixes_are_stripped(folder):
    assert convert("wrapped.safetensors", "out.bpk", "--strip-prefix").names() == sorted(NET)
    found = convert("wrapped.safetensors", "net.bpk", "--strip-prefix", "--module", "model.py:Net")
    assert found.names() == ["dense.bias", "dense.weight", "norm.gamma"]


def test_a_filter_takes_what_matches_and_what_is_named(folder):
    found = convert("net.safetensors", "out.bpk", "--filter", "bias$", "--exact", "norm.weight")
    assert found.names() == ["dense.bias", "norm.weight"]
    module = ("--module", "model.py:Net", "--filter", "^norm", "--filter", "bias")
    assert convert("net.safetensors", "net.bpk", *module).names() == ["dense.bias", "norm.gamma"]


def test_a_filter_sees_the_new_names(folder):
    found = convert("net.safetensors", "out.bpk", "--rename", "^dense=fc", "--filter", "^fc")
    assert found.names() == ["fc.bias", "fc.weight"]


def test_every_float_is_cast_whatever_module_it_is_in(folder):
    found = convert("net.safetensors", "out.bpk", "--cast", "f16")
    assert {tensor.dtype for tensor in found} == {"F16"}
    assert floats(found, "dense.bias", "<f2") == NET["dense.bias"].astype("<f2").tolist()
    found = convert("net.safetensors", "net.bpk", "--module", "model.py:Net", "--cast", "BF16")
    assert {tensor.dtype for tensor in found} == {"BF16"} and found.tensor("dense.weight").shape == (2, 3)
    support.raises(click.BadParameter, convert, "net.safetensors", "x.bpk", "--cast", "I8")


def test_a_number_that_becomes_too_large_stops_the_conversion(folder):
    save_file({"w": np.array([1e6], np.float32)}, "large.safetensors")
    error = support.raises(BurnpackError, convert, "large.safetensors", "out.bpk", "--cast", "F16")
    assert "w: a number too large for F16" in str(error) and not Path("out.bpk").exists()


def test_half_leaves_batch_norms_as_they_are(folder):
    found = convert("net.safetensors", "out.bpk", "--module", "model.py:Net", "--half")
    assert {t.name: t.dtype for t in found} == {
        "dense.weight": "F16",
        "dense.bias": "F16",
        "norm.gamma": "F32",
    }
    assert floats(found, "dense.weight", "<f2") == [0, 2, 4, 1, 3, 5]
    both = ("--module", "model.py:Net", "--half", "--cast", "F16")
    support.raises(click.UsageError, convert, "net.safetensors", "x.bpk", *both)


def test_half_there_and_back_is_halved_once(folder):
    convert("net.safetensors", "out.bpk", "--module", "model.py:Net", "--half")
    convert("out.bpk", "back.safetensors", "--module", "model.py:Net", "--half")
    found = load_file("back.safetensors")
    assert found["dense.weight"].tolist() == NET["dense.weight"].tolist()


def test_gaps_are_closed_up_for_a_module_from_pytorch(folder, capsys):
    closed = ["fc.0.weight", "fc.1.weight", "fc.2.weight"]
    open_names = ["fc.0.weight", "fc.2.weight", "fc.4.weight"]
    assert convert("gapped.pt", "row.bpk", "--module", "model.py:Row").names() == closed
    assert convert("gapped.pt", "gapped.bpk", "--module", "model.py:Gapped").names() == open_names
    assert convert("gapped.pt", "plain.bpk").names() == open_names
    assert convert("gapped.pt", "closed.bpk", "--contiguous").names() == closed
    no = ("--module", "model.py:Row", "--no-contiguous")
    support.raises(LoadFailed, convert, "gapped.pt", "x.bpk", *no)


def test_the_top_level_key_is_asked_for_where_several_may_be_meant(folder, capsys):
    found = convert("both.pt", "out.bpk", "--top-level-key", "ema")
    assert found.names() == ["a.w"] and floats(found, "a.w")[0] == 6
    assert convert("both.pt", "all.bpk").names() == ["ema.a.w", "model.a.w"]
    assert "several top-level keys" in capsys.readouterr().err
    support.raises(NotFound, convert, "both.pt", "x.bpk", "--top-level-key", "none")
    support.raises(Unsupported, convert, "net.safetensors", "x.bpk", "--top-level-key", "model")


def test_what_is_missing_may_be_left_out(folder, capsys):
    save_file({name: NET[name] for name in ("dense.weight", "norm.weight")}, "part.safetensors")
    module = ("--module", "model.py:Net")
    support.raises(LoadFailed, convert, "part.safetensors", "out.bpk", *module)
    found = convert("part.safetensors", "out.bpk", *module, "--allow-partial")
    assert found.names() == ["dense.weight", "norm.gamma"] and floats(found, "dense.weight") == [
        0,
        2,
        4,
        1,
        3,
        5,
    ]
    assert "missing, and left out: dense.bias" in capsys.readouterr().err
    support.raises(click.UsageError, convert, "part.safetensors", "x.bpk", "--allow-partial")


def test_a_part_that_fits_both_layouts_is_asked_about_too(folder):
    save_file({"one.weight": np.arange(4, dtype=np.float32).reshape(2, 2)}, "one.safetensors")
    arguments = ("one.safetensors", "out.bpk", "--module", "model.py:Square", "--allow-partial")
    error = support.raises(LoadFailed, convert, *arguments)
    assert "convert --from-layout pytorch" in in_options(error)
    assert floats(convert(*arguments, "--from-layout", "pytorch"), "one.weight") == [0, 2, 1, 3]


def test_enum_variants_come_and_go_with_the_layout(folder):
    module = ("--module", "model.py:Chosen")
    assert convert("chosen.pt", "out.bpk", *module).names() == ["part.First.weight"]
    convert("out.bpk", "back.safetensors", *module)
    assert list(load_file("back.safetensors")) == ["part.weight"]
    convert("out.bpk", "burn.safetensors", *module, "--to-layout", "burn")
    assert list(load_file("burn.safetensors")) == ["part.First.weight"]


def test_metadata_are_added_to_the_sources_or_replace_them(folder):
    found = convert("net.safetensors", "out.bpk", "--metadata", "note=new", "--metadata", "by=me=you")
    assert dict(found.metadata())["note"] == "new" and dict(found.metadata())["by"] == "me=you"
    assert dict(found.metadata())["format"] == "burnpack"
    assert dict(convert("out.bpk", "again.bpk", "--metadata", "format=x").metadata())["format"] == "x"


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(folder, capsys):
    before = sorted(path.name for path in folder.iterdir())
    assert convert("net.safetensors", "out.bpk", "--module", "model.py:Net", "--dry-run") is None
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0] == "3 applied"
    assert "out.bpk: 3 tensors, " in printed.out and "nothing is written" in printed.out
    assert "layout: pytorch in the source" in printed.err
    convert("net.safetensors", "out.bpk", "--exact", "norm.weight", "--dry-run")
    assert capsys.readouterr().out.startswith("out.bpk: 1 tensor, ")
    support.raises(LoadFailed, convert, "gapped.pt", "out.bpk", "--module", "model.py:Net", "--dry-run")
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == before
    convert("net.safetensors", "out.bpk")
    support.raises(SaveFailed, convert, "net.safetensors", "out.bpk", "--dry-run")


ROOT = Path(support.ROOT)
PATHS = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "host", "device"))

# Converts a file, and prints by how much the memory of the process grew while it did.
PEAK = """
import sys
from burnstore import FloatCastAdapter, HalfPrecisionAdapter, open_model
from burnstore.pipeline.conversion import plan
from burnstore.models.model import load_module
from burnstore.pipeline.options import Options

def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key))

source, target, adapter = sys.argv[1:4]
ADAPTERS = {"none": None, "half": HalfPrecisionAdapter(), "cast": FloatCastAdapter.to("F64")}
options = Options(from_layout="pytorch", adapter=ADAPTERS[adapter])
with open_model(source) as opened:
    conversion = plan(opened, target, load_module("wide.py:Wide"), options)
    open("/proc/self/clear_refs", "w").write("5")
    before = status("VmRSS:")
    conversion.run()
    print((status("VmHWM:") - before) * 1024)
"""
WIDE = """
from burnrt import nn

class Wide(nn.Module):
    def __init__(self):
        self.layers = nn.ModuleList(nn.Linear(2048, 2048, bias=False) for _ in range(12))
"""
MATRIX = 2048 * 2048 * 4  # bytes
SPARE = 30 << 20


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured by Linux's ways")
@pytest.mark.parametrize("adapter, largest", [("none", MATRIX), ("half", MATRIX), ("cast", 2 * MATRIX)])
def test_a_conversion_takes_the_memory_of_its_largest_tensor_and_a_little(tmp_path, adapter, largest):
    (tmp_path / "wide.py").write_text(WIDE)
    matrix = np.zeros((2048, 2048), np.float32)
    save_file({f"layers.{number}.weight": matrix for number in range(12)}, tmp_path / "wide.safetensors")
    words = [sys.executable, "-c", PEAK, "wide.safetensors", "wide.bpk", adapter]
    done = subprocess.run(
        words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": PATHS}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) <= largest + SPARE


def test_names_in_notes_can_not_take_over_the_terminal(folder, capsys):
    save_file({**NET, "evil\x1b[2J\nname": np.zeros(1, np.float32)}, "evil.safetensors")
    convert("evil.safetensors", "out.bpk", "--module", "model.py:Net")
    printed = capsys.readouterr().err
    assert "left out" in printed and "evil\\x1b[2J\\x0aname" in printed and "\x1b" not in printed


def test_param_ids_are_made_where_they_are_asked_for(folder):
    convert("net.safetensors", "with.bpk", "--module", "model.py:Net", "--param-ids")
    convert("net.safetensors", "without.bpk", "--module", "model.py:Net")
    ids = [tensor.param_id for tensor in Reader.from_static(Path("with.bpk").read_bytes())]
    assert None not in ids and len(set(ids)) == len(ids) > 1
    assert {tensor.param_id for tensor in Reader.from_static(Path("without.bpk").read_bytes())} == {None}
