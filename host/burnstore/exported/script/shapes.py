"""What operations make: dtypes and shapes. TorchScript says them of inputs at most."""

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from burnpack.errors import Unsupported
from burnstore.exported.graph import Ref, Spec

Arguments = Mapping[str, Any]
Specs = Mapping[str, Spec]
Shape = tuple[int, ...]
Rule = Callable[["Call"], "list[Spec]"]

RULES: dict[str, Rule] = {}  # by the name of the operation, without its overload
COUNT_MOST = 1 << 48  # elements of a value


class Call:
    """An operation that is asked what it makes.

    Its arguments are items, as in call["dim"], None where they are not given.
    """

    def __init__(self, arguments: Arguments, specs: Specs) -> None:
        self.arguments = arguments
        self._specs = specs

    def __getitem__(self, name: str) -> Any:
        return self.arguments.get(name)

    def get(self, name: str, default: Any) -> Any:
        """Return an argument, or what it is where it is not given."""
        found = self.arguments.get(name)
        return default if found is None else found

    def spec(self, value: Any) -> Spec:
        """Return what a value is; a number is one without dimensions."""
        return self._specs[value.name] if isinstance(value, Ref) else Spec("F32", ())

    def shape(self, value: Any) -> Shape:
        """Return a value's shape."""
        return self.spec(value).shape

    @property
    def first(self) -> Spec:
        """What the first argument is."""
        return self.spec(next(iter(self.arguments.values())))

    def places(self, dims: Any, rank: int) -> list[int]:
        """Return dimensions, counted from the front; all of them where none are given."""
        if dims is None or dims == ():
            return list(range(rank))
        found = [dims] if type(dims) is int else list(dims)
        if not all(-rank <= dim < max(rank, 1) for dim in found):
            raise ValueError("a dimension that the value has not")
        return [dim % rank if rank else 0 for dim in found]

    def place(self, dim: int, rank: int) -> int:
        """Return one dimension, counted from the front."""
        return self.places(dim, rank)[0]


def rule(names: str) -> Callable[[Rule], Rule]:
    """Let a function say what operations make, which are given by their names."""

    def add(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names.split(), function))
        return function

    return add


def made(name: str, arguments: Arguments, specs: Specs, where: str) -> list[Spec]:
    """Return what an operation makes. name: without overload, and without the mark of those in place."""
    found = RULES.get(name)
    if found is None:
        raise Unsupported("TorchScript's operation is not known here", where, found=f"aten.{name}")
    try:
        answers = found(Call(arguments, specs))
        for spec in answers:
            if any(extent < 0 for extent in spec.shape) or prod(spec.shape) > COUNT_MOST:
                raise ValueError(f"a shape that no value has: {spec.shape}")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Unsupported(f"aten.{name} has arguments that do not fit: {error}", where) from None
    return answers


def broadcast(*shapes: Shape) -> Shape:
    """Return the shape that operations element by element make."""
    rank = max(map(len, shapes))
    found = []
    for extents in zip(*[(1,) * (rank - len(shape)) + shape for shape in shapes], strict=True):
        wide = {extent for extent in extents if extent != 1}
        if len(wide) > 1:
            raise ValueError(f"shapes that do not fit: {shapes}")
        found.append(wide.pop() if wide else 1)
    return tuple(found)


def wider(*specs: Spec) -> str:
    """Return the dtype of what is computed of several values: the widest of those that have dimensions."""
    order = ("Bool", "U8", "I8", "I16", "I32", "I64", "BF16", "F16", "F32", "F64")
    found = [spec.dtype for spec in specs if spec.shape] or [spec.dtype for spec in specs]
    return max(found, key=lambda dtype: order.index(dtype) if dtype in order else len(order))


