from collections.abc import Iterator

from burnpack.tensor import Tensor, _Buffer

def fetched(tensor: Tensor) -> Iterator[_Buffer]: ...
