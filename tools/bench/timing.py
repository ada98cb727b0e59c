"""Times and peak memory, taken so that they can be compared: best of several, or in a process of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATHS = [str(ROOT / folder) for folder in ("shared", "host", "device", ".")]

# Runs in a process of its own: how long `action()` took, and by how much the peak memory grew meanwhile.
_PEAK = """
import json, sys, time
sys.path[:0] = {paths!r}
{setup}
def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key))
try:
    open("/proc/self/clear_refs", "w").write("5")  # the peak starts again from what there is now
except OSError:
    pass
before, start = status("VmRSS:"), time.perf_counter()
{action}
took = time.perf_counter() - start
print(json.dumps({{"seconds": took, "peak": (status("VmHWM:") - before) * 1024}}))
"""

# Runs a command, and nothing else: how long it took, and the peak of its memory, mapped files included.
_WHOLE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
took = time.perf_counter() - start
if done.returncode:
    sys.exit(done.stderr)
print(json.dumps({"seconds": took, "peak": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024}))
"""


def best(action: Callable[[], object], rounds: int = 20) -> float:
    """Return the seconds of the quickest of several rounds: the one that was disturbed least."""
    quickest = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        quickest = min(quickest, time.perf_counter() - start)
    return quickest


def alternated(actions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the best seconds of each action, taken in turns so that a slow moment strikes all alike."""
    found = dict.fromkeys(actions, float("inf"))
    for _ in range(rounds):
        for name, action in actions.items():
            found[name] = min(found[name], best(action, 1))
    return found


def whole(command: Sequence[str]) -> dict[str, float]:
    """Run a command, for which our packages are at hand; return its "seconds" and "peak" bytes of memory.

    A process starts with the peak of the one that starts it: so a small one does.
    """
    runner = [sys.executable, "-I", "-S", "-c", _WHOLE, *command]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}
    done = subprocess.run(runner, check=True, capture_output=True, text=True, env=environment)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def measured(setup: str, action: str) -> dict[str, Any]:
    """Run `setup`, then `action`, in a fresh process; return the action's "seconds" and "peak" bytes."""
    script = _PEAK.format(paths=PATHS, setup=setup, action=action)
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result
