"""Enum modules: one variant, whose name is in the path or left out of it."""

from burnpack.adapters import BurnToPyTorchAdapter, Context, PyTorchToBurnAdapter
from burnpack.context import without_variants
from burnpack.errors import BurnpackError
from burnpack.filter import PathFilter
from burnpack.module import Enum, Module, Param, walk
from burnpack.safetensors_store import SafetensorsStore
from burnpack.tensor import Tensor
from kit import support
from kit.models.small_models import Conv2d, Linear, PRelu, filled, params_of


class Activation(Enum):
    pass


class ConvType(Enum):
    """An enum whose variant is made as any attribute is."""

    def __init__(self, separable):
        self._kind = "private"
        self.groups = 3
        if separable:
            self.Separable = [Conv2d(weight=(1,)), Conv2d(weight=(1,))]
        else:
            self.BaseConv = Conv2d(weight=(2,), bias=(1,))


class Net(Module):
    def __init__(self, separable=False):
        self.feature = ConvType(separable)
        self.act = Activation(Prelu=PRelu(alpha=(3,)))
        self.fc = Linear(weight=(2, 3))


PATHS = ["act.Prelu.alpha", "fc.weight", "feature.BaseConv.bias", "feature.BaseConv.weight"]
BARE = ["act.alpha", "fc.weight", "feature.bias", "feature.weight"]


def sorted_names(tensors):
    return sorted([tensor.name for tensor in tensors])


def bytes_of(module):
    return dict([(path, bytes(param.data)) for path, param in params_of(module).items()])


def test_a_variants_name_is_in_the_path_and_its_class_among_the_containers():
    found = sorted([(path, containers) for path, containers, _ in walk(Net())])
    assert found == [
        ("act.Prelu.alpha", ("Struct:Net", "Enum:Activation", "Struct:PRelu")),
        ("fc.weight", ("Struct:Net", "Struct:Linear")),
        ("feature.BaseConv.bias", ("Struct:Net", "Enum:ConvType", "Struct:Conv2d")),
        ("feature.BaseConv.weight", ("Struct:Net", "Enum:ConvType", "Struct:Conv2d")),
    ]
    assert [path for path, _, _ in walk(Net(True)) if path.startswith("feature")] == [
        "feature.Separable.0.weight",
        "feature.Separable.1.weight",
    ]


def test_a_variant_may_be_a_parameter_an_enum_or_without_parameters():
    nested = Module()
    nested.a = Activation(Learnt=Param((1,)))
    nested.b = Activation(Outer=Activation(Inner=Linear(weight=(1,))))
    nested.c = Activation(Relu=Module())
    found = sorted([(path, containers) for path, containers, _ in walk(nested)])
    assert found == [
        ("a.Learnt", ("Struct:Module", "Enum:Activation")),
        (
            "b.Outer.Inner.weight",
            ("Struct:Module", "Enum:Activation", "Enum:Activation", "Struct:Linear"),
        ),
    ]
    assert sorted_names(filled(nested).collect(None, None, True)) == ["a", "b.weight"]


def test_an_enum_holds_exactly_one_variant():
    two = Activation(A=Param((1,)))
    two.B = Param((1,))
    for enum, found in ((Activation(), "none"), (two, "A, B"), (Activation(A=None, B=3), "none")):
        holder = Module()
        holder.act = enum
        error = support.raises(BurnpackError, lambda: list(walk(holder)))
        assert "Activation: not exactly one variant" in str(error) and error.found == found
    assert Activation(A=PRelu(), B=None).variant()[0] == "A"


def test_an_enum_called_is_its_variant_called():
    class Twice(Module):
        def forward(self, x):
            return 2 * x

    assert Activation(Twice=Twice())(21) == 42


def test_names_of_variants_are_left_out_of_what_is_collected():
    module = filled(Net())
    assert sorted_names(module.collect()) == PATHS
    assert sorted_names(module.collect(None, None, True)) == BARE
    assert sorted_names(module.collect(None, BurnToPyTorchAdapter(), True)) == [
        "act.weight",
        "fc.weight",
        "feature.bias",
        "feature.weight",
    ]


