"""burnstore inspect"""

import json
from collections.abc import Iterator
from typing import Any

import click

from burnpack.errors import printable
from burnpack.limits import Limits
from burnstore.cli.command import Command
from burnstore.cli.echo import answer
from burnstore.cli.options import max_expansion, model
from burnstore.cli.streams import readable
from burnstore.cli.tables import dtype_text, table
from burnstore.io.collection import no_collection
from burnstore.io.facts import facts
from burnstore.io.opened import OpenedFile

_COLUMNS = ("name", "dtype", "shape", "nbytes", "offset", "param_id", "sha256")
_OF_LINES = ("burnrt.steps",)  # a line a step
_RIGHT = ("nbytes", "offset", "param_id")
_OPERATION = ("makes", "operation", "shape", "in")
_CELL = 90  # letters of an operation with its arguments


@click.command(
    cls=Command,
    examples="""
    burnstore inspect digits.pt
    burnstore inspect digits.bpk --hash --json
    cat digits.pt | burnstore inspect -
    """,
)
@model("MODEL")
@click.option("--hash", "with_hash", is_flag=True, help="Read every tensor, and show its SHA-256.")
@click.option(
    "--graph",
    "with_graph",
    is_flag=True,
    help="Show the operations of a network that torch.export saved, or torch.jit.trace.",
)
@max_expansion
def inspect(source: str, with_hash: bool, with_graph: bool, expansion: int | None) -> None:
    """Show what is in a checkpoint: tensors, parameters, metadata.

    MODEL is a .pt, .pt2, .safetensors or .bpk file; its format is recognised by its content. "-" is the
    standard input. Whatever the file's size, only its header is read, unless --hash is given.
    """
    with OpenedFile(readable(source), Limits(expansion=expansion)) as opened, no_collection():
        found = facts(opened, with_hash, with_graph)
    answer(found, _lines(source, found))


def _lines(source: str, found: dict[str, Any]) -> Iterator[str]:
    yield _title(source, found)
    yield _parameters(found["parameters"])
    if found["tensors"]:
        yield ""
        yield from _table(found["tensors"])
    if "graph" in found:
        yield ""
        yield from _graph(found["graph"])
    for note in found.get("notes", ()):
        yield from ("", note)
    if found.get("expansion"):
        yield from ("", f"expanded: {found['expansion']:,} bytes more than the file holds")
    for title in ("metadata", "scalars", "others", "left_out"):
        if found.get(title):
            yield from ("", title.replace("_", " "))
            for key, value in found[title].items():
                yield from f"  {printable(key)} = {_text(key, value)}".split("\n")


def _title(source: str, found: dict[str, Any]) -> str:
    about = [found["format"]]
    if found["version"] is not None:
        about.append(f"version {found['version']}")
    if found["dialect"]:
        about.append(f"as Burn {found['dialect']} writes it")
    size = sum(tensor["nbytes"] for tensor in found["tensors"])
    count = _count(len(found["tensors"]), "tensor")
    return f"{printable(source)}: {', '.join(about)}, {count}, {size:,} bytes"


def _parameters(found: dict[str, Any]) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in found["by_dtype"].items())
    count = _count(found["total"], "parameter")
    return f"{count} ({kinds})" if kinds else count


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _table(tensors: list[dict[str, Any]]) -> list[str]:
    columns = [column for column in _COLUMNS if any(tensor.get(column) is not None for tensor in tensors)]
    rows = [[_cell(column, tensor[column]) for column in columns] for tensor in tensors]
    return list(table(columns, rows, _RIGHT))


def _graph(graph: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a graph: inputs, an operation each, outputs, notes."""
    rows = [(one["name"], "input", f"{one['dtype']} {one['shape']}", "") for one in graph["inputs"]]
    for node in graph["operations"]:
        called = ", ".join(f"{name}={text}" for name, text in node["arguments"].items())
        makes = ", ".join(f"{made['dtype']} {made['shape']}" for made in node["outputs"])
        names = ", ".join(made["name"] for made in node["outputs"])
        rows.append((names, f"{node['operation']}({called})", makes, node["path"]))
    texts = [tuple(printable(cell, _CELL) for cell in row) for row in [_OPERATION, *rows]]
    widths = [max(map(len, cells)) for cells in zip(*texts, strict=True)]
    for row in texts:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield f"answers {printable(', '.join(graph['outputs']))}"
    if graph["opened"]:
        yield f"open extents: {', '.join(f'{name} = {extent}' for name, extent in graph['opened'].items())}"
    yield from map(printable, graph["notes"])


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "-"
    if column == "nbytes":
        return f"{value:,}"
    if column == "shape":
        return str(value)
    if column == "dtype" and isinstance(value, dict):
        return dtype_text(value)
    return _one_line(value)


def _text(key: str, value: Any) -> str:
    """Return what stands behind a key: on one line, unless it is known to be a list."""
    if key in _OF_LINES and isinstance(value, str):
        return "\n    ".join(map(printable, value.split("\n")))
    return _one_line(value)


def _one_line(value: Any) -> str:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return " ".join(
            f"{key} {_one_line(content)}" for key, content in value.items() if content is not None
        )
    return json.dumps(value)
