"""Make the containers of this folder and expected.json, which tells what they hold.

    python tests/vectors/burnpack_basic/make.py        needs cbor2

They are put together from struct and cbor2 alone, by the tables of the format, and share no code with
the package. today.bpk is what Burn 0.22 writes; the others are what older releases wrote: packed.bpk
without alignment, as 0.19; bare_bool.bpk and old_scheme.bpk as 0.20.
"""

import json
import struct
from pathlib import Path

import cbor2

HERE = Path(__file__).parent
ALIGNMENT = 256

# dtype as it is stored, struct code, numbers
PLAIN = [
    ("F64", "d", [0.1, -0.0, float("inf"), 5e-324]),
    ("F32", "f", [1.5, -2.25, float("-inf")]),
    ("Flex32", "f", [0.5]),
    ("F16", "e", [1.0, 65504.0, -0.0, 2.0**-24]),
    ("BF16", "H", [0x3F80, 0xFF80, 0x0001]),
    ("I64", "q", [-(1 << 63), (1 << 63) - 1]),
    ("I32", "i", [-(1 << 31), (1 << 31) - 1]),
    ("I16", "h", [-32768, 32767]),
    ("I8", "b", [-128, 127, 0]),
    ("U64", "Q", [(1 << 64) - 1]),
    ("U32", "I", [(1 << 32) - 1]),
    ("U16", "H", [65535, 1]),
    ("U8", "B", [255, 0, 7]),
    ({"Bool": "Native"}, "B", [1, 0, 1]),
    ({"Bool": "U8"}, "B", [0, 1]),
    ({"Bool": "U32"}, "I", [1, 0]),
]
SCALARS = [
    ("b", "Bool", True),
    ("f.double", "Float", 0.1),
    ("f.half", "Float", -2.0),
    ("f.nan", "Float", float("nan")),
    ("f.single", "Float", 16777216.0),
    ("i", "Int", -(1 << 63)),
    ("u", "UInt", (1 << 64) - 1),
]


def scheme(value="Q8S", store="Native", mode="Symmetric", tensor=None, block=None):
    """Return today's form of a quantized dtype."""
    return {"QFloat": {"value": value, "store": store, "mode": mode, "tensor": tensor, "block": block}}


def block(extents, dtype):
    """Return the block level of today's form."""
    return {"size": size(extents), "dtype": dtype}


def size(extents):
    return {"storage": extents + [1] * (5 - len(extents)), "len": len(extents)}


def old_scheme(store, level, param="F32"):
    """Return the form of Burn 0.19 to 0.21 of a quantized dtype."""
    return {"QFloat": {"value": "Q8S", "param": param, "store": store, "level": level, "mode": "Symmetric"}}


def ramp(count):
    """Return that many bytes, none of which is like its neighbours."""
    return bytes((at * 37 + 11) % 256 for at in range(count))


def today():
    """Return (name, dtype, shape, bytes, param_id) of each tensor, in the order of the data."""
    rows = []
    for number, (dtype, code, numbers) in enumerate(PLAIN):
        name = "plain.%02d" % (len(PLAIN) - number)  # names fall while the data rises
        param_id = None if number % 3 == 0 else (1 << 64) - number
        rows.append(
            (name, dtype, [len(numbers)], struct.pack("<%d%s" % (len(numbers), code), *numbers), param_id)
        )
    return [
        ("shape.first_is_empty", "F32", [0, 3], b"", 0),
        *rows,
        ("shape.257", "U8", [257], ramp(257), 23),
        ("shape.256", "U8", [2, 128], ramp(256), 24),
        ("shape.255", "U8", [255, 1], ramp(255), 255),
        ("shape.scalar", "F32", [], struct.pack("<f", 3.0), 256),
        ("shape.rank_8", "U8", [1, 2, 1, 2, 1, 2, 1, 1], ramp(8), 65536),
        ("", "U8", [1], b"\x01", 1 << 32),
        ("\u043a\u043b\u044e\u0447 \U0001f525\n", "U8", [1], b"\x02", None),
        ("q.plain", scheme(), [3, 10], ramp(34), None),
        ("q.words", scheme("Q4F", {"PackedU32": 0}, "Lookup", "BF16"), [3, 10], ramp(26), None),
        ("q.bytes", scheme("E2M1", {"PackedNative": 0}, block=block([10], "UE8M0")), [3, 10], ramp(18), 5),
        (
            "q.levels",
            scheme("Q8S", "Native", "Symmetric", "F32", block([2, 255], "UE4M3")),
            [4, 256],
            ramp(1032),
            6,
        ),
        ("shape.last_is_empty", "I64", [2, 0], b"", None),
    ]


def bare_bool():
    return [
        ("mask", "Bool", [3], b"\x01\x00\x01", 9),
        ("x", "F32", [2], struct.pack("<2f", 1.0, -1.0), 10),
    ]


