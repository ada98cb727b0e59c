"""Cases of the integer operations with their answers, in one file that every interpreter reads.

A case is

    offset  size  field
    0       36    nine numbers of 4 bytes: the sizes of name, arena, weight, constants and words; offset and
                  size of the output; offset and size of what else a kernel may write to
    36            name, arena, weight, constants, words, output, end to end

all integers little-endian. Nothing is padded; the file ends behind a case.
"""

import struct

HEADER = "<9I"
HEADER_SIZE = 36  # struct.calcsize(HEADER)

PATH = "tests/vectors/int8_kernels/cases.bin"


def packed(name, arena, weight, constants, words, output, start, work_start, work_size):
    """Return the bytes of a case; `output` is what lies at `start` in the arena afterwards."""
    parts = [name.encode(), bytes(arena), bytes(weight), bytes(constants), bytes(words), bytes(output)]
    sizes = [len(part) for part in parts]
    return struct.pack(HEADER, *(sizes[:5] + [start, sizes[5], work_start, work_size])) + b"".join(parts)


def cases(data):
    """Yield (name, arena, weight, constants, words, arena afterwards, (offset, size) of what is left out)."""
    at = 0
    while at < len(data):
        sizes = struct.unpack_from(HEADER, data, at)
        at += HEADER_SIZE
        parts = []
        for size in sizes[:5] + sizes[6:7]:
            parts.append(data[at : at + size])
            at += size
        name, arena, weight, constants, words, output = parts
        after = bytearray(arena)
        after[sizes[5] : sizes[5] + sizes[6]] = output
        yield name.decode(), arena, weight, constants, words, after, sizes[7:]
