"""Load a .bpk, such as Burn in Rust writes it, into a network, and let it answer.

python examples/import_model_weights/burnpack.py
"""

import sys
from pathlib import Path

# Not this folder: the burnpack.py in it would stand for the package.
sys.path[:1] = [str(Path(__file__).resolve().parents[1])]

from import_model_weights.answers import MNIST, answer, network  # noqa: E402

from burnstore import BurnpackStore  # noqa: E402

file = MNIST / "mnist_conv_bn.bpk"
net = network("MnistConvBn")
# Names and layout are Burn's already, so no adapter is needed. The parameters are views of the mapped file.
with BurnpackStore.from_file(file) as store:
    result = net.load_from(store)
print(f"{file.name}: {result}")
answer(net)
