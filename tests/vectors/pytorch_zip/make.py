"""Make the golden zip checkpoints with PyTorch, and expected.json with what PyTorch and NumPy read from them.

Run with torch 2.13 and numpy installed: python tests/vectors/pytorch_zip/make.py
expected.json: file → list of [name, dtype as burnpack names it, shape, SHA-256 of the bytes].
"""

import argparse
import collections
import datetime
import enum
import hashlib
import json
import pathlib
import warnings
import zipfile

import numpy
import torch

HERE = pathlib.Path(__file__).parent
DTYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint64": "U64",
    "uint32": "U32",
    "uint16": "U16",
    "uint8": "U8",
    "bool": "Bool",
    "complex32": "C32",
    "complex64": "C64",
    "complex128": "C128",
    "float8_e5m2": "F8_E5M2",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2fnuz": "F8_E5M2FNUZ",
    "float8_e4m3fnuz": "F8_E4M3FNUZ",
    "float8_e8m0fnu": "F8_E8M0",
    "float4_e2m1fn_x2": "F4",
    "bits8": "Bits8",
    "bits1x8": "Bits8",
    "bits2x4": "Bits8",
    "bits4x2": "Bits8",
    "bits16": "Bits16",
}


class Tagged(torch.Tensor):
    """A subclass of Tensor."""


class Kind(enum.Enum):
    """An enum, as configurations hold them."""

    SMALL = 1


class Config(dict):
    """A subclass of dict with an attribute."""


class Settings:
    """A class that no reader knows, with a tensor that is no part of the state."""

    def __init__(self):
        self.rate = 0.1
        self.hidden = torch.ones(2)


def ramp(*shape, dtype=torch.float32):
    """Return a tensor that counts up from 0."""
    count = 1
    for extent in shape:
        count *= extent
    return torch.arange(count).reshape(shape).to(dtype)


def of_dtype(name):
    """Return a [2, 3] tensor of this dtype with a byte ramp for its bits."""
    dtype = getattr(torch, name)
    if name == "bool":
        return torch.tensor([[True, False, True], [False, True, False]])
    raw = torch.arange(6 * dtype.itemsize, dtype=torch.uint8).reshape(2, -1)
    return raw.view(dtype)


def parameter_with_attribute():
    """Return a Parameter that PyTorch pickles together with its state."""
    parameter = torch.nn.Parameter(ramp(2, 2))
    parameter.tag = "mine"
    return parameter


def optimizer_checkpoint():
    """Return what a training script saves: model, optimizer, numbers."""
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model(torch.ones(5, 3)).sum().backward()
    optimizer.step()
    return {"epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "best": 0.5}


def lightning_checkpoint():
    """Return what Lightning's trainer saves, its kinds of objects included."""
    found = optimizer_checkpoint()
    hyper_parameters = Config(rate=0.01, widths=[3, 4], folder=pathlib.PurePosixPath("data/digits"))
    return {
        "epoch": 3,
        "global_step": 120,
        "pytorch-lightning_version": "2.4.0",
        "state_dict": {f"model.{name}": value for name, value in found["model"].items()},
        "loops": {"fit_loop": {"state_dict": {}, "epoch_progress": {"total": {"ready": 4}}}},
        "callbacks": {"ModelCheckpoint{'monitor': 'loss'}": {"monitor": "loss", "best": torch.tensor(0.25)}},
        "optimizer_states": [found["optimizer"]],
        "lr_schedulers": [{"step_size": 10, "base_lrs": [0.01]}],
        "hparams_name": "kwargs",
        "hyper_parameters": hyper_parameters,
        "arguments": argparse.Namespace(seed=numpy.int64(7), rate=numpy.float32(0.5)),
    }


def averaged_checkpoint():
    """Return weights and their moving average, as many trainers keep both."""
    weights = {"layer.weight": ramp(2, 3), "layer.bias": ramp(2)}
    average = {name: value * 0.5 for name, value in weights.items()}
    return {"model": weights, "ema": {"decay": 0.999, "updates": 12, "module": average}}


def views():
    """Return views of one storage: chunks, strides, offsets."""
    flat = ramp(64)
    grid = flat.view(8, 8)
    return {
        "head": flat[:10],
        "tail": flat[54:],
        "even": flat[::2],
        "columns": grid[:, 2:5],
        "transposed": grid.t(),
        "row": grid[3],
        "cell": grid[3, 4],
        "diagonal": grid.diagonal(),
        "one": flat.as_strided((1, 3, 1), (7, 5, 9), 2),
    }


def flags():
    """Return complex tensors with lazy conjugation and negation."""
    values, others = [torch.view_as_complex(ramp(2, 3, 2)) for _ in range(2)]
    return {
        "conj": values.conj(),
        "neg": others.conj().imag,
        "transposed": values.t().conj(),
        "plain": values,
    }


def nested():
    """Return containers in containers."""
    return {
        "weights": [ramp(2), "a text between", ramp(3)],
        "pair": (ramp(1), None, {"deep": ramp(2, 2)}),
        0: {1: ramp(4), -2: ramp(1)},
        "step": 7,
        True: ramp(2),
        None: ramp(3),
        1.5: ramp(5),
    }


def opaque():
    """Return objects of many classes around one tensor."""
    config = Config(weight=ramp(2), width=3)
    config.note = "an attribute"
    return {
        "weight": ramp(2, 2),
        "path": pathlib.PurePosixPath("/tmp/x"),
        "kind": Kind.SMALL,
        "when": datetime.datetime(2020, 1, 2),
        "set": {1, 2},
        "frozen": frozenset([3]),
        "settings": Settings(),
        "counter": collections.Counter("aab"),
        "default": collections.defaultdict(list, {"bias": ramp(3)}),
        "deque": collections.deque([1, 2], maxlen=5),
        "config": config,
        "size": torch.Size([1, 2]),
        "dtype": torch.float16,
        "device": torch.device("cpu"),
        "complex": 1 + 2j,
        "bytes": b"\x00\xff",
        "array": bytearray(b"xyz"),
        "large": 1 << 80,
        "range": range(3),
        "class": collections.OrderedDict,
    }


def numpy_values():
    """Return NumPy's scalars and arrays beside a tensor."""
    return {
        "weight": ramp(2),
        "loss": numpy.float64(0.25),
        "epoch": numpy.int64(12),
        "flag": numpy.bool_(True),
        "small": numpy.float32(1.5),
        "array": numpy.arange(6, dtype=numpy.float32).reshape(2, 3),
        "fortran": numpy.asfortranarray(numpy.arange(6).reshape(2, 3)),
        "strings": numpy.array(["a", "bc"]),
        "objects": numpy.array([None, 1], dtype=object),
        "dtype": numpy.dtype("float16"),
    }


def module():
    """Return a small module with known weights and buffers."""
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2))


