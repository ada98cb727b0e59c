"""Of any network, however its modules call each other, the source computes what the description does."""

import random

import numpy as np
import pytest

from burnpack.module import walk
from burnrt import tensor
from burnstore.classes.description import Attribute, Line, Name
from burnstore.classes.running import Described
from burnstore.classes.source import source_of
from kit.models.chains import put
from kit.models.descriptions import calls, complaints, does, layer, made, net

KINDS = (
    "a.Block",
    "a.Other",
    "torch.nn.modules.container.Sequential",
    "torch.nn.modules.container.ModuleDict",
)
PARTS = ("a", "b", "0", "1", "2", "x y")
DEPTH = 3


def network(seed):
    """Return the description of a network of small layers, in modules that nest as it comes."""
    choose = random.Random(seed)
    holders = [""]
    for _ in range(choose.randrange(7)):
        around = choose.choice(holders)
        path = f"{around}.{choose.choice(PARTS)}".strip(".")
        if path not in holders and path.count(".") < DEPTH:
            holders.append(path)
    layers, parameters, lines, values = {}, {}, [], ["x"]
    for number in range(choose.randrange(1, 14)):
        holder = choose.choice(holders)
        reads = [choose.choice(values[-3:]) for _ in range(2)]
        lines.append(line(choose, holder, holders, layers, parameters, reads, f"v{number}"))
        values.append(f"v{number}")
        if choose.random() < 0.2:
            lines += again(choose, lines, values, number)
    containers = {path: choose.choice(KINDS) for path in holders if choose.random() < 0.9}
    outputs = [values[-1], *choose.sample(values, choose.randrange(2))]
    return net(layers, lines, outputs, parameters=parameters, containers=containers)


def line(choose, holder, holders, layers, parameters, reads, makes):
    path = f"{holder}.{choose.choice(PARTS + ('fc', 'act'))}".strip(".")
    free = path not in holders and not any(each.startswith(path + ".") for each in (*layers, *parameters))
    if choose.random() < 0.6 and free and path not in parameters:
        kind = layers.setdefault(path, choose.choice([layer("Linear", 4, 4), layer("Relu")]))
        assert kind
        return Line((makes,), path, (Name(reads[0]),), {}, True, path)
    if choose.random() < 0.3 and free and path not in layers:
        parameters[path] = (1, 4)
        return Line((makes,), "add", (Name(reads[0]), Attribute(path)), {}, False, f"{holder}/add")
    if choose.random() < 0.5:
        return does(makes, "mul", "$" + reads[0], choose.choice([0.5, 2.0]), where=holder)
    return does(makes, "add", "$" + reads[0], "$" + reads[1], where=holder)


def again(choose, lines, values, number):
    """Return the last lines once more, on other values."""
    found, names = [], {}
    for place, each in enumerate(lines[-choose.randrange(1, 4) :]):
        given = [
            Name(names.get(one.text, choose.choice(values[-2:]))) if isinstance(one, Name) else one
            for one in each.arguments
        ]
        makes = f"w{number}_{place}"
        names[each.makes[0]] = makes
        found.append(Line((makes,), each.call, tuple(given), each.keywords, each.is_layer, each.step))
        values.append(makes)
    return found


def repeated(seed):
    """Return the description of a network of blocks of few kinds, which differ in numbers."""
    choose = random.Random(seed)
    forms = [[choose.randrange(4) for _ in range(choose.randrange(1, 5))] for _ in range(2)]
    layers, lines, containers, values = {}, [], {}, ["x"]
    for number in range(choose.randrange(2, 8)):
        kind = choose.randrange(2)
        path = choose.choice(("stage.{}", "stage.{}", "block{}", "net.{}.in")).format(number)
        containers[path] = f"a.Kind{kind}"
        start = choose.choice(values[-2:]) if choose.random() < 0.3 else values[-1]
        inside = [start]
        for place, step in enumerate(forms[kind]):
            makes, size = f"v{number}_{place}", choose.choice([3, 5])
            if step == 0:
                layers[f"{path}.{place}.0"] = layer("Linear", 4, size)
                layers[f"{path}.{place}.1"] = layer("Linear", size, 4, bias=choose.random() < 0.8)
                lines.append(calls(makes + "_", f"{path}.{place}.0", inside[-1]))
                lines.append(calls(makes, f"{path}.{place}.1", makes + "_"))
            elif step == 1:
                lines.append(does(makes, "mul", "$" + inside[-1], choose.choice([0.5, 2.0]), where=path))
            elif step == 2:
                lines.append(does(makes, "add", "$" + inside[0], "$" + inside[-1], where=path))
            else:
                layers[f"{path}.fc{place}"] = layer("Linear", 4, 4)
                lines.append(calls(makes, f"{path}.fc{place}", inside[-1]))
            inside.append(makes)
        values.append(inside[-1])
    return net(layers, lines, [values[-1]], containers=containers)


def filled(module):
    generator = np.random.default_rng(1)
    for _, _, param in sorted(walk(module), key=lambda found: found[0]):
        put(param, generator.normal(0, 0.5, param.shape))
    return module


def answers(module):
    found = filled(module)(tensor(np.linspace(-1, 1, 4, dtype=np.float32).reshape(1, 4)))
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("kind", [network, repeated])
@pytest.mark.parametrize("seed", range(75))
def test_the_source_computes_what_the_description_does(kind, seed):
    description = kind(seed)
    source = source_of(description)
    module = made(source)()
    described = Described(description)
    assert sorted(path for path, _, _ in walk(module)) == sorted(path for path, _, _ in walk(described))
    for one, other in zip(answers(module), answers(described), strict=True):
        np.testing.assert_array_equal(one, other)
    if seed < 5:
        assert complaints(source) == []
