"""Exported graphs, described as classes."""

from pathlib import Path

import numpy as np
import pytest

from burnpack.errors import Unsupported
from burnstore.aten import described
from burnstore.classes.description import Attribute, LayerOf, Name
from burnstore.exported.graph import Graph, Node, Place, Ref, Spec
from burnstore.exported.opening import graph_of
from burnstore.io.opened import open_model

DATA = Path(__file__).parents[2] / "data" / "pt2"
FILES = sorted(DATA.glob("*.pt2"))
NETWORK = Place("", "net.Net")


def no_parameters(name):
    raise AssertionError(f"{name} is read")


def graph(*nodes, inputs=None, outputs, parameters=None, shapes=None):
    """Return a graph in which every value that is not said otherwise is F32 (2, 3)."""
    specs = {name: Spec("F32", (2, 3)) for node in nodes for name in node.outputs}
    inputs = {"x": (2, 3)} if inputs is None else inputs
    specs.update({name: Spec("F32", shape) for name, shape in {**inputs, **(shapes or {})}.items()})
    wanted = [Ref(name) for name in outputs]
    return Graph(list(inputs), wanted, parameters or {}, specs, list(nodes), list(inputs))


def node(operation, makes, places=(NETWORK,), source="", **arguments):
    return Node(makes, f"aten.{operation}", arguments, (makes,), places, source)


def lines_of(found):
    return [(line.call, line.arguments, line.keywords) for line in found.lines]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_layers_have_the_parameters_of_the_file(path):
    with open_model(path) as opened:
        graph = graph_of(opened.reader)
        found = described(graph, opened.array)
        names = set(opened.names())
    owners = {name.rpartition(".")[0] for name in names}
    kinds = ("Linear", "Conv1d", "Conv2d", "Gru", "GRUCell", "Lstm")
    with_parameters = {path for path, layer in found.layers.items() if layer.kind in kinds}
    assert with_parameters
    assert with_parameters <= owners
    assert set(found.parameters) - set(found.constants) <= names


def test_all_operations_that_nothing_computes_are_named_at_once_with_their_places():
    block = Place("block.2", "net.Block")
    strange = [
        node("sinc.default", "a", self=Ref("x")),
        node("i0.default", "b", (NETWORK, block), "net.py:7: return torch.i0(x)", self=Ref("a")),
        node("i0.default", "c", (NETWORK, block), self=Ref("b")),
    ]
    with pytest.raises(Unsupported) as raised:
        described(graph(*strange, outputs=["c"]), no_parameters)
    told = str(raised.value)
    assert "aten.sinc.default (a)" in told
    assert "aten.i0.default (in block.2, net.py:7: return torch.i0(x), 2 times)" in told
    assert "found 3 of 3 operations" in told


def test_what_nobody_reads_is_left_out_even_if_nothing_computes_it():
    nodes = [node("i0.default", "a", self=Ref("x")), node("relu.default", "b", self=Ref("x"))]
    found = described(graph(*nodes, outputs=["b"]), no_parameters)
    assert lines_of(found) == [("relu", (Name("x"),), {})]


def test_the_core_form_of_a_linear_is_the_layer():
    parameters = {"w": "fc.weight", "c": "fc.bias"}
    nodes = [
        node("permute.default", "t", self=Ref("w"), dims=(1, 0)),
        node("addmm.default", "y", self=Ref("c"), mat1=Ref("x"), mat2=Ref("t")),
    ]
    shapes = {"w": (4, 3), "c": (4,), "t": (3, 4), "y": (2, 4)}
    found = described(graph(*nodes, outputs=["y"], parameters=parameters, shapes=shapes), no_parameters)
    assert found.layers == {"fc": LayerOf("Linear", (3, 4))}


def test_a_weight_that_is_used_in_two_ways_stays_as_it_is():
    parameters = {"w": "head.weight"}
    nodes = [
        node("embedding.default", "e", weight=Ref("w"), indices=Ref("x")),
        node("linear.default", "y", input=Ref("e"), weight=Ref("w")),
    ]
    shapes = {"x": (2,), "w": (5, 3), "e": (2, 3), "y": (2, 5)}
    made = graph(*nodes, inputs={"x": (2,)}, outputs=["y"], parameters=parameters, shapes=shapes)
    found = described(made, no_parameters)
    assert found.layers == {}
    assert lines_of(found) == [
        ("embedding", (Name("x"), Attribute("head.weight")), {}),
        ("linear", (Name("e"), Attribute("head.weight")), {}),
    ]


