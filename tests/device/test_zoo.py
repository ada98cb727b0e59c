"""Files of Burn's and of PyTorch's become each other's, tensor by tensor the same bytes."""

from burnpack.adapters import (
    BurnToPyTorchAdapter,
    FloatCastAdapter,
    HalfPrecisionAdapter,
    PyTorchToBurnAdapter,
)
from burnpack.errors import LoadFailed
from burnpack.module import walk
from burnpack.reader import Reader
from burnpack.safetensors import Reader as SafetensorsReader
from burnpack.safetensors_store import SafetensorsStore
from burnpack.store import BurnpackStore
from kit import support
from kit.models.zoo import Odd, Zoo


def read(name):
    return support.read(support.data("rust/" + name))


def burnpack(name):
    return Reader.from_static(read(name))


def safetensors(name):
    return SafetensorsReader.from_static(read(name))


def loaded(store, model):
    result = model.load_from(store)
    assert (result.missing, result.unused, result.errors) == ([], [], [])
    return model


def zoo():
    return loaded(BurnpackStore.from_static(read("zoo.bpk")), Zoo())


def check_same(tensors, reader, ids=True):
    """Check that the tensors are those of a file that Burn wrote, each the same."""
    names = sorted([tensor.name for tensor in tensors])
    assert names == sorted(reader.names())
    for tensor in tensors:
        burns = reader.tensor(tensor.name)
        assert (tensor.dtype, tensor.shape) == (burns.dtype, burns.shape), tensor.name
        assert bytes(tensor.data()) == bytes(burns.data()), tensor.name
        assert not ids or tensor.param_id == burns.param_id, tensor.name


def test_pytorchs_checkpoint_becomes_what_burn_makes_of_it():
    store = SafetensorsStore.from_static(read("zoo.safetensors")).with_from_adapter(PyTorchToBurnAdapter())
    check_same(loaded(store, Zoo()).collect(), burnpack("zoo.bpk"), False)


def test_burns_checkpoint_becomes_pytorchs():
    tensors = zoo().collect(None, BurnToPyTorchAdapter())
    torchs = safetensors("zoo.safetensors")
    kept = [name for name in torchs.names() if not name.endswith("num_batches_tracked")]
    assert sorted([tensor.name for tensor in tensors]) == sorted(kept)
    for tensor in tensors:
        assert bytes(tensor.data()) == bytes(torchs.view(tensor.name)), tensor.name


def test_what_burn_wrote_through_its_adapters_comes_out_of_ours():
    for name, adapter in (
        ("zoo.bpk", None),
        ("zoo_half.bpk", HalfPrecisionAdapter()),
        ("zoo_bf16.bpk", FloatCastAdapter.to("BF16")),
    ):
        check_same(zoo().collect(None, adapter), burnpack(name))


def test_what_burn_halved_is_loaded_back_as_f32():
    store = BurnpackStore.from_static(read("zoo_half.bpk")).with_from_adapter(HalfPrecisionAdapter())
    model = loaded(store, Zoo())
    assert [param.dtype for _, _, param in walk(model)] == ["F32"] * 40
    check_same(model.collect(None, HalfPrecisionAdapter()), burnpack("zoo_half.bpk"))
    kept = loaded(BurnpackStore.from_static(read("zoo_half.bpk")), Zoo())
    assert sorted(set([param.dtype for _, _, param in walk(kept)])) == ["F16", "F32"]


def test_what_burn_saved_through_a_filter_comes_out_of_ours():
    store = BurnpackStore.from_bytes().with_full_path("lin.weight")
    store.with_predicate(lambda path, _: path.startswith("blocks.1.")).metadata("note", "filtered")
    zoo().save_into(store)
    check_same(store.get_all_tensors(), burnpack("zoo_filtered.bpk"))
    filtered = BurnpackStore.from_static(read("zoo_filtered.bpk"))
    result = Zoo().load_from(filtered.allow_partial(True))
    assert len(result.applied) == 5 and len(result.missing) == 35


def test_burns_safetensors_are_those_of_our_store():
    store = SafetensorsStore.from_bytes()
    zoo().save_into(store)
    check_same(store.get_all_tensors(), safetensors("zoo.burn.safetensors"))
    loaded(SafetensorsStore.from_static(read("zoo.burn.safetensors")), Zoo())


def test_burns_safetensors_for_pytorch_are_those_of_our_store_but_for_prelu():
    store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter())
    zoo().save_into(store)
    # Burn leaves this name to a rename by hand; PyTorch knows it as ours has it.
    tensors = [
        tensor.renamed("prelu.alpha") if tensor.name == "prelu.weight" else tensor
        for tensor in store.get_all_tensors()
    ]
    check_same(tensors, safetensors("zoo.torch.safetensors"))
    written = SafetensorsStore.from_static(read("zoo.torch.safetensors"))
    check_same(
        loaded(written.with_from_adapter(PyTorchToBurnAdapter()), Zoo()).collect(),
        burnpack("zoo.bpk"),
        False,
    )


def test_a_checkpoint_without_its_adapter_is_refused_and_changes_nothing():
    for name in ("zoo.safetensors", "zoo.torch.safetensors"):
        model = Zoo()
        error = support.raises(LoadFailed, model.load_from, SafetensorsStore.from_static(read(name)))
        assert "with_from_adapter(PyTorchToBurnAdapter())" in str(error)
        assert [param for _, _, param in walk(model) if param.data is not None] == []


def test_enums_options_tuples_arrays_integers_and_truths_are_as_burn_has_them():
    model = loaded(BurnpackStore.from_static(read("odd.bpk")), Odd())
    assert (model.ids.dtype, model.mask.dtype) == ("I32", "Bool")
    check_same(model.collect(), burnpack("odd.bpk"))
    again = loaded(SafetensorsStore.from_static(read("odd.safetensors")), Odd())
    check_same(again.collect(), burnpack("odd.bpk"), False)


def test_no_weight_is_copied_on_the_way_from_the_file():
    buffer = bytearray(read("zoo.bpk"))
    model = loaded(BurnpackStore.from_static(buffer), Zoo())
    start, _ = Reader.from_static(buffer).span("conv1.bias")
    buffer[start] ^= 0xFF
    assert model.conv1.bias.data[0] == buffer[start]
