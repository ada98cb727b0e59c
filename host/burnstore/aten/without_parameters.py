"""Functions that are a layer without parameters, too: which, and what it is made with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from burnstore.classes.description import LayerOf

# The function: its layer, made with the function's arguments behind the value.
_SAME = {
    "adaptive_avg_pool1d": "AdaptiveAvgPool1d",
    "adaptive_avg_pool2d": "AdaptiveAvgPool2d",
    "adaptive_max_pool1d": "AdaptiveMaxPool1d",
    "adaptive_max_pool2d": "AdaptiveMaxPool2d",
    "avg_pool1d": "AvgPool1d",
    "avg_pool2d": "AvgPool2d",
    "celu": "CELU",
    "elu": "ELU",
    "gelu": "Gelu",
    "glu": "GLU",
    "hardshrink": "Hardshrink",
    "hardsigmoid": "Hardsigmoid",
    "hardswish": "HardSwish",
    "leaky_relu": "LeakyRelu",
    "log_softmax": "LogSoftmax",
    "logsigmoid": "LogSigmoid",
    "max_pool1d": "MaxPool1d",
    "max_pool2d": "MaxPool2d",
    "mish": "Mish",
    "relu": "Relu",
    "relu6": "Relu6",
    "rrelu": "RReLU",
    "selu": "SELU",
    "sigmoid": "Sigmoid",
    "silu": "SiLU",
    "softmax": "Softmax",
    "softmin": "Softmin",
    "softplus": "Softplus",
    "softshrink": "Softshrink",
    "softsign": "Softsign",
    "tanh": "Tanh",
    "threshold": "Threshold",
}


def layer_of(function: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> LayerOf | None:
    """Return the layer that computes a function, or None where there is none."""
    if function in _OWN:
        return _OWN[function](*arguments[1:], **keywords)
    if function not in _SAME:
        return None
    return LayerOf(_SAME[function], tuple(simple(each) for each in arguments[1:]), _simple(keywords))


def _simple(keywords: Mapping[str, Any]) -> dict[str, Any]:
    return {key: simple(each) for key, each in keywords.items() if each not in ((), None)}


def simple(sizes: Any) -> Any:
    """Return one number for a tuple of equal ones."""
    is_one = isinstance(sizes, tuple) and len(sizes) > 0 and len(set(sizes)) == 1
    return sizes[0] if is_one else sizes


def _hardtanh(low: float = -1.0, high: float = 1.0, **named: float) -> LayerOf:
    low, high = named.get("min_val", low), named.get("max_val", high)
    return LayerOf("Relu6") if (low, high) == (0, 6) else LayerOf("Hardtanh", (float(low), float(high)))


_OWN: dict[str, Callable[..., LayerOf]] = {"hardtanh": _hardtanh}
