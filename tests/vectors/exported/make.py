"""Writes what PyTorch reads from exported programs, for tests to compare with. Needs torch 2.15.

    python tests/vectors/exported/make.py

Of each .pt2 of tests/data/pt2: its tensors by name, with a hash of their bytes; its operations, with their
arguments as PyTorch prints them and what they make; its inputs, outputs and sample inputs. Of each that
programs.py wrote: its tensors.
"""

import hashlib
import json
from pathlib import Path

import torch
import torch.ao.quantization.fx._decomposed  # the operations of quantized programs

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "data" / "pt2"
UNREAD = ("subclass.pt2", "two.pt2")
DTYPES = {
    torch.bfloat16: "BF16",
    torch.float16: "F16",
    torch.uint16: "U16",
    torch.float8_e4m3fn: "F8_E4M3",
    torch.complex64: "C64",
    torch.float32: "F32",
    torch.int64: "I64",
    torch.int8: "I8",
    torch.float64: "F64",
    torch.uint8: "U8",
    torch.int32: "I32",
    torch.bool: "Bool",
}


def row(tensor):
    data = tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return [DTYPES[tensor.dtype], list(tensor.shape), hashlib.sha256(data).hexdigest()]


def text(value):
    """Return an argument as text: values by their names."""
    if isinstance(value, torch.fx.Node):
        return f"%{value.name}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(text, value))})"
    return DTYPES[value] if isinstance(value, torch.dtype) else str(value)


def operation(node):
    """Return an operation: its name, its arguments by name, and what it makes."""
    names = [argument.name for argument in node.target._schema.arguments][: len(node.args)]
    named = {**dict(zip(names, node.args, strict=True)), **node.kwargs}
    getters = {user.args[1]: user for user in node.users if str(user.target).endswith("getitem>")}
    value = node.meta["val"]
    makes = [getters.get(at) for at in range(len(value))] if getters else [node]
    shapes = [list(made.meta["val"].shape) if made is not None else None for made in makes]
    return [str(node.target), {name: text(value) for name, value in named.items()}, shapes]


def tensors_of(exported):
    tensors = {**exported.state_dict, **exported.constants}
    return {name: row(tensor) for name, tensor in sorted(tensors.items())}


def program(path):
    exported = torch.export.load(path)
    nodes = [node for node in exported.graph.nodes if node.op == "call_function"]
    args, kwargs = exported.example_inputs
    return {
        "tensors": tensors_of(exported),
        "operations": [operation(node) for node in nodes if not str(node.target).endswith("getitem>")],
        "inputs": list(exported.graph_signature.user_inputs),
        "outputs": next(text(node.args[0]) for node in exported.graph.nodes if node.op == "output"),
        "samples": [row(tensor) for tensor in (*args, *kwargs.values())],
    }


if __name__ == "__main__":
    others = sorted(path for path in HERE.glob("*.pt2") if path.name not in UNREAD)
    special = {path.name: tensors_of(torch.export.load(path)) for path in others}
    found = {path.name: program(path) for path in sorted(DATA.glob("*.pt2"))}
    (HERE / "tensors.json").write_text(json.dumps(special, indent=1) + "\n")
    (HERE / "expected.json").write_text(json.dumps(found, indent=1) + "\n")
