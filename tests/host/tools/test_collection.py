"""Every test is run by some runner, and none hides another."""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
PORTABLE = ("shared", "device")
COLLECTED = (*PORTABLE, "host")

FILES = sorted(path for path in TESTS.rglob("*.py") if "vectors" not in path.parts)
TEST_FILES = [path for path in FILES if path.name.startswith("test_")]
PORTABLE_FILES = [path for path in TEST_FILES if path.parent.name in PORTABLE]


@cache
def tree_of(path):
    return ast.parse(path.read_text())


@cache
def functions(path):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]


def name(path):
    return path.relative_to(TESTS).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_tests_stand_in_files_that_are_collected(path):
    if any(function.name.startswith("test_") for function in functions(path)):
        assert path.name.startswith("test_")
        assert path.relative_to(TESTS).parts[0] in COLLECTED


@pytest.mark.parametrize("path", TEST_FILES, ids=name)
def test_a_test_file_has_tests(path):
    assert any(function.name.startswith("test_") for function in functions(path))


@pytest.mark.parametrize("path", TEST_FILES, ids=name)
def test_no_two_functions_of_a_file_have_one_name(path):
    tree = tree_of(path)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("path", TEST_FILES, ids=name)
def test_tests_are_functions_at_the_top_of_their_file(path):
    tree = tree_of(path)
    top = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {function.name for function in functions(path) if function.name.startswith("test_")} <= top


@pytest.mark.parametrize("path", PORTABLE_FILES, ids=name)
def test_plain_tests_take_nothing_and_need_no_pytest(path):
    tree = tree_of(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            assert not ast.unparse(node.args), node.name
            assert not node.decorator_list, node.name
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert "pytest" not in ast.unparse(node)


@pytest.mark.parametrize("path", PORTABLE_FILES, ids=name)
def test_plain_test_files_lie_flat(path):
    assert path.parent.parent == TESTS


def test_pytest_and_the_files_agree_on_the_tests(request):
    if not _is_whole_run(request.config):
        pytest.skip("only a part of the tests was asked for")
    collected = {(item.path, item.name.split("[")[0]) for item in request.session.items}
    written = {
        (path, function.name)
        for path in TEST_FILES
        for function in functions(path)
        if function.name.startswith("test_")
    }
    assert {(name(path), test) for path, test in written ^ collected} == set()


def _is_whole_run(config):
    arguments = {Path(argument).resolve() for argument in config.args}
    return arguments <= {TESTS, TESTS.parent} and not config.option.keyword and not config.option.markexpr
