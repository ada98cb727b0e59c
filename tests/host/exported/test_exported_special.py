"""What few exported programs have: open extents, graphs in graphs, changes in place, nested inputs."""

import hashlib
import json
import zipfile

import numpy as np
import pytest

from burnpack.errors import NotFound, Unsupported
from burnstore.exported.graph import Graph, Node, Ref, Spec
from burnstore.exported.inplace import check_in_place
from burnstore.exported.opening import graph_of, sample_inputs
from burnstore.io.opened import open_model, open_view
from kit import support
from kit.pytorch import exported


def path(name):
    return support.path(f"tests/vectors/exported/{name}.pt2")


def graph(name, **settings):
    with open_model(path(name)) as file:
        return graph_of(file.reader, **settings)


def refusal(name, **settings):
    return str(support.raises(Unsupported, lambda: graph(name, **settings)))


def tensors():
    with open(support.path("tests/vectors/exported/tensors.json"), encoding="utf-8") as file:
        return sorted(json.load(file).items())


@pytest.mark.parametrize(("name", "known"), tensors())
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_tensors_of_all_dtypes_layouts_and_storages_read_as_pytorch_reads_them(name, known, method):
    found = exported.packed(exported.records(path(name.removesuffix(".pt2"))), method)
    reader = open_view(memoryview(found))
    rows = {t.name: [t.dtype, list(t.shape), hashlib.sha256(t.data()).hexdigest()] for t in reader}
    assert rows == known


def test_a_batch_that_is_open_is_one_and_others_are_as_in_the_export():
    found = graph("open")
    assert found.specs["x"].shape == (1, 3, 8) and sorted(found.opened.values()) == [1, 4]
    assert {node.name: node.arguments for node in found.nodes}["slice_1"]["end"] == 4
    assert found.outputs == [Ref("mul_1"), Ref("pad"), None, 16]
    assert not any("sym" in node.operation or "_operator" in node.operation for node in found.nodes)


@pytest.mark.parametrize("name", ["open", "open_auto"])
def test_open_extents_follow_from_shapes_that_are_given(name):
    found = graph(name, shapes={"x": (3, 3, 20)})
    assert found.specs["x"].shape == (3, 3, 20) and found.specs["mul_1"].shape == (3, 40)
    assert found.specs["pad"].shape == (3, 4, 13)


def test_open_extents_may_be_given_by_name():
    (name,) = [name for name, extent in graph("open").opened.items() if extent == 4]
    assert graph("open", extents={name: 7}).specs["x"].shape == (1, 3, 14)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ((1, 3, 9), "not made for this shape"),
        ((1, 4, 8), "not made for this shape"),
        ((1, 3), "not made for this number of dimensions"),
        ((65, 3, 8), "expected 1 to 64, found 65"),
        ((1, 3, 2002), "expected 1 to 1000, found 1001"),
    ],
)
def test_a_shape_that_the_program_is_not_made_for_is_refused(shape, text):
    assert text in refusal("open", shapes={"x": shape})


def test_a_shape_of_no_input_and_an_extent_of_no_program_are_told_with_those_that_are():
    error = support.raises(NotFound, lambda: graph("open", shapes={"y": (1,)}))
    assert "one of: x" in str(error)
    error = support.raises(NotFound, lambda: graph("open", extents={"s1": 1}))
    assert "one of: s" in str(error)


def test_sample_inputs_are_cut_to_the_extents_that_are_taken():
    with open_model(path("open")) as file:
        assert [array.shape for array in sample_inputs(file.reader, graph_of(file.reader))] == [(1, 3, 8)]
        wide = graph_of(file.reader, shapes={"x": (4, 3, 8)})
        assert sample_inputs(file.reader, wide) is None


def test_graphs_in_a_graph_are_put_in_line():
    found = graph("no_grad")
    assert [node.operation.split(".")[1] for node in found.nodes] == ["linear", "mul", "add", "linear", "add"]
    made = [name for node in found.nodes for name in node.outputs]
    assert len(set(made)) == 5 and all(name in found.specs for name in made)
    assert found.nodes[3].arguments["input"] == Ref(found.nodes[1].outputs[0])
    assert found.outputs == [Ref(made[-1])]


