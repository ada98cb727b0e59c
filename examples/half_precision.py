"""Save a network with 16-bit weights, load it back, and see what that costs.

    python examples/half_precision.py

BatchNorm stays as it is: a small running variance would become 0 in 16 bits.
"""

from pathlib import Path

from burnpack.safetensors import Reader
from burnrt import tensor
from burnstore import BurnpackStore, HalfPrecisionAdapter, PytorchStore
from burnstore.models.model import load_module

DIGITS = Path(__file__).resolve().parent / "digits"
BUILD = DIGITS.parent.parent / "build"


def network():
    return load_module(f"{DIGITS / 'model.py'}:DigitsNet")


def scores(net, images):
    """Return the network's ten scores for each image."""
    inputs = [images[start : start + 64] for start in range(0, len(images), 64)]
    return [list(net(tensor([pixel / 16 for pixel in image], (1, 1, 8, 8)))[0]) for image in inputs]


def right(rows, labels):
    return sum(row.index(max(row)) == label for row, label in zip(rows, labels, strict=True))


net, halved = network(), network()
with PytorchStore.from_file(DIGITS / "digits.pt") as store:
    net.load_from(store)
BUILD.mkdir(exist_ok=True)
whole, half = BUILD / "digits_f32.bpk", BUILD / "digits_f16.bpk"
net.save_into(BurnpackStore.from_file(whole).overwrite(True))
net.save_into(BurnpackStore.from_file(half).overwrite(True).with_to_adapter(HalfPrecisionAdapter()))
with BurnpackStore.from_file(half).with_from_adapter(HalfPrecisionAdapter()) as store:
    kinds = sorted({tensor.dtype for tensor in store.get_all_tensors()})
    halved.load_from(store)

held_out = Reader.from_bytes((DIGITS / "test_images.safetensors").read_bytes())
images, labels = held_out.view("images"), held_out.view("labels")
before, after = scores(net, images), scores(halved, images)
largest = max(
    abs(a - b) for one, other in zip(before, after, strict=True) for a, b in zip(one, other, strict=True)
)
for path in (whole, half):
    print(f"{path.name}: {path.stat().st_size:,} bytes")
print(f"dtypes in {half.name}: {' and '.join(kinds)}")
print(f"right before: {right(before, labels)} of {len(labels)}, after: {right(after, labels)}")
print(f"largest difference between scores: {largest:.4f}")
