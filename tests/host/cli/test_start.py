"""Starting is quick: what takes long to import is imported by what needs it, and by nothing else."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import burnstore
from kit import support

HEAVY = {"numpy", "ml_dtypes", "cbor2", "rich", "torch"}
ZIP, BPK = "tests/vectors/pytorch_zip/contiguous.pt", "tests/vectors/burnpack_basic/today.bpk"

# A script, and what it may import of all that is heavy.
SCRIPTS = {
    "import burnstore": ("import burnstore", set()),
    "a name of burnstore": ("import burnstore; burnstore.open_model", set()),
    "listing a checkpoint": (f"import burnstore; burnstore.open_model({ZIP!r}).names()", set()),
    "listing a Burnpack file": (f"import burnstore; burnstore.open_model({BPK!r}).names()", {"cbor2"}),
    "the version": ("from burnstore.cli import main; main(['--version'])", set()),
    "inspect": (f"from burnstore.cli import main; main(['inspect', {ZIP!r}])", set()),
    "arrays": ("import burnstore; burnstore.array_from_tensor", {"numpy", "ml_dtypes"}),
}
# Finds what the tests find, and tells at the end which modules there are.
SETUP = """
import atexit, sys
sys.path[:0] = sys.argv[1:]
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
"""


@pytest.mark.parametrize(("script", "allowed"), SCRIPTS.values(), ids=SCRIPTS)
def test_only_what_is_needed_is_imported(script, allowed):
    command = [sys.executable, "-S", "-c", SETUP + script, *sys.path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=support.path("."))
    assert done.returncode == 0, done.stderr
    assert HEAVY & set(done.stderr.split()) <= allowed


def test_every_name_is_found_where_the_type_checker_finds_it():
    tree = ast.parse(Path(burnstore.__file__).read_text(encoding="utf-8"))
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    typed = {node.names[0].asname: node.module for node in checked.body}
    assert typed == burnstore._HOMES
    assert {*burnstore.__all__, "open"} == {"__version__", *typed} <= set(dir(burnstore))
    assert all(getattr(burnstore, name) is not None for name in dir(burnstore))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        burnstore.Nothing  # noqa: B018


def test_a_conversion_of_weights_waits_for_nothing_that_reads_exported_programs(tmp_path):
    words = ["convert", BPK, "-o", str(tmp_path / "copy.bpk")]
    script = f"from burnstore.cli import main; main({words!r})"
    command = [sys.executable, "-S", "-c", SETUP + script, *sys.path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=support.path("."))
    brought = {name for name in done.stderr.split() if name.startswith("burnstore.")}
    assert "burnstore.pipeline.conversion" in brought and (tmp_path / "copy.bpk").exists()
    assert {"burnstore.exported.program", "burnstore.aten", "burnstore.classes"}.isdisjoint(brought)
