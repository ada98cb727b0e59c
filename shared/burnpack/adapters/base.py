"""What adapters share."""

if False:  # for type checkers
    from burnpack.adapters.chain import ChainAdapter
    from burnpack.context import Context
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter, AnyAdapter


class ModuleAdapter:
    """Leaves everything as it is, which an adapter changes where it has to."""

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor as the other side has it, its bytes still unread."""
        return tensor

    def get_alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        """Return what the other side calls the parameter `name` of a `module_type`, or None."""

    def chain(self, next: "AnyAdapter") -> "ChainAdapter":
        """Return an adapter that does first what this one does, then what `next` does."""
        from burnpack.adapters.chain import ChainAdapter

        return ChainAdapter(self, next)


def instance(adapter: "AnyAdapter") -> "Adapter":
    """Return an adapter; one that takes no arguments may be given by its class, as Rust has it."""
    return adapter() if isinstance(adapter, type) else adapter


class IdentityAdapter(ModuleAdapter):
    """Leaves everything as it is."""
