"""A checkout needs nothing beside it, and no command builds or fetches what it was not asked for."""

import re
import subprocess
import sys
import tarfile
from pathlib import Path

import hypothesis
import pytest

from burnstore.boards.runtime import cross
from kit import support

ROOT = Path(support.ROOT)
MADE = (".git*", ".venv", "build", "dist", "node_modules", "__pycache__", "target", ".*_cache", ".hypothesis")
READ_WHERE_THEY_LIE = (".md", ".toml", ".json", ".mjs", ".rs")


def files_of(folder):
    """Yield the project's own files below a folder."""
    for path in sorted(folder.iterdir()):
        if any(path.match(pattern) for pattern in MADE):
            continue
        if path.is_dir():
            yield from files_of(path)
        elif path.suffix not in (".pyc", ".mpy", ".tmp"):
            yield path


@pytest.mark.parametrize(
    "path",
    [path for path in files_of(ROOT) if path.suffix == ".md"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_links_of_a_document_lead_to_files_of_the_project(path):
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8")):
        file = (path.parent / target).resolve()
        assert file.exists() and file.is_relative_to(ROOT), target


def test_no_file_names_a_folder_beside_the_project():
    for path in files_of(ROOT):
        if path.suffix in READ_WHERE_THEY_LIE:
            for upwards in re.findall(r"(?:\.\./)+[\w.-]+", path.read_text(encoding="utf-8")):
                assert (path.parent / upwards).resolve().is_relative_to(ROOT), (path, upwards)


@pytest.mark.parametrize(
    "folder", sorted(path.name for path in (ROOT / "tests" / "data").iterdir() if path.is_dir())
)
def test_a_folder_of_real_files_says_where_they_come_from(folder):
    text = (ROOT / "tests" / "data" / folder / "README.md").read_text(encoding="utf-8")
    assert "MIT" in text or "licence" in text


def test_a_missing_file_is_an_error_and_no_skip():
    with pytest.raises(FileNotFoundError):
        support.read(support.data("reports/no such file"))


def test_no_test_of_hypothesis_has_a_deadline():
    assert hypothesis.settings().deadline is None


@pytest.mark.parametrize("place", ("fixture", "test"))
def test_plain_code_skips_wherever_it_is_called(place, tmp_path):
    calls = {"fixture": "", "test": ""} | {place: "support.skip('for a reason')"}
    (tmp_path / "test_it.py").write_text(
        "import pytest\nfrom kit import support\n@pytest.fixture\ndef made():\n    %(fixture)s\n"
        "def test_it(made):\n    %(test)s\n" % {name: call or "pass" for name, call in calls.items()}
    )
    words = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "-rs", str(tmp_path)]
    done = subprocess.run(
        [*words, "--rootdir", str(tmp_path), "--override-ini=pythonpath=%s" % ROOT],
        env={"PYTHONPATH": ":".join(map(str, (ROOT, ROOT / "tests", ROOT / "shared", ROOT / "host")))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 skipped" in done.stdout and "for a reason" in done.stdout


def test_a_source_is_compiled_once(tmp_path):
    compiler, source = tmp_path / "compiler", tmp_path / "source.py"
    compiler.write_text(
        '#!/bin/sh\necho x >>"%s"\nfor file; do :; done\ncp "$file" "$5"\n' % (tmp_path / "log")
    )
    compiler.chmod(0o755)
    for text in ("a = 1", "a = 1", "a = 2", "a = 1"):
        source.write_text(text + str(tmp_path))
        assert cross.compiled_by(str(compiler), source, "source.py", None) == source.read_bytes()
    assert (tmp_path / "log").read_text() == "x\n" * 2


def commands_of(target):
    """Return what `make` would run for a target."""
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_only_make_interop_builds_burns_crates():
    assert "tools.interop" not in commands_of("test")
    assert "tools.interop" in commands_of("interop")


def test_a_wheel_is_built_with_what_is_installed():
    assert "--no-isolation" in commands_of("wheel")


@pytest.mark.parametrize(
    ("failing", "code"), [("", 0), ("-k test", 1), ("interop", 1)], ids=("neither", "tests", "interop")
)
def test_continuous_integration_runs_all_and_fails_with_each_part(failing, code, tmp_path):
    make = tmp_path / "make"
    make.write_text('#!/bin/sh\necho "$*"\n[ "$*" != "%s" ]\n' % failing)
    make.chmod(0o755)
    environment = {"PATH": "%s:/usr/bin:/bin" % tmp_path}
    done = subprocess.run([ROOT / ".ci" / "run"], env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["-k test", "fuzz-some", "interop"]
    assert done.returncode == code


def test_the_source_archive_brings_all_files(tmp_path):
    words = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(words, capture_output=True, check=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    wanted = {path.relative_to(ROOT).as_posix() for path in files_of(ROOT)}
    assert wanted - names == set()
