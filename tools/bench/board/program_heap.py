"""Prints what a runtime and a model keep of MicroPython's heap: lines of a name and bytes.

program_heap.py FOLDER MODEL.bpk [idle]: the folder has burnrt.mpy. The model runs once, unless it stays idle.
"""

import gc
import sys

sys.path[:] = [sys.argv[1]]
gc.collect()
before = gc.mem_alloc()
from burnrt import Model

gc.collect()
imported = gc.mem_alloc()
model = Model(sys.argv[2])
if len(sys.argv) < 4:
    model.run()
gc.collect()
print("runtime %d" % (imported - before))
print("all %d" % (gc.mem_alloc() - before))
