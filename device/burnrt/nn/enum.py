"""Choices between layers."""

from burnpack import module
from burnrt.nn.module import Module


class Enum(module.Enum):
    """A choice, as `burnpack.module.Enum` has it, and a part of a model, as `Module` is."""

    plan = Module.plan
