"""burnstore deploy"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from burnpack.errors import InvalidTensor
from burnstore.boards.link import runtime as runtime_files
from burnstore.boards.link import selftest
from burnstore.boards.link.deploy import Delivery, check_name, deliver, plan
from burnstore.boards.link.facts import Facts, look
from burnstore.boards.link.link import Link
from burnstore.boards.link.storage import STORAGES, found_before
from burnstore.boards.runtime import contents
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, note, tell
from burnstore.cli.progress import progress
from burnstore.cli.streams import is_stream
from burnstore.io.opened import open_burnpack
from burnstore.models.model import NOT_NEEDED, class_in_source, file_and_class


@click.command(
    cls=Command,
    examples="""
    burnstore deploy digits.bpk --runtime --module model.py:DigitsNet
    burnstore deploy digits.bpk --to fs --port /dev/ttyACM0
    burnstore deploy small.bpk --to rom --overwrite --json
    """,
    failed="The board does not answer as the file's cases have it.",
)
@options.model()
@click.option("--port", metavar="PORT", help="The board's serial port. Without it, the first board on USB.")
@click.option(
    "--to",
    type=click.Choice(STORAGES),
    help="rom is the ROM partition, which is read in place, and fs is a file. Without it, the ROM partition "
    "is taken if there is one that holds nothing else.",
)
@click.option("--runtime", is_flag=True, help="Bring burnpack and burnrt, too, compiled for the board.")
@options.module("The class of a model in floats, for the self-test and for what --runtime brings.")
@click.option(
    "--overwrite",
    is_flag=True,
    help="With --to rom, let other files in the ROM partition be lost. A model of the same name is always "
    "replaced.",
)
def deploy(
    source: str, port: str | None, to: str | None, runtime: bool, module: str | None, overwrite: bool
) -> None:
    """Bring a model to a board, whole, and let the board prove that it answers right.

    What arrives is checked on the board before it takes the old model's place. After an interruption, the
    same command goes on. The ROM partition holds one image, so there the command begins anew.
    """
    if is_stream(source):
        raise click.UsageError("the standard input has no name, which a model on a board needs: name a file")
    model = Path(source)
    check_name(model)  # all of this before anything is said to a board
    module = _needed(model, module)
    with Link(port) as link:
        facts = look(link)
        tell(str(facts))
        delivery = plan(facts, model, to, overwrite)
        tell(f"{delivery.path}: {delivery.why}")
        older = found_before(facts, delivery.name) if delivery.storage == "fs" else None
        if older is not None:
            note(f"blob.find takes {older} instead, until that is gone from the ROM partition")
        found: dict[str, Any] = {"board": asdict(facts), "path": delivery.path, "size": delivery.size}
        if runtime:
            found["runtime"] = _bring_runtime(link, facts, delivery, module)
            facts = look(link)
        with progress("sending", delivery.size) as advance:
            found["sent"] = deliver(link, facts, delivery, advance)
        state = "arrived whole, checked on the board" if found["sent"] else "is there already"
        tell(f"{delivery.path}: {delivery.size:,} bytes, {state}")
        outcome, why = _tested(link, delivery, module)
    answer({**found, "selftest": asdict(outcome) if outcome else None}, [outcome.text if outcome else why])
    if outcome is not None and not outcome.passed:
        raise InvalidTensor("the board's answers are not the computer's", delivery.path)


def _needed(model: Path, module: str | None) -> str | None:
    """Return the class that a model in floats is run by; refuse one that is not there."""
    with open_burnpack(model) as opened:
        is_quantized = contents.operations(opened.reader) is not None
    if module and is_quantized:
        note(NOT_NEEDED)
        return None
    if module:
        class_in_source(module)
    return module


def _bring_runtime(link: Link, facts: Facts, delivery: Delivery, module: str | None) -> dict[str, int]:
    source = Path(file_and_class(module)[0]) if module else None
    entries = contents.entries(delivery.operations, source, facts.architecture, facts.has_ulab)
    count, size = runtime_files.install(link, facts, entries)
    if not size:
        tell("runtime: in the firmware already")
    else:
        sent = "1 file" if count == 1 else f"{count} files"
        tell(f"runtime: {size:,} bytes in {facts.library}, {sent} sent")
    return {"size": size, "files_sent": count}


def _tested(link: Link, delivery: Delivery, module: str | None) -> tuple[selftest.Outcome | None, str]:
    """Return what came of the self-test; None, and why, where there is none."""
    if not delivery.has_cases:
        return None, "no self-test: the file has no cases (`burnstore golden` adds some)"
    if module is None and delivery.operations is None:
        return None, "no self-test: --module names the model that the cases are for"
    return selftest.run(link, delivery.path, module), ""
