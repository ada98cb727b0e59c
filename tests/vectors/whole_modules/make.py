"""Writes whole modules, as `torch.save(net)` pickles them, for `describe` to read. Needs torch 2.15.

    python tests/vectors/whole_modules/make.py

The networks are those of tests/data/pt2/nets.py.
"""

import sys
from pathlib import Path

import torch

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "data" / "pt2"))

import nets  # noqa: E402

for name in ("group", "tcn", "transformer"):
    torch.save(nets.make(name)[0], HERE / f"{name}.pt")