def test_an_operation_in_place_is_the_one_that_makes_a_new_value():
    nodes = [node("relu_.default", "r", self=Ref("x")), node("neg.default", "y", self=Ref("r"))]
    found = described(graph(*nodes, outputs=["y"]), no_parameters)
    assert lines_of(found) == [("relu", (Name("x"),), {}), ("neg", (Name("r"),), {})]


def test_a_constant_that_an_operation_needs_is_read_when_it_is_needed():
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    parameters = {"w": "scale"}
    nodes = [
        node("view.default", "v", self=Ref("w"), size=(3, 2)),
        node("view.default", "back", self=Ref("v"), size=(2, 3)),
        node("prelu.default", "y", self=Ref("x"), weight=Ref("x")),
    ]
    shapes = {"w": (2, 3), "v": (3, 2)}
    made = graph(
        *nodes[:2],
        node("add.Tensor", "y", self=Ref("x"), other=Ref("back")),
        outputs=["y"],
        parameters=parameters,
        shapes=shapes,
    )
    found = described(made, {"scale": numbers}.__getitem__)
    assert list(found.constants) == ["constant_0"]
    assert (found.constants["constant_0"] == numbers).all()


def test_a_batch_norm_in_training_is_refused():
    parameters = {"m": "bn.running_mean", "v": "bn.running_var"}
    norm = node(
        "batch_norm.default", "y", input=Ref("x"), running_mean=Ref("m"), running_var=Ref("v"), training=True
    )
    made = graph(norm, outputs=["y"], parameters=parameters, shapes={"m": (3,), "v": (3,)})
    with pytest.raises(Unsupported, match=r"export the network with net\.eval\(\)"):
        described(made, no_parameters)


def test_a_cosine_similarity_divides_each_value_by_its_norm_along_the_dimension_of_their_common_shape():
    shapes = {"b": (3,), "cosine": (2,)}
    made = node("cosine_similarity.default", "cosine", x1=Ref("a"), x2=Ref("b"), dim=-1)
    inputs = {"a": (2, 3), "b": (3,)}
    found = described(graph(made, inputs=inputs, outputs=["cosine"], shapes=shapes), no_parameters)
    calls = [line.call for line in found.lines]
    assert calls == ["norm", "clamp", "div", "expand", "norm", "clamp", "div", "mul", "sum"]
    assert {line.keywords["dim"] for line in found.lines if line.call in ("norm", "sum")} == {1}
    assert {line.keywords["min"] for line in found.lines if line.call == "clamp"} == {1e-8}


@pytest.mark.parametrize("operation", ["index.Tensor", "index_select.default"])
def test_known_indices_count_from_the_end_where_they_are_negative_and_are_no_parameter(operation):
    shapes = {"x": (2, 3), "w": (2,), "y": (2, 2)}
    given = {"indices": (None, Ref("w"))} if operation == "index.Tensor" else {"dim": -1, "index": Ref("w")}
    nodes = [node(operation, "y", self=Ref("x"), **given)]
    made = graph(*nodes, outputs=["y"], parameters={"w": "places"}, shapes=shapes)
    made.specs["w"] = Spec("I64", (2,))
    found = described(made, lambda name: np.float32([-1, 0]))
    assert lines_of(found) == [("index_select", (Name("x"), 1, (2, 0)), {})]
    assert found.parameters == {}


def test_indices_that_depend_on_an_input_are_refused():
    nodes = [node("index_select.default", "y", self=Ref("x"), dim=0, index=Ref("x"))]
    with pytest.raises(Unsupported, match="indices that depend on an input"):
        described(graph(*nodes, outputs=["y"]), no_parameters)


