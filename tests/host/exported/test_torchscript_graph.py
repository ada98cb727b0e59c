"""Networks in TorchScript are followed: they have an exported program's graph, or one error with its line."""

import random

import numpy as np
import pytest
from safetensors.numpy import load_file

from burnpack.errors import BurnpackError, LimitExceeded, NotFound, Unsupported
from burnstore.exported.graph import Ref
from burnstore.exported.opening import graph_of, has_graph
from burnstore.io.opened import open_model, open_view
from kit import support
from kit.pytorch import exported

# A file in TorchScript, the inputs whose shapes it does not say.
NETWORKS = {
    "ecg_traced": {},
    "text_traced": {},
    "wake_traced": {},
    "kws_scripted": {"x": (1, 12, 10)},
    "wake_scripted": {"x": (1, 5), "h": (1, 7)},
    "transformer_scripted": {"x": (1, 20, 6)},
    "unet_frozen": {"x": (1, 1, 16, 16)},
}


def path(name):
    return support.path(f"tests/vectors/exported/{name}.pt")


def graph(name, shapes=None):
    with open_model(path(name)) as file:
        return graph_of(file.reader, shapes)


def exported_graph(name):
    with open_model(support.data(f"pt2/{name.partition('_')[0]}.pt2")) as file:
        return graph_of(file.reader)


def operations(found):
    """Return what layers there are, and where."""
    names = {"conv1d": "conv", "conv2d": "conv", "convolution": "conv"}
    listed = [(node.operation.split(".")[1], node.places[-1].path) for node in found.nodes]
    return [(names.get(name, name), place) for name, place in listed if name not in ("slice", "to")]


@pytest.mark.parametrize(("name", "shapes"), NETWORKS.items())
def test_answers_have_the_shapes_that_an_exported_program_says(name, shapes):
    found, known = graph(name, shapes), exported_graph(name)
    assert [found.specs[ref.name] for ref in found.outputs] == [
        known.specs[ref.name] for ref in known.outputs
    ]
    assert [found.specs[name] for name in found.inputs] == [known.specs[name] for name in known.inputs]
    assert found.input_names == known.input_names


@pytest.mark.parametrize("name", ["ecg_traced", "text_traced", "wake_scripted"])
def test_operations_and_modules_are_those_of_an_exported_program(name):
    assert operations(graph(name, NETWORKS[name])) == [
        row for row in operations(exported_graph(name)) if row[0] != "_assert_tensor_metadata"
    ]


@pytest.mark.parametrize(("name", "shapes"), NETWORKS.items())
def test_each_parameter_is_a_tensor_of_the_container(name, shapes):
    found = graph(name, shapes)
    with open_model(path(name)) as file:
        assert not has_graph(file.reader)  # unless someone asks for it, the file is one of weights
        for value, tensor in found.parameters.items():
            assert file.tensor(tensor).shape == found.specs[value].shape


def test_an_operation_has_the_line_of_code_and_the_class_that_it_is_from():
    (first, *_) = graph("ecg_traced").nodes
    assert first.source.startswith("conv.py:") and "torch._convolution(x, weight, bias" in first.source
    assert [(place.path, place.kind) for place in first.places] == [
        ("", "nets.Ecg"),
        ("c1", "torch.nn.modules.conv.Conv1d"),
    ]


def test_branches_and_loops_that_are_known_are_followed():
    found = graph("loops", {"x": (2, 3)})
    assert [node.operation for node in found.nodes] == [
        "aten.mul.Scalar",
        "aten.add.Scalar",
        "aten.mul.Scalar",
    ]


def test_control_flow_that_depends_on_what_is_computed_is_refused_by_its_line():
    error = support.raises(Unsupported, graph, "depends", {"x": (2, 3)})
    assert "if bool(torch.gt(torch.sum(x), 0)):" in str(error) and ".py:" in str(error)


def test_a_constant_that_is_no_buffer_is_refused_and_one_that_is_a_number_is_taken():
    error = support.raises(Unsupported, graph, "keeps")
    assert "constants.1" in str(error) and "register_buffer" in str(error)

    def change(code):
        return code.replace(
            "torch.add(torch.mul(x, CONSTANTS.c0), CONSTANTS.c1)", "torch.mul(x, CONSTANTS.c0)"
        )

    (node,) = followed("keeps", change).nodes
    assert node.arguments["other"] == 3.0


def test_shapes_that_the_file_does_not_say_must_be_given():
    error = support.raises(Unsupported, graph, "loops")
    assert "x: the file does not say of which shape" in str(error)
    assert "one of: x" in str(support.raises(NotFound, graph, "loops", {"y": (1,)}))
    assert graph("ecg_traced", {"x": (1, 1, 128)}).specs["x"].shape == (1, 1, 128)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_answers_as_pytorch_did(name, monkeypatch):
    from burnstore.models import exported as models
    from burnstore.models.running import answers_of

    known = load_file(support.data(f"pt2/{name.partition('_')[0]}.io.safetensors"))
    inputs = [known[key] for key in sorted(known) if key.startswith("input")]
    monkeypatch.setattr(models, "graph_of", lambda container, _: graph_of(container, NETWORKS[name]))
    with open_model(path(name)) as file:
        network = models.exported(file.reader)
        network.load(file.reader)
        for number, answer in enumerate(answers_of(network.module, inputs)):
            expected = known[f"output{number}"]
            assert np.abs(answer - expected).max() <= 1e-5 * np.abs(expected).max()


