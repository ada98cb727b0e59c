"""What adapters share."""


class ModuleAdapter:
    """Leaves everything as it is, which an adapter changes where it has to."""

    def adapt(self, tensor, context):
        """Return the tensor as the other side has it, its bytes still unread."""
        return tensor

    def alternative_param_name(self, name, module_type):
        """Return what the other side calls the parameter `name` of a `module_type`, or None."""

    def chain(self, next):
        """Return an adapter that does first what this one does, then what `next` does."""
        from burnpack.adapters.chain import ChainAdapter

        return ChainAdapter(self, next)


class IdentityAdapter(ModuleAdapter):
    """Leaves everything as it is."""
