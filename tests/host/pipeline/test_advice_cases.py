"""What is said of each usual mistake, by which call and by which option."""

import pytest

from burnpack.adapters import HalfPrecisionAdapter
from burnpack.errors import LoadFailed
from burnpack.module import Module, Param
from burnpack.safetensors_writer import Writer
from burnpack.writer import Writer as BurnpackWriter
from burnstore.numerics.adapters import PyTorchToBurnAdapter
from burnstore.stores import PytorchStore, SafetensorsStore
from kit import support
from kit.models.mistakes import Wrapped, checkpoint, tensor
from kit.models.small_models import BatchNorm, Conv2d, Layer, Linear

FROM_TORCH = PyTorchToBurnAdapter()
TORCH = {
    "conv.weight": (2, 1, 3, 3),
    "conv.bias": (2,),
    "norm.weight": (2,),
    "norm.bias": (2,),
    "fc.weight": (3, 8),
    "fc.bias": (3,),
}


class Net(Module):
    def __init__(self):
        self.conv = Conv2d(weight=(2, 1, 3, 3), bias=(2,))
        self.norm = BatchNorm(gamma=(2,), beta=(2,))
        self.fc = Linear(weight=(8, 3), bias=(3,))


class Row(Module):
    def __init__(self, *widths):
        self.layers = [Linear(weight=(8, width), bias=(width,)) for width in widths]


def holding(**parts):
    module = Module()
    for name, value in parts.items():
        setattr(module, name, value)
    return module


def tensors(shapes, prefix=""):
    return [tensor(prefix + name, shape) for name, shape in shapes.items()]


def store(found, adapter=FROM_TORCH, of=SafetensorsStore):
    writer = Writer if of is SafetensorsStore else BurnpackWriter
    return of.from_bytes(writer(found).to_bytes()).with_from_adapter(adapter)


def advised(module, source):
    """Return what the error of a load says that helps, without "help: "."""
    error = support.raises(LoadFailed, module.load_from, source)
    return [line[6:] for line in str(error).split("\n") if line.startswith("help: ")]


# what the file's names begin with, beside what, and the call that is advised
PREFIXED = (
    ("module.", {}, 'strip_prefixes("module.")'),
    ("module.", {"n_averaged": ()}, 'strip_prefixes("module.")'),  # torch.optim.swa_utils.AveragedModel
    ("model.", {"criterion.weight": (10,)}, 'strip_prefixes("model.")'),
    ("bert.", {"cls.bias": (7,), "cls.weight": (7, 7)}, 'strip_prefixes("bert.")'),
    ("net.", {}, 'strip_prefixes("net.")'),
    ("0.", {"1.weight": (9, 9)}, 'strip_prefixes("0.")'),
    ("_orig_mod.", {}, 'strip_prefixes("_orig_mod.")'),
    ("module._orig_mod.", {}, 'strip_prefixes("module._orig_mod.")'),
    ("net.backbone.", {}, 'strip_prefixes("net.backbone.")'),
    ("state_dict.model.", {"epoch": ()}, 'strip_prefixes("state_dict.model.")'),
)


@pytest.mark.parametrize(("prefix", "strangers", "call"), PREFIXED)
def test_a_prefix_of_the_files_is_taken_off(prefix, strangers, call):
    (line,) = advised(Net(), store(tensors(TORCH, prefix) + tensors(strangers)))
    assert line == f'the file\'s names begin with "{prefix}": {call} takes it off' or prefix == "_orig_mod."
    assert call in line


def test_what_a_compiled_part_leaves_in_the_middle_is_taken_off():
    (line,) = advised(Wrapped(Net()), store(tensors(TORCH, "backbone._orig_mod.")))
    assert 'strip_prefixes("_orig_mod.") takes it off' in line


def test_a_prefix_that_only_the_model_has_is_put_before_the_files():
    (line,) = advised(Wrapped(Net()), store(tensors(TORCH) + tensors({"n_averaged": ()})))
    assert line.startswith('the model\'s names begin with "backbone."') and 'r"^", "backbone."' in line
    module = holding(backbone=Net(), head=Linear(weight=(3, 2), bias=(2,)))
    head = {"head.weight": (2, 3), "head.bias": (2,)}
    lines = advised(module, store(tensors(TORCH) + tensors(head)))
    assert len(lines) == 1 and 'with_key_remapping(r"^(conv|fc|norm)\\.", "backbone.$1.")' in lines[0]


