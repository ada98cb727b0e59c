"""What is like a tensor and is not read is said by `inspect`, `convert` and in Python, with its reason."""

import json

import pytest

from burnpack.errors import Unsupported
from burnpack.reader import Reader
from burnstore import PytorchStore, open_model
from burnstore.cli import main
from burnstore.pytorch.left_out import TOLD
from burnstore.pytorch.reader import PytorchReader
from kit import support
from kit.pytorch import pickles as p


def run(capsys, *arguments):
    """Run the command; return its exit code, and what it prints and says."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    return ended.value.code, *capsys.readouterr()


def an_object(path, state):
    module, _, name = path.rpartition(".")
    return p.name(module, name) + b")\x81" + state + b"b"


def rebuilt(function, *arguments):
    return p.call(p.name("torch._utils", function), *arguments)


def hooked(key):
    hooks = p.ordered_dict() + b"K\x01" + p.name("a", "hook") + b"s"
    view = (p.storage(key, 4), 0, p.a_tuple(4), p.a_tuple(1), False, hooks)
    return p.call(p.name("torch._utils", "_rebuild_tensor_v2"), *view)


def a_module(parameters=b"}", buffers=b"}", **attributes):
    state = {"_parameters": parameters, "_buffers": buffers, "_modules": b"}", **attributes}
    return an_object("torch.nn.modules.linear.Linear", p.a_dict(state))


W = p.tensor("0", 4)
OTHER = p.tensor("1", 4)
REASONS = {
    "a lazy parameter": (
        p.call(p.name("torch.nn.parameter", "UninitializedParameter"), True),
        "x",
        "not initialized",
    ),
    "a lazy buffer": (
        p.call(p.name("torch.nn.parameter", "UninitializedBuffer"), False),
        "x",
        "not initialized",
    ),
    "an object with a tensor": (an_object("a.B", p.a_dict({"t": OTHER})), "x", "object of a.B"),
    "an object with a storage": (an_object("a.B", p.a_tuple(p.storage("1", 4))), "x", "object of a.B"),
    "a call with a tensor": (p.call(p.name("a", "f"), OTHER), "x", "object of a.f"),
    "a set of tensors": (b"\x8f(" + OTHER + b"\x90", "x", "set"),
    "a storage alone": (p.storage("1", 4), "x", "storage of 16 bytes"),
    "a tensor's hooks": (hooked("1"), "x", "hooks"),
    "a module's hooks": (
        a_module(_forward_pre_hooks=p.a_dict({0: p.name("a", "h")})),
        "x._forward_pre_hooks",
        "hooks",
    ),
    "a module's attribute": (a_module(mask=OTHER), "x.mask", "no parameter"),
    "a module's list": (a_module(masks=p.a_list(p.a_dict({"m": OTHER}))), "x.masks", "no parameter"),
    "a buffer that is no state": (
        a_module(
            buffers=p.a_dict({"b": OTHER}), _non_persistent_buffers_set=b"\x8f(" + p.text("b") + b"\x90"
        ),
        "x.b",
        "no part",
    ),
    "a dict's attributes": (p.ordered_dict() + p.a_dict({"t": OTHER}) + b"b", "x", "attributes of a dict"),
    "a dict's keys": (p.a_dict([(OTHER, 3)]), "x", "keys"),
}
NOTHING = {
    "an object without tensors": an_object("a.B", p.a_dict({"t": 3})),
    "an object with a tensor that has a name": an_object("a.B", p.a_dict({"t": W})),
    "a module": a_module(p.a_dict({"weight": OTHER}), _forward_hooks=b"}", training=True),
    "None, numbers and texts": p.a_list(None, 3, "x"),
    "a frozenset of texts": b"(" + p.text("a") + b"\x91",
}


def checkpoint(other):
    return p.checkpoint(p.a_dict({"w": W, "x": other}), {"0": bytes(16), "1": bytes(16)})


@pytest.mark.parametrize(("other", "path", "word"), REASONS.values(), ids=REASONS)
def test_what_is_left_out_is_said_everywhere(other, path, word, tmp_path, capsys):
    source = tmp_path / "model.pt"
    source.write_bytes(checkpoint(other))
    with open_model(source) as opened:
        ((found, reason),) = opened.left_out()
        assert bytes(opened.tensor("w").data()) == bytes(16)
    assert found == path and word in reason
    with PytorchStore.from_file(source) as store:
        assert store.left_out() == [(path, reason)]
        assert f"left out: {path}: {reason}" in store.notes()
    assert json.loads(run(capsys, "inspect", source, "--json")[1])["left_out"] == {path: reason}
    assert f"{path} = {reason}" in run(capsys, "inspect", source)[1]
    code, _, said = run(capsys, "convert", source, tmp_path / "out.bpk")
    assert code == 0 and f"left out: {path}: {reason}" in said


@pytest.mark.parametrize("other", NOTHING.values(), ids=NOTHING)
def test_nothing_is_said_where_nothing_is_left_out(other):
    assert PytorchReader.from_buffer(checkpoint(other)).left_out() == []


def test_of_many_things_left_out_convert_tells_the_first(tmp_path, capsys):
    lazy = p.call(p.name("torch.nn.parameter", "UninitializedParameter"), True)
    (tmp_path / "model.pt").write_bytes(checkpoint(p.a_dict({f"p{n}": lazy for n in range(3000)})))
    _, _, said = run(capsys, "convert", tmp_path / "model.pt", tmp_path / "out.bpk")
    assert said.count("not initialized") == TOLD and f"left out: {1001 - TOLD} more" in said


REPORTS = {
    "lazy_uninitialized.pt": ["u.weight", "u.bias"],
    "object_with_tensors.pt": ["cfg", "sl", "rd"],
}


@pytest.mark.parametrize(("name", "paths"), REPORTS.items())
def test_the_other_tensor_is_read_and_what_is_left_out_said(name, paths, tmp_path, capsys):
    code, _, said = run(capsys, "convert", support.data(f"reports/{name}"), tmp_path / "out.bpk")
    assert code == 0 and Reader.from_bytes((tmp_path / "out.bpk").read_bytes()).names() == ["ok"]
    assert all(f"left out: {path}: " in said for path in paths)


UNREAD = {
    "sparse": rebuilt("_rebuild_sparse_tensor", p.name("torch", "sparse_coo"), p.a_tuple()),
    "quantized": rebuilt(
        "_rebuild_qtensor",
        p.storage("1", 16, "QUInt4x2Storage"),
        0,
        p.a_tuple(4),
        p.a_tuple(1),
        p.a_tuple(p.name("torch", "per_tensor_affine"), 1.0, 0),
    ),
    "nested": rebuilt("_rebuild_nested_tensor", OTHER),
    "meta": rebuilt("_rebuild_meta_tensor_no_storage", p.name("torch", "float32")),
    "wrapper": p.call(
        p.name("torch._tensor", "_rebuild_from_type_v2"),
        p.name("torch._utils", "_rebuild_wrapper_subclass"),
        p.name("a", "T"),
        p.a_tuple(),
        None,
    ),
    "to come": rebuilt("_rebuild_tensor_v9", OTHER),
    "a Parameter of the unknown": rebuilt(
        "_rebuild_parameter", p.call(p.name("a", "f")), True, p.ordered_dict()
    ),
    "an unknown storage": p.tensor("1", 4, kind="Float3Storage"),
    "an unknown dtype": rebuilt(
        "_rebuild_tensor_v3",
        p.storage("1", 16, "UntypedStorage"),
        0,
        p.a_tuple(4),
        p.a_tuple(1),
        False,
        p.ordered_dict(),
        p.name("torch", "int3"),
    ),
}


@pytest.mark.parametrize("other", UNREAD.values(), ids=UNREAD)
def test_a_tensor_of_another_kind_leaves_the_others_readable(other, tmp_path, capsys):
    source, target = tmp_path / "model.pt", tmp_path / "out.bpk"
    source.write_bytes(checkpoint(other))
    with open_model(source) as opened:
        assert opened.names() == ["w", "x"]
        assert bytes(opened.tensor("w").data()) == bytes(16)
        with pytest.raises(Unsupported, match="x"):
            opened.tensor("x").data()
        with pytest.raises(Unsupported, match="x"):
            opened.array("x")
    code, out, _ = run(capsys, "inspect", source, "--hash")
    assert code == 0 and "x = " in out
    for options in ([], ["--dry-run"], ["--cast", "F16"], ["--rename", "^x=y"]):
        code, _, said = run(capsys, "convert", source, target, *options)
        assert code == 1 and "x: " in said and "the option filter" in said and not target.exists()
    assert run(capsys, "convert", source, target, "--filter", "^w$")[0] == 0
    assert Reader.from_bytes(target.read_bytes()).names() == ["w"]


def test_a_pickled_name_reaches_no_terminal_as_it_is(tmp_path, capsys):
    source = support.data("reports/escape_in_dtype.pt")
    for arguments in (
        ["inspect", source],
        ["inspect", source, "--json"],
        ["convert", source, tmp_path / "o.bpk"],
    ):
        _, out, said = run(capsys, *arguments)
        assert "rebuild" in out + said
        assert "\x1b" not in out + said


def test_names_in_a_tuple_begin_with_their_places():
    with open_model(support.data("reports/tensors_in_a_tuple.pt")) as opened:
        assert opened.names()[0] == "0.conv.weight" and len(opened) == 9


def test_an_object_of_a_class_in_a_class_is_read_as_any_other():
    nested = p.call(p.name("builtins", "getattr"), p.name("a", "Outer"), "Inner")
    reader = PytorchReader.from_buffer(checkpoint(p.call(nested, OTHER)))
    assert reader.left_out() == [("x", "object of a.Outer.Inner, with tensors that are not read")]
