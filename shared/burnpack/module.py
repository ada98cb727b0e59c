"""Modules and their parameters: what a model is, seen from its store."""

from burnpack.dtype import nbytes
from burnpack.errors import BurnpackError, LimitExceeded, LoadFailed, SaveFailed, Unsupported

if False:  # for type checkers
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from burnpack.result import ApplyResult
    from burnpack.tensor import Tensor
    from burnpack.types import AnyAdapter, Buffer, Dtype, Filter, ModuleStore, Shape, TensorSource


DEPTH_MOST = 64
_NO_STORE = "a store is needed, as in BurnpackStore.from_file(path)"


class Param:
    """A parameter: a place of fixed shape and kind of dtype that a store fills.

    shape: tuple of extents.
    dtype: as in `burnpack.dtype`, or a `QFloat`; the dtype of the data once there is any.
    data: a buffer of little-endian, row-major bytes, or None until loaded. It is a view of the container it
        came from: nothing is copied, and the container stays alive through it.
    param_id: Burn's unsigned 64-bit identity, or None.
    """

    shape: "Shape"
    dtype: "Dtype"
    data: "Buffer | None"
    param_id: int | None

    def __init__(
        self,
        shape: "Iterable[int]",
        dtype: "Dtype" = "F32",
        data: "Buffer | None" = None,
        param_id: int | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype
        self.data = data
        self.param_id = param_id

    def __repr__(self) -> str:
        return "Param(%r, %s%s)" % (self.shape, self.dtype, "" if self.data is not None else ", no data")

    def nbytes(self) -> int:
        """Return the bytes that the parameter takes in its present dtype."""
        return nbytes(self.dtype, self.shape)  # type: ignore[return-value] # of a dtype that is known


class Module:
    """A part of a model.

    Its children are those of its attributes that are a `Param`, a `Module`, or a list or tuple of these;
    nothing has to be registered. Names that begin with an underscore are private. A dict or set with a part
    in it raises `Unsupported` when the model is walked.
    """

    forward: "Callable[..., Any]"  # of each model

    def children(self) -> "list[tuple[str, Any]]":
        """Return the attributes that a walk visits, as (name, value) pairs."""
        return [pair for pair in self.__dict__.items() if not pair[0].startswith("_") and holds(pair[1])]

    def container(self) -> str:
        """Return this module's entry in a container path, as in "Struct:Linear".

        What only holds other modules, or wraps a parameter, returns an entry without "Struct:", as
        "Vec" is one: adapters then go by the module around it.
        """
        return "Struct:" + type(self).__name__

    def collect(
        self,
        filter: "Filter | None" = None,
        adapter: "AnyAdapter | None" = None,
        skip_enum_variants: bool = False,
    ) -> "list[Tensor]":
        """Return the parameters as a list of `Tensor`s. Their bytes are views of the parameters' data.

        filter: any object with `matches(path, containers)`, such as a `PathFilter`; None: all parameters.
        adapter: an adapter, as in `burnpack.adapters`, or None.
        skip_enum_variants: whether names lack the variants of enums, as PyTorch's do.

        Raises `InvalidTensor` for a parameter without data.
        """
        from burnpack.collect import collect  # a board that only loads does not pay for it

        return collect(self, filter, adapter, skip_enum_variants)

    def apply(
        self,
        tensors: "Iterable[Tensor] | TensorSource",
        filter: "Filter | None" = None,
        adapter: "AnyAdapter | None" = None,
        skip_enum_variants: bool = False,
    ) -> "ApplyResult":
        """Take what fits from tensors; return the `ApplyResult`.

        tensors: a list of `Tensor`s, or an opened container.
        filter: any object with `matches(path, containers)`, such as a `PathFilter`; None: all parameters.
        adapter: an adapter, as in `burnpack.adapters`, or None.
        skip_enum_variants: whether names lack the variants of enums, as PyTorch's do.

        What does not fit is said in the result, and raises nothing: such parameters stay as they are.
        """
        from burnpack.apply import commit, fetch, match

        source: "TensorSource" = tensors  # type: ignore[assignment]
        if not hasattr(tensors, "tensor"):
            from burnpack.listing import Listing  # a board that loads from a container does not pay for it

            source = Listing(tensors)
        result, matches = match(self, source, filter, adapter, skip_enum_variants)
        commit(fetch(matches, result))
        return result

    def load_from(self, store: "ModuleStore") -> "ApplyResult":
        """Load the parameters from a store; return the `ApplyResult`.

        Raises `LoadFailed` where they do not fit or are missing, unless the store allows it; the
        module is then as it was.
        """
        if not hasattr(store, "apply_to"):
            raise LoadFailed(_NO_STORE, found=repr(store))
        return store.apply_to(self)

    def save_into(self, store: "ModuleStore") -> None:
        """Save the parameters into a store.

        Raises `SaveFailed` where nothing could be written, and what the parameters' data raises.
        """
        if not hasattr(store, "collect_from"):
            raise SaveFailed(_NO_STORE, found=repr(store))
        return store.collect_from(self)

    def __call__(self, *inputs: "Any", **named: "Any") -> "Any":
        return self.forward(*inputs, **named)


class Enum(Module):
    """A choice: exactly one variant of several that there might be, as in `Activation(Prelu=nn.PRelu(2))`.

    The variant's name is part of the path, as in "activation.Prelu.alpha". A subclass may also make its
    variant as any attribute is made.

    variant: the one, by its name.
    """

    def __init__(self, **variant: "Any") -> None:
        for name, value in variant.items():
            setattr(self, name, value)

    def variant(self) -> "tuple[str, Any]":
        """Return the variant as (name, value). Raises `BurnpackError` where there is not exactly one."""
        found = super().children()
        if len(found) != 1:
            names = ", ".join(sorted([name for name, _ in found])) or "none"
            raise BurnpackError("not exactly one variant", type(self).__name__, None, None, 1, names)
        return found[0]

    def children(self) -> "list[tuple[str, Any]]":
        """Return the variant, the only child."""
        return [self.variant()]

    def container(self) -> str:
        """Return this enum's entry in a container path, as in "Enum:Activation"."""
        return "Enum:" + type(self).__name__

    def forward(self, *inputs: "Any", **named: "Any") -> "Any":
        """Return what the variant makes of the inputs.

        inputs, named: passed on.
        """
        return self.variant()[1](*inputs, **named)


def holds(value: object) -> bool:
    """Return whether `value` is a part of a model, or a list, tuple, dict or set with one somewhere in it."""
    pending = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        if isinstance(item, (Param, Module)) or depth > DEPTH_MOST:
            return True  # what is nested too deeply is for the walk to refuse
        if isinstance(item, dict):
            item = item.values()
        elif not isinstance(item, (list, tuple, set, frozenset)):
            continue
        pending.extend([(inner, depth + 1) for inner in item])
    return False


def walk(module: "Module") -> "Iterator[tuple[str, tuple[str, ...], Param]]":
    """Yield (path, containers, param) for each parameter below `module`, depth first.

    path: str, attribute names and list indices joined with dots.
    containers: tuple of what each step leads through, outermost first: "Struct:<class>" for a module,
        "Enum:<class>" for a choice, "Vec" for a list, "Tuple" for a tuple.

    A parameter that is reached under two names is yielded under both. Raises `Unsupported` for a dict or set
    with parts in it, `LimitExceeded` for a module that contains itself.
    """
    pending: "list[tuple[str, tuple[str, ...], Any]]" = [("", (), module)]
    while pending:
        path, containers, value = pending.pop()
        if isinstance(value, Param):
            yield path, containers, value
            continue
        if len(containers) > DEPTH_MOST:
            raise LimitExceeded(
                "modules nested too deeply; does one contain itself?", path, None, None, DEPTH_MOST
            )
        entry, children = _open(value, path)
        for name, child in reversed(children):
            if holds(child):
                pending.append((path + "." + name if path else name, containers + (entry,), child))


def _open(value: "Any", path: str) -> "tuple[str, list[tuple[str, Any]]]":
    if isinstance(value, Module):
        return value.container(), list(value.children())
    if not isinstance(value, (list, tuple)):
        raise Unsupported("only lists and tuples hold parts", path, found=type(value).__name__)
    pairs = [(str(index), item) for index, item in enumerate(value)]
    return "Tuple" if isinstance(value, tuple) else "Vec", pairs
