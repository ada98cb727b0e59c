"""A container is written into a buffer, or a file, as Burn's writer does it."""

import pytest

from burnpack.errors import SaveFailed
from burnstore import Tensor, Writer, open_model
from kit import support

TENSORS = [Tensor("a", "F32", (2,), bytes(range(8))), Tensor("b", "U8", (3,), b"abc")]


def writer():
    return Writer(TENSORS, {"by": "a test"}, {"epoch": 3})


def test_a_buffer_is_filled_from_its_beginning():
    whole = writer().to_bytes()
    for spare in (0, 5):
        buffer = bytearray(b"x" * (writer().size + spare))
        writer().write_into(buffer)
        assert buffer == whole + b"x" * spare
    writer().write_into(memoryview(buffer)[: len(whole)])


def test_a_buffer_that_is_too_small_stays_as_it_was():
    buffer = bytearray(b"x" * (writer().size - 1))
    error = support.raises(SaveFailed, writer().write_into, buffer)
    assert (error.expected, error.found) == (writer().size, len(buffer))
    assert buffer == b"x" * len(buffer)


@pytest.mark.parametrize("method", ["write_to_file", "write_to_file_in_place"])
def test_a_file_gets_the_usual_extension_and_is_overwritten_unless_told_otherwise(tmp_path, method):
    getattr(writer(), method)(tmp_path / "model")
    assert (tmp_path / "model.bpk").read_bytes() == writer().to_bytes()
    (tmp_path / "model.bpk").write_bytes(b"old")
    getattr(writer(), method)(str(tmp_path / "model.bpk"))
    assert (tmp_path / "model.bpk").read_bytes() == writer().to_bytes()
    support.raises(SaveFailed, getattr(writer(), method), tmp_path / "model", False)
    getattr(writer(), method)(tmp_path / "plain", overwrite=False, auto_extension=False)
    with open_model(tmp_path / "plain") as opened:
        assert opened.names() == ["a", "b"] and dict(opened.reader.metadata()) == {"by": "a test"}


@pytest.mark.parametrize("method, kept", [("write_to_file", b"old"), ("write_to_file_in_place", None)])
def test_only_a_file_written_whole_survives_a_failure(tmp_path, method, kept):
    def failing():
        raise OSError("gone")

    target = tmp_path / "model.bpk"
    target.write_bytes(b"old")
    bad = Writer([*TENSORS, Tensor("c", "U8", (1,), failing)])
    error = support.raises(SaveFailed, getattr(bad, method), target)
    assert error.item == "c" and error.source == str(target)
    assert kept is None or target.read_bytes() == kept
