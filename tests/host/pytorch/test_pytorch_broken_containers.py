"""Legacy files, tar archives and bare pickles that are damaged or contradictory are refused on open."""

import struct

import pytest

from burnstore.pytorch.reader import PytorchReader
from kit.pytorch import pickles as p
from kit.pytorch.pytorch_refused_containers import BARE, LEGACY, TAR, TWO, legacy, tar

ROWS = LEGACY + TAR + BARE


@pytest.mark.parametrize(("data", "error", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_refused_on_open_naming_what_is_wrong(data, error, words):
    with pytest.raises(error) as raised:
        PytorchReader.from_buffer(data, "model.pt")
    assert type(raised.value) is error
    for word in (*words, "model.pt"):
        assert word in str(raised.value)


def test_each_storage_of_a_legacy_file_has_a_count_of_its_own():
    one, two = struct.pack("<2f", 1, 2), struct.pack("<3f", 3, 4, 5)
    reader = PytorchReader.from_buffer(p.legacy(TWO, {"1": (2, one), "2": (3, two)}))
    assert (bytes(reader.tensor("a").data()), bytes(reader.tensor("b").data())) == (one, two)
    reader = PytorchReader.from_buffer(p.legacy(TWO, {"2": (3, two), "1": (2, one)}))
    assert (bytes(reader.tensor("a").data()), bytes(reader.tensor("b").data())) == (one, two)


def test_the_good_twins_of_the_broken_legacy_and_tar_files_are_read():
    for data in (legacy(), legacy((3,), ("8", 1, 3)), tar()):
        assert not any(PytorchReader.from_buffer(data).tensor("w").data())
