"""Networks that others wrote, quantized whole: every interpreter and every chip answers the same bytes."""

from pathlib import Path

import pytest
from safetensors.numpy import save_file

from burnrt import kernels
from burnstore.cli import commands
from kit import support
from kit.int8 import networks
from kit.int8.answered import answered
from kit.int8.networks import samples_of
from tools import interpreters, performance

FEW = 8  # samples: what a network loses is measured elsewhere
FILES = [*networks.FILES, Path(support.path("tests/vectors/words/words.pt2"))]
IDS = [path.stem for path in FILES]
OF_16_BITS = {"wide_lookup", "narrow"}  # which have no machine code
SCRIPT = Path(support.path("tests/kit/int8/answered.py"))


@pytest.fixture(scope="module")
def quantized(tmp_path_factory):
    """Return {name: the file of a network in integers}."""
    folder, made = tmp_path_factory.mktemp("quantized"), {}
    for path in FILES:
        samples, target = folder / f"{path.stem}.safetensors", folder / f"{path.stem}.bpk"
        save_file({name: array[:FEW] for name, array in samples_of(path).items()}, samples)
        words = ["quantize", str(path), "--calibrate", str(samples), "-o", str(target), "-q"]
        commands.main(words, standalone_mode=False)
        made[path.stem] = target
    return made


@pytest.mark.parametrize("name", IDS)
def test_a_network_answers_the_same_bytes_by_plain_kernels(name, quantized):
    wanted = answered(str(quantized[name]))
    kernels.int8.use("plain")
    try:
        assert answered(str(quantized[name])) == wanted
    finally:
        kernels.int8.use()


@pytest.mark.parametrize("interpreter", ["unix", "wasm"])
def test_networks_answer_the_same_bytes_on_micropython(interpreter, quantized):
    paths = [str(path) for path in quantized.values()]
    try:
        done = interpreters.run(interpreter, SCRIPT, paths, heap="8M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    found = dict(line.split() for line in done.stdout.decode().splitlines())
    assert found == {f"{name}.bpk": answered(str(path)).hex() for name, path in quantized.items()}


@pytest.mark.parametrize("chip", ["armv6m", "armv7emsp"])
@pytest.mark.parametrize("name", IDS)
def test_a_network_answers_the_same_bytes_by_machine_code(name, chip, quantized):
    found = performance.run(quantized[name].read_bytes(), chip)
    assert set(found.without) <= OF_16_BITS and found.instructions > 0
