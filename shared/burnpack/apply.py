"""From tensors to a module."""

from burnpack.checks import shape_text
from burnpack.compat import rising
from burnpack.context import Context, has_variant, without_variants
from burnpack.dtype import BOOL, kind
from burnpack.errors import BurnpackError, LimitExceeded, LoadFailed
from burnpack.module import walk
from burnpack.result import ApplyResult

if False:  # for type checkers
    from collections.abc import Callable, Iterable

    from burnpack.module import Module, Param
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter, Advice, AnyAdapter, Buffer, Filter, Source, TensorSource


_OPTIONAL = "num_batches_tracked"  # PyTorch's BatchNorm counts, Burn's does not


def match(
    module: "Module",
    tensors: "TensorSource",
    filter: "Filter | None" = None,
    adapter: "AnyAdapter | None" = None,
    skip_enum_variants: bool = False,
) -> "tuple[ApplyResult, list[tuple[Param, Tensor]]]":
    """Find each parameter's tensor; return the `ApplyResult` and (param, tensor) pairs.

    Nothing is read or changed. The tensors are lazy, adapted, and named by the parameters' paths.
    tensors: anything with `names()`, `tensor(name)` and `in`: an opened container, or a `listing.Listing`.
    skip_enum_variants: leave the names of variants out of all paths; names that have them are found too.
    """
    if isinstance(adapter, type):  # as Rust has it: an adapter without arguments by its name
        adapter = adapter()
    result = ApplyResult()
    matches: "list[tuple[Param, Tensor]]" = []
    absent = []
    used = set()
    if hasattr(adapter, "adapt_source"):
        tensors = adapter.adapt_source(  # type: ignore[union-attr] # None has no such method either
            tensors, _contexts(module, skip_enum_variants)
        )
    for path, containers, param in walk(module):
        context = Context(without_variants(path, containers) if skip_enum_variants else path, containers)
        name = found_name(tensors, context, path, adapter)
        used.add(name)
        if filter is not None and not filter.matches(context.path, containers):
            result.skipped.append(context.path)
        elif name is None:
            absent.append((context, param))
        else:
            _fit(param, tensors, name, context, adapter, result, matches)
    result.missing = _missing(absent, matches)
    unused = [name for name in tensors.names() if name not in used and not _is_optional(name)]
    result.unused = rising(unused)
    if result.missing or result.errors or ("layout", "pytorch") in getattr(tensors, "metadata", list)():
        from burnpack.turned import straight  # where all fits, and nothing is said, it is not needed

        matches = straight(walk(module), tensors, adapter, result, matches)
    return result, matches


def refusal(what: str, result: "ApplyResult", source: str | None) -> LoadFailed:
    """Return the error that refuses a load, and says of the source what does not fit."""
    error = LoadFailed(what + "\n" + str(result), None, source)
    error.result = result
    return error


def fetch(
    matches: "Iterable[tuple[Param, Tensor]]", result: "ApplyResult"
) -> "list[tuple[Param, Tensor, Buffer]]":
    """Get the data of what `match` found, before anything is changed; failures go into `result`."""
    fetched = []
    for param, tensor in matches:
        try:
            fetched.append((param, tensor, tensor.data()))
        except (MemoryError, LimitExceeded):  # not the file's fault: the caller may free some and try again
            raise
        except Exception as error:  # whatever a provider does wrong
            _drop(result, tensor.name, _told(error))
    return _agreed(fetched, result)


def commit(fetched: "Iterable[tuple[Param, Tensor, Buffer]]") -> None:
    """Give the parameters what `fetch` got for them. This can't fail."""
    for param, tensor, data in fetched:
        param.dtype = tensor.dtype
        param.data = data
        if tensor.param_id is not None:
            param.param_id = tensor.param_id


def load(
    module: "Module",
    tensors: "Source",
    filter: "Filter | None" = None,
    adapter: "Adapter | None" = None,
    skip_enum_variants: bool = False,
    allow_partial: bool = False,
    validate: bool = True,
    notes: "Iterable[str]" = (),
    advice: "Callable[[ApplyResult], Advice] | None" = None,
) -> "ApplyResult":
    """Load a module from a source; return the `ApplyResult`. A load that fails leaves the module as it was.

    allow_partial: whether the source may lack parameters. validate: whether a tensor that does not fit is an
    error; else its parameter stays as it is. notes, advice: those of the result. Raises `LoadFailed`.
    """
    result, matches = match(module, tensors, filter, adapter, skip_enum_variants)
    result.notes = list(notes)
    result.advice = advice
    _check(result, tensors, allow_partial, validate)  # before anything is read
    fetched = fetch(matches, result)
    _check(result, tensors, allow_partial, validate)
    commit(fetched)
    return result


