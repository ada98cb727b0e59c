"""Programs that PyTorch exports: what `torch.export.save` writes, as a graph of PyTorch's operations.

graph      the graph, whatever file it is from; `listing` is the same as plain values
opening    the graph of an opened container, and the inputs that it was made with
archive    the archives: which tensors there are, as a checkpoint of `pytorch`
program    the JSON of a program, as a graph; `items` are its values with their places
nodes      its operations; `arguments`, `places` (modules, lines of Python), `signature` are parts of them
metas      shapes and dtypes, by `kinds`, numbers that stand for names; `symbols` are extents that are open
inplace    operations that change a value in place
script     networks in TorchScript, as the same graph
samples    the inputs that a program was made with
"""
