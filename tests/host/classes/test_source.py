"""The source of a described class is what a person would have written, and does what is described."""

import numpy as np
import pytest

from burnpack.errors import BurnpackError, InvalidTensor, LimitExceeded, Unsupported
from burnpack.module import walk
from burnrt import nn, tensor
from burnstore.classes.description import Attribute, Description, Line, Name
from burnstore.classes.source import source_of
from kit.models.chains import loaded
from kit.models.descriptions import (
    MODULE_LIST,
    SEQUENTIAL,
    calls,
    complaints,
    does,
    forward_of,
    layer,
    made,
    net,
    row,
)

CONV = layer("Conv2d", 1, 2, 3, padding=1, bias=False)


def paths(module):
    return [path for path, _, _ in walk(module)]


def answer(module, shape, seed=3):
    numbers = np.random.default_rng(seed).normal(0, 1, shape)
    return np.asarray(loaded(module)(tensor(numbers.astype(np.float32))))


def test_source_is_a_file_with_the_imports_that_it_uses_and_a_line_an_operation():
    description = net(
        {"fc1": layer("Linear", 4, 3), "act": layer("Relu"), "fc2": layer("Linear", 3, 2, bias=False)},
        [calls("a", "fc1", "x"), calls("b", "act", "a"), calls("y", "fc2", "b")],
    )
    source = source_of(description)
    assert (
        source
        == """from burnrt import nn


class Net(nn.Module):
    input_shape = (1, 4)

    def __init__(self):
        self.fc1 = nn.Linear(4, 3)
        self.act = nn.Relu()
        self.fc2 = nn.Linear(3, 2, bias=False)

    def forward(self, x):
        x = self.fc1(x)
        x = self.act(x)
        return self.fc2(x)
"""
    )
    assert answer(made(source)(), (1, 4)).shape == (1, 2)


def test_arguments_that_are_as_usual_are_not_written():
    conv = layer("Conv2d", 1, 2, 3, 1, 0, dilation=1, groups=1, bias=True, padding_mode="zeros")
    source = source_of(net({"c": conv}, [calls("y", "c", "x")], shape=(1, 1, 5, 5)))
    assert "self.c = nn.Conv2d(1, 2, 3)\n" in source


def test_functions_are_imported_where_one_is_called():
    description = net({}, [does("a", "cat", ("$x", "$x"), 1), does("y", "sigmoid", "$a")])
    assert source_of(description).startswith("from burnrt import functional as F\nfrom burnrt import nn\n")
    assert forward_of(description) == ["x = F.cat([x, x], 1)", "return F.sigmoid(x)"]


def test_operations_that_python_has_a_sign_for_are_written_by_it():
    lines = [
        does("a", "add", "$x", "$x"),
        does("b", "mul", 2.0, "$a"),
        does("c", "sub", 1, "$b"),
        does("d", "pow", "$c", 2),
        does("e", "neg", "$d"),
        does("f", "lt", "$e", 0.5),
        does("g", "getitem", "$f", (slice(None), -1)),
        does("h", "getitem", "$g", (..., slice(1, None, 2))),
        does("i", "reshape", "$h", (1, -1)),
        does("y", "div", "$i", float("inf")),
    ]
    assert forward_of(net({}, lines)) == [
        "x = x + x",
        "x = 2.0 * x",
        "x = 1 - x",
        "x = x**2",
        "x = -x",
        "x = x < 0.5",
        "x = x[:, -1]",
        "x = x[..., 1::2]",
        "x = x.reshape(1, -1)",
        'return x / float("inf")',
    ]


def test_an_operator_that_would_not_reach_the_value_is_a_function():
    lines = [Line(("y",), "matmul", (Attribute("w"), Name("x")))]
    assert forward_of(net({}, lines, parameters={"w": (4, 4)})) == ["return F.matmul(self.w, x)"]
    lines = [does("y", "pow", -2.0, "$x")]
    assert forward_of(net({}, lines)) == ["return F.pow(-2.0, x)"]


def test_what_is_read_later_is_called_after_what_makes_it():
    layers = {"stem": layer("Linear", 4, 4), "left": layer("Linear", 4, 4), "right": layer("Linear", 4, 4)}
    lines = [
        calls("s", "stem", "x"),
        calls("l", "left", "s"),
        calls("r", "right", "s"),
        does("a", "add", "$l", "$r"),
        does("y", "add", "$a", "$s"),
    ]
    assert forward_of(net(layers, lines)) == [
        "stem = self.stem(x)",
        "left = self.left(stem)",
        "x = self.right(stem)",
        "x = left + x",
        "return x + stem",
    ]


