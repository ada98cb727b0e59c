"""The stores' options, one by one, on files and in memory."""

import subprocess
import sys

import pytest

import burnstore
from burnpack.adapters import ModuleAdapter
from burnpack.errors import (
    BurnpackError,
    InvalidTensor,
    LoadFailed,
    Malformed,
    SaveFailed,
    UnknownFormat,
)
from burnpack.filter import PathFilter as PortableFilter
from burnpack.limits import Limits
from burnpack.module import Module
from burnpack.store import BurnpackStore as PortableStore
from burnpack.tensor import Tensor
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    FloatCastAdapter,
    KeyRemapper,
    PathFilter,
    PytorchStore,
    PyTorchToBurnAdapter,
    SafetensorsStore,
    open_model,
)
from burnstore.io import opened as opened_module
from burnstore.pytorch.torch_modules import is_torch_class
from kit import support
from kit.models.small_models import NET, Linear, Net, filled, state_of

WRITABLE = {"burnpack": (BurnpackStore, "net.bpk"), "safetensors": (SafetensorsStore, "net.safetensors")}


@pytest.fixture(params=WRITABLE)
def place(request, tmp_path):
    """Return a function that makes a store of one of the formats that can be written, always of one file."""
    store_class, name = WRITABLE[request.param]
    return lambda: store_class.from_file(tmp_path / name)


def test_what_was_saved_into_a_file_is_loaded_from_it(place):
    filled(Net()).save_into(place())
    other = Net()
    with place() as store:
        result = other.load_from(store)
        assert sorted(result.applied) == sorted(NET)
    assert [bytes(row[4]) for row in state_of(other)] == [bytes(row[4]) for row in state_of(filled(Net()))]


def test_every_option_returns_the_store():
    nothing, remapper = PathFilter(), KeyRemapper()
    for store_class in (BurnpackStore, SafetensorsStore, PytorchStore):
        store = store_class.from_file("nowhere")
        chained = (
            store.allow_partial(True)
            .validate(False)
            .with_regex("a")
            .with_regexes(["a"])
            .with_full_path("a")
            .with_full_paths(["a"])
            .with_predicate(lambda path, within: True)
            .with_predicates([])
            .match_all()
            .filter(nothing)
            .with_key_remapping("a", "b")
            .remap(remapper)
            .strip_prefixes()
        )
        assert chained is store
    for store in (SafetensorsStore.from_file("nowhere"), PytorchStore.from_file("nowhere")):
        assert store.map_indices_contiguous(True).skip_enum_variants(True) is store
    for store in (BurnpackStore.from_file("nowhere"), SafetensorsStore.from_file("nowhere")):
        assert store.overwrite(True).metadata("a", "b").clear_metadata().alias_tied(True) is store
        assert store.with_from_adapter(FloatCastAdapter.to("F32")).with_to_adapter(None) is store
    assert BurnpackStore.from_file("a").auto_extension(False).scalar("a", 1)
    assert SafetensorsStore.from_file("a").max_shard_size(5)
    assert PytorchStore.from_file("a").with_top_level_key("a")


def test_nothing_is_opened_before_it_is_needed_and_parsed_once(place, monkeypatch):
    filled(Net()).save_into(place())
    parsed = []
    real = opened_module._open
    monkeypatch.setattr(opened_module, "_open", lambda *arguments: parsed.append(1) or real(*arguments))
    store = place()
    assert parsed == []
    store.keys(), store.get_tensor("steps"), store.get_all_tensors(), Net().load_from(store)
    store.with_key_remapping("a", "a").keys()
    assert parsed == [1]
    store.close()
    assert store.keys() and parsed == [1, 1]
    store.close()


def test_parameters_outlive_the_store(place):
    filled(Net()).save_into(place())
    model = Net()
    with place() as store:
        model.load_from(store)
    assert bytes(model.steps.data) == bytes(filled(Net()).steps.data)


def test_a_file_that_is_not_there_is_the_systems_error(place):
    support.raises(FileNotFoundError, place().keys)


@pytest.mark.parametrize("store_class", [BurnpackStore, SafetensorsStore, PytorchStore])
def test_a_file_of_another_format_is_told_with_the_store_that_loads_it(tmp_path, store_class):
    filled(Net()).save_into(BurnpackStore.from_file(tmp_path / "a.bin").auto_extension(False))
    filled(Net()).save_into(SafetensorsStore.from_file(tmp_path / "b.bin"))
    others = {"a.bin": "BurnpackStore loads it", "b.bin": "SafetensorsStore loads it"}
    for name, words in others.items():
        if words.startswith(store_class.__name__):
            continue
        error = support.raises(UnknownFormat, store_class.from_file(tmp_path / name).keys)
        assert words in str(error) and str(tmp_path / name) in str(error)


