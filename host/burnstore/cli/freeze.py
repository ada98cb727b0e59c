"""burnstore freeze"""

from pathlib import Path

import click

from burnpack.reader import Reader
from burnstore.cli.echo import echo
from burnstore.files import MappedFile
from burnstore.firmware import frozen
from burnstore.firmware.cross import ARCHITECTURES
from burnstore.firmware.names import check_name
from burnstore.sniff import check_burnpack

_WRITERS = {
    ("c-module", False): frozen.write_c_module,
    ("c-module", True): frozen.write_portable_c_module,
    ("module", False): frozen.write_module,
}


@click.command()
@click.argument("blob", metavar="MODEL.bpk")
@click.option("-o", "--output", metavar="DIR", required=True, help="The folder to write; made if need be.")
@click.option("--name", metavar="NAME", help="What the board imports; else the file's name.")
@click.option(
    "--as",
    "form",
    type=click.Choice(("c-module", "module")),
    default="c-module",
    show_default=True,
    help="A user C module, for a model of any size, or a frozen .py, up to 64 KB.",
)
@click.option(
    "--model",
    "source",
    metavar="FILE.py",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A float model's source: of the runtime, only the layers that it names are taken.",
)
@click.option("--march", type=click.Choice(ARCHITECTURES), help="The processor, for kernels in native code.")
@click.option("--portable", is_flag=True, help="The blob as a C array, for compilers without .incbin.")
@click.option("--force", is_flag=True, help="A frozen .py over 64 KB, too.")
@click.option("--overwrite", is_flag=True, help="Replace files that exist.")
def freeze(
    blob: str,
    output: str,
    name: str | None,
    form: str,
    source: Path | None,
    march: str | None,
    portable: bool,
    force: bool,
    overwrite: bool,
) -> None:
    """Write what a MicroPython firmware build takes to have a model in flash.

    DIR gets the model as a module whose DATA is its bytes, the runtime, a manifest.py that freezes them, and
    a README.md with the lines that your build needs.
    """
    if portable and form == "module":
        raise click.UsageError("--portable goes with --as c-module")
    name = name or Path(blob).stem
    check_name(name)
    frozen.check_folder(output, overwrite)  # before anything takes time
    with MappedFile(blob) as mapped:
        reader = _opened(mapped.view, blob)
        if form == "module" and not force:
            frozen.check_literal(name, len(mapped.view))
        needed = frozen.runtime_of(reader, source, march)
        _WRITERS[form, portable](output, name, mapped.view, needed, overwrite)
        size = len(mapped.view)
        del reader  # its views keep the map open
    echo(f"{output}: {name}, {size:,} bytes; README.md has the lines that your build needs")


def _opened(view: memoryview, path: str) -> Reader:
    check_burnpack(view, path)
    return Reader.from_static(view, source=path)