def test_names_of_values_are_none_that_mean_something_else():
    layers = {"input": layer("Linear", 4, 4), "self": layer("Linear", 4, 4), "F": layer("Linear", 4, 4)}
    lines = [calls("a", "input", "in"), calls("b", "self", "a"), calls("c", "F", "b")]
    lines += [does("y", "add", "$a", "$b"), does("z", "add", "$y", "$c")]
    assert forward_of(net(layers, lines, ["z"], inputs=["in"])) == [
        "x = self.input(x)",
        "y = self.self(x)",
        "f = self.F(y)",
        "x = x + y",
        "return x + f",
    ]


def test_recurrent_layers_answer_their_states_as_they_do():
    layers = {"lstm": layer("Lstm", 4, 3), "gru": layer("Gru", 3, 2)}
    lines = [calls(("a", "h1", "c1"), "lstm", "x"), calls(("b", "h2"), "gru", "a")]
    both = net(layers, lines, ["b", "h1", "c1", "h2"], shape=(5, 1, 4))
    assert forward_of(both) == [
        "x, (h, c) = self.lstm(x)",
        "x, h2 = self.gru(x)",
        "return x, h, c, h2",
    ]
    lines = [calls(("a", None, None), "lstm", "x"), calls(("b", None), "gru", "a")]
    assert forward_of(net(layers, lines, ["b"])) == ["x, _ = self.lstm(x)", "x, _ = self.gru(x)", "return x"]


def test_a_row_of_layers_that_is_called_as_one_is_a_sequential():
    layers, lines = row("body", [CONV, layer("BatchNorm", 2), layer("Relu")], "x", "y")
    source = source_of(net(layers, lines, shape=(1, 1, 4, 4), containers={"body": SEQUENTIAL}))
    assert "self.body = nn.Sequential(CONV, nn.BatchNorm(2), nn.Relu())".replace(
        "CONV", "nn.Conv2d(1, 2, 3, padding=1, bias=False)"
    ) in source.replace("\n            ", " ").replace("( ", "(").replace(",\n        )", ")")
    assert forward_of(net(layers, lines)) == ["return self.body(x)"]
    assert paths(made(source)()) == ["body.0.weight", *[f"body.1.{name}" for name in NORM]]


NORM = ("gamma", "beta", "running_mean", "running_var")


def test_what_a_row_lacks_does_nothing():
    layers = {"head.1": layer("Linear", 4, 3), "head.3": layer("Linear", 3, 2)}
    lines = [calls("a", "head.1", "x"), calls("y", "head.3", "a")]
    source = source_of(net(layers, lines, containers={"head": SEQUENTIAL}))
    assert paths(made(source)()) == ["head.1.weight", "head.1.bias", "head.3.weight", "head.3.bias"]
    assert forward_of(net(layers, lines)) == ["return self.head(x)"]
    assert answer(made(source)(), (1, 4)).shape == (1, 2)


def test_modules_that_are_called_from_outside_are_in_a_list():
    layers = {f"fcs.{number}": layer("Linear", 4, 4) for number in range(2)}
    lines = [calls("a", "fcs.0", "x"), does("b", "relu", "$a"), calls("y", "fcs.1", "b")]
    description = net(layers, lines, containers={"fcs": MODULE_LIST})
    assert "self.fcs = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])" in source_of(description).replace(
        "(\n            [", "(["
    ).replace("],\n        )", "])")
    assert forward_of(description) == ["x = self.fcs[0](x)", "x = F.relu(x)", "return self.fcs[1](x)"]


def residual(path, size, reads, makes, layers, lines):
    layers[f"{path}.fc1"], layers[f"{path}.fc2"] = layer("Linear", 4, size), layer("Linear", size, 4)
    lines += [calls(makes + "1", f"{path}.fc1", reads), calls(makes + "2", f"{path}.fc2", makes + "1")]
    lines.append(does(makes, "add", "$" + reads, f"${makes}2", where=path))


def residuals(sizes=(3, 5, 3)):
    layers, lines, at = {}, [], "x"
    containers = {"blocks": SEQUENTIAL}
    for number, size in enumerate(sizes):
        residual(f"blocks.{number}", size, at, f"v{number}", layers, lines)
        containers[f"blocks.{number}"] = "nets.Residual"
        at = f"v{number}"
    return net(layers, lines, [at], containers=containers)


