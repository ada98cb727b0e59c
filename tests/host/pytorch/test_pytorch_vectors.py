"""Checkpoints that PyTorch wrote read as PyTorch reads them: names, order, dtypes, shapes, bytes."""

import hashlib
import json

import pytest

from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.pytorch import pickles as p


def cases(folder):
    """Return the golden files of a folder of tests/vectors and what PyTorch reads from each."""
    with open(support.path(f"tests/vectors/{folder}/expected.json"), encoding="utf-8") as file:
        return sorted(json.load(file).items())


def rows(reader):
    return [[t.name, t.dtype, list(t.shape), hashlib.sha256(t.data()).hexdigest()] for t in reader]


GOLDEN = [
    (f"{folder}/{name}", rows) for folder in ("pytorch_zip", "pytorch_other") for name, rows in cases(folder)
]


@pytest.mark.parametrize(("name", "expected"), GOLDEN)
def test_golden_files_read_as_pytorch_reads_them(name, expected):
    with PytorchReader.open(support.path(f"tests/vectors/{name}")) as reader:
        assert rows(reader) == expected


@pytest.mark.parametrize(("name", "expected"), cases("pytorch_data"))
def test_files_from_elsewhere_read_as_pytorch_reads_them(name, expected):
    with PytorchReader.open(support.path(name)) as reader:
        assert rows(reader) == expected


@pytest.mark.parametrize("name", [name for name, _ in GOLDEN])
def test_readinto_fills_the_bytes_that_data_returns(name):
    with PytorchReader.open(support.path(f"tests/vectors/{name}")) as reader:
        for tensor in reader:
            buffer = bytearray(tensor.nbytes)
            tensor.readinto(buffer)
            assert buffer == tensor.data()


@pytest.mark.parametrize("name", [name for name, _ in GOLDEN])
def test_a_span_is_where_the_bytes_are(name):
    data = support.read(support.path(f"tests/vectors/{name}"))
    reader = PytorchReader.from_buffer(data)
    for tensor in reader:
        span = reader.span(tensor.name)
        assert span is None or data[span[0] : span[1]] == bytes(tensor.data())


def test_contiguous_tensors_are_views_of_the_buffer():
    data = bytearray(support.read(support.path("tests/vectors/pytorch_zip/contiguous.pt")))
    reader = PytorchReader.from_buffer(data)
    start, _ = reader.span("weight")
    before = bytes(reader.tensor("weight").data())
    data[start] ^= 0xFF
    assert reader.tensor("weight").data()[0] == before[0] ^ 0xFF
    assert reader.tensor("weight").data().obj is data


def test_strided_packed_and_swapped_tensors_have_no_span():
    for name, tensor in (("views.pt", "transposed"), ("compressed.pt", "weight"), ("big_endian.pt", "f32")):
        with PytorchReader.open(support.path(f"tests/vectors/pytorch_zip/{name}")) as reader:
            assert reader.span(tensor) is None


CONTAINERS = {
    "pytorch_other/scripted.pt": "torchscript",
    "pytorch_other/legacy_tied.pt": "legacy",
    "pytorch_other/tar.pt": "tar",
    "pytorch_other/bare_protocol_2.pkl": "pickle",
    "pytorch_zip/tied.pt": "zip",
}


@pytest.mark.parametrize(("name", "container"), CONTAINERS.items())
def test_a_container_is_known_by_its_content(name, container):
    data = support.read(support.path(f"tests/vectors/{name}"))
    assert ("container", container) in PytorchReader.from_buffer(data).metadata()


def test_facts_of_the_container_are_its_metadata():
    with PytorchReader.open(support.path("tests/vectors/pytorch_zip/protocol_4.pt")) as reader:
        assert reader.metadata() == [
            ("format", "pytorch"),
            ("container", "zip"),
            ("byteorder", "little"),
            ("pickle_protocol", "4"),
            ("version", "3"),
            ("format_version", "1"),
            ("storage_alignment", "64"),
        ]
        assert reader.version == 3
        assert reader.scalars() == []


# What is no tensor, as PyTorch's own objects are printed short.
OTHERS = {
    "nested.pt": [("weights.1", "'a text between'"), ("pair.1", "None"), ("step", "7")],
    "no_tensors.pt": [("epoch", "3"), ("name", "'x'")],
    "optimizer.pt": [("epoch", "3"), ("optimizer.param_groups", "list of 1"), ("best", "0.5")],
    "numpy_values.pt": [
        ("loss", "0.25"),
        ("epoch", "12"),
        ("flag", "True"),
        ("small", "1.5"),
        ("strings", "NumPy array of U2 [2]"),
        ("objects", "NumPy array of O8 [2]"),
        ("dtype", "NumPy dtype float16"),
    ],
}


@pytest.mark.parametrize(("name", "expected"), OTHERS.items())
def test_what_is_no_tensor_is_described(name, expected):
    with PytorchReader.open(support.path(f"tests/vectors/pytorch_zip/{name}")) as reader:
        assert reader.others() == expected


KEYS = [
    (3, "3"),
    (-1, "-1"),
    (None, "None"),
    (True, "True"),
    (p.a_tuple(0, "x"), "(0, x)"),
    (p.name("callbacks", "Early"), "callbacks.Early"),
    (p.call(p.name("kinds", "Kind"), 2), "kinds.Kind(2)"),
    ("a.b", "a.b"),
]


@pytest.mark.parametrize(("key", "text"), KEYS, ids=[text for _, text in KEYS])
def test_a_key_of_any_plain_kind_has_a_text(key, text):
    nested = p.a_dict({"model": p.a_dict([(key, p.tensor("0", 4))])})
    assert PytorchReader.from_buffer(p.checkpoint(nested, {"0": bytes(16)})).names() == [f"model.{text}"]


def test_what_is_described_ends_after_a_thousand_values():
    many = {f"t{number}": p.tensor("0", 4) for number in range(1500)}
    reader = PytorchReader.from_buffer(p.checkpoint(p.a_dict(many), {"0": bytes(16)}))
    assert (len(reader), reader.others()) == (1500, [])
    words = {f"n{number}": number for number in range(1500)}
    others = PytorchReader.from_buffer(p.checkpoint(p.a_dict({**many, **words}), {"0": bytes(16)})).others()
    assert (len(others), others[0], others[-1]) == (1001, ("n0", "0"), ("…", "500 more"))


def test_unknown_classes_are_opaque_and_their_tensors_are_mentioned():
    with PytorchReader.open(support.path("tests/vectors/pytorch_zip/opaque.pt")) as reader:
        described = dict(reader.others())
    assert described["path"] == "object of pathlib.PurePosixPath"
    assert described["settings"] == "object of __main__.Settings, with tensors that are not read"
    assert described["large"] == "an integer of 81 bits"
