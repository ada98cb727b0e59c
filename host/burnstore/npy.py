"""Arrays in .npy files."""

from typing import Any

from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from burnpack.errors import LimitExceeded, UnknownFormat
from burnstore.files import PathLike, check_readable


def load_array(path: PathLike) -> NDArray[Any]:
    """Return the array in a .npy file, which is mapped: what is used of it is read then.

    Raises `UnknownFormat` for what is no such file, `OSError` for what the operating system refuses.
    """
    name = str(path)
    check_readable(name)
    try:
        return open_memmap(name, mode="r")
    except MemoryError:
        raise LimitExceeded("not enough memory for the array", None, name) from None
    except (EOFError, OverflowError, SyntaxError, TypeError, ValueError) as error:
        raise UnknownFormat(f"not an array that numpy reads: {error}", None, name) from error
