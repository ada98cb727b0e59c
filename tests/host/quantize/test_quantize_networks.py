"""Networks that others wrote, quantized whole: every interpreter and every chip answers the same bytes."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from burnrt import kernels
from burnstore.cli import commands
from kit import support
from kit.int8.answered import answered
from tools import interpreters, performance

DATA = Path(support.path("tests/data/pt2"))
FILES = sorted(DATA.glob("*.pt2"))
IDS = [path.stem for path in FILES]
SCRIPT = Path(support.path("tests/kit/int8/answered.py"))
SAMPLES = 32


def samples_of(path):
    """Return the inputs that lie beside a network, with noise; indices are drawn anew."""
    found = load_file(path.with_name(path.stem.replace("_torch2.6", "") + ".io.safetensors"))
    random, samples = np.random.default_rng(0), {}
    for name in sorted(found):
        if name.startswith("input"):
            given = found[name]
            chosen = given[np.arange(SAMPLES) % len(given)] if path.stem != "lstm_seq_first" else given[None]
            chosen = np.broadcast_to(chosen, (SAMPLES, *chosen.shape[1:]))
            if given.dtype.kind == "i":
                samples[name] = random.integers(0, 50, chosen.shape)
            else:
                noise = random.normal(0, 0.1 * given.std() + 0.01, chosen.shape)
                samples[name] = (chosen + noise).astype(np.float32)
    return samples


@pytest.fixture(scope="module")
def quantized(tmp_path_factory):
    """Return {name: the file of a network in integers}."""
    folder, made = tmp_path_factory.mktemp("quantized"), {}
    for path in FILES:
        samples, target = folder / f"{path.stem}.safetensors", folder / f"{path.stem}.bpk"
        save_file(samples_of(path), samples)
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
    performance.run(quantized[name].read_bytes(), chip)
