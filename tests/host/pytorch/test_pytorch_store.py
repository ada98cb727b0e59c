"""What the stores do for files from PyTorch: gaps closed up, variants skipped, the top-level key found."""

import json
from pathlib import Path

import pytest

from burnpack.errors import LoadFailed, NotFound, Unsupported
from burnpack.module import Enum, Module, Param, walk
from burnstore import FloatCastAdapter, PytorchStore, SafetensorsStore
from kit import support
from kit.models.small_models import Linear, Net, filled
from kit.pytorch import pickles as p


def checkpoint(content):
    """Return a PyTorch store of a nested dict whose ends are tensors, given by their shapes."""
    return PytorchStore.from_bytes(p.checkpoint(operations(content), {"0": bytes(4096)}))


def operations(value):
    if isinstance(value, dict):
        return p.a_dict({key: operations(item) for key, item in value.items()})
    return p.tensor("0", 1024, value) if isinstance(value, tuple) else p.value(value)


def test_pytorch_files_can_not_be_written():
    error = support.raises(Unsupported, filled(Net()).save_into, PytorchStore.from_file("a.pt"))
    assert (
        str(error).startswith("a.pt: ") and "BurnpackStore" in str(error) and "SafetensorsStore" in str(error)
    )


class Row(Module):
    def __init__(self, *numbers):
        self.fc = [
            Linear(weight=(2, 3)) if number in numbers else Module() for number in range(max(numbers) + 1)
        ]


GAPPED = {"fc.0.weight": (3, 2), "fc.2.weight": (3, 2), "fc.4.weight": (3, 2)}


def test_gaps_in_pytorchs_numbering_are_closed_up_unless_that_is_turned_off():
    assert checkpoint(GAPPED).keys() == ["fc.0.weight", "fc.1.weight", "fc.2.weight"]
    assert Row(0, 1, 2).load_from(checkpoint(GAPPED)).is_success()
    kept = checkpoint(GAPPED).map_indices_contiguous(False)
    assert kept.keys() == sorted(GAPPED)
    support.raises(LoadFailed, Row(0, 1, 2).load_from, kept)
    assert checkpoint(GAPPED).map_indices_contiguous_except("^fc$").keys() == sorted(GAPPED)


def test_several_lists_may_keep_their_numbers():
    names = {"a.0.w": (1,), "a.2.w": (1,), "b.0.w": (1,), "b.2.w": (1,), "c.0.w": (1,), "c.2.w": (1,)}
    store = checkpoint(names).map_indices_contiguous_except("^a$").map_indices_contiguous_except("^b$")
    assert store.keys() == ["a.0.w", "a.2.w", "b.0.w", "b.2.w", "c.0.w", "c.1.w"]


def test_a_module_with_the_same_gaps_takes_the_numbers_as_they_are():
    result = Row(0, 2, 4).load_from(checkpoint(GAPPED))
    assert sorted(result.applied) == sorted(GAPPED) and result.is_success()


def test_safetensors_are_closed_up_on_request_only(tmp_path):
    path = tmp_path / "row.safetensors"
    row = filled(Row(0, 2))
    row.save_into(SafetensorsStore.from_file(path))
    with SafetensorsStore.from_file(path) as store:
        assert store.keys() == ["fc.0.weight", "fc.2.weight"]
        assert store.map_indices_contiguous(True).keys() == ["fc.0.weight", "fc.1.weight"]


class Activation(Enum):
    pass


class Chosen(Module):
    def __init__(self):
        self.feature = Activation(BaseConv=Linear(weight=(2, 3)))


def test_enum_variants_are_skipped_for_pytorch_and_on_request():
    names = {"feature.weight": (3, 2)}
    assert Chosen().load_from(checkpoint(names)).applied == ["feature.weight"]
    error = support.raises(LoadFailed, Chosen().load_from, checkpoint(names).skip_enum_variants(False))
    assert "feature.BaseConv.weight" in str(error) and "skip_enum_variants(True)" in str(error)
    store = SafetensorsStore.from_bytes()
    filled(Chosen()).save_into(store)
    assert store.keys() == ["feature.BaseConv.weight"]
    filled(Chosen()).save_into(store.skip_enum_variants(True))
    assert store.keys() == ["feature.weight"] and Chosen().load_from(store).is_success()


STATE = {"fc.weight": (3, 2), "fc.bias": (3,)}

