"""What a file has beside a model's parameters: its program, and a self-test."""

from burnstore.io.container import Container

PROGRAM = "burnrt.program"  # the tensor, the first of its file
VERSION_KEY, STEPS_KEY = "burnrt.version", "burnrt.steps"  # of the metadata
COMPUTED = "constant_"  # begins the names of what an exported program has computed of its parameters
SELFTEST = "selftest."  # begins the names of tensors and scalars


def has_program(container: Container) -> bool:
    """Tell whether a file has a program, which says how its model is run."""
    return container.format == "burnpack" and PROGRAM in container


def is_beside(name: str) -> bool:
    """Tell whether a tensor of this name is no parameter."""
    return name == PROGRAM or name.startswith(SELFTEST)
