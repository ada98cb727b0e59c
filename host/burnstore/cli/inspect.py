"""burnstore inspect"""

import json
from typing import Any

import click

from burnpack.errors import printable
from burnpack.limits import Limits
from burnstore.cli.echo import echo, echo_json, echo_text
from burnstore.cli.expansion import max_expansion
from burnstore.collection import no_collection
from burnstore.facts import facts
from burnstore.opened import OpenedFile

_COLUMNS = ("name", "dtype", "shape", "nbytes", "offset", "param_id", "sha256")
_OF_LINES = ("int8.steps",)  # a line a step
_RIGHT = ("nbytes", "offset", "param_id")


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--hash", "with_hash", is_flag=True, help="Read every tensor and show its SHA-256.")
@max_expansion
def inspect(file: str, as_json: bool, with_hash: bool, expansion: int | None) -> None:
    """Show what is in a checkpoint. Only the header is read, whatever the file's size."""
    with OpenedFile(file, Limits(expansion=expansion)) as opened, no_collection():
        found = facts(opened, with_hash)
    if as_json:
        echo_json(found)
    else:
        _show(file, found)


def _show(file: str, found: dict[str, Any]) -> None:
    tensors = found["tensors"]
    total = sum(tensor["nbytes"] for tensor in tensors)
    about = [found["format"]]
    if found["version"] is not None:
        about.append(f"version {found['version']}")
    if found["dialect"]:
        about.append(f"as Burn {found['dialect']} writes it")
    echo(f"{printable(file)}: {', '.join(about)}, {_count(len(tensors), 'tensor')}, {total:,} bytes")
    if tensors:
        echo()
        _show_table(tensors)
    for note in found.get("notes", ()):
        echo("", note)
    if found.get("expansion"):
        echo("", f"expanded: {found['expansion']:,} bytes more than the file holds")
    for title in ("metadata", "scalars", "others", "left_out"):
        if found.get(title):
            lines = [f"  {printable(key)} = {_text(key, value)}" for key, value in found[title].items()]
            echo_text("\n".join(["", title.replace("_", " "), *lines]))


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _show_table(tensors: list[dict[str, Any]]) -> None:
    columns = [column for column in _COLUMNS if any(tensor.get(column) is not None for tensor in tensors)]
    rows = [columns] + [[_cell(column, tensor[column]) for column in columns] for tensor in tensors]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    layout = "  ".join(
        f"{{:{'>' if column in _RIGHT else '<'}{width}}}"
        for column, width in zip(columns, widths, strict=True)
    )
    echo(*[layout.format(*row).rstrip() for row in rows])


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "-"
    if column == "nbytes":
        return f"{value:,}"
    if column == "shape":
        return str(value)
    if column == "dtype" and isinstance(value, dict):
        return _dtype(value)
    return _one_line(value)


def _dtype(value: dict[str, Any]) -> str:
    """Return a dtype of several parts, as in "Bool(U8)" or "QFloat(Q8S, scale F16)"."""
    ((kind, parts),) = value.items()
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
