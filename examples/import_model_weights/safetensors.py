"""Load a SafeTensors file in PyTorch's layout into a network, and let it answer.

python examples/import_model_weights/safetensors.py
"""

import sys
from pathlib import Path

# Not this folder: the burnpack.py in it would stand for the package.
sys.path[:1] = [str(Path(__file__).resolve().parents[1])]

from import_model_weights.answers import MNIST, answer, network  # noqa: E402

from burnstore import PyTorchToBurnAdapter, SafetensorsStore  # noqa: E402

file = MNIST / "mnist.safetensors"
net = network("MnistNet")
# The file says nothing of its layout: the adapter does.
with SafetensorsStore.from_file(file).with_from_adapter(PyTorchToBurnAdapter()) as store:
    result = net.load_from(store)
print(f"{file.name}: {result}")
answer(net)
