"""Recurrent layers and cells."""

from collections.abc import Callable
from typing import Any

from burnpack.errors import Unsupported
from burnstore.aten.building import Builder, Constant
from burnstore.classes.description import LayerOf
from burnstore.exported.graph import Node


def _layer(kind: str, **settings: Any) -> Callable[[Builder, Node], None]:
    def add(builder: Builder, node: Node) -> None:
        given = node.arguments
        path = builder.parameters_of(node, "params")
        weights: Any = given["params"]
        if path is None or given.get("train"):
            raise _without_module(node)
        hidden = builder.shape(weights[1])[1]
        keywords: dict[str, Any] = {
            "num_layers": given.get("num_layers", 1),
            "bias": given.get("has_biases", True),
            "batch_first": given.get("batch_first", False),
            "bidirectional": given.get("bidirectional", False),
        }
        keywords = {key: value for key, value in keywords.items() if value != _DEFAULTS[key]}
        layer = LayerOf(kind, (builder.shape(weights[0])[1], hidden), {**keywords, **settings})
        state = builder.value(given["hx"])
        before = () if _is_zero(state) else (state,)
        if not builder.layer(node, path, layer, builder.value(given["input"]), *before):
            raise _without_module(node)

    return add


_DEFAULTS = {"num_layers": 1, "bias": True, "batch_first": False, "bidirectional": False}


def _without_module(node: Node) -> Unsupported:
    what = "its weights must be those of one module of PyTorch's, in evaluation mode"
    return Unsupported(what, node.name, found=node.operation)


def _is_zero(state: Any) -> bool:
    """Tell whether a state before the first step is zeros, which layers take where none is given."""
    if isinstance(state, tuple):
        return all(_is_zero(part) for part in state)
    return isinstance(state, Constant) and not state.numbers().any()


def _cell(kind: str, **settings: Any) -> Callable[[Builder, Node], None]:
    names = ("w_ih", "w_hh", "b_ih", "b_hh")

    def add(builder: Builder, node: Node) -> None:
        given = node.arguments
        path = builder.parameters_of(node, *names)
        inputs, hidden = builder.shape(given["w_ih"])[1], builder.shape(given["w_hh"])[1]
        bias = {} if given.get("b_ih") is not None else {"bias": False}
        layer = LayerOf(kind, (inputs, hidden), {**bias, **settings})
        state = builder.value(given["hx"])
        before = () if _is_zero(state) else (state,)
        if path is None or not builder.layer(node, path, layer, builder.value(given["input"]), *before):
            raise _without_module(node)

    return add


HANDLERS = {
    "aten.gru.input": _layer("Gru"),
    "aten.lstm.input": _layer("Lstm"),
    "aten.rnn_tanh.input": _layer("Rnn"),
    "aten.rnn_relu.input": _layer("Rnn", nonlinearity="relu"),
    "aten.gru_cell.default": _cell("GRUCell"),
    "aten.lstm_cell.default": _cell("LSTMCell"),
    "aten.rnn_tanh_cell.default": _cell("RNNCell"),
    "aten.rnn_relu_cell.default": _cell("RNNCell", nonlinearity="relu"),
}
