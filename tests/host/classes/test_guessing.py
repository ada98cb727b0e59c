"""Layers are guessed from names and shapes of weights; the class takes all of them, and marks each guess."""

import numpy as np
import pytest

import burnstore
from burnpack.errors import NotFound, Unsupported
from burnpack.module import walk
from burnpack.tensor import Tensor
from burnrt import nn
from burnstore.classes.describing import describe
from burnstore.classes.guessing import guessed
from burnstore.classes.source import source_of
from burnstore.io.opened import open_model
from kit import support
from kit.models.descriptions import complaints, made


def tensors(shapes, dtype="F32"):
    return [Tensor(name, dtype, shape, bytes(4 * int(np.prod(shape)))) for name, shape in shapes.items()]


def guess(shapes, is_burns=False):
    """Return the lines of `__init__` that are written for tensors of these shapes."""
    source = source_of(*guessed(tensors(shapes), is_burns, "Net"), True)
    lines = source.rpartition("__init__(self):\n")[2].partition("\n\n")[0].split("\n")
    return [line.strip() for line in lines]


KINDS = {
    "a matrix with a bias is a Linear": (
        {"fc.weight": (3, 4), "fc.bias": (3,)},
        ["self.fc = nn.Linear(4, 3)"],
    ),
    "a first matrix without a bias is an Embedding": (
        {"e.weight": (50, 8), "o.weight": (3, 8)},
        [
            "self.e = nn.Embedding(50, 8)  # guess: or nn.Linear(8, 50, bias=False)",
            "self.o = nn.Linear(8, 3, bias=False)  # guess: or nn.Embedding(3, 8)",
        ],
    ),
    "a matrix is an Embedding where its name says so": (
        {"fc.weight": (3, 4), "fc.bias": (3,), "word_embeddings.weight": (50, 8)},
        [
            "self.fc = nn.Linear(4, 3)",
            "# guess: or nn.Linear(8, 50, bias=False)",
            "self.word_embeddings = nn.Embedding(50, 8)",
        ],
    ),
    "a weight of three dimensions is a Conv1d": (
        {"c.weight": (8, 2, 5), "c.bias": (8,)},
        ["self.c = nn.Conv1d(2, 8, 5)  # guess: stride and padding"],
    ),
    "a kernel may have two sizes": (
        {"c.weight": (8, 2, 5, 3)},
        ["self.c = nn.Conv2d(2, 8, (5, 3), bias=False)  # guess: stride and padding"],
    ),
    "a bias as long as the second dimension is a transposed convolution's": (
        {"c.weight": (8, 2, 2, 2), "c.bias": (2,)},
        ["self.c = nn.ConvTranspose2d(8, 2, 2)  # guess: stride and padding"],
    ),
    "a name may say that a convolution is transposed": (
        {"up.weight": (8, 8, 2, 2), "up.bias": (8,)},
        [
            "self.up = nn.ConvTranspose2d(8, 8, 2)  # guess: stride and padding; or nn.Conv2d",
        ],
    ),
    "a convolution of one input for each channel is of groups": (
        {"a.weight": (16, 3, 1, 1), "b.weight": (16, 1, 3, 3)},
        [
            "self.a = nn.Conv2d(3, 16, 1, bias=False)  # guess: stride and padding",
            "# guess: stride, padding and groups",
            "self.b = nn.Conv2d(16, 16, 3, groups=16, bias=False)",
        ],
    ),
    "running statistics are a BatchNorm's": (
        {
            "n.weight": (8,),
            "n.bias": (8,),
            "n.running_mean": (8,),
            "n.running_var": (8,),
            "n.num_batches_tracked": (),
        },
        ["self.n = nn.BatchNorm(8)"],
    ),
    "a BatchNorm may have no parameters": (
        {"n.running_mean": (8,), "n.running_var": (8,)},
        ["self.n = nn.BatchNorm(8, affine=False)"],
    ),
    "two vectors are a norm": (
        {"n.weight": (8,), "n.bias": (8,), "gn.weight": (8,), "gn.bias": (8,)},
        [
            "self.n = nn.LayerNorm(8)  # guess: or nn.GroupNorm(groups, 8)",
            "self.gn = nn.GroupNorm(1, 8)  # guess: how many groups",
        ],
    ),
    "a vector is an RmsNorm or a PRelu": (
        {"n.weight": (8,), "act.weight": (8,)},
        [
            "self.n = nn.RmsNorm(8)  # guess: or nn.PRelu(8), or a LayerNorm without bias",
            "self.act = nn.PRelu(8)  # guess: or nn.RmsNorm(8)",
        ],
    ),
    "three times the hidden size is a GRU": (
        {
            "r.weight_ih_l0": (72, 10),
            "r.weight_hh_l0": (72, 24),
            "r.bias_ih_l0": (72,),
            "r.bias_hh_l0": (72,),
            "r.weight_ih_l1": (72, 24),
            "r.weight_hh_l1": (72, 24),
            "r.bias_ih_l1": (72,),
            "r.bias_hh_l1": (72,),
        },
        ["self.r = nn.Gru(10, 24, num_layers=2)  # guess: batch_first"],
    ),
    "four times is an LSTM": (
        {
            f"r.weight_{way}_l0{end}": (96, size)
            for way, size in (("ih", 10), ("hh", 24))
            for end in ("", "_reverse")
        },
        ["self.r = nn.Lstm(10, 24, bias=False, bidirectional=True)  # guess: batch_first"],
    ),
    "once is an RNN": (
        {"r.weight_ih_l0": (24, 10), "r.weight_hh_l0": (24, 24)},
        ["self.r = nn.Rnn(10, 24, bias=False)  # guess: batch_first; nonlinearity"],
    ),
    "a stacked projection is attention's": (
        {
            "at.in_proj_weight": (48, 16),
            "at.in_proj_bias": (48,),
            "at.out_proj.weight": (16, 16),
            "at.out_proj.bias": (16,),
        },
        ["self.at = nn.MultiHeadAttention(16, 8)  # guess: how many heads; batch_first"],
    ),
    "what no layer has is a parameter": (
        {"pos": (1, 20, 16), "rank.weight": (2, 2, 2, 2, 2, 2)},
        [
            "self.pos = nn.Parameter((1, 20, 16))  # guess: a parameter of its own",
            "self.rank = Rank()",
        ],
    ),
    "numbers are a row": (
        {"net.0.weight": (3, 4), "net.0.bias": (3,), "net.2.weight": (2, 3), "net.2.bias": (2,)},
        [
            "# guess: a Sequential; Identity stands for what has no weights",
            "self.net = nn.Sequential(nn.Linear(4, 3), nn.Identity(), nn.Linear(3, 2))",
        ],
    ),
}

