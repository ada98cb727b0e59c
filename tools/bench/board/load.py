"""Measures on MicroPython what loading a model takes of the heap. Arguments: a .bpk, and a folder or "-".

The model is built from the file's own names and shapes. Prints lines of a name and bytes, measured as in
memory.py: "load" is what is still on the heap afterwards, with the store and the result alive; "passing" is
all that was allocated on the way, had nothing been collected.
"""

import gc
import sys

marks = [0] * 6
data = model = store = result = None
if sys.argv[2] != "-":
    sys.path.insert(0, sys.argv[2])
with open(sys.argv[1], "rb") as file:
    data = file.read()
del file
from burnpack.module import Module, Param
from burnpack.reader import Reader
from burnpack.store import BurnpackStore


def grown(reader):
    """Return a module with a parameter for each tensor."""
    top = Module()
    for name in reader.names():
        parts = name.split(".")
        inner = top
        for part in parts[:-1]:
            if not hasattr(inner, part):
                setattr(inner, part, Module())
            inner = getattr(inner, part)
        setattr(inner, parts[-1], Param(reader.tensor(name).shape))
    return top


grown(Reader.from_static(data)).load_from(BurnpackStore.from_static(data))  # imports all that loading imports
model = grown(Reader.from_static(data))
gc.collect()
gc.mem_alloc()
gc.collect()
marks[0] = gc.mem_alloc()
gc.collect()
marks[1] = gc.mem_alloc()
gc.collect()
store = BurnpackStore.from_static(data)
result = model.load_from(store)
gc.collect()
marks[2] = gc.mem_alloc()
gc.collect()
store = result = None
gc.collect()
marks[3] = gc.mem_alloc()
gc.collect()
gc.disable()
marks[4] = gc.mem_alloc()
store = BurnpackStore.from_static(data)
result = model.load_from(store)
marks[5] = gc.mem_alloc()
gc.enable()
gc.collect()
print("nothing", marks[1] - marks[0])
print("load", marks[2] - marks[1])
print("model", marks[3] - marks[1])
print("passing", marks[5] - marks[4])
print("tensors", len(result.applied))
