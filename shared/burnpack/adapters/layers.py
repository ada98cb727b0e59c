"""The layers that adapters know, by the names of Burn's classes."""

NORMS: tuple[str, ...] = ("BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm", "RmsNorm")

# BatchNorm is not among them: a small running variance becomes 0 in 16 bits.
HALVED: tuple[str, ...] = (
    "Linear",
    "Embedding",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "DeformConv2d",
    "LayerNorm",
    "GroupNorm",
    "InstanceNorm",
    "RmsNorm",
    "PRelu",
)

# What PyTorch stacks into one tensor, Burn's layers keep apart: see `burnpack.adapters.split`.
STACKED: tuple[str, ...] = ("MultiHeadAttention", "Lstm", "Gru", "Rnn", "LstmCell", "GruCell", "RnnCell")

LAYERS: tuple[str, ...] = HALVED + ("BatchNorm",) + STACKED

# layer, PyTorch's name of a parameter, Burn's name
RENAMED: tuple[tuple[str, str, str], ...] = (
    tuple([(norm, "weight", "gamma") for norm in NORMS])
    + tuple([(norm, "bias", "beta") for norm in NORMS])
    + (("PRelu", "weight", "alpha"),)
)


def other_name(name: str, module_type: str | None, here: int, there: int) -> str | None:
    """Return what the other side calls `name`, or None. here, there: columns of `RENAMED`."""
    for names in RENAMED:
        if names[here] == name and module_type == "Struct:" + names[0]:
            return names[there]
    return None
