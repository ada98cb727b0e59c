"""Damaged and hostile exported programs end in one error, which says the file, the item and the place."""

import copy
import json
import random

import pytest

from burnpack.errors import BurnpackError, DuplicateName, LimitExceeded, Malformed, Truncated, Unsupported
from burnstore.exported.opening import graph_of, sample_inputs
from burnstore.io.opened import open_view
from kit import support
from kit.pytorch import exported

PACKAGED = "tests/data/pt2/wake.pt2"
FLAT = "tests/data/pt2/kws_torch2.6.pt2"
OPEN = "tests/vectors/exported/open.pt2"
WEIGHTS = "_weights_config.json"


def use(data):
    """Read all that is in a file."""
    reader = open_view(memoryview(data), "f.pt2")
    for tensor in reader:
        tensor.data()
    reader.left_out()
    sample_inputs(reader, graph_of(reader))


def refused(data):
    error = support.raises(BurnpackError, use, data)
    assert error.source == "f.pt2"
    return error


def of_program(change):
    return refused(exported.changed(support.path(PACKAGED), change))


def of_weights(change):
    return refused(exported.changed(support.path(PACKAGED), change, WEIGHTS))


def set_in(*path, value):
    """Return what sets a value in a program's JSON."""

    def change(found):
        for key in path[:-1]:
            found = found[key]
        found[path[-1]] = value

    return change


GRAPH = ("graph_module", "graph")
INPUTS = ("graph_module", "signature", "input_specs")
OUTPUTS = ("graph_module", "signature", "output_specs")
META = (*GRAPH, "tensor_values", "gru_cell")
ARGUMENT = (*GRAPH, "nodes", 0, "inputs", 1, "arg")
SYMBOL = "Symbol('s0', integer=True)"

# path in the program's JSON, what is put there, what is raised, what it says
PROGRAMS = [
    (("schema_version", "major"), 9, Unsupported, "schema_version: .* (expected 8.x, found 9.20)"),
    (("schema_version", "major"), "8", Malformed, "schema_version.major: another kind of value"),
    (("graph_module",), None, Malformed, "a field is missing (expected graph_module)"),
    (
        ("graph_module",),
        [],
        Malformed,
        "graph_module: another kind .* expected an object, found a list",
    ),
    ((*GRAPH, "nodes", 2, "target"), 5, Malformed, "graph_module.graph.nodes[2].target: another kind"),
    (ARGUMENT, {"as_new": 1}, Unsupported, "nodes[0].inputs[1].arg: .* not read here (found as_new)"),
    (ARGUMENT, {"as_custom_obj": {}}, Unsupported, "found as_custom_obj"),
    (ARGUMENT, {}, Malformed, "inputs[1].arg: an object should have one key"),
    (ARGUMENT, {"as_tensor": {"name": "absent"}}, Malformed, "not defined before (found absent)"),
    (ARGUMENT, {"as_tensor": {"name": "gru_cell"}}, Malformed, "not defined before (found gru_cell)"),
    (ARGUMENT, {"as_tensor": {"name": "sigmoid"}}, Malformed, "not defined before (found sigmoid)"),
    (ARGUMENT, {"as_sym_int": {"as_name": "s"}}, Malformed, "a number is read that is not defined (found s)"),
    (ARGUMENT, {"as_sym_int": {"as_ints": [1]}}, Unsupported, "found as_ints"),
    (ARGUMENT, {"as_optional_tensors": [{"as_float": 1.0}]}, Unsupported, "found as_float"),
    (ARGUMENT, {"as_scalar_type": 16}, Unsupported, "a dtype that is not known here .* found 16"),
    (ARGUMENT, {"as_layout": 0}, Unsupported, "a layout that is not known here"),
    (ARGUMENT, {"as_memory_format": 9}, Unsupported, "a memory format that is not known here"),
    (ARGUMENT, {"as_float": "Inf"}, Malformed, "as_float: another kind of value (expected a number"),
    (
        (*GRAPH, "nodes", 0, "inputs", 1, "name"),
        "input",
        Malformed,
        "two arguments of one name",
    ),
    ((*GRAPH, "nodes", 1, "outputs"), [{"as_tensor": {"name": "x"}}], Malformed, "two values of one name"),
    ((*GRAPH, "nodes", 1, "outputs"), [{"as_tensor": {"name": "y"}}], Malformed, "no entry in tensor_values"),
    ((*GRAPH, "nodes", 1, "outputs"), [{"as_int": 1}], Unsupported, "makes what is not read here"),
    ((*GRAPH, "nodes", 1, "metadata", "nn_module_stack"), "a", Malformed, "nodes[1].metadata: .* key,path"),
    ((*META, "sizes"), [{"as_int": -1}], Malformed, "gru_cell.sizes: a shape that no tensor has"),
    ((*META, "sizes"), [{"as_int": 1 << 40}] * 3, Malformed, "a shape that no tensor has"),
    ((*META, "sizes"), [{"as_int": 0}, {"as_int": 1 << 70}], Malformed, "a shape that no tensor has"),
    ((*META, "sizes"), [{"as_int": 1}] * 65, LimitExceeded, "too many dimensions"),
    ((*META, "sizes"), [{"as_int": True}], Malformed, "as_int: another kind of value"),
    ((*META, "sizes"), [{"as_expr": {"expr_str": SYMBOL}}], Unsupported, "the extent s0 is open"),
    ((*META, "layout"), 1, Unsupported, "a layout that is not read here (found sparse_coo)"),
    ((*META, "dtype"), 10, Unsupported, "complex numbers"),
    ((*INPUTS, 0), {"token": {"arg": {"name": "x"}}}, Unsupported, "an input of a kind .* found token"),
    ((*INPUTS, 0, "parameter", "parameter_name"), "no", Malformed, "no tensor of this name (found no)"),
    ((*INPUTS, 0, "parameter", "parameter_name"), "fc.bias", Malformed, "otherwise than the program says"),
    (
        (*OUTPUTS, 0),
        {"loss_output": {"arg": {"name": "x"}}},
        Unsupported,
        "found loss_output",
    ),
    ((*INPUTS, 6), {"constant_input": {}}, Malformed, "graph and signature have other inputs"),
    ((*GRAPH, "inputs"), [], Malformed, "graph and signature have other inputs (expected 8, found 0)"),
    (("graph_module", "module_call_graph", 0, "signature", "in_spec"), "[", Malformed, "in_spec: no JSON"),
]


