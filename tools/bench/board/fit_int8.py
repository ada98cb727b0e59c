"""Measures on MicroPython what a quantized model takes of the heap: what `burnstore fit` foretells.

Arguments: a folder with the runtime's .mpy files, all of which are imported, a .bpk, "flash" or "file".
Prints lines of a name and bytes.
"""

import gc
import os
import sys

sys.path[:] = [sys.argv[1]]
marks = [0] * 8
data = reader = model = plan = file = None
gc.collect()
gc.collect()
marks[0] = gc.mem_alloc()
pending = ["burnpack", "burnrt"]
while pending:
    module = pending.pop()
    __import__(module)
    folder = sys.argv[1] + "/" + module.replace(".", "/")
    try:
        entries = os.listdir(folder)
    except OSError:
        continue  # a file
    for entry in entries:
        if not entry.startswith("__"):
            pending.append(module + "." + entry.replace(".mpy", ""))
del pending, module, folder, entries, entry
from burnpack.reader import Reader
from burnrt import int8

gc.collect()
marks[1] = gc.mem_alloc()
file = open(sys.argv[2], "rb")  # noqa: SIM115 - tensors are read from it until the end
data = file.read() if sys.argv[3] == "flash" else None


def opened():
    return Reader.from_stream(file) if data is None else Reader.from_static(data)


def warm():
    int8.Model(opened()).plan().run()


def deep(count):
    return count and deep(count - 1)


warm()
deep(40)  # over what the stack still says of that
gc.collect()
marks[2] = gc.mem_alloc()
reader = opened()
gc.collect()
marks[3] = gc.mem_alloc()
model = int8.Model(reader)
gc.collect()
marks[4] = gc.mem_alloc()
plan = model.plan()
plan.prepare()
gc.collect()
marks[5] = gc.mem_alloc()
plan.run()
marks[6] = gc.mem_alloc()
print("code %d" % (marks[1] - marks[0]))
print("rest %d" % (marks[2] - marks[1] - (len(data) if data else 0)))
print("index %d" % (marks[3] - marks[2]))
print("load %d" % (marks[4] - marks[3]))
print("plan %d" % (marks[5] - marks[4]))
print("run %d" % (marks[6] - marks[5]))
