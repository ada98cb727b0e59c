"""What an index tells of its tensors, kept in memory: a computer looks everything up more than once."""

from typing import Any

Entry = tuple[str, Any, tuple[int, ...], int, int, int | None]


class Entries:
    """The part of an index that is asked for tensors: see `burnpack.container.Container`.

    data_start: where the bytes of the tensors begin in the container.
    """

    data_start: int

    def __init__(self) -> None:
        self._rows: list[Entry] = []  # with start and end counted from where the data begins
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def name(self, number: int) -> str:
        """Return the name of a tensor."""
        return self._rows[number][0]

    def find(self, name: str) -> int:
        """Return the number of the tensor called `name`, or -1."""
        if len(self._numbers) != len(self._rows):
            self._numbers = {row[0]: number for number, row in enumerate(self._rows)}
        return self._numbers.get(name, -1)

    def entry(self, number: int) -> Entry:
        """Return a tensor's (name, dtype, shape, start, end, param_id), counted from the file's start."""
        name, dtype, shape, start, end, param_id = self._rows[number]
        return name, dtype, shape, self.data_start + start, self.data_start + end, param_id