@pytest.mark.parametrize(("path", "value", "kind", "text"), PROGRAMS)
def test_what_is_wrong_in_a_program_is_told_with_its_place(path, value, kind, text):
    error = of_program(set_in(*path, value=value))
    assert type(error) is kind
    for part in text.split(" .* "):
        assert part in str(error)


# of a weight: what is changed, what is put there, what is raised, what it says
CONFIG = [
    (("path_name",), "weight_99", Malformed, "no such record"),
    (("path_name",), "../../models/model.json", Malformed, "no such record"),
    (("path_name",), None, Malformed, "a field is missing (expected path_name)"),
    (("use_pickle",), "no", Malformed, "use_pickle: another kind of value"),
    (("use_pickle",), True, Truncated, "no zip directory"),
    (("tensor_meta", "sizes"), [{"as_int": 999}, {"as_int": 5}], Malformed, "reaches beyond its storage"),
    (("tensor_meta", "strides"), [{"as_int": 1 << 62}, {"as_int": 1}], Malformed, "reaches beyond"),
    (("tensor_meta", "strides"), [{"as_int": -1}, {"as_int": 1}], Malformed, "a shape that no tensor has"),
    (("tensor_meta", "strides"), [{"as_int": 1}], Malformed, "not one stride for each extent"),
    (("tensor_meta", "storage_offset"), {"as_int": 1}, Malformed, "reaches beyond its storage"),
    (("tensor_meta", "storage_offset"), {"as_int": -1}, Malformed, "offset is no valid number"),
    (("tensor_meta", "sizes"), [{"as_expr": {"expr_str": SYMBOL}}], Unsupported, "the extent s0 is open"),
    (("tensor_meta", "dtype"), 0, Unsupported, "a dtype that is not known here"),
    (("tensor_meta", "layout"), 2, Unsupported, "a tensor of the layout sparse_csr is not read here"),
]


@pytest.mark.parametrize(("path", "value", "kind", "text"), CONFIG)
def test_what_is_wrong_with_a_weight_is_told_with_its_name(path, value, kind, text):
    error = of_weights(set_in("config", "cell.weight_ih", *path, value=value))
    assert type(error) is kind and text in str(error)


TEXTS = [
    (b"\xff", Malformed, "no UTF-8"),
    (b"{", Malformed, "no JSON"),
    (b'{"schema_version": 1, "schema_version": 2}', DuplicateName, "schema_version: the same key twice"),
    (b"[" * 100_000, LimitExceeded, "nested too deeply"),
    (b'{"schema_version": ' + b"9" * 9000 + b"}", Malformed, "no JSON"),
]


@pytest.mark.parametrize(("text", "kind", "words"), TEXTS)
def test_a_text_that_is_no_good_json_is_told_with_its_name(text, kind, words):
    found = exported.records(support.path(PACKAGED))
    found["wake/models/model.json"] = text
    error = refused(exported.packed(found))
    assert type(error) is kind and "models/model.json" in str(error) and words in str(error)


RECORDS = [
    ("archive_format", b"pt3", "another form .* expected pt2, found pt3"),
    ("archive_version", b"1", "another form .* expected 0, found 1"),
    ("byteorder", b"middle", "an unknown byte order"),
    ("data/weights/model_weights_config.json", None, "no such record"),
    ("data/constants/model_constants_config.json", None, "no such record"),
    ("models/model.json", None, "the archive has no program"),
    ("data/weights/weight_0", None, "no such record"),
    ("data/weights/weight_0", b"abc", "reaches beyond its storage"),
    ("data/sample_inputs/model.pt", b"PK", "record wake/data/sample_inputs/model.pt"),
]


