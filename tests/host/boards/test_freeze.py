"""burnstore freeze: what it writes compiles, and has the model's bytes where flash wants them."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from burnpack.errors import Malformed, NotFound
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.boards.images import frozen, names
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime import needs
from kit import support
from kit.boards.freezing import frozen_at, frozen_runs, manifest_files, run

ROOT = Path(support.path(""))
MIRROR = ROOT / "tests/host/boards/micropython_mirror"
COMPILERS = ("gcc", "arm-none-eabi-gcc")
WORDS = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O2", "-ffunction-sections", "-fdata-sections", "-c"]
QSTRS = ["-DMP_QSTR___name__=1", "-DMP_QSTR_DATA=2", "-DMP_QSTR_net=3"]

FORMS = {"included": [], "array": ["--portable"]}

# A board's, with the frozen folder for its firmware.
PROGRAM = """
from burnrt import blob, nn, tensor

class Net(nn.Module):
    def __init__(self):
        self.weight = nn.Param((1000,), "U8")

net = Net()
result = net.load_from(blob.find("net").store())
print(result.is_success())
print(bytes(net.weight.data) == bytes([index * 7 % 256 for index in range(1000)]))
print(str(result) != "")
try:
    nn.Linear(2, 3).load_from(blob.find("net").store())
except Exception as error:
    print(type(error).__name__)
