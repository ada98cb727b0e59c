"""What operations make that move numbers: views, parts, joins."""

from math import prod
from typing import Any

from burnstore.exported.graph import Spec
from burnstore.exported.script.shapes import Call, Shape, broadcast, rule, wider


def resolved(shape: Shape, sizes: Any) -> Shape:
    """Return a shape, one extent of which may be -1: what is left."""
    count = prod(shape)
    known = prod([size for size in sizes if size != -1])
    found = tuple([count // known if size == -1 and known else size for size in sizes])
    if prod(found) != count:
        raise ValueError(f"{shape} is not of the shape {tuple(sizes)}")
    return found


def _one(call: Call, shape: Any) -> list[Spec]:
    return [Spec(call.first.dtype, tuple(shape))]


@rule("view reshape _unsafe_view")
def _reshape(call: Call) -> list[Spec]:
    return _one(call, resolved(call.first.shape, call["size"] if "size" in call.arguments else call["shape"]))


@rule("view_as reshape_as expand_as")
def _as_other(call: Call) -> list[Spec]:
    return _one(call, call.shape(call["other"]))


@rule("flatten")
def _flatten(call: Call) -> list[Spec]:
    shape = call.first.shape or (1,)
    start, end = (call.place(call.get(*one), len(shape)) for one in (("start_dim", 0), ("end_dim", -1)))
    return _one(call, (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :]))


@rule("unflatten")
def _unflatten(call: Call) -> list[Spec]:
    shape = call.first.shape
    dim = call.place(call["dim"], len(shape))
    return _one(call, (*shape[:dim], *resolved((shape[dim],), call["sizes"]), *shape[dim + 1 :]))


@rule("squeeze")
def _squeeze(call: Call) -> list[Spec]:
    shape = call.first.shape
    dims = call.places(call["dim"], len(shape))
    return _one(call, [extent for dim, extent in enumerate(shape) if extent != 1 or dim not in dims])


@rule("unsqueeze")
def _unsqueeze(call: Call) -> list[Spec]:
    shape = call.first.shape
    dim = call.place(call["dim"], len(shape) + 1)
    return _one(call, (*shape[:dim], 1, *shape[dim:]))


@rule("transpose swapaxes swapdims")
def _transpose(call: Call) -> list[Spec]:
    shape = list(call.first.shape)
    first, second = (call.place(dim, len(shape)) for dim in list(call.arguments.values())[1:3])
    shape[first], shape[second] = shape[second], shape[first]
    return _one(call, shape)


@rule("permute")
def _permute(call: Call) -> list[Spec]:
    shape = call.first.shape
    dims = call.places(call["dims"], len(shape))
    if sorted(dims) != list(range(len(shape))):
        raise ValueError("dimensions that are no permutation")
    return _one(call, [shape[dim] for dim in dims])


@rule("t numpy_T mT")
def _turned(call: Call) -> list[Spec]:
    shape = call.first.shape
    return _one(call, (*shape[:-2], *shape[-2:][::-1]))


@rule("movedim moveaxis")
def _moved(call: Call) -> list[Spec]:
    shape = call.first.shape
    sources, targets = (call.places(call[name], len(shape)) for name in ("source", "destination"))
    order = [dim for dim in range(len(shape)) if dim not in sources]
    for target, source in sorted(zip(targets, sources, strict=True)):
        order.insert(target, source)
    return _one(call, [shape[dim] for dim in order])


@rule("expand broadcast_to")
def _expand(call: Call) -> list[Spec]:
    shape, sizes = call.first.shape, call["size"]
    added = len(sizes) - len(shape)
    wide = [shape[at - added] if size == -1 else size for at, size in enumerate(sizes)]
    return _one(call, broadcast(shape, tuple(wide)))


@rule("repeat tile")
def _repeat(call: Call) -> list[Spec]:
    times = call["repeats"] if "repeats" in call.arguments else call["dims"]
    shape = (1,) * (len(times) - len(call.first.shape)) + call.first.shape
    times = (1,) * (len(shape) - len(times)) + tuple(times)
    return _one(call, [extent * count for extent, count in zip(shape, times, strict=True)])


@rule("select")
def _select(call: Call) -> list[Spec]:
    shape = call.first.shape
    dim = call.place(call["dim"], len(shape))
    if not -shape[dim] <= call["index"] < shape[dim]:
        raise ValueError("an index that the value has not")
    return _one(call, shape[:dim] + shape[dim + 1 :])


@rule("slice narrow")
def _slice(call: Call) -> list[Spec]:
    shape = list(call.first.shape)
    dim = call.place(call.get("dim", 0), len(shape))
    start = call.get("start", 0)
    end = start + call["length"] if "length" in call.arguments else call["end"]
    shape[dim] = len(range(*slice(start, end, call.get("step", 1)).indices(shape[dim])))
    return _one(call, shape)


@rule("index_select")
def _index_select(call: Call) -> list[Spec]:
    shape = list(call.first.shape)
    shape[call.place(call["dim"], len(shape))] = prod(call.shape(call["index"]))
    return _one(call, shape)


@rule("cat concat concatenate")
def _cat(call: Call) -> list[Spec]:
    specs = [call.spec(value) for value in call["tensors"]]
    shape = list(specs[0].shape)
    dim = call.place(call.get("dim", 0), len(shape))
    shape[dim] = sum(spec.shape[dim] for spec in specs)
    if any(len(spec.shape) != len(shape) for spec in specs):
        raise ValueError("values of other ranks")
    return [Spec(wider(*specs), tuple(shape))]


@rule("stack")
def _stack(call: Call) -> list[Spec]:
    specs = [call.spec(value) for value in call["tensors"]]
    shape = specs[0].shape
    dim = call.place(call.get("dim", 0), len(shape) + 1)
    return [Spec(wider(*specs), (*shape[:dim], len(specs), *shape[dim:]))]


def _parts(call: Call, dim: int, sizes: list[int]) -> list[Spec]:
    shape = call.first.shape
    return [Spec(call.first.dtype, (*shape[:dim], size, *shape[dim + 1 :])) for size in sizes]


def _pieces(whole: int, size: int) -> list[int]:
    if size < 1:
        raise ValueError("parts without an extent")
    return [min(size, whole - at) for at in range(0, whole, size)]


@rule("split split_with_sizes unsafe_split")
def _split(call: Call) -> list[Spec]:
    dim = call.place(call.get("dim", 0), len(call.first.shape))
    sizes = call["split_sizes"] if "split_sizes" in call.arguments else call["split_size"]
    whole = call.first.shape[dim]
    return _parts(call, dim, _pieces(whole, sizes) if type(sizes) is int else list(sizes))


@rule("chunk unsafe_chunk")
def _chunk(call: Call) -> list[Spec]:
    dim = call.place(call.get("dim", 0), len(call.first.shape))
    whole = call.first.shape[dim]
    return _parts(call, dim, _pieces(whole, -(-whole // call["chunks"])))


@rule("glu")
def _halved(call: Call) -> list[Spec]:
    dim = call.place(call.get("dim", -1), len(call.first.shape))
    return _parts(call, dim, [call.first.shape[dim] // 2])


@rule("unbind")
def _unbind(call: Call) -> list[Spec]:
    shape = call.first.shape
    dim = call.place(call.get("dim", 0), len(shape))
    return [Spec(call.first.dtype, shape[:dim] + shape[dim + 1 :])] * shape[dim]


@rule("pad constant_pad_nd")
def _pad(call: Call) -> list[Spec]:
    shape = list(call.first.shape)
    pads = call["pad"]
    for number in range(len(pads) // 2):
        shape[-1 - number] += pads[2 * number] + pads[2 * number + 1]
    return _one(call, shape)


@rule("pixel_shuffle pixel_unshuffle")
def _shuffle(call: Call) -> list[Spec]:
    *outer, channels, height, width = call.first.shape
    if "upscale_factor" in call.arguments:
        by = call["upscale_factor"]
        return _one(call, (*outer, channels // by**2, height * by, width * by))
    by = call["downscale_factor"]
    return _one(call, (*outer, channels * by**2, height // by, width // by))