def tied():
    """Return one Parameter under two names, as tied embeddings are."""
    parameter = torch.nn.Parameter(ramp(3, 2))
    return collections.OrderedDict([("embed.weight", parameter), ("head.weight", parameter)])


CASES = {
    "contiguous": lambda: {"weight": ramp(2, 3), "bias": ramp(3) + 0.5},
    "conv_strides": lambda: {"weight": ramp(27).as_strided((1, 3, 3, 3), (27, 1, 9, 3))},
    "views": views,
    "expanded": lambda: {"zero": torch.tensor([5.0]).expand(3, 4), "row": ramp(1, 3).expand(4, 3)},
    "scalar": lambda: {"scalar": torch.tensor(2.5), "step": torch.tensor(7)},
    "empty": lambda: {
        "none": torch.empty(0),
        "rows": torch.empty(2, 0),
        "late": torch.empty(0, 5)[:, 3:],
        "tail": ramp(4)[4:],
        "long": torch.empty(0, dtype=torch.int64),
    },
    "dtypes": lambda: {name: of_dtype(name) for name in DTYPES},
    "parameters": lambda: {"plain": torch.nn.Parameter(ramp(2, 3)), "tagged": parameter_with_attribute()},
    "subclass": lambda: {"weight": ramp(2, 2).as_subclass(Tagged)},
    "nested": nested,
    "optimizer": optimizer_checkpoint,
    "lightning": lightning_checkpoint,
    "averaged": averaged_checkpoint,
    "numpy_values": numpy_values,
    "opaque": opaque,
    "flags": flags,
    "tied": tied,
    "module_state": lambda: module().state_dict(),
    "bare_tensor": lambda: ramp(2, 2),
    "list": lambda: [ramp(2), ramp(3)],
    "no_tensors": lambda: {"epoch": 3, "name": "x"},
    "names": lambda: {"ünï.cödé": ramp(1), "": ramp(2), "a b\n": ramp(3), "x" * 400: ramp(1)},
}


def flatten(value, name=None, found=None):
    """Return name → tensor for an object that torch.load gave."""
    found = {} if found is None else found
    items = ()
    if isinstance(value, numpy.ndarray) and value.dtype.kind in "biufc":
        value = torch.from_numpy(value)
    if isinstance(value, torch.Tensor):
        found[name or ""] = value
    elif isinstance(value, dict):
        items = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    for key, item in items:
        flatten(item, str(key) if name is None else f"{name}.{key}", found)
    return found


def describe(name, tensor):
    """Return a tensor's row of expected.json."""
    plain = tensor.detach().as_subclass(torch.Tensor).resolve_conj().resolve_neg().contiguous()
    raw = plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
    shape = list(tensor.shape)
    dtype = DTYPES[str(tensor.dtype).removeprefix("torch.")]
    if dtype == "F4":
        shape[-1] *= 2
    return [name, dtype, shape, hashlib.sha256(raw).hexdigest()]


