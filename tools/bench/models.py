"""The models that stores are measured on."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.module import Module, walk
from burnrt import nn

Arrays = dict[str, NDArray[Any]]


class Tables(nn.Module):
    """Embeddings, which PyTorch and Burn lay out alike: whoever loads them has nothing to rearrange."""

    def __init__(self, count: int, rows: int) -> None:
        self.tables = [nn.Embedding(rows, 1024) for _ in range(count)]


class Linears(nn.Module):
    """The model of Burn's own benchmark: 20 Linear layers of 327 MB, whose weights are to be transposed."""

    def __init__(self) -> None:
        self.layers = [nn.Linear(1024 if number == 0 else 2048, 2048) for number in range(20)]


class _Residual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        if stride != 1:
            self.downsample = [nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)]


class ResNet18(nn.Module):
    """ResNet-18, under torchvision's names: 102 parameters and running values, 47 MB."""

    def __init__(self) -> None:
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.layer1 = [_Residual(64, 64, 1), _Residual(64, 64, 1)]
        self.layer2 = [_Residual(64, 128, 2), _Residual(128, 128, 1)]
        self.layer3 = [_Residual(128, 256, 2), _Residual(256, 256, 1)]
        self.layer4 = [_Residual(256, 512, 2), _Residual(512, 512, 1)]
        self.fc = nn.Linear(512, 1000)


def arrays_of(model: Module) -> Arrays:
    """Return float32 arrays for a model's parameters, in PyTorch's names and layout."""
    return dict(_arrays(model))


def _arrays(model: Module) -> Iterator[tuple[str, NDArray[Any]]]:
    for path, containers, param in walk(model):
        head, _, last = path.rpartition(".")
        name = {"gamma": "weight", "beta": "bias"}.get(last, last)
        shape = param.shape[::-1] if containers[-1] == "Struct:Linear" else param.shape
        numbers = np.arange(np.prod(shape, dtype=int), dtype=np.float32)
        yield (f"{head}.{name}" if head else name), numbers.reshape(shape)
