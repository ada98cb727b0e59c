"""What `burnstore deploy` tells to type on the board fits what the model answers."""

from types import SimpleNamespace

import numpy as np
import pytest

from burnstore.cli.deploy import _program, _shown


def end(*shape):
    size = 1
    for extent in shape:
        size *= extent
    return SimpleNamespace(shape=shape, data=bytes(size))


def delivery(inputs, outputs):
    model = SimpleNamespace(inputs=inputs, outputs=outputs, states=[])
    return SimpleNamespace(found_as="net", runnable=SimpleNamespace(model=model))


@pytest.mark.parametrize(
    ("outputs", "printed"),
    [
        ([end(1, 10)], "print(model(x).argmax())"),
        ([end(1, 64)], "print(model(x).data[:10])"),  # the input made anew
        ([end(1, 2, 4, 4)], "print(model(x).data[:10])"),  # planes
        ([end(1, 1)], "print(model(x))"),
        ([end(1, 10), end(1, 2)], "print(model(x))"),
    ],
    ids=["scores", "autoencoder", "mask", "a number", "several"],
)
def test_a_class_is_printed_of_scores_alone(outputs, printed):
    lines = _program(delivery([end(1, 64)], outputs))
    assert lines[-1] == printed + "  # x: 64 numbers"


def test_the_largest_number_is_named_of_scores_alone():
    ran = SimpleNamespace(answers=[np.arange(10.0).reshape(1, 10)], microseconds=1)
    for shape, named in (((1, 64), True), ((1, 10), False)):
        model = delivery([end(*shape)], [end(1, 10)]).runnable.model
        assert any("the largest is number 9" in line for line in _shown(ran, model)) == named
