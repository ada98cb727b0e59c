"""Inputs that break a rule, kept in build/fuzz, each kind once, as small as it gets."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from tools.fuzz.lines import ROOT

FOLDER = ROOT / "build" / "fuzz"
_TRIES = 400  # of making an input smaller


class Finds:
    """What was found. kinds: {(target, what is wrong): path of the input}."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder / "finds"
        self.kinds: dict[tuple[str, str], Path] = {}

    def add(self, target: str, wrong: str, data: bytes, detail: str) -> bool:
        """Keep an input that breaks a rule; tell whether it is the first of its kind."""
        if (target, wrong) in self.kinds:
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
        path.write_bytes(data)
        command = (
            f"python -m tools.fuzz --repeat {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}"
        )
        path.with_suffix(".txt").write_text(f"{wrong}\nto repeat: {command}\n\n{detail}\n")
        self.kinds[target, wrong] = path
        print(f"FOUND {target}: {wrong}\n      {command}", flush=True)
        return True


def smaller(data: bytes, holds: Callable[[bytes], bool], tries: int = _TRIES) -> bytes:
    """Return less bytes for which `holds` is true as well: pieces are taken out, large ones first."""
    size = len(data) // 2
    while size and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            shorter = data[:at] + data[at + size :]
            tries -= 1
            if holds(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data
