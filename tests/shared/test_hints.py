"""What is offered where names do not match: the mistake, and the option that mends it."""

from burnpack.adapters import HalfPrecisionAdapter, PyTorchToBurnAdapter
from burnpack.hints import hints_for
from burnpack.module import Enum, Module, Param
from burnpack.tensor import Tensor
from small_models import BatchNorm, Conv2d, Layer, Linear, PRelu

FROM_TORCH = PyTorchToBurnAdapter()


class Activation(Enum):
    pass


class Net(Module):
    def __init__(self):
        self.conv = Conv2d(weight=(2, 1, 3, 3), bias=(2,))
        self.norm = BatchNorm(gamma=(2,), beta=(2,))
        self.fc = Linear(weight=(8, 3), bias=(3,))


class Chosen(Module):
    def __init__(self):
        self.act = Activation(PRelu=PRelu(alpha=(2,)))


TORCH = (
    ("conv.weight", (2, 1, 3, 3)),
    ("conv.bias", (2,)),
    ("norm.weight", (2,)),
    ("norm.bias", (2,)),
    ("fc.weight", (3, 8)),
    ("fc.bias", (3,)),
)


def tensors(shapes, prefix=""):
    found = []
    for name, shape in shapes:
        size = Tensor("", "F32", shape, None).nbytes
        found.append(Tensor(prefix + name, "F32", shape, bytes(size)))
    return found


def hints(module, source, adapter=None, skip=False):
    result = module.apply(source, None, adapter, skip)
    text = str(result)
    for hint in hints_for(result):
        assert "help: " + hint in text.split("\n")
    return hints_for(result)


def holding(**parts):
    module = Module()
    for name, value in parts.items():
        setattr(module, name, value)
    return module


def test_a_prefix_of_all_names_is_told_with_the_option_that_takes_it_off():
    for prefix, pattern in (
        ("module.", "^module\\."),
        ("_orig_mod.", "^_orig_mod\\."),
        ("model.", "^model\\."),
        ("net.backbone.", "^net\\.backbone\\."),
        ("module._orig_mod.", "^module\\._orig_mod\\."),
    ):
        found = hints(Net(), tensors(TORCH, prefix), FROM_TORCH)
        assert len(found) == 1 and 'strip_prefixes("%s")' % prefix in found[0], found
        assert 'with_key_remapping(r"%s", "")' % pattern in found[0]


def test_what_a_compiled_part_leaves_in_the_middle_is_told():
    module = holding(encoder=Net())
    source = tensors([("encoder._orig_mod." + name, shape) for name, shape in TORCH])
    found = hints(module, source, FROM_TORCH)
    assert len(found) == 1 and 'strip_prefixes("_orig_mod.")' in found[0]


def test_a_prefix_that_only_the_model_has_is_told():
    module = holding(model=Net())
    found = hints(module, tensors(TORCH), FROM_TORCH)
    assert len(found) == 1 and 'with_key_remapping("^", "model.")' in found[0], found


def test_pytorchs_names_without_an_adapter_are_told():
    for adapter in (None, HalfPrecisionAdapter()):
        found = hints(Net(), tensors(TORCH), adapter)
        assert len(found) == 1 and "with_from_adapter(PyTorchToBurnAdapter())" in found[0], found
    assert hints(Net(), tensors(TORCH), FROM_TORCH) == []


def test_an_adapter_that_is_there_is_not_offered_again():
    for adapter in (FROM_TORCH, HalfPrecisionAdapter().chain(FROM_TORCH)):
        found = hints(Net(), tensors(TORCH, "module."), adapter)
        assert not [hint for hint in found if "PyTorchToBurnAdapter" in hint], found


def test_a_matrix_the_other_way_round_is_told_by_whose_it_is():
    only = [("fc.weight", (3, 8)), ("fc.bias", (3,))]
    module = holding(fc=Linear(weight=(8, 3), bias=(3,)))
    assert "as PyTorch has it: with_from_adapter(PyTorchToBurnAdapter())" in hints(module, tensors(only))[0]
    burns = [("fc.weight", (8, 3)), ("fc.bias", (3,))]
    assert "without PyTorchToBurnAdapter" in hints(module, tensors(burns), FROM_TORCH)[0]


