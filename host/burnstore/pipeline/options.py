"""What is asked of stores and conversions, as one value."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from burnpack.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from burnpack.types import Adapter, Filter
    from burnstore.naming.filters import PathFilter
    from burnstore.naming.remap import KeyRemapper

LAYOUTS = ("burn", "pytorch")

Pairs = tuple[tuple[str, str], ...]
Shapes = tuple[tuple[int, ...], ...]
Ties = tuple[tuple[str | int, int], ...]


@dataclass(frozen=True)
class Options:
    """What is done with tensors on their way from a source to a module or a file.

    Which tensors are meant:

    top_level_key: the key of a PyTorch checkpoint's dict that the weights are under, or keys, as "a.b"; "":
        none; None: found out.
    fold: whether reparametrized weights, as weight_norm makes them, are folded into one.
    filter: which of them, by their new names; None: all.

    By which names:

    prefixes: what is taken off the names that begin with it; "": what wrappers put before all names.
    remapper: a `KeyRemapper` that changes names after that; None: they stay.
    contiguous: whether to close gaps in the numbering of lists; None: for a module from PyTorch.
    kept_numbers: a filter of prefixes; behind those that it lets pass, numbers stay. None: nowhere.
    skip_enum_variants: whether the names of enum variants are left out; None: in PyTorch's layout.

    In which layout and dtype:

    from_layout, to_layout: "burn" or "pytorch"; None: found out, and the target format's usual one.
    adapter: what else is done with each tensor that is loaded or converted, such as casting it.
    half: whether F32 becomes F16, and F16 F32, where that does no harm.
    cast: the dtype that every float becomes, quantized numbers too; None: as they are.
    saturate: whether a number too large for its new dtype becomes the largest one; else it is refused.
    to_adapter: what is done with each tensor that a module saves.
    filters_written: whether the filter of a save sees the names that `to_adapter` gives, or the module's.

    How far a module and a source may differ:

    allow_partial: whether the module may have parameters that the source lacks.
    validate: whether a tensor that does not fit is an error, or its parameter stays as it is.

    What is written:

    metadata: (key, text) pairs.
    scalars: (name, value) pairs, as in `burnpack.Writer`.
    digest: whether the content's digest is written into the metadata; one that a source has is renewed.
    param_ids: whether tensors of a .bpk that have no identity get a new one.
    alias_tied: whether a parameter of several names is written under the first alone.
    shard_size: bytes of tensors in each of several files; None: one file.
    overwrite: whether the target may exist.
    shape: of each input of the module, its batch first, for which a program is written; (): the class's.
    program: whether one is written of a source that says itself what it computes.
    state: of inputs of the program that each run leaves to the next, pairs of an input's name or number, and
        the number of the output that it becomes.
    """

    top_level_key: str | None = None
    fold: bool = True
    filter: "Filter | None" = None
    prefixes: tuple[str, ...] = ()
    remapper: "KeyRemapper | None" = None
    contiguous: bool | None = None
    kept_numbers: "PathFilter | None" = None
    skip_enum_variants: bool | None = None
    from_layout: str | None = None
    to_layout: str | None = None
    adapter: "Adapter | None" = None
    to_adapter: "Adapter | None" = None
    filters_written: bool = False
    half: bool = False
    cast: str | None = None
    saturate: bool = False
    allow_partial: bool = False
    validate: bool = True
    metadata: Pairs = ()
    scalars: tuple[tuple[str, Any], ...] = ()
    digest: bool = False
    param_ids: bool = False
    alias_tied: bool = False
    shard_size: int | None = None
    overwrite: bool = False
    shape: Shapes = ()
    program: bool = True
    state: Ties = ()

    @classmethod
    def asked(
        cls,
        *,
        strip_prefix: "bool | str | Sequence[str] | None" = None,
        rename: "Mapping[str, str] | Iterable[tuple[str, str]] | None" = None,
        filter: "Filter | str | Iterable[str] | None" = None,
        exact: "str | Iterable[str] | None" = None,
        metadata: "Mapping[str, str] | Iterable[tuple[str, str]] | None" = None,
        shape: "Sequence[int] | Sequence[Sequence[int]] | None" = None,
        state: "Mapping[str | int, int] | Iterable[tuple[str | int, int]] | None" = None,
        **same: Any,
    ) -> "Options":
        """Return the options that a person asks for, in plain values.

        strip_prefix: True for the prefixes of the usual wrappers, or one or several prefixes to take off.
        rename: pairs of a regular expression and a replacement, or a dict of them.
        filter: a `PathFilter`, or regular expressions, one of which a name must match.
        exact: full names to take, besides what the filter lets pass.
        shape: that of the module's input, or a list of several.
        state: {an input's name or number: number of the output that it becomes}, or pairs of these.
        same: the other options, by their own names. None stands for nothing in all of them.

        Raises `Malformed` for a wrong expression, `Unsupported` for a layout or dtype that there is not,
        `TypeError` for an unknown option and a value of another type.
        """
        from burnstore.naming.remap import KeyRemapper

        prefixes = ("",) if strip_prefix is True else _several(strip_prefix or ())
        pairs = _pairs("rename", rename)
        _check_values(same)
        return cls(
            prefixes=prefixes,
            remapper=KeyRemapper(pairs) if pairs else None,
            filter=_filter(filter or (), _several(exact or ())),
            metadata=tuple(dict(_pairs("metadata", metadata)).items()),
            shape=shapes_of(shape),
            state=_ties(state),
            **same,
        )


def shapes_of(given: Any) -> Shapes:
    """Return the shapes of inputs that are given as one or as several. Raises `TypeError` for others."""
    parts = () if given is None else given
    if isinstance(parts, tuple | list) and parts and not isinstance(parts[0], tuple | list):
        parts = (parts,)
    if not isinstance(parts, tuple | list) or not all(map(_is_shape, parts)):
        raise TypeError(f"shape takes the extents of an input, or a list of such for several, not {given!r}")
    return tuple(map(tuple, parts))


def _is_shape(given: Any) -> bool:
    is_row = isinstance(given, tuple | list) and len(given) > 0
    return is_row and all(type(extent) is int and extent > 0 for extent in given)


def _pairs(option: str, given: Any) -> Pairs:
    """Return what was given as a mapping or as pairs, as pairs."""
    pairs = tuple(given.items() if hasattr(given, "items") else given or ())
    two = (isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs)
    if not all(two) or not all(isinstance(text, str) for pair in pairs for text in pair):
        raise TypeError(f"{option} takes pairs of texts, or a dict of them, not {given!r}")
    return tuple((left, right) for left, right in pairs)


def _ties(given: Any) -> Ties:
    """Return what was given as a mapping or as pairs, as pairs."""
    pairs = tuple(given.items() if hasattr(given, "items") else given or ())
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not _are_ends(*pair):
            raise TypeError(f"state takes inputs, and numbers of the outputs that they become, not {given!r}")
    return tuple((end, made) for end, made in pairs)


def _are_ends(given: Any, made: Any) -> bool:
    return type(made) is int and made >= 0 and (isinstance(given, str) or (type(given) is int and given >= 0))


def _check_values(given: "dict[str, Any]") -> None:
    """Refuse values that would do nothing, or fail late; a dtype is changed to what it is called here."""
    for option in ("from_layout", "to_layout"):
        if given.get(option) not in (None, *LAYOUTS):
            raise Unsupported(f"no such {option}", expected=" or ".join(LAYOUTS), found=str(given[option]))
    if isinstance(given.get("cast"), str):
        given["cast"] = given["cast"].upper()
    if not isinstance(size := given.get("shard_size"), int | None) or isinstance(size, bool):
        raise TypeError(f"shard_size is a number of bytes, not {size!r}")
    if size is not None and size < 1:
        raise Unsupported("shard_size is a number of bytes, 1 or more", found=str(size))
    if given.get("saturate") and not given.get("half") and given.get("cast") is None:
        raise Unsupported("saturate says how half or cast rounds, and neither is given")


def _several(given: "str | Iterable[str]") -> "tuple[str, ...]":
    return (given,) if isinstance(given, str) else tuple(given)


def _filter(given: Any, paths: "tuple[str, ...]") -> "Filter | None":
    from burnstore.naming.filters import PathFilter

    if not isinstance(given, str) and hasattr(given, "matches"):
        return PathFilter().with_full_paths(paths).with_filter(given) if paths else given
    patterns = _several(given)
    return PathFilter().with_regexes(patterns).with_full_paths(paths) if patterns or paths else None
