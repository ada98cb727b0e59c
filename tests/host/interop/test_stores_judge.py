"""Stores write and take the names that Burn's do by the same options."""

import pytest

from burnpack.errors import BurnpackError
from burnpack.module import walk
from burnstore import (
    BurnpackStore,
    BurnToPyTorchAdapter,
    PathFilter,
    PyTorchToBurnAdapter,
    SafetensorsStore,
    open_model,
)
from kit import support
from kit.interop import interop_judge as judge
from kit.models.zoo import Zoo

STORES = {"bpk": BurnpackStore, "safetensors": SafetensorsStore}
# What the judge calls an option, and what it is here.
OPTIONS = {
    "empty_filter": lambda store: store.with_filter(PathFilter()),
    "regex": lambda store, pattern: store.with_regex(pattern),
    "rename": lambda store, old, new: store.with_remap_pattern(old, new),
    "to_pytorch": lambda store: store.with_to_adapter(BurnToPyTorchAdapter),
    "from_pytorch": lambda store: store.with_from_adapter(PyTorchToBurnAdapter),
    "partial": lambda store: store.allow_partial(True),
    "overwrite": lambda store: store.overwrite(True),
}
SAVED = (
    [],
    [["empty_filter"]],
    [["empty_filter"], ["regex", "^ln"]],
    [["regex", "weight$"], ["regex", "^bn1"]],
    [["regex", r"^blocks\.[[:digit:]]\.norm"]],
    [["to_pytorch"]],
    [["to_pytorch"], ["regex", r"^ln\.(gamma|weight)$"]],
    [["to_pytorch"], ["regex", "gamma$"]],
    [["rename", "^lin", "dense"]],
    [["rename", r"\.weight$", ".kernel"], ["regex", "weight$"]],
    [["rename", "weight", "kernel"], ["to_pytorch"], ["regex", "^ln.weight"]],
)
LOADED = (
    [],
    [["empty_filter"]],
    [["regex", "gamma$"]],
    [["regex", "nothing"]],
    [["rename", "^", "net."], ["partial"]],
)


def made(store, options):
    for name, *arguments in options:
        store = OPTIONS[name](store, *arguments)
    return store


def filled():
    model = Zoo()
    for _, _, param in walk(model):
        param.data = bytes(param.nbytes())
    return model


def prelus(names):
    """Return the names without PRelu's, which Burn's adapter leaves to a rename by hand."""
    return sorted(name for name in names if not name.startswith("prelu"))


@pytest.mark.parametrize("ending", STORES)
def test_a_save_writes_the_names_that_burns_does(tmp_path, ending):
    asked = [
        {
            "do": "save",
            "model": "zoo",
            "file": str(tmp_path / ("burns%d.%s" % (number, ending))),
            "options": options,
        }
        for number, options in enumerate(SAVED)
    ]
    assert all(line.get("saved") for line in judge.stores(asked))
    for number, options in enumerate(SAVED):
        path = tmp_path / ("ours%d.%s" % (number, ending))
        filled().save_into(made(STORES[ending].from_file(path), options))
        with open_model(path) as found, open_model(asked[number]["file"]) as burns:
            expected = prelus(burns.names())
            if ending == "bpk":  # Burn's own store for these renames what it reads, and not what it writes
                for old, new in [option[1:] for option in options if option[0] == "rename"]:
                    expected = sorted(name for name, _ in renamed(expected, old, new))
            assert prelus(found.names()) == expected, options


def renamed(names, old, new):
    [line] = judge.names([{"renames": [[old, new]], "names": names}])
    return line["pairs"]


@pytest.mark.parametrize("ending", STORES)
def test_a_load_takes_the_names_that_burns_does(tmp_path, ending):
    path = tmp_path / ("model.%s" % ending)
    filled().save_into(STORES[ending].from_file(path))
    asked = [{"do": "load", "model": "zoo", "file": str(path), "options": options} for options in LOADED]
    for options, line in zip(LOADED, judge.stores(asked), strict=True):
        result = Zoo().load_from(made(STORES[ending].from_file(path), options))
        assert sorted(result.applied) == sorted(line["applied"]), options
        assert sorted(result.skipped) == sorted(line["skipped"]), options


@pytest.mark.parametrize("ending", STORES)
def test_a_link_to_nothing_is_kept_as_by_burn(tmp_path, ending):
    link = tmp_path / ("link.%s" % ending)
    link.symlink_to(tmp_path / "nothing")
    [line] = judge.stores([{"do": "save", "model": "zoo", "file": str(link), "options": []}])
    assert "error" in line and link.is_symlink()
    support.raises(BurnpackError, filled().save_into, STORES[ending].from_file(link))
    assert link.is_symlink() and not link.exists()
