"""Changes of Burnpack and SafeTensors files: of what their metadata says, or of its bytes."""

import io
from collections.abc import Sequence
from random import Random

import cbor2

from tools.fuzz.mutators import plain, values

_BURNPACK_HEADER = 10  # bytes: magic, version, size of the metadata
_ALIGNED = 256


def burnpack(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a Burnpack that differs in its metadata, most of the time; tensors stay behind it, aligned."""
    size = int.from_bytes(data[6:_BURNPACK_HEADER], "little")
    metadata = data[_BURNPACK_HEADER : _BURNPACK_HEADER + size]
    rest = data[-(-(_BURNPACK_HEADER + size) // _ALIGNED) * _ALIGNED :]
    kind = rng.random()
    if kind < 0.15:
        return plain.changed(data, rng, others)
    if kind < 0.35:
        metadata = plain.changed(metadata, rng)
    elif kind < 0.4:
        rest = plain.changed(rest, rng)
    else:
        metadata = _cbor(metadata, rng)
    header = data[:6] + plain.packed(len(metadata), 4)
    return header + metadata + bytes(-(_BURNPACK_HEADER + len(metadata)) % _ALIGNED) + rest


def _cbor(metadata: bytes, rng: Random) -> bytes:
    try:
        found = values.of(cbor2.load(io.BytesIO(metadata)))
        return values.to_cbor(values.changed(found, rng))
    except Exception:  # of a file that is broken already
        return plain.changed(metadata, rng)


def safetensors(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a SafeTensors file that differs in its header, most of the time."""
    size = int.from_bytes(data[:8], "little")
    header, rest = data[8 : 8 + size], data[8 + size :]
    kind = rng.random()
    if kind < 0.15:
        return plain.changed(data, rng, others)
    if kind < 0.35:
        header = plain.changed(header, rng, [other[8:] for other in others])
    elif kind < 0.4:
        rest = plain.changed(rest, rng)
    else:
        header = json(header, rng)
    return plain.packed(len(header), 8) + header + rest


def json(text: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return JSON that differs in one value."""
    try:
        found = values.from_json(text)
    except (ValueError, RecursionError):
        return plain.changed(text, rng, others)
    return values.to_json(values.changed(found, rng))
