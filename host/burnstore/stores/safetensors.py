"""The store of SafeTensors files, in one part or in several."""

from dataclasses import replace
from pathlib import Path
from typing import Self

from burnpack.errors import SaveFailed
from burnpack.module import Module
from burnstore.io.shards.plan import index_path
from burnstore.pipeline.layouts import Source
from burnstore.pipeline.selecting import is_as_it_lies, selected
from burnstore.stores.saving import SavingStore


class SafetensorsStore(SavingStore):
    """A .safetensors file, the bytes of one, or several files with their index.

    Its filter is asked, as in Burn, about the module's own paths when loading, and about the names that the
    adapter gives when saving.
    """

    format = "safetensors"
    _usual = replace(SavingStore._usual, filters_written=True)

    def map_indices_contiguous(self, wanted: bool) -> Self:
        """Close gaps in the numbering of lists when loading, unless the module has them too."""
        return self._with(contiguous=wanted)

    def map_indices_contiguous_except(self, pattern: str) -> Self:
        """Leave numbers where `pattern` is found in what stands before them, besides where others are."""
        return self._keep_numbers(pattern)

    def skip_enum_variants(self, wanted: bool) -> Self:
        """Leave the names of enum variants out of the names saved and looked for, as PyTorch has none."""
        return self._with(skip_enum_variants=wanted)

    def fold_weights(self, wanted: bool) -> Self:
        """Make one weight of those of weight_norm, spectral_norm and pruning when a module is loaded.

        On unless turned off; a module that has the weights by these names gets them as they are.
        """
        return self._with(fold=wanted)

    def max_shard_size(self, size: int | None) -> Self:
        """Save into several files of at most `size` bytes of tensors each, as Hugging Face does.

        From "model.safetensors" these are "model-00001-of-00002.safetensors" and so on, beside
        "model.safetensors.index.json"; all is one file where that is enough.

        Raises `SaveFailed` for a size below 1.
        """
        if size is not None and (type(size) is not int or size < 1):
            raise SaveFailed("a file's size is a number of bytes, 1 or more", found=repr(size))
        return self._with(shard_size=size)

    def _selected(self, module: Module | None) -> Source:
        options = self._options
        if module is None:
            options = replace(options, fold=False)  # the file's own tensors are shown
        container = self.container()
        return container if is_as_it_lies(container, options) else selected(container, options, module)

    def _path_to_read(self, path: Path) -> Path:
        index = index_path(path)
        return index if not path.exists() and index.exists() else path
