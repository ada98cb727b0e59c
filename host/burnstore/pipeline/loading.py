"""From a source into a module."""

from collections.abc import Iterable

from burnpack.apply import load
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnstore.pipeline.layouts import Source, loading_adapter, skips_variants
from burnstore.pipeline.options import Options


def load_into(module: Module, source: Source, options: Options, notes: Iterable[str] = ()) -> ApplyResult:
    """Load a module from tensors that are selected already; return the `ApplyResult`, with notes.

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
    )
