"""burnstore deploy"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from burnpack.errors import InvalidTensor, LoadFailed
from burnrt import Model
from burnstore.boards.link import runtime as runtimes
from burnstore.boards.link.deploy import Delivery, Runnable, deliver, first_case, opened, plan
from burnstore.boards.link.facts import Facts, look
from burnstore.boards.link.link import Link
from burnstore.boards.link.running import Run, open_model, run_once, write_inputs
from burnstore.boards.link.storage import STORAGES
from burnstore.cli import options
from burnstore.cli.command import Command
from burnstore.cli.echo import answer, finite, note, tell
from burnstore.cli.progress import progress
from burnstore.cli.streams import is_stream
from burnstore.models.comparison import may_be_scores
from burnstore.models.given import Arrays

_SHOWN = 10  # numbers of an answer


@click.command(
    cls=Command,
    examples="""
    burnstore deploy small.bpk --runtime
    burnstore deploy small.bpk --to fs --port /dev/ttyACM0 --run --input x.npy
    burnstore deploy small.bpk --to rom --overwrite --json
    """,
    failed="The board does not answer as the file's cases have it.",
)
@options.model()
@options.port
@click.option(
    "--to",
    type=click.Choice(STORAGES),
    help="rom is the ROM partition, which is read in place, and fs is a file. Without it, the ROM partition "
    "is taken if there is one that holds nothing else.",
)
@click.option(
    "--runtime",
    is_flag=True,
    help="Bring the runtime, too: one file, burnrt.mpy, with the kernels of this model and of those that the "
    "board's runtime was brought for.",
)
@click.option("--run", is_flag=True, help="Run the model on the board once, on the first case of --input.")
@options.inputs()
@click.option(
    "--overwrite",
    is_flag=True,
    help="With --to rom, let other files in the ROM partition be lost. A model of the same name is always "
    "replaced.",
)
def deploy(
    source: str,
    port: str | None,
    to: str | None,
    runtime: bool,
    run: bool,
    inputs: tuple[str, ...],
    overwrite: bool,
) -> None:
    """Bring a model to a board, whole, and let the board prove that it answers right.

    The model's file must have a program, which `burnstore quantize` writes, and `burnstore convert` with
    --module and --shape. What arrives is checked on the board, and its self-test run there, before it takes
    the old model's place. After an interruption, the same command goes on. The ROM partition holds one image,
    so there the command begins anew.
    """
    if is_stream(source):
        raise click.UsageError("the standard input has no name, which a model on a board needs: name a file")
    if run != bool(inputs):
        raise click.UsageError("--run and --input go together")
    runnable = opened(Path(source))  # and all that is wrong here is said before anything is sent
    given = first_case(runnable, inputs) if run else []
    with Link(port) as link:
        facts = look(link)
        tell(str(facts))
        delivery = plan(facts, runnable, to, overwrite)
        tell(f"{delivery.path}: {delivery.why}")
        found: dict[str, Any] = {"board": asdict(facts), "path": delivery.path, "size": delivery.size}
        found |= _with_runtime(link, facts, runnable, runtime)
        if runtime:
            facts = look(link)
        with progress("sending", delivery.size) as advance:
            sent, outcome = deliver(link, facts, delivery, advance)
        state = "arrived whole, checked on the board" if sent else "is there already"
        tell(f"{delivery.path}: {delivery.size:,} bytes, {state}")
        tell(str(outcome) if outcome.cases else _NO_CASES)
        if not outcome.passed:
            answer({**found, "sent": sent, "selftest": _plain(outcome)}, [])
            kept = (
                "it was not put in place, and what was there is kept" if sent else "and so they were before"
            )
            raise InvalidTensor(f"the board's answers are not the computer's: {kept}", delivery.path)
        ran = _ran(link, delivery, given) if run else None
    found |= {"sent": sent, "selftest": _plain(outcome) if outcome.cases else None}
    found |= {"run": _plain_run(ran)} if ran else {}
    answer(
        {**found, "program": _program(delivery)},
        [*(_shown(ran, delivery.runnable.model) if ran else []), *_typed(delivery)],
    )


_NO_CASES = "the board loads it; no self-test: the file has no cases (`burnstore golden` adds some)"


def _with_runtime(link: Link, facts: Facts, runnable: Runnable, is_wanted: bool) -> dict[str, Any]:
    """See to it that the board has a runtime for the model; return what JSON says of it."""
    found = runtimes.look(link, facts, runnable.uses)
    if not is_wanted:
        runtimes.check(found, link.port)
        return {}
    with progress("sending the runtime", 0) as advance:
        brought = runtimes.bring(link, facts, found, runnable.uses, advance)
    for path in brought.removed:
        note(f"{path}: removed, an older runtime, which would have been imported instead")
    tell(_told(brought))
    found = runtimes.look(link, facts, runnable.uses)
    if not found.is_whole:
        what = "the runtime does not work on this board"
        raise LoadFailed(what, brought.path, source=link.port, found=found.wrong or ", ".join(found.lacking))
    return {"runtime": asdict(brought)}


def _told(brought: runtimes.Brought) -> str:
    if not brought.size:
        return f"runtime: {brought.path or 'in the firmware'}, has all that the model needs"
    state = "sent" if brought.was_sent else "is there already"
    return f"runtime: {brought.path}, {brought.size:,} bytes for {' '.join(brought.kernels)}, {state}"


def _ran(link: Link, delivery: Delivery, given: Arrays) -> Run:
    open_model(link, delivery.found_as)
    write_inputs(link, delivery.runnable.model, given)
    return run_once(link, delivery.runnable.model)


def _plain(outcome: Any) -> dict[str, Any]:
    found = {**asdict(outcome), "passed": outcome.passed, "text": str(outcome)}
    return {**found, "worst": finite(outcome.worst)}


def _plain_run(ran: Run) -> dict[str, Any]:
    answers = [[finite(number) for number in each.reshape(-1).tolist()] for each in ran.answers]
    return {"microseconds": ran.microseconds, "answers": answers}


def _shown(ran: Run, model: Model) -> list[str]:
    """Return what the board answered, and the time."""
    lines = []
    for each in ran.answers:
        numbers = ", ".join(f"{number:.4g}" for number in each.reshape(-1)[:_SHOWN])
        rest = ", ..." if each.size > _SHOWN else ""
        largest = f"; the largest is number {each.argmax()}" * _are_scores(model)
        lines.append(f"answer {list(each.shape)}: {numbers}{rest}{largest}")
    return [*lines, f"time: {ran.microseconds / 1000:,.3f} ms"]


def _typed(delivery: Delivery) -> list[str]:
    """Return the lines to type on the board, with what goes before them."""
    program = _program(delivery)
    if delivery.other is None:
        return ["on the board:", *(f"    {line}" for line in program)]
    head = f"on the board, where a name alone would find {delivery.other}:"
    return [head, *(f"    {line}" for line in program)]


def _quoted(name: str) -> str:
    """Return a text as a program has it, in double quotes where it has nothing to escape."""
    return f'"{name}"' if repr(name) == f"'{name}'" and '"' not in name else repr(name)


def _program(delivery: Delivery) -> list[str]:
    """Return the program that runs the model on the board."""
    model = delivery.runnable.model
    names = [f"x{number}" for number in range(len(model.inputs))] if len(model.inputs) > 1 else ["x"]
    call = f"model({', '.join(names)})"
    shapes = ", ".join(
        f"{name}: {len(end.data)} numbers" for name, end in zip(names, model.inputs, strict=True)
    )
    lines = [
        "from burnrt import Model",
        f"model = Model({_quoted(delivery.found_as)})",
        f"print({call}{_of_answers(model)})  # {shapes}",
    ]
    return [
        *lines,
        *["model.reset()  # begins a new stream: a run goes on from the one before"] * bool(model.states),
    ]


def _of_answers(model: Model) -> str:
    """Return what a program takes of a model's answers: the class, or some numbers, or all."""
    if _are_scores(model):
        return ".argmax()"
    is_long = len(model.outputs) == 1 and len(model.outputs[0].data) > _SHOWN
    return f".data[:{_SHOWN}]" * is_long


def _are_scores(model: Model) -> bool:
    """Tell whether a model answers with what may be one row of scores, and nothing else."""
    first, *others = model.outputs
    return not others and may_be_scores(first.shape, [end.shape for end in model.inputs])
