"""TorchScript: what `torch.jit.save` writes, as a graph of PyTorch's operations.

The archive holds the code of the network as source text, see `pytorch.torchscript`. It is followed statement
by statement, without numbers, as far as each step is known beforehand; no code runs.

code       the classes and functions of the archive, by their names
machine    follows a function: statements, expressions, calls
plain      functions on numbers, lists and texts
schemas    which operation a call means, and what its arguments are called
shapes     what operations make of which shapes; `views`, `layers` are parts of it
network    the graph as it is made, and what modules have
network    the graph as it is made, and what modules have
following  all of this, from inputs to answers
program    what is known before
"""
