from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeAlias, TypeVar, type_check_only

from _typeshed import SupportsRichComparison

from burnpack.context import Context
from burnpack.module import Module, Param
from burnpack.qfloat import QFloat
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor

@type_check_only
class Adapter(Protocol):
    """What every adapter has; `ModuleAdapter` is one to derive from. For annotations alone.

    It may also have `adapt_source(source, contexts)`, which returns the source of a load showing the tensors
    that the module's parameters want, and `adapt_collected(pairs)`, which returns the (tensor, context) pairs
    of a module that is saved as the other side has them: for what is one tensor here and several there.
    """

    def adapt(self, tensor: Tensor, context: Context, /) -> Tensor:
        """Return the tensor as the other side has it, its bytes still unread: see `ModuleAdapter.adapt`."""

    def get_alternative_param_name(self, name: str, module_type: str | None, /) -> str | None:
        """Return what the other side calls a parameter, or None where it has no other name.

        name: the last segment of its path.
        module_type: the module around it, as in "Struct:BatchNorm", or None.
        """

AnyAdapter: TypeAlias = Adapter | type[Adapter]  # a class stands for an adapter without arguments

@type_check_only
class TensorSource(Protocol):
    def names(self) -> list[str]: ...
    def tensor(self, name: str, /) -> Tensor: ...
    def __contains__(self, name: str, /) -> bool: ...

TensorAndContext: TypeAlias = tuple[Tensor, Context]

Collected: TypeAlias = tuple[Tensor, Context, Param]

Entry: TypeAlias = tuple[str, Dtype, Shape, int, int, int | None]

@type_check_only
class File(Protocol):
    def seek(self, offset: int, whence: int = ..., /) -> int: ...
    def readinto(self, buffer: Writable, /) -> int | None: ...

@type_check_only
class AnyIndex(Protocol):
    def __len__(self) -> int: ...
    def name(self, number: int, /) -> str: ...
    def find(self, name: str, /) -> int: ...
    def entry(self, number: int, /) -> Entry: ...
    def metadata(self) -> list[tuple[str, str]]: ...
    def scalars(self) -> list[tuple[str, Scalar]]: ...

Dtype: TypeAlias = str | QFloat

Hint: TypeAlias = tuple[str, ...]

Advice: TypeAlias = list[tuple[Hint, str]]

Shape: TypeAlias = tuple[int, ...]

DtypeRow: TypeAlias = tuple[str, int, str, str | None]

Predicate: TypeAlias = Callable[[str, str], bool]

@type_check_only
class Filter(Protocol):
    def matches(self, path: str, containers: tuple[str, ...], /) -> bool: ...

@type_check_only
class Extent(Protocol):
    @property
    def end(self) -> int: ...
    @property
    def claimed(self) -> int: ...
    @property
    def aligned(self) -> bool: ...
    @property
    def version(self) -> str | None: ...

@type_check_only
class Source(Protocol):
    @property
    def source(self) -> str | None: ...
    def names(self) -> list[str]: ...
    def tensor(self, name: str, /) -> Tensor: ...
    def __contains__(self, name: str, /) -> bool: ...

@type_check_only
class ContainerWriter(Protocol):
    def chunks(self) -> Iterator[Buffer]: ...
    def to_bytes(self) -> bytes: ...

QStore: TypeAlias = str | tuple[str, int]

QBlock: TypeAlias = tuple[tuple[int, ...], str]

@type_check_only
class BurnpackIndex(AnyIndex, Extent, Protocol):
    format_version: int
    data_start: int
    packed: bool
    def dialect(self) -> str: ...

Number: TypeAlias = bool | int | float

Scalar: TypeAlias = tuple[str, Number]

@type_check_only
class ModuleStore(Protocol):
    def apply_to(self, module: Module, /) -> ApplyResult: ...
    def collect_from(self, module: Module, /) -> None: ...

Buffer: TypeAlias = bytes | bytearray | memoryview

Writable: TypeAlias = bytearray | memoryview

Data: TypeAlias = Buffer | Callable[[], Buffer]

Fill: TypeAlias = Callable[[Writable], object]

T = TypeVar("T")

Sortable = TypeVar("Sortable", bound=SupportsRichComparison)

Pairs: TypeAlias = Iterable[tuple[str, T]] | Mapping[str, T]
