"""Parameters get identities, as Burn gives them."""

from burnpack.module import Module, Param, walk
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    SafetensorsStore,
    Tensor,
    convert,
    give_param_ids,
    new_param_id,
    open_model,
    save_burnpack,
)
from burnstore.pipeline.param_ids import with_param_ids
from kit.interop import interop_judge as judge
from kit.models.small_models import NET, Net, filled
from kit.models.zoo import Zoo


def ids(path):
    with open_model(path) as opened:
        return {tensor.name: tensor.param_id for tensor in opened}


def test_new_ids_are_unsigned_64_bit_numbers_that_differ():
    drawn = {new_param_id() for _ in range(1000)}
    assert len(drawn) == 1000 and all(0 <= one < 1 << 64 for one in drawn) and max(drawn) >= 1 << 63


def test_tensors_keep_the_ids_that_they_have_and_are_not_read():
    def unread():
        raise AssertionError

    given = [
        Tensor("a", "F32", (1,), unread, 7),
        Tensor("b", "F32", (1,), unread),
        Tensor("c", "U8", (1,), unread, 0),
    ]
    found = with_param_ids(given)
    assert [tensor.name for tensor in found] == ["a", "b", "c"]
    assert (found[0].param_id, found[2].param_id) == (7, 0) and found[1].param_id is not None
    assert given[1].param_id is None


def test_a_module_keeps_its_ids_and_its_tied_parameters_have_one():
    module, shared = Module(), Param((1,))
    module.one, module.two, module.three = shared, shared, Param((1,), param_id=3)
    give_param_ids(module)
    assert module.one.param_id == module.two.param_id is not None and module.three.param_id == 3


def test_a_conversion_gives_ids_on_request(tmp_path):
    store = SafetensorsStore.from_file(tmp_path / "net.safetensors").with_to_adapter(BurnToPyTorchAdapter())
    filled(Net()).save_into(store)
    convert(tmp_path / "net.safetensors", tmp_path / "without.bpk", module=Net())
    assert set(ids(tmp_path / "without.bpk").values()) == {None}
    for module in (Net(), None):
        conversion = convert(
            tmp_path / "net.safetensors", tmp_path / "with.bpk", module, param_ids=True, overwrite=True
        )
        found = ids(tmp_path / "with.bpk")
        assert len(set(found.values())) == len(NET) and None not in found.values()
        assert (tmp_path / "with.bpk").stat().st_size == conversion.size
    convert(tmp_path / "with.bpk", tmp_path / "again.bpk", param_ids=True)
    assert ids(tmp_path / "again.bpk") == ids(tmp_path / "with.bpk")
    convert(
        tmp_path / "with.bpk", tmp_path / "none.safetensors", param_ids=True
    )  # which has no place for them


def test_burn_takes_the_ids_that_were_given(tmp_path):
    model = Zoo()
    for _, _, param in walk(model):
        param.data = bytes(param.nbytes())
    give_param_ids(model)
    model.save_into(BurnpackStore.from_file(tmp_path / "zoo.given.bpk"))
    with open_model(tmp_path / "zoo.given.bpk") as opened:
        save_burnpack(
            tmp_path / "zoo.none.bpk", [Tensor(one.name, one.dtype, one.shape, one.data()) for one in opened]
        )
    convert(tmp_path / "zoo.none.bpk", tmp_path / "zoo.converted.bpk", module=Zoo(), param_ids=True)
    for line in judge.ask("load", tmp_path):
        found = {tensor["name"]: tensor["param_id"] for tensor in line["tensors"]}
        given = ids(line["file"])
        taken = [name for name in given if found[name] == given[name]]
        # A BatchNorm's statistics are no parameters in Burn, and draw new ones.
        expected = [] if ".none." in line["file"] else [name for name in given if ".running_" not in name]
        assert taken == expected, line["file"]
