"""burnstore deploy"""

from pathlib import Path

import click

from burnpack.errors import InvalidTensor
from burnstore.board import runtime as runtime_files
from burnstore.board import selftest
from burnstore.board.deploy import Delivery, check_name, deliver, plan
from burnstore.board.facts import Facts, look
from burnstore.board.link import Link
from burnstore.board.road import ROADS
from burnstore.cli.echo import echo
from burnstore.cli.progress import progress
from burnstore.firmware import contents
from burnstore.opened import open_burnpack


@click.command()
@click.argument("model", metavar="MODEL.bpk", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--port", metavar="PORT", help="The board's serial port; else the first board on USB.")
@click.option(
    "--to",
    type=click.Choice(ROADS),
    help="The ROM partition, read in place, or a file; else the first if it is free for this.",
)
@click.option("--runtime", is_flag=True, help="Bring burnpack and burnrt, too, compiled for the board.")
@click.option("--module", metavar="FILE:CLASS", help="A float model: for the self-test, and what it needs.")
def deploy(model: Path, port: str | None, to: str | None, runtime: bool, module: str | None) -> None:
    """Bring a model to a board, whole, and let the board prove that it answers right.

    What arrives is checked on the board before it takes the old model's place. After an interruption the
    same command goes on; in the ROM partition, which has room for one image, it begins anew.
    """
    check_name(model)  # before anything is said to a board
    open_burnpack(model).close()
    with Link(port) as link:
        facts = look(link)
        echo(str(facts))
        delivery = plan(facts, model, to)
        echo(f"{delivery.path}: {delivery.why}")
        if module and delivery.operations is not None:
            echo("--module is not needed: a quantized model runs without its class", err=True)
            module = None
        if module:
            selftest.source_of(module)  # before anything is sent
        if runtime:
            _bring_runtime(link, facts, delivery, module)
            facts = look(link)
        with progress("sending", delivery.size) as advance:
            sent = deliver(link, facts, delivery, advance)
        state = "arrived whole, checked on the board" if sent else "is there already"
        echo(f"{delivery.path}: {delivery.size:,} bytes, {state}")
        _test(link, delivery, module)


def _bring_runtime(link: Link, facts: Facts, delivery: Delivery, module: str | None) -> None:
    source = Path(module.rpartition(":")[0]) if module else None
    entries = contents.entries(delivery.operations, source, facts.architecture, facts.has_ulab)
    count, size = runtime_files.install(link, facts, entries)
    if not size:
        echo("runtime: in the firmware already")
    else:
        sent = "1 file" if count == 1 else f"{count} files"
        echo(f"runtime: {size:,} bytes in {facts.library}, {sent} sent")


def _test(link: Link, delivery: Delivery, module: str | None) -> None:
    if not delivery.has_cases:
        echo("no self-test: the file has no cases (`burnstore golden` adds some)")
    elif module is None and delivery.operations is None:
        echo("no self-test: --module names the model that the cases are for")
    else:
        outcome = selftest.run(link, delivery.path, module)
        echo(outcome.text)
        if not outcome.passed:
            raise InvalidTensor("the board's answers are not the computer's", delivery.path)
