"""What adapters share."""

if False:  # for type checkers
    from burnpack.adapters.chain import ChainAdapter
    from burnpack.context import Context
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter


class ModuleAdapter:
    """Leaves everything as it is, which an adapter changes where it has to."""

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor as the other side has it, its bytes still unread."""
        return tensor

    def alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        """Return what the other side calls the parameter `name` of a `module_type`, or None."""

    def chain(self, next: "Adapter") -> "ChainAdapter":
        """Return an adapter that does first what this one does, then what `next` does."""
        from burnpack.adapters.chain import ChainAdapter

        return ChainAdapter(self, next)


class IdentityAdapter(ModuleAdapter):
    """Leaves everything as it is."""
