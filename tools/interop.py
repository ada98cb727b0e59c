"""Builds the judge made of Burn's own crates, tests/interop: `python -m tools.interop`.

It exits with 0 where it has been built, or can't be on this machine, which it says; with 1 where the
build fails. Nothing else builds it: the tests run what they find, and skip where there is nothing.

What cargo makes is kept between runs, in CARGO_TARGET_DIR or in the user's cache. The program itself is
copied to build/interop, under a name that follows from its sources, so that none is ever asked that was
built from others.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tests" / "interop"
BUILT = ROOT / "build" / "interop"
REASON = BUILT / "unavailable"
NEEDED = "to build the judge of Burn's own crates"


class Unavailable(Exception):
    """The judge can't be built on this machine; the text says why."""


class Failed(Exception):
    """The judge could be built here, and isn't sound."""


def binary() -> Path:
    """Return the path of the program that belongs to the present sources, whether it is there or not."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.glob("*.*")) + sorted(PACKAGE.glob("src/*.rs")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return BUILT / ("interop-%s%s" % (digest.hexdigest()[:16], ".exe" if os.name == "nt" else ""))


def why_not() -> str:
    """Return why there is no program."""
    if REASON.exists():
        return REASON.read_text(encoding="utf-8").strip()
    return "Burn's own crates are not built: `make interop` builds them"


def build() -> Path:
    """Build the program and return its path; raises `Unavailable` or `Failed`."""
    target = binary()
    if not target.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        check_cargo()
        fetch()
        program = compiled()
        for older in BUILT.glob("interop-*"):
            older.unlink()
        shutil.copy2(program, target)
    REASON.unlink(missing_ok=True)
    return target


def check_cargo() -> None:
    """Raise `Unavailable` where there is no cargo, or too old a one."""
    try:
        done = subprocess.run(["cargo", "--version"], cwd=PACKAGE, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise Unavailable("there is no cargo %s" % NEEDED) from None
    except subprocess.CalledProcessError as error:
        raise Unavailable("cargo does not run %s: %s" % (NEEDED, last_line(error.stderr))) from None
    found = done.stdout.split()[1]
    needed = tomllib.loads((PACKAGE / "Cargo.toml").read_text(encoding="utf-8"))["package"]["rust-version"]
    if numbers(found) < numbers(needed):
        raise Unavailable("cargo %s is older than the %s needed %s" % (found, needed, NEEDED))


def fetch() -> None:
    """Bring the crates that are not here yet; raises `Unavailable` where that fails."""
    # `cargo tree` brings what this machine's build needs; `cargo fetch` would bring every platform's.
    done = cargo("tree", "--locked", "--quiet", capture_output=True)
    if done.returncode and "lock file" in done.stderr:
        raise Failed(done.stderr.strip())
    if done.returncode:
        raise Unavailable("no crates %s: %s" % (NEEDED, last_line(done.stderr)))


def compiled() -> Path:
    """Compile; return where cargo has put the program."""
    done = cargo("build", "--release", "--locked", "--offline")
    if done.returncode:
        raise Failed("cargo build failed")
    return target_folder() / "release" / ("interop.exe" if os.name == "nt" else "interop")


def cargo(*words: str, capture_output: bool = False) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["cargo", *words],
        cwd=PACKAGE,
        env={**os.environ, "CARGO_TARGET_DIR": str(target_folder())},
        capture_output=capture_output,
        text=True,
        check=False,
    )


def target_folder() -> Path:
    """Return where cargo keeps what it makes."""
    named = os.environ.get("CARGO_TARGET_DIR")
    if named:
        return Path(named).resolve()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "burnstore" / "interop-target"


def numbers(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version, as in (1, 95)."""
    return tuple(int(part) for part in version.split("-")[0].split(".")[:2])


def last_line(text: str) -> str:
    return text.strip().rsplit("\n", 1)[-1].strip()


def main() -> int:
    try:
        print("the judge of Burn's own crates: %s" % build().relative_to(ROOT), file=sys.stderr)
    except Unavailable as reason:
        BUILT.mkdir(parents=True, exist_ok=True)
        REASON.write_text("%s\n" % reason, encoding="utf-8")
        print("skipped: %s" % reason, file=sys.stderr)
    except Failed as error:
        print("error: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
