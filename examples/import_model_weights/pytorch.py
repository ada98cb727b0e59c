"""Load PyTorch's checkpoint into a network, without PyTorch, and let it answer.

python examples/import_model_weights/pytorch.py
"""

import sys
from pathlib import Path

# Not this folder: the burnpack.py in it would stand for the package.
sys.path[:1] = [str(Path(__file__).resolve().parents[1])]

from import_model_weights.answers import MNIST, answer, network  # noqa: E402

from burnstore import PytorchStore  # noqa: E402

file = MNIST / "mnist.pt"
net = network("MnistNet")
with PytorchStore.from_file(file) as store:
    result = net.load_from(store)
print(f"{file.name}: {result}")
answer(net)
