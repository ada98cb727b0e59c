"""ROMFS images in tests, and what MicroPython's own reader tells of one."""

import hashlib
import json

import pytest

from burnstore.boards.images.romfs import parse_image
from burnstore.boards.images.romfs_writer import write_image
from tools import interpreters

# Mounts the image and tells, of each file, the hash of what it reads, where in the image a view of it is,
# and whether that view has the same bytes.
MOUNT = """
import sys
import hashlib
import json
import os
import uctypes
import vfs

with open(sys.argv[1], "rb") as file:
    image = file.read()
vfs.mount(vfs.VfsRom(image), "/image")

def tell(folder):
    for name, kind, _, size in os.ilistdir(folder):
        path = folder + "/" + name
        if kind == 0x4000:
            tell(path)
            continue
        with open(path, "rb") as file:
            content = file.read()
            view = memoryview(file)
            offset = uctypes.addressof(view) - uctypes.addressof(image) if size else None
            row = [path[7:], size, bytes(hashlib.sha256(content).digest()).hex(), offset, view == content]
            print(json.dumps(row))

tell("/image")
"""


def joined(folder):
    return b"".join(bytes(piece) for piece in write_image(folder))


def content_of(image):
    """Return {path: bytes} of an image."""
    return {
        entry.path: image[entry.offset : entry.offset + entry.size]
        for entry in parse_image(memoryview(image))
    }


def mounted(image, scratch):
    """Return what MicroPython's own reader tells of an image, by path; skips where there is none."""
    path, script = scratch / "x.romfs", scratch / "mount.py"
    path.write_bytes(image)
    script.write_text(MOUNT)
    try:
        done = interpreters.run("unix", script, [str(path)], heap="16M")
    except interpreters.Missing as reason:
        pytest.skip(str(reason))
    assert done.returncode == 0, done.stdout + done.stderr
    return {row[0]: row[1:] for row in map(json.loads, done.stdout.splitlines())}


def check_mounted(image, wanted, scratch):
    """Check that MicroPython finds exactly these files, byte for byte, where our reader says they are."""
    offsets = {entry.path: entry.offset for entry in parse_image(memoryview(image))}
    found = mounted(image, scratch)
    assert set(found) == set(wanted) == set(offsets)
    for path, data in wanted.items():
        size, digest, offset, view_is_same = found[path]
        assert (size, digest, view_is_same) == (len(data), hashlib.sha256(data).hexdigest(), True), path
        assert offset is None or offset == offsets[path], path
