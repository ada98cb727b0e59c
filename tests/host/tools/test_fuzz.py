"""The fuzzer: what it kept is read or refused on every interpreter, and it finds faults that are put in."""

from pathlib import Path
from random import Random

import pytest

from burnpack.errors import Malformed
from tools import interpreters
from tools.fuzz import guard, outcome, totals
from tools.fuzz.campaign import Campaign
from tools.fuzz.finds import Finds, smaller
from tools.fuzz.lines import Lines
from tools.fuzz.mutators import plain
from tools.fuzz.targets import CORPUS, TARGETS, Target

INPUTS = 12  # of each target: whoever wants more runs `make fuzz`


@pytest.fixture(scope="module")
def guarded():
    return guard.Guard()


def campaign(guarded, folder, target, on=("cpython",)):
    return Campaign(target, guarded, Lines(), Finds(folder), Random(1), on)


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_of_every_target_are_read_or_refused(name, guarded, tmp_path):
    fuzzed = campaign(guarded, tmp_path, TARGETS[name])
    for _ in range(INPUTS):
        fuzzed.step()
    assert not fuzzed.finds.kinds


@pytest.mark.parametrize("name", [name for name, target in TARGETS.items() if target.board])
def test_every_interpreter_says_the_same_of_the_corpus(name, guarded, tmp_path):
    on = []
    for interpreter in interpreters.NAMES:
        try:
            interpreters.find(interpreter)
            on.append(interpreter)
        except interpreters.Missing:
            continue
    fuzzed = campaign(guarded, tmp_path, TARGETS[name], on)
    for path in TARGETS[name].corpus():
        fuzzed.take(path.read_bytes())
    fuzzed.flush()
    assert not fuzzed.finds.kinds


def test_each_kept_input_is_small_and_of_a_target():
    kept = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert {path.parent.name for path in kept} <= set(TARGETS)
    assert sum(path.stat().st_size for path in kept) < 300_000


def faulty(what):
    def read(data):
        if b"!" in data:
            what()
        if data.startswith(b"a"):
            return "it"
        raise Malformed("it is not", found=data[:1])

    return read


def endless():
    while True:
        len(str(plain.packed(1, 1)))


FAULTS = {
    "another error": (lambda: {}["key"], "KeyError"),
    "an error of ours": (lambda: _raise(Malformed("a", source="b\u2028c\nd")), None),
    "work without an end": (endless, "too many calls"),
    "memory without an end": (lambda: bytes(1 << 60), "MemoryError"),
    "a file that is written": (lambda: Path("/fuzzed").write_bytes(b""), "Outside"),
}


def _raise(error):
    raise error


@pytest.mark.parametrize(("what", "kind"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_and_the_input_is_made_smaller(what, kind, guarded, tmp_path, monkeypatch):
    monkeypatch.setattr(outcome, "CALLS", 100)
    fuzzed = campaign(guarded, tmp_path, Target("any", (), plain.changed, faulty(what)))
    fuzzed.take(b"abcdefgh!ijklmnop")
    found = {wrong: path.read_bytes() for (_, wrong), path in fuzzed.finds.kinds.items()}
    assert [(kind in wrong, data) for wrong, data in found.items()] == [(True, b"!")] if kind else not found


def test_an_input_that_runs_a_new_line_is_kept(guarded, tmp_path):
    fuzzed = campaign(guarded, tmp_path, TARGETS["npy"])
    good = fuzzed.target.good_files()[0]
    assert [fuzzed.take(data) for data in (good, good, good[:9], good[:9])] == [True, False, True, False]


def test_only_what_is_needed_is_left_of_an_input():
    assert smaller(b"--a-----------b--", lambda data: b"a" in data and b"b" in data) == b"ab"


def test_calls_are_counted_and_limited(guarded, monkeypatch):
    monkeypatch.setattr(outcome, "CALLS", 100)
    lines = Lines()
    lines.watch(lambda: plain.changed(b"a", Random(1)))
    assert lines.calls > 2
    assert outcome.of(faulty(endless), b"!", guarded, lines).verdict == "too much"


def test_runs_are_added_up(tmp_path):
    totals.added({"npy": {"cpython": 3, "read": 1}}, 60.0, tmp_path)
    whole = totals.added({"npy": {"cpython": 4}, "zip": {"unix": 5}}, 30.0, tmp_path)
    assert whole == {
        "targets": {"npy": {"cpython": 7, "read": 1}, "zip": {"unix": 5}},
        "runs": 2,
        "seconds": 90.0,
    }
    assert [line.split()[:3] for line in totals.table(whole["targets"])][-1] == ["all", "7", "5"]
