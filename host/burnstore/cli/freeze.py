"""burnstore freeze"""

from pathlib import Path
from typing import Any

import click

from burnpack.reader import Reader
from burnstore.boards.images import frozen
from burnstore.boards.images.frozen import Written
from burnstore.boards.images.frozen_models import Frozen
from burnstore.boards.images.names import check_name
from burnstore.boards.runtime.bundle import Bundle
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, note
from burnstore.cli.streams import is_stream, readable
from burnstore.io.beside import has_program
from burnstore.io.files import MappedFile
from burnstore.io.sniff import check_burnpack
from burnstore.models.model import NOT_NEEDED, class_in_source, file_and_class
from burnstore.models.program import uses_of_runnable


@click.command(
    cls=Command,
    examples="""
    burnstore freeze digits.bpk -o firmware --module model.py:DigitsNet
    burnstore freeze small.bpk -o quantized --march armv7emsp
    burnstore freeze digits.bpk -o literal --as module --name net --json
    """,
)
@options.model()
@options.output(
    "DIR",
    "The folder to write, which is made if need be. DIR can also follow without -o.",
    is_folder=True,
)
@click.option("--name", metavar="NAME", help="What the board imports. Without it, that is the file's name.")
@click.option(
    "--as",
    "form",
    type=click.Choice(("c-module", "module")),
    default="c-module",
    show_default=True,
    help="A user C module, for a model of any size, or a frozen .py, for one of up to 64 KB.",
)
@options.module("The class of a model in floats: of the runtime, only the layers that FILE names are taken.")
@click.option("--model", "layers", type=click.Path(path_type=Path), hidden=True)  # an older name: FILE alone
@options.march("The processor, for kernels in native code.")
@click.option("--portable", is_flag=True, help="Write the blob as a C array, for compilers without .incbin.")
@click.option("--force", is_flag=True, help="Write a frozen .py of more than 64 KB, too.")
@options.overwrite("files of DIR")
def freeze(
    source: str,
    output: Path,
    name: str | None,
    form: str,
    module: str | None,
    layers: Path | None,
    march: str | None,
    portable: bool,
    force: bool,
    overwrite: bool,
) -> None:
    """Write what a MicroPython firmware build takes to have a model in flash.

    DIR gets the model as a module whose DATA is its bytes, the runtime, a manifest.py that freezes them, and
    a README.md with the lines that your build needs. With --overwrite, a model is added to those that DIR
    has: a firmware has one runtime for all of them.
    """
    if portable and form == "module":
        raise click.UsageError("--portable goes with --as c-module")
    if name is None and is_stream(source):
        raise click.UsageError("the standard input has no name: --name is needed")
    name = name or Path(source).stem
    check_name(name)
    frozen.check_folder(output, overwrite)  # before anything takes time
    if module and layers:
        raise click.UsageError("--module and --model exclude each other: --model is an older name")
    path = readable(source)
    with MappedFile(path) as mapped:
        reader = _opened(mapped.view, path)
        if form == "module" and not force:
            frozen.check_literal(name, len(mapped.view))
        uses = uses_of_runnable(reader, mapped.view) if has_program(reader) else None
        needed = frozen.runtime_of(reader, uses, _layers(reader, module) or layers, march)
        model = Frozen(name, "portable" if portable else form, uses, tuple(needed))
        written = frozen.write(output, model, mapped.view, march, overwrite)
        size = len(mapped.view)
        del reader  # its views keep the map open
    answer(*_told(output, name, size, written))


def _told(output: Path, name: str, size: int, written: Written) -> tuple[dict[str, Any], list[str]]:
    """Return what the command says, as data and as lines."""
    models = [model.name for model in written.models]
    is_bundle = isinstance(written.runtime, Bundle)
    found = list(written.runtime.kernels) if isinstance(written.runtime, Bundle) else written.runtime
    data = {"output": str(output), "name": name, "size": size, "models": models}
    others = f" (with {', '.join(each for each in models if each != name)})" * (len(models) > 1)
    line = f"{output}: {name}, {size:,} bytes{others}; README.md has the lines that your build needs"
    return {**data, "kernels" if is_bundle else "modules": found}, [line]


def _layers(reader: Reader, module: str | None) -> Path | None:
    """Return the file with the class of a model in floats; refuse a class that is not there."""
    if not module:
        return None
    if has_program(reader):
        note(NOT_NEEDED)
        return None
    class_in_source(module)
    return Path(file_and_class(module)[0])


def _opened(view: memoryview, path: str) -> Reader:
    check_burnpack(view, path)
    return Reader.from_static(view, source=path)
