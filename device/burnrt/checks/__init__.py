"""What refuses a program before a kernel runs."""

if False:  # for type checkers
    from burnrt.memory import Memory


def check_program(memory: "Memory") -> None:
    """Refuse a program that reads or writes where it must not."""
