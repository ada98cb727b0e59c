"""Descriptions of classes, made by hand, and what their sources do when they are run."""

import subprocess
import sys

from burnrt import nn
from burnstore.classes.description import Description, LayerOf, Line, Name
from burnstore.classes.source import source_of

SEQUENTIAL = "torch.nn.modules.container.Sequential"
MODULE_LIST = "torch.nn.modules.container.ModuleList"
WIDTHS = (88, 100, 110)


def layer(kind, *arguments, **keywords):
    return LayerOf(kind, arguments, keywords)


def calls(makes, path, *reads):
    """Return the line that calls a layer on values, by their names; makes: a name, or several."""
    return Line(_several(makes), path, tuple(map(Name, reads)), {}, True, path)


def does(makes, function, *given, where="", **keywords):
    """Return the line that calls a function; texts that begin with "$" are names of values."""
    step = f"{where}/{function}" if where else function
    return Line(_several(makes), function, tuple(map(_given, given)), keywords, False, step)


def _several(makes):
    return tuple(makes) if isinstance(makes, (tuple, list)) else (makes,)


def _given(given):
    if isinstance(given, tuple):
        return tuple(map(_given, given))
    return Name(given[1:]) if isinstance(given, str) and given.startswith("$") else given


def net(layers, lines, outputs=("y",), shape=(1, 4), inputs=("x",), name="Net", **others):
    shapes = [shape] * len(inputs)
    return Description(
        name, list(inputs), shapes, layers, lines=lines, outputs=[*map(Name, outputs)], **others
    )


def row(path, layers, reads, makes):
    """Return layers under numbers behind a path, and the lines that call them in a row."""
    names = {f"{path}.{number}": each for number, each in enumerate(layers)}
    lines, at = [], reads
    for number, each in enumerate(names):
        made = makes if number == len(layers) - 1 else f"{makes}_{number}"
        lines.append(calls(made, each, at))
        at = made
    return names, lines


def made(source, name="Net"):
    """Return the class of a source."""
    names = {}
    exec(compile(source, "model.py", "exec"), names)
    assert issubclass(names[name], nn.Module)
    return names[name]


def forward_of(description):
    """Return the lines of `forward` of the network's class, without their indentation."""
    source = source_of(description)
    return [line.strip() for line in source.rpartition("def forward(")[2].split("\n")[1:] if line]


def complaints(*sources):
    """Return what ruff says of sources: of their style, and of how they are laid out at several widths."""
    found = []
    for source in sources:
        found.append(_ruff("check", "--ignore=INP001", source=source))
        widths = [f"--line-length={width}" for width in WIDTHS]
        found += [_ruff("format", "--diff", "--isolated", width, source=source) for width in widths]
    return [text for text in found if text]


def _ruff(*words, source):
    command = [sys.executable, "-m", "ruff", *words, "--stdin-filename=model.py", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr
