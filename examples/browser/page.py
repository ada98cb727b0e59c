"""What the page asks of MicroPython: to open a model, and to run it. What is asked and told is JSON."""

import gc
import json
from time import ticks_diff, ticks_us

from burnrt import Model

model = None


def opened(name):
    """Open a model's file, in place of the one before, and tell what goes in and out."""
    global model
    model = None
    model = Model(name)
    return json.dumps(
        {
            "inputs": [about(end) for end in model.inputs],
            "outputs": [about(end) for end in model.outputs],
            "states": len(model.states),
            "steps": len(model.calls),
        }
    )


def about(end):
    """Return the shape of an input or output, and of bytes what they stand for."""
    return {"shape": end.shape, "scale": end.scale, "zero": end.zero}


def run(values):
    """Run the model; tell the numbers of its outputs, and what the run took.

    values: the numbers of each input, as JSON. The outputs are texts, since JSON has no infinity.
    """
    given = json.loads(values)
    for number, end in enumerate(model.inputs):
        end.write(given[number])
    allocated = gc.mem_alloc()
    started = ticks_us()
    model.run()
    took = ticks_diff(ticks_us(), started)
    allocated = gc.mem_alloc() - allocated
    outputs = [[str(number) for number in end.read().data] for end in model.outputs]
    return json.dumps({"outputs": outputs, "microseconds": took, "allocated": allocated})
