from collections.abc import Sequence

def place(
    sizes: Sequence[int], births: Sequence[int], deaths: Sequence[int], alignment: int = 1
) -> tuple[list[int], int]: ...
