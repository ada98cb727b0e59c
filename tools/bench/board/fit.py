"""Measures on MicroPython what a model takes of the heap: what `burnstore fit` foretells.

Arguments: a folder with the runtime's .mpy files, all of which are imported, a .bpk, "flash" or "file", a
folder and the name in it of the model's source, its class, the input's extents. Prints lines of a name and
bytes.
"""

import gc
import os
import sys

sys.path[:] = [sys.argv[1], sys.argv[4]]
marks = [0] * 8
rows = [0] * 512
names = []
data = reader = model = result = answer = given = None
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
import burnrt.value
from burnpack.reader import Reader
from burnrt.value import Value, tensor

gc.collect()
marks[1] = gc.mem_alloc()
source = __import__(sys.argv[5])
cls = getattr(source, sys.argv[6])
shape = tuple([int(word) for word in sys.argv[7].split(",")])
size = 1
for extent in shape:
    size *= extent
file = open(sys.argv[2], "rb")  # noqa: SIM115 - tensors are read from it until the end
data = file.read() if sys.argv[3] == "flash" else None


def opened():
    return Reader.from_stream(file) if data is None else Reader.from_static(data)


def warmed():
    warm = cls()
    warm.apply(opened())
    warm(tensor(bytes(size), shape))


def washed(depth):
    """Write over what calls have left on the stack: the collector would take it for pointers."""
    return depth and 0 * depth + washed(depth - 1)


warmed()
washed(60)
gc.collect()
marks[2] = gc.mem_alloc()
model = cls()
gc.collect()
marks[3] = gc.mem_alloc()
reader = opened()
gc.collect()
marks[4] = gc.mem_alloc()
result = model.apply(reader)
result = None
gc.collect()
marks[5] = gc.mem_alloc()
given = tensor(bytes(size), shape)
gc.collect()
marks[6] = gc.mem_alloc()

plain = burnrt.value.allocate
count = [0]


def watched(shape):
    value = plain(shape)
    gc.collect()
    rows[count[0]] = gc.mem_alloc()
    count[0] += 1
    return value


burnrt.value.allocate = watched
answer = model(given)
burnrt.value.allocate = plain
answer = None
gc.collect()
model = cls()  # what layers keep to work in is the plan's, too
result = model.apply(reader)
result = None
gc.collect()
marks[7] = gc.mem_alloc()
plan = model.plan(shape)
plan.prepare()
gc.collect()
print("plan %d" % (gc.mem_alloc() - marks[7]))
print("code %d" % (marks[1] - marks[0]))
print("rest %d" % (marks[2] - marks[1] - (len(data) if data else 0)))
print("model %d" % (marks[3] - marks[2]))
print("index %d" % (marks[4] - marks[3]))
print("load %d" % (marks[5] - marks[4]))
print("input %d" % (marks[6] - marks[5]))
for place in range(count[0]):
    print("row %d" % (rows[place] - marks[5]))
