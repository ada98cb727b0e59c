"""Asks Burn's own crates, through the program of tests/interop, and tells what our readers see alike.

The form is a dictionary:

    metadata   {key: text}
    scalars    {name: {kind: value}}, a float by its bits in hex
    tensors    [{"name", "dtype" as Burn writes it, "shape", "param_id", "bytes" in hex}], by name
"""

import json
import struct
import subprocess

import pytest

from burnstore.io.facts import dtype_name
from tools import interop

NAN = "7ff8000000000000"


def ask(*words, told=""):
    """Run the program; return its lines as they were parsed. Skips the test where it has not been built.

    told: what it reads from stdin.
    """
    program = interop.binary()
    if not program.exists():
        pytest.skip(interop.why_not())
    done = subprocess.run([program, *map(str, words)], input=told.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    # Not splitlines(), which also parts at the strange line ends that names may have in them.
    return [json.loads(line) for line in done.stdout.decode("utf-8").split("\n")[:-1]]


def read(folder):
    """Return what Burn reads of each file in `folder`, by name: the form above, {"error"} or {"panic"}."""
    return [canonical(seen) for seen in ask("read", folder)]


def names(asked):
    """Return what Burn's filters and remappings make of each of `asked`: see `names.rs`."""
    return ask("names", told="".join(json.dumps(one) + "\n" for one in asked))


def stores(asked):
    """Return what Burn's stores do for each of `asked`: see `stores.rs`."""
    return ask("stores", told="".join(json.dumps(one) + "\n" for one in asked))


def canonical(seen):
    """Return what the program printed of a container, without the file's name, and with one NaN only."""
    found = {key: value for key, value in seen.items() if key != "file"}
    if "scalars" in found:
        found["scalars"] = {name: _one_nan(scalar) for name, scalar in found["scalars"].items()}
    return found


def _one_nan(scalar):
    bits = scalar.get("Float")
    return {"Float": NAN} if bits and int(bits, 16) & (1 << 63) - 1 > 0x7FF << 52 else scalar


def ours(reader):
    """Return what one of our readers sees, in this module's form."""
    return {
        "metadata": dict(reader.metadata()),
        "scalars": {name: scalar(*content) for name, content in reader.scalars()},
        "tensors": by_name(described(tensor) for tensor in reader),
    }


def meant(tensors, metadata, scalars):
    """Return what a writer was given, in this module's form."""
    return {
        "metadata": dict(metadata),
        "scalars": {name: scalar(*content) for name, content in scalars},
        "tensors": by_name(described(tensor) for tensor in tensors),
    }


def scalar(kind, value):
    """Return a scalar in this module's form."""
    return _one_nan({kind: struct.pack(">d", value).hex() if kind == "Float" else value})


def described(tensor):
    """Return a tensor in this module's form."""
    return {
        "name": tensor.name,
        "dtype": dtype_name(tensor.dtype),
        "shape": list(tensor.shape),
        "param_id": tensor.param_id,
        "bytes": bytes(tensor.data()).hex(),
    }


def by_name(tensors):
    """Return descriptions sorted as Burn sorts them."""
    return sorted(tensors, key=lambda tensor: tensor["name"].encode())
