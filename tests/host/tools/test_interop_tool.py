"""The judge made of Burn's own crates is built where it can be; where it can't, the reason is told."""

import shutil
import stat

import pytest

from kit.interop import interop_judge
from tools import interop

FETCHES = 'case "$1" in --version) echo "cargo 1.%d.0 (abc 2030-01-01)";; tree) %s;; build) %s;; esac'


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package, built into a folder of its own by whatever `cargo` a test makes."""
    shutil.copytree(interop.PACKAGE, tmp_path / "package")
    monkeypatch.setattr(interop, "ROOT", tmp_path)
    monkeypatch.setattr(interop, "PACKAGE", tmp_path / "package")
    monkeypatch.setattr(interop, "BUILT", tmp_path / "built")
    monkeypatch.setattr(interop, "REASON", tmp_path / "built" / "unavailable")
    monkeypatch.setenv("CARGO_TARGET_DIR", str(tmp_path / "target"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


def make_cargo(
    folder, version=99, tree="true", build='/bin/mkdir -p "$T/release" && echo new >"$T/release/interop"'
):
    cargo = folder / "bin" / "cargo"
    script = FETCHES % (version, tree, build.replace("$T", "$CARGO_TARGET_DIR"))
    cargo.write_text("#!/bin/sh\n%s\n" % script)
    cargo.chmod(cargo.stat().st_mode | stat.S_IXUSR)


def test_what_cargo_builds_is_kept_under_a_name_of_its_sources(package):
    make_cargo(package)
    assert interop.main() == 0
    program = interop.binary()
    assert program.read_text() == "new\n"
    (package / "package" / "src" / "main.rs").write_text("// changed")
    assert interop.binary() != program and not interop.binary().exists()
    assert interop.main() == 0
    assert list((package / "built").glob("interop-*")) == [interop.binary()]


def test_what_is_there_is_not_built_again(package):
    make_cargo(package)
    assert interop.main() == 0
    (package / "bin" / "cargo").unlink()
    assert interop.main() == 0


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (None, "there is no cargo"),
        ({"version": 94}, "cargo 1.94.0 is older than the 1.95 needed"),
        (
            {"tree": "echo no network >&2; exit 101"},
            "no crates to build the judge of Burn's own crates: no network",
        ),
    ],
)
def test_where_it_cannot_be_built_the_tests_are_told_why(package, made, words, capsys):
    if made is not None:
        make_cargo(package, **made)
    assert interop.main() == 0
    assert words in interop.why_not()
    assert words in capsys.readouterr().err
    with pytest.raises(pytest.skip.Exception, match=words[:20]):
        interop_judge.ask("read")


def test_a_reason_is_forgotten_once_it_is_built(package):
    assert interop.main() == 0
    make_cargo(package)
    assert interop.main() == 0
    assert not interop.REASON.exists()


@pytest.mark.parametrize("made", [{"build": "exit 101"}, {"tree": "echo the lock file is old >&2; exit 101"}])
def test_a_build_that_fails_is_an_error(package, made):
    make_cargo(package, **made)
    assert interop.main() == 1
    assert not interop.binary().exists()


def test_unbuilt_the_tests_say_what_builds_it(package):
    assert "make interop" in interop.why_not()
