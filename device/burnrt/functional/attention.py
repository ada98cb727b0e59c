"""Attention of values that are projected already."""

from math import sqrt

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnrt import kernels
from burnrt.functional.operands import operands
from burnrt.functional.padding import pad
from burnrt.nn.layer import Layer
from burnrt.nn.working import working

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls, Steps
    from burnrt.value import Value


_NOTHING = float("-inf")


def scaled_dot_product_attention(
    query: "Value",
    key: "Any",
    value: "Any",
    attn_mask: "Any" = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> "Value":
    """Return softmax(scale · query · keyᵀ + attn_mask) · value.

    query: [..., queries, size]. key: [..., keys, size]. value: [..., keys, numbers]. Both may have
        extents of 1 where all share theirs.
    attn_mask: numbers that are added, to fit [..., queries, keys] as in a sum; of truths `where(mask, 0.0,
        -inf)`. What may look at nothing answers zeros.
    is_causal: whether query number n only looks at keys up to number n.
    scale: None for 1 / √size.
    enable_gqa: whether several heads of the query, in its last dimension but two, share one of the key.

    Raises `InvalidTensor` where shapes do not fit.
    """
    if dropout_p:
        raise Unsupported("drops nothing: dropout_p only matters in training", _NAME, found=repr(dropout_p))
    if is_causal and attn_mask is not None:
        raise InvalidTensor("takes attn_mask or is_causal", _NAME)
    masks = () if attn_mask is None else (attn_mask,)
    asked, keyed, valued, *others = operands(query, key, value, *masks)
    size, wanted = [(each.shape or (0,))[-1] for each in (asked, valued)]
    if size != wanted and size == (keyed.shape or (0,))[-1]:  # zeros make them of one size
        scale = 1 / sqrt(max(size, 1)) if scale is None else scale
        most = max(size, wanted)
        asked, keyed, valued = [pad(each, (0, most - each.shape[-1])) for each in (asked, keyed, valued)]
    found = asked.through(Attention(bool(is_causal), scale, bool(enable_gqa)), keyed, valued, *others)
    return found if found.shape[-1] == wanted else found[..., :wanted]


_NAME = "scaled_dot_product_attention"


class Attention(Layer):
    """What `scaled_dot_product_attention` computes. Its inputs are query, key, value and a mask, or three."""

    def __init__(self, is_causal: bool, scale: float | None, enable_gqa: bool) -> None:
        if scale is not None and not (isinstance(scale, (int, float)) and abs(scale) < -_NOTHING):
            self.refuse_argument("scale", scale, "is a number")
        self.is_causal, self.scale, self.enable_gqa = is_causal, scale, enable_gqa

    def output_shape(self, query: "Shape", key: "Shape", value: "Shape", *mask: "Shape") -> "Shape":  # type: ignore[override] # takes several
        """Return the shape of the output, that of the query. Raises what the function does."""
        rank, lead = len(query), len(query) - 2
        if rank < 2 or min(query) < 1:
            self.refuse(query, "[..., queries, size]")
        for shape in (key, value):
            if len(shape) != rank or shape[-2:] != key[-2:] or min(shape) < 1:
                what = "keys and values of as many numbers"
                self.refuse(shape, "[..., keys, size], of as many dimensions as the query: " + what)
        if key[-1] != query[-1] or key[:lead] != value[:lead]:
            self.refuse(key, "keys of %d numbers, as queries have" % query[-1])
        self._spans(query, key, mask[0] if mask else None)
        return query

    def bind(self, query: "Value", key: "Value", value: "Value", *others: "Value") -> "Calls":
        """Return the calls that fill the output. others: a mask unless there is none, and the output."""
        out, mask = others[-1], others[0] if len(others) > 1 else None
        queries, size, keys = query.shape[-2], query.shape[-1], key.shape[-2]
        spans = self._spans(query.shape, key.shape, None if mask is None else mask.shape)
        (extent, *steps), others_of = _largest(spans)
        sizes = [(extent - 1) * step + rows * size for step, rows in zip(steps, (queries, keys))]
        shape = ((extent, queries, keys, 1, size), (steps[0], steps[1], size))
        (scores,) = working(self, (keys,))
        asked, calls = self._scaled(query, out, bool(others_of))
        causal = kernels.floats([0.0] * queries + [_NOTHING] * (keys - 1)) if self.is_causal else None
        for starts in _starts(others_of):
            masks: "tuple[Any, ...]" = ()
            if causal is not None:
                masks = ((causal, 0, -1, queries - 1),)
            elif mask is not None:
                masks = ((mask.data, steps[2], keys if mask.shape[-2] > 1 else 0, starts[2]),)
            read: "tuple[Any, ...]" = (_part(asked, starts[0], sizes[0]),)
            read += (_part(key, starts[1], sizes[1]), _part(value, starts[1], sizes[1]))
            settings = (masks, 0.0, False, scores.data, None, _part(out, starts[0], sizes[0]))
            calls.append((kernels.attention, read + settings + shape))
        return calls

    def _scaled(self, query: "Value", out: "Value", is_needed: bool) -> "tuple[Value, Calls]":
        """Return the query as the kernel takes it, and what makes it in the output's place if it must."""
        if self.scale is None and not is_needed:
            return query, []
        factor = 1.0 if self.scale is None else self.scale * sqrt(query.shape[-1])
        numbers = (kernels.floats([factor]), kernels.floats([0.0]), out.data, 1, 1, count(out.shape))
        return out, [(kernels.affine, (query.data,) + numbers)]

    def _spans(self, query: "Shape", key: "Shape", mask: "Shape | None") -> "Steps":
        """Return of each dimension in front how many there are, and from one to the next in query, key, mask.

        The outermost comes first; those are left out of which there is one.
        """
        lead, heads = list(query[:-2]), list(key[:-2])
        marks = [1] * len(lead) if mask is None else self._mask_lead(mask, query, key)
        if self.enable_gqa and lead and heads[-1] and not lead[-1] % heads[-1]:
            shared = lead[-1] // heads[-1]
            marks[-1:] = [heads[-1], shared] if marks[-1] > 1 else [1, 1]
            lead[-1:], heads[-1:] = [heads[-1], shared], [heads[-1], 1]
        rows = 1 if mask is None else mask[-2] * mask[-1]
        steps = [query[-2] * query[-1], key[-2] * key[-1], rows]
        spans: "Steps" = []
        for extents in reversed(list(zip(lead, heads, marks))):
            if [extent for extent in extents if extent not in (1, extents[0])]:
                found = key if mask is None else key + tuple(mask)
                self.refuse(found, "what fits queries %r, key and mask together" % (list(query),))
            row = [step if extent > 1 else 0 for step, extent in zip(steps, extents)]
            steps = [step * extent for step, extent in zip(steps, extents)]
            _join(spans, [extents[0]] + row)
        return spans

    def _mask_lead(self, mask: "Shape", query: "Shape", key: "Shape") -> list[int]:
        """Return the extents in front of a mask, as many as the query's. Raises `InvalidTensor`."""
        missing = len(query) - len(mask)
        fits = len(mask) > 1 and missing >= 0 and min(mask) > 0
        if not fits or mask[-1] != key[-2] or mask[-2] not in (1, query[-2]):
            self.refuse(mask, "a mask [..., %d, %d]" % (query[-2], key[-2]))
        return [1] * missing + list(mask[:-2])


def _join(spans: "Steps", row: list[int]) -> None:
    """Add a dimension, further out, which may go on where the last one ends."""
    if row[0] == 1:
        return
    if spans and [step * spans[0][0] for step in spans[0][1:]] == row[1:]:
        spans[0][0] *= row[0]
    else:
        spans.insert(0, row)


def _largest(spans: "Steps") -> "tuple[list[int], Steps]":
    """Return the dimension that the kernel goes through, the largest, and the others."""
    if not spans:
        return [1, 0, 0, 0], []
    best = max([span[0] for span in spans])
    at = [span[0] for span in spans].index(best)
    return spans[at], spans[:at] + spans[at + 1 :]


def _starts(spans: "Steps") -> list[tuple[int, ...]]:
    """Return where each part begins, in query, key and mask."""
    starts: list[tuple[int, ...]] = [(0, 0, 0)]
    for extent, *steps in spans:
        starts = [
            tuple([first + number * step for first, step in zip(start, steps)])
            for start in starts
            for number in range(extent)
        ]
    return starts


def _part(value: "Value", start: int, size: int) -> "Any":
    """Return a part of a value's numbers, or all of them as they are."""
    if (start, size) == (0, count(value.shape)):
        return value.data
    try:
        return memoryview(value.data)[start : start + size]  # type: ignore[arg-type] # a buffer, or else refused
    except TypeError:
        raise Unsupported("takes a part of keys or values that are a parameter", _NAME)
