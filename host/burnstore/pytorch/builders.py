"""What stands for calling a class or a function of the standard library, and for setting a state."""

from collections.abc import Callable

from burnpack.errors import Malformed
from burnstore.pytorch.numpy_values import Array, NumpyDtype
from burnstore.pytorch.objects import Builder, Dict, Global, Opaque, Refused, Set
from burnstore.pytorch.rebuild import TensorView

_BYTES_PER_OBJECT = 64
COPIES = (Dict, Set, list, str)  # what a call makes by copying, see `weight`


def construct(origin: object, arguments: object) -> object:
    """Return what stands for `origin(*arguments)`."""
    if type(origin) is not Global:
        raise Malformed("calls what is no class or function", "the pickle", found=type(origin).__name__)
    if type(arguments) is not tuple:
        raise Malformed("arguments of a call are no tuple", "the pickle", found=type(arguments).__name__)
    return Opaque(origin, arguments) if origin.build is None else origin.build(arguments)


def set_state(target: object, state: object) -> None:
    """Do what stands for setting an object's state."""
    if type(target) in (Opaque, Dict):
        target.state = state  # type: ignore[attr-defined]
    elif type(target) in (NumpyDtype, Array):
        target.set_state(state)  # type: ignore[attr-defined]
    elif type(target) not in (TensorView, Refused, Set):  # attributes of a subclass, which are not read
        raise Malformed("sets the state of what has none", "the pickle", found=type(target).__name__)


def weight(made: object) -> int:
    """Return how many objects a call has copied: a pickle can ask for the same copy again and again."""
    if type(made) is Dict:
        return len(made.pairs)
    if type(made) is Set:
        return len(made.items)
    return len(made) // _BYTES_PER_OBJECT if type(made) in COPIES else 0  # type: ignore[arg-type]


def make_dict(arguments: tuple[object, ...]) -> Dict:
    """dict(), OrderedDict(), Counter(): empty, or of another dict, or of pairs."""
    made = Dict()
    source = arguments[0] if arguments else ()
    if type(source) is Dict:
        made.pairs.extend(source.pairs)
    elif type(source) in (list, tuple):
        made.pairs.extend([_pair(item) for item in source])  # type: ignore[attr-defined]
    else:
        raise Malformed("a dict is made of no pairs", "the pickle", found=type(source).__name__)
    return made


def make_default_dict(arguments: tuple[object, ...]) -> Dict:
    """defaultdict(factory, ...): the factory is of no use here."""
    return make_dict(arguments[1:])


def _pair(item: object) -> tuple[object, object]:
    if type(item) not in (list, tuple) or len(item) != 2:  # type: ignore[arg-type]
        raise Malformed("a dict is made of no pairs", "the pickle", found=type(item).__name__)
    return item[0], item[1]  # type: ignore[index]


def make_set(arguments: tuple[object, ...]) -> Set:
    """set(items), frozenset(items)."""
    source = arguments[0] if arguments else []
    if type(source) is Set:
        return Set(list(source.items))
    if type(source) not in (list, tuple):
        raise Malformed("a set is made of no list", "the pickle", found=type(source).__name__)
    return Set(list(source))  # type: ignore[call-overload]


def make_list(arguments: tuple[object, ...]) -> list[object]:
    """list(items)."""
    return make_set(arguments).items


def make_bytes(arguments: tuple[object, ...]) -> bytes:
    """bytes() and bytearray(), of bytes or of a text, and codecs.encode, as protocols below 3 write bytes."""
    source = arguments[0] if arguments else b""
    if type(source) is bytes:
        return source
    if type(source) is not str or arguments[1:] not in (("latin1",), ("latin-1",)):
        raise Malformed("bytes are made of no text in latin-1", "the pickle", found=type(source).__name__)
    try:
        return source.encode("latin-1")
    except UnicodeEncodeError:
        raise Malformed("bytes are made of a text that is not latin-1", "the pickle") from None


class Bytes:
    """bytes(), bytearray() and codecs.encode in one pickle. Of each text the bytes are made once.

    count: is called for what is asked for again: a pickle can repeat a long text at no cost.
    """

    def __init__(self, count: Callable[[], object]) -> None:
        self._count = count
        self._known: dict[int, tuple[object, bytes]] = {}

    def make(self, arguments: tuple[object, ...]) -> bytes:
        """Return what stands for such a call."""
        source = arguments[0] if arguments else None
        if type(source) is not str:
            return make_bytes(arguments)
        known = self._known.get(id(source))
        if known is None:
            known = self._known[id(source)] = source, make_bytes(arguments)
        else:
            for _ in range(len(source) // _BYTES_PER_OBJECT):
                self._count()
        return known[1]

    def names(self) -> dict[tuple[str, str], Builder]:
        """Return the names that mean this."""
        return dict.fromkeys(_BYTES, self.make)


_BYTES = [
    ("_codecs", "encode"),
    *[(module, name) for module in ("builtins", "__builtin__") for name in ("bytes", "bytearray")],
]


def make_complex(arguments: tuple[object, ...]) -> complex:
    """complex(real, imaginary)."""
    if len(arguments) != 2 or any(type(part) is not float for part in arguments):
        raise Malformed("a complex number is made of no two floats", "the pickle")
    real, imaginary = arguments
    return complex(real, imaginary)  # type: ignore[call-overload,no-any-return]


def make_nested(arguments: tuple[object, ...]) -> object:
    """getattr(class, name), as protocols below 4 name a class in a class; of unknown classes only."""
    if len(arguments) == 2:
        outer, name = arguments
        is_name = type(name) is str and name.isidentifier() and not name.startswith("_")
        if isinstance(outer, Global) and outer.build is None and is_name:
            return Global(outer.module, f"{outer.name}.{name}", None)
    return Opaque(Global("builtins", "getattr", None), arguments)


def make_new(arguments: tuple[object, ...]) -> object:
    """copyreg.__newobj__(class, ...)."""
    if not arguments:
        raise Malformed("an object is made of no class", "the pickle")
    return _construct_plain(arguments[0], arguments[1:])


def make_reconstructed(arguments: tuple[object, ...]) -> object:
    """copyreg._reconstructor(class, base, value), with which protocols 0 and 1 make objects."""
    if len(arguments) != 3:
        raise Malformed("an object is made of no class, base and value", "the pickle")
    made = _construct_plain(arguments[0], ())
    value = arguments[2]
    if type(made) is Opaque and type(value) is Dict:
        made.pairs = value.pairs
    elif type(made) is Opaque and type(value) is list:
        made.items = value
    elif type(made) is Dict and type(value) is Dict:
        made.pairs = value.pairs
    return made


def _construct_plain(origin: object, arguments: tuple[object, ...]) -> object:
    # Calls through calls could be nested without end, at a cost for each level.
    if type(origin) is Global and origin.build in (make_new, make_reconstructed):
        raise Malformed("calls a function that calls", "the pickle", found=origin.path)
    return construct(origin, arguments)
