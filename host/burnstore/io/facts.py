"""What can be told of a checkpoint, as plain values."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from burnpack.descriptor import dtype_value
from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.io.beside import is_beside
from burnstore.io.container import Container
from burnstore.io.opened import OpenedFile
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import selected


def facts(opened: OpenedFile, with_hash: bool = False, with_graph: bool = False) -> dict[str, Any]:
    """Return the facts of a checkpoint, for JSON: format, version, dialect, metadata, scalars, tensors.

    parameters: how many numbers the tensors have, see `parameters`.
    notes: on what a conversion without a module would do, of PyTorch's formats.
    tensors: in the order of their data: name, dtype (as today's Burn writes it), shape, offset (from
        the file's start; None where the bytes do not lie there as they are), nbytes, param_id, and
        sha256 if asked for, which is all that needs the tensors' bytes.
    others: descriptions of what is no tensor, by name. left_out: reasons why tensors and the like are not
        read, by name. expansion: how many bytes of the tensors repeat others of the file.
    graph: where it is asked for: what an exported network computes, see `exported.listing.graph_facts`.
    """
    reader = opened.reader
    tensors = [_tensor(reader, tensor, with_hash, opened) for tensor in reader if _is_read(tensor)]
    found = {
        "format": reader.format,
        "version": getattr(reader, "version", None),
        "dialect": getattr(reader, "dialect", None),
        "metadata": dict(reader.metadata()),
        "scalars": {name: {kind: number(value)} for name, (kind, value) in reader.scalars()},
        "parameters": parameters(tensors),
        "tensors": tensors,
    }
    if reader.format != "burnpack":
        found["notes"] = selected(reader, Options()).notes
    others = getattr(reader, "others", None)
    if others is not None:
        found["others"] = _texts(others())
    left_out = opened.left_out()
    if left_out:
        found["left_out"] = _texts(left_out)
    expansion = getattr(reader, "expansion", 0)
    if expansion:
        found["expansion"] = expansion
    if with_graph:
        from burnstore.exported.listing import graph_facts
        from burnstore.exported.opening import graph_of

        found["graph"] = graph_facts(graph_of(reader))
    return found


def parameters(tensors: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many numbers tensors have: in all, and of each dtype, by its name.

    tensors: with name, dtype and shape, as in `facts`; a program's and a self-test's do not count. What is
    trained and what is not can't be told apart.
    """
    counts: dict[str, int] = {}
    for tensor in tensors:
        if not is_beside(tensor["name"]):
            kind = _kind(tensor["dtype"])
            counts[kind] = counts.get(kind, 0) + math.prod(tensor["shape"])
    return {"total": sum(counts.values()), "by_dtype": dict(sorted(counts.items()))}


def _kind(dtype: Any) -> str:
    """Return the name of a dtype; of one in several parts, that of the first, as "Bool" or "Q8S"."""
    if isinstance(dtype, str):
        return dtype
    ((kind, parts),) = dtype.items()
    return str(parts["value"] if kind == "QFloat" else kind)


def _is_read(tensor: Tensor) -> bool:
    return getattr(tensor, "error", None) is None


def _texts(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return texts by name; two of one name, which nested dicts can have, stand together."""
    found: dict[str, str] = {}
    for name, text in pairs:
        found[name] = f"{found[name]}; {text}" if name in found else text
    return found


def _tensor(reader: Container, tensor: Tensor, with_hash: bool, opened: OpenedFile) -> dict[str, Any]:
    span = reader.span(tensor.name)
    found = {
        "name": tensor.name,
        "dtype": dtype_name(tensor.dtype),
        "shape": list(tensor.shape),
        "offset": None if span is None else span[0],
        "nbytes": tensor.nbytes,
        "param_id": tensor.param_id,
    }
    if with_hash:
        import hashlib  # which takes as long to import as all else here

        digest = hashlib.sha256()
        for piece in tensor.pieces():
            digest.update(piece)
            del piece  # so that the next one is not made beside it
        found["sha256"] = digest.hexdigest()
        opened.forget()
    return found


def dtype_name(dtype: Any) -> Any:
    """Return a dtype as today's Burn writes it, or by its own name where Burn has none."""
    try:
        return _plain(dtype_value(dtype))
    except Unsupported:
        return dtype


def _plain(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return {key: _plain(content) for key, content in value}
    return value


def number(value: Any) -> Any:
    """Return a scalar's value; JSON has no infinities and no NaN, so these become their names."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
