"""Processes that save to one target at once, and a model that is saved onto the file it was loaded from."""

import os

import pytest

from burnpack.tensor import Tensor
from kit import faulty

can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be forked here")


@can_fork
@pytest.mark.parametrize("kind", ["burnpack", "safetensors"])
def test_two_processes_that_overwrite_one_target_never_mix(tmp_path, in_a_process, kind):
    target = tmp_path / ("model.bpk" if kind == "burnpack" else "model.safetensors")
    looked, *counts = in_a_process("crowd.py", kind, target, 2, 40)
    assert int(looked.split()[1]) > 0 and counts == ["40 0", "40 0"]
    assert faulty.version_of(faulty.store(kind, target)) in (1, 2)
    assert list(tmp_path.iterdir()) == [target]


@can_fork
def test_two_processes_that_overwrite_one_sharded_target_never_mix(tmp_path, in_a_process):
    target = tmp_path / "model.safetensors"
    faulty.model(9).save_into(faulty.store("sharded", target))
    looked, *counts = in_a_process("crowd.py", "sharded", target, 2, 15)
    assert int(looked.split()[1]) > 0 and counts == ["15 0", "15 0"]
    assert faulty.version_of(faulty.store("sharded", target)) in (1, 2)


@can_fork
@pytest.mark.parametrize("kind", ["burnpack", "safetensors", "sharded"])
def test_without_overwriting_one_of_many_saves_and_the_others_are_told(tmp_path, in_a_process, kind):
    target = tmp_path / ("model.bpk" if kind == "burnpack" else "model.safetensors")
    _, *counts = in_a_process("crowd.py", kind, target, 4, 1, "--once")
    assert sorted(counts) == ["0 1", "0 1", "0 1", "1 0"]
    assert faulty.version_of(faulty.store(kind, target)) in (1, 2, 3, 4)
    assert len(list(tmp_path.iterdir())) == (4 if kind == "sharded" else 1)


class Swapped:
    """An adapter that gives each parameter the bytes of another one, read when it is written."""

    def __init__(self, model):
        self._parts = model.parts

    def adapt(self, tensor, context):
        other = self._parts[len(self._parts) - 1 - int(context.name)]
        return Tensor(tensor.name, tensor.dtype, tensor.shape, lambda: other.data, tensor.param_id)

    def get_alternative_param_name(self, name, module_type):
        return None


def test_a_model_is_saved_onto_the_file_that_it_is_mapped_from(way):
    numbered = faulty.Model()
    for number, param in enumerate(numbered.parts):
        param.data = bytes([number]) * faulty.SIZE
    numbered.save_into(way.store())
    model, store = faulty.Model(), way.store().overwrite(True)
    model.load_from(store)
    model.save_into(store.with_to_adapter(Swapped(model)))
    # The parameters still are views of the old file; the store shows the new one.
    assert [bytes(param.data[:1])[0] for param in model.parts] == list(range(faulty.TENSORS))
    found = [store.get_tensor(f"parts.{number}").data()[0] for number in range(faulty.TENSORS)]
    assert found == list(reversed(range(faulty.TENSORS)))
    store.close()
