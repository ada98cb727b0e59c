"""Make golden checkpoints in other containers: legacy, tar, bare pickle; and modules, and TorchScript.

Run with torch 2.13 installed: python tests/vectors/pytorch_other/make.py
expected.json: as in ../pytorch_zip; of TorchScript archives what `torch.jit.load(...).state_dict()` has.
The tar writer follows the format's description, as no PyTorch writes it any more; PyTorch reads it back.
"""

import collections
import importlib.util
import io
import json
import pathlib
import pickle
import struct
import tarfile
import warnings

import torch

HERE = pathlib.Path(__file__).parent
MAGIC, VERSION = 0x1950A86A20F9469CFC6C, 1001


def load_zip_vectors():
    """Return the module that makes the zip vectors, whose cases and descriptions serve here too."""
    spec = importlib.util.spec_from_file_location("zip_vectors", HERE.parent / "pytorch_zip" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


zip_vectors = load_zip_vectors()
ramp = zip_vectors.ramp


class Block(torch.nn.Module):
    """Parameters, buffers of both kinds, a plain tensor and a list."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 2, 3, bias=False)
        self.norm = torch.nn.BatchNorm2d(2)
        self.scale = torch.nn.Parameter(ramp(2))
        self.register_buffer("kept", ramp(3))
        self.register_buffer("dropped", ramp(4), persistent=False)
        self.register_parameter("absent", None)
        self.plain = ramp(5)
        self.sizes = [1, 2]


class Net(torch.nn.Module):
    """Modules in lists, and one under two names."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.blocks = torch.nn.ModuleList([Block()])
        self.head = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(8, 3))
        self.tied = self.head


