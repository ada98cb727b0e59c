"""Modules go both ways: Burn's own load what ours were saved as, and ours load what Burn's were saved as."""

import struct

import pytest

from burnpack.adapters import BurnToPyTorchAdapter, HalfPrecisionAdapter, PyTorchToBurnAdapter
from burnpack.module import walk
from burnpack.tensor import Tensor
from burnrt import nn
from burnstore import array_from_tensor, open_model, save_burnpack, save_safetensors
from burnstore.cli import commands
from burnstore.stores.burnpack import BurnpackStore
from burnstore.stores.safetensors import SafetensorsStore
from kit import support
from kit.interop import interop_judge as judge
from kit.models.zoo import Act, Odd, Seq, Zoo


class Layers(nn.Module):
    """The layers that Zoo lacks."""

    def __init__(self):
        self.up3 = nn.ConvTranspose3d(2, 1, (1, 2, 3))
        self.deform = nn.DeformConv2d(2, 4, 2)
        self.instance = nn.InstanceNorm2d(5, affine=True)
        self.lstm = nn.LSTM(3, 2)
        self.gru = nn.GRU(2, 3)
        self.attention = nn.MultiheadAttention(4, 2)


def odder():
    """Return Odd with the other variant of its enum."""
    model = Odd()
    model.act = Act(Gated=nn.Linear(2, 4))
    return model


MODELS = {"zoo": Zoo, "layers": Layers, "seq": Seq, "odd": Odd, "odder": odder}
# Where, in PyTorch's form, Burn's own adapter leaves parameters to a rename by hand.
NOT_ADAPTED = {"zoo": ("prelu",), "layers": ("instance", "lstm", "gru", "attention"), "odd": ("act",)}
# ending of the file, store, adapter from Burn's form and to it
FORMATS = (
    (".bpk", BurnpackStore, None, None),
    (".safetensors", SafetensorsStore, None, None),
    (".torch.safetensors", SafetensorsStore, BurnToPyTorchAdapter, PyTorchToBurnAdapter),
)
CODES = {"F32": "f", "I32": "i", "Bool": "B"}


def state(model):
    """Return what a model holds, in the judge's form."""
    return judge.by_name(
        {
            "name": path,
            "dtype": shown(param.dtype),
            "shape": list(param.shape),
            "bytes": bytes(param.data).hex(),
        }
        for path, _, param in walk(model)
    )


def shown(dtype):
    return {"Bool": "Native"} if dtype == "Bool" else dtype


def without_ids(tensors):
    """Return Burn's description of what a module holds, as `state` has it."""
    return judge.by_name({key: tensor[key] for key in tensor if key != "param_id"} for tensor in tensors)


def ids(model):
    return {path: param.param_id for path, _, param in walk(model)}


def ids_of(tensors):
    return {tensor["name"]: tensor["param_id"] for tensor in tensors}


def part(path):
    """Return the part of a model that a parameter belongs to."""
    return path.split(".", 1)[0]


def all_but(parts, tensors):
    return [tensor for tensor in tensors if part(tensor["name"]) not in parts]


def filled(model):
    """Give every parameter its own values and an id; return the model."""
    for number, (_, _, param) in enumerate(walk(model)):
        param.data = bytes(known(number, param))
        param.param_id = (1 << 64) - 1 - number
    return model


def known(number, param):
    """Return 1000 times the parameter's number, plus the number of the element; truths take turns."""
    size = param.nbytes() // struct.calcsize(CODES[param.dtype])
    numbers = [1000 * number + element for element in range(size)]
    if param.dtype == "Bool":
        numbers = [element % 2 for element in numbers]
    return struct.pack("<%d%s" % (size, CODES[param.dtype]), *numbers)


@pytest.fixture(scope="module")
def by_burn(tmp_path_factory):
    """The folder of Burn's files, and what each of its modules held, by name."""
    folder = tmp_path_factory.mktemp("saved")
    held = {line["file"].rsplit("/", 1)[-1]: line["tensors"] for line in judge.ask("save", folder)}
    return folder, held


def loaded_by_burn(folder):
    """Return what Burn reports of each file in the folder, by the file's name."""
    return {line["file"].rsplit("/", 1)[-1]: line for line in judge.ask("load", folder)}


@pytest.mark.parametrize("ending, store, _, adapter", FORMATS, ids=[row[0] for row in FORMATS])
@pytest.mark.parametrize("name", MODELS)
def test_ours_loads_what_burns_was_saved_as(by_burn, name, ending, store, _, adapter):
    folder, held = by_burn
    opened = store.from_file(folder / (name + ending))
    model = MODELS[name]()
    result = model.load_from(opened.with_from_adapter(adapter()) if adapter else opened)
    assert (result.missing, result.unused, result.errors) == ([], [], [])
    assert state(model) == without_ids(held[name])
    if ending == ".bpk":
        assert ids(model) == ids_of(held[name])


@pytest.mark.parametrize("name", MODELS)
def test_the_parameters_come_in_burns_order_with_the_values_it_gave_them(by_burn, name):
    tensors = {tensor["name"]: bytes.fromhex(tensor["bytes"]) for tensor in by_burn[1][name]}
    numbers = {path: number for number, path in enumerate(tensors)}
    for path, _, param in walk(MODELS[name]()):
        assert tensors[path] == known(numbers[path], param), path


