"""Adapters one after the other."""

from burnpack.adapters import (
    ChainAdapter,
    Context,
    FloatCastAdapter,
    HalfPrecisionAdapter,
    IdentityAdapter,
    ModuleAdapter,
    PyTorchToBurnAdapter,
)
from burnpack.apply import match
from burnpack.errors import SaveFailed
from burnpack.listing import Listing
from burnpack.module import Module
from burnpack.tensor import Tensor
from kit import support
from kit.models.small_models import BatchNorm, Linear, filled

WITHIN = Context("net.weight", ("Struct:Net", "Struct:Linear"))


class Renaming(ModuleAdapter):
    """Renames a parameter, and knows its other name."""

    def __init__(self, old, new, other=None):
        self.old, self.new, self.other = old, new, other

    def adapt(self, tensor, context):
        head, dot, last = tensor.name.rpartition(".")
        return tensor.renamed(head + dot + self.new) if last == self.old else tensor

    def get_alternative_param_name(self, name, module_type):
        return self.other if name == self.old else None


class Plain:
    """An adapter that derives from nothing."""

    def adapt(self, tensor, context):
        return tensor.renamed(tensor.name + "!")

    def get_alternative_param_name(self, name, module_type):
        return None


def tensor(name="net.weight"):
    return Tensor(name, "U8", (2, 3), bytes(range(6)))


def test_the_second_adapter_takes_what_the_first_one_made():
    there = Renaming("weight", "a").chain(Renaming("a", "b"))
    assert there.adapt(tensor(), WITHIN).name == "net.b"
    other_way = Renaming("a", "b").chain(Renaming("weight", "a"))
    assert other_way.adapt(tensor(), WITHIN).name == "net.a"
    three = Renaming("weight", "a").chain(Renaming("a", "b")).chain(Renaming("b", "c"))
    assert three.adapt(tensor(), WITHIN).name == "net.c"


def test_classes_stand_for_adapters_without_arguments():
    chained = PyTorchToBurnAdapter().chain(HalfPrecisionAdapter)
    given = Tensor("net.weight", "F32", (1, 1), bytes(4))
    assert chained.adapt(given, WITHIN).dtype == "F16"
    assert ChainAdapter(HalfPrecisionAdapter, IdentityAdapter).adapt(given, WITHIN).dtype == "F16"


def test_other_names_are_asked_for_in_a_row():
    for first, second, expected in (
        (Renaming("gamma", "", "weight"), IdentityAdapter(), "weight"),
        (IdentityAdapter(), Renaming("gamma", "", "weight"), "weight"),
        (Renaming("gamma", "", "weight"), Renaming("weight", "", "scale"), "scale"),
        (Renaming("gamma", "", "weight"), Renaming("gamma", "", "scale"), "weight"),
        (IdentityAdapter(), IdentityAdapter(), None),
    ):
        assert first.chain(second).get_alternative_param_name("gamma", "Struct:X") == expected
        assert ChainAdapter(first, second).get_alternative_param_name("beta", "Struct:X") is None


def test_an_adapter_of_ones_own_can_be_chained():
    chain = IdentityAdapter().chain(Plain()).chain(Plain())
    assert chain.adapt(tensor(), WITHIN).name == "net.weight!!"
    assert chain.adapt_source("source", []) == "source" and chain.adapt_collected([]) == []


def test_a_chain_applies_both_to_a_module():
    module = Module()
    module.fc, module.bn = Linear(weight=(2, 3)), BatchNorm(gamma=(2,))
    source = [Tensor("fc.weight", "F32", (3, 2), bytes(24)), Tensor("bn.weight", "F32", (2,), bytes(8))]
    adapter = PyTorchToBurnAdapter().chain(HalfPrecisionAdapter())
    result = module.apply(source, None, adapter)
    assert sorted(result.applied) == ["bn.gamma", "fc.weight"] and result.errors == []
    assert (module.fc.weight.dtype, module.bn.gamma.dtype) == ("F16", "F32")
    tensors = filled(module).collect(None, FloatCastAdapter.to("F32").chain(FloatCastAdapter.to("BF16")))
    assert [found.dtype for found in tensors] == ["BF16", "BF16"]


def test_ten_adapters_in_a_row_read_nothing_until_the_bytes_are_asked_for():
    asked = []

    def data():
        asked.append(1)
        return bytes(24)

    chain = PyTorchToBurnAdapter()
    for number in range(9):
        chain = chain.chain(FloatCastAdapter.to(("F64", "F16", "F32")[number % 3]))
    module = Module()
    module.fc = Linear(weight=(2, 3))
    result, matches = match(module, Listing([Tensor("fc.weight", "F32", (3, 2), data)]), None, chain)
    assert result.applied == ["fc.weight"] and asked == []
    found = matches[0][1]
    assert (found.shape, found.dtype, found.nbytes) == ((2, 3), "F32", 24)
    assert asked == [] and bytes(found.data()) == bytes(24) and asked == [1]


def test_what_an_adapter_does_wrong_in_a_save_is_an_error_that_names_the_parameter():
    class Failing(ModuleAdapter):
        def adapt(self, tensor, context):
            raise ValueError("not my day")

    module = Module()
    module.fc = Linear(weight=(1, 1))
    error = support.raises(SaveFailed, filled(module).collect, None, Failing())
    assert str(error) == "fc.weight: the adapter failed: ValueError: not my day"
    error = support.raises(SaveFailed, filled(module).collect, None, Failing)
    assert error.item == "fc.weight"


def test_collecting_through_a_chain_reads_nothing_either():
    calls = []

    class Counting(PyTorchToBurnAdapter):
        @staticmethod
        def transpose(data, rows, columns, size):
            calls.append((rows, columns, size))
            return bytes(rows * columns * size)

    module = Module()
    module.fc = filled(Linear(weight=(2, 3)))
    tensors = module.collect(None, Counting().chain(Counting()).chain(IdentityAdapter()))
    assert calls == [] and tensors[0].shape == (2, 3)
    tensors[0].data()
    assert calls == [(2, 3, 4), (3, 2, 4)]


def test_an_adapter_sees_the_parameters_name_whatever_the_source_calls_it():
    seen = []

    class Watching(ModuleAdapter):
        def adapt(self, tensor, context):
            seen.append((tensor.name, context.path))
            return tensor

    module = Module()
    module.bn = BatchNorm(gamma=(2,))
    adapter = PyTorchToBurnAdapter().chain(Watching())
    module.apply([Tensor("bn.weight", "F32", (2,), bytes(8))], None, Watching().chain(adapter))
    assert seen == [("bn.gamma", "bn.gamma")] * 2
