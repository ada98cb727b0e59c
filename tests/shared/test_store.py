"""The store in memory: a module saved and loaded, all of it or nothing."""

import gc

from burnpack.adapters import BurnToPyTorchAdapter, PyTorchToBurnAdapter
from burnpack.compat import ON_BOARD
from burnpack.errors import (
    BurnpackError,
    InvalidTensor,
    LimitExceeded,
    LoadFailed,
    Malformed,
    NotFound,
    SaveFailed,
    Truncated,
)
from burnpack.filter import PathFilter
from burnpack.limits import Limits
from burnpack.module import Module, Param
from burnpack.reader import Reader
from burnpack.store import BurnpackStore
from burnpack.tensor import Tensor
from burnpack.version import VERSION
from burnpack.writer import Writer
from kit import support
from kit.models.small_models import NET, BatchNorm, Linear, Net, filled, params_of, state_of


def saved(module, store=None):
    """Return the bytes that a store makes of a module."""
    store = store or BurnpackStore.from_bytes()
    module.save_into(store)
    return store.get_bytes()


def identified(module):
    for number, path in enumerate(sorted(params_of(module))):
        params_of(module)[path].param_id = (1 << 64) - 1 - number
    return module


def test_what_was_saved_is_loaded():
    module = identified(filled(Net()))
    data = saved(module)
    other = Net()
    result = other.load_from(BurnpackStore.from_bytes(data))
    assert state_of(other) == state_of(module)
    assert sorted(result.applied) == sorted(NET) and result.is_success()


def test_a_saved_file_says_who_made_it():
    reader = Reader.from_bytes(saved(filled(Net())))
    assert reader.metadata() == [("format", "burnpack"), ("producer", "burnstore"), ("version", VERSION)]
    assert reader.scalars() == [] and reader.dialect == "0.22"


def test_metadata_and_scalars_can_be_set_replaced_and_cleared():
    store = BurnpackStore.from_bytes().metadata("note", "a").metadata("note", "b").scalar("step", 1)
    reader = Reader.from_bytes(saved(filled(Net()), store.scalar("step", ("UInt", 2)).scalar("rate", 0.5)))
    assert dict(reader.metadata())["note"] == "b" and len(reader.metadata()) == 4
    assert reader.scalars() == [("rate", ("Float", 0.5)), ("step", ("UInt", 2))]
    bare = Reader.from_bytes(
        saved(filled(Net()), BurnpackStore.from_bytes().metadata("a", "b").clear_metadata())
    )
    assert bare.metadata() == []
    support.raises(Malformed, saved, filled(Net()), BurnpackStore.from_bytes().scalar("step", "no"))


def test_ids_are_those_of_the_file_and_may_be_absent():
    data = saved(identified(filled(Net())))
    module = Net()
    module.load_from(BurnpackStore.from_bytes(data))
    assert [param.param_id for param in params_of(module).values()].count(None) == 0
    assert params_of(module)[sorted(NET)[0]].param_id == (1 << 64) - 1
    unidentified = saved(filled(Net()))
    module.load_from(BurnpackStore.from_bytes(unidentified))
    assert params_of(module)[sorted(NET)[0]].param_id == (1 << 64) - 1
    fresh = Net()
    fresh.load_from(BurnpackStore.from_bytes(unidentified))
    assert [param.param_id for param in params_of(fresh).values()] == [None] * len(NET)


def broken_tensors():
    """Return (what is wrong, tensors for a `Net`, error class, words): the last tensor alone is at fault."""
    good = filled(Net(), 50).collect()
    rest = [tensor for tensor in good if tensor.name != "steps"]
    return (
        ("another shape", rest + [Tensor("steps", "I64", (1,), bytes(8))], "ShapeMismatch"),
        ("another kind", rest + [Tensor("steps", "F64", (), bytes(8))], "KindMismatch"),
        ("missing", rest, "parameters are missing"),
    )


def test_a_strict_load_that_fails_leaves_the_module_as_it_was():
    for what, tensors, words in broken_tensors():
        module = identified(filled(Net()))
        before = state_of(module)
        store = BurnpackStore.from_bytes(Writer(tensors).to_bytes())
        error = support.raises(LoadFailed, module.load_from, store)
        assert words in str(error) and "steps" in str(error), (what, str(error))
        assert state_of(module) == before, what