def test_inputs_in_dicts_and_lists_are_inputs_of_their_own_and_plain_values_are_none():
    with open_model(path("nested")) as file:
        found = graph_of(file.reader)
        samples = sample_inputs(file.reader, found)
    assert found.input_names == ["a_k", "a_j", "b_0", "b_1", "input"]
    assert [array.shape for array in samples] == [(2,), (3,), (2,), (1,), (4,)]
    assert found.outputs == [Ref("add"), Ref("b_1"), Ref("input")]


def test_inputs_have_the_names_that_forward_has_for_them():
    def rename(program):
        program["graph_module"]["module_call_graph"][0]["signature"]["forward_arg_names"] = ["input"]

    reader = open_view(memoryview(exported.changed(path("calls"), rename)))
    found = graph_of(reader)
    assert (found.inputs, found.input_names) == (["x"], ["input"])


@pytest.mark.parametrize("name", ["calls", "compiled"])
def test_modules_have_their_paths_in_each_call_and_without_wrappers(name):
    found = graph(name)
    assert [node.places[-1].path for node in found.nodes] == ["d.a", "d.b-c"] * 3


@pytest.mark.parametrize("name", ["counts", "counts_core"])
def test_a_buffer_that_is_changed_and_read_is_refused(name):
    assert "n: the network changes this tensor in each run, and reads it" in refusal(name)


@pytest.mark.parametrize("name", ["counts_unread", "counts_unread_core"])
def test_a_buffer_that_is_changed_and_not_read_is_noted(name):
    found = graph(name)
    assert found.notes == ["n is changed by the network in PyTorch, and is not here"]


def test_a_whole_is_put_together_anew_after_a_part_was_changed_in_place():
    found = graph("parts")
    (node,) = [node for node in found.nodes if node.operation == "aten.select_scatter.default"]
    assert node.arguments == {"self": Ref("mul"), "src": Ref("fill_"), "dim": 1, "index": 0}
    assert found.outputs == [Ref(node.outputs[0])]
    assert graph("parts_core").outputs == [Ref("where")]


def test_another_view_that_is_read_after_a_part_was_changed_in_place_is_refused():
    row = Node("row", "aten.select.int", {"self": Ref("x"), "dim": 0, "index": 0}, ("row",))
    again = Node("again", "aten.select.int", {"self": Ref("x"), "dim": 0, "index": 0}, ("again",))
    change = Node("change", "aten.relu_.default", {"self": Ref("again")}, ("change",))
    read = Node("read", "aten.neg.default", {"self": Ref("row")}, ("read",))
    specs = {name: Spec("F32", (2,)) for name in ("row", "again", "change", "read")}
    specs["x"] = Spec("F32", (2, 2))
    changed = Graph(["x"], [Ref("read")], {}, specs, [row, again, change, read], ["x"])
    with pytest.raises(Unsupported, match="reads the value row, of which another part"):
        check_in_place(changed, {})


def test_what_a_graph_can_not_say_is_refused_by_name():
    assert "index.sizes[0]" in refusal("depends") and "depends on what is computed" in refusal("depends")
    assert "complex numbers" in refusal("waves")
    assert "found decoder, encoder" in refusal("two")


def test_control_flow_stays_an_operation_that_is_refused_by_its_name():
    (node,) = [node for node in graph("branches").nodes if node.operation.startswith("higher_order.")]
    assert node.operation == "higher_order.cond" and node.arguments["1"].startswith("true_graph")


def test_a_tensor_of_a_class_of_its_own_is_left_out_with_its_reason():
    with open_model(path("subclass")) as file:
        assert [name for name, _ in file.left_out()] == ["w"]
        error = support.raises(Unsupported, file.tensor("w").data)
    assert "subclass" in str(error)


def test_a_big_endian_archive_has_its_numbers_swapped():
    found = exported.records(path("tied"))
    (order,) = [name for name in found if name.endswith("/byteorder")]
    found[order] = b"big"
    for name, data in found.items():
        if "/weight_" in name and data and not name.endswith(".json"):
            found[name] = np.frombuffer(data, "<f4").astype(">f4").tobytes()
    with open_model(path("tied")) as file:
        reader = open_view(memoryview(exported.packed(found)))
        assert {t.name: bytes(t.data()) for t in reader} == {t.name: bytes(t.data()) for t in file}
