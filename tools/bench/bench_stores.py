"""The stores, against safetensors, torch where it can be imported, and Burn where its judge has been built.

unified_loading     one model from .bpk, .safetensors and .pt into a module; used: each page is read
unified_saving      one model into .bpk and .safetensors, waiting for the disk
converting          .pt and .safetensors into .bpk, with all weights transposed
zero_copy_loading   a file of 1 GB mapped, and nothing of it touched, or one tensor
resnet18_loading    ResNet-18 from .pt and .safetensors into a module, its last layer transposed
"""

import importlib.util
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
from safetensors.numpy import load_file, save_file

from burnpack.module import Module, walk
from burnstore import (
    BurnpackStore,
    PytorchStore,
    PyTorchToBurnAdapter,
    SafetensorsStore,
    open_model,
    save_burnpack,
    tensor_from_array,
)
from burnstore.pipeline.conversion import plan
from burnstore.pipeline.options import Options
from tools.bench import Row, at_most_times, burn
from tools.bench.checkpoints import write_pytorch
from tools.bench.models import Arrays, Linears, ResNet18, Tables, arrays_of
from tools.bench.timing import alternated

Action = Callable[[], object]

ROUNDS = 5
SIZES = {"50 MB": (12, 1024), "1 GB": (16, 16384)}  # embeddings, and rows of each: 4 KB a row
PAGE = 1024  # float32 numbers
HAS_TORCH = importlib.util.find_spec("torch") is not None


def run() -> list[Row]:
    rows: list[Row] = []
    for name, (count, size) in SIZES.items():
        with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
            rows += _loading(name, Path(folder), partial(Tables, count, size))
    for subject in (_linears, _resnet18):
        with tempfile.TemporaryDirectory(prefix="burnstore-bench-") as folder:
            rows += subject(Path(folder))
    return rows


def _write(folder: Path, arrays: Arrays) -> None:
    """Write the same model in three formats, in PyTorch's layout."""
    save_burnpack(folder / "model.bpk", [tensor_from_array(name, array) for name, array in arrays.items()])
    save_file(arrays, folder / "model.safetensors")
    write_pytorch(folder / "model.pt", arrays)


def _loading(size: str, folder: Path, model: Callable[[], Module]) -> list[Row]:
    arrays = arrays_of(model())
    _write(folder, arrays)
    ours: dict[str, Action] = {
        ".bpk": lambda: _loaded(model(), BurnpackStore.from_file(folder / "model.bpk")),
        ".safetensors": lambda: _loaded(model(), SafetensorsStore.from_file(folder / "model.safetensors")),
        ".pt": lambda: _loaded(model(), PytorchStore.from_file(folder / "model.pt")),
    }
    peers: dict[str, Action] = {
        "load_file": lambda: load_file(folder / "model.safetensors"),
        **_torch(folder, arrays),
    }
    rows = []
    for what, wrap in ((f"unified_loading {size}", _plain), (f"unified_loading {size}, used", _used)):
        rows += _compared(what, ours, peers, wrap)
    return rows + (_zero_copy(size, folder) if size == "1 GB" else [])


def _compared(
    what: str, ours: dict[str, Action], peers: dict[str, Action], wrap: Callable[[Action], Action]
) -> list[Row]:
    """Time all in turns; return a row for each of ours, against the quickest peer that reads such files."""
    times = alternated({name: wrap(action) for name, action in {**ours, **peers}.items()}, ROUNDS)
    rows = []
    for name in ours:
        alike = [peer for peer in peers if name == ".pt" and peer.startswith("torch.load")] or list(peers)
        quickest = min(alike, key=lambda peer: times[peer])
        title = f"{what}: {name}"
        rows.append(at_most_times(title, times[name] * 1e3, "ms", quickest, times[quickest] * 1e3, 1.0))
    return rows


def _plain(action: Action) -> Action:
    return action


def _used(action: Action) -> Action:
    """Return an action that also reads a number of each page of what was loaded."""
    return lambda: sum(float(numbers[::PAGE].sum()) for numbers in _numbers(action()))


def _numbers(loaded: Any) -> Iterator[Any]:
    if isinstance(loaded, Module):
        for _, _, param in walk(loaded):
            yield np.frombuffer(param.data or b"", np.float32)
    else:
        state = loaded if isinstance(loaded, dict) else loaded.state_dict()
        yield from (tensor.reshape(-1) for tensor in state.values())


def _loaded(model: Module, store: BurnpackStore | SafetensorsStore | PytorchStore) -> Module:
    with store:
        model.load_from(store)
    return model


def _torch(folder: Path, arrays: Arrays) -> dict[str, Action]:
    """Return torch's ways of loading into a module of its own, none where it can't be imported."""
    if not HAS_TORCH:
        return {}
    torch = importlib.import_module("torch")
    from_safetensors = importlib.import_module("safetensors.torch").load_file

    def loaded(read: Action) -> Action:
        return lambda: _torch_module(torch, arrays, read())

    return {
        "torch.load": loaded(lambda: torch.load(folder / "model.pt", weights_only=True)),
        "torch.load mapped": loaded(lambda: torch.load(folder / "model.pt", weights_only=True, mmap=True)),
        "safetensors.torch": loaded(lambda: from_safetensors(folder / "model.safetensors")),
    }


