"""Rows, lists and dicts of layers, parameters of one's own, and layers that are nobody's."""

from collections import OrderedDict

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.module import Module as StoreModule
from burnpack.module import walk
from burnrt import kernels, nn, tensor
from kit import support


class Holder:
    """An object that is no module."""

    def __init__(self, **attributes):
        for name, value in attributes.items():
            setattr(self, name, value)


def paths(module):
    return sorted([path for path, _, _ in walk(module)])


def linear(outputs=2):
    return nn.Linear(2, outputs, False)


def net(**attributes):
    """Return a module with these attributes."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

    return Net()


def ordered():
    return OrderedDict([("zero", linear(3)), ("act", nn.ReLU()), ("one", nn.Linear(3, 1, False))])


def test_a_row_has_the_names_that_an_ordered_dict_gives_it():
    row = nn.Sequential(ordered())
    assert paths(net(features=row)) == ["features.one.weight", "features.zero.weight"]
    assert [name for name, _ in row.children()] == ["zero", "act", "one"]
    assert row.zero is row[0] and row[-1] is row.one and len(row) == 3
    assert list(row) == [row.zero, row.act, row.one]
    assert row.output_shape((5, 2)) == (5, 1)
    by_words = nn.Sequential(OrderedDict(conv0=nn.Conv2d(1, 4, 3), norm0=nn.BatchNorm2d(4)))
    assert [name for name, _ in by_words.children()] == ["conv0", "norm0"]


def test_a_part_of_a_row_is_a_row_with_the_same_names():
    row = nn.Sequential(ordered())
    assert [name for name, _ in row[1:].children()] == ["act", "one"]
    assert isinstance(row[:1], nn.Sequential) and row[:1][0] is row.zero
    numbered = nn.Sequential(linear(), nn.ReLU(), linear())
    assert paths(numbered[1:]) == ["2.weight"]
    assert paths(numbered.append(linear())) == ["0.weight", "2.weight", "3.weight"]


def test_a_named_row_computes_in_order():
    row = nn.Sequential(OrderedDict([("b", nn.Hardtanh(-1.0, 5.0)), ("a", nn.Softsign())]))
    found = list(row(tensor([-9, 9], (1, 2))).data)
    assert max(abs(found[0] + 0.5), abs(found[1] - 5 / 6)) < 1e-6


def test_a_dict_without_an_order_and_a_list_are_no_row():
    for given in ({"a": linear()}, [linear()], (linear(),), None, nn.Linear):
        assert support.raises(InvalidTensor, nn.Sequential, given).item == "Sequential"
    for name in ("", "a.b", "forward", "append", 3):
        error = support.raises(InvalidTensor, nn.Sequential, OrderedDict([(name, linear())]))
        assert "wrong name" in str(error)


def test_a_module_list_is_what_pytorchs_is():
    layers = nn.ModuleList([linear(), linear()])
    layers.extend([linear(3)]).insert(1, linear(4))
    assert [layer.weight.shape[1] for layer in layers] == [2, 4, 2, 3]
    assert paths(layers) == ["0.weight", "1.weight", "2.weight", "3.weight"]
    assert len(layers[1:]) == 2 + 1 and layers[-1].weight.shape == (2, 3)
    assert paths(layers[2:]) == ["0.weight", "1.weight"]
    assert paths(nn.ModuleList()) == paths(nn.ModuleList(None)) == []
    assert paths(nn.ModuleList((linear() for _ in range(2)))) == ["0.weight", "1.weight"]
    support.raises(InvalidTensor, nn.ModuleList, [[linear()]])


def test_a_module_dict_has_its_keys_as_names():
    pairs = [("b", linear(3)), ("a", linear())]
    for given in (pairs, OrderedDict(pairs), nn.ModuleDict(pairs)):
        layers = nn.ModuleDict(given)
        assert paths(net(layers=layers)) == ["layers.a.weight", "layers.b.weight"]
        assert layers.keys() == list(layers) == ["b", "a"] and layers.values()[0] is layers["b"]
        assert "a" in layers and "c" not in layers and len(layers) == 2
    layers["c"] = layers["a"] = linear(5)
    assert [module.weight.shape[1] for module in layers.values()] == [3, 5, 5]
    support.raises(KeyError, lambda: layers["z"])
    for name in ("", "a.b", 1):
        support.raises(InvalidTensor, nn.ModuleDict, [(name, linear())])
    support.raises(InvalidTensor, nn.ModuleDict, [("a", [linear()])])


def test_a_module_dict_of_a_plain_dict_is_walked_through_in_order_or_not_at_all():
    names = ["layer%d" % number for number in range(9, 0, -1)]
    layers = nn.ModuleDict({name: linear() for name in names})
    assert paths(layers) == sorted([name + ".weight" for name in names])
    assert layers["layer3"].weight.shape == (2, 2)
    try:
        assert layers.keys() == names
    except Unsupported as error:
        assert "OrderedDict" in str(error)


def test_a_parameter_has_the_shape_of_what_it_is_made_of():
    for given, shape in (
        ((3, 4), (3, 4)),
        ((), ()),
        (tensor([1, 2, 3, 4], (2, 2)), (2, 2)),
        ([1.0, 2.0], (2,)),
        ([[1, 2, 3], [4, 5, 6]], (2, 3)),
        (0.5, ()),
        (nn.Param((5,)), (5,)),
    ):
        parameter = nn.Parameter(given, requires_grad=False)
        assert parameter.shape == shape and parameter.data is None
    assert paths(net(scale=nn.Parameter((3,)))) == ["scale"]
    for given in (None, "3", [], [[1], [2, 3]], (1, 2.5), (-1,), [None]):
        assert support.raises(InvalidTensor, nn.Parameter, given).item == "Parameter"


def test_layers_in_a_plain_container_are_refused_by_the_attributes_name():
    for held, kind in (
        ([linear()], "list"),
        ((linear(), None), "tuple"),
        ({"a": linear()}, "dict"),
        (OrderedDict([("a", linear())]), "OrderedDict"),
        (set([linear()]), "set"),
        ([[linear()]], "list"),
        ({"a": [1, {"b": linear()}]}, "dict"),
        ([nn.Parameter((2,))], "list"),
        (Holder(layer=linear()), "Holder"),
        (Holder(layers=[linear()]), "Holder"),
    ):
        for name in ("layers", "_layers"):
            error = support.raises(Unsupported, paths, net(first=linear(), **{name: held}))
            assert error.item == "Net." + name and error.found == kind, str(error)
            assert "nn.Module" in str(error.expected)


def test_what_pytorch_would_say_instead_is_said():
    error = support.raises(Unsupported, paths, net(layers=[linear()]))
    assert error.expected == "nn.ModuleList"
    assert support.raises(Unsupported, paths, net(layers={1: linear()})).expected == "nn.ModuleDict"


def test_a_module_within_a_module_is_looked_at_too():
    error = support.raises(Unsupported, paths, net(block=net(convs=[linear()])))
    assert "convs" in error.item
    error = support.raises(Unsupported, paths, nn.Sequential(net(convs=[linear()])))
    assert "convs" in error.item


def test_a_list_of_layers_that_are_attributes_as_well_hides_nothing():
    one, blocks = linear(), nn.ModuleList([linear(), linear()])
    module = net(one=one, blocks=blocks)
    module.order = [blocks[1], one]
    module.by_name = {"one": one}
    module.helper = Holder(model=module, layer=one)
    assert paths(module) == ["blocks.0.weight", "blocks.1.weight", "one.weight"]
    module.order.append(linear())
    support.raises(Unsupported, paths, module)


def test_what_holds_no_layers_is_no_concern():
    module = net(
        one=linear(), sizes=[1, (2, 3)], table={"a": [1]}, kind=nn.Linear, call=len, empty=[], text="a"
    )
    module.holder = Holder(values=[1, 2], inner=Holder(text="b"))
    assert paths(module) == ["one.weight"]


def test_private_attributes_are_parts_as_in_pytorch():
    assert paths(net(_conv=linear())) == ["_conv.weight"]


def test_a_module_of_the_stores_keeps_burns_lists_and_tuples():
    module = StoreModule()
    module.layers = [linear(), (linear(),)]
    assert paths(module) == ["layers.0.weight", "layers.1.0.weight"]


def test_a_class_that_trained_in_torch_runs_with_its_import_exchanged():
    class Base(nn.Module):
        def __init__(self, width):
            super(Base, self).__init__()
            self.width = width

    class Net(Base):
        def __init__(self):
            super().__init__(2)
            self.features = nn.Sequential(
                nn.Dropout2d(0.1, inplace=True), nn.ReLU(inplace=True), nn.Upsample(scale_factor=2)
            )

        def forward(self, x):
            return self.features(x)

    found = Net()(tensor([-1, 2], (1, 1, 1, 2)))
    assert found.shape == (1, 1, 2, 4) and list(found.data) == [0, 0, 2, 2] * 2


def test_a_mean_by_a_divisor_and_a_row_of_same_padding_are_planned():
    model = nn.Sequential(
        nn.Conv2d(1, 1, 2, padding="same"), nn.ZeroPad2d(1), nn.AvgPool2d(2, divisor_override=3)
    )
    for _, _, param in walk(model):
        param.data = bytes([0, 0, 128, 63]) * (param.nbytes() // 4)
    given = [float(number) for number in range(9)]
    assert list(model.plan((1, 1, 3, 3))(given).data) == list(model(tensor(given, (1, 1, 3, 3))).data)


def test_a_logarithm_of_large_equal_numbers_is_what_it_is():
    for chosen in ("plain", kernels.in_use()[0]):
        kernels.use(chosen)
        for number in (0.0, 1e4, -1e4, 1e8, 1e30, -1e30):
            found = list(nn.LogSoftmax(1)(tensor([number] * 4, (1, 4))).data)
            assert max([abs(value + 1.3862944) for value in found]) < 1e-6, (chosen, number, found)
    kernels.use()
