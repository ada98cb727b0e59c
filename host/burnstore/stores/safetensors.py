"""The store of SafeTensors files, in one part or in several."""

from pathlib import Path
from typing import Self

from burnpack.errors import SaveFailed
from burnpack.module import Module
from burnpack.safetensors_writer import Writer
from burnpack.tensor import Tensor
from burnstore.fast_header import FastReader
from burnstore.shards.plan import index_path
from burnstore.shards.writer import save_sharded
from burnstore.stores.writable import Texts, WritableStore


class SafetensorsStore(WritableStore):
    """A .safetensors file, the bytes of one, or several files with their index."""

    _reader_class = FastReader

    def __init__(self) -> None:
        super().__init__()
        self._shard_size: int | None = None

    def map_indices_contiguous(self, wanted: bool, except_: str | None = None) -> Self:
        """Close gaps in the numbering of lists when loading, unless the module has them too.

        except_: a pattern; where it is found in what stands before a number, that number stays.
        """
        return self._map_indices(wanted, except_)

    def skip_enum_variants(self, wanted: bool) -> Self:
        """Leave the names of enum variants out of the names saved and looked for, as PyTorch has none."""
        self._skip_enum_variants = wanted
        return self

    def fold_weights(self, wanted: bool) -> Self:
        """Make one weight of those of weight_norm, spectral_norm and pruning when a module is loaded.

        On unless turned off; a module that has the weights by these names gets them as they are.
        """
        self._folding = wanted
        return self._forgetting_names()

    def max_shard_size(self, size: int | None) -> Self:
        """Save into several files of at most `size` bytes of tensors each, as Hugging Face does.

        From "model.safetensors" these are "model-00001-of-00002.safetensors" and so on, beside
        "model.safetensors.index.json"; all is one file where that is enough. See `shards.writer`.
        """
        if size is not None and (type(size) is not int or size < 1):
            raise SaveFailed("a file's size is a number of bytes, 1 or more", found=repr(size))
        self._shard_size = size
        return self

    def _folds(self, module: Module | None) -> bool:
        return self._folding and module is not None

    def _write(self, path: Path, tensors: list[Tensor], metadata: Texts) -> None:
        if self._shard_size is None:
            super()._write(path, tensors, metadata)
        else:
            save_sharded(path, tensors, self._shard_size, metadata, self._overwrite)

    def _reading_path(self, path: Path) -> Path:
        index = index_path(path)
        return index if not path.exists() and index.exists() else path

    def _writer_of(self, tensors: list[Tensor], metadata: Texts) -> Writer:
        return Writer(tensors, metadata)
