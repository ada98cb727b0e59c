"""The measurements are found, judged and written as they were taken."""

import json

import pytest

from tools import bench
from tools.bench import __main__ as command


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (bench.at_most("a", 5, "B", 5), True),
        (bench.at_most("a", 6, "B", 5), False),
        (bench.at_most_times("a", 3, "s", "b", 2, 1.5), True),
        (bench.at_most_times("a", 3.1, "s", "b", 2, 1.5), False),
        (bench.at_least_times("a", 3, "MB/s", "b", 2, 1.5), True),
        (bench.at_least_times("a", 2.9, "MB/s", "b", 2, 1.5), False),
        (bench.Row("a", 5, "B"), None),
    ],
)
def test_a_goal_is_met_or_not(row, met):
    assert row.met is met


def test_a_ratio_is_of_the_peer():
    assert bench.Row("a", 3, "s", "b", 2).ratio() == 1.5
    assert bench.Row("a", 3, "s").ratio() is None


def test_every_subject_can_be_run():
    assert {"board_memory", "board_size"} <= set(command.subjects())
    for subject in command.subjects():
        module = __import__("tools.bench.bench_" + subject, fromlist=["run"])
        assert callable(module.run)


def test_a_run_writes_all_figures(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "RESULT", tmp_path / "build" / "bench.json")
    monkeypatch.setattr(command, "measure", lambda subject: [bench.at_most("a", 6, "B", 5)])
    assert command.main(["board_size"]) == 0
    written = json.loads(command.RESULT.read_text())["subjects"]["board_size"]
    assert written[0]["name"] == "a"
    assert written[0]["met"] is False
    assert "no" in capsys.readouterr().out


def test_an_unknown_subject_is_a_usage_error(capsys):
    assert command.main(["nonsense"]) == 2
    assert "board_size" in capsys.readouterr().err
