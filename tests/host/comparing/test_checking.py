"""What a check finds in a file, and that it finds nothing in a good one."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import burnstore
from burnpack.errors import Truncated
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.cli import main
from burnstore.comparing.numbers import unusual
from kit import support

NUMBERS = np.arange(1, 33, dtype=np.float32).reshape(4, 8)
TINY = {"F64": 5e-324, "F32": 1e-40, "F16": 6e-8, "BF16": 1e-40}


def found_in(tmp_path, **arrays):
    path = tmp_path / "a.bpk"
    tensors = [burnstore.tensor_from_array(name, array) for name, array in arrays.items()]
    burnstore.save_burnpack(path, tensors, overwrite=True)
    return [(each.level, each.what, each.item, each.detail) for each in burnstore.check(path).findings]


def test_a_good_file_has_no_findings_and_all_of_it_was_read(tmp_path):
    assert found_in(tmp_path, w=NUMBERS, empty=np.zeros((0, 3)), scalar=np.float64(2)) == []
    found = burnstore.check(tmp_path / "a.bpk")
    assert (found.passed, found.tensors, found.size) == (True, 3, NUMBERS.nbytes + 8)
    assert found.digest == burnstore.digest(tmp_path / "a.bpk") and not found.has_digest


@pytest.mark.parametrize("name", ["F64", "F32", "F16", "BF16"])
def test_numbers_that_are_none_or_tiny_are_counted_in_every_width(name):
    array = np.ones(1000, {"F64": "f8", "F32": "f4", "F16": "f2"}.get(name, ml_dtypes.bfloat16))
    array[[3, 5, 7]] = np.nan, np.inf, -np.inf
    array[[9, 11]] = TINY[name], -0.0
    found = unusual(burnstore.tensor_from_array("w", array))
    assert (found.nans, found.infinities, found.denormals, found.is_constant) == (1, 2, 1, False)


@pytest.mark.parametrize(
    "kind", ["float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "float8_e8m0fnu"]
)
def test_numbers_of_a_byte_are_counted_as_their_type_has_them(kind):
    array = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, kind))
    numbers = array.astype(np.float32)
    found = unusual(burnstore.tensor_from_array("w", array))
    assert (found.nans, found.infinities) == (np.isnan(numbers).sum(), np.isinf(numbers).sum())


def test_large_tensors_are_counted_across_blocks():
    array = np.ones((3, 700_000), np.float32)
    array[1] = 0
    array[:, 699_999] = 0
    array[2, 600_000] = np.nan
    found = unusual(burnstore.tensor_from_array("w", array))
    assert (found.zero_rows, found.rows, found.zero_columns, found.nans) == (1, 3, 1, 1)


def test_findings_tell_level_place_and_numbers(tmp_path):
    dead = NUMBERS.copy()
    dead[1], dead[:, 2] = 0, -0.0
    assert found_in(tmp_path, dead=dead) == [
        ("warning", "dead channels: rows of zeros", "dead", "1 of 4"),
        ("warning", "dead channels: columns of zeros", "dead", "1 of 8"),
    ]
    assert found_in(tmp_path, none=NUMBERS * 0) == [("warning", "all zeros", "none", "")]
    assert found_in(tmp_path, bad=np.array([1, np.nan, np.inf, np.inf, 1e-40], np.float32)) == [
        ("warning", "NaN", "bad", "1"),
        ("warning", "infinite", "bad", "2"),
        ("note", "denormal numbers, which some processors take as 0", "bad", "1"),
    ]


def test_the_same_bytes_under_two_names_are_told_unless_all_are_one_number(tmp_path):
    found = found_in(tmp_path, a=NUMBERS, b=NUMBERS, zeros=np.zeros(64), others=np.zeros(64))
    assert found == [("note", "duplicates, or weights that were tied", "a", "a, b; 128 bytes more than once")]


def test_tied_weights_of_a_checkpoint_are_told(tmp_path):
    from kit.pytorch import pickles as p

    state = {"embed.weight": p.tensor("0", 32, (4, 8)), "head.weight": p.tensor("0", 32, (4, 8))}
    (tmp_path / "tied.pt").write_bytes(p.checkpoint(p.a_dict(state), {"0": NUMBERS.tobytes()}))
    (found,) = burnstore.check(tmp_path / "tied.pt").findings
    assert (found.what, found.detail) == ("tied: they share their bytes", "embed.weight, head.weight")


def test_padding_that_is_not_zeros_ids_and_bools_are_told(tmp_path):
    tensors = [
        Tensor("a", "Bool", (3,), bytes((0, 1, 7)), 5),
        Tensor("b", "U8", (2,), bytes((1, 2)), 5),
    ]
    data = bytearray(Writer(tensors).to_bytes())
    data[-10] = 1  # in the padding between the two
    (tmp_path / "a.bpk").write_bytes(data)
    found = [(each.level, each.what, each.item) for each in burnstore.check(tmp_path / "a.bpk").findings]
    assert found == [
        ("warning", "something else than zeros before it", "b"),
        ("warning", "the same param_id", "a"),
        ("warning", "Bools that are neither 0 nor 1", "a"),
    ]


def test_tensors_that_boards_could_not_read_in_place_are_told():
    (found,) = burnstore.check(support.data("rust/burn_0.19.bpk")).findings
    assert found.level == "warning" and "not aligned" in found.what


def test_a_program_that_is_refused_is_an_error(tmp_path):
    source = Path(support.path("examples/digits"))
    burnstore.convert(source / "digits.pt2", tmp_path / "a.bpk")
    with burnstore.open(tmp_path / "a.bpk") as opened:
        start, end = opened.reader.span("burnrt.program")
    data = bytearray((tmp_path / "a.bpk").read_bytes())
    data[start + 16 : end] = bytes((255,)) * (end - start - 16)
    (tmp_path / "a.bpk").write_bytes(data)
    found = burnstore.check(tmp_path / "a.bpk")
    assert not found.passed and [each.what for each in found.findings] == ["the program is refused"]


def test_a_cut_file_is_refused_and_a_tensor_that_is_not_read_is_an_error(tmp_path):
    burnstore.save_file({"w": NUMBERS}, tmp_path / "a.bpk")
    (tmp_path / "cut.bpk").write_bytes((tmp_path / "a.bpk").read_bytes()[:-1])
    with pytest.raises(Truncated):
        burnstore.check(tmp_path / "cut.bpk")
    found = burnstore.check(support.data("reports/expands_to_1_gb.pt"))
    assert [(each.level, each.what, each.item) for each in found.findings] == [
        ("error", "can't be read", "w"),
    ]
    assert found.digest is None


def test_of_several_files_all_are_checked_and_one_that_is_none_is_a_line_on_stderr(tmp_path, capsys):
    burnstore.save_file({"w": NUMBERS}, tmp_path / "a.bpk")
    (tmp_path / "text.pt").write_text("no model")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(tmp_path / "text.pt"), str(tmp_path / "a.bpk")])
    said = capsys.readouterr()
    assert ended.value.code == 1 and said.err.count("\n") == 1 and "text.pt: plain text" in said.err
    assert said.out == f"{tmp_path}/a.bpk: burnpack, 1 tensor, 128 bytes: nothing is wrong\n"


def test_many_findings_of_one_kind_are_cut_and_all_shows_them(tmp_path, capsys):
    burnstore.save_file({f"w{number}": NUMBERS * np.nan for number in range(40)}, tmp_path / "a.bpk")
    for words, count in (((), 7), (("--all",), 41)):
        with pytest.raises(SystemExit) as ended:
            main(["check", str(tmp_path / "a.bpk"), *words])
        assert ended.value.code == 0 and len(capsys.readouterr().out.splitlines()) == count
