"""Programs that are opened, or must be refused. It runs anywhere."""

from burnpack.errors import Malformed
from burnrt.checks import program as checks
from burnrt.memory import Memory
from kit import support


def look(made):
    """Check a program as a board does that opens its file. made: a `small_program.Program`."""
    checks.check_program(Memory(made.to_bytes()))


def refused(made):
    """Return the text of the error that opening the program must raise."""
    return str(support.raises(Malformed, look, made))
