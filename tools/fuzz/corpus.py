"""The inputs that the repository keeps: few and small ones that together run all lines that were found."""

import hashlib
from collections.abc import Callable

from tools.fuzz import outcome
from tools.fuzz.campaign import Campaign
from tools.fuzz.finds import smaller
from tools.fuzz.lines import Lines
from tools.fuzz.targets import CORPUS

_MOST = 6_000  # bytes of an input
_ALL_MOST = 24_000  # bytes of a target's inputs
_TRIES = 150


def keep(campaigns: list[Campaign], lines: Lines) -> None:
    """Add to the corpus what finds lines that neither good files nor the corpus do, made smaller."""
    for campaign in campaigns:
        lines.forget()
        target = campaign.target
        for data in target.good_files():
            outcome.of(target.read, data, campaign.guard, lines)
        room = _ALL_MOST - sum(path.stat().st_size for path in target.corpus())
        for data in sorted(campaign.kept, key=len):
            before = lines.seen
            found = outcome.of(target.read, data, campaign.guard, lines)
            if lines.seen == before or found.wrong or len(data) > _MOST:
                continue
            data = smaller(data, _same(campaign, lines, found.verdict), _TRIES)
            if len(data) > room:
                continue
            room -= len(data)
            folder = CORPUS / target.name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)


def _same(campaign: Campaign, lines: Lines, verdict: str) -> Callable[[bytes], bool]:
    """Return what tells whether an input ends the same way, which for refusals means by the same line."""
    if verdict.startswith("read "):
        return lambda less: False
    return lambda less: outcome.of(campaign.target.read, less, campaign.guard, lines).verdict == verdict
