"""Imports point one way: burnstore -> burnpack <- burnrt, and the check that says so is right."""

import ast

import pytest

from tools import check_imports

REFUSED = [
    ("burnpack.reader", "import burnrt"),
    ("burnpack.reader", "from burnstore.io.files import open_file"),
    ("burnpack.reader", "def f():\n    import burnstore"),
    ("burnpack.reader", "import numpy"),
    ("burnpack.reader", "import functools"),
    ("burnpack.reader", "__import__('burnrt.' + name)"),
    ("burnrt.nn", "import burnstore.io.files"),
    ("burnstore.io.files", "from burnrt import nn"),
    ("burnstore.io.files", "import burnrt.nn"),
    ("burnstore.client", "import burnrt"),
    ("burnstore.cli.convert", "import tests.support"),
    ("burnstore.cli.convert", "from kit import support"),
    ("burnrt.nn", "from tools import interpreters"),
]

ALLOWED = [
    ("burnpack.reader", "import struct, sys\nfrom burnpack import errors"),
    ("burnpack.reader", "from .errors import Truncated\nfrom . import limits"),
    ("burnpack", "__import__('burnpack.' + name)"),
    ("burnrt.nn", "from burnpack.module import Module\nimport burnrt.value"),
    ("burnrt.kernels.numpy", "import numpy"),
    ("burnstore.io.files", "import numpy, os\nfrom burnpack.errors import BurnpackError"),
    ("burnstore.models.model", "import burnrt"),
    ("burnstore.cli", "import burnrt"),
    ("burnstore.cli.convert", "from burnrt import nn"),
    ("burnstore.io.files", "if TYPE_CHECKING:\n    import burnrt"),
]


@pytest.mark.parametrize(("module", "source"), REFUSED)
def test_an_import_against_the_direction_is_refused(module, source):
    assert len(list(check_imports.refusals(module, source))) == 1


@pytest.mark.parametrize(("module", "source"), ALLOWED)
def test_an_import_along_the_direction_is_allowed(module, source):
    assert list(check_imports.refusals(module, source)) == []


def test_a_relative_import_is_seen_through():
    tree = ast.parse("from ..x import y\nfrom . import z")
    assert list(check_imports.imports(tree, "burnstore.a.b")) == [(1, "burnstore.x"), (2, "burnstore.a")]


def test_every_module_of_the_three_packages_is_looked_at():
    found = dict(check_imports.modules())
    for package, (folder, _) in check_imports.PACKAGES.items():
        files = list((check_imports.ROOT / folder).rglob("*.py"))
        assert files
        assert len([name for name in found if name.split(".")[0] == package]) == len(files)


def test_the_packages_import_along_the_direction():
    assert check_imports.check(check_imports.modules()) == []


def test_files_import_each_other_only_where_a_reason_is_given():
    assert check_imports.circles(check_imports.modules()) == set(check_imports.CIRCLES)


def test_a_circle_of_files_is_found(tmp_path):
    sources = {
        "burnpack.a": "import burnpack.b",
        "burnpack.b": "def f():\n    from burnpack import c",
        "burnpack.c": "from burnpack.a import x",
        "burnpack.d": "from burnpack import a\nif False:\n    import burnpack.e",
        "burnpack.e": "import burnpack.d",
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    found = [(name, tmp_path / name) for name in sources]
    assert check_imports.circles(found) == {"burnpack.a burnpack.b burnpack.c"}