def test_blocks_that_differ_in_arguments_share_a_class():
    source = source_of(residuals())
    assert (
        source
        == """from burnrt import nn


class Residual(nn.Module):
    def __init__(self, hidden_features):
        self.fc1 = nn.Linear(4, hidden_features)
        self.fc2 = nn.Linear(hidden_features, 4)

    def forward(self, x):
        y = self.fc1(x)
        y = self.fc2(y)
        return x + y


class Net(nn.Module):
    input_shape = (1, 4)

    def __init__(self):
        self.blocks = nn.Sequential(Residual(3), Residual(5), Residual(3))

    def forward(self, x):
        return self.blocks(x)
"""
    )
    assert answer(made(source)(), (1, 4)).shape == (1, 4)


def test_blocks_that_do_other_things_have_classes_of_their_own():
    description = residuals((3, 3))
    description.lines[-1] = does("v1", "mul", "$v0", "$v12", where="blocks.1")
    source = source_of(description)
    assert "class Residual(nn.Module)" in source
    assert "class Residual2(nn.Module)" in source


def test_numbers_in_which_passes_of_blocks_differ_are_arguments_of_theirs():
    layers, lines, containers = {}, [], {}
    for number, (reads, makes) in enumerate((("x", "a"), ("a", "y"))):
        path = f"block{number}"
        layers[f"{path}.fc"], containers[path] = layer("Linear", 4, 4), "nets.Scaled"
        lines += [calls(f"m{number}", f"{path}.fc", reads)]
        lines += [does(makes, "reshape", f"$m{number}", (1, 4 - 3 * number, -1), where=path)]
    source = source_of(net(layers, lines, containers=containers))
    assert "    def __init__(self, size):\n        self.size = size\n" in source
    assert "        return x.reshape(1, self.size, -1)\n" in source
    assert "self.block1 = Scaled(1)" in source


def test_blocks_that_join_any_number_of_inputs_share_a_class():
    layers, lines, containers, values = {}, [], {}, ["x"]
    for number in range(3):
        path, made_here = f"dense{number}", f"v{number}"
        layers[f"{path}.fc"], containers[path] = layer("Linear", 4 * (number + 1), 4), "nets.Dense"
        lines.append(does(f"c{number}", "cat", tuple("$" + value for value in values), 1, where=path))
        lines.append(calls(made_here, f"{path}.fc", f"c{number}"))
        values.append(made_here)
    source = source_of(net(layers, lines, ["v2"], containers=containers))
    assert source.count("class Dense") == 1
    assert (
        "    def forward(self, *inputs):\n        x = F.cat(inputs, 1)\n        return self.fc(x)\n" in source
    )
    assert "        return self.dense2(x, dense0, y)\n" in source


def test_equal_modules_in_a_row_are_made_in_a_loop():
    source = source_of(residuals((3,) * 5))
    assert "        self.blocks = nn.Sequential(*[Residual() for _ in range(5)])\n" in source
    assert len(paths(made(source)())) == 20
    source = source_of(residuals((5, 3, 3, 3)))
    assert "nn.Sequential(Residual(5), *[Residual(3) for _ in range(3)])" in source
    assert complaints(source) == []


def test_rows_that_come_again_are_made_by_a_function():
    layers, lines = {}, []
    for name, sizes, reads, makes in (("d1", (1, 2), "x", "a"), ("d2", (2, 4), "a", "y")):
        parts = [layer("Conv2d", *sizes, 3, padding=1), layer("BatchNorm", sizes[1]), layer("Relu")]
        found = row(name, parts, reads, makes)
        layers.update(found[0])
        lines += found[1]
    source = source_of(net(layers, lines, shape=(1, 1, 4, 4)))
    assert "def block(in_channels, out_channels):\n    return nn.Sequential(\n" in source
    assert "self.d2 = block(2, 4)" in source
    assert answer(made(source)(), (1, 1, 4, 4)).shape == (1, 4, 4, 4)


def test_a_module_that_is_called_twice_is_written_once():
    description = residuals((3,))
    again = [
        calls("w1", "blocks.0.fc1", "v0"),
        calls("w2", "blocks.0.fc2", "w1"),
        does("y", "add", "$v0", "$w2", where="blocks.0"),
    ]
    description.lines += again
    description.outputs = [Name("y")]
    assert source_of(description).count("class Residual") == 1
    assert forward_of(description) == ["x = self.blocks(x)", "return self.blocks(x)"]
    assert answer(made(source_of(description))(), (1, 4)).shape == (1, 4)


