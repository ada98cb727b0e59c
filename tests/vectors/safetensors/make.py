"""Make dtypes.safetensors, names.safetensors and expected.json with the reference implementation.

    python tests/vectors/safetensors/make.py        needs safetensors 0.8 or later

expected.json: what the reference reads from each file, as
{file: {"metadata": pairs, "tensors": [name, dtype, shape, bytes in hexadecimal]}}.
It has no way to write the two dtypes of six bits.
"""

import json
from pathlib import Path

import numpy as np
from safetensors import TensorSpec, deserialize, serialize

HERE = Path(__file__).parent

# Each dtype, and how the reference's Python binding calls it.
DTYPES = {
    "BOOL": "bool",
    "F4": "float4_e2m1fn_x2",
    "U8": "uint8",
    "I8": "int8",
    "F8_E5M2": "float8_e5m2",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "I16": "int16",
    "U16": "uint16",
    "F16": "float16",
    "BF16": "bfloat16",
    "I32": "int32",
    "U32": "uint32",
    "F32": "float32",
    "C64": "complex64",
    "F64": "float64",
    "I64": "int64",
    "U64": "uint64",
}
BITS = {"BOOL": 8, "F4": 4, "U8": 8, "I8": 8, "F8": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16}
BITS |= {"I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64}

NAMES = (
    "",
    " ",
    "a.b.c",
    '"quoted" \\ / \x7f',
    "\0\x01\b\t\n\x0b\f\r\x1f",
    "é€\u07ff\ud7ff\ue000\uffff",
    "😀\U00010000\U0010ffff",
    "n" * 63,
    "n" * 64,
    "n" * 400,
    "metadata",
)


def reference(tensors, metadata=None):
    """Return the container that the reference makes of {name: (dtype, shape, bytes)}."""
    specs = {}
    buffers = []
    for name, (dtype, shape, data) in tensors.items():
        buffers.append(np.frombuffer(data, np.uint8))
        given = (*shape[:-1], shape[-1] // 2) if dtype == "F4" else shape  # it counts two elements as one
        address = buffers[-1].ctypes.data
        specs[name] = TensorSpec(dtype=DTYPES[dtype], shape=given, data_ptr=address, data_len=len(data))
    return serialize(specs, metadata)


def size_of(dtype, shape):
    """Return the bytes that a tensor takes."""
    bits = BITS[dtype.split("_")[0]]
    for extent in shape:
        bits *= extent
    return bits // 8


def ramp(size, first):
    """Return `size` bytes, no two alike that are neighbours."""
    return bytes((first + at * 7) % 256 for at in range(size))


def of_dtypes():
    tensors = {}
    for number, dtype in enumerate(DTYPES):
        for shape in ((2, 4), (3, 2), (0,), (2, 0)) if dtype == "F4" else ((2, 4), (3,), (), (0,), (2, 0)):
            data = ramp(size_of(dtype, shape), number)
            if dtype == "BOOL":
                data = bytes(byte % 2 for byte in data)
            tensors["%s %s" % (dtype, "x".join(map(str, shape)))] = (dtype, shape, data)
    return reference(tensors, {"key": 'a value: "é"\n'})


def of_names():
    tensors = {name: ("U8", (number + 1,), ramp(number + 1, number)) for number, name in enumerate(NAMES)}
    return reference(tensors)


FILES = {"dtypes.safetensors": of_dtypes, "names.safetensors": of_names}


def expected(container):
    """Return what the reference reads."""
    size = int.from_bytes(container[:8], "little")
    metadata = json.loads(container[8 : 8 + size]).get("__metadata__", {})
    read = sorted(deserialize(container))
    tensors = [[name, found["dtype"], found["shape"], found["data"].hex()] for name, found in read]
    return {"metadata": list(metadata.items()), "tensors": tensors}


def main():
    found = {}
    for name, make in FILES.items():
        container = make()
        (HERE / name).write_bytes(container)
        found[name] = expected(container)
    # MicroPython's json reads an escaped pair of surrogates as two letters: none is written.
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (HERE / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
