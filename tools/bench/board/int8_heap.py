"""Print the heap that a quantized model and its plan keep, without the arena.

int8_heap.py MODEL.bpk
"""

import gc
import sys

from burnpack.reader import Reader
from burnrt import int8

with open(sys.argv[1], "rb") as file:
    data = file.read()
plan = int8.Model(Reader.from_static(data)).plan()
plan.run()  # brings in all code, so that it isn't counted
plan = None
gc.collect()
before = gc.mem_alloc()
model = int8.Model(Reader.from_static(data))
plan = model.plan()
plan.prepare()
gc.collect()
print(gc.mem_alloc() - before - plan.size)
