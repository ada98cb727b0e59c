"""What kind of thing an operation is, by its name, and the colour of each kind."""

import re

INPUT, STATE, OUTPUT, MODULE, OTHER = "input", "state", "output", "module", "arithmetic"

# kind: the colour of its boxes, dark enough for white letters
COLOURS = {
    INPUT: "#5f6368",
    STATE: "#5f6368",
    OUTPUT: "#5f6368",
    MODULE: "#37474f",
    "sums": "#1f5a96",
    "recurrent": "#5b3e96",
    "norm": "#2c6e63",
    "pool": "#3d6b2c",
    "activation": "#8c3328",
    "moving": "#6d5045",
    "integers": "#7a5c12",
    OTHER: "#4a4a6a",
}

# Those whose answers mostly have the shape of what they read.
OF_EACH = frozenset(("norm", "activation", "integers", OTHER))

# The first kind of which a word is part of the name.
_WORDS = (
    ("sums", "conv"),
    ("integers", "quantize"),
    ("norm", "norm affine"),
    ("pool", "pool"),
    (
        "activation",
        "relu gelu silu sigmoid tanh softmax softmin elu selu swish mish softplus softsign clamp shrink",
    ),
    ("activation", "lookup glu threshold"),
    ("recurrent", "lstm gru rnn attention"),
    (
        "moving",
        "cat split chunk stack pad permute transpose view reshape flatten select slice squeeze expand",
    ),
    ("moving", "copy fill unbind sample shuffle repeat tile roll flip getitem narrow"),
    ("sums", "linear linear4 matmul addmm bmm embedding"),
)
_WHOLE = {"mm": "sums", "t": "moving"}
_ATEN = re.compile(r"(?:torch\.ops\.)?\w+\.(\w+?)_?\.\w+")


def bare(operation: str) -> str:
    """Return the name that people know, as "conv2d" of "aten.conv2d.default"."""
    found = _ATEN.fullmatch(operation)
    return found.group(1) if found else operation


def kind_of(operation: str) -> str:
    """Return the kind of an operation."""
    name = bare(operation).lower()
    if name in _WHOLE:
        return _WHOLE[name]
    return next((kind for kind, words in _WORDS if any(word in name for word in words.split())), OTHER)
