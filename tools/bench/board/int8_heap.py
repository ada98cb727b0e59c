"""Print the heap that a quantized model keeps, without the arena.

int8_heap.py MODEL.bpk
"""

import gc
import sys

from burnrt import Model

with open(sys.argv[1], "rb") as file:
    data = file.read()
model = Model(data)
model.run()  # brings in all code, so that it isn't counted
model = None
gc.collect()
before = gc.mem_alloc()
model = Model(data)
gc.collect()
print(gc.mem_alloc() - before - len(model.arena))
