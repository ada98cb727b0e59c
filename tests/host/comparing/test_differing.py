"""Two files compared: which tensors are paired, and how far their numbers are apart."""

import json
import shutil
from math import inf

import ml_dtypes
import numpy as np
import pytest

import burnstore
from burnpack.errors import LoadFailed
from burnpack.qfloat import QFloat
from burnpack.tensor import Tensor
from burnstore.cli import main
from burnstore.comparing import apart as apart_module
from burnstore.comparing.apart import apart
from burnstore.comparing.pairing import paired
from burnstore.numerics.quantized import quantized_tensor
from kit import support

MATRIX = np.arange(12, dtype=np.float32).reshape(3, 4)
EXAMPLE = support.path("examples/digits")


def tensor(array, name="w"):
    return burnstore.tensor_from_array(name, np.asarray(array))


def off(first, second, tolerance=None, turned=False):
    return apart(tensor(first), tensor(second), tolerance, turned)


# Numbers.


def test_the_largest_the_mean_the_share_and_the_place_are_those_of_numpy():
    other = MATRIX + np.float32(0.5) * (MATRIX > 8)
    other[1, 2] -= 2
    found, wanted = off(MATRIX, other), np.abs(MATRIX.astype("f8") - other)
    assert (found.largest, found.mean, found.differing) == (wanted.max(), wanted.mean(), 4)
    assert (found.place, found.first, found.second) == ((1, 2), 6.0, 4.0)


def test_blocks_do_not_show(monkeypatch):
    other = MATRIX.copy()
    other[2, 3], other[0, 1] = 100, 3
    whole = off(MATRIX, other)
    for size in (1, 2, 3, 5, 8):
        monkeypatch.setattr(apart_module, "_BLOCK", size)
        assert off(MATRIX, other) == whole
        assert off(MATRIX, other.T, turned=True) == whole


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "bfloat16", "float8_e5m2"])
def test_nan_is_nan_and_zero_is_zero_in_every_type(dtype):
    kind = np.dtype(getattr(ml_dtypes, dtype, None) or dtype)
    one, other = (np.array(row, np.float32).astype(kind) for row in ([np.nan, 0, inf], [np.nan, -0.0, inf]))
    found = off(one, other)
    assert (found.differing, found.largest, found.other_bits) == (0, 0, 1)
    for wrong in ([1, 0, inf], [np.nan, 0, -inf], [np.nan, 0, 1]):
        found = off(one, np.array(wrong, np.float32).astype(kind), 0.1)
        assert (found.differing, found.largest) == (1, inf)


@pytest.mark.parametrize(
    ("one", "other", "largest"),
    [
        (np.int64([2**62 + 1, -5]), np.int64([2**62, -5]), 1),
        (np.int64([-(2**63)]), np.int64([2**63 - 1]), float(2**64 - 1)),
        (np.uint8([255, 0]), np.uint8([0, 255]), 255),
        (np.int8([-128]), np.int8([127]), 255),
        (np.array([True, False]), np.array([True, True]), 1),
        (np.complex64([3 + 4j]), np.complex64([0]), 5),
        (np.int64([3]), np.float32([3.5]), 0.5),
        (np.zeros((0, 3)), np.zeros((0, 3)), 0),
        (np.float32(2), np.float32(2), 0),
    ],
)
def test_whole_numbers_are_exact_and_scalars_and_empty_tensors_compare(one, other, largest):
    assert off(one, other).largest == largest


def test_a_tolerance_is_a_part_of_the_larger_number_or_of_1():
    one, other = np.float32([100, 0.5, 100]), np.float32([100.9, 0.509, 101.5])
    assert off(one, other, 0.01).differing == 1 and off(one, other, 0).differing == 3