def test_limits_are_those_of_the_caller(place):
    filled(Net()).save_into(place())
    store = place()
    limited = type(store).from_file(store._path, Limits(tensors=3))
    support.raises(BurnpackError, limited.keys)


def test_the_path_is_resolved_once(tmp_path):
    bare, full = tmp_path / "model", tmp_path / "model.bpk"
    filled(Net()).save_into(BurnpackStore.from_file(bare))
    assert full.exists() and not bare.exists()
    with BurnpackStore.from_file(bare) as store:
        assert len(store.keys()) == len(NET)
    support.raises(SaveFailed, filled(Net()).save_into, BurnpackStore.from_file(bare))
    # Without the extension the path is another one: it is checked, and it is written.
    filled(Net()).save_into(BurnpackStore.from_file(bare).auto_extension(False))
    assert bare.exists()
    support.raises(SaveFailed, filled(Net()).save_into, BurnpackStore.from_file(bare).auto_extension(False))
    filled(Net()).save_into(BurnpackStore.from_file(bare).auto_extension(False).overwrite(True))
    filled(Net()).save_into(BurnpackStore.from_file(tmp_path / "model.v2"))
    assert {path.name for path in tmp_path.iterdir()} == {"model", "model.bpk", "model.v2"}


def test_an_existing_file_is_replaced_when_that_is_allowed(place):
    filled(Net()).save_into(place())
    support.raises(SaveFailed, filled(Net(), 9).save_into, place())
    filled(Net(), 9).save_into(place().overwrite(True))
    model = Net()
    with place() as store:
        model.load_from(store)
    assert bytes(model.steps.data) == bytes(filled(Net(), 9).steps.data)


def test_a_store_shows_what_it_saved_last(place):
    with place().overwrite(True) as store:
        filled(Net()).save_into(store)
        assert store.get_tensor("steps").data()[0] == filled(Net()).steps.data[0]
        filled(Net(), 9).save_into(store)
        assert store.get_tensor("steps").data()[0] == filled(Net(), 9).steps.data[0]


def test_a_store_hands_out_the_container_under_its_own_names(place):
    with place().overwrite(True) as store:
        filled(Net()).save_into(store)
        container = store.with_key_remapping("steps", "other").container()
        assert "steps" in container and container.metadata()


def test_metadata_are_those_of_the_format_and_what_was_added(place):
    store = place().metadata("note", "a").metadata("note", "b")
    filled(Net()).save_into(store)
    with open_model(store._path_to_write(store._path)) as opened:
        found = dict(opened.reader.metadata())
    assert (
        found["producer"] == "burnstore" and found["note"] == "b" and found["format"] == opened.reader.format
    )
    filled(Net()).save_into(place().clear_metadata().metadata("only", "this").overwrite(True))
    with open_model(store._path_to_write(store._path)) as opened:
        assert opened.reader.metadata() == [("only", "this")]


def test_scalars_are_saved(tmp_path):
    store = BurnpackStore.from_file(tmp_path / "a").scalar("step", 1).scalar("step", ("UInt", 7))
    filled(Net()).save_into(store)
    with open_model(tmp_path / "a.bpk") as opened:
        assert opened.reader.scalars() == [("step", ("UInt", 7))]


@pytest.mark.parametrize("store_class", [BurnpackStore, SafetensorsStore])
def test_memory_is_a_store_too(store_class):
    store = store_class.from_bytes()
    support.raises(SaveFailed, store.get_bytes)
    support.raises(LoadFailed, store.keys)
    filled(Net()).save_into(store)
    data = store.get_bytes()
    assert store.keys() == sorted(NET)
    changing = bytearray(data)
    copied, shared = store_class.from_bytes(changing), store_class.from_static(changing)
    place = data.index(bytes(filled(Net()).steps.data))
    changing[place : place + 8] = bytes(8)
    assert bytes(shared.get_tensor("steps").data()) == bytes(8)
    assert bytes(copied.get_tensor("steps").data()) != bytes(8)


