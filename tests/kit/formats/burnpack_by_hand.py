"""Burnpack containers put together by hand, independent of the package's writer."""

from kit.formats.cbor_by_hand import NULL, mapping, numbers, text, unsigned

ALIGNMENT = 256
F32 = text("F32")
U8 = text("U8")


def container(metadata, data=b"", version=1, magic=b"NRUB", size=None, alignment=ALIGNMENT):
    """Return a container around encoded `metadata`. size: what the header claims of it."""
    front = magic + version.to_bytes(2, "little")
    front += (len(metadata) if size is None else size).to_bytes(4, "little") + metadata
    return front + bytes(-len(front) % alignment) + data


def descriptor(dtype=U8, shape=None, offsets=None, *more):
    """Return the descriptor of a tensor, by default one byte. more: further pairs."""
    pairs = [
        ("dtype", dtype),
        ("shape", numbers(1) if shape is None else shape),
        ("data_offsets", numbers(0, 1) if offsets is None else offsets),
    ]
    return mapping(*(pairs + list(more)))


def sections(tensors, *more):
    """Return a whole metadata: `tensors`, a list of (name, descriptor), and further pairs."""
    return mapping(*([("tensors", mapping(*tensors))] + list(more)))


def one(described, data=b"\x07"):
    """Return a container with one tensor, called "w"."""
    return container(sections([("w", described)]), data)


def with_scalar(scalar):
    """Return a container with one scalar, called "s", and no tensors."""
    return container(sections([], ("scalars", mapping(("s", scalar)))))


def with_scheme(scheme):
    """Return a container with one quantized tensor of one element and one F32 scale, called "w"."""
    dtype = mapping(("QFloat", scheme))
    return one(descriptor(dtype, numbers(1), numbers(0, 5)), b"\x7f\x00\x00\x80\x3f")


def block_size(*extents):
    """Return the size of a block, filled up with ones as Burn does."""
    storage = list(extents) + [1] * (5 - len(extents))
    return mapping(("storage", numbers(*storage)), ("len", unsigned(len(extents))))


def block(size, dtype="F32"):
    return mapping(("size", size), ("dtype", text(dtype)))


def scheme(*changed):
    """Return today's form of a plain scheme, with the pairs of `changed` in place of, or behind, its own."""
    pairs = [
        ("value", text("Q8S")),
        ("store", text("Native")),
        ("mode", text("Symmetric")),
        ("tensor", NULL),
        ("block", NULL),
    ]
    return mapping(*_changed(pairs, changed))


def old_scheme(*changed):
    """Return the form of Burn 0.19 to 0.21, changed as in `scheme`."""
    pairs = [
        ("value", text("Q8S")),
        ("param", text("F32")),
        ("store", text("Native")),
        ("level", text("Tensor")),
        ("mode", text("Symmetric")),
    ]
    return mapping(*_changed(pairs, changed))


def _changed(pairs, changed):
    """Return `pairs` with others' items; a pair whose item is None is left out."""
    wanted = list(pairs)
    for key, item in changed:
        at = [number for number, pair in enumerate(wanted) if pair[0] == key]
        if item is None:
            del wanted[at[0]]
        elif at:
            wanted[at[0]] = (key, item)
        else:
            wanted.append((key, item))
    return wanted
