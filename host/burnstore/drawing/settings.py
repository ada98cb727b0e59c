"""What an operation is told besides values, as texts of its box."""

from collections.abc import Iterator, Mapping
from typing import Any

from burnstore.drawing.texts import of_setting

# What most operations are told, and so is not shown.
_USUAL: dict[str, Any] = {
    "padding": (0, 0),
    "dilation": (1, 1),
    "groups": 1,
    "stride": (1, 1),
    "batch": 1,
    "low": 0,
    "high": 255,
    "alpha": 1,
    "beta": 1,
    "eps": 1e-05,
    "epsilon": 1e-05,
    "reset_after": True,
    "ceil_mode": False,
    "momentum": 0.1,
    "training": False,
    "train": False,
    "implicit": False,
    "inplace": False,
}
# What shapes, weights and other lines say too.
_TOLD = frozenset(
    "count x_shape out_shape weight_shape inputs outputs channels inner outer size sizes shape zero "
    "normalized_shape cudnn_enabled cudnn_enable quant_min quant_max p has_biases "
    "start step steps to out_step out_steps extents places sizes rows a_steps b_steps least quiet".split()
)


def texts_of(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield those settings that not every operation has and nothing else says."""
    for name, value in settings.items():
        if name in _TOLD or value is None or value == ():
            continue
        text = of_setting(name, value)
        if name not in _USUAL or text != of_setting(name, _USUAL[name]):  # as a text, 1e-5 is one in 32 bits
            yield text
