from collections.abc import Iterable, Iterator, Mapping

from _typeshed import SupportsWrite

from burnpack.limits import Limits
from burnpack.scalar import _Number, _Scalar
from burnpack.tensor import Tensor, _Buffer

class Writer:
    size: int
    def __init__(
        self,
        tensors: Iterable[Tensor],
        metadata: Iterable[tuple[str, str]] | Mapping[str, str] = (),
        scalars: Iterable[tuple[str, _Number | _Scalar]] | Mapping[str, _Number | _Scalar] = (),
        limits: Limits | None = None,
    ) -> None: ...
    def chunks(self) -> Iterator[_Buffer]: ...
    def to_bytes(self) -> bytes: ...
    def write_to(self, file: SupportsWrite[_Buffer]) -> None: ...