def test_a_module_whose_parts_are_called_from_outside_has_no_forward():
    layers = {"pair.a": layer("Linear", 4, 4), "pair.b": layer("Linear", 4, 4)}
    lines = [calls("a", "pair.a", "x"), does("b", "relu", "$a"), calls("y", "pair.b", "b")]
    description = net(layers, lines, containers={"pair": "nets.Pair"})
    assert source_of(description).count("def forward") == 1
    assert forward_of(description) == ["x = self.pair.a(x)", "x = F.relu(x)", "return self.pair.b(x)"]


def test_a_network_that_is_a_row_is_a_row():
    layers = {"0": layer("Linear", 4, 3), "1": layer("Relu"), "2": layer("Linear", 3, 2)}
    lines = [calls("a", "0", "x"), calls("b", "1", "a"), calls("y", "2", "b")]
    source = source_of(net(layers, lines, name="Sequential"))
    assert "class Net(nn.Sequential):" in source
    assert "forward" not in source
    assert answer(made(source)(), (1, 4)).shape == (1, 2)
    lines[1:2] = [does("b", "relu", "$a")]
    del layers["1"]
    source = source_of(net(layers, lines, name="Sequential"))
    assert "class Net(nn.ModuleList):" in source
    assert "        x = self[0](x)\n        x = F.relu(x)\n        return self[2](x)\n" in source


def test_parameters_of_a_module_are_its_attributes():
    lines = [Line(("y",), "add", (Name("x"), Attribute("enc.pos")))]
    description = net({"enc.fc": layer("Linear", 4, 4)}, lines, parameters={"enc.pos": (1, 4)})
    source = source_of(description)
    assert "        self.pos = nn.Parameter((1, 4))\n" in source
    assert paths(made(source)()) == ["enc.pos", "enc.fc.weight", "enc.fc.bias"]


def test_a_class_is_not_called_like_a_layer_whose_weights_would_be_turned():
    layers = {"a.fc": layer("Linear", 4, 4), "b.fc": layer("Linear", 4, 3)}
    lines = [calls("m", "a.fc", "x"), calls("y", "b.fc", "m")]
    containers = {"a": "mine.Linear", "b": "mine.LSTM"}
    source = source_of(net(layers, lines, containers=containers, name="Linear"))
    assert "class Linear(" not in source
    assert "class LSTM(" not in source
    kinds = [containers for _, containers, _ in walk(made(source)())]
    assert {each[-1] for each in kinds} == {"Struct:Linear"}
    assert {each[1] for each in kinds} == {"Struct:LinearBlock", "Struct:LSTMBlock"}


