"""Programs that torch.export wrote read as PyTorch reads them: tensors, operations, inputs, outputs."""

import hashlib
import json

import numpy as np
import pytest

from burnstore import cli
from burnstore.api import inspect
from burnstore.exported.graph import Ref
from burnstore.exported.opening import graph_of, has_graph, sample_inputs
from burnstore.io.opened import open_model
from kit import support


def expected():
    with open(support.path("tests/vectors/exported/expected.json"), encoding="utf-8") as file:
        return sorted(json.load(file).items())


EVERY = pytest.mark.parametrize(("name", "known"), expected())


def row(array):
    names = {"float32": "F32", "int64": "I64", "int8": "I8", "float64": "F64"}
    data = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return [names[array.dtype.name], list(array.shape), data]


def text(value):
    """Return an argument as the vectors have it."""
    if isinstance(value, Ref):
        return f"%{value.name}"
    return f"({', '.join(map(text, value))})" if isinstance(value, tuple) else str(value)


def opened(name):
    return open_model(support.data(f"pt2/{name}"))


@EVERY
def test_tensors_are_those_of_the_state_under_their_names(name, known):
    with opened(name) as file:
        assert {key: row(file[key]) for key in file.names()} == known["tensors"]


@EVERY
def test_tensors_are_views_of_the_file(name, known):
    with opened(name) as file:
        spans = {key: file.reader.span(key) for key in file.names()}
        assert all(
            bytes(file.view[start:end]) == file.tensor(key).data() for key, (start, end) in spans.items()
        )


@EVERY
def test_operations_have_pytorchs_arguments_and_shapes(name, known):
    with opened(name) as file:
        graph = graph_of(file.reader)
        found = [
            [
                node.operation,
                {key: text(value) for key, value in node.arguments.items()},
                [list(graph.specs[made].shape) for made in node.outputs],
            ]
            for node in graph.nodes
        ]
        assert found == known["operations"]
        assert graph.inputs == known["inputs"] and graph.input_names
        assert text(tuple(graph.outputs)) == known["outputs"]


@EVERY
def test_each_parameter_of_the_graph_is_a_tensor_of_the_container(name, known):
    with opened(name) as file:
        graph = graph_of(file.reader)
        for value, tensor in graph.parameters.items():
            found, spec = file.tensor(tensor), graph.specs[value]
            assert (found.dtype, found.shape) == (spec.dtype, spec.shape)


@EVERY
def test_sample_inputs_are_those_of_the_export(name, known):
    with opened(name) as file:
        samples = sample_inputs(file.reader, graph_of(file.reader))
        assert [row(array) for array in samples] == known["samples"]


@pytest.mark.parametrize("name", ["kws.pt2", "kws_torch2.6.pt2"])
def test_places_are_the_same_however_a_release_wrote_them(name):
    with opened(name) as file:
        nodes = graph_of(file.reader).nodes
    gru = next(node for node in nodes if node.operation == "aten.gru.input")
    assert [(place.path, place.kind) for place in gru.places] == [
        ("", "nets.Kws"),
        ("gru", "torch.nn.modules.rnn.GRU"),
    ]
    assert gru.source == "nets.py:12: def forward(s,x): y,_=s.gru(x); return s.fc(y[:,-1])"


def test_items_of_modules_are_named_as_in_the_state():
    with opened("unet_torch2.6.pt2") as file:
        graph = graph_of(file.reader)
        paths = {node.places[-1].path for node in graph.nodes}
    assert {"d1.0", "d1.1", "d1.2", "u1.0", "out", ""} <= paths
    assert graph.producer == "torch 2.6.0+cu124"


def test_a_checkpoint_without_a_program_is_told_so():
    with open_model(support.data("pytorch/linear.pt")) as file:
        assert not has_graph(file.reader)
        error = support.raises(Exception, graph_of, file.reader)
    assert "tensors alone" in str(error)


def test_a_listing_has_operations_with_shapes_and_the_containers_names():
    (found,) = [
        operation
        for operation in inspect(support.data("pt2/kws_torch2.6.pt2"), graph=True)["graph"]["operations"]
        if operation["operation"] == "aten.linear"
    ]
    assert found["arguments"] == {"input": "select", "weight": "fc.weight", "bias": "fc.bias"}
    assert found["outputs"] == [{"name": "linear", "dtype": "F32", "shape": [1, 6]}]
    assert (found["path"], found["kind"]) == ("fc", "torch.nn.modules.linear.Linear")


def test_inspect_shows_the_graph_as_a_table(capsys):
    with pytest.raises(SystemExit):
        cli.main(["inspect", "--graph", support.path("tests/vectors/exported/open.pt2")])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["x", "input", "F32", "[1,", "3,", "8]"] in lines
    assert any(line[:1] == ["conv1d"] and line[-1] == "c" for line in lines)
    assert any(line[:3] == ["open", "extents:", "s77"] for line in lines)
