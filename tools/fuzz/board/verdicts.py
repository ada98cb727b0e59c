"""What an interpreter says of an input: a text that must be the same on all of them.

"read" with a checksum of all that was read, or "refused". It imports nothing of CPython's.
"""

from binascii import crc32
from io import BytesIO

from burnpack.errors import BurnpackError
from burnpack.limits import Limits

if False:  # for type checkers
    from typing import Any

REFUSED = "refused"
SHORT = "short of memory"  # which says nothing of the input


def verdict(name: str, data: bytes, run: bool = True) -> str:
    """Return what the reader called `name` says of the bytes. run: whether a program is run, too."""
    try:
        return "read %s" % (program(data, run) if name == "program" else _READERS[name](data))
    except BurnpackError as error:
        text = str(error)
        if "\n" in text or "\r" in text:
            raise ValueError("an error of several lines: %r" % text)  # noqa: B904 MicroPython has no `from`
        return REFUSED
    except MemoryError:
        return SHORT


def burnpack(data: bytes) -> str:
    """Return the checksum of a Burnpack's tensors, read from memory and from a file."""
    from burnpack.reader import Reader

    return _both(Reader, data)


def safetensors(data: bytes) -> str:
    """Return the same of a SafeTensors file."""
    from burnpack.safetensors import Reader

    return _both(Reader, data)


def content(reader: "Any") -> str:
    """Return the checksum of all that an open container has: names, facts and bytes of tensors, texts."""
    found = 0
    for tensor in reader:
        facts = "%s %s %s" % (tensor.name, tensor.dtype, tensor.shape)
        found = crc32(bytes(tensor.data()), crc32(facts.encode(), found))
    for key, text in reader.metadata():
        found = crc32(text.encode(), crc32(key.encode(), found))
    return "%d %08x" % (len(reader), found)


def program(data: bytes, run: bool) -> str:
    """Return what a model's program says of itself and, of one in integers, the checksum of its answers."""
    from burnrt import Model

    answers = [_answers(Model(source), run) for source in (data, BytesIO(data))]
    if answers[0] != answers[1]:
        raise ValueError("memory and file give different answers: %s, %s" % (answers[0], answers[1]))
    return answers[0]


def _both(reader: "Any", data: bytes) -> str:
    limits = Limits(1 << 16, 1000, 16, 1 << 20, 1 << 24)
    found = content(reader.from_static(data, limits))
    other = content(reader.from_stream(BytesIO(data), limits))
    if found != other:
        raise ValueError("memory and file are read differently: %s, %s" % (found, other))
    return found


def _answers(model: "Any", run: bool) -> str:
    ends = ["%s@%d" % (end.shape, len(end.data)) for end in model.inputs + model.outputs]
    if run:
        for end in model.inputs:
            for place in range(len(end.data)):
                end.data[place] = (
                    place * 37 + 11 & 255 if end.scale is not None else (place * 37 % 17 - 8) / 4
                )
        exact = isinstance(model.arena, bytearray)  # floats are added up in another order elsewhere
        try:
            model.run()
        except (ArithmeticError, ValueError):  # of floats: what numpy has an infinity or no number for
            if exact:
                raise
        if exact:
            found = 0
            for end in model.outputs:
                found = crc32(bytes(end.data), found)
            ends.append("%08x" % found)
    return " ".join(ends)


def romfs(data: bytes) -> str:
    """Return the files of a ROMFS image as MicroPython itself finds them."""
    import vfs  # type: ignore[import-not-found] # MicroPython's

    vfs.mount(vfs.VfsRom(data), "/fuzzed")
    found: list[str] = []
    try:
        _list("/fuzzed", found)
    finally:
        vfs.umount("/fuzzed")
    return " ".join(sorted(found))


def _list(folder: str, found: "list[str]") -> None:
    import os

    for entry in os.ilistdir(folder):  # type: ignore[attr-defined] # MicroPython's
        path = folder + "/" + entry[0]
        if entry[1] == 0x4000:
            _list(path, found)
            continue
        with open(path, "rb") as file:
            found.append("%s:%08x" % (path[7:], crc32(file.read())))


_READERS = {"burnpack": burnpack, "safetensors": safetensors, "romfs": romfs}