def test_numbers_of_inputs_and_outputs_that_are_swapped_are_told_by_the_bias():
    module = holding(fc=Linear(weight=(3, 8), bias=(8,)))
    found = hints(module, tensors([("fc.weight", (3, 8)), ("fc.bias", (3,))]), FROM_TORCH)
    assert len(found) == 1 and found[0].startswith("fc has") and "swap its arguments" in found[0], found


def test_options_are_named_with_the_command_that_has_them():
    for prefix in ("", "module.", "net.backbone."):
        for hint in hints(Net(), tensors(TORCH, prefix)):
            assert " --" not in hint.replace("convert --", ""), hint


def test_a_variants_name_is_told_with_the_option_that_leaves_it_out():
    for source, adapter in ((["act.alpha"], None), (["act.weight"], FROM_TORCH)):
        found = hints(Chosen(), tensors([(name, (2,)) for name in source]), adapter)
        assert len(found) == 1 and "PRelu: skip_enum_variants(True)" in found[0], found
    found = hints(Chosen(), tensors([("act.weight", (2,))]))
    assert len(found) == 2 and "PyTorchToBurnAdapter" in found[1]
    assert hints(Chosen(), tensors([("act.weight", (2,))]), FROM_TORCH, True) == []


def test_all_mistakes_at_once_are_all_told():
    found = hints(Chosen(), tensors([("module.act.weight", (2,))]))
    assert len(found) == 3
    for hint, words in zip(found, ("strip_prefixes", "skip_enum_variants", "PyTorchToBurnAdapter")):
        assert words in hint


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
        (BatchNorm2d(gamma=(2,)), ("x.weight", (2,)), "layer BatchNorm2d: if it is Burn's BatchNorm"),
        (PReLU(alpha=(2,)), ("x.weight", (2,)), "layer PReLU: if it is Burn's PRelu"),
        (MyLinear(weight=(8, 3)), ("x.weight", (3, 8)), "layer MyLinear: if it is Burn's Linear"),
        (Whitening(gamma=(2,)), ("x.weight", (2,)), 'with_key_remapping(r"x\\.weight$", "x.gamma")'),
    ):
        found = hints(holding(x=layer), tensors([source]), FROM_TORCH)
        assert len(found) == 1 and words in found[0], found


def test_what_can_not_be_told_is_loaded_in_part_at_most():
    assert hints(Net(), tensors([("other.scale", (2,))]), FROM_TORCH) == [
        "no name of the file's is one of the model's: is the file another model's?"
    ]
    partly = holding(fc=Linear(bias=(3,)), n=Param((1,)))
    assert hints(partly, tensors([("n", (1,))])) == [
        "allow_partial(True), or convert --allow-partial, loads what there is"
    ]
    assert hints(holding(n=Param((1,), "I64")), tensors([("n", (1,))])) == []


def test_a_name_behind_several_prefixes_is_not_guessed():
    module = holding(fc=Linear(bias=(3,)))
    source = tensors([("a.fc.bias", (3,)), ("b.fc.bias", (3,))])
    result = module.apply(source)
    assert hints_for(result) == ["no name of the file's is one of the model's: is the file another model's?"]


def test_the_missing_line_names_what_is_meant():
    lines = str(Net().apply(tensors(TORCH, "module."))).split("\n")
    assert "missing: norm.gamma (is it module.norm.weight?)" in lines
    lines = str(Chosen().apply(tensors([("act.weight", (2,))]))).split("\n")
    assert "missing: act.PRelu.alpha (is it act.weight?)" in lines


def test_names_from_a_file_can_not_break_a_hint():
    found = hints(holding(fc=Linear(bias=(3,))), tensors([("\x1b[0m\n.fc.bias", (3,))]))
    assert all([" " <= letter < "\x7f" for hint in found for letter in hint]) and len(found) == 1
