"""From a source into a module."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from burnpack.apply import load
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnstore.pipeline.layouts import Source, loading_adapter, skips_variants
from burnstore.pipeline.options import Options

if TYPE_CHECKING:
    from burnpack.types import Advice


def load_into(
    module: Module,
    source: Source,
    options: Options,
    notes: Iterable[str] = (),
    advice: "Callable[[ApplyResult], Advice] | None" = None,
) -> ApplyResult:
    """Load a module from tensors that are selected already; return the `ApplyResult`, with notes and advice.

    A load that fails leaves the module as it was. Raises `LoadFailed`.
    """
    return load(
        module,
        source,
        options.filter,
        loading_adapter(options),
        skips_variants(options),
        options.allow_partial,
        options.validate,
        notes,
        advice,
    )
