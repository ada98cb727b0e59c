"""Make quantized.bpk and expected.json with numpy and ml_dtypes, one number at a time.

    python tests/vectors/quantized/make.py

quantized.bpk: tensors of every kind of value, store and level. Those of integers hold the numbers of
    `ramp`, quantized by Burn's rule; those of small floats hold codes.
expected.json: {name of the tensor: the binary32 numbers that it stands for, little-endian, in hexadecimal}.
"""

import json
import math
import struct
from pathlib import Path

import cbor2
import ml_dtypes
import numpy as np

HERE = Path(__file__).parent
F32 = np.float32

RANGES = {
    "Q8F": (-128, 127),
    "Q8S": (-127, 127),
    "Q4F": (-8, 7),
    "Q4S": (-7, 7),
    "Q2F": (-2, 1),
    "Q2S": (-1, 1),
}
SMALL_FLOATS = {
    "E5M2": (8, ml_dtypes.float8_e5m2),
    "E4M3": (8, ml_dtypes.float8_e4m3fn),
    "E2M1": (4, ml_dtypes.float4_e2m1fn),
}
# Scale dtype: type of its codes, of its numbers, code of the largest number.
SCALES = {
    "F16": (np.uint16, np.float16, 0x7BFF),
    "BF16": (np.uint16, ml_dtypes.bfloat16, 0x7F7F),
    "UE8M0": (np.uint8, ml_dtypes.float8_e8m0fnu, 0xFE),
    "UE4M3": (np.uint8, ml_dtypes.float8_e4m3fn, 0x7E),
}

# store, dtype of the tensor scale, (block, dtype of its scales), shape
LAYOUTS = (
    ("Native", None, None, (3, 7)),
    ("Native", "F16", None, (7,)),
    ("Native", "BF16", None, ()),
    ("Native", "UE4M3", None, (0, 3)),
    ("Native", None, ((2, 1, 2, 3), "BF16"), (2, 3, 2, 4)),
    ("Native", "F32", ((4,), "F16"), (2, 10)),
    (("PackedNative", 0), None, ((), "F16"), (5,)),
    (("PackedU32", 0), "UE8M0", None, (3, 7)),
    (("PackedU32", 0), None, ((1, 1, 2, 1, 3), "UE8M0"), (1, 2, 1, 3, 2, 5)),
    (("PackedU32", 0), None, None, ()),
    (("PackedU32", 1), None, ((2, 3), "F32"), (2, 9, 4)),
    (("PackedU32", 2), "F32", ((2,), "UE4M3"), (17, 2, 3)),
)
# value, store, dtype of the tensor scale, (block, dtype of its scales), shape, scales
OF_CODES = (
    ("E5M2", "Native", "F32", None, (16, 16), (0.3,)),
    ("E4M3", "Native", "F16", None, (16, 16), (0.3,)),
    ("E4M3", ("PackedU32", 0), None, None, (3, 6), (1e-40,)),
    ("E5M2", ("PackedU32", 1), None, ((3, 2), "UE8M0"), (6, 2), (3e38, 1e-38)),
    ("E2M1", "Native", "BF16", None, (16,), (0.7,)),
    ("E2M1", ("PackedNative", 0), "F32", ((4,), "UE4M3"), (3, 5), (0.4, 3, 448, 1e-3, 1, 17, 0.1)),
    ("E2M1", ("PackedNative", 1), None, ((2, 2), "UE8M0"), (3, 4), (1, 2, 4, 8)),
    ("E2M1", ("PackedU32", 0), None, None, (2, 9), (0.1,)),
)