def test_quantized_tensors_are_the_numbers_that_they_stand_for():
    scheme = QFloat("Q8S", tensor="F32")
    numbers = np.float32([-127, 1, 5, 127])
    assert apart(quantized_tensor("w", numbers, scheme), tensor(numbers), None).differing == 0
    assert apart(quantized_tensor("w", numbers, scheme), tensor(numbers + 1), None).differing == 4


# Pairs.


def names_paired(ours, theirs):
    sides = [[tensor(np.float32(value), name) for name, value in side.items()] for side in (ours, theirs)]
    pairs, *rests = paired(*sides)
    found = [(pair.first.name, pair.second.name, pair.how) for pair in pairs]
    return found, *([each.name for each in rest] for rest in rests)


def test_names_are_paired_as_they_are_then_as_burn_names_them():
    ours = {"a": 1, "n.weight": 2, "n.bias": 3, "relu.weight": 9, "x": 4}
    theirs = {"n.beta": 5, "n.gamma": 6, "a": 7, "relu.alpha": 10, "y": 8}
    pairs = [
        ("a", "a", ""),
        ("n.weight", "n.gamma", "as Burn names it"),
        ("n.bias", "n.beta", "as Burn names it"),
        ("relu.weight", "relu.alpha", "as Burn names it"),
    ]
    assert names_paired(ours, theirs) == (pairs, ["x"], ["y"])
    assert names_paired(theirs, ours)[1:] == (["y"], ["x"])


@pytest.mark.parametrize("turned", [False, True])
def test_a_prefix_of_all_names_and_the_same_content_are_clear(turned):
    ours, theirs = {"c.w": 1, "c.b": 2}, {"m.net.c.w": 3, "m.net.c.b": 4, "more": 5}
    found, *rests = names_paired(*((theirs, ours) if turned else (ours, theirs)))
    assert sorted(how for *_, how in found) == ["renamed", "renamed"]
    assert sorted(map(len, rests)) == [0, 1]
    assert names_paired({"p": 1, "q": 2}, {"s": 2, "r": 1})[0] == [
        ("p", "r", "renamed"),
        ("q", "s", "renamed"),
    ]
    assert names_paired({"p": 1, "q": 1}, {"s": 1, "r": 1}) == ([], ["p", "q"], ["s", "r"])


# Files.


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Go to a folder with the example's files, and what is made of them."""
    monkeypatch.chdir(tmp_path)
    for name in ("digits.pt", "digits.pt2", "model.py"):
        shutil.copy(f"{EXAMPLE}/{name}", tmp_path)
    burnstore.convert("digits.pt", "digits.bpk", module="model.py:DigitsNet")
    return tmp_path


def test_a_conversion_is_the_same_with_and_without_the_class_and_by_an_export(folder):
    burnstore.convert("digits.pt2", "net.bpk")
    burnstore.convert("digits.pt", "digits.safetensors")
    burnstore.convert("digits.pt", "many.safetensors", shard_size=4000)
    for one, other, module in (
        ("digits.pt", "digits.bpk", "model.py:DigitsNet"),
        ("digits.bpk", "digits.safetensors", "model.py:DigitsNet"),
        ("digits.pt", "digits.pt2", None),
        ("digits.pt2", "net.bpk", None),
        ("digits.pt", "many.safetensors.index.json", None),
    ):
        found = burnstore.diff(one, other, module)
        assert found.same and len(found.compared) >= 16, (one, other, found)
    found = burnstore.diff("digits.pt", "digits.bpk")
    assert found.same and sum(each.transposed for each in found.compared) == 2
    assert [each.other for each in found.compared if each.how] == [
        "norm1.gamma",
        "norm1.beta",
        "norm2.gamma",
        "norm2.beta",
    ]
    assert not burnstore.diff("digits.bpk", "net.bpk").same  # of one format: a program is a difference


def test_a_dtype_is_a_difference_unless_there_is_a_tolerance(folder):
    burnstore.convert("digits.bpk", "half.bpk", half=True)
    assert len(burnstore.diff("digits.bpk", "half.bpk").differing) == 8
    assert burnstore.diff("digits.bpk", "half.bpk", tolerance=1e-3).same
    assert not burnstore.diff("digits.bpk", "half.bpk", tolerance=1e-6).same


