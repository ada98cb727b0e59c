"""Whole files of Burn's, out of PyTorch's checkpoints and out of our stores."""

from pathlib import Path

import pytest

from burnpack.adapters import FloatCastAdapter, HalfPrecisionAdapter, PyTorchToBurnAdapter
from burnpack.errors import LoadFailed
from burnpack.listing import Listing
from burnpack.module import walk
from burnpack.reader import Reader
from burnpack.safetensors_store import SafetensorsStore
from burnpack.safetensors_writer import Writer
from burnpack.store import BurnpackStore
from burnstore import SafetensorsStore as StoreOnAComputer
from burnstore import open_model
from kit import support
from kit.models.zoo import CLOSED_UP, Odd, Seq, Zoo

RUST = Path(support.data("rust"))


def burns(name):
    return Reader.from_bytes((RUST / name).read_bytes())


def with_burns_ids(model, name):
    """Give the parameters the ids that Burn drew when it converted the checkpoint."""
    reader = burns(name)
    for path, _, param in walk(model):
        param.param_id = reader.tensor(path).param_id
    return model


def saved_as_burn(model, store):
    """Return the file that Burn makes of the model: it says that it was Burn."""
    model.save_into(store.metadata("producer", "burn").metadata("version", "0.22.1"))
    return store.get_bytes()


def from_pytorch(name, model, renamed=lambda path: path):
    with open_model(RUST / name) as opened:
        tensors = [tensor.renamed(renamed(tensor.name)) for tensor in opened.reader]
        result = model.apply(Listing(tensors), None, PyTorchToBurnAdapter())
        assert (result.missing, result.unused, result.errors) == ([], [], [])
        for _, _, param in walk(model):
            param.data = bytes(param.data)  # the file is closed now
    return model


def closed_up(path):
    for torchs, own in CLOSED_UP:
        if path.startswith(torchs):
            return own + path[len(torchs) :]
    return path


def test_pytorchs_zoo_becomes_burns_file():
    model = with_burns_ids(from_pytorch("zoo.pt", Zoo()), "zoo.bpk")
    assert saved_as_burn(model, BurnpackStore()) == (RUST / "zoo.bpk").read_bytes()


def test_pytorchs_rows_of_layers_become_burns_file():
    model = with_burns_ids(from_pytorch("seq.pt", Seq(), closed_up), "seq.bpk")
    assert saved_as_burn(model, BurnpackStore()) == (RUST / "seq.bpk").read_bytes()


@pytest.mark.parametrize(
    ("name", "model", "adapter"),
    [
        ("zoo.bpk", Zoo, None),
        ("zoo_half.bpk", Zoo, HalfPrecisionAdapter()),
        ("zoo_bf16.bpk", Zoo, FloatCastAdapter.to("BF16")),
        ("odd.bpk", Odd, None),
        ("seq.bpk", Seq, None),
    ],
)
def test_burns_file_comes_out_of_our_store_whole(name, model, adapter):
    filled = model()
    source = "zoo.bpk" if model is Zoo else name
    filled.load_from(BurnpackStore.from_bytes((RUST / source).read_bytes()))
    store = BurnpackStore().with_to_adapter(adapter) if adapter else BurnpackStore()
    assert saved_as_burn(filled, store) == (RUST / name).read_bytes()


def test_burns_filtered_file_comes_out_of_our_store_whole():
    model = Zoo()
    model.load_from(BurnpackStore.from_bytes((RUST / "zoo.bpk").read_bytes()))
    store = BurnpackStore().with_full_path("lin.weight").metadata("note", "filtered")
    store.with_predicate(lambda path, _: path.startswith("blocks.1."))
    assert saved_as_burn(model, store) == (RUST / "zoo_filtered.bpk").read_bytes()


def test_a_checkpoint_of_data_parallel_says_how_to_read_it():
    with open_model(RUST / "zoo.pt") as opened:
        wrapped = [tensor.renamed("module." + tensor.name) for tensor in opened.reader]
        store = StoreOnAComputer.from_bytes(Writer(wrapped).to_bytes())
    with pytest.raises(LoadFailed) as caught:
        Zoo().load_from(store.with_from_adapter(PyTorchToBurnAdapter()).skip_enum_variants(True))
    hints = [line for line in str(caught.value).splitlines() if line.startswith("help: ")]
    assert len(hints) == 1 and 'strip_prefixes("module.") takes it off' in hints[0]


def test_a_checkpoint_without_an_adapter_says_what_is_missing():
    data = (RUST / "zoo.safetensors").read_bytes()
    with pytest.raises(LoadFailed) as caught:
        Zoo().load_from(SafetensorsStore.from_bytes(data))
    assert "missing: prelu.alpha (is it prelu.weight?)" in str(caught.value)
    assert "with_from_adapter(PyTorchToBurnAdapter())" in str(caught.value)
