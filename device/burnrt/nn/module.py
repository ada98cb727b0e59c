"""Models that can run: burnpack's modules, and a plan of their forward pass."""

from burnpack import module
from burnpack.module import Param

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.plan import Plan

    __all__ = ("Module", "Param")


class Module(module.Module):
    """A part of a model. A model derives from it and says in `forward(input)` what it computes.

    Its children are those of its attributes that are a module or a `Param`, as in PyTorch. It need not be
    told so: `super().__init__()` is welcome, and does nothing.
    """

    def children(self) -> "list[tuple[str, Any]]":
        """Return the attributes that a walk visits. Raises `Unsupported` where others hide parts."""
        found = []
        for pair in self.__dict__.items():
            if isinstance(pair[1], (Param, module.Module)):
                found.append(pair)
            elif module.holds(pair[1]) or module.holds(getattr(pair[1], "__dict__", None)):
                try:
                    from burnrt.nn.hidden import check

                    check(self, *pair)
                except ImportError:  # on a board: what loads there was checked where it was made
                    pass
        return found

    def plan(self, shape: "Shape", arena: "Any" = None) -> "Plan":
        """Return the `burnrt.plan.Plan` of the forward pass.

        shape: the input's, the batch first.
        arena: the caller's own buffer for all values, of the plan's `size` in bytes or more; None: a new one.
        """
        from burnrt.plan import Plan  # who runs without a plan does not pay for it

        return Plan(self, shape, arena)
