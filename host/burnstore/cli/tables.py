"""Rows of text in columns, as several commands print them."""

from collections.abc import Iterator, Sequence
from typing import Any


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of a table, its head first. right: the columns whose texts end together."""
    every = [columns, *rows]
    widths = [max(map(len, cells)) for cells in zip(*every, strict=True)]
    layout = "  ".join(
        f"{{:{'>' if column in right else '<'}{width}}}"
        for column, width in zip(columns, widths, strict=True)
    )
    for row in every:
        yield layout.format(*row).rstrip()


def dtype_text(dtype: Any) -> str:
    """Return a dtype of `io.facts`; one of several parts as in "Bool(U8)" or "QFloat(Q8S, scale F16)"."""
    if not isinstance(dtype, dict):
        return str(dtype)
    ((kind, parts),) = dtype.items()
    if kind != "QFloat":
        return f"{kind}({parts})"
    texts = [parts["value"]]
    if isinstance(parts["store"], dict):
        texts += [f"{store}({dimension})" for store, dimension in parts["store"].items()]
    if parts["mode"] != "Symmetric":
        texts.append(parts["mode"])
    if parts["block"]:
        size = parts["block"]["size"]
        extents = "x".join(str(extent) for extent in size["storage"][: size["len"]])
        texts.append(f"block {extents} {parts['block']['dtype']}")
    if parts["tensor"]:
        texts.append(f"scale {parts['tensor']}")
    return f"{kind}({', '.join(texts)})"
