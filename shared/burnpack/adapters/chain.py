"""Adapters one after the other."""

from burnpack.adapters.base import ModuleAdapter, instance

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.context import Context
    from burnpack.tensor import Tensor
    from burnpack.types import AnyAdapter, TensorAndContext, TensorSource


class ChainAdapter(ModuleAdapter):
    """An adapter that does what `first` does, then what `second` does. `first.chain(second)` makes one."""

    def __init__(self, first: "AnyAdapter", second: "AnyAdapter") -> None:
        self.first = instance(first)
        self.second = instance(second)

    def adapt(self, tensor: "Tensor", context: "Context") -> "Tensor":
        """Return the tensor as both adapters make it, its bytes still unread."""
        return self.second.adapt(self.first.adapt(tensor, context), context)

    def get_alternative_param_name(self, name: str, module_type: str | None) -> str | None:
        """Return the first one's other name for `name`, by the second one's other name for that."""
        other = self.first.get_alternative_param_name(name, module_type)
        if other is None:
            return self.second.get_alternative_param_name(name, module_type)
        return self.second.get_alternative_param_name(other, module_type) or other

    def adapt_source(self, source: "TensorSource", contexts: "Sequence[Context]") -> "TensorSource":
        """Return the source of a load as both adapters show it.

        source: an opened container.
        contexts: the `Context`s of the module's parameters.
        """
        for adapter in (self.first, self.second):
            if hasattr(adapter, "adapt_source"):
                source = adapter.adapt_source(source, contexts)
        return source

    def adapt_collected(self, pairs: "list[TensorAndContext]") -> "list[TensorAndContext]":
        """Return a module's (tensor, context) pairs as both adapters put them together."""
        for adapter in (self.first, self.second):
            if hasattr(adapter, "adapt_collected"):
                pairs = adapter.adapt_collected(pairs)
        return pairs
