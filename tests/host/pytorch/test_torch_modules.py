"""A torch.nn.Module, given where a module is asked for."""

import itertools

import pytest

from burnpack.errors import BurnpackError, LoadFailed, Unsupported
from burnpack.module import walk
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    PytorchStore,
    SafetensorsStore,
    convert,
    torch_module,
)
from burnstore.models.model import load_module, load_runnable
from kit import support

try:
    import torch
    from torch import nn
except ImportError:
    torch = nn = None

pytestmark = pytest.mark.skipif(torch is None, reason="torch is not installed")


class Every(nn.Module if nn else object):
    """A layer of each kind, a buffer of each kind, tied weights."""

    def __init__(self):
        super().__init__()
        self.row = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.BatchNorm1d(5), nn.PReLU(5))
        self.blocks = nn.ModuleList([nn.LayerNorm(4), nn.GroupNorm(2, 4), nn.InstanceNorm2d(4, affine=True)])
        self.convolution = nn.ConvTranspose2d(2, 3, 2)
        self.attention = nn.MultiheadAttention(8, 2)
        self.lstm = nn.LSTM(5, 4, num_layers=2, bidirectional=True)
        self.gru = nn.GRU(5, 4)
        self.embedding = nn.Embedding(7, 3)
        self.tied = nn.Embedding(7, 3)
        self.tied.weight = self.embedding.weight
        self.scale = nn.Parameter(torch.rand(3).to(torch.bfloat16))
        self.scalar = nn.Parameter(torch.tensor(3.0))
        self.empty = nn.Parameter(torch.zeros(0, 4))
        self.named = nn.ParameterDict({"one": nn.Parameter(torch.rand(2))})
        self.listed = nn.ParameterList([nn.Parameter(torch.rand(2))])
        self.register_buffer("mask", torch.tensor([True, False]))
        self.register_buffer("scratch", torch.zeros(2), persistent=False)


def paths(module):
    return {path: (containers, param) for path, containers, param in walk(module)}


@pytest.fixture
def made():
    torch.manual_seed(1)
    return Every()


def same(one, other):
    states = one.state_dict(), other.state_dict()
    return all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_layers_have_burns_names_and_layout(made):
    found = paths(torch_module(made))
    assert {
        "row.0.weight": (3, 5),
        "row.1.gamma": (5,),
        "row.1.running_mean": (5,),
        "row.2.alpha": (5,),
        "blocks.0.gamma": (4,),
        "blocks.2.beta": (4,),
        "convolution.weight": (2, 3, 2, 2),
        "attention.query.weight": (8, 8),
        "attention.output.bias": (8,),
        "lstm.1.reverse.cell_gate.input_transform.weight": (8, 4),
        "gru.new_gate.hidden_transform.bias": (4,),
        "scalar": (),
        "empty": (0, 4),
        "named.one": (2,),
        "listed.0": (2,),
    }.items() <= {path: param.shape for path, (_, param) in found.items()}.items()
    assert found["scale"][1].dtype == "BF16" and found["mask"][1].dtype == "Bool"
    assert "scratch" not in found and not any(path.endswith("num_batches_tracked") for path in found)
    assert found["tied.weight"][1] is found["embedding.weight"][1]
    assert found["row.1.gamma"][0] == ("Struct:Every", "Vec", "Struct:BatchNorm")
    assert found["lstm.0.forward.input_gate.input_transform.weight"][0][-3:] == (
        "Struct:Lstm",
        "Struct:GateController",
        "Struct:Linear",
    )


def test_numbers_of_torch_stay_on_request(made):
    found = paths(torch_module(made, contiguous=False))
    assert {"row.0.weight", "row.2.gamma", "row.3.alpha"} < set(found)


def test_what_was_saved_is_loaded_into_another(made):
    store = BurnpackStore.from_bytes()
    torch_module(made).save_into(store)
    other = Every()
    assert not same(made, other)
    result = torch_module(other).load_from(BurnpackStore.from_bytes(store.get_bytes()))
    assert (result.missing, result.unused, result.errors) == ([], [], []) and same(made, other)
    assert other.tied.weight is other.embedding.weight and other.lstm.weight_hh_l0.requires_grad


def test_burns_names_and_layout_are_those_of_pytorchs_checkpoint(made, tmp_path):
    """Through torch's own file and our adapters comes what comes straight from the module."""
    torch.save(made.state_dict(), tmp_path / "made.pt")
    other = Every()
    with PytorchStore.from_file(tmp_path / "made.pt") as store:
        torch_module(other).load_from(store)
    assert same(made, other)


