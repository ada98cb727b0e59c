"""A process that is killed while it saves leaves the old model or the new one, byte for byte."""

import os

import pytest

from kit import faulty

KILLS = {"burnpack": 200, "safetensors": 200, "sharded": 60}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be forked here")
@pytest.mark.parametrize("kind", KILLS)
def test_kills_at_random_moments_leave_a_whole_model(tmp_path, in_a_process, kind):
    target = tmp_path / ("model.bpk" if kind == "burnpack" else "model.safetensors")
    *versions, last = in_a_process("killed.py", kind, target, KILLS[kind])
    assert len(versions) == KILLS[kind]
    assert len(set(versions)) > 1, "no save was ever finished"
    assert int(last.removeprefix("left over: ")) > 0, "no kill ever struck a save"
    faulty.model(7).save_into(faulty.store(kind, target).overwrite(True))
    assert faulty.version_of(faulty.store(kind, target)) == 7
