"""Look into a .bpk: its metadata and scalars, and where each tensor lies.

    python examples/inspect_burnpack.py [FILE.bpk]

Without a file it makes one of the digits' checkpoint. Only the header is read, whatever the file's size:
`burnpack.Reader` does the same on a board. `burnstore inspect` prints more, of every format.
"""

import sys
from pathlib import Path

from burnpack import Reader
from burnstore import BurnpackStore, PytorchStore
from burnstore.models.model import load_module

ROOT = Path(__file__).resolve().parent.parent


def example():
    """Write a .bpk of the digits' network, with a scalar; return its path."""
    net = load_module(f"{ROOT / 'examples' / 'digits' / 'model.py'}:DigitsNet")
    with PytorchStore.from_file(ROOT / "examples" / "digits" / "digits.pt") as store:
        net.load_from(store)
    path = ROOT / "build" / "inspected.bpk"
    path.parent.mkdir(exist_ok=True)
    store = BurnpackStore.from_file(path).overwrite(True).metadata("trained on", "digits")
    net.save_into(store.scalar("epochs", 60))
    return path


path = Path(sys.argv[1]) if len(sys.argv) > 1 else example()
with path.open("rb") as file:
    reader = Reader.from_stream(file, source=str(path))
    print(f"{path.name}: {len(reader)} tensors, as Burn {reader.dialect} writes it")
    for key, text in reader.metadata():
        print(f"  {key}: {text}")
    for name, (kind, value) in reader.scalars():
        print(f"  {name}: {value} ({kind})")
    for name in reader.names():
        tensor, (start, end) = reader.tensor(name), reader.span(name)
        aligned = "aligned to 256" if start % 256 == 0 else "not aligned"
        print(f"{name:20} {tensor.dtype:5} {list(tensor.shape)!s:16} bytes {start} to {end}, {aligned}")
