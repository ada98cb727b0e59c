"""Every layer answers as PyTorch does."""

import json

from burnpack.safetensors import Reader
from burnrt import kernels, nn
from burnrt.value import Value
from kit import support

CLOSE = 1e-5  # of the number itself, and of 1


def test_layers_answer_as_torch_does():
    check_all(kernels.in_use()[0], Reader.from_static(golden()), 0)


def test_plain_kernels_answer_as_torch_does():
    check_all("plain", Reader.from_static(golden()), 0)


def test_unaligned_weights_give_the_same_answers():
    for shift in (1, 2, 3):
        moved = bytearray(shift) + golden()
        check_all("plain", Reader.from_static(memoryview(moved)[shift:]), shift)


def golden():
    return support.read(support.path("tests/vectors/layers/layers.safetensors"))


def cases():
    return json.loads(support.read(support.path("tests/vectors/layers/layers.json")))


def check_all(chosen, reader, shift):
    kernels.use(chosen)
    try:
        for case in cases():
            check(case, reader)
    finally:
        kernels.use()


def check(case, reader):
    layer = layer_of(case, reader)
    given = reader.tensor(case["name"] + ".input")
    expected = reader.tensor(case["name"] + ".output")
    answer = layer(Value(kernels.floats(numbers(given)), given.shape))
    assert answer.shape == expected.shape, (case["name"], answer.shape, expected.shape)
    assert layer.output_shape(given.shape) == expected.shape, case["name"]
    for index, wanted in enumerate(numbers(expected)):
        found = answer.data[index]
        assert abs(found - wanted) <= CLOSE + CLOSE * abs(wanted), (case["name"], index, found, wanted)


def layer_of(case, reader):
    layer = getattr(nn, case["layer"])(*case["arguments"], **case["keywords"])
    for name in case["params"]:
        param = getattr(layer, name)
        source = reader.tensor("%s.%s" % (case["name"], name))
        assert param.shape == source.shape, (case["name"], name)
        param.data, param.dtype = source.data(), source.dtype
    return layer


def numbers(source):
    from burnpack.dtype import count
    from burnrt.kernels.plain.memory import weights

    size = count(source.shape)
    found = weights(source.data(), source.dtype, size)
    return [found[index] for index in range(size)]
