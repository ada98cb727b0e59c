"""Pictures of exported programs: each operation once, and each value that flows between them."""

from pathlib import Path

import pytest

from burnpack.errors import Malformed
from burnstore.drawing.exported import picture_of_graph
from burnstore.drawing.folding import readable
from burnstore.drawing.formats import drawn
from burnstore.drawing.kinds import bare
from burnstore.drawing.sources import picture_of
from burnstore.exported.graph import Graph, Node, Place, Ref, Spec
from burnstore.exported.opening import graph_of
from burnstore.io.opened import OpenedFile
from kit import support

FILES = sorted(Path(support.path("tests/data/pt2")).glob("*.pt2"))
LEFT_OUT = {"dropout", "contiguous", "dequantize_per_tensor", "dequantize_per_channel", "zeros"}


def picture(name):
    path = support.path(f"tests/data/pt2/{name}.pt2")
    with OpenedFile(path) as opened:
        return picture_of(opened, name)


def titles(found):
    return [box.title for box in found.boxes]


def flows(found):
    return [(found.boxes[e.source].title, found.boxes[e.target].title, e.label) for e in found.edges]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_operation_is_a_box_but_those_without_effect(path):
    found = picture(path.stem)
    with OpenedFile(path) as opened:
        graph = graph_of(opened.reader)
    operations = [bare(node.operation) for node in graph.nodes]
    wanted = [name for name in operations if name not in LEFT_OUT]
    inputs, outputs = len(graph.inputs), len(graph.outputs)
    assert titles(found)[inputs : len(found.boxes) - outputs] == wanted
    assert all(edge.source < edge.target for edge in found.edges)
    reading = {edge.target for edge in found.edges}
    assert reading == set(range(inputs, len(found.boxes)))
    left_out = f", {len(operations) - len(wanted)} of them left out" if operations != wanted else ""
    assert f"{len(operations)} operations{left_out}" in found.title
    assert readable(found, None)[0].boxes == found.boxes


def test_a_skip_connection_is_an_edge_with_its_shape():
    found = picture("unet")
    assert ("relu", "cat", "1×8×16×16") in flows(found) and ("relu", "cat", "1×16×8×8") in flows(found)
    assert [group.title for group in readable(found, None)[0].groups] == [
        f"{name}: Sequential" for name in ("d1", "d2", "mid", "u1")
    ]


def test_weights_are_told_with_shapes_and_others_dtypes():
    conv = picture("invres").boxes[1]
    assert (conv.title, conv.path) == ("conv2d", "stem.0")
    assert conv.lines == ("weight 8×3×3×3", "stride 2 · padding 1") and conv.weights == 4 * 8 * 27
    assert ("weight", "stem.0.weight, 8×3×3×3, 864 B") in conv.details
    assert any(what == "source" and "nets.py" in text for what, text in conv.details)
    assert {label for _, target, label in flows(picture("text")) if target == "embedding"} == {"1×14 I64"}


def test_a_quantizers_pair_is_one_box_with_its_scale_and_its_weights_are_integers():
    found = picture("invres_pt2e")
    quantize = found.boxes[1]
    assert quantize.title == "quantize_per_tensor" and "0.03234 × (byte - 138)" in quantize.lines
    assert "weight 8×3×3×3 from I8 · weight_bias 8" in found.boxes[2].lines
    assert found.boxes[4].path == "stem"


def test_numbers_that_no_quantize_made_are_dequantized_by_a_box():
    operation = "quantized_decomposed.dequantize_per_tensor.default"
    made = Node("d", operation, {"input": Ref("x"), "scale": 0.5, "zero_point": 3}, ("y",))
    assert titles(picture_of_graph(graph(made), "net")) == ["x", "dequantize_per_tensor", "output 0"]
    turned = Node("q", operation.replace("dequ", "qu"), {"input": Ref("y"), "scale": Ref("p")}, ("z",))
    found = picture_of_graph(graph(made, turned, outputs=("z",)), "net")
    assert titles(found)[1:3] == ["dequantize_per_tensor", "quantize_per_tensor"]
    assert found.boxes[2].lines == ("p 2",)


def test_a_folded_module_has_its_class_as_its_title():
    found, _ = readable(picture("transformer"), 1)
    assert "TransformerEncoderLayer" in titles(found) and len(found.boxes) == 8


def graph(*nodes, outputs=("y",)):
    specs = {name: Spec("F32", (2,)) for name in ("x", "p", "y", "z")}
    return Graph(["x"], [Ref(name) for name in outputs], {"p": "net.p"}, specs, list(nodes))


def test_an_answer_that_is_the_same_each_time_says_so():
    made = Node("neg", "aten.neg.default", {"self": Ref("p")}, ("y",))
    found = picture_of_graph(graph(made), "net")
    assert titles(found) == ["x", "output 0"] and not found.edges
    assert found.boxes[1].lines == ("2", "the same each time")
    given = Graph(["x"], [None, 3, Ref("p")], {"p": "net.p"}, {})
    assert [box.lines[0] for box in picture_of_graph(given, "net").boxes] == ["?", "None", "3", "?"]


def test_what_is_computed_of_very_many_parameters_names_the_first():
    names = [f"p{number}" for number in range(5000)]
    made = Node("cat", "aten.cat.default", {"tensors": tuple(map(Ref, names))}, ("weight",))
    read = Node("mul", "aten.mul.Tensor", {"self": Ref("x"), "other": Ref("weight")}, ("y",))
    found = picture_of_graph(
        Graph(["x"], [Ref("y")], {name: name for name in names}, {}, [made, read]), "net"
    )
    assert dict(found.boxes[1].details)["other"] == f"cat of {', '.join(names[:16])}, ?, 0 B"


def test_a_value_that_nothing_makes_is_refused_by_name():
    reading = Node("neg", "aten.neg.default", {"self": Ref("missing")}, ("y",))
    with pytest.raises(Malformed, match="missing"):
        picture_of_graph(graph(reading), "net")
    with pytest.raises(Malformed, match="z: nothing makes"):
        picture_of_graph(graph(outputs=("z",)), "net")


def test_hostile_names_are_texts():
    hostile = '"]<script>&\n'
    place = Place(hostile, hostile)
    made = Node(hostile, hostile, {hostile: Ref("x"), "other": hostile}, ("y",), (place,), hostile)
    found, _ = readable(picture_of_graph(graph(made), hostile), None)
    assert "<script>" not in drawn(found, "svg").decode() + drawn(found, "mermaid").decode()
    assert drawn(found, "html").decode().count("<script>") == 1