def test_a_load_whose_bytes_can_not_be_had_leaves_the_module_as_it_was():
    class Ending:
        def __init__(self, data):
            self.data, self.at, self.whole = data, 0, True

        def seek(self, offset, whence=0):
            self.at = offset + (len(self.data) if whence == 2 else 0)
            return self.at

        def readinto(self, buffer):
            part = self.data[self.at : self.at + len(buffer)] if self.whole else b""
            buffer[: len(part)] = part
            self.at += len(part)
            return len(part)

    module = filled(Net())
    before = state_of(module)
    file = Ending(saved(filled(Net(), 50)))
    store = BurnpackStore()
    store._reader = Reader.from_stream(file, None, "a.bpk")
    file.whole = False
    error = support.raises(LoadFailed, module.load_from, store)
    assert "LoadError" in str(error) and "a.bpk" in str(error) and "ends early" in str(error)
    assert state_of(module) == before


def test_a_partial_load_takes_what_there_is():
    _, tensors, _ = broken_tensors()[2]
    module = filled(Net())
    result = module.load_from(BurnpackStore.from_bytes(Writer(tensors).to_bytes()).allow_partial(True))
    assert [path for path, _ in result.missing] == ["steps"] and len(result.applied) == 6
    assert bytes(module.fc.bias.data) != bytes(12) and bytes(module.steps.data) == bytes((7,)) * 8


def test_without_validation_what_does_not_fit_stays_as_it_was():
    for _, tensors, words in broken_tensors()[:2]:
        module = filled(Net())
        result = module.load_from(BurnpackStore.from_bytes(Writer(tensors).to_bytes()).validate(False))
        assert result.errors[0][0] == words and len(result.applied) == 6
        assert bytes(module.steps.data) == bytes((7,)) * 8


def test_tensors_that_are_not_used_do_not_stop_a_load():
    tensors = filled(Net(), 50).collect() + [Tensor("more", "U8", (1,), b"\1")]
    result = Net().load_from(BurnpackStore.from_bytes(Writer(tensors).to_bytes()))
    assert result.unused == ["more"]


def test_the_stored_dtype_is_kept():
    module = Module()
    module.x = Param((2,), "F32")
    module.load_from(BurnpackStore.from_bytes(Writer([Tensor("x", "F16", (2,), b"\0\x3c\0\xc0")]).to_bytes()))
    assert module.x.dtype == "F16" and bytes(module.x.data) == b"\0\x3c\0\xc0"
    wide = Module()
    wide.n = Param((1,), "I32")
    wide.load_from(BurnpackStore.from_bytes(Writer([Tensor("n", "I64", (1,), b"\1" * 8)]).to_bytes()))
    assert wide.n.dtype == "I64" and len(wide.n.data) == 8


def test_filters_choose_what_is_saved_and_what_is_loaded():
    data = saved(
        filled(Net()), BurnpackStore.from_bytes().with_full_path("fc.bias").with_predicate(in_batch_norm)
    )
    assert Reader.from_bytes(data).names() == sorted(
        [path for path in NET if path not in ("fc.weight", "steps")]
    )
    module = filled(Net(), 50)
    only = BurnpackStore.from_bytes(saved(filled(Net()))).filter(PathFilter().with_full_path("fc.bias"))
    result = module.load_from(only)
    assert result.applied == ["fc.bias"] and len(result.skipped) == 6 and result.missing == []


def in_batch_norm(path, container_path):
    return container_path.endswith("Struct:BatchNorm")


def test_adapters_turn_what_is_saved_and_what_is_loaded():
    module = filled(Net())
    module.fc.weight.data = bytes(range(24))
    torchs = saved(module, BurnpackStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter()))
    reader = Reader.from_bytes(torchs)
    assert "blocks.0.weight" in reader and "blocks.1.bias" in reader and "blocks.0.gamma" not in reader
    assert reader.tensor("fc.weight").shape == (3, 2)
    again = Net()
    again.load_from(BurnpackStore.from_bytes(torchs).with_from_adapter(PyTorchToBurnAdapter()))
    assert state_of(again) == state_of(module)
    error = support.raises(LoadFailed, Net().load_from, BurnpackStore.from_bytes(torchs))
    assert "PyTorchToBurnAdapter" in str(error)


def test_a_store_lists_every_tensor_whatever_the_filter_says():
    data = saved(filled(Net()))
    store = BurnpackStore.from_bytes(data).with_full_path("steps")
    assert store.keys() == sorted(NET)
    assert [tensor.name for tensor in store.get_all_tensors()] == sorted(NET)
    assert bytes(store.get_tensor("fc.bias").data()) == bytes(params_of(filled(Net()))["fc.bias"].data)
    support.raises(NotFound, store.get_tensor, "fc.scale")


