"""Writes networks in TorchScript: of tests/data/pt2/nets.py, and some of their own. Needs torch 2.15.

python tests/vectors/exported/scripts.py
"""

import importlib.util
from pathlib import Path

import torch
from torch import nn

HERE = Path(__file__).parent
NETS = HERE.parents[1] / "data" / "pt2" / "nets.py"
TRACED = ("ecg", "text", "wake")
SCRIPTED = ("kws", "transformer", "wake")
FROZEN = ("unet",)


class Depends(nn.Module):
    """Control flow that depends on what is computed."""

    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x


class Loops(nn.Module):
    """Loops and branches that are known beforehand."""

    def forward(self, x):
        for i in range(3):
            if i == 1:  # noqa: SIM108, statements are what this is about
                x = x + i
            else:
                x = x * 2
        return x


class Keeps(nn.Module):
    """A constant that is no buffer, and one that is a number."""

    def __init__(self):
        super().__init__()
        self.k = torch.tensor([1.0, 2.0])

    def forward(self, x):
        return x * 3.0 + self.k


def nets():
    spec = importlib.util.spec_from_file_location("nets", NETS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    """Make the files."""
    made = nets().make
    for name in TRACED:
        network, inputs = made(name)
        torch.jit.trace(network, inputs).save(HERE / f"{name}_traced.pt")
    for name in SCRIPTED:
        torch.jit.script(made(name)[0]).save(HERE / f"{name}_scripted.pt")
    for name in FROZEN:
        torch.jit.freeze(torch.jit.script(made(name)[0])).save(HERE / f"{name}_frozen.pt")
    torch.jit.script(Depends()).save(HERE / "depends.pt")
    torch.jit.script(Loops()).save(HERE / "loops.pt")
    torch.jit.trace(Keeps(), torch.ones(1, 2)).save(HERE / "keeps.pt")


if __name__ == "__main__":
    main()
