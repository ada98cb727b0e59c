"""Adapters follow from the two layouts, and each is applied once; what `convert` casts needs no module."""

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import burnstore
from burnpack.errors import BurnpackError, Unsupported
from burnpack.qfloat import QFloat
from burnrt import nn
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    PytorchStore,
    PyTorchToBurnAdapter,
    SafetensorsStore,
)
from burnstore.numerics import adapters as portable
from burnstore.pipeline.options import Options
from kit import support
from kit.pytorch import pickles

SOURCES = {"pytorch": "net.pt", "safetensors": "torch.safetensors", "burnpack": "net.bpk"}
TARGETS = ("out.bpk", "out.safetensors")


class Net(nn.Module):
    def __init__(self):
        self.first = nn.Linear(3, 5)
        self.norm = nn.LayerNorm(5)
        self.last = nn.Linear(5, 2)


TORCH = {
    "first.weight": np.arange(15, dtype="f4").reshape(5, 3),
    "first.bias": np.arange(5, dtype="f4"),
    "norm.weight": np.ones(5, "f4"),
    "norm.bias": np.zeros(5, "f4"),
    "last.weight": np.arange(10, dtype="f4").reshape(2, 5),
    "last.bias": np.arange(2, dtype="f4"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder with one model in each format, as each format lays it out."""
    monkeypatch.chdir(tmp_path)
    save_file(TORCH, "torch.safetensors")
    burnstore.convert("torch.safetensors", "net.bpk", module=Net)
    (tmp_path / "net.pt").write_bytes(pickles.of_arrays(TORCH))
    return tmp_path


@pytest.fixture
def transposes(monkeypatch):
    """Return a list that grows with each matrix that is transposed."""
    made = []
    plain = portable._transposed

    def counted(data, rows, columns, size):
        made.append((rows, columns))
        return plain(data, rows, columns, size)

    for adapter in (PyTorchToBurnAdapter, BurnToPyTorchAdapter):
        monkeypatch.setattr(adapter, "transpose", staticmethod(counted))
    return made


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_a_matrix_is_transposed_only_where_the_layouts_differ(folder, transposes, source, target):
    burnstore.convert(SOURCES[source], target, module=Net, overwrite=True)
    same = (source == "burnpack") == target.endswith(".bpk")
    assert len(transposes) == (0 if same else 2)
    if target == "out.safetensors":
        found = load_file(target)
        assert sorted(found) == sorted(TORCH)
        assert all((found[name] == TORCH[name]).all() for name in TORCH)
    else:
        assert (burnstore.load_file(target)["last.weight"] == TORCH["last.weight"].T).all()


@pytest.mark.parametrize("cast", [{"half": True}, {"cast": "F16"}])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_cast_on_the_way_is_cast_in_every_layout(folder, source, target, cast):
    burnstore.convert(SOURCES[source], target, module=Net, **cast)
    assert {array.dtype for array in burnstore.load_file(target).values()} == {np.dtype("f2")}


class Square(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 3, bias=False)


SQUARE = np.arange(9, dtype="f4").reshape(3, 3)


@pytest.mark.parametrize(
    "adapter",
    [
        None,
        PyTorchToBurnAdapter(),
        PyTorchToBurnAdapter().chain(burnstore.FloatCastAdapter.to("F32")),
        burnstore.IdentityAdapter().chain(PyTorchToBurnAdapter()),
    ],
)
def test_the_adapter_that_a_format_brings_is_never_applied_twice(adapter):
    store = PytorchStore.from_bytes(pickles.of_arrays({"fc.weight": SQUARE}))
    model = Square()
    model.load_from(store if adapter is None else store.with_from_adapter(adapter))
    assert (np.frombuffer(model.fc.weight.data, "f4").reshape(3, 3) == SQUARE.T).all()


class Attending(nn.Module):
    def __init__(self):
        self.mix = nn.MultiHeadAttention(4, 2)


def test_stacked_weights_stay_stacked_where_the_layout_stays(folder, transposes):
    names = {
        "in_proj_weight": (12, 4),
        "in_proj_bias": (12,),
        "out_proj.weight": (4, 4),
        "out_proj.bias": (4,),
    }
    random = np.random.default_rng(0)
    given = {"mix." + name: random.random(shape, "f4") for name, shape in names.items()}
    save_file(given, "mix.safetensors")
    burnstore.convert("mix.safetensors", "same.safetensors", module=Attending)
    assert transposes == []
    burnstore.convert("mix.safetensors", "mix.bpk", module=Attending)
    burnstore.convert("mix.bpk", "back.safetensors", module=Attending)
    for name in ("same.safetensors", "back.safetensors"):
        found = load_file(name)
        assert sorted(found) == sorted(given)
        assert all((found[key] == given[key]).all() for key in given)


def test_half_without_a_module_leaves_batch_norms_and_free_parameters(folder):
    arrays = {
        "conv.weight": np.ones((2, 1, 3, 3), "f4"),
        "bn.weight": np.ones(2, "f4"),
        "bn.running_mean": np.ones(2, "f4"),
        "bn.running_var": np.ones(2, "f4"),
        "position": np.ones((4, 2), "f4"),
    }
    burnstore.save_file(arrays, "a.safetensors")
    notes = burnstore.convert("a.safetensors", "a.bpk", half=True).notes
    halved = [name for name, array in burnstore.load_file("a.bpk").items() if array.dtype == np.dtype("f2")]
    assert halved == ["conv.weight"]
    assert any("1 of 5 tensors are converted" in note for note in notes)


def test_a_cast_decodes_narrow_floats(folder):
    narrow = np.arange(4).astype(ml_dtypes.float8_e4m3fn)
    burnstore.save_file({"w": narrow}, "narrow.safetensors")
    burnstore.convert("narrow.safetensors", "wide.bpk", cast="F32")
    assert burnstore.load_file("wide.bpk")["w"].tolist() == [0, 1, 2, 3]


def test_a_cast_decodes_quantized_tensors(folder):
    scheme = QFloat("Q8S", "Native", "Symmetric", "F32")
    data = bytes([1, 2, 0xFF, 4]) + np.float32(0.5).tobytes()
    burnstore.save_file({"w": burnstore.Tensor("w", scheme, (2, 2), data)}, "q.bpk")
    burnstore.convert("q.bpk", "plain.safetensors", cast="F32")
    assert load_file("plain.safetensors")["w"].tolist() == [[0.5, 1], [-0.5, 2]]


@pytest.mark.parametrize("asked", [{"cast": "F16"}, {"half": True}])
def test_saturate_makes_too_large_numbers_the_largest(folder, asked):
    burnstore.save_file({"fc.weight": np.full((1, 2), 1e6, "f4")}, "big.safetensors")
    support.raises(BurnpackError, lambda: burnstore.convert("big.safetensors", "big.bpk", **asked))
    burnstore.convert("big.safetensors", "big.bpk", saturate=True, **asked)
    assert burnstore.load_file("big.bpk")["fc.weight"].tolist() == [[65504, 65504]]


def test_several_files_are_written_whole_and_read_as_one(folder):
    plan = burnstore.convert("net.pt", "parts.safetensors", shard_size=64)
    assert len(list(folder.glob("parts-*.safetensors"))) == 3
    assert not plan.target.exists()
    found = burnstore.load_file("parts.safetensors.index.json")
    assert all((found[name] == TORCH[name]).all() for name in TORCH)
    support.raises(Unsupported, lambda: burnstore.convert("net.pt", "parts.bpk", shard_size=64))


def test_a_store_is_a_way_to_say_options():
    store = BurnpackStore.from_bytes().with_regex("a").allow_partial(True).metadata("k", "v").scalar("n", 1)
    options = store._options
    assert isinstance(options, Options)
    assert options.allow_partial and dict(options.metadata)["k"] == "v" and options.scalars == (("n", 1),)
    assert options.filter.matches("a", ()) and not options.filter.matches("b", ())
    assert SafetensorsStore.from_bytes()._options.shard_size is None
