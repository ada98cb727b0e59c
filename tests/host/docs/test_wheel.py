"""One wheel brings the three packages, their types and the command."""

import subprocess
import sys
import zipfile

import pytest

from tools.check_imports import PACKAGES, ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as opened:
        yield {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_of_a_package_is_in_the_wheel(wheel, package):
    folder = ROOT / PACKAGES[package][0]
    files = [path for path in folder.rglob("*") if path.suffix in (".py", ".pyi") or path.name == "py.typed"]
    assert files
    assert {path.relative_to(folder.parent).as_posix() for path in files} <= set(wheel)


def test_nothing_but_the_packages_is_in_the_wheel(wheel):
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == set(PACKAGES)


def test_the_wheel_brings_the_command(wheel):
    entry_points = next(text for name, text in wheel.items() if name.endswith("entry_points.txt"))
    assert b"burnstore = burnstore.__main__:main" in entry_points


def test_the_wheel_carries_both_licences(wheel):
    names = {name.rsplit("/", 1)[-1] for name in wheel if "/licenses/" in name}
    assert names == {"LICENSE-APACHE", "LICENSE-MIT"}
