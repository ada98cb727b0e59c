"""A source that changes while it is converted is what the error names."""

import numpy as np
import pytest

from burnpack.errors import SaveFailed, Truncated
from burnstore import open_model, save_burnpack, save_safetensors
from burnstore.numerics.arrays import tensor_from_array
from burnstore.pipeline.conversion import plan
from burnstore.pipeline.options import Options

SIZE = 1 << 20
COUNT = 4


@pytest.fixture(params=["bpk", "safetensors"])
def source(request, tmp_path):
    path = tmp_path / f"source.{request.param}"
    tensors = [tensor_from_array(f"w{n}", np.full(SIZE, n, np.uint8)) for n in range(COUNT)]
    (save_burnpack if request.param == "bpk" else save_safetensors)(path, tensors)
    return path


@pytest.mark.parametrize("left", [0, SIZE // 2, 2 * SIZE])
@pytest.mark.parametrize("written", [0, 2])
@pytest.mark.parametrize("shard_size", [None, SIZE, 2 * SIZE])
def test_a_source_that_becomes_shorter_is_named_and_nothing_is_written(
    source, tmp_path, left, written, shard_size
):
    target = tmp_path / ("target.safetensors" if shard_size else "target.bpk")
    with open_model(source) as opened:
        planned = plan(opened, target, None, Options(shard_size=shard_size))
        done = []

        def shorten(size):
            done.append(size)
            if len(done) == written:
                cut(source, left)

        if written == 0:
            cut(source, left)
        with pytest.raises(Truncated, match="became shorter") as raised:
            planned.run(shorten)
    assert str(source)[-20:] in str(raised.value) and str(target) not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_a_source_that_becomes_shorter_while_a_tensor_is_written_is_named(source, tmp_path, monkeypatch):
    monkeypatch.setattr("burnstore.io.files.PIECE", SIZE // 4)
    with open_model(source) as opened:
        planned = plan(opened, tmp_path / "target.safetensors")
        done = []

        def shorten(size):
            done.append(size)
            if len(done) == 3:
                cut(source, 0)

        with pytest.raises(Truncated, match="became shorter"):
            planned.run(shorten)


def test_a_target_that_can_t_be_written_is_still_named(source, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("burnstore.io.files._write", full)
    with open_model(source) as opened, pytest.raises(SaveFailed, match=r"target\.bpk.*No space"):
        plan(opened, tmp_path / "target.bpk").run()


def cut(path, size):
    with path.open("r+b") as file:
        file.truncate(size)
