"""Tied weights, and arrays that share their memory."""

import numpy as np
import pytest
from safetensors.numpy import load_file

from burnpack.module import Module, Param
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    SafetensorsStore,
    open_model,
    save_burnpack,
    save_safetensors,
    tensor_from_array,
)

FLAT = np.arange(12, dtype=np.float32)
# what the arrays share
SHARED = {
    "nothing": {"a": FLAT[:6], "b": FLAT[6:]},
    "a part": {"a": FLAT[:8], "b": FLAT[4:]},
    "everything": {"a": FLAT, "b": FLAT},
    "everything, turned": {"a": FLAT.reshape(3, 4), "b": FLAT.reshape(3, 4).T},
    "steps of one buffer": {"a": FLAT[::2], "b": FLAT[1::2], "c": FLAT[::-1]},
}


@pytest.mark.parametrize("what", SHARED)
@pytest.mark.parametrize("save", [save_burnpack, save_safetensors])
def test_each_array_is_written_whole_whatever_it_shares(tmp_path, save, what):
    arrays = SHARED[what]
    save(tmp_path / "file", [tensor_from_array(name, array) for name, array in arrays.items()])
    with open_model(tmp_path / "file") as opened:
        assert all(np.array_equal(opened.array(name), array) for name, array in arrays.items())


class Layer(Module):
    def __init__(self, param):
        self.weight = param


class Tied(Module):
    def __init__(self, data=None):
        first, second = (Param((2, 2), "F32", data) for _ in range(2))
        self.one, self.two, self.three = Layer(first), Layer(second), Layer(first)


STORES = [BurnpackStore, SafetensorsStore]


@pytest.mark.parametrize("store_class", STORES)
def test_a_tied_parameter_is_saved_under_each_name(store_class):
    store = store_class.from_bytes()
    Tied(bytes(16)).save_into(store)
    assert store.keys() == ["one.weight", "three.weight", "two.weight"]


@pytest.mark.parametrize("store_class", STORES)
def test_or_once_with_the_other_names_noted(store_class):
    store = store_class.from_bytes().alias_tied(True).with_key_remapping("^", "net.")
    saved = Tied(bytes(range(16)))
    saved.save_into(store)
    found = store_class.from_bytes(store.get_bytes()).with_key_remapping(r"^net\.", "")
    assert found.keys() == ["one.weight", "two.weight"]
    assert ("net.three.weight", "net.one.weight") in store.container().metadata()
    loaded = Tied()
    loaded.load_from(found)
    assert loaded.three.weight is loaded.one.weight and bytes(loaded.one.weight.data) == bytes(range(16))


def test_the_names_noted_are_those_that_are_written(tmp_path):
    store = SafetensorsStore.from_file(tmp_path / "t.safetensors").alias_tied(True)
    Tied(bytes(16)).save_into(store.with_to_adapter(BurnToPyTorchAdapter()))
    assert sorted(load_file(tmp_path / "t.safetensors")) == ["one.weight", "two.weight"]
    with open_model(tmp_path / "t.safetensors") as opened:
        assert ("three.weight", "one.weight") in opened.reader.metadata()
