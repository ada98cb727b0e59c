"""Functions that are layers answer as PyTorch's do, with parameters of the model and with computed ones."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import functional as F
from burnrt import kernels, nn, tensor
from kit import support
from kit.models import functions


def on_every_set(test):
    for chosen in (kernels.in_use()[0], "plain"):
        kernels.use(chosen)
        try:
            test()
        finally:
            kernels.use()


def check_all(are_given):
    source = functions.tensors()
    for case in functions.cases():
        model = functions.Calling(case, source)
        inputs = [functions.value(source, name) for name in model.names]
        functions.check(
            case["name"] + ".output", model(*inputs[: None if are_given else case["inputs"]]), source
        )


def test_functions_answer_as_torch_does():
    on_every_set(lambda: check_all(False))


def test_parameters_may_be_computed():
    on_every_set(lambda: check_all(True))


def test_a_planned_pass_answers_the_same():
    source = functions.tensors()
    for case in functions.cases():
        model = functions.Calling(case, source)
        x = functions.value(source, model.names[0])
        if case["inputs"] == 1:
            functions.check(case["name"] + ".output", model.plan(x.shape)(x), source)


def ones(*shape):
    size = 1
    for extent in shape:
        size *= extent
    return tensor([1.0] * size, shape)


attend = F.scaled_dot_product_attention

# what is called, and what the error says
REFUSED = (
    (lambda: F.conv2d(ones(1, 2, 4, 4), ones(3, 2, 3)), "Conv2d", "wrong parameter"),
    (lambda: F.conv2d(ones(1, 2, 4, 4), ones(3, 2, 3, 3), ones(2)), "Conv2d.bias", "wrong shape"),
    (lambda: F.conv2d(ones(1, 3, 4, 4), ones(3, 2, 3, 3)), "Conv2d", "wrong input shape"),
    (lambda: F.conv2d(ones(1, 2, 4, 4), None), "Conv2d", "wrong parameter"),
    (lambda: F.conv1d(ones(1, 2, 4), ones(4, 1, 3), groups=0), "Conv1d", "wrong channels"),
    (lambda: F.conv_transpose2d(ones(1, 2, 4, 4), ones(2, 3, 3)), "ConvTranspose2d", "wrong parameter"),
    (lambda: F.linear(ones(2, 3), ones(4, 2)), "Rows", "wrong input shape"),
    (lambda: F.linear(ones(2, 3), ones(4, 3), ones(3)), "Rows.bias", "wrong shape"),
    (lambda: F.linear(ones(2, 3), 2.0), "linear", "wrong parameter"),
    (lambda: F.embedding(ones(2), ones(4)), "embedding", "wrong parameter"),
    (lambda: F.layer_norm(ones(2, 3), [3], ones(2)), "LayerNorm.gamma", "wrong shape"),
    (lambda: F.group_norm(ones(2, 4), 3), "GroupNorm", "wrong channels"),
    (lambda: F.batch_norm(ones(2, 4), ones(3), ones(4)), "BatchNorm.running_mean", "wrong shape"),
    (lambda: F.prelu(ones(2, 4), ones(3)), "PRelu", "wrong input shape"),
    (lambda: F.glu(ones(2, 3)), "GLU", "wrong input shape"),
    (lambda: F.softmax(ones(2, 3), 2), "Softmax", "wrong input shape"),
    (lambda: F.avg_pool2d(ones(2, 3), 2), "AvgPool2d", "wrong input shape"),
    (lambda: attend(ones(2, 3), ones(4, 2), ones(4, 2)), "Attention", "keys of 3"),
    (lambda: attend(ones(2, 3), ones(4, 3), ones(3, 3)), "Attention", "[..., keys, size]"),
    (lambda: attend(ones(1, 2, 3), ones(4, 3), ones(4, 3)), "Attention", "[..., keys, size]"),
    (lambda: attend(ones(2, 3), ones(4, 3), ones(4, 3), ones(4, 2)), "Attention", "a mask [..., 2, 4]"),
    (lambda: attend(ones(3, 2, 3), ones(2, 4, 3), ones(2, 4, 3)), "Attention", "fits queries"),
    (lambda: attend(ones(4, 2, 3), ones(2, 4, 3), ones(2, 4, 3)), "Attention", "fits queries"),
    (
        lambda: attend(ones(2, 3), ones(4, 3), ones(4, 3), ones(2, 4), 0.0, True),
        attend.__name__,
        "or is_causal",
    ),
    (lambda: attend(ones(0, 3), ones(4, 3), ones(4, 3)), "Attention", "[..., queries, size]"),
    (lambda: F.relu(3), "Relu", "a model takes a Value"),
)


def test_what_does_not_fit_is_refused_by_name():
    for call, item, what in REFUSED:
        error = support.raises(InvalidTensor, call)
        assert error.item == item and what in str(error), (item, str(error))


def test_what_only_training_has_is_refused():
    x = ones(2, 3, 4)
    for call in (
        lambda: F.batch_norm(x, None, None),
        lambda: F.batch_norm(x, ones(3), ones(3), training=True),
        lambda: F.rrelu(x, training=True),
        lambda: F.max_pool1d(x, 2, return_indices=True),
        lambda: F.embedding(ones(2), ones(4, 3), max_norm=1.0),
        lambda: attend(x, x, x, dropout_p=0.5),
        lambda: attend(x, x, x, scale=float("nan")),
    ):
        support.raises(Unsupported, call)


def test_a_function_with_parameters_of_the_model_is_the_layer():
    class Net(nn.Module):
        def __init__(self):
            self.weight, self.bias = nn.Parameter((4, 2, 3, 3)), nn.Parameter((4,))

        def forward(self, x):
            return F.conv2d(x, self.weight, self.bias)

    from burnrt.trace import trace

    net = Net()
    (step,) = trace(net, (1, 2, 5, 5)).steps
    assert isinstance(step.layer, nn.Conv2d) and step.layer.weight is net.weight
