"""Square matrices, which fit in either layout: what is known of their layout is written, said or refused."""

import numpy as np
import pytest
from safetensors.numpy import save_file

import burnstore
from burnpack.errors import LoadFailed
from burnrt import nn
from burnstore import BurnpackStore, PyTorchToBurnAdapter, SafetensorsStore
from burnstore.numerics.adapters import HalfPrecisionAdapter
from kit import support
from kit.pytorch import pickles

TORCHS = np.arange(4, dtype=np.float32).reshape(2, 2)


class Square(nn.Module):
    def __init__(self):
        self.one = nn.Linear(2, 2, bias=False)


class Mixed(nn.Module):
    def __init__(self):
        self.one = nn.Linear(2, 2, bias=False)
        self.norm = nn.LayerNorm(2)
        self.two = nn.Linear(2, 3, bias=False)


class Convolution(nn.Module):
    def __init__(self):
        self.one = nn.Conv2d(2, 2, 2, bias=False)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pt").write_bytes(pickles.of_arrays({"one.weight": TORCHS}))
    return tmp_path


def loaded(module, store):
    module.load_from(store)
    return np.frombuffer(module.one.weight.data, "<f4").reshape(2, 2).tolist()


def layout(name):
    return dict(burnstore.inspect(name)["metadata"]).get("layout")


@pytest.mark.parametrize("name", ["a.bpk", "a.safetensors"])
def test_a_file_converted_without_a_module_says_its_layout_and_is_not_taken_for_burns(name):
    burnstore.convert("a.pt", name)
    assert layout(name) == "pytorch"
    kind = BurnpackStore if name == "a.bpk" else SafetensorsStore
    for adapter in (None, HalfPrecisionAdapter()):
        store = kind.from_file(name).with_from_adapter(adapter)
        error = support.raises(LoadFailed, loaded, Square(), store)
        assert "one.weight: LayoutMismatch (expected Burn's layout, found PyTorch's)" in str(error)
        assert "with_from_adapter(PyTorchToBurnAdapter()) reads these" in str(error)
    assert loaded(Square(), kind.from_file(name).with_from_adapter(PyTorchToBurnAdapter())) == [
        [0, 2],
        [1, 3],
    ]


def test_the_mark_goes_with_the_tensors_and_goes_away_with_the_layout():
    burnstore.convert("a.pt", "a.bpk")
    burnstore.convert("a.bpk", "b.safetensors", strip_prefix="x.")
    burnstore.convert("b.safetensors", "c.bpk", Square())
    assert (layout("b.safetensors"), layout("c.bpk")) == ("pytorch", None)
    assert loaded(Square(), BurnpackStore.from_file("c.bpk")) == [[0, 2], [1, 3]]
    burnstore.convert("a.bpk", "d.bpk", Square())
    assert layout("d.bpk") is None and burnstore.load_file("d.bpk")["one.weight"].tolist() == [[0, 2], [1, 3]]
    burnstore.convert("d.bpk", "e.safetensors", Square())
    assert layout("e.safetensors") == "pytorch"
    assert burnstore.load_file("e.safetensors")["one.weight"].tolist() == TORCHS.tolist()


def test_renaming_keeps_what_a_file_says():
    burnstore.convert("a.pt", "a.bpk", rename=[("^one", "net.one")])
    store = BurnpackStore.from_file("a.bpk").strip_prefixes("net.")
    assert "LayoutMismatch" in str(support.raises(LoadFailed, loaded, Square(), store))


def test_a_model_without_such_matrices_loads_whatever_a_file_says(folder):
    array = np.zeros((2, 2, 2, 2), np.float32)
    (folder / "c.pt").write_bytes(pickles.of_arrays({"one.weight": array}))
    burnstore.convert("c.pt", "c.bpk")
    assert Convolution().load_from(BurnpackStore.from_file("c.bpk")).applied == ["one.weight"]


def test_pytorchs_names_and_turned_matrices_tell_it_where_a_load_is_lenient():
    arrays = {"one.weight": TORCHS, "norm.weight": TORCHS[0], "norm.bias": TORCHS[0]}
    save_file(arrays, "norms.safetensors")
    store = SafetensorsStore.from_file("norms.safetensors").allow_partial(True)
    assert "one.weight: LayoutMismatch" in str(support.raises(LoadFailed, loaded, Mixed(), store))
    module = Mixed()
    result = module.load_from(store.validate(False))
    assert "one.weight" not in result.applied and module.one.weight.data is None
    save_file({"one.weight": TORCHS, "two.weight": np.zeros((3, 2), np.float32)}, "turned.safetensors")
    store = SafetensorsStore.from_file("turned.safetensors").allow_partial(True).validate(False)
    assert Mixed().load_from(store).applied == []


def test_matrices_that_are_not_square_are_believed_more_than_words():
    arrays = {"one.weight": TORCHS, "two.weight": np.zeros((2, 3), np.float32)}
    save_file(arrays, "burns.safetensors", {"layout": "pytorch"})
    store = SafetensorsStore.from_file("burns.safetensors").allow_partial(True)
    assert loaded(Mixed(), store) == TORCHS.tolist()


def test_a_safetensors_that_says_its_layout_is_converted_without_being_asked():
    save_file({"one.weight": TORCHS}, "silent.safetensors")
    support.raises(LoadFailed, burnstore.convert, "silent.safetensors", "x.bpk", Square())
    for key, word in (("layout", "pytorch"), ("format", "pt")):  # the latter is Hugging Face's
        save_file({"one.weight": TORCHS}, "says.safetensors", {key: word})
        burnstore.convert("says.safetensors", "y.bpk", Square(), overwrite=True)
        assert burnstore.load_file("y.bpk")["one.weight"].tolist() == [[0, 2], [1, 3]]
        burnstore.convert("says.safetensors", "z.bpk", overwrite=True)
        assert layout("z.bpk") == "pytorch"