def test_torch_reads_what_goes_back_to_its_layout(made, tmp_path):
    for number, contiguous in enumerate((True, False)):
        path = tmp_path / f"made{number}.safetensors"
        store = SafetensorsStore.from_file(path).with_to_adapter(BurnToPyTorchAdapter())
        torch_module(made, contiguous=contiguous).save_into(store)
        check_torchs(path, made)


def check_torchs(path, module):
    """Check that a file has the names and tensors of `state_dict`, but for the count of batches."""
    from safetensors.torch import load_file

    found = load_file(path)
    state = module.state_dict()
    assert {*state} ^ {*found} == {name for name in state if name.endswith("num_batches_tracked")}
    assert all(torch.equal(found[name], state[name]) for name in found)
    type(module)().load_state_dict(found)


def test_a_checkpoint_goes_to_burn_and_back_in_torchs_names(made, tmp_path):
    torch.save(made.state_dict(), tmp_path / "made.pt")
    steps = ("made.pt", "burns.bpk", "torchs.safetensors", "again.bpk", "again.safetensors")
    for source, target in itertools.pairwise(steps):
        contiguous = source == "torchs.safetensors" or None  # which its gaps don't ask for by themselves
        convert(tmp_path / source, tmp_path / target, module=Every, contiguous=contiguous)
    convert(tmp_path / "made.pt", tmp_path / "straight.safetensors", module=Every)
    for name in ("torchs", "again", "straight"):
        check_torchs(tmp_path / f"{name}.safetensors", made)


def test_a_filter_of_a_save_sees_torchs_names(made):
    store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter())
    torch_module(made).save_into(store.with_regex(r"^lstm\.weight_hh_l1|^row\.3"))
    assert store.keys() == ["lstm.weight_hh_l1", "lstm.weight_hh_l1_reverse", "row.3.weight"]


def test_a_strict_load_that_fails_leaves_the_module(made):
    store = BurnpackStore.from_bytes()
    torch_module(nn.Linear(3, 3)).save_into(store)
    before = {name: tensor.clone() for name, tensor in made.state_dict().items()}
    support.raises(LoadFailed, torch_module(made).load_from, store)
    assert all(torch.equal(tensor, before[name]) for name, tensor in made.state_dict().items())


def test_a_tensor_that_is_loaded_takes_the_dtype_of_torchs():
    store = BurnpackStore.from_bytes()
    whole, half = nn.Linear(3, 2), nn.Linear(3, 2).half()
    torch_module(half).save_into(store)
    assert store.get_tensor("weight").dtype == "F16"
    torch_module(whole).load_from(store)
    assert whole.weight.dtype == torch.float32 and torch.equal(whole.weight.half(), half.weight)


def test_wrappers_are_no_parts():
    inner = nn.Linear(3, 2)
    assert set(paths(torch_module(nn.DataParallel(inner)))) == {"weight", "bias"}
    assert set(paths(torch_module(nn.Sequential(nn.DataParallel(inner))))) == {"0.weight", "0.bias"}


def test_what_burns_layers_have_not_is_refused():
    for module in (nn.LSTM(4, 6, proj_size=3), nn.MultiheadAttention(4, 2, add_bias_kv=True)):
        support.raises(Unsupported, torch_module, nn.Sequential(module))


def test_dtypes_that_nothing_holds_are_refused():
    module = nn.Linear(2, 2)
    module.weight = nn.Parameter(torch.empty(2, 2, dtype=torch.bits8), False)
    support.raises(BurnpackError, lambda: torch_module(module).collect())


CLASS = """
import torch

class Net(torch.nn.Sequential):
    def __init__(self):
        super().__init__(torch.nn.Linear(2, 3))
"""


def test_the_command_line_takes_a_torch_class(tmp_path):
    file = tmp_path / "net.py"
    file.write_text(CLASS)
    assert set(paths(load_module(f"{file}:Net"))) == {"0.weight", "0.bias"}


def test_a_model_of_torchs_does_not_run_here_and_says_what_does(tmp_path):
    source = "from torch import nn\n\nclass Net(nn.Linear):\n    def __init__(self):\n"
    (tmp_path / "net.py").write_text(source + "        super().__init__(3, 2)\n")
    error = support.raises(Unsupported, load_runnable, "%s:Net" % (tmp_path / "net.py"))
    assert "describe it in burnrt.nn" in str(error)
