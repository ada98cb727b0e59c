"""PyTorch checkpoints with random weights, as `torch.save` writes them, made without torch.

A layout is a list of (name, shape) pairs; every tensor is float32 and has a storage of its own.
"""

import math
import struct
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Layout = list[tuple[str, tuple[int, ...]]]

ALIGNMENT = 64  # bytes, of each storage in the file
HEADER_SIZE = 30  # bytes of a record's header, before its name


def resnet_18() -> Layout:
    """Return the parameters and buffers of torchvision's ResNet-18: 47 MB."""
    layout: Layout = [("conv1.weight", (64, 3, 7, 7)), *_batch_norm("bn1", 64)]
    channels = 64
    for layer, width in enumerate((64, 128, 256, 512), 1):
        for block in range(2):
            name = f"layer{layer}.{block}"
            layout.append((f"{name}.conv1.weight", (width, channels, 3, 3)))
            layout += _batch_norm(f"{name}.bn1", width)
            layout.append((f"{name}.conv2.weight", (width, width, 3, 3)))
            layout += _batch_norm(f"{name}.bn2", width)
            if channels != width:
                layout.append((f"{name}.downsample.0.weight", (width, channels, 1, 1)))
                layout += _batch_norm(f"{name}.downsample.1", width)
            channels = width
    return [*layout, *_linear("fc", 512, 1000)]


def bert_base() -> Layout:
    """Return the parameters of transformers' BertModel, base size: 438 MB."""
    layout: Layout = [
        (f"embeddings.{kind}_embeddings.weight", (count, 768))
        for kind, count in (("word", 30522), ("position", 512), ("token_type", 2))
    ]
    layout += _layer_norm("embeddings.LayerNorm", 768)
    for number in range(12):
        name = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            layout += _linear(f"{name}.attention.self.{part}", 768, 768)
        layout += _linear(f"{name}.attention.output.dense", 768, 768)
        layout += _layer_norm(f"{name}.attention.output.LayerNorm", 768)
        layout += _linear(f"{name}.intermediate.dense", 768, 3072)
        layout += _linear(f"{name}.output.dense", 3072, 768)
        layout += _layer_norm(f"{name}.output.LayerNorm", 768)
    return layout + _linear("pooler.dense", 768, 768)


def gigabyte() -> Layout:
    """Return 200 tensors of 5 MB."""
    return [(f"blocks.{number}.weight", (1250, 1000)) for number in range(200)]


def _linear(name: str, inputs: int, outputs: int) -> Layout:
    return [(f"{name}.weight", (outputs, inputs)), (f"{name}.bias", (outputs,))]


def _layer_norm(name: str, size: int) -> Layout:
    return [(f"{name}.weight", (size,)), (f"{name}.bias", (size,))]


def _batch_norm(name: str, size: int) -> Layout:
    return [*_layer_norm(name, size), (f"{name}.running_mean", (size,)), (f"{name}.running_var", (size,))]


def write_pytorch(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a checkpoint of these float32 arrays."""
    layout = [(name, array.shape) for name, array in arrays.items()]
    _write(path, layout, (array.tobytes() for array in arrays.values()))


def write_random(path: Path, layout: Layout, method: int = zipfile.ZIP_STORED) -> None:
    """Write a checkpoint of random weights. method: how zip packs it."""
    random = np.random.default_rng(1)
    _write(
        path,
        layout,
        (random.standard_normal(math.prod(shape), np.float32).tobytes() for _, shape in layout),
        method,
    )


def _write(path: Path, layout: Layout, storages: Iterable[bytes], method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(f"{path.stem}/data.pkl", pickled(layout))
        for record, fact in (("byteorder", b"little"), ("version", b"3\n")):
            archive.writestr(f"{path.stem}/{record}", fact)
        for number, data in enumerate(storages):
            entry = zipfile.ZipInfo(f"{path.stem}/data/{number}")
            entry.compress_type = method
            entry.extra = _padding(archive.fp.tell() + HEADER_SIZE + len(entry.filename))  # type: ignore[union-attr]
            archive.writestr(entry, data)


def _padding(start: int) -> bytes:
    """Return the extra field that moves bytes, which would start at `start`, to a multiple of 64."""
    size = -(start + 4) % ALIGNMENT
    return b"FB" + struct.pack("<H", size) + b"Z" * size


def pickled(layout: Layout) -> bytes:
    """Return the pickle of an OrderedDict of the tensors, operation by operation as PyTorch has it."""
    made = _Pickle()
    made.name("collections", "OrderedDict")
    made.add(b")R", kept=True)
    made.add(b"(")
    for number, (name, shape) in enumerate(layout):
        made.text(name)
        made.tensor(str(number), shape)
    made.add(b"u.")
    return made.data()


class _Pickle:
    """A pickle of protocol 2, put together; what comes again is referred to."""

    def __init__(self) -> None:
        self._parts = [b"\x80\x02"]
        self._kept: dict[str, int] = {}
        self._count = 0

    def data(self) -> bytes:
        return b"".join(self._parts)

    def add(self, operations: bytes, kept: bool = False) -> None:
        """Add operations; kept: whether the pickle numbers what they make."""
        self._parts.append(operations)
        if kept:
            self._parts.append(_short(b"q", self._count) or b"r" + struct.pack("<I", self._count))
            self._count += 1

    def _shared(self, key: str, operations: bytes) -> None:
        number = self._kept.setdefault(key, self._count)
        if number == self._count:
            self.add(operations, kept=True)
        else:
            self.add(_short(b"h", number) or b"j" + struct.pack("<I", number))

    def name(self, module: str, attribute: str) -> None:
        """Add a class or function."""
        self._shared(f"{module}.{attribute}", f"c{module}\n{attribute}\n".encode())

    def text(self, value: str) -> None:
        """Add a text."""
        self._shared("'" + value, b"X" + struct.pack("<I", len(value)) + value.encode())

    def numbers(self, values: tuple[int, ...]) -> None:
        """Add a tuple of integers."""
        numbers = [_short(b"K", value) or b"J" + struct.pack("<i", value) for value in values]
        short = {0: b")", 1: b"\x85", 2: b"\x86", 3: b"\x87"}.get(len(values))
        self.add(b"(" + b"".join(numbers) + b"t" if short is None else b"".join(numbers) + short, kept=True)

    def tensor(self, key: str, shape: tuple[int, ...]) -> None:
        """Add a tensor that has the storage `key` for itself."""
        self.name("torch._utils", "_rebuild_tensor_v2")
        self.add(b"((")
        self.text("storage")
        self.name("torch", "FloatStorage")
        self.text(key)
        self.text("cpu")
        self.add(b"J" + struct.pack("<i", math.prod(shape)) + b"t", kept=True)
        self.add(b"QK\x00")
        self.numbers(shape)
        self.numbers(tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape))))
        self.add(b"\x89")
        self.name("collections", "OrderedDict")
        self.add(b")R", kept=True)
        self.add(b"t", kept=True)
        self.add(b"R", kept=True)


def _short(operation: bytes, number: int) -> bytes | None:
    """Return an operation with a number of one byte, or None where that is too short."""
    return operation + bytes((number,)) if number < 256 else None
