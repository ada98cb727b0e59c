"""What can be set for a file besides its names: groups of hints, of which each excludes the others."""

from burnpack.hints import BURN, LAYOUT, PYTORCH, VARIANTS
from burnstore.advice.kinds import CLOSED, CONTIGUOUS, KEPT, KEY, Hint
from burnstore.advice.names import is_typed
from burnstore.io.container import Container
from burnstore.pytorch.reader import PytorchReader

_KEYS = 4  # of a checkpoint's dict
_SETTINGS: list[list[Hint]] = [
    [(LAYOUT, PYTORCH), (LAYOUT, BURN)],
    [(VARIANTS,)],
    [(CONTIGUOUS, CLOSED), (CONTIGUOUS, KEPT)],
]


def settings_of(reader: Container) -> list[list[Hint]]:
    """Return the groups for an opened file."""
    return _SETTINGS + ([_keys(reader)] if isinstance(reader, PytorchReader) else [])


def _keys(reader: PytorchReader) -> list[Hint]:
    keys = [key for key, value in reader.entries() if key and reader.holds_tensors(value)]
    return [(KEY, key) for key in ["", *keys[:_KEYS]] if is_typed(key)]