layers = (nn.Conv2d(1, 2, 3), nn.MaxPool2d(2), nn.ReLU(), nn.Softmax(1))
layers[2](layers[1](layers[2](tensor(range(16), (1, 1, 4, 4)))))
print(len(layers[3](tensor([1, 2, 3], (1, 3)))[0]))
"""


def blob(size=1000):
    """Return a Burnpack of about this size, with every byte in it."""
    data = bytes(index * 7 % 256 for index in range(size))
    return Writer([Tensor("weight", "U8", (size,), data)]).to_bytes()


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "net.bpk"
    path.write_bytes(blob())
    return path


def compiled(compiler, source, *words):
    """Return the object file of a source, or skip where there is no such compiler."""
    program = shutil.which(compiler)
    if program is None:
        pytest.skip("no %s on this machine" % compiler)
    target = source.parent / (source.stem + ".o")
    includes = ["-I", str(MIRROR), "-I", str(source.parent)]
    done = subprocess.run(
        [program, *WORDS, *QSTRS, *includes, *words, str(source), "-o", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return target


def sections(path):
    """Return {name: (type, offset, size, flags, alignment)} of an object file."""
    program = shutil.which("readelf")
    if program is None:
        pytest.skip("no readelf on this machine")
    text = subprocess.run([program, "-SW", str(path)], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        row = re.match(r" *\[ *\d+\] (\S+) +(\w+) +\w+ (\w+) (\w+) \w+ +(\w*) +\d+ +\d+ +(\d+)$", line)
        if row:
            found[row[1]] = (row[2], int(row[3], 16), int(row[4], 16), row[5], int(row[6]))
    return found


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("form", FORMS)
def test_the_object_has_the_bytes_in_a_read_only_section_aligned_to_256(model, form, compiler):
    folder = frozen_at(model, *FORMS[form])
    made = compiled(compiler, folder / "net" / "net.c")
    ((name, found),) = [row for row in sections(made).items() if row[0].endswith("net_blob")]
    kind, offset, size, flags, alignment = found
    data = model.read_bytes()
    assert name.startswith(".rodata.")
    assert (kind, flags, alignment, size) == ("PROGBITS", "A", 256, len(data) + 1)
    assert made.read_bytes()[offset : offset + size] == data + b"\0"


@pytest.mark.parametrize("form", FORMS)
def test_the_bytes_object_of_the_linked_module_has_the_model(model, form):
    folder = frozen_at(model, *FORMS[form]) / "net"
    objects = [compiled("gcc", folder / "net.c")]
    shutil.copy(MIRROR / "main.c", folder)
    objects.append(compiled("gcc", folder / "main.c"))
    program = folder / "main"
    subprocess.run(["gcc", *map(str, objects), "-o", str(program)], check=True)
    said = subprocess.run([str(program)], capture_output=True, check=True).stdout
    facts, _, data = said.partition(b"\n")
    assert facts == b"0 0 %d" % model.stat().st_size
    assert data == model.read_bytes() + b"\0"


def test_a_python_keyword_or_a_taken_name_is_no_name():
    for name in (
        "",
        "a-b",
        "1a",
        "a.b",
        "a b",
        "ä",
        "a\n",
        "../a",
        'a"',
        "class",
        "None",
        "int",
        "json",
        "sys",
    ):
        error = support.raises(Malformed, names.check_name, name)
        assert error.item == name and "--name" in str(error)
    for name in (
        "_a",
        "__main__",
        "burnpack",
        "burnrt",
        "main",
        "boot",
        "lib",
        "manifest",
        "a" * 65,
        "uctypes",
        "NULL\0",
    ):
        support.raises(Malformed, names.check_name, name)
    for name in ("net", "Net_2", "a" * 64, "digits"):
        names.check_name(name)


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc on this machine")
@pytest.mark.parametrize("name", ["main_", "byte", "data", "NULL", "size_t", "x"])
def test_no_name_of_a_module_disturbs_the_c_around_it(tmp_path, name):
    model = tmp_path / "net.bpk"
    model.write_bytes(blob())
    for form in FORMS.values():
        folder = frozen_at(model, "--name", name, "--overwrite", *form)
        compiled("gcc", folder / name / (name + ".c"), "-DMP_QSTR_%s=9" % name)


def test_a_name_that_is_no_identifier_is_refused_before_anything_is_written(model):
    folder = model.parent / "firmware"
    for name in ("a-b", "../up", "time"):
        done = run("freeze", model, "-o", folder, "--name", name)
        assert done.returncode == 1
        assert name in done.stderr and "--name" in done.stderr
    assert not folder.exists()


def test_what_is_no_whole_burnpack_is_refused(model):
    whole = model.read_bytes()
    for content in (b"", b"NRUB", whole[:-1], whole[:300], b"PK\x03\x04" + bytes(500)):
        model.write_bytes(content)
        done = run("freeze", model, "-o", model.parent / "firmware")
        assert done.returncode == 1 and "net.bpk" in done.stderr, content[:8]
    assert not (model.parent / "firmware").exists()


def test_nothing_is_replaced_unless_that_is_asked_for(model):
    folder = frozen_at(model)
    (folder / "README.md").write_text("mine")
    done = run("freeze", model, "-o", folder)
    assert done.returncode == 1 and "exists" in done.stderr
    assert (folder / "README.md").read_text() == "mine"
    frozen_at(model, "--overwrite")
    assert "net" in (folder / "README.md").read_text()


def test_the_frozen_module_has_the_same_bytes(model):
    folder = frozen_at(model, "--as", "module")
    space = {}
    exec((folder / "net.py").read_text(encoding="utf-8"), space)
    assert space["DATA"] == model.read_bytes()
    assert 'module("net.py")' in (folder / "manifest.py").read_text()


def test_a_module_over_64_kb_is_refused_with_the_other_storage_unless_forced(model):
    for size, refused in ((60_000, False), (70_000, True)):
        model.write_bytes(blob(size))
        done = run("freeze", model, "-o", model.parent / str(size), "--as", "module")
        assert done.returncode == (1 if refused else 0)
        assert ("--as c-module" in done.stderr and "--force" in done.stderr) is refused
    assert run("freeze", model, "-o", model.parent / "b", "--as", "module", "--force").returncode == 0
    assert len(model.read_bytes()) > frozen.LITERAL_MOST


def test_portable_belongs_to_a_c_module(model):
    done = run("freeze", model, "-o", model.parent / "firmware", "--as", "module", "--portable")
    assert done.returncode == 2 and "--portable" in done.stderr


@pytest.mark.parametrize("form", ["c-module", "module"])
def test_the_manifest_names_the_files_that_there_are_and_no_others(model, form):
    folder = frozen_at(model, "--as", form)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")} - {"manifest.py"}
    assert set(manifest_files(folder)) == written
    assert "lib/burnrt/blob.py" in written


def test_the_readme_has_the_lines_that_a_build_takes(model):
    text = (frozen_at(model) / "README.md").read_text()
    assert "USER_C_MODULES=" in text and "include(" in text and "from net import DATA" in text
    assert "%" not in text


def test_the_frozen_runtime_loads_and_runs_a_model_with_nothing_else(model):
    folder = frozen_at(model, "--as", "module")
    done = frozen_runs(folder, PROGRAM)
    assert done.stdout.split() == ["True", "True", "True", "LoadFailed", "3"], done.stderr


def test_of_the_runtime_only_the_layers_that_the_source_names_are_taken(model):
    source = model.parent / "model.py"
    source.write_text("from burnrt import nn\nclass Net(nn.Module):\n    fc = nn.Linear(2, 3)\n")
    files = manifest_files(frozen_at(model, "--model", source))
    assert "lib/burnrt/kernels/plain/dense.py" in files and "lib/burnrt/nn/linear.py" in files
    assert not [file for file in files if "conv" in file or "pool" in file]
    assert "lib/burnrt/plan.py" in files and "lib/burnrt/nn/add.py" not in files
    source.write_text("def skip(layer, x):\n    return layer(x) + x\n")
    assert "lib/burnrt/nn/add.py" in manifest_files(frozen_at(model, "--model", source, "--overwrite"))
    source.write_text("def (")
    done = run("freeze", model, "-o", model.parent / "other", "--model", source)
    assert done.returncode == 1 and "model.py" in done.stderr
    assert not (model.parent / "other").exists()


def test_what_is_needed_is_closed_under_imports_and_brings_the_kernels():
    linear = runtime.needed(["burnrt.nn.linear"])
    assert {"burnrt", "burnrt.nn", "burnrt.nn.layer", "burnrt.kernels.plain.dense"} <= set(linear)
    assert "burnrt.kernels.plain.conv" not in linear and "burnrt.nn.conv" not in linear
    assert "burnrt.kernels.plain.conv" in runtime.needed(["burnrt.nn.conv"])
    assert "burnpack.writer" not in runtime.needed(needs.LOADING)
    assert "burnrt.kernels.numpy" not in runtime.needed(["burnrt.*"])
    support.raises(NotFound, runtime.needed, ["burnrt.no_such"])


def test_each_file_of_the_runtime_is_named_as_a_board_imports_it():
    assert runtime.file_name("burnrt.nn") == "burnrt/nn/__init__.py"
    assert runtime.file_name("burnrt.nn.linear") == "burnrt/nn/linear.py"
    for module, path in runtime.modules().items():
        assert path.as_posix().endswith(runtime.file_name(module))
        ast.parse(path.read_text(encoding="utf-8"))
