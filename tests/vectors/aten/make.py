"""Write schemas.json: of each operation that is described here, the names of PyTorch's arguments.

python tests/vectors/aten/make.py    needs torch, and burnstore
"""

import json
from pathlib import Path

import torch
import torch.ao.quantization.fx._decomposed  # whose import registers quantized_decomposed

from burnstore.aten.core import CORE
from burnstore.aten.table import HANDLERS

found = {}
for name in sorted({*HANDLERS, *CORE}):
    if name.startswith("burnrt."):
        continue
    space, operation, overload = name.split(".")
    try:
        schema = getattr(getattr(getattr(torch.ops, space), operation), overload)._schema
    except AttributeError:
        print(name, "is none of PyTorch's")
        continue
    found[name] = [argument.name for argument in schema.arguments]
text = json.dumps(found, indent=0)
Path(__file__).with_name("schemas.json").write_text(text + "\n", encoding="utf-8")