@pytest.mark.parametrize(("name", "data", "text"), RECORDS)
def test_a_record_that_is_missing_or_of_another_form_is_named(name, data, text):
    found = exported.records(support.path(PACKAGED))
    found[f"wake/{name}"] = data
    error = refused(exported.packed({name: data for name, data in found.items() if data is not None}))
    assert all(part in str(error) for part in text.split(" .* "))


def test_an_archive_of_machine_code_is_told_as_such():
    error = refused(exported.packed({"m/archive_format": b"pt2", "m/data/aotinductor/model/w.so": b""}))
    assert "AOTInductor" in str(error)


def test_a_packed_archive_in_an_archive_is_refused_and_a_packed_weight_is_read():
    flat = exported.records(support.path(FLAT))
    assert "packed" in str(refused(exported.packed(flat, 8)))
    reader = open_view(memoryview(exported.packed(exported.records(support.path(PACKAGED)), 8)))
    plain = open_view(memoryview(support.read(support.path(PACKAGED))))
    assert [bytes(tensor.data()) for tensor in reader] == [bytes(tensor.data()) for tensor in plain]


def test_tensors_of_one_name_in_state_and_constants_are_refused():
    found = exported.records(support.path(PACKAGED))
    name = "wake/data/constants/model_constants_config.json"
    config = json.loads(found[f"wake/data/weights/model{WEIGHTS}"])["config"]
    config["fc.bias"]["path_name"] = "tensor_0"
    found[name] = json.dumps({"config": {"fc.bias": config["fc.bias"]}}).encode()
    found["wake/data/constants/tensor_0"] = bytes(4)
    assert type(refused(exported.packed(found))) is DuplicateName


def test_an_expression_that_no_program_needs_is_refused():
    for text in ("9**9**9**9", "(" * 3000, "-" * 9000 + "1", "Mul(Integer(2), print(1))", "x" * 99999, "1/0"):
        change = set_in(*META, "sizes", value=[{"as_expr": {"expr_str": text}}])
        assert "gru_cell.sizes[0]" in str(of_program(change))


@pytest.mark.parametrize("path", [PACKAGED, FLAT])
def test_each_prefix_of_an_archive_is_refused(path):
    whole = support.read(support.path(path))
    for end in range(0, len(whole), 211):
        refused(whole[:end]) if end else support.raises(BurnpackError, use, b"")


def test_many_operations_of_one_name_are_read_in_time():
    def change(program):
        graph = program["graph_module"]["graph"]
        node = {**graph["nodes"][2], "outputs": []}
        graph["nodes"] += [node] * 20_000

    use(exported.changed(support.path(PACKAGED), change))


NUMBERS = (-1, 1 << 62, 1 << 70, 1.5, True, "NaN")
VALUES = (*NUMBERS, None, [], {}, "x", "", [[]], {"as_int": -5}, "\ud800", "L[", ";")


def places(value, path=()):
    """Yield the paths of all values in a JSON value."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inside:
        yield from places(child, (*path, key))


@pytest.mark.parametrize("path", [PACKAGED, FLAT, OPEN, "tests/vectors/exported/no_grad.pt2"])
def test_a_wrong_value_anywhere_in_the_json_raises_no_other_error(path):
    records = exported.records(support.path(path))
    texts = {name: json.loads(data) for name, data in records.items() if name.endswith(".json")}
    rng = random.Random(path)
    for _ in range(120):
        name = rng.choice(sorted(texts))
        value = copy.deepcopy(texts[name])
        *outer, key = rng.choice([place for place in places(value) if place])
        found = value
        for step in outer:
            found = found[step]
        found[key] = rng.choice(VALUES)
        try:
            use(exported.packed({**records, name: json.dumps(value).encode()}))
        except BurnpackError:
            continue


def test_many_changes_of_views_of_views_take_no_more_than_there_are_of_them():
    def node(operation, number, of):
        return {
            "target": f"torch.ops.aten.{operation}",
            "inputs": [{"name": "self", "arg": {"as_tensor": {"name": of}}}],
            "outputs": [{"as_tensor": {"name": f"v{number}"}}],
            "metadata": {},
        }

    def change(program):
        graph = program["graph_module"]["graph"]
        names = ["sigmoid", *(f"v{number}" for number in range(4000))]
        kinds = ["alias.default"] * 2000 + ["relu_.default"] * 2000
        graph["nodes"] += [node(kind, *pair) for kind, pair in zip(kinds, enumerate(names), strict=False)]
        graph["tensor_values"].update(dict.fromkeys(names, graph["tensor_values"]["sigmoid"]))

    reader = open_view(memoryview(exported.changed(support.path(PACKAGED), change)))
    try:
        assert len(graph_of(reader).nodes) < 100_000
    except Unsupported as error:
        assert "changed in place" in str(error)
