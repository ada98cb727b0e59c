"""The command line of the fuzzer; see `tools.fuzz`."""

import argparse
import sys
import time
from pathlib import Path
from random import Random

from tools import interpreters
from tools.fuzz import corpus, guard, outcome, totals
from tools.fuzz.campaign import Campaign
from tools.fuzz.finds import Finds
from tools.fuzz.lines import Lines
from tools.fuzz.targets import TARGETS, named, target_of

_MINUTES = 10.0
_TURN = 200  # inputs until another target has its turn


def main() -> int:
    """Fuzz; return 1 where something was found."""
    given = _given()
    lines, guarded = Lines(), guard.Guard()
    guard.limit_space()
    if given.repeat:
        return max([_repeat(path, guarded, lines) for path in given.repeat])
    on = [name for name in given.interpreter or ("cpython", *interpreters.NAMES) if _is_here(name)]
    rng = Random(given.seed)
    finds = Finds()
    campaigns = [Campaign(each, guarded, lines, finds, rng, on) for each in named(given.target)]
    start = time.monotonic()
    _run(campaigns, given.inputs, start + 60 * given.minutes)
    _report(campaigns, lines, finds, time.monotonic() - start)
    if given.keep:
        corpus.keep(campaigns, lines)
    return 1 if finds.kinds else 0


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description="Fuzz the project's parsers.")
    parser.add_argument("--minutes", type=float, default=_MINUTES, help="how long (default: %(default)s)")
    parser.add_argument("--inputs", type=int, help="how many inputs of each target, however long it takes")
    parser.add_argument("--target", action="append", default=[], choices=TARGETS, help="one parser, not all")
    names = ("cpython", *interpreters.NAMES)
    parser.add_argument("--interpreter", action="append", choices=names, help="beside CPython, not all")
    parser.add_argument("--seed", type=int, default=time.time_ns(), help="for the same inputs again")
    parser.add_argument(
        "--repeat", type=Path, nargs="+", help="say what becomes of these kept inputs, and stop"
    )
    parser.add_argument("--keep", action="store_true", help="put what found lines into tests/corpus")
    return parser.parse_args()


def _is_here(name: str) -> bool:
    if name == "cpython":
        return True
    try:
        interpreters.find(name)
    except interpreters.Missing as reason:
        print(f"{name} is left out: {reason}", file=sys.stderr)
        return False
    return True


def _run(campaigns: list[Campaign], most: int | None, end: float) -> None:
    """Let the targets take turns until each took its inputs, or the time is over."""
    try:
        for campaign in campaigns:
            campaign.begin()
        begun = {each.target.name: each.inputs["cpython"] for each in campaigns}
        waiting = list(campaigns)
        while waiting:
            for campaign in list(waiting):
                for _ in range(_TURN):
                    done = campaign.inputs["cpython"] - begun[campaign.target.name]
                    if done >= most if most is not None else time.monotonic() >= end:
                        waiting.remove(campaign)
                        break
                    campaign.step()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    for campaign in campaigns:
        campaign.flush()


def _report(campaigns: list[Campaign], lines: Lines, finds: Finds, seconds: float) -> None:
    rows = {
        each.target.name: {**each.inputs, "read": each.read, "kept": len(each.kept)} for each in campaigns
    }
    print("\n".join(totals.table(rows)))
    print(f"{lines.seen} lines ran; {len(finds.kinds)} kinds of faults; {seconds / 60:.1f} minutes")
    whole = totals.added(rows, seconds)
    print(f"with all runs before, {whole['seconds'] / 3600:.2f} hours:")
    print("\n".join(totals.table(whole["targets"])))


def _repeat(path: Path, guarded: guard.Guard, lines: Lines) -> int:
    target = target_of(path)
    if target is None:
        print(f"{path}: its name says no target", file=sys.stderr)
        return 2
    finds = Finds()
    data = path.read_bytes()
    found = outcome.of(target.read, data, guarded, lines)
    print(f"{path}: {found.verdict}\n{found.wrong or ''}\n{found.detail}")
    on = [name for name in ("cpython", *interpreters.NAMES) if _is_here(name)]
    campaign = Campaign(target, guarded, lines, finds, Random(0), on)
    campaign.take(data)
    campaign.flush()
    return 1 if finds.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
