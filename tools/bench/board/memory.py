"""Measures on MicroPython what stays on the heap. Arguments: a .bpk, and a folder for sys.path or "-".

Prints lines of a name and bytes. A figure is the difference of two marks, each of them a step of its own
(see tools/wasm/run.mjs), so that what the steps themselves cost cancels out; "nothing" shows that it does.
"""

import gc
import sys

marks = [0] * 7
data = reader = name = view = None
if sys.argv[2] != "-":
    sys.path.insert(0, sys.argv[2])
with open(sys.argv[1], "rb") as file:
    data = file.read()
del file
gc.collect()
gc.mem_alloc()
gc.collect()
marks[0] = gc.mem_alloc()
gc.collect()
marks[1] = gc.mem_alloc()
gc.collect()
import burnpack.reader

gc.collect()
marks[2] = gc.mem_alloc()
gc.collect()
from burnpack.reader import Reader

reader = Reader.from_static(data)
reader.view(reader.names()[0])  # what is made once and kept, such as a module's names, is made now
reader = None
gc.collect()
marks[3] = gc.mem_alloc()
gc.collect()
reader = Reader.from_static(data)
gc.collect()
marks[4] = gc.mem_alloc()
gc.collect()
name = reader.names()[0]
gc.collect()
marks[5] = gc.mem_alloc()
gc.collect()
view = reader.view(name)
gc.collect()
marks[6] = gc.mem_alloc()
gc.collect()
for label, first in (("nothing", 0), ("import", 1), ("open", 3), ("view", 5)):
    print(label, marks[first + 1] - marks[first])
print("tensors", len(reader))
