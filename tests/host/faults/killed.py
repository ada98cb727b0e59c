"""Kills processes that save, at random moments, and prints what is there after each kill.

    killed.py KIND TARGET KILLS

A child saves version after version over the same target until it is killed. A moment is a number of calls,
after which the child asks to be killed and goes on: the kill strikes soon after, however busy the machine.
"""

import itertools
import os
import random
import signal
import sys
from pathlib import Path

from burnstore import open_model
from kit import faulty

SAVES = 3  # that a child could finish, at most, until it is killed


def save_until_killed(kind, target):
    version = 0
    while True:
        version = version % 250 + 1
        faulty.model(version).save_into(faulty.store(kind, target).overwrite(True))


def calls_of_saves(kind, target):
    """Return the number of calls and returns in SAVES saves."""
    seen = []
    sys.setprofile(lambda *event: seen.append(None))
    for _ in range(SAVES):
        faulty.model(255).save_into(faulty.store(kind, target).overwrite(True))
    sys.setprofile(None)
    return len(seen)


def ask_after(calls, pipe):
    """Write to the pipe once this process has made so many calls and returns."""
    counter = itertools.count(1)
    sys.setprofile(lambda *event: next(counter) == calls and os.write(pipe, b"x"))


def kill_once(kind, target, longest):
    asked, ask = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            ask_after(random.randint(1, longest), ask)
            save_until_killed(kind, target)
        finally:
            os._exit(1)  # it only gets here if a save failed
    os.close(ask)
    os.read(asked, 1)  # nothing, where the child has ended
    os.close(asked)
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
longest = calls_of_saves(kind, target)
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
