"""Indices of tables of more than 256 vectors have 16 bits, from the input to the embedding."""

import numpy as np
import pytest
from safetensors.numpy import load_file

from burnpack.errors import Malformed, Unsupported
from burnpack.reader import Reader
from burnpack.writer import Writer
from burnrt import Model, nn
from burnstore import cli, quantize_model, run, verify
from burnstore.io.opened import OpenedFile
from burnstore.models.loaded import load_exported
from burnstore.models.selftest import golden_of, with_program_golden
from burnstore.programs.reading import program_in
from burnstore.programs.uses import INDICES, uses_of
from burnstore.quantize.measure import measure
from kit import support
from kit.models.chains import loaded

WORDS = support.path("tests/vectors/words/words.pt2")
CASES = load_file(WORDS.replace(".pt2", ".io.safetensors"))
ENTRIES = 1000


class Table(nn.Module):
    """Vectors that words name, and what else is done with the words."""

    def __init__(self, entries=ENTRIES, then=lambda net, x: net.table(x)):
        self.table, self.last, self.then = nn.Embedding(entries, 4), nn.Linear(4, 3), then

    def forward(self, x):
        return self.last(self.then(self, x))


def drawn(entries=ENTRIES, count=8, length=6):
    return np.random.default_rng(1).integers(0, entries, (count, length))


def quantized(entries=ENTRIES, **more):
    return quantize_model(loaded(Table(entries, **more), 1), drawn(entries))


@pytest.fixture(scope="module")
def words():
    """Return the classifier of texts, in integers."""
    with OpenedFile(WORDS) as opened:
        module = load_exported(opened).module
    return quantize_model(module, (CASES["input0"], CASES["input1"])).to_bytes()


def test_a_classifier_of_1000_words_answers_as_pytorch(words):
    model = Model(words)
    scale = model.outputs[0].scale
    for first, kind, wanted in zip(CASES["input0"], CASES["input1"], CASES["output0"], strict=True):
        assert np.abs(np.asarray(model(first, kind).data) - wanted).max() <= 4 * scale


def test_an_input_of_indices_has_two_bytes_for_each_and_others_one(words):
    model = Model(words)
    assert [(end.width, len(end.data), end.scale, end.zero) for end in model.inputs] == [
        (2, 24, 1.0, 0),
        (1, 1, 1.0, 0),
    ]
    model.inputs[0].write([256 * place for place in range(12)])
    assert bytes(model.input) == bytes([each for place in range(12) for each in (0, place)])
    (first, second) = program_in(model).inputs
    assert first.span[1] - first.span[0] == 24 and second.span[1] - second.span[0] == 1
    assert uses_of(Reader.from_static(words)).ends == (INDICES,)


@pytest.mark.parametrize("entries, width", [(256, 1), (257, 2), (65536, 2)])
def test_indices_have_16_bits_where_a_byte_does_not_do(entries, width):
    model = Model(quantized(entries).to_bytes())
    assert model.inputs[0].width == width


def test_an_index_beyond_the_table_takes_its_last_vector():
    model = Model(quantized().to_bytes())
    wanted = list(model(np.full((1, 6), ENTRIES - 1)).data)
    for beyond in (ENTRIES, 40_000, 65_535, 1e9, float("inf")):
        assert list(model([beyond] * 6).data) == wanted
    assert list(model([-5.0] * 6).data) == list(model([0] * 6).data)


def test_bytes_are_no_indices_and_their_number_is_that_of_the_shape():
    model = Model(quantized().to_bytes())
    support.raises(Malformed, model.inputs[0].write, bytes(6))
    support.raises(Malformed, model.inputs[0].write, [1] * 12)


def test_what_is_moved_keeps_16_bits_and_a_small_table_reads_them_too():
    def then(net, x):
        return net.table(x[:, 1:4]) + net.small(x.flip(1)[:, :3])

    net = Table(then=then)
    net.small = nn.Embedding(ENTRIES // 10, 4)
    given = drawn(ENTRIES // 10, 32)
    net = loaded(net, 1)
    found = quantize_model(net, given)
    assert min(step.ratio for step in measure(found, given).steps if step.width == 1) > 30
    assert [step.largest for step in measure(found, given).steps if step.width == 2] == [0.0] * 3


REFUSED = {
    "an index that is computed": (lambda net, x: net.table(x + x), "computed"),
    "another function of two": (lambda net, x: net.table(x) * x.reshape(1, 6, 1), "16 bits"),
    "what no lines follow": (
        lambda net, x: net.table(x) * (x == 777.0).reshape(1, 6, 1),
        "no table of lines follows",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_16_bits_do_not_say_is_refused(name):
    then, expected = REFUSED[name]
    with pytest.raises(Unsupported, match=expected):
        quantized(then=then)


def test_a_table_of_more_than_65536_vectors_is_refused():
    with pytest.raises(Unsupported, match="there can be 65,536"):
        quantized(65_537)


def test_a_self_test_holds_indices_in_two_bytes(words):
    reader, model = Reader.from_static(words), Model(words)
    case = [CASES["input0"][:1], CASES["input1"][:1]]
    tensors, scalars = with_program_golden(reader, model, [case])
    found = {tensor.name: tensor for tensor in tensors}
    assert [found[name].dtype for name in ("selftest.input.0", "selftest.input.0.1")] == ["U16", "U8"]
    assert dict(scalars)["selftest.tolerance"] == 0.0
    (given,), _ = golden_of(Reader.from_static(Writer(tensors).to_bytes()), model)
    assert [each.tolist() for each in given] == [each.tolist() for each in case]


def test_a_drawing_says_which_input_is_of_indices(words, tmp_path):
    (tmp_path / "words.bpk").write_bytes(words)
    cli.commands.main(
        ["draw", str(tmp_path / "words.bpk"), "-o", str(tmp_path / "words.mmd"), "-q"], standalone_mode=False
    )
    assert "indices of 16 bits" in (tmp_path / "words.mmd").read_text()


def test_rows_that_are_whole_inputs_are_run_and_verified_as_quantize_takes_them(words):
    model, rows = Model(words), [CASES[name] for name in ("input0", "input1")]
    wholes = [each[:, None] for each in rows]
    assert np.array_equal(run(model, *wholes), run(model, *rows))
    assert verify(model, wholes, CASES["output0"][:, None]).passed
