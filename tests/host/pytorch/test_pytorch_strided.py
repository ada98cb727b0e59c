"""Tensors are put in order block by block as NumPy does at once, whatever their strides."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnstore.pytorch import strided
from burnstore.pytorch.reader import PytorchReader
from kit.examples import examples
from kit.pytorch import pickles as p

NUMBERS = np.arange(4096, dtype="<f4")


@st.composite
def layouts(draw):
    """Draw (shape, strides, offset) of a tensor within 4096 elements: nested, expanded or overlapping."""
    shape, strides, reach = [], [], 1
    for _ in range(draw(st.integers(0, 4))):
        extent = draw(st.integers(1, 6))
        stride = draw(st.sampled_from([0, 1, 2, reach, reach + 3]))
        if reach + (extent - 1) * stride > 4096:
            break
        reach += (extent - 1) * stride
        shape.append(extent)
        strides.append(stride)
    order = draw(st.permutations(range(len(shape))))
    offset = draw(st.integers(0, 4096 - reach))
    return tuple(shape[axis] for axis in order), tuple(strides[axis] for axis in order), offset


@examples(2)
@given(layouts(), st.sampled_from([4, 8, 64, 1 << 20]), st.booleans())
def test_blocks_of_any_size_give_what_numpy_gives(layout, block, big):
    shape, strides, offset = layout
    order = b"big" if big else b"little"
    storage = NUMBERS.astype(">f4" if big else "<f4").tobytes()
    data = p.checkpoint(
        p.a_dict({"w": p.tensor("0", 4096, shape, strides, offset)}), {"0": storage}, byteorder=order
    )
    expected = np.lib.stride_tricks.as_strided(NUMBERS[offset:], shape, [4 * stride for stride in strides])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strided, "_BLOCK", block)
        found = PytorchReader.from_buffer(data).tensor("w").data()
    assert bytes(found) == expected.tobytes()


def blocks(shape, strides, block, monkeypatch):
    monkeypatch.setattr(strided, "_BLOCK", block)
    target = np.empty(shape, "u4")
    return [
        (start, span) for _, start, span in strided._blocks(target, [4 * stride for stride in strides], 0)
    ]


def test_blocks_come_in_the_records_order_and_meet_each_byte_once(monkeypatch):
    found = blocks((8, 8), (1, 8), 32, monkeypatch)
    assert found == [(32 * row, 32) for row in range(8)]
    found = blocks((4, 3, 5), (5, 20, 1), 40, monkeypatch)
    assert [start for start, _ in found] == sorted(start for start, _ in found)
    assert sum(span for _, span in found) == 240


def test_overlapping_tensors_are_left_whole(monkeypatch):
    assert blocks((2,) * 16, (1,) * 16, 4, monkeypatch) == [(0, 68)]


def test_reading_what_lies_in_order_needs_no_numpy(tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(16)}))
    script = "import sys; sys.path[:0] = sys.argv[2:]\n" + (
        "from burnstore.io.opened import open_model\n"
        "with open_model(sys.argv[1]) as opened: bytes(opened.tensor('w').data())\n"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), *sys.path], capture_output=True, text=True
    )
    assert done.stdout.strip() == "False", done.stderr