def test_a_tensor_of_whole_numbers_becomes_one_of_floats_beside_it():
    nodes = [node("mul.Tensor", "y", self=Ref("x"), other=Ref("w"))]
    made = graph(*nodes, outputs=["y"], parameters={"w": "powers"}, shapes={"w": (3,)})
    made.specs["w"] = Spec("I64", (3,))
    found = described(made, lambda name: np.float32([1, 2, 4]))
    assert lines_of(found) == [("mul", (Name("x"), Attribute("constant_0")), {})]
    assert found.constants["constant_0"].tolist() == [1, 2, 4]


def test_windows_without_a_stride_lie_side_by_side():
    nodes = [node("max_pool1d.default", "y", self=Ref("x"), kernel_size=(3,), stride=(), padding=(0,))]
    found = described(graph(*nodes, outputs=["y"]), no_parameters)
    assert lines_of(found) == [("max_pool1d", (Name("x"), (3,)), {"padding": (0,)})]


def test_a_number_of_a_row_stays_a_value():
    nodes = [node("select.int", "y", self=Ref("x"), dim=0, index=-1)]
    found = described(graph(*nodes, inputs={"x": (4,)}, outputs=["y"], shapes={"y": ()}), no_parameters)
    assert [line[0] for line in lines_of(found)] == ["getitem", "reshape"]
    assert lines_of(found)[0][1] == (Name("x"), (slice(-1, None),))


def test_two_modules_that_share_a_weight_call_functions():
    parameters = {"w": "a.weight", "p": "a.bias", "q": "b.bias"}
    nodes = [
        node("linear.default", "y", input=Ref("x"), weight=Ref("w"), bias=Ref("p")),
        node("linear.default", "z", input=Ref("y"), weight=Ref("w"), bias=Ref("q")),
    ]
    shapes = {"w": (3, 3), "p": (3,), "q": (3,)}
    found = described(graph(*nodes, outputs=["z"], parameters=parameters, shapes=shapes), no_parameters)
    assert found.layers == {}
    assert [line[0] for line in lines_of(found)] == ["linear", "linear"]


def test_strides_of_memory_that_say_a_shape_are_one_and_others_are_refused():
    def strided(stride):
        nodes = [
            node("mean.dim", "m", self=Ref("x"), dim=(0,)),
            node("as_strided.default", "y", self=Ref("m"), size=(1, 3), stride=stride),
        ]
        made = graph(*nodes, outputs=["y"], shapes={"m": (3,), "y": (1, 3)})
        return lines_of(described(made, no_parameters))

    assert strided((7, 1))[1] == ("reshape", (Name("m"), (1, 3)), {})
    with pytest.raises(Unsupported, match="by strides of memory"):
        strided((3, 2))


@pytest.mark.parametrize("operation", ["dropout.default", "native_dropout.default"])
def test_a_dropout_in_training_is_refused_and_one_at_rest_is_nothing(operation):
    def dropped(train):
        drop = node(operation, "d", input=Ref("x"), p=0.5, train=train)
        made = graph(drop, node("neg.default", "y", self=Ref("d")), outputs=["y"])
        return lines_of(described(made, no_parameters))

    assert dropped(False) == [("neg", (Name("x"),), {})]
    with pytest.raises(Unsupported, match=r"call net\.eval\(\)"):
        dropped(True)


def test_alphas_that_are_broadcast_scale_what_is_negative():
    parameters = {"w": "act.weight"}
    prelu = node("_prelu_kernel.default", "y", self=Ref("x"), weight=Ref("w"))
    made = graph(prelu, outputs=["y"], parameters=parameters, shapes={"w": (1, 3)})
    found = lines_of(described(made, no_parameters))
    assert [line[0] for line in found] == ["clamp", "clamp", "mul", "add"]
    assert found[2][1] == (Name("y.negative"), Attribute("act.weight"))


def test_equal_constants_are_one():
    nodes = [node("full.default", name, size=(2, 3), fill_value=4) for name in ("a", "b")]
    nodes += [node("add.Tensor", "c", self=Ref("x"), other=Ref("a"))]
    nodes += [node("add.Tensor", "y", self=Ref("c"), other=Ref("b"))]
    assert list(described(graph(*nodes, outputs=["y"]), no_parameters).constants) == ["constant_0"]