def test_burns_loads_what_ours_was_saved_as(tmp_path):
    models = {name: filled(make()) for name, make in MODELS.items()}
    for name, model in models.items():
        for ending, store, adapter, _ in FORMATS:
            target = store.from_file(tmp_path / (name + ending))
            model.save_into(target.with_to_adapter(adapter()) if adapter else target)
    reports = loaded_by_burn(tmp_path)
    assert len(reports) == len(MODELS) * len(FORMATS)
    for file, report in reports.items():
        name, ending = file.split(".", 1)
        left = NOT_ADAPTED.get(name, ()) if ending.startswith("torch") else ()
        assert {part(path) for path, _ in report["missing"]} == set(left), file
        assert {part(path) for path in report["unused"]} == set(left), file
        assert (report["errors"], report["skipped"]) == ([], []), file
        assert all_but(left, without_ids(report["tensors"])) == all_but(left, state(models[name])), file
        if ending == "bpk":
            kept = ids(models[name]).items() & ids_of(report["tensors"]).items()
            changed = [path for path in ids(models[name]) if path not in dict(kept)]
            assert all("running" in path for path in changed), file  # statistics keep the module's own


def test_burn_says_of_what_is_missing_where_it_is_as_we_do(tmp_path):
    filled(Odd()).save_into(BurnpackStore.from_file(tmp_path / "odder.bpk"))
    filled(Seq()).save_into(BurnpackStore.from_file(tmp_path / "zoo.bpk"))
    for file, report in loaded_by_burn(tmp_path).items():
        model = MODELS[file.split(".")[0]]()
        result = model.load_from(BurnpackStore.from_file(tmp_path / file).allow_partial(True))
        found = [[path, ".".join(containers)] for path, containers in result.missing]
        assert sorted(found) == report["missing"]
        assert sorted(result.unused) == report["unused"]
        assert sorted(result.applied) == sorted(report["applied"])


def test_halves_stay_halves_in_burns_modules(tmp_path):
    model = filled(Zoo())
    for number, (_, _, param) in enumerate(walk(model)):
        size = len(param.data) // 4
        param.data = struct.pack("<%df" % size, *[number + element / 16 for element in range(size)])
    store = BurnpackStore.from_file(tmp_path / "zoo.half.bpk")
    model.save_into(store.with_to_adapter(HalfPrecisionAdapter()))
    (report,) = loaded_by_burn(tmp_path).values()
    assert (report["missing"], report["unused"], report["errors"]) == ([], [], [])
    values = {
        path: struct.unpack("<%df" % (len(param.data) // 4), param.data) for path, _, param in walk(model)
    }
    for tensor in report["tensors"]:
        code = "f" if tensor["name"].startswith("bn") else "e"
        assert tensor["dtype"] == {"f": "F32", "e": "F16"}[code], tensor["name"]
        data = bytes.fromhex(tensor["bytes"])
        assert struct.unpack("<%d%s" % (len(values[tensor["name"]]), code), data) == values[tensor["name"]]


@pytest.mark.parametrize("name", ["zoo", "seq"])
def test_burn_loads_our_conversion_as_it_loads_the_checkpoint_itself(name, tmp_path):
    checkpoint = support.data("rust/%s.pt" % name)
    target = tmp_path / (name + ".bpk")
    module = support.path("tests/kit/models/zoo.py") + ":" + name.title()
    commands.main(["convert", checkpoint, str(target), "--module", module], standalone_mode=False)
    (tmp_path / (name + ".pt")).write_bytes(support.read(checkpoint))
    reports = loaded_by_burn(tmp_path)
    ours, burns = reports[name + ".bpk"], reports[name + ".pt"]
    assert (ours["missing"], ours["unused"], ours["errors"]) == ([], [], [])
    left = NOT_ADAPTED.get(name, ())
    assert {part(path) for path, _ in burns["missing"]} == set(left)
    assert all_but(left, without_ids(ours["tensors"])) == all_but(left, without_ids(burns["tensors"]))


# dtype, bytes of a mask of 2 x 2; Burn's own parameter is one of truths
MASKS = (
    ("U8", bytes((0, 1, 2, 255))),
    ("U32", struct.pack("<4I", 0, 1, 2, 256)),
    ("Bool", bytes((0, 1, 1, 0))),
    ("I8", bytes((0, 1, 1, 0))),
    ("I64", bytes(32)),
)


def test_truths_load_from_the_same_integers_in_both(tmp_path):
    for dtype, data in MASKS:
        tensor = Tensor("mask", dtype, (2, 2), data)
        save_burnpack(tmp_path / ("odd.%s.bpk" % dtype), [tensor])
        save_safetensors(tmp_path / ("odd.%s.safetensors" % dtype), [tensor])
    for file, report in loaded_by_burn(tmp_path).items():
        model = filled(Odd())
        result = model.apply(open_model(tmp_path / file).reader)
        assert result.applied == report["applied"], file
        assert [path for kind, path, _, _ in result.errors] == ["mask"] * len(report["errors"]), file
        if result.applied:
            [mask] = [tensor["bytes"] for tensor in report["tensors"] if tensor["name"] == "mask"]
            ours = array_from_tensor(Tensor("mask", model.mask.dtype, (2, 2), model.mask.data))
            assert ours.ravel().tolist() == [byte != 0 for byte in bytes.fromhex(mask)], file
