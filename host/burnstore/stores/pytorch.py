"""The store of PyTorch checkpoints, which are read and not written."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from burnpack.errors import Unsupported
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnstore.adapters import PyTorchToBurnAdapter
from burnstore.container import Container
from burnstore.pytorch.reader import PytorchReader
from burnstore.stores import top_level
from burnstore.stores.file_store import FileStore

if TYPE_CHECKING:
    from burnpack.adapters import Adapter


class PytorchStore(FileStore):
    """A checkpoint that `torch.save` wrote. It is always loaded through `PyTorchToBurnAdapter`."""

    _reader_class = PytorchReader

    def __init__(self) -> None:
        super().__init__()
        self._from_adapter = PyTorchToBurnAdapter()
        self._contiguous = True
        self._skip_enum_variants = True
        self._key: str | None = None
        self._finds_key = True

    def with_top_level_key(self, key: str | None) -> Self:
        """Take the weights under this key of the checkpoint's dict; None: those of the dict itself.

        Left out, the key is found where only one can be meant, and `notes` say which.
        """
        self._key = key
        self._finds_key = False
        return self._forgetting_names()

    def map_indices_contiguous(self, wanted: bool, except_: str | None = None) -> Self:
        """Close gaps in the numbering of lists, unless the module has them too. On unless turned off.

        except_: a pattern; where it is found in what stands before a number, that number stays.
        """
        return self._map_indices(wanted, except_)

    def skip_enum_variants(self, wanted: bool) -> Self:
        """Leave the names of enum variants, which PyTorch has not, out of the paths. On unless turned off."""
        self._skip_enum_variants = wanted
        return self

    def with_from_adapter(self, adapter: "Adapter") -> Self:
        """Adapt what is loaded, after `PyTorchToBurnAdapter` has."""
        self._from_adapter = PyTorchToBurnAdapter().chain(adapter)
        return self

    def notes(self) -> list[str]:
        """Return what was found without having been told."""
        reader = self._container()
        return top_level.notes(reader) if self._finds_key and isinstance(reader, PytorchReader) else []

    def collect_from(self, module: Module) -> None:
        """Raise `Unsupported`."""
        what = "PyTorch files can't be written: BurnpackStore and SafetensorsStore save modules"
        raise Unsupported(what, None, str(self._path) if self._path else None)

    def _tensors_of(self, container: Container) -> Iterable[Tensor]:
        if isinstance(container, PytorchReader):
            key = top_level.found(container) if self._finds_key else self._key
            return container if key is None else top_level.tensors_under(container, key)
        if self._key is not None:
            raise Unsupported(
                "a checkpoint in several files has no top-level key", self._key, container.source
            )
        return container