def test_a_store_hands_out_the_container_with_its_metadata_and_scalars():
    store = BurnpackStore.from_bytes().metadata("note", "a").scalar("step", 1)
    container = BurnpackStore.from_static(saved(filled(Net()), store)).container()
    assert ("note", "a") in container.metadata() and container.scalars() == [("step", ("Int", 1))]


def test_a_store_that_was_saved_into_can_be_loaded_from():
    module = filled(Net())
    store = BurnpackStore.from_bytes()
    module.save_into(store)
    other = Net()
    other.load_from(store)
    assert state_of(other) == state_of(module) and store.keys() == sorted(NET)


def test_a_module_without_data_is_not_saved():
    module = filled(Net())
    module.fc.bias.data = None
    error = support.raises(InvalidTensor, module.save_into, BurnpackStore.from_bytes())
    assert str(error) == "fc.bias: the parameter has no data yet"
    module.fc.bias.data = bytes(11)
    error = support.raises(InvalidTensor, module.save_into, BurnpackStore.from_bytes())
    assert str(error).startswith("fc.bias: the bytes do not match F32 [3]")


def test_a_store_with_nothing_in_it_says_so():
    empty = BurnpackStore.from_bytes()
    for read in (
        empty.keys,
        empty.get_all_tensors,
        lambda: empty.get_tensor("x"),
        lambda: Net().load_from(empty),
    ):
        support.raises(LoadFailed, read)
    support.raises(SaveFailed, empty.get_bytes)


def test_a_damaged_container_is_refused_when_the_store_is_made():
    data = saved(filled(Net()))
    for build in (BurnpackStore.from_bytes, BurnpackStore.from_static):
        support.raises(Truncated, build, data[:-1])
        support.raises(LimitExceeded, build, data, Limits(tensors=1))
        support.raises(BurnpackError, build, b"no model")


def test_a_static_blob_is_sliced_and_kept_alive():
    buffer = bytearray(saved(filled(Net())))
    module = Net()
    module.load_from(BurnpackStore.from_static(buffer))
    start, _ = Reader.from_static(buffer).span("fc.bias")
    buffer[start] = 99
    assert module.fc.bias.data[0] == 99
    data = saved(filled(Net()))
    kept = Net()
    kept.load_from(BurnpackStore.from_static(data))
    del data
    gc.collect()
    [bytearray(100) for _ in range(50)]
    assert state_of(kept) == state_of(filled(Net()))


def test_loading_a_static_blob_takes_no_heap_for_weights():
    if not ON_BOARD:
        support.skip("only MicroPython tells how much of its heap is in use")
    module = Module()
    module.fc = Linear(weight=(128, 256), bias=(256,))
    module.norm = BatchNorm(gamma=(256,), beta=(256,))
    data = saved(filled(module))
    fresh = Module()
    fresh.fc = Linear(weight=(128, 256), bias=(256,))
    fresh.norm = BatchNorm(gamma=(256,), beta=(256,))
    fresh.load_from(BurnpackStore.from_static(data))  # imports all that loading imports
    gc.disable()
    try:
        before = gc.mem_alloc()
        fresh.load_from(BurnpackStore.from_static(data))
        taken = gc.mem_alloc() - before
    finally:
        gc.enable()
    assert len(data) > 131072 and taken < 65536, taken  # garbage counts here as well


def test_tied_parameters_are_saved_under_both_names_and_loaded_into_both():
    def tied():
        module = Module()
        shared = Param((2,))
        module.layers = [Linear(weight=shared), Linear(weight=shared)]
        return module, shared

    module, shared = tied()
    shared.data = b"\1" * 8
    data = saved(module)
    assert Reader.from_bytes(data).names() == ["layers.0.weight", "layers.1.weight"]
    other, found = tied()
    other.load_from(BurnpackStore.from_bytes(data))
    assert bytes(found.data) == b"\1" * 8


def test_every_option_returns_the_store():
    store = BurnpackStore.from_bytes()
    for same in (
        store.metadata("a", "b"),
        store.clear_metadata(),
        store.scalar("a", 1),
        store.allow_partial(True),
        store.validate(False),
        store.with_from_adapter(None),
        store.with_to_adapter(None),
        store.filter(PathFilter()),
        store.with_full_path("a"),
        store.with_predicate(in_batch_norm),
    ):
        assert same is store
