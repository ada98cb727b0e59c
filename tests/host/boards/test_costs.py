"""What is read and renamed costs time in proportion to its size, whatever it looks like.

Each input is what once took several times as long, or the square of the time. Calls are counted; the worst of
the inputs are tried at full size, with a limit on the processor's time.
"""

import contextlib
import io
import resource
import struct
import subprocess
import sys
from functools import partial

import pytest

from burnpack.result import ApplyResult
from burnpack.summary import summary
from burnstore.cli import main
from burnstore.naming.indices import Contiguous
from burnstore.naming.prefixes import Unwrapped
from kit.formats.burnpack_by_hand import container, descriptor
from kit.formats.cbor_by_hand import array, mapping, numbers, opened_mapping, text, unsigned

SECONDS = 6  # of a processor, which a machine at work needs at most a third of
COUNT = 2_000  # names
FULL = 100_000
CALLS_MOST = 90  # for each name, in `inspect` or `convert`
EMPTY = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'
PAD = "x" * 40
DEEP = ".".join(["3"] * 120)


def safetensors(members):
    header = "{%s}" % ",".join(members)
    return struct.pack("<Q", len(header)) + header.encode()


def named(pattern, description=EMPTY, count=COUNT):
    return safetensors('"%s":%s' % (pattern % number, description) for number in range(count))


def burnpack(names, *sections):
    described = descriptor(text("F32"), numbers(0), numbers(0, 0))
    tensors = opened_mapping(*[(text(name), described) for name in names])
    return container(mapping((text("tensors"), tensors), *sections), b"")


def falling(*sections, count=COUNT):
    return burnpack(("t%06d" % number for number in range(count, 0, -1)), *sections)


def keys(count):
    return mapping(*[(text("k%06d" % -number), text("v")) for number in range(-count, 0)])


def with_unknown_key(count=COUNT):
    return falling((text("zz"), array(unsigned(0))), count=count)


INPUTS = {
    "plain names": partial(named, "layer.%d.weight"),
    "escaped names": partial(named, r"\u0061" + PAD + "%06d"),
    "names with quotes": partial(named, r"\"" + PAD + "%06d"),
    "names with spaces": partial(named, PAD + "  %06d"),
    "spaces between": partial(named, "%06d", EMPTY.replace(":", " : ").replace(",", ",\n")),
    "fields in another order": partial(named, "%06d", '{"shape":[0],"data_offsets":[0,0],"dtype":"U8"}'),
    "metadata of many keys": lambda: safetensors(
        ['"a":' + EMPTY, '"__metadata__":{%s}' % ",".join('"k%06d":"v"' % n for n in range(COUNT))]
    ),
    "names that fall": falling,
    "names that fall, and an unknown key": with_unknown_key,
    "names that rise, and scalars": lambda: burnpack(
        ("t%06d" % number for number in range(COUNT)),
        (text("scalars"), mapping((text("a"), mapping((text("Int"), unsigned(1)))))),
    ),
    "metadata of many keys that fall": lambda: burnpack(["a"], (text("metadata"), keys(COUNT))),
}


def calls_of(*arguments):
    """Return how many functions of Python a command calls."""
    count = 0

    def counted(frame, event, argument):
        nonlocal count
        count += event == "call"

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        sys.setprofile(counted)
        try:
            main(arguments)
        except SystemExit as done:
            assert not done.code
        finally:
            sys.setprofile(None)
    return count


@pytest.mark.parametrize("what", INPUTS)
def test_a_name_costs_few_calls_however_it_is_spelt(what, tmp_path):
    few, many = tmp_path / "few", tmp_path / "many"
    few.write_bytes(named("w%d", count=1))
    many.write_bytes(INPUTS[what]())
    for command in (("inspect",), ("convert", "--overwrite")):
        target = [str(tmp_path / "out.bpk")] if len(command) > 1 else []
        calls_of(*command, str(few), *target)  # so that all is imported
        calls = calls_of(*command, str(many), *target) - calls_of(*command, str(few), *target)
        assert calls <= CALLS_MOST * COUNT, (command, calls / COUNT)


@pytest.mark.parametrize("name", ["x" * 9_900_000, r"\u0061" * 1_650_000, r"\"" * 4_900_000])
def test_a_long_name_costs_few_calls(name, tmp_path):
    path = tmp_path / "long"
    path.write_bytes(named(name + "%d", count=1))
    assert calls_of("inspect", str(path)) < 100_000


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "burnstore", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=limited,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-500:]


def test_a_hundred_thousand_names_that_fall_are_inspected_in_little_time(tmp_path):
    path = tmp_path / "falling.bpk"
    path.write_bytes(with_unknown_key(FULL))
    run("inspect", str(path))


def test_a_hundred_thousand_escaped_names_are_converted_in_little_time(tmp_path):
    path = tmp_path / "escaped.safetensors"
    path.write_bytes(named(r"\u0061" + PAD + "%06d", count=FULL))
    run("convert", str(path), str(tmp_path / "out.bpk"))


@pytest.mark.parametrize("pattern", ["module.%d." + DEEP, "module." + DEEP + ".%d"])
def test_deep_names_are_renamed_in_little_time(pattern, tmp_path):
    path = tmp_path / "deep"
    path.write_bytes(named(pattern, count=30_000))
    run("convert", str(path), str(tmp_path / "out.bpk"), "--strip-prefix", "--contiguous")


class Segment(str):
    """A text that counts how often one like it is compared or asked what it begins with."""

    asked = 0

    def startswith(self, *arguments):
        Segment.asked += 1
        return str.startswith(self, *arguments)

    def endswith(self, *arguments):
        Segment.asked += 1
        return str.endswith(self, *arguments)


def test_a_prefix_that_is_there_often_is_taken_off_in_one_go():
    names = [Segment("module." * 5_000 + "w"), Segment("module." * 5_000 + "b")]
    Segment.asked = 0
    assert Unwrapped()(names) == ["w", "b"]
    assert Segment.asked <= 3 * 2 * 5_001


def test_indices_are_closed_up_by_each_prefix():
    names = ["a.1.b.2.w", "a.1.b.4.w", "a.3.c.7.w", "a.3", "d.5.e.6"]
    assert Contiguous()(names) == ["a.0.b.0.w", "a.0.b.1.w", "a.1.c.0.w", "a.1", "d.0.e.0"]


def test_unused_names_are_looked_through_a_bounded_number_of_times():
    result = ApplyResult()
    result.missing = [("w%d" % n, ("Struct:Net",)) for n in range(10_000)]
    result.unused = [Segment("p%d.w%d" % (n, n % 7)) for n in range(10_000)]
    Segment.asked = 0
    assert "9990 more" in summary(result)
    assert Segment.asked <= 60 * 4 * 2_000


def test_only_so_many_letters_are_compared_for_a_suggestion(monkeypatch):
    compared = []
    similarity = sys.modules["burnpack.similar"].similarity

    def counted(one, other):
        compared.append(len(one) * len(other))
        return similarity(one, other)

    monkeypatch.setattr("burnpack.similar.similarity", counted)
    result = ApplyResult()
    result.missing = [("a" * 195 + "%d" % n, ("Struct:Net",)) for n in range(10_000)]
    result.unused = ["a" * 194 + "b%d" % n for n in range(10_000)]
    summary(result)
    assert sum(compared) <= 10 * 300_000
