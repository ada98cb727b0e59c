"""A class in `burnrt.nn`, described: its layers, its parameters, and the lines of `forward`."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Name:
    """A value that a line reads. text: what `forward` calls it."""

    text: str


@dataclass(frozen=True)
class Attribute:
    """A parameter or constant of the class that a line reads. path: as in "block.0.scale"."""

    path: str


# What a line is given. Slices are in the key of "getitem" alone; `...` is there too.
Given = None | bool | int | float | str | slice | Name | Attribute | tuple["Given", ...]


@dataclass(frozen=True)
class LayerOf:
    """A layer of `burnrt.nn`: its name there, as in "Conv2d", and what it is made with."""

    kind: str
    arguments: tuple[Given, ...] = ()
    keywords: dict[str, Given] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """A line of `forward`: `makes = call(*arguments, **keywords)`.

    makes: what the values are called that it makes, None for one that nobody reads; with several, the call
    answers a tuple. call: the path of a layer, as in "blocks.0.conv", where is_layer says so; else a function
    of `burnrt.functional`, as in "cat"; "getitem" is x[key], given the value and the key; "reshape" is
    x.reshape(shape).
    step: what the step is called in a program, as in "blocks.0/add".
    """

    makes: tuple[str | None, ...]
    call: str
    arguments: tuple[Given, ...]
    keywords: dict[str, Given] = field(default_factory=dict)
    is_layer: bool = False
    step: str = ""


@dataclass
class Description:
    """A class.

    name: as in "UNet". layers: by their paths, in the order in which the class has them. containers: by their
    paths, the original classes of modules that hold others, as in "torch.nn.modules.container.Sequential"; ""
    is the network. parameters: by their paths, the shapes of those that lines read themselves; constants:
    the numbers of those among them that no checkpoint has, as they were computed from others; scales: of
    those that are integers times a scale, the scales, in a shape that fits PyTorch's.
    inputs, shapes: what `forward` is given, and of each input the shape, the batch first. outputs: what it
    answers, in order. notes: what a person should know.
    """

    name: str
    inputs: list[str]
    shapes: list[tuple[int, ...]]
    layers: dict[str, LayerOf] = field(default_factory=dict)
    containers: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, tuple[int, ...]] = field(default_factory=dict)
    constants: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    scales: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    outputs: list[Name] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
