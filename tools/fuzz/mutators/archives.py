"""Changes of zip and tar archives: of a record's content, of the list of records, or of the headers."""

import io
import re
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Sequence
from random import Random

from tools.fuzz.mutators import containers, npy, pickles, plain

Records = list[tuple[str, bytes]]

_SIGNATURE = re.compile(rb"PK(?:\x01\x02|\x03\x04|\x05\x06|\x06\x06|\x06\x07|\x07\x08)")
_FIELDS = 46  # bytes behind a signature, in which fields lie
_NAMES = (
    "data.pkl",
    "archive/data.pkl",
    "byteorder",
    "version",
    "../a",
    "/a",
    "a/",
    "constants.pkl",
    "a\0b",
    "é",
)
_UNPACKED_MOST = 1 << 22  # bytes


def zipped(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a zip that differs."""
    if rng.random() < 0.25:
        return _headers(data, rng)
    try:
        records = _unzipped(data)
    except Exception:  # zipfile raises much over a broken one
        return plain.changed(data, rng, others)
    _change(records, rng)
    method = zipfile.ZIP_DEFLATED if rng.random() < 0.1 else zipfile.ZIP_STORED
    return _zip(records, method)


def tarred(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return a tar archive that differs."""
    if rng.random() < 0.2:
        return plain.changed(data, rng, others)
    try:
        records = _untarred(data)
    except Exception:
        return plain.changed(data, rng, others)
    _change(records, rng)
    return _tar(records)


def _change(records: Records, rng: Random) -> None:
    """Change a record, often one that is a text of some kind."""
    if not records:
        records.append((rng.choice(_NAMES), b""))
    structured = [at for at, (name, _) in enumerate(records) if _mutator(name) is not plain.changed]
    at = rng.choice(structured if structured and rng.random() < 0.8 else range(len(records)))
    name, content = records[at]
    kind = rng.random()
    if kind < 0.85:
        records[at] = (name, _mutator(name)(content, rng, [each for _, each in records]))
    elif kind < 0.9:
        del records[at]
    elif kind < 0.94:
        records[at] = (rng.choice((*_NAMES, rng.choice(records)[0])), content)
    elif kind < 0.97:
        records.append((rng.choice((*_NAMES, name)), rng.choice(records)[1]))
    else:
        records[at] = (name, rng.choice(records)[1])


def _mutator(name: str) -> Callable[[bytes, Random, Sequence[bytes]], bytes]:
    for ending, mutator in _MUTATORS.items():
        if name.endswith(ending):
            return mutator
    return plain.changed


def code(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Return TorchScript that differs in a word or a line."""
    kind = rng.random()
    parts = re.split(rb"(\n)" if kind < 0.3 else rb"(\W)", data)
    at = rng.randrange(len(parts))
    if kind < 0.5:
        parts[at] = rng.choice(parts)
    elif kind < 0.7:
        del parts[at : at + rng.choice((1, 2))]
    elif kind < 0.9:
        parts[at:at] = [
            rng.choice(parts),
            rng.choice((b"(", b")", b"[", b"-", b'"', b"\n  ", b"1", b" ", b".")),
        ]
    else:
        parts[at] = plain.changed(parts[at], rng)
    return b"".join(parts)


_MUTATORS: dict[str, Callable[[bytes, Random, Sequence[bytes]], bytes]] = {
    ".pkl": pickles.changed,
    ".json": containers.json,
    ".npy": npy.changed,
    ".py": code,
    ".pt": zipped,
    "pickle": pickles.changed,
    "tensors": pickles.changed,
    "storages": pickles.changed,
    "sys_info": pickles.changed,
}


def _headers(data: bytes, rng: Random) -> bytes:
    """Change a field behind one of a zip's signatures."""
    found = [match.start() for match in _SIGNATURE.finditer(data)]
    if not found:
        return plain.changed(data, rng)
    at = rng.choice(found[-3:] if rng.random() < 0.3 else found) + rng.randrange(_FIELDS)
    width = rng.choice((1, 2, 4))
    value = plain.near(int.from_bytes(data[at : at + width], "little"), rng)
    return data[:at] + plain.packed(value, width) + data[at + width :]


def _unzipped(data: bytes) -> Records:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > _UNPACKED_MOST:
            raise ValueError("too much")
        return [(entry.filename, archive.read(entry)) for entry in entries]


def _zip(records: Records, method: int) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # of two records of one name
        for name, content in records:
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def _untarred(data: bytes) -> Records:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        found = []
        for member in archive.getmembers():
            content = archive.extractfile(member)
            found.append((member.name, content.read(_UNPACKED_MOST) if content else b""))
        return found


def _tar(records: Records) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in records:
            member = tarfile.TarInfo(name.replace("\0", "")[:90] or "a")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()
