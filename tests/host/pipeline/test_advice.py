"""What an error offers mends it when it is followed word by word; where nothing helps, nothing is offered."""

import ast
import random
import re
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import burnstore
from burnpack.errors import LoadFailed
from burnpack.module import walk
from burnpack.safetensors_writer import Writer
from burnpack.writer import Writer as BurnpackWriter
from burnstore.advice.conversions import in_options
from burnstore.cli import commands
from burnstore.numerics.adapters import IdentityAdapter, PyTorchToBurnAdapter
from burnstore.stores import BurnpackStore, PytorchStore, SafetensorsStore
from kit.examples import examples
from kit.models.mistakes import checkpoint, filled, mistaken, random_module, tensors_of

KINDS = ("safetensors", "pt", "bpk")
CALL = re.compile(r"(\w+\((?:True|False|\w+\(\)|r?\"[^\"]*\"(?:, \"[^\"]*\")?)\)) ")
OPTION = re.compile(r"convert (--.+) (?:reads|leaves|loads|takes|puts|gives) ")
KEYWORD = re.compile(r"(\w+)=(.+) (?:reads|leaves|loads|takes|puts|gives) ")
NAMES = {"PyTorchToBurnAdapter": PyTorchToBurnAdapter, "IdentityAdapter": IdentityAdapter}


# The same examples each time: a model of two parameters may leave open what is meant; then nothing is told.
FIXED = settings(derandomize=True)


def helps(text):
    return [line for line in text.split("\n") if line.startswith("help: ")]


def bytes_of(kind, tensors):
    if kind == "pt":
        return checkpoint(tensors)
    return (BurnpackWriter if kind == "bpk" else Writer)(tensors).to_bytes()


def store_of(kind, tensors):
    store = {"pt": PytorchStore, "bpk": BurnpackStore, "safetensors": SafetensorsStore}[kind]
    return store.from_bytes(bytes_of(kind, tensors))


def error_of(module, store):
    """Return the error of a load, or None."""
    try:
        module.load_from(store)
    except LoadFailed as error:
        return error
    return None


def followed(store, lines):
    """Return the store with the methods called that lines of help name, each exactly as it is worded."""
    for line in lines:
        for call in CALL.findall(line + " "):
            store = eval("store." + call, {"store": store, **NAMES})
    return store


def numbers(module):
    return [bytes(param.data) for _, _, param in walk(module)]


def emptied(module):
    for _, _, param in walk(module):
        param.data = None
    return module


@FIXED
@given(st.integers(0, 1 << 32), st.sampled_from(KINDS))
def test_what_a_store_is_advised_loads_all_of_it_rightly(seed, kind):
    module, tensors = mistaken(random.Random(seed), kind)
    wanted = numbers(module)
    error = error_of(emptied(module), store_of(kind, tensors))
    if error is None:
        return
    store = followed(store_of(kind, tensors), helps(str(error)))
    assert len(store.tried(module).applied) > len(error.result.applied), str(error)
    result = module.load_from(store)
    assert (result.missing, result.errors) == ([], []) and numbers(module) == wanted, str(error)


@examples(0.5)
@given(st.integers(0, 1 << 32), st.sampled_from(KINDS))
def test_what_is_followed_makes_more_fit_and_nothing_wrongly(seed, kind):
    module, tensors = mistaken(random.Random(seed), kind)
    wanted = numbers(module)
    error = error_of(emptied(module), store_of(kind, tensors))
    lines = helps(str(error)) if error is not None else []
    if not lines:
        return
    store = followed(store_of(kind, tensors), lines)
    assert len(store.tried(module).applied) > len(error.result.applied), str(error)
    module.load_from(store.allow_partial(True).validate(False))
    assert all(found in (b"", number) for found, number in zip(loaded(module), wanted, strict=True))


def loaded(module):
    return [b"" if param.data is None else bytes(param.data) for _, _, param in walk(module)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("advice")
    (folder / "model.py").write_text(
        "import random\nfrom burnpack.module import Module\nfrom kit.models.mistakes import mistaken\n\n"
        "class Net(Module):\n    def __init__(self):\n        from pathlib import Path\n"
        "        seed, kind = (Path(__file__).parent / 'seed.txt').read_text().split()\n"
        "        self.__dict__.update(mistaken(random.Random(int(seed)), kind)[0].__dict__)\n"
    )
    return folder


def converted(folder, kind, options=()):
    """Return the error of a conversion, or None."""
    words = [str(folder / f"in.{kind}"), str(folder / "out.bpk"), "--module", f"{folder}/model.py:Net"]
    try:
        commands.main(["convert", *words, "--overwrite", *options], standalone_mode=False)
    except LoadFailed as error:
        return error
    return None


@examples(0.5, FIXED)
@given(st.integers(0, 1 << 32), st.sampled_from(KINDS))
def test_what_the_command_is_advised_converts_all_of_it_rightly(folder, seed, kind):
    module, tensors = mistaken(random.Random(seed), kind)
    (folder / "seed.txt").write_text(f"{seed} {kind}")
    (folder / f"in.{kind}").write_bytes(bytes_of(kind, tensors))
    error = converted(folder, kind)
    if error is not None:
        lines = helps(in_options(error))
        options = [word for line in lines for found in OPTION.findall(line) for word in shlex.split(found)]
        again = converted(folder, kind, options)
        assert options and again is None, in_options(error)
    wanted = numbers(module)
    with BurnpackStore.from_file(folder / "out.bpk") as store:
        emptied(module).load_from(store)
        assert numbers(module) == wanted


OTHER_NAMES = "features classifier gate query key value up down sru gru mixer heads cell state".split()


@FIXED
@given(st.integers(0, 1 << 32), st.sampled_from(KINDS))
def test_of_another_model_it_is_said_that_it_is_and_nothing_is_advised(seed, kind):
    rng = random.Random(seed)
    module = random_module(rng)
    tensors = tensors_of(filled(rng, random_module(rng, OTHER_NAMES)), pytorchs=rng.random() < 0.5)
    text = str(error_of(module, store_of(kind, tensors)))
    assert not helps(text), text
    assert text.endswith("is the file another model's?"), text


def keywords_of(lines):
    """Return the keywords of `burnstore.convert` that lines of help name, those of one name together."""
    found = {}
    for name, value in (KEYWORD.search(line).groups() for line in lines):
        value = ast.literal_eval(value)
        if name in ("strip_prefix", "rename"):
            value = found.get(name, []) + (value if isinstance(value, list) else [value])
        found[name] = value
    return found


@examples(0.5, FIXED)
@given(st.integers(0, 1 << 32), st.sampled_from(KINDS))
def test_what_a_script_that_converts_is_advised_converts_all_of_it_rightly(folder, seed, kind):
    module, tensors = mistaken(random.Random(seed), kind)
    wanted = numbers(module)
    source, target = folder / f"script.{kind}", folder / "script.out.bpk"
    source.write_bytes(bytes_of(kind, tensors))
    emptied(module)
    try:
        burnstore.convert(source, target, module, overwrite=True)
    except LoadFailed as error:
        keywords = keywords_of(helps(str(error)))
        assert keywords, str(error)
        burnstore.convert(source, target, module, overwrite=True, **keywords)
    with BurnpackStore.from_file(target) as store:
        module.load_from(store)
        assert numbers(module) == wanted