def test_a_part_that_is_called_otherwise_gets_the_models_name():
    source = [each.renamed("old." + each.name) for each in tensors(TORCH)]
    error = support.raises(LoadFailed, holding(encoder=Net()).load_from, store(source))
    lines = str(error).split("\n")
    assert [line for line in lines if line.startswith("missing: ")] == [
        f"missing: encoder.{name} (is it old.{theirs}?)"
        for name, theirs in zip(
            ("conv.weight", "conv.bias", "norm.gamma", "norm.beta", "fc.weight", "fc.bias"),
            TORCH,
            strict=True,
        )
    ]
    assert r'with_key_remapping(r"^old\.", "encoder.") gives them those of the model' in lines[-1]


def test_gaps_in_the_numbers_are_closed_where_a_store_can():
    source = tensors(
        {
            f"layers.{2 * n}.{name}": s
            for n, w in enumerate((5, 6))
            for name, s in (("weight", (w, 8)), ("bias", (w,)))
        }
    )
    (line,) = advised(Row(5, 6), store(source))
    assert "map_indices_contiguous(True) gives them these" in line


def test_a_layout_is_told_once_and_only_where_it_is_another():
    for adapter in (None, HalfPrecisionAdapter()):
        (line,) = advised(Net(), store(tensors(TORCH), adapter))
        assert "with_from_adapter(PyTorchToBurnAdapter()) reads these" in line
    for adapter in (FROM_TORCH, HalfPrecisionAdapter().chain(FROM_TORCH)):
        assert "Adapter" not in "".join(advised(Net(), store(tensors(TORCH, "net."), adapter)))
    burns = {"fc.weight": (8, 3), "fc.bias": (3,)}
    (line,) = advised(holding(fc=Linear(weight=(8, 3), bias=(3,))), store(tensors(burns)))
    assert "Burn's names and layout: with_from_adapter(IdentityAdapter())" in line


def test_numbers_of_inputs_and_outputs_that_are_swapped_are_told_by_the_bias():
    module = Net()
    module.fc = Linear(weight=(3, 8), bias=(8,))
    (line,) = advised(module, store(tensors(TORCH)))
    assert line.startswith("fc has the file's numbers") and line.endswith("swap its arguments")


def test_a_layer_that_no_adapter_knows_is_told_with_the_one_of_a_close_name():
    class BatchNorm2d(Layer):
        pass

    class PReLU(Layer):
        pass

    class MyLinear(Layer):
        pass

    class Whitening(Layer):
        pass

    for layer, source, words in (
        (BatchNorm2d(gamma=(2,)), {"x.weight": (2,)}, "layer BatchNorm2d: if it is Burn's BatchNorm"),
        (PReLU(alpha=(2,)), {"x.weight": (2,)}, "layer PReLU: if it is Burn's PRelu"),
        (MyLinear(weight=(8, 3)), {"x.weight": (3, 8)}, "layer MyLinear: if it is Burn's Linear"),
        (Whitening(gamma=(2,)), {"x.weight": (2,)}, 'with_key_remapping(r"x\\.weight$", "x.gamma")'),
    ):
        (line,) = advised(holding(x=layer), store(tensors(source)))
        assert words in line


def test_a_part_is_offered_only_where_most_is_there():
    most = {name: shape for name, shape in TORCH.items() if name != "fc.bias"}
    assert advised(Net(), store(tensors(most))) == ["allow_partial(True) loads what there is"]
    assert advised(Net(), store(tensors({"fc.bias": (3,), "x": (1,), "y": (1,)}))) == []


def test_the_key_of_a_checkpoint_that_was_not_meant_is_told():
    found = tensors(TORCH)
    source = PytorchStore.from_bytes(checkpoint(found, "ema")).with_top_level_key("")
    (line,) = advised(Net(), source)
    assert 'with_top_level_key("ema") takes these' in line


def test_only_what_can_be_typed_is_advised():
    for prefix in ("\x1b[0m.", 'a"b.', "a\\b.", "a$b.", "\u202e."):
        assert not [line for line in advised(Net(), store(tensors(TORCH, prefix))) if prefix in line]
    (line,) = advised(Net(), store(tensors(TORCH, "é重.")))
    assert 'strip_prefixes("é重.")' in line


def test_a_parameter_of_another_kind_is_no_name_to_mend():
    assert advised(holding(n=Param((1,), "I64")), store(tensors({"n": (1,)}))) == []
