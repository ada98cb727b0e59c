"""Walking modules: which parameters there are, under which names, in which containers."""

from burnpack.compat import ON_BOARD
from burnpack.errors import LimitExceeded, LoadFailed, SaveFailed, Unsupported
from burnpack.module import Module, Param, walk
from burnpack.qfloat import QFloat
from kit import support
from kit.models.small_models import NET, BatchNorm, Layer, Linear, Net


class Empty(Module):
    pass


def module_with(**attributes):
    module = Empty()
    for name, value in attributes.items():
        setattr(module, name, value)
    return module


def paths(module):
    return [path for path, _, _ in walk(module)]


def test_each_parameter_is_found_under_its_path_and_within_its_containers():
    found = sorted([(path, containers) for path, containers, _ in walk(Net())])
    assert found == sorted(
        [
            ("fc.weight", ("Struct:Net", "Struct:Linear")),
            ("fc.bias", ("Struct:Net", "Struct:Linear")),
            ("blocks.0.gamma", ("Struct:Net", "Vec", "Struct:BatchNorm")),
            ("blocks.0.beta", ("Struct:Net", "Vec", "Struct:BatchNorm")),
            ("blocks.1.gamma", ("Struct:Net", "Vec", "Struct:BatchNorm")),
            ("blocks.1.beta", ("Struct:Net", "Vec", "Struct:BatchNorm")),
            ("steps", ("Struct:Net",)),
        ]
    )


def test_parameters_come_in_the_order_in_which_they_were_made():
    if ON_BOARD:
        support.skip("MicroPython keeps no order of attributes")
    assert paths(Net()) == NET


def test_items_of_lists_and_tuples_come_in_their_order_on_every_interpreter():
    nested = module_with(x=[Param((1,)), (Param((2,)), [Param((3,)), Param((4,))]), Linear(weight=(5,))])
    assert paths(nested) == ["x.0", "x.1.0", "x.1.1.0", "x.1.1.1", "x.2.weight"]
    assert [param.shape for _, _, param in walk(nested)] == [(1,), (2,), (3,), (4,), (5,)]
    containers = [containers for _, containers, _ in walk(nested)]
    assert containers[0] == ("Struct:Empty", "Vec")
    assert containers[1] == ("Struct:Empty", "Vec", "Tuple")
    assert containers[2] == ("Struct:Empty", "Vec", "Tuple", "Vec")
    assert containers[4] == ("Struct:Empty", "Vec", "Struct:Linear")


def test_what_is_no_part_of_the_model_is_passed_over():
    module = module_with(
        name="net",
        kernel=(3, 3),
        sizes=[1, 2, 3],
        nothing=None,
        empty=[],
        table={"a": 1, (2,): {3, "b"}},
        function=len,
        raw=b"\0" * 100,
        _private=Param((1,)),
        _cache=[Linear(weight=(1,))],
        kept=Param((7,)),
    )
    assert paths(module) == ["kept"]
    assert [name for name, _ in module.children()] == ["kept"]
    assert paths(Empty()) == []


def test_parts_without_an_order_or_a_name_are_refused_and_never_passed_over():
    for held in (
        {"a": Param((1,))},
        {Param((1,))},
        {"a": {"b": [Linear(weight=(1,))]}},
        [{1: Linear()}],
        (set([Linear()]),),
    ):
        error = support.raises(Unsupported, paths, module_with(kept=Param((7,)), deep=module_with(held=held)))
        assert error.item.startswith("deep.held") and error.found in ("dict", "set"), str(error)


def test_items_keep_their_own_indices_among_others():
    module = module_with(layers=[None, Linear(weight=(1,)), "relu", 3, Linear(weight=(2,))])
    assert paths(module) == ["layers.1.weight", "layers.4.weight"]


def test_a_parameter_under_two_names_is_met_under_both():
    shared = Param((4, 4))
    module = module_with(both=[module_with(weight=shared), module_with(weight=shared)])
    found = [(path, param) for path, _, param in walk(module)]
    assert [path for path, _ in found] == ["both.0.weight", "both.1.weight"]
    assert found[0][1] is found[1][1] is shared


def test_a_module_under_two_names_is_met_under_both():
    layer = Linear(weight=(1, 1))
    assert paths(module_with(pair=(layer, layer))) == ["pair.0.weight", "pair.1.weight"]


def test_a_module_that_contains_itself_is_refused():
    inner, outer = Empty(), Empty()
    inner.outer, outer.inner = outer, inner
    alone, listed, tupled = Empty(), Empty(), Empty()
    alone.alone = alone
    listed.items = [listed]
    endless = []
    endless.append((endless,))
    tupled.items = endless
    for module in (inner, alone, listed, tupled):
        error = support.raises(LimitExceeded, paths, module)
        assert "nested too deeply" in str(error) and "itself" in str(error)


def test_a_deep_model_is_walked_and_a_bottomless_one_is_not():
    for depth, good in ((10, True), (60, True), (64, True), (65, False), (3000, False)):
        inside = Param((1,))
        for _ in range(depth):
            inside = [inside]
        module = module_with(x=inside)
        if good:
            assert paths(module) == ["x" + ".0" * depth]
        else:
            support.raises(LimitExceeded, paths, module)


def test_a_module_may_say_itself_what_its_children_are():
    class Renamed(Module):
        def __init__(self):
            self._hidden = [Param((1,)), Param((2,))]

        def children(self):
            return [("first", self._hidden[0]), ("label", "no part"), ("second", self._hidden[1])]

        def container(self):
            return "Vec"

    found = [(path, containers) for path, containers, _ in walk(module_with(it=Renamed()))]
    assert found == [("it.first", ("Struct:Empty", "Vec")), ("it.second", ("Struct:Empty", "Vec"))]


def test_a_parameter_knows_its_size_in_its_present_dtype():
    for shape, dtype, size in (
        ((2, 3), "F32", 24),
        ((), "F64", 8),
        ((0, 5), "F32", 0),
        ([7], "BF16", 14),
        ((3,), "Bool(U32)", 12),
        ((3, 10), QFloat(), 34),
    ):
        param = Param(shape, dtype)
        assert param.nbytes() == size and param.shape == tuple(shape) and param.data is None
    assert repr(Param([2, 3])) == "Param((2, 3), F32, no data)"
    assert repr(Param((), "I8", b"\1")) == "Param((), I8)"


def test_a_call_is_a_forward_pass():
    class Sum(Module):
        def forward(self, *inputs):
            return sum(inputs)

    assert Sum()(1, 2, 3) == 6


def test_the_class_names_the_container():
    class Mine(BatchNorm):
        pass

    assert Mine(gamma=(1,)).container() == "Struct:Mine" and Layer().container() == "Struct:Layer"


def test_what_is_no_store_is_told_so():
    for error, method in ((LoadFailed, Net().load_from), (SaveFailed, Net().save_into)):
        found = support.raises(error, method, "model.bpk")
        assert "a store is needed" in str(found) and "model.bpk" in str(found)
