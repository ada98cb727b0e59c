"""Products of computed values, attention and gates become integers, as simple steps."""

from functools import partial

import numpy as np
import pytest

from burnpack.errors import Unsupported
from burnrt import functional as F
from burnrt import nn, tensor
from burnstore.classes.description import Description, LayerOf, Line, Name
from burnstore.classes.running import Described
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from burnstore.quantize.reference import Reference
from kit.int8.quantizing import answering, kernels_of, names_of, samples
from kit.models.chains import Chain, loaded

CAUSAL = np.triu(np.full((5, 5), -np.inf, np.float32), 1)


class Attending(nn.Module):
    def __init__(self, batch_first=True, mask=None, heads=4, weights=False, **more):
        self.attention = nn.MultiHeadAttention(16, heads, batch_first=batch_first, **more)
        self.mask, self.weights = None if mask is None else tensor(mask), weights

    def forward(self, x):
        found, weights = self.attention(x, x, x, attn_mask=self.mask, need_weights=self.weights)
        return weights if self.weights else found


class Calling(nn.Module):
    """Calls a function on [batch, heads, places, size], cut from rows of 4 heads of 8 numbers."""

    def __init__(self, function):
        self.function = function

    def forward(self, x):
        return self.function(x.reshape(x.shape[0], -1, 4, 8).transpose(1, 2))


def attended(**settings):
    return Calling(lambda q: F.scaled_dot_product_attention(q, q, q, **settings))


def shared(q):
    return F.scaled_dot_product_attention(q, q[:, :2], q[:, :2], enable_gqa=True, is_causal=True)


def in_parts(q, mask):
    """Return what `scaled_dot_product_attention` is made of, after `run_decompositions`."""
    scores = F.add(F.matmul(q, F.transpose(q, 2, 3)), tensor(mask))
    shares = F.softmax(scores, -1)
    is_seen = F.amax(F.logical_not(F.eq(scores, float("-inf"))), -1, True)
    shares = F.where(F.logical_not(is_seen), tensor(np.zeros((1, 4, 5, 5), np.float32)), shares)
    return F.matmul(shares, q)


def of_other_rows(q, turned):
    """Return squares whose rows are divided by the lengths of others."""
    square = q.reshape(1, -1)[:, :25].reshape(1, 5, 5)
    lengths = F.norm(square, dim=2)
    return (
        F.div(square, F.expand(lengths.reshape(1, 5, 1), 5, 5, 1).reshape(1, 25)[:, :25].reshape(1, 5, 5))
        if turned
        else F.div(square, lengths)
    )


SIMPLE = [
    (Attending(), (5, 16)),
    (Attending(False), (5, 16)),
    (Attending(heads=1, weights=True), (5, 16)),
    (Attending(weights=True), (5, 16)),
    (Attending(mask=CAUSAL), (5, 16)),
    (Attending(mask=CAUSAL + 0.5), (5, 16)),
    (attended(), (5, 32)),
    (attended(is_causal=True), (5, 32)),
    (attended(scale=0.3, attn_mask=tensor(CAUSAL)), (5, 32)),
    (Calling(shared), (5, 32)),
    (Calling(partial(in_parts, mask=CAUSAL)), (5, 32)),
    *((Calling(partial(F.normalize, dim=dim)), (5, 32)) for dim in (1, 2, 3, (2, 3))),
    (Calling(lambda q: F.div(q[:, :, :4, :4], F.norm(q[:, :, :4, :4], dim=3) + 1.0)), (5, 32)),
    *((Calling(partial(of_other_rows, turned=turned)), (5, 32)) for turned in (True, False)),
    (Chain(gate=nn.GLU(1), columns=nn.Softmax(1), least=nn.Softmin(1)), (6, 3, 4)),
]


@pytest.mark.parametrize(("model", "shape"), SIMPLE)
def test_what_large_layers_are_made_of_answers_as_they_do(model, shape):
    loaded(model, 1)
    given = samples(shape, 5)
    reference = Reference(model, [(1, *shape)])
    found = [values[reference.graph.output.number] for _, values in reference.values(given)]
    wanted = [np.asarray(model(tensor(given[place : place + 1]))).reshape(-1) for place in range(5)]
    assert np.allclose(np.concatenate(found), wanted, atol=1e-5)


def test_a_step_within_a_layer_is_called_by_that_ones_path_and_what_it_is():
    reference = Reference(loaded(Attending(mask=CAUSAL, heads=1)), [(1, 5, 16)])
    within = [step.name for step in reference.graph.steps]
    assert within[:3] == ["attention.query", "attention.key", "attention.value"]
    assert within[3:] == [
        "attention.Scores",
        "attention.MaskedSoftmax",
        "attention.Matmul",
        "attention.output",
    ]


def test_a_step_within_a_layer_of_an_exported_network_is_called_by_its_line_and_what_it_is():
    layer = LayerOf("MultiHeadAttention", (8, 1), {"batch_first": True})
    line = Line(("y", "w"), "attention", (Name("x"),), is_layer=True, step="block/attention")
    made = Description("Net", ["x"], [(1, 5, 8)], {"attention": layer}, lines=[line], outputs=[Name("y")])
    within = [step.name for step in Reference(loaded(Described(made)), [(1, 5, 8)]).graph.steps]
    names = "query key value Scores Softmax Matmul output".split()
    assert within == [f"block/attention.{name}" for name in names]


