"""Real models in integers: what they lose, and that boards answer the same bytes."""

import importlib.util

import numpy as np
import pytest

from burnpack.safetensors import Reader as SafetensorsReader
from burnpack.store import BurnpackStore
from burnrt import Model, kernels, nn
from burnstore import PytorchStore
from burnstore.numerics.arrays import array_from_tensor
from burnstore.quantize import quantize_model
from burnstore.quantize.measure import measure
from kit import support
from kit.int8.quantizing import Chain, kernels_of, loaded, samples

LOST_MOST = 0.005


def model_of(path, name):
    """Return an instance of a class in an example."""
    spec = importlib.util.spec_from_file_location("quantized_" + name, support.path(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)()


@pytest.fixture(scope="module")
def digits():
    """Return (the loaded network, images, labels)."""
    model = model_of("examples/digits/model.py", "DigitsNet")
    model.load_from(PytorchStore.from_file(support.path("examples/digits/digits.pt")))
    held = SafetensorsReader.from_static(
        support.read(support.path("examples/digits/test_images.safetensors"))
    )
    images, labels = (array_from_tensor(held.tensor(name)) for name in ("images", "labels"))
    return model, images.reshape(-1, 1, 8, 8).astype(np.float32) / 16, labels


def mnist_images():
    """Return the ten images, which show 0 to 9."""
    pixels = [
        support.read(support.path("examples/mnist/mnist_example_%d.bin" % digit)) for digit in range(10)
    ]
    grey = np.frombuffer(b"".join(pixels), np.uint8).reshape(10, 1, 28, 28)
    return ((grey / 255 - 0.1307) / 0.3081).astype(np.float32)


def shifted_and_noisy(images, seed=0):
    """Return 6 variations of each image: moved by up to 2 pixels, with noise."""
    random = np.random.default_rng(seed)
    moved = [
        np.roll(image, random.integers(-2, 3, 2), (1, 2)) + random.normal(0, 0.15, image.shape)
        for image in images
        for _ in range(6)
    ]
    return np.array(moved, np.float32)


@pytest.mark.parametrize(
    "options", [{}, {"per": "tensor"}, {"percentile": 99.99}, {"percentile": 99.9}], ids=str
)
def test_digits_lose_no_more_than_half_a_point(digits, options):
    model, images, labels = digits
    report = measure(quantize_model(model, images[:100], **options), images, labels)
    assert report.right_before == 353
    assert report.right_before - report.right_after <= LOST_MOST * len(images)


def test_digits_fit_where_floats_do_not(digits):
    model, images, _ = digits
    quantized = quantize_model(model, images[:100])
    assert quantized.program.form.arena <= 1200 and len(quantized.to_bytes()) < 9000
    assert kernels_of(quantized) == "conv2d max_pool2d conv2d max_pool2d linear linear".split()


def test_all_kernels_answer_the_same_to_digits(digits):
    model, images, _ = digits
    data = quantize_model(model, images[:100]).to_bytes()
    wanted = scores(data, images[:20])
    kernels.int8.use("plain")
    try:
        assert (scores(data, images[:20]) == wanted).all()
    finally:
        kernels.int8.use()


def scores(data, images):
    model = Model(data)
    return np.array([model(image).data for image in images])


def load_mnist():
    model = model_of("examples/mnist/model.py", "MnistNet")
    model.load_from(PytorchStore.from_file(support.path("examples/mnist/mnist.pt")))
    return model


def load_mnist_conv_bn():
    model = model_of("examples/mnist/model.py", "MnistConvBn")
    model.load_from(BurnpackStore.from_bytes(support.read(support.path("examples/mnist/mnist_conv_bn.bpk"))))
    return model


@pytest.mark.parametrize("load", [load_mnist, load_mnist_conv_bn])
def test_mnist_answers_the_same(load):
    model, images = load(), mnist_images()
    quantized = quantize_model(model, shifted_and_noisy(images, 1))
    report = measure(quantized, images, np.arange(10))
    assert report.right_before == report.right_after == report.agreeing == 10
    read_by_tables = {"fc1", "fc2"}  # whose ranges follow the error of what the tables make
    assert all(step.ratio > 29 for step in report.steps if step.name not in read_by_tables), report.steps
    varied = shifted_and_noisy(images, 2)
    report = measure(quantized, varied, np.repeat(np.arange(10), 6))
    assert report.agreeing >= (1 - LOST_MOST) * len(varied) - 1


def test_mnist_ends_in_floats():
    quantized = quantize_model(load_mnist(), mnist_images())
    answer = scores(quantized.to_bytes(), mnist_images()[:1])
    assert quantized.network.outputs[0].last == "LogSoftmax"
    assert np.exp(answer).sum() == pytest.approx(1, rel=1e-5)
    kinds = "conv2d conv2d conv2d linear linear".split()
    assert kernels_of(quantized) == kinds  # both norms are folded into what is beside them


def test_what_is_cut_off_above_a_range_shows_where_it_is_cut_and_not_at_the_pool_behind():
    model = loaded(Chain(conv=nn.Conv2d(1, 2, 3), pool=nn.MaxPool2d(2)))
    given = samples((1, 8, 8))
    steps = measure(quantize_model(model, given / 8), given).steps
    assert [step.kernel for step in steps] == ["conv2d", "max_pool2d"]
    assert steps[0].largest >= steps[1].largest > 10 * steps[0].scale
