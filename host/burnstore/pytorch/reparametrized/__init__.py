"""Reparametrized weights: what PyTorch computes of several tensors before it runs a layer, computed here.

fold       a list of tensors with these weights in the place of their parts
hooked     names that weight_norm, spectral_norm and pruning give with their hooks: weight_g, weight_v
listed     names that torch.nn.utils.parametrize gives: parametrizations.weight.original0
weights    one such weight as a lazy tensor, where its parts fit together
formulas   the arithmetic, with numpy

All is as in eval mode: spectral_norm takes the vectors that are in the file.
"""