BURNS = {
    "a matrix is turned": ({"fc.weight": (4, 3), "fc.bias": (3,)}, ["self.fc = nn.Linear(4, 3)"]),
    "gamma and beta are a norm's": (
        {"n.gamma": (8,), "n.beta": (8,)},
        ["self.n = nn.LayerNorm(8)  # guess: or nn.GroupNorm(groups, 8)"],
    ),
    "gates are a recurrent layer's": (
        {
            f"r.{gate}.{way}_transform.{name}": shape
            for gate in ("input_gate", "forget_gate", "cell_gate", "output_gate")
            for way, size in (("input", 10), ("hidden", 24))
            for name, shape in (("weight", (size, 24)), ("bias", (24,)))
        },
        ["self.r = nn.Lstm(10, 24)  # guess: batch_first"],
    ),
    "gates of both ways are": (
        {
            f"r.{side}.{gate}.{way}_transform.weight": (size, 24)
            for side in ("forward", "reverse")
            for gate in ("reset_gate", "update_gate", "new_gate")
            for way, size in (("input", 10), ("hidden", 24))
        },
        ["self.r = nn.BiGru(10, 24, bias=False)  # guess: batch_first"],
    ),
    "query, key, value and output are attention's": (
        {
            f"at.{part}.{name}": shape
            for part in ("query", "key", "value", "output")
            for name, shape in (("weight", (16, 16)), ("bias", (16,)))
        },
        ["self.at = nn.MultiHeadAttention(16, 8)  # guess: how many heads; batch_first"],
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_pytorch_has(kind):
    shapes, expected = KINDS[kind]
    assert guess(shapes) == expected


@pytest.mark.parametrize("kind", BURNS)
def test_what_burn_has(kind):
    shapes, expected = BURNS[kind]
    assert guess(shapes, True) == expected


@pytest.mark.parametrize(
    ("shapes", "is_burns"), [(pair[0], rows is BURNS) for rows in (KINDS, BURNS) for pair in rows.values()]
)
def test_the_class_takes_all_that_it_was_guessed_from(tmp_path, shapes, is_burns):
    arrays = {name: np.full(shape, number, np.float32) for number, (name, shape) in enumerate(shapes.items())}
    path = tmp_path / "net.safetensors"
    burnstore.save_file(arrays, path)
    with open_model(path) as opened:
        found = describe(opened)
    (tmp_path / "net.py").write_text(found.source)
    layout = {"from_layout": "burn" if is_burns else "pytorch"}
    burnstore.convert(path, tmp_path / "net.bpk", module=f"{tmp_path}/net.py:Net", **layout)
    names = burnstore.load_file(tmp_path / "net.bpk")
    assert len(names) >= len(set(shapes) - {"n.num_batches_tracked"})
    assert complaints(found.source) == []


@pytest.mark.parametrize("is_burns", [False, True])
def test_the_layout_shows_in_matrices_that_have_a_bias(tmp_path, is_burns):
    shape = (4, 3) if is_burns else (3, 4)
    arrays = {
        "fc.weight": np.ones(shape, "f4"),
        "fc.bias": np.ones(3, "f4"),
        "o.weight": np.ones(shape, "f4"),
    }
    burnstore.save_file(arrays, tmp_path / "net.safetensors")
    with open_model(tmp_path / "net.safetensors") as opened:
        source = describe(opened).source
    assert "self.fc = nn.Linear(4, 3)\n" in source
    assert "self.o = nn.Linear(4, 3, bias=False)" in source


def test_forward_is_left_to_do_and_names_what_there_is():
    source = source_of(*guessed(tensors({"fc.weight": (3, 4), "fc.bias": (3,)}), False, "Net"), True)
    assert source.endswith(
        "    def forward(self, x):\n"
        "        # Left to do, as the file does not say what is computed. There are: fc.\n"
        "        raise NotImplementedError\n"
    )
    with pytest.raises(NotImplementedError):
        made(source)()(None)


FILES = [
    *(f"pytorch/{name}.pt" for name in ("linear", "conv2d", "batch_norm2d", "embedding", "nested_dict")),
    *(f"pytorch/{name}.pt" for name in ("top_level_key", "non_contiguous_indexes", "simple_legacy")),
    "pytorch/old_tar.tar",
    "rust/zoo.bpk",
    "rust/zoo.burn.safetensors",
    "rust/burn_0.21.safetensors",
    "rust/seq.bpk",
    "rust/seq.pt",
    "reports/lstm_last_step.pt",
    "reports/weight_norm_old.pt",
]


@pytest.mark.parametrize("file", FILES)
def test_a_file_loads_into_the_class_that_is_guessed_from_it(tmp_path, file):
    path = support.data(file)
    with open_model(path) as opened:
        found = describe(opened)
    (tmp_path / "net.py").write_text(found.source)
    burnstore.convert(path, tmp_path / "net.bpk", module=f"{tmp_path}/net.py:{found.name}")
    assert found.is_left
    assert complaints(found.source) == []


def test_what_is_no_float_is_left_out_and_told():
    found, _ = guessed(
        [*tensors({"fc.weight": (3, 4), "fc.bias": (3,)}), *tensors({"ids": (4,)}, "I32")], False, "N"
    )
    assert found.notes == ["left out, as they are no floats: ids"]
    assert list(found.layers) == ["fc"]


def test_a_file_without_weights_is_refused(tmp_path):
    burnstore.save_file({"a": np.zeros(3, np.int32)}, tmp_path / "a.safetensors")
    with open_model(tmp_path / "a.safetensors") as opened, pytest.raises(NotFound, match="no weights"):
        describe(opened)


def test_names_of_tensors_do_not_become_code(tmp_path):
    names = ["a b.weight", "class.weight", '"""\nimport os.weight', "__x.y\\.weight", "π.weight"]
    burnstore.save_file({name: np.ones((3, 3, 3), np.float32) for name in names}, tmp_path / "a.safetensors")
    with open_model(tmp_path / "a.safetensors") as opened:
        source = describe(opened).source
    assert sorted(path for path, _, _ in walk(made(source)())) == sorted(names)
    burnstore.save_file({"plan.weight": np.ones((3, 3, 3), np.float32)}, tmp_path / "b.safetensors")
    with open_model(tmp_path / "b.safetensors") as opened, pytest.raises(Unsupported, match="plan"):
        describe(opened)


WHOLE = {
    "group": ["c", "n", "i", "p", "fc"],
    "tcn": ["cs.0", "cs.1", "cs.2", "skip", "fc"],
    "transformer": ["inp", "enc.self_attn", "enc.linear1", "enc.norm1", "norm", "fc"],
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_modules_layers_are_known_and_load(tmp_path, name):
    path = support.path(f"tests/vectors/whole_modules/{name}.pt")
    with open_model(path) as opened:
        found = describe(opened)
    assert "guess" not in found.source
    module = made(found.source, found.name)()
    paths = {path.rpartition(".")[0] for path, _, _ in walk(module)}
    assert all(any(each.startswith(part) for each in paths) for part in WHOLE[name])
    (tmp_path / "net.py").write_text(found.source)
    burnstore.convert(path, tmp_path / "net.bpk", module=f"{tmp_path}/net.py:{found.name}")
    assert complaints(found.source) == []


def test_a_whole_modules_settings_are_those_that_it_was_made_with():
    with open_model(support.path("tests/vectors/whole_modules/group.pt")) as opened:
        source = describe(opened).source
    for line in (
        "self.c = nn.Conv2d(3, 8, 3)",
        "self.n = nn.GroupNorm(2, 8)",
        "self.i = nn.InstanceNorm2d(8, affine=True)",
        "self.p = nn.PReLU(8)",
    ):
        assert f"        {line}\n" in source
    with open_model(support.path("tests/vectors/whole_modules/transformer.pt")) as opened:
        source = describe(opened).source
    assert "class TransformerEncoderLayer(nn.Module):" in source
    assert "self.self_attn = nn.MultiheadAttention(16, 2, dropout=0.1, batch_first=True)" in source
    assert "self.pos = nn.Parameter((1, 20, 16))" in source
    assert isinstance(made(source, "TinyTransformer")().enc.norm1, nn.LayerNorm)
