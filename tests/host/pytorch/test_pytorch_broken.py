"""Damaged and contradictory checkpoints are refused when they are opened, with names and numbers."""

import zipfile

import pytest

from burnpack.errors import BurnpackError, LimitExceeded, Malformed, NotFound
from burnpack.limits import Limits
from burnstore.pytorch.reader import PytorchReader
from kit.pytorch import pickles as p
from kit.pytorch.pytorch_refused import GOOD, PACKED, REFUSED, UNREAD, one


@pytest.mark.parametrize(
    ("data", "error", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refused_on_open_naming_what_is_wrong(data, error, words):
    with pytest.raises(error) as raised:
        PytorchReader.from_buffer(data, "model.pt")
    assert type(raised.value) is error
    for word in (*words, "model.pt"):
        assert word in str(raised.value)


@pytest.mark.parametrize(
    ("data", "error", "words"), [row[1:] for row in UNREAD], ids=[row[0] for row in UNREAD]
)
def test_a_tensor_that_cant_be_read_is_refused_when_it_is_asked_for(data, error, words):
    reader = PytorchReader.from_buffer(data, "model.pt")
    assert reader.names() == ["w"] and "w" in reader
    (row,) = reader.left_out()
    tensor = reader.tensor("w").renamed("v")
    for ask in (tensor.data, lambda: list(tensor.pieces()), lambda: tensor.dtype, lambda: tensor.nbytes):
        with pytest.raises(error) as raised:
            ask()
        assert type(raised.value) is error
        for word in (*words, "model.pt", row[1]):
            assert word in str(raised.value)


def test_the_good_twin_of_the_broken_ones_is_read():
    for data in (GOOD, PACKED):
        assert PytorchReader.from_buffer(data).tensor("w").data() == bytes(16)


def test_a_small_expanded_tensor_loads():
    reader = PytorchReader.from_buffer(one(4, (3, 2), (0, 1), offset=2))
    assert bytes(reader.tensor("w").data()) == bytes(24)


def test_an_empty_tensor_may_start_anywhere():
    reader = PytorchReader.from_buffer(one(4, (0, 3), (3, 1), offset=1 << 40))
    assert reader.tensor("w").shape == (0, 3)
    assert bytes(reader.tensor("w").data()) == b""


LIMITS = [
    ("bytes of the pickle", Limits(metadata=20), "the pickle"),
    ("tensors", Limits(tensors=1), "too many"),
    ("depth", Limits(depth=1), "nested"),
    ("bytes of a tensor", Limits(tensor=12), "too large"),
    ("bytes of the file", Limits(file=100), "the file is too large"),
]
LIMITED = p.checkpoint(
    p.a_dict({"a": p.a_dict({"w": p.tensor("0", 4)}), "b": p.tensor("1", 4)}),
    {"0": bytes(16), "1": bytes(16)},
)


@pytest.mark.parametrize(("limits", "words"), [row[1:] for row in LIMITS], ids=[row[0] for row in LIMITS])
def test_limits_are_the_callers(limits, words):
    assert PytorchReader.from_buffer(LIMITED).names() == ["a.w", "b"]
    with pytest.raises(LimitExceeded, match=words):
        PytorchReader.from_buffer(LIMITED, limits=limits)


def test_damage_in_a_packed_record_names_tensor_and_record_when_it_is_read():
    data = bytearray(
        p.checkpoint(p.a_dict({"w": p.tensor("0", 256)}), {"0": bytes(range(256)) * 4}, zipfile.ZIP_DEFLATED)
    )
    start = data.find(b"archive/data/0") + len("archive/data/0")
    data[start : start + 4] = b"\xff\xff\xff\xff"
    tensor = PytorchReader.from_buffer(bytes(data), "model.pt").tensor("w")
    for read in (tensor.data, lambda: tensor.readinto(bytearray(tensor.nbytes))):
        with pytest.raises(Malformed) as raised:
            read()
        assert all(word in str(raised.value) for word in ("model.pt", "w", "archive/data/0", "damaged"))


def test_an_unknown_name_is_not_found():
    with pytest.raises(NotFound, match="v"):
        PytorchReader.from_buffer(GOOD).tensor("v")


def test_a_closed_checkpoint_says_so(tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(GOOD)
    with PytorchReader.open(path) as reader:
        tensor = reader.tensor("w")
    with pytest.raises(BurnpackError, match="closed"):
        tensor.data()