def ramp(size):
    """Return numbers that binary32 holds exactly, larger and larger."""
    return [F32((37 * at % 101 - 50) / 16 * (1 + at // 8)) for at in range(size)]


class Maker:
    """One tensor: its scales by block, its values by index."""

    def __init__(self, value, store, tensor, block, shape):
        self.value, self.store, self.tensor, self.block, self.shape = value, store, tensor, block, shape
        extents = (*((1,) * (len(shape) - len(block[0]))), *block[0]) if block else shape
        self.sizes = [max(extent, 1) for extent in extents]
        grid = [math.ceil(extent / size) for extent, size in zip(shape, self.sizes, strict=True)]
        self.grid = grid if block else [1] * len(shape)
        self.dtype = block[1] if block else tensor or "F32"
        self.two = bool(block and tensor)
        self.outer = F32(1)

    def block_of(self, index):
        return tuple(at // size for at, size in zip(index, self.sizes, strict=True))

    def fit(self, numbers):
        """Find the scales by the largest magnitudes."""
        start, end = RANGES[self.value]
        peaks = {at: F32(0) for at in np.ndindex(*self.grid)}
        for index, number in numbers.items():
            peaks[self.block_of(index)] = max(peaks[self.block_of(index)], abs(number))
        wanted = {at: F32(2) * peak / F32(end - start) for at, peak in peaks.items()}
        if self.two:
            self.outer = rounded_up(max(wanted.values()) / largest(self.dtype), "F32")[0]
            wanted = {at: scale / self.outer for at, scale in wanted.items()}
        self.set_scales(wanted)

    def set_scales(self, wanted):
        self.scales = {at: rounded_up(scale, self.dtype) for at, scale in wanted.items()}

    def factor(self, index):
        scale = self.scales[self.block_of(index)][0]
        return self.outer * scale if self.two else scale

    def quantized(self, index, number):
        """Return the integer that a number becomes."""
        exact = float(number * (F32(1) / self.factor(index)))
        start, end = RANGES[self.value]
        nearest = math.floor(abs(exact) + 0.5)  # in binary64, where this is exact
        return min(max(-nearest if exact < 0 else nearest, start), end)

    def meant(self, index, code):
        """Return the number that a code stands for."""
        if self.value in RANGES:
            return F32(code) * self.factor(index)
        number = np.array(code, np.uint8).view(SMALL_FLOATS[self.value][1]).astype(F32)
        return F32(number) * self.factor(index)

    def data(self, codes):
        """Return the tensor's bytes. codes: {index: integer}, in order."""
        stored = self.stored(codes) + b"".join(scale[1] for scale in self.scales.values())
        return stored + (self.outer.tobytes() if self.two else b"")

    def stored(self, codes):
        bits = int(self.value[1]) if self.value in RANGES else SMALL_FLOATS[self.value][0]
        if self.store == "Native" or (self.store[0] == "PackedNative" and self.value != "E2M1"):
            return bytes(code & 0xFF for code in codes.values())
        unit = 1 if self.store[0] == "PackedNative" else 4
        together = unit * 8 // bits
        shape, axis = (self.shape or (1,)), -1 - (self.store[1] if self.shape else 0)
        storage = list(shape)
        storage[axis] = math.ceil(shape[axis] / together)
        words = np.zeros(storage, np.uint32)
        for index, code in codes.items():
            place = list(index or (0,))
            shift = place[axis] % together * bits
            place[axis] //= together
            words[tuple(place)] |= np.uint32((code & (1 << bits) - 1) << shift)
        return words.astype("u1" if unit == 1 else "<u4").tobytes()

    def scheme(self):
        """Return the scheme as Burn writes it."""
        block = None
        if self.block:
            extents = list(self.block[0])
            while extents and extents[0] == 1:
                del extents[0]
            size = {"storage": extents + [1] * (5 - len(extents)), "len": len(extents)}
            block = {"size": size, "dtype": self.block[1]}
        store = self.store if self.store == "Native" else dict([self.store])
        return {
            "value": self.value,
            "store": store,
            "mode": "Symmetric",
            "tensor": self.tensor,
            "block": block,
        }


def largest(dtype):
    return rounded_up(F32(np.inf), dtype)[0]


def rounded_up(scale, dtype):
    """Return the smallest number that is not below `scale`, or the largest, and its bytes."""
    if dtype == "F32":
        scale = F32(scale) if scale > 0 else F32(2.0**-126)
        return scale, scale.tobytes()
    codes, numbers, last = SCALES[dtype]
    every = np.arange(last + 1, dtype=codes)
    values = every.view(numbers).astype(F32)
    fitting = [int(code) for code in every if values[code] >= scale] or [last]
    if values[fitting[0]] == 0:
        return rounded_up(F32(2.0**-126), dtype)
    return values[fitting[0]], every[fitting[0]].tobytes()


def of_integers(value, store, tensor, block, shape):
    maker = Maker(value, store, tensor, block, shape)
    numbers = dict(zip(np.ndindex(*shape), ramp(math.prod(shape)), strict=True))
    maker.fit(numbers)
    return maker, {index: maker.quantized(index, number) for index, number in numbers.items()}


def of_codes(value, store, tensor, block, shape, scales):
    maker = Maker(value, store, tensor, block, shape)
    if maker.two:
        maker.outer = F32(scales[-1])
    blocks = list(np.ndindex(*maker.grid))
    maker.set_scales({at: F32(scales[number % len(scales)]) for number, at in enumerate(blocks)})
    most = 1 << SMALL_FLOATS[value][0]
    codes = [at * 3 % most for at in range(math.prod(shape))]
    return maker, dict(zip(np.ndindex(*shape), codes, strict=True))


def name_of(maker):
    store = maker.store if maker.store == "Native" else "%s.%d" % maker.store
    block = "no blocks"
    if maker.block:
        block = "%s of %s" % (maker.block[1], "x".join(map(str, maker.block[0])) or "1")
    return " ".join([maker.value, store, str(maker.tensor), block, "x".join(map(str, maker.shape))])


def container(tensors):
    """Return a Burnpack container of {name: (dtype, shape, bytes)}, in this order."""
    data, entries = b"", {}
    for name, (dtype, shape, stored) in tensors.items():
        data += bytes(-len(data) % 256)
        offsets = [len(data), len(data) + len(stored)]
        entries[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": offsets}
        data += stored
    ordered = {name: entries[name] for name in sorted(entries, key=str.encode)}
    metadata = cbor2.dumps({"tensors": ordered})
    header = struct.pack("<4sHI", b"NRUB", 1, len(metadata)) + metadata
    return header + bytes(-len(header) % 256) + data


def main():
    made = [
        of_integers(value, *layout)
        for number, value in enumerate(RANGES)
        for row, layout in enumerate(LAYOUTS)
        if (number + row) % 2 == 0
    ]
    made += [of_codes(*case) for case in OF_CODES]
    tensors, expected = {}, {}
    for maker, codes in made:
        with np.errstate(all="ignore"):
            numbers = [maker.meant(index, code) for index, code in codes.items()]
        name = name_of(maker)
        tensors[name] = ({"QFloat": maker.scheme()}, maker.shape, maker.data(codes))
        expected[name] = np.array(numbers, "<f4").tobytes().hex()
    assert len(tensors) == len(made)
    (HERE / "quantized.bpk").write_bytes(container(tensors))
    text = ",\n".join("%s: %s" % (json.dumps(name), json.dumps(expected[name])) for name in expected)
    (HERE / "expected.json").write_text("{\n%s\n}\n" % text, encoding="utf-8")


if __name__ == "__main__":
    main()
