"""Parameters with two names."""

from burnpack.adapters import BurnToPyTorchAdapter
from burnpack.errors import LoadFailed
from burnpack.module import Module, Param, walk
from burnpack.reader import Reader
from burnpack.safetensors_store import SafetensorsStore
from burnpack.store import BurnpackStore
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from kit import support
from kit.models.small_models import BatchNorm, Embedding, Linear


def tied(dtype="F32"):
    """Return a module whose two layers share their weight, and that weight."""
    shared = Param((2,), dtype)
    module = Module()
    module.layers = [Linear(weight=shared, bias=(1,)), Linear(weight=shared, bias=(1,))]
    return module, shared


def filled_tied():
    module, shared = tied()
    shared.data, shared.param_id = b"\1\2\3\4" * 2, 9
    for number, layer in enumerate(module.layers):
        layer.bias.data = bytes((number,)) * 4
    return module


def saved(module, store):
    module.save_into(store)
    return store.get_bytes()


def stores():
    return BurnpackStore.from_bytes(), SafetensorsStore.from_bytes()


def weights(**data):
    return [Tensor("layers.%s.weight" % name[1:], "F32", (2,), content) for name, content in data.items()]


def test_both_names_are_saved_and_both_are_loaded():
    for store in stores():
        data = saved(filled_tied(), store)
        assert store.keys() == ["layers.0.bias", "layers.0.weight", "layers.1.bias", "layers.1.weight"]
        module, shared = tied()
        result = module.load_from(type(store).from_bytes(data))
        assert len(result.applied) == 4 and bytes(shared.data) == b"\1\2\3\4" * 2


def test_one_of_the_names_is_enough_to_load():
    for name in ("n0", "n1"):
        module, shared = tied()
        shared_only = weights(**{name: b"\7" * 8})
        result = module.apply(shared_only)
        assert sorted([path for path, _ in result.missing]) == ["layers.0.bias", "layers.1.bias"]
        assert result.applied == ["layers.%s.weight" % name[1]] and bytes(shared.data) == b"\7" * 8


def test_neither_name_leaves_both_missing():
    module, _ = tied()
    missing = [path for path, _ in module.apply([]).missing]
    assert sorted(missing) == ["layers.0.bias", "layers.0.weight", "layers.1.bias", "layers.1.weight"]


def test_two_tensors_that_differ_do_not_fit_one_parameter():
    module, shared = tied()
    result = module.apply(weights(n0=b"\1" * 8, n1=b"\2" * 8))
    kind, path, _, what = result.errors[0]
    assert (kind, path) == ("LoadError", "layers.1.weight") and len(result.errors) == 1
    assert what == "differs from layers.0.weight, which is the same parameter"
    assert result.applied == ["layers.0.weight"] and bytes(shared.data) == b"\1" * 8
    other = [
        Tensor("layers.0.weight", "F32", (2,), bytes(8)),
        Tensor("layers.1.weight", "F16", (2,), bytes(4)),
    ]
    assert module.apply(other).errors[0][:2] == ("LoadError", "layers.1.weight")


def test_a_strict_load_of_two_that_differ_changes_nothing():
    module, _ = tied()
    rest = [Tensor("layers.%d.bias" % number, "F32", (1,), bytes(4)) for number in range(2)]
    data = Writer(weights(n0=b"\1" * 8, n1=b"\2" * 8) + rest).to_bytes()
    error = support.raises(LoadFailed, module.load_from, BurnpackStore.from_static(data))
    assert "layers.1.weight" in str(error) and "layers.0.weight" in str(error)
    assert [param.data for _, _, param in walk(module)] == [None] * 4


def test_a_store_told_so_saves_one_name_and_notes_the_other():
    for store in stores():
        data = saved(filled_tied(), store.alias_tied(True))
        assert store.keys() == ["layers.0.bias", "layers.0.weight", "layers.1.bias"]
        assert ("layers.1.weight", "layers.0.weight") in store._source().metadata()
        module, shared = tied()
        assert module.load_from(type(store).from_bytes(data)).missing == []
        assert bytes(shared.data) == b"\1\2\3\4" * 2


def test_a_module_that_is_not_tied_needs_both_names():
    data = saved(filled_tied(), BurnpackStore.from_bytes().alias_tied(True))
    module = Module()
    module.layers = [Linear(weight=(2,), bias=(1,)), Linear(weight=(2,), bias=(1,))]
    error = support.raises(LoadFailed, module.load_from, BurnpackStore.from_static(data))
    assert "layers.1.weight" in str(error)


def test_names_that_adapters_treat_differently_are_both_saved():
    shared = Param((2, 2), "F32", bytes(range(16)))
    module = Module()
    module.embed, module.head, module.again = (
        Embedding(weight=shared),
        Linear(weight=shared),
        Linear(weight=shared),
    )
    store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter()).alias_tied(True)
    module.save_into(store)
    assert len(store.keys()) == 2 and "embed.weight" in store.keys()
    first, second = store.get_all_tensors()
    assert bytes(first.data()) != bytes(second.data())


def test_a_module_under_two_names_is_tied_in_all_its_parameters():
    norm = BatchNorm(gamma=(1,), beta=(1,))
    norm.gamma.data, norm.beta.data = b"\1" * 4, b"\2" * 4
    module = Module()
    module.pair = (norm, norm)
    data = saved(module, BurnpackStore.from_bytes().alias_tied(True))
    reader = Reader.from_bytes(data)
    assert len(reader) == 2 and len([pair for pair in reader.metadata() if pair[0].startswith("pair.")]) == 2
