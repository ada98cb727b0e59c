"""Kills processes that save, at random moments, and prints what is there after each kill.

    killed.py KIND TARGET KILLS

A child saves version after version over the same target until it is killed. This process has imported all
that it takes, so that a child is there at once.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

import faulty
from burnstore import open_model

SAVES = 3  # that a child could finish, at most, until it is killed


def save_until_killed(kind, target):
    version = 0
    while True:
        version = version % 250 + 1
        faulty.model(version).save_into(faulty.store(kind, target).overwrite(True))


def duration(kind, target):
    """Return the seconds that a save takes here."""
    start = time.perf_counter()
    for _ in range(SAVES):
        faulty.model(255).save_into(faulty.store(kind, target).overwrite(True))
    return (time.perf_counter() - start) / SAVES


def kill_once(kind, target, longest):
    child = os.fork()
    if child == 0:
        try:
            save_until_killed(kind, target)
        finally:
            os._exit(1)  # it only gets here if a save failed
    time.sleep(random.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "a save failed"


def is_left_over(path, used):
    return path.name.endswith(".tmp") or (path not in used and "-of-" in path.name)


def files_of(kind, target):
    """Return the files that the model at `target` is made of."""
    if kind != "sharded":
        return {target}
    index = target.with_name(target.name + ".index.json")
    with open_model(index) as opened:
        shards = {Path(mapped) for mapped in opened.paths()}
    return {index, *shards}


kind, target, kills = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
faulty.model(255).save_into(faulty.store(kind, target))
longest = SAVES * duration(kind, target)
left_over = 0
for _ in range(kills):
    kill_once(kind, target, longest)
    version = faulty.version_of(faulty.store(kind, target))  # which raises unless it is whole
    whole = faulty.model(version)
    used = files_of(kind, target)
    others = [path for path in target.parent.iterdir() if path not in used]
    assert all(is_left_over(path, used) for path in others), others
    left_over += bool(others)
    for path in others:
        path.unlink()
    if kind != "sharded":
        check = target.with_name("check" + target.suffix)
        whole.save_into(faulty.store(kind, check))
        assert check.read_bytes() == target.read_bytes(), "the target is not byte for byte what was saved"
        check.unlink()
    print(version)
print("left over:", left_over)
