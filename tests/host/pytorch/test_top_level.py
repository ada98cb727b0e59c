"""Which of a PyTorch checkpoint's tensors are meant: the key that is taken off, and what is said of it."""

import json

import pytest

from burnpack.errors import LoadFailed, NotFound
from burnpack.module import Module
from burnrt import nn
from burnstore import PytorchStore
from burnstore.cli import commands
from burnstore.io.opened import open_model
from kit import support
from kit.models.small_models import Linear
from kit.pytorch import pickles as p


class Net(nn.Module):
    def __init__(self):
        self.conv = nn.Conv2d(1, 4, 3)
        self.norm = nn.BatchNorm(4)
        self.dense = nn.Linear(16, 10)


class Both(nn.Module):
    def __init__(self):
        self.encoder = nn.ModuleList([nn.Linear(2, 3), nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)


class Block(nn.Module):
    def __init__(self, inputs, outputs, downsample):
        self.conv1 = nn.Conv2d(inputs, outputs, 3, bias=False)
        self.bn1 = nn.BatchNorm(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, bias=False)
        self.bn2 = nn.BatchNorm(outputs)
        if downsample:
            self.downsample = nn.ModuleList(
                [nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm(outputs)]
            )


class Residual(nn.Module):
    def __init__(self):
        self.conv1 = nn.Conv2d(3, 4, 7, bias=False)
        self.bn1 = nn.BatchNorm(4)
        self.layer1 = nn.ModuleList([Block(4, 4, False)])
        self.layer2 = nn.ModuleList([Block(4, 8, True)])
        self.fc = nn.Linear(8, 10)


class Small(Module):
    def __init__(self):
        self.fc = Linear(weight=(2, 3), bias=(3,))


class Larger(Module):
    def __init__(self):
        self.fc = Linear(weight=(2, 3), bias=(3,))
        self.out = Linear(weight=(3, 1))


def store_of(content):
    """Return a store of nested dicts and lists whose ends are shapes of tensors, or operations."""
    return PytorchStore.from_bytes(p.checkpoint(operations(content), {"0": bytes(4096), "1": bytes(5056)}))


def operations(value):
    if isinstance(value, dict):
        return p.a_dict({key: operations(item) for key, item in value.items()})
    if isinstance(value, list):
        return p.a_list(*map(operations, value))
    return p.tensor("0", 1024, value) if isinstance(value, tuple) else p.value(value)


def real(name):
    return PytorchStore.from_file(support.data(f"reports/{name}"))


STATE = {"fc.weight": (3, 2), "fc.bias": (3,)}
OTHER = {"up.weight": (5, 5), "up.bias": (5,)}
ADAM = {"state": {"0": {"step": (), "exp_avg": (3, 2)}}, "param_groups": [{"lr": 1}]}
RANDOM = p.tensor("1", 5056, kind="ByteStorage")

# what a trainer keeps beside the weights, under the names that trainers give it
KEPT = {
    "an optimizer": {"optimizer": ADAM},
    "its state": {"optimizer_state_dict": ADAM},
    "several": {"optimizer_states": [ADAM], "optimizerG": ADAM, "opt_d": ADAM, "last_optimizer_state": ADAM},
    "an optimizer of any name": {"solver": ADAM, "solvers": [ADAM, ADAM]},
    "a schedule": {"lr_scheduler": {"last": ()}, "schedulers": [{"last": ()}]},
    "a scaler": {"scaler": {"scale": ()}, "amp_scaler": {"scale": ()}, "grad_scaler": {"scale": ()}},
    "losses": {"loss": (), "best_val_loss": (), "train_losses": [(), ()], "dino_loss": {"center": (1, 3)}},
    "counters": {"epoch": (), "global_step": (), "iteration": (), "iter_num": ()},
    "random states": {"rng_state": RANDOM, "cuda_rng_state_all": [RANDOM], "states": {"cpu": RANDOM}},
    "metrics": {"best_acc1": (), "metrics": {"f1": ()}, "best_score": (), "val_accuracy": ()},
    "settings": {"args": {"a": ()}, "hyper_parameters": {"weights": (3,)}, "config": {"mean": (3,)}},
    "a trainer's own": {"callbacks": {"best": {"score": ()}}, "loops": {"x": ()}, "extra_state": {"x": ()}},
}


@pytest.mark.parametrize("kept", KEPT.values(), ids=KEPT)
def test_the_one_entry_with_weights_beside_what_trainers_keep_is_taken(kept):
    for key, state in (("model", STATE), ("weights", {"weight": (2,)})):
        store = store_of({key: state, **kept})
        assert store.keys() == sorted(state)
        (note,) = store.notes()
        assert f'the top-level key "{key}"' in note and all(other in note for other in kept), note


# entries that may be weights, and are none of a trainer's
BESIDE = {
    "another state dict": {"head": {"weight": (2, 3), "bias": (2,)}},
    "an average": {"ema": STATE},
    "a statistic of the inputs": {"mean": (3,)},
    "a temperature": {"temperature": ()},
    "a list": {"shadow": [(3, 2), (3,)]},
    "what only begins as a trainer's": {"loss_head": {"weight": (2,)}, "step_embedding": (4, 4)},
}


@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_names_stay_as_nested_where_any_other_entry_may_be_weights(beside):
    content = {"encoder": STATE, "optimizer": ADAM, **beside}
    store = store_of(content)
    names = store.keys()
    assert {"encoder.fc.bias", "encoder.fc.weight"} <= set(names)
    assert {name.split(".")[0] for name in names} == set(content)
    (note,) = store.notes()
    assert "as nested" in note and "encoder" in note and "top-level key" in note, note
    assert all(key in note for key in beside)
    assert store.with_top_level_key("encoder").keys() == sorted(STATE)  # as the note says


def test_nested_names_that_are_no_checkpoint_of_a_trainer_stay_without_a_word():
    for content in ({"layer": {"weight": (2,)}}, {"a": {"weight": (2,)}, "b": {"weight": (2,)}}):
        store = store_of(content)
        assert store.keys() == sorted(f"{key}.weight" for key in content) and store.notes() == []


def test_without_a_module_a_list_or_tuple_keeps_its_numbers():
    assert real("tensors_in_a_tuple.pt").keys()[0] == "0.conv.bias"
    assert store_of([STATE, {"epoch": 1}]).keys() == ["0.fc.bias", "0.fc.weight"]


def test_no_weight_of_two_state_dicts_is_lost():
    with real("two_state_dicts.pt") as store:
        assert store.map_indices_contiguous(False).keys() == [
            "encoder.0.bias",
            "encoder.0.weight",
            "encoder.2.bias",
            "encoder.2.weight",
            "head.bias",
            "head.weight",
        ]
    with real("two_state_dicts.pt") as store:
        result = Both().load_from(store)
        assert len(result.applied) == 6 and result.notes == []


# a file, what loads from it, how many parameters, and what is said of where they are
REAL = {
    "loss_beside_weights.pt": (Net, 8, ['"model_state_dict"', "loss"]),
    "rng_state_beside_weights.pt": (Net, 8, ['"model"', "optimizer", "rng_state"]),
    "lightning_with_criterion.ckpt": (Residual, 32, ['"state_dict.model"', "state_dict.criterion"]),
    "tensors_in_a_tuple.pt": (Net, 8, ['"0"']),
}


@pytest.mark.parametrize(("name", "row"), REAL.items(), ids=REAL)
def test_real_checkpoints_load_with_the_class_alone(name, row):
    cls, count, words = row
    with real(name) as store:
        result = cls().load_from(store)
        assert len(result.applied) == count and not result.missing and len(result.notes) == 1
        assert all(word in result.notes[0] for word in words), result.notes
    if name.startswith("lightning"):
        with real(name) as store:
            assert len(cls().load_from(store.strip_prefixes()).applied) == count


# what a checkpoint holds, and the key under which most of `Larger` is
MOST = {
    "one of two fits": ({"generator": STATE | {"out.weight": (1, 3)}, "discriminator": STATE}, "generator"),
    "under its prefix": ({"state_dict": {"net." + name: STATE[name] for name in STATE}}, "state_dict.net"),
    "a loose tensor": (
        {"model": STATE | {"out.weight": (1, 3)}, "mean": (3,), "fc": {"weight": (9,)}},
        "model",
    ),
    "deeper": ({"checkpoint": {"state_dict": STATE, "optimizer": ADAM}}, "checkpoint.state_dict"),
    "in a list": ([ADAM, STATE], "1"),
    "names alone do not count": (
        {
            "a": STATE | {"out.weight": (1, 3)},
            "b": {"fc.weight": (7, 7), "fc.bias": (7,), "out.weight": (1, 7)},
        },
        "a",
    ),
}


@pytest.mark.parametrize(("content", "key"), MOST.values(), ids=MOST)
def test_with_a_module_the_key_is_the_one_under_which_most_of_it_fits(content, key):
    store = store_of(content).allow_partial(True)
    result = Larger().load_from(store)
    assert "fc.weight" in result.applied and f'"{key}"' in result.notes[0]
    told = store_of(content).allow_partial(True).with_top_level_key(key)
    assert Larger().load_from(told).applied == result.applied


# what a checkpoint holds that fits alike under the keys that are named
ALIKE = {
    "a moving average": ({"model": STATE, "ema": STATE, "optimizer": ADAM}, "model, ema"),
    "timm's": ({"state_dict": STATE, "state_dict_ema": STATE}, "state_dict, state_dict_ema"),
    "behind prefixes": (
        {"state_dict": {f"{part}.{name}": STATE[name] for part in ("q", "k") for name in STATE}},
        "state_dict.q, state_dict.k",
    ),
    "nested": ({"a": {"net": STATE}, "b": {"net": STATE}}, "a.net, b.net"),
}


@pytest.mark.parametrize(("content", "keys"), ALIKE.values(), ids=ALIKE)
def test_what_fits_alike_under_two_keys_is_refused_by_their_names(content, keys):
    error = support.raises(LoadFailed, Small().load_from, store_of(content))
    assert f"choose one of {keys}" in str(error)
    for key in keys.split(", "):  # which the error advises
        assert len(Small().load_from(store_of(content).with_top_level_key(key)).applied) == 2


def test_no_key_is_taken_off_where_the_module_fits_without():
    content = STATE | {"model": STATE, "ema": STATE}
    result = Small().load_from(store_of(content))
    assert len(result.applied) == 2 and result.notes == []
    result = Small().load_from(store_of(STATE | {"optimizer": ADAM}))
    assert len(result.applied) == 2 and result.notes == []


def test_renaming_that_is_asked_for_counts():
    content = {"a": {"x.weight": (3, 2), "x.bias": (3,)}, "b": {"y.weight": (3, 2), "y.bias": (3,)}}
    result = Small().load_from(store_of(content).with_key_remapping("^y", "fc"))
    assert '"b"' in result.notes[0]
    result = Small().load_from(store_of(content).with_key_remapping(r"^a\.x", "fc"))
    assert len(result.applied) == 2 and result.notes == []


def test_an_empty_key_means_none():
    content = {"model": STATE, "optimizer": ADAM}
    for key in ("", None):
        store = store_of(content).with_top_level_key(key)
        names = store.keys()
        assert "model.fc.weight" in names and store.notes() == []
        support.raises(LoadFailed, Small().load_from, store)


def test_what_is_advised_for_a_prefix_that_only_some_names_have_takes_it_off():
    store = store_of({"model": STATE, "loss": ()}).with_top_level_key("")
    error = str(support.raises(LoadFailed, Small().load_from, store))
    assert 'with_top_level_key("model") takes these' in error
    assert len(Small().load_from(store.with_top_level_key("model")).applied) == 2
    wrapped = {f"net.{name}": shape for name, shape in STATE.items()}
    store = store_of({"model": wrapped | {"n_averaged": ()}}).with_top_level_key("model")
    error = str(support.raises(LoadFailed, Small().load_from, store))
    assert 'strip_prefixes("net.") takes it off' in error
    assert len(Small().load_from(store.strip_prefixes("net.")).applied) == 2


def test_a_key_may_be_several_joined_with_dots():
    content = {"a": {"b": STATE}, "c": {"b": OTHER}}
    assert store_of(content).with_top_level_key("a.b").keys() == sorted(STATE)
    support.raises(NotFound, store_of(content).with_top_level_key("a.c").keys)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def save(name, content):
        data = p.checkpoint(operations(content), {"0": bytes(4096), "1": bytes(5056)})
        (tmp_path / name).write_bytes(data)

    save("trained.pt", {"model": STATE, "optimizer": ADAM, "loss": ()})
    save("gapped.pt", {"fc.0.weight": (3, 2), "fc.2.weight": (3, 2), "other.7.weight": (1,)})
    save("empty.pt", {})
    save("numbers.pt", {"epoch": 1, "optimizer": {"lr": 1}})
    (tmp_path / "net.py").write_text(
        "from burnpack.module import Module, Param\n"
        "class Linear(Module):\n    def __init__(self):\n        self.weight = Param((2, 3))\n"
        "class Row(Module):\n    def __init__(self):\n        self.fc = [Linear(), Linear(), Linear()]\n"
        "class Other(Module):\n    def __init__(self):\n        self.no = Linear()\n"
    )
    return tmp_path


def run(*arguments):
    return commands.main([*map(str, arguments)], standalone_mode=False)


def test_convert_takes_the_same_key_and_says_the_same(folder, capsys):
    run("convert", "trained.pt", "out.bpk")
    assert open_model("out.bpk").names() == sorted(STATE)
    said = capsys.readouterr().err
    with PytorchStore.from_file("trained.pt") as store:
        assert store.notes()[0] in said
    run("convert", "trained.pt", "all.bpk", "--top-level-key", "")
    assert {"model.fc.weight", "loss"} <= set(open_model("all.bpk").names())
    assert "top-level key" not in capsys.readouterr().err


def test_inspect_says_which_key_is_taken(folder, capsys):
    with PytorchStore.from_file("trained.pt") as store:
        note = store.notes()[0]
    run("inspect", "trained.pt")
    assert note in capsys.readouterr().out
    run("inspect", "trained.pt", "--json")
    assert json.loads(capsys.readouterr().out)["notes"] == [note]


def test_partial_loads_say_which_layers_were_renumbered(folder, capsys):
    run("convert", "gapped.pt", "out.bpk", "--module", "net.py:Row", "--allow-partial")
    said = capsys.readouterr().err
    assert (
        "fc.2 → fc.1" in said
        and "fc.0 →" not in said
        and "other" not in said.split("renumbered")[1].split("\n")[0]
    )

    class Row(Module):
        def __init__(self):
            self.fc = [Linear(weight=(2, 3)) for _ in range(3)]

    with PytorchStore.from_file("gapped.pt") as store:
        (note,) = Row().load_from(store.allow_partial(True)).notes
        assert "fc.2 → fc.1" in note
        assert Row().load_from(store.map_indices_contiguous(False)).notes == []


NOTHING = ("empty.pt", ()), ("numbers.pt", ()), ("trained.pt", ("--filter", "^nothing$"))
NOTHING += (("empty.pt", ("--module", "net.py:Row", "--allow-partial")),)
NOTHING += (("trained.pt", ("--module", "net.py:Other", "--allow-partial")),)


@pytest.mark.parametrize(("source", "options"), NOTHING)
@pytest.mark.parametrize("target", ["out.bpk", "out.safetensors"])
def test_nothing_to_write_is_an_error_and_no_file(source, options, target, folder):
    error = support.raises((NotFound, LoadFailed), run, "convert", source, target, *options)
    assert f"{source}: nothing is left to write" in str(error)
    assert not (folder / target).exists()


def test_a_container_without_tensors_is_read_and_not_converted(folder, capsys):
    data = b"\x02\x00\x00\x00\x00\x00\x00\x00{}"
    (folder / "none.safetensors").write_bytes(data)
    assert open_model("none.safetensors").names() == []
    support.raises(NotFound, run, "convert", "none.safetensors", "out.bpk")
