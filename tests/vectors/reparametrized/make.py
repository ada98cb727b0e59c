"""Make parts.safetensors and weights.safetensors: parts of weights, and what PyTorch makes of them.

    python tests/vectors/reparametrized/make.py        needs torch and safetensors

parts.safetensors: the `state_dict()` of each case's module, behind the case's name. weights.safetensors:
`<case>.<name>`, as PyTorch computes it in eval mode.
"""

import warnings
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn.utils import prune
from torch.nn.utils import spectral_norm as hooked_spectral
from torch.nn.utils import weight_norm as hooked_weight
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

HERE = Path(__file__).parent
WEIGHT = ("weight",)


def trained(layer, *shape):
    """Return a layer whose vectors were made by power iterations, as in training."""
    for _ in range(3):
        layer(torch.randn(shape))
    return layer


def with_names(layer, normed, *names):
    for name in names:
        normed(layer, name)
    return layer


def pruned():
    layer = nn.Linear(6, 5)
    prune.l1_unstructured(layer, "weight", 3)
    prune.random_unstructured(layer, "bias", 2)
    prune.random_unstructured(layer, "weight", 0.2)
    return layer


def cases():
    """Return {case: (module, names of its weights)}."""
    found = {}
    for kind, normed in (("hooked", hooked_weight), ("listed", weight_norm)):
        for dim in (0, 1, 2, None):
            found[f"{kind}_dim_{dim}"] = normed(nn.Conv1d(4, 3, 5), dim=dim), WEIGHT
        for dtype in ("float64", "float16", "bfloat16"):
            found[f"{kind}_{dtype}"] = normed(nn.Linear(4, 3)).to(getattr(torch, dtype)), WEIGHT
        found[f"{kind}_transposed"] = normed(nn.ConvTranspose2d(3, 2, 3), dim=1), WEIGHT
        found[f"{kind}_one"] = normed(nn.Conv1d(2, 1, 5)), WEIGHT
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0")
        found[f"{kind}_lstm"] = with_names(nn.LSTM(3, 4), normed, *names), names
        names = ("in_proj_weight",)
        found[f"{kind}_attention"] = with_names(nn.MultiheadAttention(4, 2), normed, *names), names
    for kind, normed in (("hooked", hooked_spectral), ("listed", spectral_norm)):
        found[f"{kind}_spectral"] = trained(normed(nn.Conv2d(3, 8, 3)), 1, 3, 5, 5), WEIGHT
        found[f"{kind}_spectral_linear"] = normed(nn.Linear(4, 6)).double(), WEIGHT
        found[f"{kind}_spectral_transposed"] = (
            trained(normed(nn.ConvTranspose2d(3, 8, 3)), 1, 3, 5, 5),
            WEIGHT,
        )
        found[f"{kind}_spectral_square"] = trained(normed(nn.Conv2d(4, 4, 3)), 1, 4, 5, 5), WEIGHT
        square = trained(normed(nn.ConvTranspose2d(4, 4, 3)), 1, 4, 5, 5)
        found[f"{kind}_spectral_square_transposed"] = square, WEIGHT
    found["pruned"] = pruned(), ("weight", "bias")
    found["two"] = with_names(nn.Linear(6, 5), weight_norm, "weight", "bias"), ("weight", "bias")
    found["weight_then_spectral"] = spectral_norm(weight_norm(nn.Linear(6, 5))), WEIGHT
    found["spectral_twice"] = spectral_norm(spectral_norm(nn.Linear(6, 5))), WEIGHT
    return found


def weights_of(layer, names):
    layer.eval()
    for hook in layer._forward_pre_hooks.values():
        hook(layer, None)  # which sets the weight, as before a forward pass
    return {name: getattr(layer, name).detach().clone().contiguous() for name in names}


def main():
    warnings.simplefilter("ignore")  # the hooks are deprecated, and are in many files
    torch.manual_seed(0)
    parts, weights = {}, {}
    for case, (layer, names) in cases().items():
        weights |= {f"{case}.{name}": value for name, value in weights_of(layer, names).items()}
        parts |= {f"{case}.{name}": value.clone() for name, value in layer.state_dict().items()}
    save_file(parts, HERE / "parts.safetensors")
    save_file(weights, HERE / "weights.safetensors")


if __name__ == "__main__":
    main()