class Scale(torch.nn.Module):
    """A layer of our own, whose code TorchScript can keep."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(ramp(2, 3))
        self.register_parameter("bias", None)
        self.register_buffer("kept", ramp(3))
        self.register_buffer("dropped", ramp(3), persistent=False)
        self.plain = ramp(3)
        self.sizes = [1, 2]

    def forward(self, x):
        """Use all that there is."""
        return x @ self.weight * self.kept + self.dropped + self.plain


class Scales(torch.nn.Module):
    """Modules in a list, and one under two names."""

    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Scale(), Scale()])
        self.tied = self.blocks[0]
        self.offset = torch.nn.Parameter(ramp(3).flip(0))

    def forward(self, x):
        """Answer for [n, 2]."""
        return self.blocks[0](x) + self.blocks[1](x) + self.tied(x) + self.offset


def save_torchscript(module, path):
    """Save a TorchScript archive without its notes for debugging, which name files of this machine."""
    file = io.BytesIO()
    torch.jit.save(module, file)
    file.seek(0)
    zip_vectors.rezip(file, path, path.stem, change=lambda name, data: None if "debug_pkl" in name else data)


def without_source(value):
    """Stand for the function that finds a class's source, which then isn't saved."""
    raise OSError


def save_legacy(value, path, protocol=2):
    """Save as PyTorch 1.5 and before did."""
    torch.save(value, path, pickle_protocol=protocol, _use_new_zipfile_serialization=False)


def save_parts(path):
    """Write a legacy file whose storages are parts of one, as PyTorch before 0.4 wrote views."""
    whole = struct.pack("<12f", *range(12))
    storage = ("storage", torch.FloatStorage, "17", "cpu", 12)

    class Pickler(pickle.Pickler):
        def persistent_id(self, value):
            return (*storage, value.part) if isinstance(value, Part) else None

    class Part:
        def __init__(self, part):
            self.part = part

    class Tensor:
        def __init__(self, part, size):
            self.arguments = (Part(part), 0, size, (1,), False, collections.OrderedDict())

        def __reduce__(self):
            return torch._utils._rebuild_tensor_v2, self.arguments

    value = {
        "all": Tensor(None, (12,)),
        "head": Tensor(("18", 0, 5), (5,)),
        "tail": Tensor(("19", 7, 5), (4,)),
    }
    with open(path, "wb") as file:
        for item in (MAGIC, VERSION, {"little_endian": True}):
            pickle.dump(item, file, protocol=2)
        Pickler(file, protocol=2).dump(value)
        pickle.dump(["17"], file, protocol=2)
        file.write(struct.pack("<q", 12) + whole)


def save_tar(path, storages, parts, tensors, root):
    """Write a tar container.

    storages: (key, class, bytes of an element, bytes); parts: (key, key of the whole, offset, count);
    tensors: (key, key of the storage, shape, stride, offset); root: makes the object of a tensor's key.
    """
    members = {"sys_info": pickle.dumps({"protocol_version": 1000, "little_endian": True}, 2)}
    file = io.BytesIO()
    pickle.dump(len(storages), file, 2)
    for key, kind, size, data in storages:
        pickle.dump((key, "cpu", kind), file, 2)
        file.write(struct.pack("<q", len(data) // size) + data)
    pickle.dump(parts, file, 2)
    members["storages"] = file.getvalue()
    file = io.BytesIO()
    pickle.dump(len(tensors), file, 2)
    for key, storage, shape, stride, offset in tensors:
        pickle.dump((key, storage, torch.FloatTensor), file, 2)
        file.write(struct.pack(f"<ii{2 * len(shape) + 1}q", len(shape), 0, *shape, *stride, offset))
    members["tensors"] = file.getvalue()

    class Reference:
        def __init__(self, key):
            self.key = key

    class Pickler(pickle.Pickler):
        def persistent_id(self, value):
            return str(value.key) if isinstance(value, Reference) else None

    file = io.BytesIO()
    Pickler(file, 2).dump(root(Reference))
    members["pickle"] = file.getvalue()
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def typed():
    """Return a tensor of each dtype that has a storage class; PyTorch reads no others from legacy files."""
    names = "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128"
    return {name: zip_vectors.of_dtype(name) for name in names.split()}


def make_legacy(expected):
    """Make the legacy files."""
    for name in ("contiguous", "views", "empty", "dtypes", "parameters", "nested", "optimizer", "tied"):
        path = HERE / f"legacy_{name}.pt"
        value = typed() if name == "dtypes" else zip_vectors.CASES[name]()
        save_legacy(value, path)
        expected[path.name] = zip_vectors.expected_of(path)
    for protocol in (1, 3, 4, 5):
        path = HERE / f"legacy_protocol_{protocol}.pt"
        save_legacy({"weight": ramp(2, 3).t(), "n": 1 << 70}, path, protocol)
        expected[path.name] = zip_vectors.expected_of(path)
    save_parts(HERE / "legacy_parts.pt")
    expected["legacy_parts.pt"] = zip_vectors.expected_of(HERE / "legacy_parts.pt")


def make_tar(expected):
    """Make a tar file with views, parts of storages, and dtypes."""
    storages = [
        (1, torch.FloatStorage, 4, struct.pack("<12f", *range(12))),
        (2, torch.LongStorage, 8, struct.pack("<3q", 7, 8, 9)),
    ]
    tensors = [
        (10, 1, (3, 4), (4, 1), 0),
        (11, 1, (4, 3), (1, 4), 0),
        (12, 3, (2,), (1,), 1),
        (13, 2, (3,), (1,), 0),
        (14, 2, (), (), 2),
    ]
    names = ["w", "wt", "part", "steps", "step"]
    path = HERE / "tar.pt"
    keys = [row[0] for row in tensors]
    save_tar(
        path,
        storages,
        [(3, 1, 6, 4)],
        tensors,
        lambda reference: collections.OrderedDict(zip(names, map(reference, keys), strict=True)),
    )
    expected[path.name] = zip_vectors.expected_of(path)


def make_bare(expected):
    """Make bare pickles, and let pickle itself say what is in them."""
    for protocol in (0, 2, 4):
        path = HERE / f"bare_protocol_{protocol}.pkl"
        value = {"weight": ramp(2, 3).t(), "bias": torch.nn.Parameter(ramp(3)), "n": 3}
        path.write_bytes(pickle.dumps(value, protocol))
        found = zip_vectors.flatten(pickle.loads(path.read_bytes()))
        expected[path.name] = [zip_vectors.describe(name, tensor) for name, tensor in found.items()]


def make_modules(expected):
    """Make whole modules and TorchScript archives."""
    net = Net().eval()
    rows = [zip_vectors.describe(name, tensor) for name, tensor in net.state_dict().items()]
    torch.save(net, HERE / "module.pt")
    save_legacy(net, HERE / "module_legacy.pt")
    torch.save({"epoch": 2, "net": torch.nn.DataParallel(net)}, HERE / "module_parallel.pt")
    expected["module.pt"] = expected["module_legacy.pt"] = rows
    expected["module_parallel.pt"] = [[f"net.module.{name}", *row] for name, *row in rows]
    scales = Scales().eval()
    save_torchscript(torch.jit.script(scales), HERE / "scripted.pt")
    save_torchscript(torch.jit.trace(scales, torch.zeros(1, 2)), HERE / "traced.pt")
    for name in ("scripted.pt", "traced.pt"):
        state = torch.jit.load(HERE / name, map_location="cpu").state_dict()
        expected[name] = [zip_vectors.describe(key, tensor) for key, tensor in state.items()]


def main():
    """Make all files."""
    torch.serialization.get_source_lines_and_file = without_source
    warnings.simplefilter("ignore")
    expected = {}
    make_legacy(expected)
    make_tar(expected)
    make_bare(expected)
    make_modules(expected)
    lines = [
        f"{json.dumps(name)}: [\n{zip_vectors.rows_text(rows)}]" for name, rows in sorted(expected.items())
    ]
    (HERE / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
