"""The files for those who look at the project from outside say what the project is."""

import re
import tomllib

import pytest

from burnpack.version import VERSION
from tools.check_imports import ROOT

yaml = pytest.importorskip("yaml", reason="the extra docs, which brings a reader of YAML, is not installed")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"


def test_the_citation_names_the_version_and_the_licences_of_the_project():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0" and cited["title"] == PROJECT["name"]
    assert cited["version"] == VERSION == PROJECT["version"]
    assert cited["license"] == PROJECT["license"].split(" OR ")
    assert cited["message"] and all(author["name"] for author in cited["authors"])


def job():
    (found,) = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"].values()
    return found


def test_the_workflow_runs_the_two_commands_of_the_readme_on_three_systems():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (make \w+)", readme, re.MULTILINE)
    assert commands == ["make demo", "make test"]
    assert [step["run"] for step in job()["steps"] if "run" in step] == commands
    systems = job()["strategy"]["matrix"]["system"]
    assert [system.partition("-")[0] for system in systems] == ["ubuntu", "macos", "windows"]


def test_the_workflow_tries_the_oldest_python_that_is_supported():
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert oldest in [case["python"] for case in job()["strategy"]["matrix"]["include"]]


def test_the_page_on_security_names_options_and_classes_that_there_are():
    from burnpack import limits
    from burnstore.cli import commands

    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    names = commands.list_commands(None)
    options = {
        option
        for name in names
        for parameter in commands.get_command(None, name).params
        for option in parameter.opts
    }
    told = set(re.findall(r"`(--[a-z-]+)", text))
    assert told and told <= options
    assert f"{limits.EXPANSION >> 20} MiB" in text and "Limits(expansion=...)" in text
    assert set(re.findall(r"`([a-z]+)`", text)) <= set(names)
