"""What adapters share."""

if False:  # for type checkers
    from burnpack.adapters.chain import ChainAdapter
    from burnpack.context import Context
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter, AnyAdapter


class ModuleAdapter:
    """An adapter that leaves everything as it is. Others derive from it and change what they have to."""

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor as the other side has it, its bytes still unread.

        tensor: a `Tensor`, called as the parameter is, whatever the source calls it.
        context: the parameter's `Context`.
        """
        return tensor

    def get_alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        """Return what the other side calls a parameter, or None where it has no other name.

        name: the last segment of its path, as in "gamma".
        module_type: the module around it, as in "Struct:BatchNorm", or None.
        """

    def chain(self, next: "AnyAdapter") -> "ChainAdapter":
        """Return an adapter that does first what this one does, then what `next` does."""
        from burnpack.adapters.chain import ChainAdapter

        return ChainAdapter(self, next)


def instance(adapter: "AnyAdapter") -> "Adapter":
    """Return an adapter; one that takes no arguments may be given by its class, as Rust has it."""
    return adapter() if isinstance(adapter, type) else adapter


class IdentityAdapter(ModuleAdapter):
    """Leaves everything as it is."""