def test_names_are_changed_on_loading_and_on_saving(place):
    filled(Net()).save_into(place().with_key_remapping("^", "net.").with_key_remapping(r"blocks", "layers"))
    with place() as store:
        assert {"net.layers.0.gamma", "net.fc.weight"} < set(store.keys())
        store.remap(KeyRemapper([(r"^net\.", ""), ("layers", "blocks")]))
        assert store.keys() == sorted(NET) and store.get_tensor("fc.weight").name == "fc.weight"
        assert sorted(Net().load_from(store).applied) == sorted(NET)


def test_names_that_become_one_are_refused_on_both_ways(place):
    for store in (place().with_key_remapping(r"blocks\.\d", "block"),):
        error = support.raises(BurnpackError, filled(Net()).save_into, store)
        assert "blocks.0.gamma and blocks.1.gamma" in str(error)
    filled(Net()).save_into(place())
    with place().with_key_remapping(r"blocks\.\d", "block") as store:
        error = support.raises(BurnpackError, store.keys)
        assert "blocks.0" in str(error) and "blocks.1" in str(error)


def test_a_remapper_that_was_given_is_left_alone(place):
    remapper = KeyRemapper([("a", "b")])
    place().remap(remapper).with_key_remapping("b", "c")
    assert remapper.renamed("a") == "b"


def test_a_filter_that_was_given_is_left_alone(place):
    criteria = PathFilter().with_full_path("steps")
    filled(Net()).save_into(place().filter(criteria).with_regex("^fc"))
    with place() as store:
        assert store.keys() == ["fc.bias", "fc.weight", "steps"]
    assert not criteria.matches("fc.bias", ())


def test_a_filter_is_for_modules_and_not_for_looking(place):
    filled(Net()).save_into(place())
    with place().with_regex("^fc") as store:
        assert store.keys() == sorted(NET) and store.get_tensor("steps")
        assert len(store.get_all_tensors()) == len(NET)
        model = Net()
        result = model.load_from(store)
    assert sorted(result.applied) == ["fc.bias", "fc.weight"] and len(result.skipped) == 5
    assert model.steps.data is None


def test_a_bad_pattern_raises_where_it_is_given(place):
    for option in ("with_regex", "with_key_remapping"):
        support.raises(Malformed, getattr(place(), option), "(", *["x"] * (option == "with_key_remapping"))
    support.raises(Malformed, PytorchStore.from_file("a").map_indices_contiguous_except, "(")


def test_prefixes_are_stripped_on_request(place):
    filled(Net()).save_into(place().with_key_remapping("^", "module._orig_mod."))
    with place() as store:
        support.raises(LoadFailed, Net().load_from, store)
        assert sorted(Net().load_from(store.strip_prefixes()).applied) == sorted(NET)


def test_a_strict_load_that_fails_leaves_the_module(place):
    partial = filled(Net())
    partial.save_into(place().with_regex("^blocks"))
    model = filled(Net(), 50)
    before = state_of(model)
    with place() as store:
        error = support.raises(LoadFailed, model.load_from, store)
        assert "missing: fc.weight" in str(error) and str(store._path) in str(error)
        assert state_of(model) == before
        result = model.load_from(store.allow_partial(True))
    assert len(result.missing) == 3 and state_of(model) != before


def test_without_validation_what_does_not_fit_stays(place):
    filled(Net()).save_into(place())
    model = Net()
    model.fc = Linear(weight=(3, 2), bias=(3,))
    with place() as store:
        support.raises(LoadFailed, model.load_from, store)
        result = model.load_from(store.validate(False))
    assert [error[:2] for error in result.errors] == [("ShapeMismatch", "fc.weight")]
    assert model.fc.weight.data is None and model.fc.bias.data is not None


def test_adapters_serve_both_ways(place):
    filled(Net()).save_into(place().with_to_adapter(FloatCastAdapter.to("F64")))
    model = Net()
    with place() as store:
        assert store.get_tensor("fc.weight").dtype == "F64"
        model.load_from(store.with_from_adapter(FloatCastAdapter.to("F32")))
    assert model.fc.weight.dtype == "F32" and model.steps.dtype == "I64"
    assert bytes(model.fc.weight.data) == bytes(filled(Net()).fc.weight.data)


def test_torch_is_not_imported_before_it_is_needed():
    code = "import sys, burnstore; sys.exit('torch' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}).returncode == 0
    )
    assert not is_torch_class(Module) and not is_torch_class(3)


