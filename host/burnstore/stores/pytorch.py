"""The store of PyTorch checkpoints, which are read and not written."""

from typing import TYPE_CHECKING, Any, Self

from burnpack.adapters.base import instance
from burnpack.errors import Unsupported
from burnpack.module import Module
from burnstore.pipeline.layouts import PYTORCH
from burnstore.pipeline.options import Options
from burnstore.pytorch.left_out import left_out_notes
from burnstore.stores.store import Store

if TYPE_CHECKING:
    from burnpack.types import AnyAdapter


class PytorchStore(Store):
    """A checkpoint that `torch.save` wrote. It is always loaded through `PyTorchToBurnAdapter`."""

    format = "pytorch"
    _usual = Options(from_layout=PYTORCH, contiguous=True, skip_enum_variants=True)

    def with_top_level_key(self, key: str | None) -> Self:
        """Take the weights under a key of the checkpoint's dict.

        key: as "state_dict", or "a.b" for one inside another; "" and None take all.

        Left out, the key is found. The notes of a load's result say which was taken for the module, and
        `notes` of the store which is taken without one.
        """
        return self._with(top_level_key=key or "")

    def fold_weights(self, wanted: bool) -> Self:
        """Make one weight of those of weight_norm, spectral_norm and pruning. On unless turned off."""
        return self._with(fold=wanted)

    def map_indices_contiguous(self, wanted: bool) -> Self:
        """Close gaps in the numbering of lists, unless the module has them too. On unless turned off."""
        return self._with(contiguous=wanted)

    def map_indices_contiguous_except(self, pattern: str) -> Self:
        """Leave numbers where `pattern` is found in what stands before them, besides where others are."""
        return self._keep_numbers(pattern)

    def skip_enum_variants(self, wanted: bool) -> Self:
        """Leave the names of enum variants, which PyTorch has not, out of the paths. On unless turned off."""
        return self._with(skip_enum_variants=wanted)

    def with_from_adapter(self, adapter: "AnyAdapter") -> Self:
        """Adapt what is loaded, after `PyTorchToBurnAdapter` has, which is applied once in any case."""
        return self._with(adapter=instance(adapter))

    def left_out(self) -> list[tuple[str, str]]:
        """Return (path, reason) of what is like a tensor and is not read, such as a sparse tensor."""
        left_out = getattr(self.container(), "left_out", None)
        return left_out() if left_out is not None else []

    def collect_from(self, module: Module) -> None:
        """Raise `Unsupported`."""
        what = "PyTorch files can't be written: BurnpackStore and SafetensorsStore save modules"
        raise Unsupported(what, source=str(self._path) if self._path else None)

    def _notes_on(self, source: Any) -> list[str]:
        return super()._notes_on(source) + left_out_notes(self.left_out())
