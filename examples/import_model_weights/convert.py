"""Convert PyTorch's checkpoint into a .bpk for Burn and for boards, load that, and let the network answer.

    python examples/import_model_weights/convert.py

This is what `burnstore convert` does, in Python.
"""

import sys
from pathlib import Path

# Not this folder: the burnpack.py in it would stand for the package.
sys.path[:1] = [str(Path(__file__).resolve().parents[1])]

from import_model_weights.answers import BUILD, MNIST, answer, network  # noqa: E402

from burnstore import BurnpackStore, open_model  # noqa: E402
from burnstore.pipeline.conversion import plan  # noqa: E402
from burnstore.pipeline.options import Options  # noqa: E402

file = MNIST / "mnist.pt"
BUILD.mkdir(exist_ok=True)
with open_model(file) as checkpoint:
    # The network gives the names and the layout. Everything is checked here, and written by `run`.
    conversion = plan(checkpoint, BUILD / "converted.bpk", network("MnistNet"), Options(overwrite=True))
    conversion.run()
print(*conversion.notes, sep="\n")
print(f"{file.name} -> {conversion.target.name}, {conversion.size:,} bytes")

net = network("MnistNet")
with BurnpackStore.from_file(conversion.target) as store:
    net.load_from(store)
answer(net)