def expected_of(path):
    """Return what PyTorch reads from a file."""
    found = flatten(torch.load(path, weights_only=False, map_location="cpu"))
    return [describe(name, tensor) for name, tensor in found.items()]


def rezip(source, target, top, method=zipfile.ZIP_STORED, change=None):
    """Write an archive's entries into another, under the folder `top`, changed by `change(name, data)`."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", method) as new:
        for entry in old.infolist():
            name = entry.filename.split("/", 1)[1]
            data = old.read(entry)
            data = data if change is None else change(name, data)
            if data is not None:
                new.writestr(zipfile.ZipInfo(f"{top}/{name}" if top else name), data, method)


def big_endian(source, target, sizes):
    """Write a little-endian checkpoint again with the elements of storage `key` swapped by sizes[key]."""

    def change(name, data):
        if name == "byteorder":
            return b"big"
        if not name.startswith("data/"):
            return data
        size = sizes[int(name.removeprefix("data/"))]
        return numpy.frombuffer(data, f"u{size}").byteswap().tobytes()

    rezip(source, target, target.stem, change=change)


# Typed storages and a component's size each. PyTorch itself doesn't swap what it saves untyped.
BIG = {
    "f64": ("float64", 8),
    "f32": ("float32", 4),
    "f16": ("float16", 2),
    "bf16": ("bfloat16", 2),
    "i64": ("int64", 8),
    "i16": ("int16", 2),
    "u8": ("uint8", 1),
    "c64": ("complex64", 4),
    "c128": ("complex128", 8),
}
BIG_UNTYPED = {"u16": ("uint16", 2), "u64": ("uint64", 8), "c32": ("complex32", 2), "f8": ("float8_e5m2", 1)}


def make_big_endian(expected):
    """Make two big-endian files; the second has what PyTorch reads wrongly, and the little twin's values."""
    for name, rows in (("big_endian", BIG), ("big_endian_untyped", BIG_UNTYPED)):
        twin, target = HERE / "twin.pt", HERE / f"{name}.pt"
        torch.save({key: of_dtype(dtype).t() for key, (dtype, _) in rows.items()}, twin)
        big_endian(twin, target, [size for _, size in rows.values()])
        expected[target.name] = expected_of(twin)
        if name == "big_endian":
            assert expected_of(target) == expected_of(twin)
        twin.unlink()


def make_protocols(expected):
    """Make the same checkpoint in every pickle protocol. PyTorch writes protocol 0 and can't read it."""
    checkpoint = {"weight": ramp(2, 3), "bias": torch.nn.Parameter(ramp(3)), "names": ["a"], "n": 1 << 70}
    for protocol in range(6):
        path = HERE / f"protocol_{protocol}.pt"
        torch.save(checkpoint, path, pickle_protocol=protocol)
        expected[path.name] = expected_of(HERE / "protocol_1.pt") if protocol else None
    expected["protocol_0.pt"] = expected["protocol_1.pt"]


def make_archives(expected):
    """Make what other programs make of an archive."""
    source = HERE / "contiguous.pt"

    def without_facts(name, data):
        return data if name == "data.pkl" or name.startswith("data/") else None

    rezip(source, HERE / "compressed.pt", "contiguous", zipfile.ZIP_DEFLATED)
    rezip(source, HERE / "other_folder.pt", "päth to")
    rezip(source, HERE / "no_folder.pt", "")
    rezip(source, HERE / "no_facts.pt", "x", change=without_facts)
    for name in ("compressed", "other_folder", "no_folder", "no_facts"):
        expected[f"{name}.pt"] = expected_of(source)
    rezip(HERE / "numpy_values.pt", HERE / "numpy_1_values.pt", "numpy_1_values", change=as_numpy_1)
    expected["numpy_1_values.pt"] = expected_of(HERE / "numpy_1_values.pt")


def as_numpy_1(name, data):
    """Return a pickle's bytes with the names that NumPy's modules had before release 2."""
    return data.replace(b"cnumpy._core.", b"cnumpy.core.") if name == "data.pkl" else data


def main():
    """Make all files."""
    warnings.simplefilter("ignore")
    expected = {}
    for name, make in CASES.items():
        path = HERE / f"{name}.pt"
        torch.save(make(), path)
        expected[path.name] = expected_of(path)
    make_protocols(expected)
    make_big_endian(expected)
    make_archives(expected)
    lines = [f"{json.dumps(name)}: [\n{rows_text(rows)}]" for name, rows in sorted(expected.items())]
    (HERE / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def rows_text(rows):
    """Return the rows of one file as text, a row a line."""
    return ",\n".join("  " + json.dumps(row) for row in rows) + ("\n" if rows else "")


if __name__ == "__main__":
    main()
