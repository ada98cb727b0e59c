"""`burnstore help` shows commands, guides and parts of guides, in the words of the documentation."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from burnstore import cli, guides
from burnstore.cli.command import CODES
from kit import support


def call(*words):
    with pytest.raises(SystemExit) as ended:
        cli.main(list(words))
    return ended.value.code


def test_without_a_topic_all_topics_are_listed(capsys):
    assert call("help") == 0
    said = capsys.readouterr().out
    assert all(name in said for name in (*cli.COMMANDS, *guides.GUIDES, *guides.PARTS))


@pytest.mark.parametrize("name", [*cli.COMMANDS, "help"])
def test_the_topic_of_a_command_is_its_help(capsys, name):
    assert call(name, "--help") == 0
    shown = capsys.readouterr().out
    assert call("help", name) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("topic", sorted({*guides.GUIDES, *guides.PARTS} - set(cli.COMMANDS)))
def test_a_guide_is_shown_in_lines_that_fit_without_marks_of_markdown(capsys, monkeypatch, topic):
    monkeypatch.setenv("COLUMNS", "90")
    assert call("help", topic) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines and max(map(len, lines)) <= 90
    assert not any("](" in line or line.startswith("```") for line in lines)


def test_every_guide_of_the_documentation_is_a_topic():
    pages = {path.stem for path in Path(support.path("docs")).glob("*.md")}
    assert pages - {"index", "cli"} == set(guides.GUIDES)


def test_the_topic_of_exit_codes_has_all_of_them(capsys):
    assert call("help", "exit-codes", "--json") == 0
    text = json.loads(capsys.readouterr().out)["text"]
    assert all(str(code) in text for code, _ in CODES)


def test_a_topic_that_is_none_is_exit_code_2(capsys):
    assert call("help", "nonsense") == 2
    assert "no topic is called 'nonsense'" in capsys.readouterr().err


def test_python_m_burnstore_is_the_command(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["burnstore", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("burnstore", run_name="__main__")
    assert ended.value.code == 0 and capsys.readouterr().out.startswith("burnstore, version ")
