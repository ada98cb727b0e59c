"""Loads hostile checkpoints, each in a process of its own with little memory and time, and reports on it.

    python runner.py FOLDER ATTACK.py ...

For each attack a line of JSON: its name, the error's class (or "read") and text, what the interpreter was
seen to do meanwhile (files, processes, imports), the modules that appeared, what the folder holds, and
whether a good checkpoint reads right afterwards. FOLDER is where the hostile files go.
"""

import contextlib
import gc
import importlib.util
import json
import os
import pathlib
import resource
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path[:0] = [str(ROOT / part) for part in ("shared", "host", "tests")]

from burnpack.errors import BurnpackError  # noqa: E402
from burnstore.pytorch.config import load_config  # noqa: E402
from burnstore.pytorch.reader import PytorchReader  # noqa: E402
from burnstore.pytorch.tensors import UnreadTensor  # noqa: E402

MEMORY = 100 << 20  # bytes, beyond the hostile file's own
SECONDS = 20  # of the processor: a second's work, on a machine that is slow and shared
READ = 1 << 20  # bytes of a tensor that are read
WATCHED = tuple("open import exec compile os. subprocess. socket. shutil. ctypes. pickle.".split())
WARM = "dtypes views compressed opaque numpy_values other_folder protocol_0".split()
SCRIPTED = str(ROOT / "tests" / "vectors" / "pytorch_other" / "traced.pt")


def read_all(path):
    """Use everything that a reader offers."""
    with PytorchReader.open(path) as reader:
        reader.metadata()
        reader.others()
        reader.left_out()
        for tensor in reader:
            if not isinstance(tensor, UnreadTensor) and tensor.nbytes <= READ:
                bytes(tensor.data())
        return reader.names()


def read_config(path):
    """Use the plain values; what is refused here may be read as tensors."""
    with contextlib.suppress(BurnpackError):
        repr(load_config(path))
    gc.collect()  # objects in a circle


def golden(name):
    return str(ROOT / "tests" / "vectors" / "pytorch_zip" / f"{name}.pt")


def limit(size):
    """Allow this process so much more memory and time."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + MEMORY + 2 * size
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    spent = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(spent.ru_utime + spent.ru_stime) + SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def attempt(path):
    """Return (error's class or "read", its text) of loading a file."""
    read_config(path)
    try:
        return "read", repr(read_all(path))[:200]
    except BurnpackError as error:
        return type(error).__name__, str(error)


def run(attack, folder):
    """Load the attack's checkpoint under watch; return the report."""
    path = str(folder / attack.__name__) + ".pt"
    pathlib.Path(path).write_bytes(attack.build())
    events, watching = [], [False]

    def watch(event, arguments):
        if watching[0] and event.startswith(WATCHED) and not (event == "open" and arguments[0] == path):
            events.append(f"{event} {arguments!r}"[:200])

    limit(os.path.getsize(path))
    sys.addaudithook(watch)
    modules = set(sys.modules)
    watching[0] = True
    outcome, text = attempt(path)
    watching[0] = False
    return {
        "outcome": outcome,
        "text": text,
        "events": events,
        "modules": sorted(set(sys.modules) - modules),
        "files": sorted(entry.name for entry in folder.iterdir() if entry.name != os.path.basename(path)),
        "clean": attempt(golden("contiguous")),
    }


def run_apart(attack, folder):
    """Run an attack in a child process; return its report, or how the child ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, json.dumps(run(attack, folder)).encode())
            os._exit(0)
        except BaseException as error:  # the report of an error that should not be
            os.write(writing, json.dumps({"outcome": repr(error)}).encode())
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as file:
        report = file.read()
    _, status = os.waitpid(child, 0)
    if not report:
        return {"outcome": f"ended with status {os.waitstatus_to_exitcode(status)}"}
    return json.loads(report)


def load(path):
    """Return the attack in a file."""
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    attack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(attack)
    return attack


def main():
    """Run all attacks."""
    for path in (*map(golden, WARM), SCRIPTED):  # codecs and the like are imported at their first use
        read_config(path)
        read_all(path)
    attempt(__file__)
    for path in sys.argv[2:]:
        attack = load(path)
        folder = pathlib.Path(sys.argv[1]) / attack.__name__
        folder.mkdir()
        print(json.dumps({"attack": attack.__name__, **run_apart(attack, folder)}), flush=True)


if __name__ == "__main__":
    main()
