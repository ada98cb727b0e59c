"""Programs that PyTorch exports: what `torch.export.save` writes, as a graph of PyTorch's operations.

graph      the graph, whatever file it is from
opening    the graph of an opened container, and the inputs that it was made with
archive    the archives: which tensors there are, as a checkpoint of `pytorch`
program    the JSON of a program, as a graph; `items` are its values with their places
arguments, metas, symbols, places, kinds
           its parts: arguments, shapes, open extents, modules and lines, numbers that stand for names
samples    the inputs that a program was made with
"""