# what the checkpoint holds, the names that are found, how many notes there are on that
TOP_LEVELS = (
    (STATE, "fc.bias fc.weight", 0),
    ({"model": STATE, "epoch": 3}, "fc.bias fc.weight", 1),
    ({"net": STATE, "optimizer": {"state": {0: {"exp_avg": (3, 2)}}}}, "fc.bias fc.weight", 1),
    ({"state_dict": {"weight": (2,)}, "epoch": 3}, "weight", 1),  # a name that says it all
    ({"layer": {"weight": (2,), "bias": (2,)}}, "layer.bias layer.weight", 0),  # nested names
    ({"a": STATE, "b": STATE}, "a.fc.bias a.fc.weight b.fc.bias b.fc.weight", 1),  # either may be meant
    ({"w": (2,), "model": STATE}, "model.fc.bias model.fc.weight w", 1),  # has weights of its own
    ({"epoch": 3}, "", 0),
)


@pytest.mark.parametrize("content, names, notes", TOP_LEVELS)
def test_the_top_level_key_is_found_where_only_one_can_be_meant(content, names, notes):
    store = checkpoint(content)
    assert store.keys() == names.split() and len(store.notes()) == notes
    if notes:
        said = store.notes()[0]
        assert any(f'"{key}"' in said or "several" in said or "as nested" in said for key in content)


def test_what_was_found_is_said_where_the_result_is_printed():
    model = {"net": {"fc.0.weight": (3, 2)}, "epoch": 3}
    result = Row(0).load_from(checkpoint(model))
    assert str(result).splitlines()[1] == 'note: the weights are those under the top-level key "net"'
    both = {"a": model["net"], "b": model["net"]}
    error = support.raises(LoadFailed, Row(0).load_from, checkpoint(both))
    assert "choose one of a, b" in str(error)


def test_a_top_level_key_that_is_told_is_taken():
    store = checkpoint({"a": STATE, "b": {"x.w": (1,)}})
    assert store.with_top_level_key("b").keys() == ["x.w"] and store.notes() == []
    assert store.with_top_level_key("a").keys() == ["fc.bias", "fc.weight"]
    assert len(store.with_top_level_key(None).keys()) == 3


def test_a_top_level_key_that_is_not_there_is_told_with_those_that_are():
    store = checkpoint({"a": STATE, "epoch": 3}).with_top_level_key("b")
    error = support.raises(NotFound, store.keys)
    assert "b: no tensors under this top-level key" in str(error) and "one of: a, epoch" in str(error)


def test_a_checkpoint_in_several_files_is_loaded_as_one(tmp_path):
    for number in (0, 2):
        content = operations({f"fc.{number}.weight": (3, 2)})
        (tmp_path / f"part-{number}.bin").write_bytes(p.checkpoint(content, {"0": bytes(4096)}))
    index = tmp_path / "pytorch_model.bin.index.json"
    places = {f"fc.{number}.weight": f"part-{number}.bin" for number in (0, 2)}
    index.write_text(json.dumps({"weight_map": places}))
    with PytorchStore.from_file(index) as store:
        assert store.keys() == ["fc.0.weight", "fc.1.weight"] and store.notes() == []
        assert Row(0, 1).load_from(store).is_success()
        support.raises(Unsupported, store.with_top_level_key("fc").keys)


def test_a_pytorch_store_adapts_further_when_asked_to():
    model = Row(0, 1, 2)
    model.load_from(checkpoint(GAPPED).with_from_adapter(FloatCastAdapter.to("F16")))
    assert {(param.dtype, param.shape) for _, _, param in walk(model)} == {("F16", (2, 3))}


def test_the_counter_of_batches_may_be_there_or_not():
    class BatchNorm(Module):
        def __init__(self):
            self.gamma = Param((2,))

    for names in ({"weight": (2,)}, {"weight": (2,), "num_batches_tracked": (1,)}):
        result = BatchNorm().load_from(checkpoint(names))
        assert (result.applied, result.missing, result.unused) == (["gamma"], [], [])


def test_real_checkpoints_load_by_their_options():
    conv = PytorchStore.from_file(support.data("pytorch/key_remap.pt"))
    assert conv.with_key_remapping(r"conv\.(.*)", "$1").keys() == [
        "conv1.bias",
        "conv1.weight",
        "conv2.weight",
    ]
    nested = PytorchStore.from_file(Path(support.data("pytorch/top_level_key.pt")))
    assert nested.keys() == ["conv1.bias", "conv1.weight"]
    assert nested.notes() == ['the weights are those under the top-level key "my_state_dict"']