def test_who_may_look_at_nothing_answers_zeros():
    mask = CAUSAL.copy()
    mask[1] = -np.inf
    reference = Reference(attended(attn_mask=tensor(mask)), [(1, 5, 32)])
    ((_, values),) = reference.values(samples((5, 32), 1))
    found = values[reference.graph.output.number].reshape(4, 5, 8)
    assert not found[:, 1].any() and found[:, 2].all()


@pytest.mark.parametrize("hidden", [-np.inf, np.finfo(np.float32).min])
def test_a_mask_that_is_added_to_scores_hides_in_integers_what_it_hides_in_floats(hidden):
    mask = np.where(np.isinf(CAUSAL), np.float32(hidden), np.float32(0))
    given = samples((5, 32), 40)
    made = quantize_model(Calling(partial(in_parts, mask=mask)), given)
    assert [name for name in kernels_of(made) if name in ("compare", "float")] == []
    report = measure(made, given)
    assert report.rmse <= 0.02 * report.deviation


class Both(nn.Module):
    """The product of what two layers make of one input."""

    def __init__(self, function, **layers):
        self.function = function
        self.first, self.second = nn.Linear(16, 8), nn.Linear(16, 8)

    def forward(self, x):
        return self.function(self.first(x), self.second(x))


def quantized(model, shape=(12, 16)):
    given = samples(shape, 64)
    found = quantize_model(loaded(model, 1), given)
    return found, {step.name: step.ratio for step in measure(found, given).steps}


PRODUCTS = {
    "rows and columns": lambda a, b: F.matmul(a.reshape(1, 8, 12), b),
    "several": lambda a, b: F.matmul(a.reshape(1, 4, 3, 8), b.reshape(1, 4, 8, 3)),
    "one for all": lambda a, b: F.matmul(a, b[0].reshape(8, 12)),
    "shares, not symmetric": lambda a, b: F.matmul(a.reshape(1, 8, 12), F.softmax(b, -1)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_two_computed_values_are_close_to_those_of_floats(name):
    found, ratios = quantized(Both(PRODUCTS[name]))
    assert kernels_of(found)[-1] == "matmul"
    assert min(ratios.values()) > 28, ratios


def test_attention_in_integers_hides_what_the_mask_says_and_is_close_to_floats():
    mask = np.triu(np.full((12, 12), -np.inf, np.float32), 1)
    found, ratios = quantized(Attending(mask=mask, heads=1))
    assert kernels_of(found)[3:] == ["matmul", "masked_softmax", "matmul", "linear"]
    assert names_of(found)[3:5] == ["attention.Scores", "attention.MaskedSoftmax"]
    assert min(ratios.values()) > 28, ratios


def test_a_matrix_that_stays_the_same_is_a_weight():
    kept = tensor(np.random.default_rng(3).normal(size=(8, 6)), (8, 6))
    behind, ratios = quantized(Both(lambda a, _: F.matmul(a, kept)))
    assert kernels_of(behind) == ["linear", "linear"] and min(ratios.values()) > 28
    beside, ratios = quantized(Both(lambda a, _: F.matmul(kept, a.reshape(1, 6, 16))))
    assert kernels_of(beside) == ["linear", "conv2d"] and min(ratios.values()) > 28


def test_attention_that_may_look_at_nothing_is_refused_by_name():
    with pytest.raises(Unsupported, match="MultiHeadAttention"):
        quantized(Attending(quiet_softmax=True))


def test_heads_are_read_where_they_are_but_for_the_queries():
    found, ratios = quantized(Attending())
    assert kernels_of(found)[:4] == ["linear", "copy", "linear", "linear"]
    assert kernels_of(found)[4:] == ["matmul", "softmax", "matmul", "copy", "linear"]
    assert min(ratios.values()) > 26, ratios


class Together(nn.Module):
    """Makes queries, keys and values by one weight, a parameter, and attends with four heads."""

    def __init__(self):
        self.weight = nn.Parameter((96, 16))

    def forward(self, x):
        parts = F.chunk(F.linear(x, self.weight), 3, -1)
        heads = [part.reshape(1, 12, 4, 8).transpose(1, 2) for part in parts]
        return F.scaled_dot_product_attention(*heads)


def test_parts_and_heads_of_one_value_are_read_where_they_are():
    found, ratios = quantized(Together())
    assert kernels_of(found) == ["linear", "copy", "copy", "matmul", "softmax", "matmul"]
    assert min(ratios.values()) > 26, ratios


class Looking(nn.Module):
    def __init__(self, entries=50):
        self.table, self.last = nn.Embedding(entries, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.last(self.table(x).transpose(1, 2).flatten(1).reshape(-1, 6, 8))


def test_indices_are_bytes_and_a_table_has_one_scale():
    given = np.random.default_rng(2).integers(0, 50, (40, 6))
    found = quantize_model(loaded(Looking(), 1), given)
    known = found.known[found.network.input]
    assert (known.scale, known.zero_point) == (1.0, 0)
    assert kernels_of(found) == ["embedding", "copy", "linear"]
    first, *_ = measure(found, given).steps
    assert first.largest <= first.scale * 0.51


def test_an_index_beyond_the_table_takes_its_last_vector():
    given = np.random.default_rng(2).integers(0, 50, (40, 6))
    answer = answering(quantize_model(loaded(Looking(), 1), given))
    assert (answer(np.full(6, 200, np.uint8)) == answer(np.full(6, 49, np.uint8))).all()


def test_all_layers_without_an_integer_operation_are_named_at_once():
    model = Calling(lambda x: F.cumsum(F.prod(x, -1, True), 1))
    with pytest.raises(Unsupported, match="for Product CumulativeSum, nor for CumulativeSum: --float"):
        quantize_model(model, samples((5, 32)))
