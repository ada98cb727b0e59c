"""On a computer, an error's details are given by name: nobody counts places."""

import ast

import pytest

from burnpack import errors
from tools.check_imports import ROOT

FAMILY = [name for name, kind in vars(errors).items() if isinstance(kind, type)]
SOURCES = sorted((ROOT / "host").rglob("*.py"))
PLACES = 2  # what is wrong, and with which item


def raised(tree):
    """Yield each call in a source that makes an error of the family."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in FAMILY:
            yield node


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "host").as_posix())
def test_an_errors_source_place_and_values_are_given_by_name(path):
    found = list(raised(ast.parse(path.read_text(encoding="utf-8"))))
    assert [call.lineno for call in found if len(call.args) > PLACES] == []
    assert not any(isinstance(argument, ast.Starred) for call in found for argument in call.args)


def test_the_sources_are_found():
    assert len(SOURCES) > 100 and len(FAMILY) > 10