def packed():
    return [
        ("odd", "U8", [3], b"\x07\x08\x09", 1),
        ("x", "F32", [2], struct.pack("<2f", 1.0, -1.0), 2),
        ("mask", "Bool", [2], b"\x00\x01", None),
        ("q", old_scheme("U32", "Tensor"), [2, 3], ramp(12), 3),
        ("nothing", "F32", [0], b"", None),
    ]


def old_schemes():
    return [
        ("block", old_scheme("Native", {"Block": size([2, 4])}, "F16"), [4, 4], ramp(20), 1),
        ("tensor", old_scheme("Native", "Tensor"), [4], ramp(8), None),
        ("tensor.bf16", old_scheme({"PackedU32": 1}, "Tensor", "BF16"), [4, 2], ramp(10), None),
    ]


# What an older dtype is called today.
TRANSLATED = [
    ("Bool", {"Bool": "Native"}),
    (old_scheme("U32", "Tensor"), scheme(store={"PackedU32": 0})),
    (old_scheme("Native", {"Block": size([2, 4])}, "F16"), scheme(block=block([2, 4], "F16"))),
    (old_scheme("Native", "Tensor"), scheme()),
    (old_scheme({"PackedU32": 1}, "Tensor", "BF16"), scheme(store={"PackedU32": 1}, tensor="BF16")),
]


def cbor_map(pairs):
    """Return encoded pairs as a map of definite length."""
    head = cbor2.dumps(dict.fromkeys(range(len(pairs))))[: 1 if len(pairs) < 24 else 2]
    return head + b"".join(cbor2.dumps(key) + item for key, item in pairs)


def cbor_float(value):
    """Return a float in the shortest form that holds it."""
    if value != value:
        return b"\xf9\x7e\x00"
    for head, code in ((b"\xf9", ">e"), (b"\xfa", ">f"), (b"\xfb", ">d")):
        try:
            encoded = struct.pack(code, value)
        except OverflowError:
            continue
        if struct.unpack(code, encoded)[0] == value:
            return head + encoded
    raise AssertionError(value)


def container(rows, metadata, scalars, alignment):
    """Return the container's bytes and the offset of each tensor in it."""
    data = b""
    described = []
    for name, dtype, shape, content, param_id in rows:
        data += bytes(-len(data) % alignment)
        fields = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        if param_id is not None:
            fields["param_id"] = param_id
        described.append((name, fields))
        data += content
    described.sort(key=lambda pair: pair[0].encode())
    sections = [("tensors", cbor_map([(name, cbor2.dumps(fields)) for name, fields in described]))]
    if metadata:
        sections.append(("metadata", cbor2.dumps(dict(sorted(metadata.items())))))
    if scalars:
        sections.append(
            ("scalars", cbor_map([(name, cbor_scalar(kind, value)) for name, kind, value in scalars]))
        )
    encoded = cbor_map(sections)
    front = struct.pack("<IHI", 0x4255524E, 1, len(encoded)) + encoded
    front += bytes(-len(front) % alignment)
    return front + data, {name: len(front) + fields["data_offsets"][0] for name, fields in described}


def cbor_scalar(kind, value):
    return cbor_map([(kind, cbor_float(value) if kind == "Float" else cbor2.dumps(value))])


def as_json(value):
    return struct.pack(">d", value).hex() if isinstance(value, float) else value


def make(name, dialect, rows, metadata, scalars=(), alignment=ALIGNMENT):
    """Write one container; return what it holds. Floats are given as the bits of a double, in hex."""
    data, offsets = container(rows, metadata, scalars, alignment)
    (HERE / (name + ".bpk")).write_bytes(data)
    tensors = []
    for tensor, dtype, shape, content, param_id in rows:
        tensors.append(
            {
                "name": tensor,
                "dtype": next((new for old, new in TRANSLATED if old == dtype), dtype),
                "shape": shape,
                "offset": offsets[tensor],
                "hex": content.hex(),
                "param_id": param_id,
            }
        )
    return {
        "dialect": dialect,
        "metadata": sorted(metadata.items()),
        "scalars": [[scalar, kind, as_json(value)] for scalar, kind, value in scalars],
        "tensors": tensors,
    }


def main():
    expected = {
        "today": make(
            "today", "0.22", today(), {"": "empty key", "format": "burnpack", "\u00e9": ""}, SCALARS
        ),
        "bare_bool": make("bare_bool", "0.20", bare_bool(), {"version": "0.20.1"}),
        "old_scheme": make("old_scheme", "0.20-0.21", old_schemes(), {"version": "0.20.1"}),
        "packed": make("packed", "0.19", packed(), {"version": "0.19.1"}, alignment=1),
    }
    text = json.dumps(expected, indent=1, ensure_ascii=False)  # MicroPython reads no pairs of escapes
    (HERE / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
