"""The digest of a content: what it depends on, what writes it, and what is held to it."""

import json
from hashlib import sha256

import numpy as np
import pytest

import burnstore
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.boards.link.deploy import opened as runnable
from burnstore.comparing.digest import KEY, UNKNOWN, Content, check_digest, content_of, digest_of
from kit import support

FIRST = np.arange(12, dtype=np.float32).reshape(3, 4)
DIGITS = support.path("examples/digits/digits.pt")


def tensors(**more):
    return [burnstore.tensor_from_array(name, array) for name, array in {"a": FIRST, **more}.items()]


def digest(found, metadata=(), scalars=()):
    return digest_of(Content(found, metadata, scalars))


def test_the_digest_is_that_of_the_documented_lines():
    lines = [
        ["metadata", "k", "é"],
        ["scalar", "s", "Float", 0.5],
        ["tensor", "a", "F32", [3, 4], None, sha256(FIRST.tobytes()).hexdigest()],
    ]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    wanted = "sha256:" + sha256(text.encode()).hexdigest()
    assert digest(tensors(), [("k", "é")], [("s", 0.5)]) == wanted and len(UNKNOWN) == len(wanted)


def test_order_format_and_what_a_container_says_of_itself_have_no_part_in_it(tmp_path):
    one, two = tensors(b=np.ones(2)), tensors(b=np.ones(2))[::-1]
    burnstore.save_burnpack(tmp_path / "a.bpk", one, [("k", "v"), ("format", "burnpack")])
    burnstore.save_safetensors(tmp_path / "a.safetensors", two, [("k", "v"), ("producer", "x")])
    assert burnstore.digest(tmp_path / "a.bpk") == burnstore.digest(tmp_path / "a.safetensors")


@pytest.mark.parametrize("change", ["name", "dtype", "shape", "bytes", "param_id", "metadata", "scalar"])
def test_all_else_has(change):
    other = FIRST.copy()
    other[0, 0] += change == "bytes"
    named = {"name": "b", "dtype": "I32", "shape": (4, 3), "param_id": 1}
    facts = {"name": "a", "dtype": "F32", "shape": (3, 4), "param_id": None}
    facts |= {change: named[change]} if change in named else {}
    changed = [Tensor(data=other.tobytes(), **facts)]
    metadata = [("k", "v")] if change == "metadata" else []
    scalars = [("s", 1)] if change == "scalar" else []
    assert digest(changed, metadata, scalars) != digest(tensors())


def test_a_checkpoint_and_what_it_is_converted_to_have_one_digest(tmp_path):
    wanted = burnstore.digest(DIGITS)
    for name in ("a.bpk", "a.safetensors"):
        burnstore.convert(DIGITS, tmp_path / name, digest=True)
        with burnstore.open(tmp_path / name) as opened:
            assert opened.metadata()[KEY] == wanted == burnstore.digest(tmp_path / name)
            check_digest(opened.reader)


@pytest.mark.parametrize("file", ["quantized.bpk", "scalars.bpk", "ids.bpk", "dtypes.bpk", "burn_0.19.bpk"])
def test_a_digest_that_is_written_holds_for_what_is_read_again(file):
    reader = Reader.from_bytes(support.read(support.data(f"rust/{file}")))
    pairs = (*reader.metadata(), (KEY, digest_of(content_of(reader))))
    check_digest(Reader.from_bytes(Writer(list(reader), pairs, reader.scalars()).to_bytes()))


def test_a_changed_byte_and_a_changed_text_are_refused(tmp_path):
    path = tmp_path / "a.bpk"
    burnstore.convert(DIGITS, path, metadata={"label": "seven"}, digest=True)
    data = path.read_bytes()
    for changed in (data[:-1] + bytes([data[-1] ^ 1]), data.replace(b"seven", b"eight")):
        reader = Reader.from_bytes(changed, source="a.bpk")
        with pytest.raises(InvalidTensor, match="the content is not what the file"):
            check_digest(reader)
        path.write_bytes(changed)
        assert [each.item for each in burnstore.check(path).findings if each.level == "error"] == [KEY]
        with pytest.raises(InvalidTensor, match="changed or damaged"):
            burnstore.convert(path, tmp_path / "b.bpk")
        with pytest.raises(InvalidTensor, match="changed or damaged"):
            runnable(path)  # as deploy opens it
    assert not (tmp_path / "b.bpk").exists()


def test_a_conversion_renews_a_digest_and_several_files_have_none(tmp_path):
    path = tmp_path / "a.safetensors"
    burnstore.convert(DIGITS, path, digest=True)
    burnstore.convert(path, tmp_path / "half.bpk", cast="F16")
    with burnstore.open(tmp_path / "half.bpk") as opened:
        assert opened.metadata()[KEY] == burnstore.digest(tmp_path / "half.bpk") != burnstore.digest(path)
    burnstore.convert(path, tmp_path / "many.safetensors", shard_size=4000)
    with burnstore.open(tmp_path / "many.safetensors.index.json") as opened:
        assert KEY not in opened.metadata()
    assert burnstore.digest(tmp_path / "many.safetensors.index.json") == burnstore.digest(path)
    with pytest.raises(Unsupported, match="a digest is of one file"):
        burnstore.convert(path, tmp_path / "more.safetensors", shard_size=4000, digest=True)


def test_the_documented_program_computes_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with open(support.path("docs/metadata.md"), encoding="utf-8") as page:
        program = page.read().partition("```python\n")[2].partition("```")[0]
    arrays = {"b": FIRST, "a\u20ac": np.arange(3), "c": np.zeros((0, 2), np.float16)}
    burnstore.save_file(arrays, "model.safetensors", {"a label": "ü"})
    exec(program, {})
    assert capsys.readouterr().out.strip() == burnstore.digest("model.safetensors")