def test_a_filter_is_taken_as_it_is_when_it_is_given(place):
    filled(Net()).save_into(place())
    given = PathFilter().with_full_path("fc.weight")
    store = place().with_filter(given)
    given.with_full_path("fc.bias")
    store.with_full_path("steps")
    assert sorted(Net().load_from(store).applied) == ["fc.weight", "steps"]
    assert not given.matches("steps")


def test_a_filter_without_criteria_is_none_but_for_a_burnpack_store(place):
    filled(Net()).save_into(place())
    for empty in (PathFilter(), PathFilter.none(), PortableFilter()):
        result = Net().load_from(place().filter(empty))
        assert bool(result.skipped) is isinstance(place(), BurnpackStore)
    assert Net().load_from(place().with_regexes([]).with_full_path("fc.bias")).applied == ["fc.bias"]
    assert len(Net().load_from(place().filter(PathFilter().match_all())).applied) == len(NET)


def test_a_safetensors_store_filters_a_save_by_the_names_that_it_writes(tmp_path):
    module = filled(Net())
    for pattern, count in ((r"^blocks\.\d\.weight$", 2), ("gamma", 0), ("^steps$", 1)):
        store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter()).with_regex(pattern)
        module.save_into(store)
        assert len(store.keys()) == count, pattern
        burns = BurnpackStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter()).with_regex(pattern)
        module.save_into(burns)
        assert len(burns.keys()) == (0 if count == 2 else 2 if pattern == "gamma" else 1)


def test_what_a_filter_leaves_out_of_a_save_needs_no_data():
    module = filled(Net())
    module.fc.weight.data = None
    store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter()).with_regex("bias$")
    module.save_into(store)
    assert store.keys() == ["blocks.0.bias", "blocks.1.bias", "fc.bias"]
    error = support.raises(InvalidTensor, module.save_into, store.match_all())
    assert error.item == "fc.weight"


def test_the_bytes_that_a_store_was_made_of_can_be_had_again():
    for store_class in (BurnpackStore, SafetensorsStore, PortableStore):
        support.raises(SaveFailed, store_class.from_bytes().get_bytes)
        store = store_class.from_bytes()
        filled(Net()).save_into(store)
        data = store.get_bytes()
        assert store_class.from_bytes(data).get_bytes() is data
        assert store_class.from_bytes(bytearray(data)).get_bytes() == data


def test_the_metadata_of_a_new_store_are_told():
    for store_class, form in ((BurnpackStore, "burnpack"), (SafetensorsStore, "safetensors")):
        told = store_class.default_metadata()
        assert told == {"format": form, "producer": "burnstore", "version": burnstore.__version__}
        store = store_class.from_bytes()
        filled(Net()).save_into(store)
        assert dict(store.container().metadata()) == told


def test_an_adapter_without_arguments_is_given_to_a_store_by_its_class(place):
    filled(Net()).save_into(place().with_to_adapter(BurnToPyTorchAdapter))
    assert "blocks.0.weight" in list(place().keys())
    result = Net().load_from(place().with_from_adapter(PyTorchToBurnAdapter))
    assert sorted(result.applied) == sorted(NET)


class Failing(ModuleAdapter):
    """An adapter that goes wrong at the parameter called `name`, at once or when its bytes are taken."""

    def __init__(self, name, lazily):
        self.name = name
        self.lazily = lazily

    def adapt(self, tensor, context):
        if tensor.name != self.name:
            return tensor
        if not self.lazily:
            raise ValueError("not my day")
        return Tensor(tensor.name, tensor.dtype, tensor.shape, self.fail)

    def fail(self):
        raise ValueError("not my day")


@pytest.mark.parametrize("lazily", [False, True])
def test_what_goes_wrong_in_an_adapter_is_one_error_or_among_those_of_the_result(place, lazily):
    filled(Net()).save_into(place())
    module = filled(Net())
    before = state_of(module)
    strict = place().with_from_adapter(Failing("fc.bias", lazily))
    error = support.raises(LoadFailed, module.load_from, strict)
    assert "not my day" in str(error) and "fc.bias" in str(error) and state_of(module) == before
    result = module.load_from(strict.validate(False))
    assert [(kind, path) for kind, path, _, _ in result.errors] == [
        ("LoadError" if lazily else "AdapterError", "fc.bias")
    ]
    assert len(result.applied) == len(NET) - 1 and not result.missing
    saving = place().overwrite(True).with_to_adapter(Failing("fc.bias", lazily))
    error = support.raises(SaveFailed, module.save_into, saving)
    assert error.item == "fc.bias" and "not my day" in str(error)