def test_tensors_are_found_with_and_without_the_names_of_variants():
    module = filled(Net())
    for tensors in (module.collect(), module.collect(None, None, True)):
        other = Net()
        result = other.apply(tensors, None, None, True)
        assert sorted(result.applied) == BARE and result.missing == result.unused == []
        assert bytes_of(other) == bytes_of(module)
    strict = Net().apply(module.collect(None, None, True))
    assert sorted([path for path, _ in strict.missing]) == [path for path in PATHS if path != "fc.weight"]
    assert sorted(strict.unused) == [name for name in BARE if name != "fc.weight"]


def test_the_name_without_a_variant_goes_before_the_one_with_it():
    module = Module()
    module.act = Activation(Prelu=PRelu(alpha=(1,)))
    both = [Tensor("act.Prelu.alpha", "U8", (1,), b"\1"), Tensor("act.alpha", "U8", (1,), b"\2")]
    module.act.Prelu.alpha.dtype = "U8"
    result = module.apply(both, None, None, True)
    assert bytes(module.act.Prelu.alpha.data) == b"\2" and result.unused == ["act.Prelu.alpha"]


def test_an_adapters_other_name_is_found_without_the_variant():
    module = Net()
    tensors = [Tensor("act.weight", "F32", (3,), b"\1" * 12), Tensor("fc.weight", "F32", (3, 2), bytes(24))]
    result = module.apply(tensors, None, PyTorchToBurnAdapter(), True)
    assert sorted(result.applied) == ["act.alpha", "fc.weight"] and result.unused == []
    assert bytes(module.act.Prelu.alpha.data) == b"\1" * 12 and module.fc.weight.shape == (2, 3)


def test_filters_see_the_paths_that_are_used():
    module = filled(Net())
    for skipped, path in ((False, "act.Prelu.alpha"), (True, "act.alpha")):
        only = PathFilter().with_full_path(path)
        assert sorted_names(module.collect(only, None, skipped)) == [path]
        result = Net().apply(module.collect(None, None, skipped), only, None, skipped)
        assert result.applied == [path] and len(result.skipped) == 3
    seen = []
    module.collect(PathFilter().with_predicate(lambda path, within: seen.append((path, within))), None, True)
    assert ("act.alpha", "Struct:Net.Enum:Activation.Struct:PRelu") in seen


def test_a_store_that_skips_variants_goes_there_and_back():
    module = filled(Net())
    store = SafetensorsStore.from_bytes().skip_enum_variants(True)
    module.save_into(store)
    assert store.keys() == BARE
    again = Net()
    again.load_from(SafetensorsStore.from_bytes(store.get_bytes()).skip_enum_variants(True))
    assert bytes_of(again) == bytes_of(module)


def test_a_path_is_told_without_variants():
    enum, struct = "Enum:E", "Struct:S"
    for path, containers, expected in (
        ("a.V.w", (struct, enum, struct), "a.w"),
        ("a.V.W.w", (struct, enum, enum, struct), "a.w"),
        ("V.w", (enum, struct), "w"),
        ("a.V", (struct, enum), "a"),
        ("a.V.w", (struct, struct, struct), "a.V.w"),
        ("a.w", (struct, enum, struct), "a.w"),  # told without them already
        ("a.w", (), "a.w"),
    ):
        assert without_variants(path, containers) == expected, (path, containers)


def test_the_layer_inside_an_enum_counts_for_adapters():
    assert Context("a.V.w", ("Struct:Net", "Enum:E", "Struct:PRelu")).module_type == "Struct:PRelu"
    assert Context("a.V", ("Struct:Net", "Enum:E")).module_type == "Enum:E"


def test_a_wrapper_around_a_parameter_is_passed_over():
    class Wrapper(Module):
        """As Burn's running state around a tensor."""

        def __init__(self, param):
            self.value = param

        def container(self):
            return "RunningState"

    norm = Linear()
    norm.weight = [Param((2, 3))]
    norm.scale = Wrapper(Param((1,)))
    kinds = [(path, Context(path, containers).module_type) for path, containers, _ in walk(norm)]
    assert sorted(kinds) == [("scale.value", "Struct:Linear"), ("weight.0", "Struct:Linear")]
