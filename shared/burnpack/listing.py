"""Tensors in a list, found by name."""

from burnpack.errors import DuplicateName, NotFound

if False:  # for type checkers
    from collections.abc import Iterable

    from burnpack.tensor import Tensor


class Listing:
    """Tensors in a list, found by name as in a container. Raises `DuplicateName` for two of one name."""

    def __init__(self, tensors: "Iterable[Tensor]") -> None:
        self._tensors: "dict[str, Tensor]" = {}
        for tensor in tensors:
            if tensor.name in self._tensors:
                raise DuplicateName("two tensors of one name", tensor.name)
            self._tensors[tensor.name] = tensor

    def names(self) -> list[str]:
        """Return all names."""
        return list(self._tensors)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def tensor(self, name: str) -> "Tensor":
        """Return the tensor called `name`; raises `NotFound`."""
        if name not in self._tensors:
            raise NotFound("no tensor of this name", name)
        return self._tensors[name]