@rule(
    """abs acos alias alpha_dropout asin atan batch_norm ceil celu channel_shuffle clamp clamp_max clamp_min
    clip clone contiguous copy cos cosh cumprod cumsum detach dropout elu empty_like erf exp exp2 expm1
    feature_dropout fill flip floor frac full_like gelu group_norm hardshrink hardsigmoid hardswish hardtanh
    instance_norm layer_norm leaky_relu lift_fresh local_response_norm log log10 log1p log2 log_sigmoid
    log_softmax _log_softmax logit masked_fill mish nan_to_num native_channel_shuffle native_dropout neg
    normalize ones_like positive prelu _prelu_kernel reciprocal relu relu6 rms_norm roll round rrelu rsqrt
    selu sigmoid sign silu sin sinh softmax _softmax softmin softplus softshrink softsign sqrt square tan tanh
    tanhshrink threshold tril triu trunc zero zeros_like"""
)
def _same(call: Call) -> list[Spec]:
    return [Spec(call.get("dtype", call.first.dtype), call.first.shape)]


@rule(
    """add addcdiv addcmul atan2 div divide floor_divide fmod maximum minimum mul multiply pow remainder rsub
    sub subtract true_divide"""
)
def _elementwise(call: Call) -> list[Spec]:
    specs = [call.spec(value) for value in call.arguments.values() if isinstance(value, Ref)]
    dtype = wider(*specs)
    numbers = [value for value in call.arguments.values() if type(value) is float]
    if numbers and not dtype.startswith(("F", "B")):
        dtype = "F32"
    return [Spec(dtype, broadcast(*[spec.shape for spec in specs]))]


@rule(
    """bitwise_and bitwise_not bitwise_or eq ge gt isinf isnan le logical_and logical_not logical_or
    logical_xor lt ne"""
)
def _compared(call: Call) -> list[Spec]:
    shapes = [call.shape(value) for value in call.arguments.values() if isinstance(value, Ref)]
    return [Spec("Bool", broadcast(*shapes))]


@rule("where")
def _where(call: Call) -> list[Spec]:
    sides = [call.spec(call["self"]), call.spec(call["other"])]
    dtype = wider(
        *[
            side
            for side, value in zip(sides, (call["self"], call["other"]), strict=True)
            if isinstance(value, Ref)
        ]
    )
    return [Spec(dtype, broadcast(call.shape(call["condition"]), *[side.shape for side in sides]))]


@rule("to type_as _to_copy")
def _to(call: Call) -> list[Spec]:
    other = call.spec(call["other"]).dtype if call["other"] is not None else call.first.dtype
    return [Spec(call.get("dtype", other), call.first.shape)]


def _without(shape: Shape, dims: list[int], keep: bool) -> Shape:
    if keep:
        return tuple([1 if dim in dims else extent for dim, extent in enumerate(shape)])
    return tuple([extent for dim, extent in enumerate(shape) if dim not in dims])


@rule("mean sum amax amin prod var std logsumexp norm any all linalg_vector_norm nansum")
def _reduced(call: Call) -> list[Spec]:
    shape = call.first.shape
    return [
        Spec(
            call.get("dtype", call.first.dtype),
            _without(shape, call.places(call["dim"], len(shape)), call["keepdim"]),
        )
    ]


@rule("argmax argmin")
def _place(call: Call) -> list[Spec]:
    return [Spec("I64", _reduced(call)[0].shape)]


@rule("max min")
def _largest(call: Call) -> list[Spec]:
    if call["other"] is not None:
        return _elementwise(call)
    values = _reduced(call)[0]
    return [values] if call["dim"] is None else [values, Spec("I64", values.shape)]


@rule("zeros ones full empty new_zeros new_ones new_full")
def _created(call: Call) -> list[Spec]:
    fill = call["fill_value"]
    if isinstance(call["self"], Ref):
        return [Spec(call.get("dtype", call.first.dtype), tuple(call["size"]))]
    usual = "Bool" if type(fill) is bool else "I64" if type(fill) is int else "F32"
    return [Spec(call.get("dtype", usual), tuple(call["size"]))]


@rule("arange")
def _counted(call: Call) -> list[Spec]:
    start, step = call.get("start", 0), call.get("step", 1)
    usual = "I64" if all(type(each) is int for each in (start, call["end"], step)) else "F32"
    return [Spec(call.get("dtype", usual), (max(0, -int((start - call["end"]) // step)),))]
