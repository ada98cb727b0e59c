"""Hostile checkpoints do nothing: each of `attacks` is loaded in a process with little to spend."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "attacks"
ATTACKS = sorted(path for path in HERE.glob("*.py") if path.stem != "runner")

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="memory is limited by Linux's ways"
)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacks")
    command = [sys.executable, str(HERE / "runner.py"), str(folder), *map(str, ATTACKS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row.pop("attack"): row for row in rows}


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    attack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(attack)
    return attack


@pytest.mark.parametrize("path", ATTACKS, ids=[path.stem for path in ATTACKS])
def test_an_attack_ends_in_a_clear_error_or_is_read_without_effect(path, reports):
    attack, report = load(path), reports[path.stem]
    assert report["outcome"] == attack.EXPECTED, report
    text = report["text"].split(".pt: ")[-1]  # without the path, which has the attack's name in it
    for word in attack.WORDS:
        assert word in text
    assert len(report["text"]) < 1000


@pytest.mark.parametrize("path", ATTACKS, ids=[path.stem for path in ATTACKS])
def test_an_attack_touches_imports_and_starts_nothing(path, reports):
    report = reports[path.stem]
    assert report["events"] == []
    assert report["modules"] == []
    assert report["files"] == []


@pytest.mark.parametrize("path", ATTACKS, ids=[path.stem for path in ATTACKS])
def test_the_load_after_an_attack_is_clean(path, reports):
    assert reports[path.stem]["clean"] == ["read", "['weight', 'bias']"]