def followed(name, change, shapes=None):
    """Follow a network whose forward has other code."""
    records = exported.records(path(name))
    (code,) = [key for key in records if key.endswith(".py") and b"def forward" in records[key]]
    records[code] = change(records[code].decode()).encode()
    return graph_of(open_view(memoryview(exported.packed(records)), "f.pt"), shapes)


def instead(body):
    """Return what replaces the body of `forward`."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))

    def change(code):
        return code[: code.index("-> Tensor:\n") + len("-> Tensor:\n")] + lines

    return change


REFUSED = [
    ("return torch.unheard(x)", Unsupported, "not known here, or with other arguments (found torch.unheard)"),
    ("return torch.relu(x, 1)", Unsupported, "with other arguments (found torch.relu)"),
    ("return torch.view(x, [4, 4])", Unsupported, "aten.view has arguments that do not fit"),
    ("return torch.select(x, 5, 0)", Unsupported, "aten.select has arguments that do not fit"),
    ("return torch.expand(x, [9999999, 9999999, 2, 3])", Unsupported, "a shape that no value has"),
    ("while True:\n  pass", Unsupported, "a statement that is not followed here (found while)"),
    ("for i in range(1000000000000):\n  pass", LimitExceeded, "the code has too much to follow"),
    ("import os\nreturn x", Unsupported, "a statement that is not followed here (found import)"),
    ("return __import__('os')", Unsupported, "a name that is not defined (found __import__)"),
    ("return x.__class__", Unsupported, "an attribute of what has none (found __class__)"),
    ("return (self).forward(x, )", LimitExceeded, "calls are nested too deeply"),
    ("return self.absent", Unsupported, "a module has no such attribute (found absent)"),
    ("self.k = x\nreturn x", Unsupported, "the code changes an object"),
    ("return y", Unsupported, "a name that is not defined (found y)"),
    ("return __torch__.a.f(x)", Unsupported, "the code has no such function (found __torch__.a.f)"),
    ("return torch", Unsupported, "the network answers what is no value"),
    ("return torch.relu(self)", Unsupported, "given what is no value"),
    (
        "a = [1]\n" + "a = [a, a]\n" * 60 + "return torch.len(a)",
        LimitExceeded,
        "lists of the code are too long",
    ),
    ("a = [1]\n" + "a = torch.add(a, a)\n" * 60 + "return x", Unsupported, "a list is too long"),
    ("a = 2\n" + "a = torch.mul(a, a)\n" * 60 + "return x", Unsupported, "a number is too large"),
    ("a = torch.pow(2, 100000000)\nreturn x", Unsupported, "a number is too large"),
    ("a = torch.div(1, 0)\nreturn x", Unsupported, "a call that is not understood: division by zero"),
    ("a, b = [1]\nreturn x", Unsupported, "another number of values"),
    ("a = CONSTANTS.c99\nreturn x", Unsupported, "constants.99: the code names a constant"),
    ("return x +", BurnpackError, "the code is not understood"),
    ("return " + "(" * 500 + "x" + ")" * 500, BurnpackError, "the code is not understood"),
]


@pytest.mark.parametrize(("body", "kind", "text"), REFUSED)
def test_code_that_can_not_be_followed_ends_in_one_error(body, kind, text):
    error = support.raises(kind, lambda: followed("loops", instead(body), {"x": (2, 3)}))
    assert text in str(error) and error.source == "f.pt"


def test_calls_that_double_end_in_time():
    functions = ["def f0(x: Tensor) -> Tensor:\n  return torch.relu(x)\n"]
    for number in range(1, 35):
        call = f"__torch__.f{number - 1}(__torch__.f{number - 1}(x, ), )"
        functions.append(f"def f{number}(x: Tensor) -> Tensor:\n  return {call}\n")
    records = exported.records(path("loops"))
    (code,) = [key for key in records if key.endswith(".py")]
    changed = instead("return __torch__.f34(x, )")(records[code].decode())
    records[code] = (changed + "".join(functions)).encode()
    reader = open_view(memoryview(exported.packed(records)))
    assert type(support.raises(BurnpackError, lambda: graph_of(reader, {"x": (1,)}))) is LimitExceeded


@pytest.mark.parametrize("name", ["wake_traced", "kws_scripted", "loops"])
def test_code_that_is_damaged_raises_no_other_error(name):
    rng = random.Random(name)
    records = exported.records(path(name))
    files = sorted(key for key in records if key.endswith(".py"))
    for _ in range(150):
        code = rng.choice(files)
        data = bytearray(records[code])
        for _ in range(rng.choice((1, 4))):
            start = rng.randrange(len(data))
            data[start : start + rng.randrange(4)] = bytes(
                rng.choices(b"()[],.:=x01 \n\tself#'\"-*", k=rng.randrange(4))
            )
        try:
            reader = open_view(memoryview(exported.packed({**records, code: bytes(data)})))
            found = graph_of(reader, NETWORKS.get(name) or ({"x": (2, 3)} if name == "loops" else None))
            assert all(
                isinstance(ref, Ref) or ref is None or type(ref) in (int, float) for ref in found.outputs
            )
        except BurnpackError:
            continue