def _check(result: "ApplyResult", tensors: "Source", allow_partial: bool, validate: bool) -> None:
    if result.errors and validate:
        raise refusal("tensors do not fit the module", result, tensors.source)
    if result.missing and not allow_partial:
        raise refusal("parameters are missing", result, tensors.source)


def _contexts(module: "Module", skip_enum_variants: bool) -> "list[Context]":
    """Return where each parameter is, told with and, where they are skipped, without variants."""
    contexts = []
    for path, containers, _ in walk(module):
        contexts.append(Context(path, containers))
        if skip_enum_variants and has_variant(containers):
            contexts.append(Context(without_variants(path, containers), containers))
    return contexts


def found_name(
    tensors: "TensorSource", context: "Context", path: str, adapter: "Adapter | None"
) -> str | None:
    """Return the name under which a parameter's tensor is found, or None.

    context: where the parameter is, by the path that is looked for first. path: its full path, with variants.
    """
    name = _name_in(tensors, context.path, context.module_type, adapter)
    if name is None and context.path != path:
        name = _name_in(tensors, path, context.module_type, adapter)
    return name


def _name_in(
    tensors: "TensorSource", path: str, module_type: str | None, adapter: "Adapter | None"
) -> str | None:
    if path in tensors:
        return path
    head, dot, last = path.rpartition(".")
    other = _other_name(adapter, last, module_type)
    if other is None:
        return None
    name = head + dot + other
    return name if name in tensors else None


def _other_name(adapter: "Adapter | None", name: str, module_type: str | None) -> str | None:
    if adapter is None or module_type is None:
        return None
    try:
        return adapter.get_alternative_param_name(name, module_type)
    except Exception as error:  # whatever an adapter does wrong
        raise LoadFailed("the adapter failed: %s" % _told(error), name)


def _is_optional(name: str) -> bool:
    return name.rsplit(".", 1)[-1] == _OPTIONAL


def _missing(
    absent: "list[tuple[Context, Param]]", matches: "list[tuple[Param, Tensor]]"
) -> list[tuple[str, tuple[str, ...]]]:
    """Return (path, containers) of what is absent; a tied parameter is there under another of its names."""
    found = set([id(param) for param, _ in matches]) if absent else ()
    wanted = [context for context, param in absent if id(param) not in found]
    return [(context.path, context.containers) for context in wanted if not _is_optional(context.path)]


def _fit(
    param: "Param",
    tensors: "TensorSource",
    name: str,
    context: "Context",
    adapter: "Adapter | None",
    result: "ApplyResult",
    matches: "list[tuple[Param, Tensor]]",
) -> None:
    path = context.path
    try:
        tensor = tensors.tensor(name)
        if name != path:  # what an adapter sees is the parameter's name, not the one it was found under
            tensor = tensor.renamed(path)
        if adapter is not None:
            tensor = adapter.adapt(tensor, context)
        held, found = kind(param.dtype), kind(tensor.dtype)
    except Exception as error:  # whatever an adapter does wrong
        result.fail("AdapterError", path, None, _told(error))
        return
    if held == BOOL and tensor.dtype in ("U8", "U32"):  # as formats without truths store them
        tensor = tensor.renamed(path)
        tensor.dtype = "Bool(%s)" % tensor.dtype
        found = held
    if held != found:
        result.fail("KindMismatch", path, held, found)
    elif tensor.shape != param.shape:
        result.fail("ShapeMismatch", path, shape_text(param.shape), shape_text(tensor.shape))
    else:
        matches.append((param, tensor if tensor.name == path else tensor.renamed(path)))
        result.applied.append(path)


def _agreed(
    fetched: "list[tuple[Param, Tensor, Buffer]]", result: "ApplyResult"
) -> "list[tuple[Param, Tensor, Buffer]]":
    """Return what was fetched; of a parameter with two names, whose tensors must be alike, the first."""
    if len(set([id(row[0]) for row in fetched])) == len(fetched):
        return fetched
    first: "dict[int, tuple[Tensor, Buffer]]" = {}
    for param, tensor, data in fetched:
        known, same = first.setdefault(id(param), (tensor, data))
        if known.dtype != tensor.dtype or same != data:
            what = "differs from %s, which is the same parameter" % known.name
            _drop(result, tensor.name, what)
    return [row for row in fetched if first[id(row[0])][0] is row[1]]


def _drop(result: "ApplyResult", path: str, what: str) -> None:
    result.applied.remove(path)
    result.fail("LoadError", path, None, what)


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, BurnpackError) else repr(error)
