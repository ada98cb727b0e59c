"""Writes the arguments of PyTorch's operations that calls in TorchScript are matched with. Needs torch 2.15.

    python -m tools.aten_schemas < NAMES > host/burnstore/exported/script/schemas.txt

NAMES: operations with their overloads, as in "conv2d.default", one a line.
"""

import sys

import torch  # type: ignore[import-not-found]

# What a call in TorchScript may name, and an exported graph does not.
OTHERS = """_convolution.default _convolution_mode.default unsafe_chunk.default unsafe_split.Tensor
fill_.Scalar zero_.default copy_.default masked_fill_.Scalar index_put_.default to.prim_dtype""".split()
_KINDS = {"SymInt": "int", "number": "Scalar"}


def main() -> None:
    """Write one line an operation: its name, and its arguments with types; "=" after those with a default."""
    schemas = {
        (schema.name.removeprefix("aten::"), schema.overload_name or "default"): schema
        for schema in torch._C._jit_get_all_schemas()
        if schema.name.startswith("aten::")
    }
    for name in sorted({*sys.stdin.read().split(), *OTHERS}):
        base, overload = name.split(".", 1)
        schema = schemas.get((base, overload))
        if schema is not None:
            print(f"{name} {', '.join(map(_argument, schema.arguments))}")


def _argument(argument: "torch.Argument") -> str:
    return f"{_short(str(argument.type))} {argument.name}{'=' if argument.has_default_value() else ''}"


def _short(kind: str) -> str:
    """Return a type as PyTorch's own list of operations writes it, as in "int[]?"."""
    for word, mark in (("Optional", "?"), ("List", "[]")):
        if kind.startswith(word + "["):
            return _short(kind[len(word) + 1 : -1]) + mark
    return _KINDS.get(kind, kind)


if __name__ == "__main__":
    main()
