"""The SafeTensors store in memory: as the one for Burnpack, in the other format."""

from burnpack.adapters import BurnToPyTorchAdapter, PyTorchToBurnAdapter
from burnpack.errors import BurnpackError, LoadFailed, NotFound, SaveFailed, Unsupported
from burnpack.filter import PathFilter
from burnpack.module import Module, Param
from burnpack.qfloat import QFloat
from burnpack.safetensors import Reader
from burnpack.safetensors_store import SafetensorsStore
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from burnpack.version import VERSION
from kit import support
from kit.models.small_models import NET, Net, filled, state_of


def saved(module, store=None):
    store = store or SafetensorsStore.from_bytes()
    module.save_into(store)
    return store.get_bytes()


def test_what_was_saved_is_loaded():
    module = filled(Net())
    data = saved(module)
    for store in (SafetensorsStore.from_bytes(data), SafetensorsStore.from_static(data)):
        other = Net()
        result = other.load_from(store)
        assert state_of(other) == state_of(module) and sorted(result.applied) == sorted(NET)


def test_a_saved_file_says_who_made_it():
    reader = Reader.from_bytes(saved(filled(Net())))
    assert sorted(reader.metadata()) == [
        ("format", "safetensors"),
        ("producer", "burnstore"),
        ("version", VERSION),
    ]
    store = SafetensorsStore.from_bytes().clear_metadata().metadata("note", "a").metadata("note", "b")
    assert Reader.from_bytes(saved(filled(Net()), store)).metadata() == [("note", "b")]


def test_ids_are_lost_and_the_modules_own_stay():
    module = filled(Net())
    module.fc.weight.param_id = 5
    data = saved(module)
    other = Net()
    other.fc.weight.param_id = 7
    other.load_from(SafetensorsStore.from_bytes(data))
    assert other.fc.weight.param_id == 7 and other.fc.bias.param_id is None


def test_every_kind_of_parameter_comes_back():
    module = Module()
    module.count = Param((), "I64", b"\2" + bytes(7))
    module.mask = Param((4,), "Bool", b"\1\0\0\1")
    module.wide_mask = Param((2,), "Bool(U32)", b"\1\0\0\0\0\0\0\0")
    module.half = Param((2,), "F16", b"\0\x3c\0\0")
    module.flex = Param((1,), "Flex32", bytes(4))
    data = saved(module)
    other = Module()
    other.count, other.half, other.flex = Param((), "I64"), Param((2,)), Param((1,))
    other.mask, other.wide_mask = Param((4,), "Bool"), Param((2,), "Bool(U32)")
    other.load_from(SafetensorsStore.from_bytes(data))
    assert (other.count.dtype, bytes(other.count.data)) == ("I64", b"\2" + bytes(7))
    assert (other.mask.dtype, bytes(other.mask.data)) == ("Bool", b"\1\0\0\1")
    assert (other.wide_mask.dtype, bytes(other.wide_mask.data)) == ("Bool", b"\1\0")
    assert (other.half.dtype, other.flex.dtype) == ("F16", "F32")


def test_a_quantized_parameter_can_not_be_saved():
    module = Module()
    module.q = Param((4,), QFloat(), bytes(8))
    store = SafetensorsStore.from_bytes()
    error = support.raises(Unsupported, module.save_into, store)
    assert error.item == "q"
    support.raises(SaveFailed, store.get_bytes)


def test_a_strict_load_that_fails_leaves_the_module_as_it_was():
    good = filled(Net(), 50).collect()
    rest = [tensor for tensor in good if tensor.name != "steps"]
    for tensors, words in (
        (rest, "parameters are missing"),
        (rest + [Tensor("steps", "F32", (), bytes(4))], "KindMismatch"),
        (rest + [Tensor("steps", "I64", (1,), bytes(8))], "ShapeMismatch"),
    ):
        module = filled(Net())
        before = state_of(module)
        store = SafetensorsStore.from_bytes(Writer(tensors).to_bytes())
        error = support.raises(LoadFailed, module.load_from, store)
        assert words in str(error) and "steps" in str(error) and state_of(module) == before
    result = module.load_from(SafetensorsStore.from_bytes(Writer(rest).to_bytes()).allow_partial(True))
    assert [path for path, _ in result.missing] == ["steps"] and len(result.applied) == 6


def test_a_load_that_can_not_succeed_reads_nothing():
    asked = []

    class Opened(Reader):
        def tensor(self, name):
            found = super().tensor(name)
            return Tensor(name, found.dtype, found.shape, lambda: asked.append(name), None, found.nbytes)

    class Store(SafetensorsStore):
        _reader_class = Opened

    rest = [tensor for tensor in filled(Net()).collect() if tensor.name != "steps"]
    support.raises(LoadFailed, Net().load_from, Store.from_bytes(Writer(rest).to_bytes()))
    assert asked == []


def test_filters_and_adapters_work_on_both_ways():
    module = filled(Net())
    module.fc.weight.data = bytes(range(24))
    store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter())
    data = saved(module, store.with_full_paths(["fc.weight", "blocks.0.gamma"]))
    assert store.keys() == ["blocks.0.weight", "fc.weight"]
    assert store.get_tensor("fc.weight").shape == (3, 2)
    other = Net()
    loading = SafetensorsStore.from_bytes(data).with_from_adapter(PyTorchToBurnAdapter())
    result = other.load_from(loading.filter(PathFilter().with_full_path("fc.weight")))
    assert result.applied == ["fc.weight"] and len(result.skipped) == 6
    assert bytes(other.fc.weight.data) == bytes(range(24))


def test_a_store_lists_every_tensor_whatever_the_filter_says():
    store = SafetensorsStore.from_bytes(saved(filled(Net()))).with_full_path("steps")
    assert store.keys() == sorted(NET)
    assert [tensor.name for tensor in store.get_all_tensors()] == sorted(NET)
    support.raises(NotFound, store.get_tensor, "fc.scale")


def test_a_static_blob_is_sliced():
    buffer = bytearray(saved(filled(Net())))
    module = Net()
    module.load_from(SafetensorsStore.from_static(buffer))
    start, _ = Reader.from_static(buffer).span("fc.bias")
    buffer[start] = 99
    assert module.fc.bias.data[0] == 99


def test_a_store_with_nothing_or_nonsense_in_it_says_so():
    empty = SafetensorsStore.from_bytes()
    support.raises(LoadFailed, empty.keys)
    support.raises(LoadFailed, Net().load_from, empty)
    for data in (b"", b"no model", saved(filled(Net()))[:-1]):
        support.raises(BurnpackError, SafetensorsStore.from_bytes, data)


def test_every_option_returns_the_store():
    store = SafetensorsStore.from_bytes()
    for same in (
        store.skip_enum_variants(True),
        store.alias_tied(True),
        store.metadata("a", "b"),
        store.allow_partial(True),
        store.validate(False),
        store.match_all(),
    ):
        assert same is store
