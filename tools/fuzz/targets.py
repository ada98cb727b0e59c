"""What is fuzzed: for each parser its good files, what changes them, and what reads them."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tools.fuzz import hosted
from tools.fuzz.lines import ROOT
from tools.fuzz.mutators import archives, containers, npy, pickles, plain, programs, romfs

CORPUS = ROOT / "tests" / "corpus"
_SEED_MOST = 12_000  # bytes of a good file, if its target says nothing else

Mutator = Callable[[bytes, Random, Sequence[bytes]], bytes]


@dataclass(frozen=True)
class Target:
    """A parser.

    seeds: patterns of the paths of good files. read: returns a text for what is read, the same for the same;
    raises `BurnpackError`. board: how `board/verdicts.py` calls what reads it on MicroPython, "" for nothing.
    boards: the interpreters that have it. both: whether these must refuse what CPython refuses.
    most: bytes of a seed at most.
    """

    name: str
    seeds: tuple[str, ...]
    changed: Mutator
    read: Callable[[bytes], str]
    board: str = ""
    boards: tuple[str, ...] = ("unix", "wasm")
    both: bool = True
    most: int = _SEED_MOST

    def good_files(self) -> list[bytes]:
        """Return the seeds, then the corpus, each once."""
        paths = [path for pattern in self.seeds for path in sorted(ROOT.glob(pattern))]
        found = {path.read_bytes(): None for path in paths if path.stat().st_size <= self.most}
        return list({**found, **{path.read_bytes(): None for path in self.corpus()}})

    def corpus(self) -> list[Path]:
        """Return the paths of the inputs that were kept, as they found lines or a fault."""
        return sorted(path for path in (CORPUS / self.name).glob("*") if path.is_file())


def _checkpoint(name: str, changed: Mutator, *seeds: str) -> Target:
    return Target(name, seeds, changed, hosted.checkpoint)


_VECTORS = "tests/vectors/"
TARGETS = {
    target.name: target
    for target in (
        Target(
            "burnpack",
            (_VECTORS + "burnpack_basic/*.bpk", "tests/data/rust/*.bpk", _VECTORS + "quantized/*.bpk"),
            containers.burnpack,
            hosted.burnpack,
            board="burnpack",
        ),
        Target(
            "safetensors",
            (_VECTORS + "safetensors/*.safetensors", "tests/data/rust/*.safetensors"),
            containers.safetensors,
            hosted.safetensors,
            board="safetensors",
        ),
        _checkpoint(
            "pickle",
            pickles.changed,
            _VECTORS + "pytorch_other/*.pkl",
            _VECTORS + "pytorch_other/legacy_*.pt",
        ),
        _checkpoint(
            "zip",
            archives.zipped,
            _VECTORS + "pytorch_zip/*.pt",
            "tests/data/pytorch/*.pt",
            "tests/data/reports/*.pt",
            _VECTORS + "eager/*.pt",
        ),
        _checkpoint("tar", archives.tarred, _VECTORS + "pytorch_other/*.tar", "tests/data/pytorch/*.tar"),
        Target(
            "exported",
            (_VECTORS + "exported/*.pt2", "tests/data/pt2/*.pt2"),
            archives.zipped,
            hosted.exported,
            most=40_000,
        ),
        Target(
            "script",
            (_VECTORS + "exported/*.pt", _VECTORS + "pytorch_other/scripted.pt"),
            archives.zipped,
            hosted.exported,
            most=20_000,
        ),
        Target("index", (), containers.json, hosted.index),
        Target("npy", (), npy.changed, hosted.npy),
        Target("npz", (), archives.zipped, hosted.npz),
        Target("romfs", (), romfs.changed, hosted.romfs, board="romfs", boards=("unix",), both=False),
        Target("program", (), programs.changed, hosted.program, board="program"),
        Target("any", (_VECTORS + "pytorch_other/*", "tests/data/rust/*"), plain.changed, hosted.opened),
    )
}


def named(names: Iterable[str]) -> list[Target]:
    """Return the targets of these names, or all; raises `LookupError`."""
    return [TARGETS[name] for name in names] or list(TARGETS.values())


def target_of(path: Path) -> Target | None:
    """Return the target that a kept file is for: its name begins with it, or its folder is called so."""
    found = re.match("[a-z]+", path.name)
    return TARGETS.get(path.parent.name) or (TARGETS.get(found[0]) if found else None)