HOSTILE = [
    "class",
    "None",
    "a b",
    "1x1",
    "__secret",
    "_hidden",
    'x"); import os; os.abort(); ("',
    "x'\n    import os",
    "\\",
    '"""',
    "#",
    "{0}",
    "ﬁ",
    "π",
    "\ud800",
    "\u202e",
    "x" * 300,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_in_a_file_becomes_code(name):
    layers = {f"{name}.{name}": layer("Linear", 4, 4), "0": layer("Linear", 4, 4)}
    lines = [
        calls(name, f"{name}.{name}", name),
        does("b", "add", "$" + name, "$" + name, where=name),
        calls("c", "0", "b"),
        Line(("y",), "add", (Name("c"), Attribute(f"{name}.par"))),
    ]
    containers = {name: f"{name}.{name}"}
    parameters = {f"{name}.par": (1, 4)}
    description = net(
        layers, lines, inputs=[name], name=name, containers=containers, parameters=parameters, notes=[name]
    )
    source = source_of(description)
    assert source.isascii()
    module = made(
        source,
        next(line for line in source.split("\n") if "input_shape" in line and True) and name_in(source),
    )()
    assert paths(module) == [
        f"{name}.par",
        f"{name}.{name}.weight",
        f"{name}.{name}.bias",
        "0.weight",
        "0.bias",
    ]
    assert "import os" not in [line.strip() for line in source.split("\n")]


def name_in(source):
    """Return the name of the last class."""
    return source.rpartition("\nclass ")[2].partition("(")[0]


@pytest.mark.parametrize(
    "name", ["forward", "children", "container", "plan", "load_from", "__class__", "__dict__", ""]
)
def test_a_part_that_would_hide_what_modules_need_is_refused(name):
    with pytest.raises(Unsupported, match="can't have this name"):
        source_of(net({f"a.{name}": layer("Linear", 4, 4)}, [calls("y", f"a.{name}", "x")]))


@pytest.mark.parametrize(
    ("description", "error"),
    [
        (net({"a": layer("Nothing", 4)}, [calls("y", "a", "x")]), Unsupported),
        (net({"a": layer("HOMES")}, [calls("y", "a", "x")]), Unsupported),
        (net({"a": layer("Linear", 4)}, [calls("y", "a", "x")]), Unsupported),
        (net({"a": layer("Linear", 4, 4, wrong=1)}, [calls("y", "a", "x")]), Unsupported),
        (net({}, [does("y", "os.abort", "$x")]), Unsupported),
        (net({}, [does("y", "__import__", "$x")]), Unsupported),
        (net({}, [does("y", "relu", "$x", **{"a=1, b": 1})]), Unsupported),
        (net({}, [does("y", "relu", "$unknown")]), InvalidTensor),
        (net({}, [], ["unknown"]), InvalidTensor),
        (net({"a": layer("Relu"), "a.b": layer("Relu")}, [], ["x"]), InvalidTensor),
        (net({"a." * 70 + "b": layer("Relu")}, [], ["x"]), LimitExceeded),
        (net({}, [calls("y", "nowhere", "x")]), BurnpackError),
    ],
)
def test_what_no_class_can_be_made_of_is_refused(description, error):
    with pytest.raises(error):
        source_of(description)


def test_texts_among_arguments_stay_texts():
    up = layer("Upsample", scale_factor=2.0, mode='near"est')
    source = source_of(net({"up": up}, [calls("y", "up", "x")], shape=(1, 1, 2, 2)))
    assert "mode='near\"est'" in source
    assert complaints(source) == []


def test_notes_stand_above_as_comments():
    source = source_of(net({}, [does("y", "relu", "$x")], notes=["a weight is\nused twice", "w " * 60]))
    assert source.startswith("# a weight is\\x0aused twice\n# w w")
    assert complaints(source) == []


def big():
    """Return a network that has something of everything."""
    description = residuals((3, 5, 300))
    layers, lines = description.layers, description.lines
    layers["up"] = layer(
        "Conv2d", 1111, 2222, (33, 44), stride=(5, 6), padding=(7, 8), dilation=(9, 10), groups=1
    )
    layers["class"] = layer("Linear", 4, 4)
    lines += [calls("a", "class", "v2"), does("b", "cat", tuple(["$a"] * 40), 1)]
    lines += [does("c", "index_select", "$b", 1, tuple(range(60))), does("y", "add", "$c", Attribute("w"))]
    description.parameters["w"] = (1, 60)
    description.outputs = [Name("y"), Name("b")]
    description.notes = ["a note"]
    return description


def test_source_is_as_ruff_would_have_it_at_any_usual_width():
    assert complaints(source_of(big()), source_of(residuals()), source_of(Description("E", [], []))) == []
    assert max(map(len, source_of(big()).split("\n"))) <= 88


def test_long_networks_take_time_by_their_length():
    layers = {f"blocks.{number}.fc": layer("Linear", 4, 4) for number in range(3000)}
    lines = [calls(f"v{number + 1}", path, f"v{number}") for number, path in enumerate(layers)]
    source = source_of(net(layers, lines, ["v3000"], inputs=["v0"]))
    assert source.count("\n") < 3100


def test_an_unread_module_of_names_is_asked_by_them():
    layers = {"heads.a": layer("Linear", 4, 4), "heads.b c": layer("Linear", 4, 4)}
    lines = [calls("m", "heads.a", "x"), calls("y", "heads.b c", "x")]
    containers = {"heads": "torch.nn.modules.container.ModuleDict"}
    description = net(layers, lines, ["m", "y"], containers=containers)
    assert forward_of(description) == [
        'a = self.heads["a"](x)',
        'x = self.heads["b c"](x)',
        "return a, x",
    ]
    module = made(source_of(description))()
    assert paths(module) == ["heads.a.weight", "heads.a.bias", "heads.b c.weight", "heads.b c.bias"]
    assert isinstance(module.heads, nn.ModuleDict)
