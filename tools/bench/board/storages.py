"""Measures on MicroPython what a model takes of the heap. Arguments: FOLDER CLASS STORAGE PATH IMAGE.

FOLDER has model.py with the model's CLASS, PATH is its .bpk, IMAGE a ROMFS image of that. The storages are
"module", "rom" and "file"; on the first, the blob is what a module of the firmware has. Prints lines of a
name and bytes: "find" is what `blob.find` keeps, "loaded" what is on the heap once the model, made before,
is loaded and the blob closed.
"""

import gc
import sys

import vfs

from burnrt import blob

source, kind, storage, path, image_path = sys.argv[1:6]
sys.path.insert(0, source)
import model as models

with open(path, "rb") as file:
    data = file.read()
with open(image_path, "rb") as file:
    image = file.read()


class Firmware:
    """A module of the firmware: what it has as DATA takes no heap of the model's."""


folder, _, name = path.rpartition("/")
name = name.rpartition(".")[0]
rom, files = "/no/rom/", "/no/folder/"
if storage == "module":
    sys.modules[name] = Firmware()
    sys.modules[name].DATA = data
elif storage == "rom":
    vfs.mount(vfs.VfsRom(image), "/bench_rom")
    rom = "/bench_rom/"
else:
    files = folder + "/"


def used():
    gc.collect()
    return gc.mem_alloc()


def measured():
    """Return the bytes that finding the blob keeps, and that are there when the model is loaded."""
    model = getattr(models, kind)()
    start = used()
    found = blob.find(name, rom, files)
    assert found.storage == storage, found.storage
    finding = used() - start
    model.load_from(found.store())
    found.close()
    del found
    return finding, used() - start


measured()  # imports all that loading imports
measured()  # and leaves on the stack what the next one leaves there
finding, loaded = measured()
print("find", finding)
print("loaded", loaded)
