"""The digest of a model: one SHA-256 of all that a file says, whatever its format and the order in it.

It is that of lines of JSON in ASCII, without spaces, sorted, each with a line feed behind it:

    ["metadata",key,text]                        for each text, but those that a container says of itself
    ["scalar",name,kind,value]                   for each scalar
    ["tensor",name,dtype,shape,param_id,sha256]  for each tensor, with the SHA-256 of its bytes

Where the bytes lie, and what is between them, has no part in it: `check` looks at that.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from burnpack.errors import InvalidTensor
from burnpack.scalar import as_scalar
from burnpack.tensor import Tensor
from burnstore.io.container import Container
from burnstore.io.facts import dtype_name, number
from burnstore.io.files import FORGET_EVERY, Progress, forget

KEY = "burnstore.digest"  # of the metadata
OF_CONTAINER = ("format", "producer", "version", KEY)  # keys whose texts are not of the content
_BEGINNING = "sha256:"
UNKNOWN = _BEGINNING + "0" * 64  # of the length that every digest has

Pairs = tuple[tuple[str, str], ...]


class Content(NamedTuple):
    """What a digest is of."""

    tensors: Iterable[Tensor]
    metadata: Iterable[tuple[str, str]] = ()
    scalars: Iterable[tuple[str, Any]] = ()


def digest_of(content: Content, progress: Progress | None = None) -> str:
    """Return the digest of a content, as a file's metadata have it. Every tensor is read for that."""
    return digest_of_lines(
        [tensor_line(tensor, sha256_of(tensor, progress)) for tensor in content.tensors], content
    )


def digest_of_lines(lines: list[str], content: Content) -> str:
    """Return the digest of a content whose tensors' lines are known."""
    lines = lines + [
        _line("metadata", key, text) for key, text in content.metadata if key not in OF_CONTAINER
    ]
    lines += [_scalar_line(name, *as_scalar(name, value)) for name, value in content.scalars]
    whole = hashlib.sha256("".join(line + "\n" for line in sorted(lines)).encode("ascii"))
    return _BEGINNING + whole.hexdigest()


def tensor_line(tensor: Tensor, sha256: str) -> str:
    """Return the line of a tensor."""
    return _line("tensor", tensor.name, dtype_name(tensor.dtype), list(tensor.shape), tensor.param_id, sha256)


def sha256_of(tensor: Tensor, progress: Progress | None = None) -> str:
    """Return the SHA-256 of a tensor's bytes, as hexadecimal digits."""
    found = hashlib.sha256()
    for piece in tensor.pieces():
        whole = memoryview(piece).cast("B")
        for start in range(0, len(whole), FORGET_EVERY):
            part = whole[start : start + FORGET_EVERY]
            found.update(part)
            if progress is not None:
                progress(len(part))
            if len(part) == FORGET_EVERY:
                forget(piece)
        del piece, whole  # so that the next one is not made beside it
    return found.hexdigest()


def said(metadata: Iterable[tuple[str, str]]) -> str | None:
    """Return the digest that a file says it has, or None."""
    return dict(metadata).get(KEY)


def check_digest(reader: Container) -> None:
    """Refuse a file whose content is not what its digest says. One without a digest passes, unread."""
    for part in parts_of(reader):
        wanted = said(part.metadata())
        if wanted is not None and (found := digest_of(content_of(part))) != wanted:
            raise changed(wanted, found).within(part.source)


def parts_of(reader: Container) -> list[Container]:
    """Return the containers that each have a digest of their own: the files of a sharded checkpoint."""
    parts = getattr(reader, "parts", None)
    return [reader] if parts is None else parts()


def content_of(reader: Container) -> Content:
    """Return what the digest that is in a file is of."""
    return Content(reader, reader.metadata(), reader.scalars())


def changed(wanted: str, found: str) -> InvalidTensor:
    """Return the error of a content that is not what the file's digest says."""
    what = "the content is not what the file's digest says: it was changed or damaged"
    return InvalidTensor(what, KEY, expected=wanted, found=found)


def with_digest(kind: str, content: Content) -> Pairs:
    """Return the metadata to write with a content into a file of a format: its own, and its digest.

    SafeTensors has no scalars and no param ids, so they have no part in it there.
    """
    kept = without_digest(content.metadata)
    held = content if kind == "burnpack" else Content(map(_without_param_id, content.tensors))
    return (*kept, (KEY, digest_of(held._replace(metadata=kept))))


def _without_param_id(tensor: Tensor) -> Tensor:
    found = tensor.renamed(tensor.name)
    found.param_id = None
    return found


def without_digest(metadata: Iterable[tuple[str, str]]) -> Pairs:
    """Return metadata without the digest, which is of another content."""
    return tuple(pair for pair in metadata if pair[0] != KEY)


def _scalar_line(name: str, kind: str, value: Any) -> str:
    return _line("scalar", name, kind, number(float(value) if kind == "Float" else value))


def _line(*parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)
