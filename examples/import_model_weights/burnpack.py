"""Load a .bpk, such as Burn in Rust writes it, into a network, and let it answer.

python examples/import_model_weights/burnpack.py
"""

import sys
from pathlib import Path

# Not this folder: the burnpack.py in it would stand for the package.
sys.path[:1] = [str(Path(__file__).resolve().parents[1])]

from import_model_weights.answers import BUILD, DATA, EXAMPLES, HAS_MNIST, answer, network  # noqa: E402

from burnstore import BurnpackStore, PytorchStore  # noqa: E402


def file_of_digits():
    """Make a .bpk of the digits' checkpoint; return the path."""
    net = network("DigitsNet")
    with PytorchStore.from_file(EXAMPLES / "digits" / "digits.pt") as store:
        net.load_from(store)
    BUILD.mkdir(exist_ok=True)
    net.save_into(BurnpackStore.from_file(BUILD / "digits_example.bpk").overwrite(True))
    return BUILD / "digits_example.bpk"


file = DATA / "burn" / "mnist_conv_bn.bpk" if HAS_MNIST else file_of_digits()
net = network("MnistConvBn" if HAS_MNIST else "DigitsNet")
# Names and layout are Burn's already, so no adapter is needed. The parameters are views of the mapped file.
with BurnpackStore.from_file(file) as store:
    result = net.load_from(store)
print(f"{file.name}: {result}")
answer(net)