def test_names_shapes_texts_and_scalars_are_differences(folder):
    one = [tensor(MATRIX, "a"), tensor(MATRIX, "b"), tensor(np.zeros(2), "c")]
    other = [tensor(MATRIX, "a"), tensor(MATRIX.reshape(2, 6), "b"), tensor(np.ones(3), "d")]
    burnstore.save_burnpack("a.bpk", one, [("k", "v"), ("version", "1")], [("s", 1)])
    burnstore.save_burnpack("b.bpk", other, [("k", "w"), ("version", "2")], [("s", 2)])
    found = burnstore.diff("a.bpk", "b.bpk")
    assert [(each.name, each.apart) for each in found.differing] == [("b", None)]
    assert [[each.name for each in rest] for rest in found.only] == [["c"], ["d"]]
    assert found.texts == [("k", "v", "w"), ("s", "Int 1", "Int 2")] and not found.same


def test_a_class_that_a_file_does_not_fit_is_refused(folder):
    burnstore.save_file({"fc1.weight": MATRIX}, "a.bpk")
    with pytest.raises(LoadFailed, match="does not fit the module"):
        burnstore.diff("a.bpk", "digits.bpk", "model.py:DigitsNet")


def test_a_tensor_that_can_not_be_read_is_a_difference(folder):
    hostile = support.data("reports/expands_to_1_gb.pt")
    (found,) = burnstore.diff(hostile, hostile).compared
    assert "expanded" in found.error and found.differs(None)


def said(capsys, *words):
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["diff", *words])
    return ended.value.code, capsys.readouterr().out


def test_of_very_many_tensors_the_summary_comes_first_and_few_rows_follow(folder, capsys):
    for name, step in (("a.bpk", 0), ("b.bpk", 1)):
        arrays = [tensor(np.float32([n + (n % 10 == 0) * step * n]), f"t{n}") for n in range(600)]
        burnstore.save_burnpack(name, [*arrays, tensor(np.zeros(step + 1), f"only{step}")])
    code, text = said(capsys, "a.bpk", "b.bpk")
    lines = text.splitlines()
    assert code == 1 and lines[0] == "a.bpk and b.bpk differ: 59 of 600 tensors, 2 in one file alone"
    assert lines[2].startswith("t590 ") and len(lines) == 25
    assert lines[22] == "... and 39 more tensors that differ; --all shows them"
    assert len(said(capsys, "a.bpk", "b.bpk", "--all")[1].splitlines()) == 604
    found = json.loads(said(capsys, "a.bpk", "b.bpk", "--json")[1])
    assert (found["same"], found["differing"], len(found["tensors"])) == (False, 59, 59)


def test_what_is_printed_is_one_line_each_whatever_the_names(folder, capsys):
    evil = [Tensor("\x1b[31m\nx", "F32", (), bytes(4))]
    burnstore.save_burnpack("a.bpk", evil, [("\x1b", "a\nb")])
    burnstore.save_burnpack("b.bpk", [Tensor("\x1b[31m\nx", "F32", (), bytes((0, 0, 128, 63)))])
    code, text = said(capsys, "a.bpk", "b.bpk")
    assert code == 1 and "\x1b" not in text and len(text.splitlines()) == 4


def test_long_texts_are_shown_from_where_they_differ(folder, capsys):
    for name, end in (("a.bpk", "one"), ("b.bpk", "two")):
        burnstore.save_burnpack(name, [tensor(MATRIX)], [("k", "x" * 500 + end)])
    assert said(capsys, "a.bpk", "b.bpk")[1].splitlines()[1:] == [
        'metadata k: "…xxxxxxxxxxone" → "…xxxxxxxxxxtwo"'
    ]
