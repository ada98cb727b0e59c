"""The index of a sharded checkpoint, as Hugging Face writes it.

    {"metadata": {"total_size": bytes of all tensors}, "weight_map": {name: file}}

The files lie beside the index.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from burnpack.errors import DuplicateName, LimitExceeded, Malformed
from burnpack.limits import Limits

SUFFIX = ".index.json"
WEIGHT_MAP = "weight_map"
METADATA = "metadata"


class ShardIndex(NamedTuple):
    """places: {name of a tensor: name of its file}. metadata: what the index says of itself, as texts."""

    places: dict[str, str]
    metadata: list[tuple[str, str]]

    def files(self) -> list[str]:
        """Return the names of the files, each once, in the order in which they are first named."""
        return list(dict.fromkeys(self.places.values()))


def parse_index(view: memoryview, limits: Limits | None = None) -> ShardIndex:
    """Return what an index says. Raises `BurnpackError` for what is none, or names a file elsewhere."""
    limits = limits or Limits()
    if len(view) > limits.metadata:
        raise LimitExceeded("the index is too large", expected=f"at most {limits.metadata}", found=len(view))
    content = _parsed(bytes(view))
    places = content.get(WEIGHT_MAP) if isinstance(content, dict) else None
    if not isinstance(places, dict):
        raise Malformed(f'no "{WEIGHT_MAP}" in the index')
    if len(places) > limits.tensors:
        raise LimitExceeded("too many tensors", expected=f"at most {limits.tensors}", found=len(places))
    for name, file in places.items():
        _check_file(name, file)
    return ShardIndex(places, _texts(content.get(METADATA)))


def index_text(places: Sequence[tuple[str, str]], total_size: int) -> bytes:
    """Return the index of tensors (name, file); total_size: the bytes of all of them."""
    content = {METADATA: {"total_size": total_size}, WEIGHT_MAP: dict(sorted(places))}
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise Malformed("the index is no UTF-8", offset=error.start) from None
    except json.JSONDecodeError as error:
        raise Malformed(f"the index is no JSON: {error.msg}", offset=error.pos) from None
    except ValueError as error:  # a number of thousands of digits
        raise Malformed(f"the index is no JSON: {error}") from None
    except RecursionError:
        raise LimitExceeded("the index is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DuplicateName("the same key twice in the index", key)
            seen.add(key)
    return found


def _constant(name: str) -> Any:
    raise Malformed("the index is no JSON", found=name)


def _check_file(name: str, file: object) -> None:
    """Refuse what is no plain name: an index must not lead to files that it was not delivered with."""
    plain = isinstance(file, str) and file not in ("", ".", "..") and not set(file) & set("/\\:\0")
    if not plain or not _is_text(file):
        raise Malformed("the index names no file beside it", name, found=repr(file))


def _texts(metadata: Any) -> list[tuple[str, str]]:
    if not isinstance(metadata, dict):
        return []
    texts = [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in metadata.items()]
    for key, text in texts:
        if not _is_text(key + text):
            raise Malformed("text in the index that is no UTF-8", ascii(key))
    return texts


def _is_text(found: object) -> bool:
    """Tell whether it is text without the lone surrogates that JSON lets through."""
    return isinstance(found, str) and not any("\ud800" <= letter <= "\udfff" for letter in found)
