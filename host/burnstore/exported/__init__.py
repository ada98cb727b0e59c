"""Programs that PyTorch exports: what `torch.export.save` writes, as a graph of PyTorch's operations.

graph  the graph, whatever file it is from
"""