def _torch_module(torch: Any, arrays: Arrays, state: Any) -> Any:
    """Return a new module with a parameter for each array, which takes a state as it is."""
    root = torch.nn.Module()
    for name, array in arrays.items():
        module = root
        *parents, last = name.split(".")
        for parent in parents:
            if parent not in module._modules:
                module.add_module(parent, torch.nn.Module())
            module = module._modules[parent]
        module.register_parameter(last, torch.nn.Parameter(torch.empty(array.shape, device="meta")))
    root.load_state_dict(state, assign=True)
    return root


def _zero_copy(size: str, folder: Path) -> list[Row]:
    name = "tables.3.weight"

    def ours(touch: bool) -> object:
        with open_model(folder / "model.bpk") as opened:
            return float(opened.array(name).sum()) if touch else opened.names()

    def theirs(touch: bool) -> object:
        with safetensors.safe_open(folder / "model.safetensors", "numpy") as opened:
            return float(opened.get_tensor(name).sum()) if touch else list(opened.keys())

    rows = []
    for what, touch in (("nothing", False), ("one tensor", True)):
        times = alternated({"ours": partial(ours, touch), "safe_open": partial(theirs, touch)}, 10)
        title = f"zero_copy_loading {size}, {what} touched"
        mine, peer = times["ours"] * 1e6, times["safe_open"] * 1e6
        rows.append(at_most_times(title, mine, "µs", "safe_open", peer, 1.0))
    return rows


def _linears(folder: Path) -> list[Row]:
    """Saving and converting, on the model of Burn's benchmark."""
    arrays = arrays_of(Linears())
    _write(folder, arrays)
    model = Linears()
    _loaded(model, PytorchStore.from_file(folder / "model.pt"))
    times = alternated(_savings(folder, model, arrays), ROUNDS)
    peers = [name for name in times if not name.startswith(".")]
    rows = []
    for name in (".bpk", ".safetensors"):
        peer = min((peer for peer in peers if peer != "bare write"), key=lambda peer: times[peer])
        title = f"unified_saving 327 MB: {name}"
        rows.append(at_most_times(title, times[name] * 1e3, "ms", peer, times[peer] * 1e3, 1.0))
        rows.append(
            at_most_times(title, times[name] * 1e3, "ms", "bare write", times["bare write"] * 1e3, 1 / 0.9)
        )
    return rows + _converting(folder)


def _savings(folder: Path, model: Module, arrays: Arrays) -> dict[str, Action]:
    def synced(save: Action) -> Action:
        def action() -> None:
            save()
            _sync(folder / "saved")

        return action

    def bare() -> None:
        with open(folder / "saved", "wb", buffering=0) as file:
            for array in arrays.values():
                file.write(array.data.cast("B"))

    burnpack = BurnpackStore.from_file(folder / "saved").auto_extension(False).overwrite(True)
    actions: dict[str, Action] = {
        ".bpk": lambda: model.save_into(burnpack),
        ".safetensors": lambda: model.save_into(SafetensorsStore.from_file(folder / "saved").overwrite(True)),
        "save_file": synced(lambda: save_file(arrays, folder / "saved")),
        "bare write": synced(bare),
    }
    if HAS_TORCH:
        torch = importlib.import_module("torch")
        state = {name: torch.from_numpy(array) for name, array in arrays.items()}
        actions["torch.save"] = synced(lambda: torch.save(state, folder / "saved"))
    return actions


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    os.fsync(descriptor)
    os.close(descriptor)


def _converting(folder: Path) -> list[Row]:
    def convert(source: str) -> None:
        options = Options(from_layout="pytorch", overwrite=True)
        with open_model(folder / source) as opened:
            plan(opened, folder / "converted.bpk", Linears(), options).run()

    sources = ("model.pt", "model.safetensors")
    times = alternated({name: partial(convert, name) for name in sources}, ROUNDS)
    theirs = burn.seconds(folder, ROUNDS)
    rows = []
    for name, step in (("model.pt", "convert_pytorch"), ("model.safetensors", "convert_safetensors")):
        title = f"converting 327 MB: {Path(name).suffix} to .bpk"
        if step in theirs:
            rows.append(at_most_times(title, times[name] * 1e3, "ms", "Burn", theirs[step] * 1e3, 0.5))
        else:
            rows.append(Row(title, times[name] * 1e3, "ms"))
    return rows


def _resnet18(folder: Path) -> list[Row]:
    arrays = arrays_of(ResNet18())
    _write(folder, arrays)
    adapter = PyTorchToBurnAdapter()
    ours: dict[str, Action] = {
        ".pt": lambda: _loaded(ResNet18(), PytorchStore.from_file(folder / "model.pt")),
        ".safetensors": lambda: _loaded(
            ResNet18(), SafetensorsStore.from_file(folder / "model.safetensors").with_from_adapter(adapter)
        ),
    }
    peers: dict[str, Action] = {
        "load_file": lambda: load_file(folder / "model.safetensors"),
        **_torch(folder, arrays),
    }
    return _compared("resnet18_loading, used", ours, peers, _used)
