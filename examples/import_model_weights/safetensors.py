"""Load a SafeTensors file in PyTorch's layout into a network, and let it answer.

python examples/import_model_weights/safetensors.py
"""

import sys
from pathlib import Path

# Not this folder: the burnpack.py in it would stand for the package.
sys.path[:1] = [str(Path(__file__).resolve().parents[1])]

from import_model_weights.answers import BUILD, DATA, EXAMPLES, HAS_MNIST, answer, network  # noqa: E402

from burnstore import PyTorchToBurnAdapter, SafetensorsStore, open_model, save_safetensors  # noqa: E402


def file_of_digits():
    """Write the digits' checkpoint as SafeTensors, its names and layout as they are; return the path."""
    path = BUILD / "digits.safetensors"
    BUILD.mkdir(exist_ok=True)
    with open_model(EXAMPLES / "digits" / "digits.pt") as checkpoint:
        save_safetensors(path, checkpoint, overwrite=True)
    return path


file = DATA / "mnist" / "mnist.safetensors" if HAS_MNIST else file_of_digits()
net = network("MnistNet" if HAS_MNIST else "DigitsNet")
# The file says nothing of its layout: the adapter does.
with SafetensorsStore.from_file(file).with_from_adapter(PyTorchToBurnAdapter()) as store:
    result = net.load_from(store)
print(f"{file.name}: {result}")
answer(net)
