"""Files that Burn wrote, out of our stores byte for byte, from classes that a user would write."""

from pathlib import Path

import pytest

from burnpack.module import walk
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    FloatCastAdapter,
    HalfPrecisionAdapter,
    PytorchStore,
    PyTorchToBurnAdapter,
    SafetensorsStore,
    open_model,
)
from kit import support
from kit.models.zoo import Odd, Seq, Zoo


def rust(name):
    return Path(support.data("rust/" + name))


def from_burn(model, name):
    with BurnpackStore.from_file(rust(name)) as store:
        model.load_from(store)
    return model


def as_burn_saves(model, store, name):
    """Return the bytes of a model that is saved with the metadata of Burn's file, in their order."""
    store.clear_metadata()
    with open_model(rust(name)) as opened:
        for key, text in opened.reader.metadata():
            store.metadata(key, text)
    model.save_into(store)
    return store.get_bytes()


@pytest.mark.parametrize(("model", "name"), [(Zoo, "zoo"), (Seq, "seq")])
def test_a_pytorch_checkpoint_becomes_burns_file(tmp_path, model, name):
    made = model()
    with PytorchStore.from_file(rust(name + ".pt")) as store:
        result = made.load_from(store)
    assert (result.missing, result.unused, result.errors) == ([], [], [])
    with open_model(rust(name + ".bpk")) as burns:
        for path, _, param in walk(made):
            param.param_id = burns.tensor(path).param_id  # Burn drew these when it converted
    saved = (
        BurnpackStore.from_file(tmp_path / "out").metadata("producer", "burn").metadata("version", "0.22.1")
    )
    made.save_into(saved)
    assert (tmp_path / "out.bpk").read_bytes() == rust(name + ".bpk").read_bytes()


@pytest.mark.parametrize(
    ("model", "source", "name", "adapter"),
    [
        (Zoo, "zoo.bpk", "zoo.bpk", None),
        (Zoo, "zoo.bpk", "zoo_half.bpk", HalfPrecisionAdapter()),
        (Zoo, "zoo.bpk", "zoo_bf16.bpk", FloatCastAdapter.to("BF16")),
        (Odd, "odd.bpk", "odd.bpk", None),
        (Zoo, "zoo.bpk", "zoo.burn.safetensors", None),
        (Zoo, "zoo.bpk", "zoo.torch.safetensors", BurnToPyTorchAdapter()),
        (Odd, "odd.bpk", "odd.safetensors", None),
    ],
)
def test_burns_file_comes_out_byte_for_byte(model, source, name, adapter):
    store = (BurnpackStore if name.endswith(".bpk") else SafetensorsStore).from_bytes()
    if adapter is not None:
        store.with_to_adapter(adapter)
    store.with_key_remapping(r"^prelu\.weight$", "prelu.alpha")  # Burn's adapter leaves PRelu out
    assert as_burn_saves(from_burn(model(), source), store, name) == rust(name).read_bytes()


def test_burns_filtered_file_comes_out_byte_for_byte():
    store = BurnpackStore.from_bytes().with_regex(r"^blocks\.1\.").with_full_path("lin.weight")
    name = "zoo_filtered.bpk"
    assert as_burn_saves(from_burn(Zoo(), "zoo.bpk"), store, name) == rust(name).read_bytes()


@pytest.mark.parametrize(
    ("name", "adapter"),
    [
        ("zoo.burn.safetensors", None),
        ("zoo.torch.safetensors", PyTorchToBurnAdapter()),
        ("zoo.safetensors", PyTorchToBurnAdapter()),
    ],
)
def test_a_safetensors_of_either_layout_loads_as_burns_own(name, adapter):
    expected, model = from_burn(Zoo(), "zoo.bpk"), Zoo()
    with SafetensorsStore.from_file(rust(name)) as store:
        model.load_from(store if adapter is None else store.with_from_adapter(adapter))
    pairs = zip(walk(expected), walk(model), strict=True)
    assert all(bytes(one[2].data) == bytes(other[2].data) for one, other in pairs)


def test_half_a_model_loads_back_into_whole_floats():
    expected, model = from_burn(Zoo(), "zoo.bpk"), Zoo()
    with BurnpackStore.from_file(rust("zoo_half.bpk")) as store:
        model.load_from(store.with_from_adapter(HalfPrecisionAdapter()))
    for one, other in zip(walk(expected), walk(model), strict=True):
        assert other[2].dtype == one[2].dtype and len(other[2].data) == len(one[2].data)
