"""Models that can run: burnpack's modules, and a plan of their forward pass."""

from burnpack import module


class Module(module.Module):
    """A part of a model, as `burnpack.module.Module` has it. A model derives from it and says in
    `forward(input)` what it computes."""

    def plan(self, shape, arena=None):
        """Return the `burnrt.plan.Plan` of the forward pass for inputs of `shape`, the batch first.

        arena: the caller's own buffer for all values, of `plan.size` bytes at least.
        """
        from burnrt.plan import Plan  # who runs without a plan does not pay for it

        return Plan(self, shape, arena)


class Enum(module.Enum):
    """A choice, as `burnpack.module.Enum` has it, and a part of a model, as `Module` is."""

    plan = Module.plan
