"""What a file has beside a model's parameters: its program, and a self-test."""

PROGRAM = "burnrt.program"  # the tensor, the first of its file
VERSION_KEY, STEPS_KEY = "burnrt.version", "burnrt.steps"  # of the metadata
SELFTEST = "selftest."  # begins the names of tensors and scalars


def is_beside(name: str) -> bool:
    """Tell whether a tensor of this name is no parameter."""
    return name == PROGRAM or name.startswith(SELFTEST)
