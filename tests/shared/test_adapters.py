"""Adapters: PyTorch's names and layout into Burn's and back, byte for byte and lazily."""

from burnpack.adapters import BurnToPyTorchAdapter, Context, IdentityAdapter, PyTorchToBurnAdapter, transposed
from burnpack.listing import Listing
from burnpack.module import Module
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from kit import support
from kit.models.small_models import (
    BatchNorm,
    Conv2d,
    Embedding,
    GroupNorm,
    LayerNorm,
    Linear,
    PRelu,
    RmsNorm,
    params_of,
)

FROM_TORCH = PyTorchToBurnAdapter()
TO_TORCH = BurnToPyTorchAdapter()

# layer, PyTorch's name, Burn's name
RENAMED = (
    ("BatchNorm", "weight", "gamma"),
    ("BatchNorm", "bias", "beta"),
    ("LayerNorm", "weight", "gamma"),
    ("LayerNorm", "bias", "beta"),
    ("GroupNorm", "weight", "gamma"),
    ("GroupNorm", "bias", "beta"),
    ("InstanceNorm", "weight", "gamma"),
    ("InstanceNorm", "bias", "beta"),
    ("RmsNorm", "weight", "gamma"),
    ("PRelu", "weight", "alpha"),
)
SAME = (
    ("BatchNorm", "running_mean"),
    ("BatchNorm", "running_var"),
    ("PRelu", "bias"),
    ("Linear", "weight"),
    ("Linear", "bias"),
    ("Conv2d", "weight"),
    ("Conv2d", "gamma"),
    ("Embedding", "weight"),
    ("MyBatchNorm", "weight"),
    ("BatchNorm2d", "weight"),
)


def within(layer, path="net.layer.weight"):
    return Context(path, ("Struct:Net", "Vec", "Struct:" + layer))


def adapted(adapter, layer, tensor):
    return adapter.adapt(tensor, within(layer, tensor.name))


def test_the_innermost_module_counts_whatever_wraps_the_parameter():
    for containers, module_type in (
        (("Struct:Net", "Struct:Linear"), "Struct:Linear"),
        (("Struct:Net", "Struct:Linear", "Vec"), "Struct:Linear"),
        (("Struct:Net", "Enum:Act", "Tuple", "Vec"), "Enum:Act"),
        (("Vec", "Tuple"), None),
        ((), None),
    ):
        assert Context("a.b", containers).module_type == module_type
    assert Context("a.b.weight", ()).name == "weight" and Context("weight", ()).name == "weight"


def test_names_of_normalisation_layers_change_both_ways():
    for layer, torch_name, burn_name in RENAMED:
        for path in ("", "net.blocks.0."):
            tensor = Tensor(path + torch_name, "F32", (2,), b"\1" * 8, 7)
            there = adapted(FROM_TORCH, layer, tensor)
            assert (there.name, there.param_id) == (path + burn_name, 7), layer
            back = adapted(TO_TORCH, layer, there)
            assert back.name == path + torch_name and bytes(back.data()) == b"\1" * 8


def test_other_names_stay_as_they_are():
    for layer, name in SAME:
        tensor = Tensor("net." + name, "F32", (2,), b"\1" * 8)
        for adapter in (FROM_TORCH, TO_TORCH, IdentityAdapter()):
            assert adapted(adapter, layer, tensor).name == "net." + name


def test_each_side_knows_what_the_other_calls_a_parameter():
    for layer, torch_name, burn_name in RENAMED:
        assert FROM_TORCH.get_alternative_param_name(burn_name, "Struct:" + layer) == torch_name
        assert TO_TORCH.get_alternative_param_name(torch_name, "Struct:" + layer) == burn_name
        assert FROM_TORCH.get_alternative_param_name(torch_name, "Struct:" + layer) is None
        assert IdentityAdapter().get_alternative_param_name(burn_name, "Struct:" + layer) is None
    for module_type in (None, "Struct:Linear", "Enum:BatchNorm", "BatchNorm"):
        assert FROM_TORCH.get_alternative_param_name("gamma", module_type) is None


def test_the_matrix_of_a_linear_layer_is_transposed():
    tensor = Tensor("l.weight", "U8", (2, 3), bytes(range(6)))
    for adapter in (FROM_TORCH, TO_TORCH):
        turned = adapted(adapter, "Linear", tensor)
        assert turned.shape == (3, 2) and list(turned.data()) == [0, 3, 1, 4, 2, 5] and turned.dtype == "U8"


def test_only_the_matrix_of_a_linear_layer_is_transposed():
    for layer, name, shape in (
        ("Linear", "bias", (6,)),
        ("Linear", "weight", (6,)),
        ("Linear", "weight", (1, 2, 3)),
        ("Linear", "scale", (2, 3)),
        ("Conv2d", "weight", (2, 3)),
        ("Embedding", "weight", (2, 3)),
        ("LinearLike", "weight", (2, 3)),
    ):
        tensor = Tensor("l." + name, "U8", shape, bytes(range(6)))
        for adapter in (FROM_TORCH, TO_TORCH):
            same = adapted(adapter, layer, tensor)
            assert same.shape == shape and list(same.data()) == [0, 1, 2, 3, 4, 5]


def test_every_width_of_element_comes_back_the_same():
    dtypes = "F64 F32 Flex32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 Bool Bool(U32) F8_E4M3 C64 C128".split()
    for dtype in dtypes:
        for shape in ((2, 3), (1, 5), (5, 1), (4, 4), (0, 3), (3, 0)):
            nbytes = Tensor("w", dtype, shape, None).nbytes
            data = bytes([at * 7 % 256 for at in range(nbytes)])
            tensor = Tensor("l.weight", dtype, shape, data, 3)
            there = adapted(FROM_TORCH, "Linear", tensor)
            back = adapted(TO_TORCH, "Linear", there)
            assert there.shape == (shape[1], shape[0]) and there.dtype == dtype and there.nbytes == nbytes
            assert (back.shape, bytes(back.data()), back.param_id) == (shape, data, 3), (dtype, shape)
            check_transposed(data, bytes(there.data()), shape, nbytes)


def check_transposed(before, after, shape, nbytes):
    rows, columns = shape
    size = nbytes // (rows * columns) if nbytes else 1
    for row in range(rows):
        for column in range(columns):
            at, to = (row * columns + column) * size, (column * rows + row) * size
            assert before[at : at + size] == after[to : to + size]


def test_a_matrix_is_transposed_into_a_new_buffer():
    matrix = bytearray(range(12))
    result = transposed(memoryview(matrix), 2, 3, 2)
    assert bytes(result) == b"\0\1\6\7\2\3\x08\x09\4\5\x0a\x0b"
    result[0] = 99
    assert matrix[0] == 0


def test_quantized_and_sub_byte_matrices_pass_as_they_are():
    for dtype, nbytes in ((QFloat(), 10), ("F4", 3), ("F6_E2M3", 5)):
        tensor = Tensor("l.weight", dtype, (2, 3), bytes(nbytes))
        assert adapted(FROM_TORCH, "Linear", tensor).shape == (2, 3)


def test_nothing_is_read_before_the_bytes_are_asked_for():
    asked = []

    def data():
        asked.append(1)
        return bytes(range(6))

    tensor = Tensor("l.weight", "U8", (2, 3), data)
    for _ in range(5):
        tensor = adapted(TO_TORCH, "Linear", adapted(FROM_TORCH, "Linear", tensor))
    tensor = adapted(FROM_TORCH, "Linear", tensor)
    tensor = FROM_TORCH.adapt(tensor.renamed("bn.weight"), within("BatchNorm", "bn.weight"))
    assert asked == [] and tensor.shape == (3, 2) and tensor.name == "bn.gamma"
    assert list(tensor.data()) == [0, 3, 1, 4, 2, 5] and asked == [1]


class Block(Module):
    def __init__(self):
        self.lin = Linear(weight=(5, 3), bias=(3,))
        self.norm = LayerNorm(gamma=(3,), beta=(3,))


class Zoo(Module):
    """The model whose checkpoints of PyTorch and of Burn are among the real files."""

    def __init__(self):
        self.conv1 = Conv2d(weight=(3, 2, 3), bias=(3,))
        self.conv2 = Conv2d(weight=(4, 2, 3, 2), bias=(4,))
        self.conv3 = Conv2d(weight=(2, 1, 2, 2, 2), bias=(2,))
        self.up1 = Conv2d(weight=(2, 3, 3), bias=(3,))
        self.up2 = Conv2d(weight=(2, 3, 2, 2), bias=(3,))
        self.bn1 = BatchNorm(gamma=(3,), beta=(3,), running_mean=(3,), running_var=(3,))
        self.bn2 = BatchNorm(gamma=(4,), beta=(4,), running_mean=(4,), running_var=(4,))
        self.ln = LayerNorm(gamma=(6,), beta=(6,))
        self.gn = GroupNorm(gamma=(4,), beta=(4,))
        self.rms = RmsNorm(gamma=(6,))
        self.prelu = PRelu(alpha=(3,))
        self.emb = Embedding(weight=(7, 4))
        self.lin = Linear(weight=(4, 6), bias=(6,))
        self.lin_nobias = Linear(weight=(6, 2))
        self.blocks = [Block(), Block(), Block()]


def zoo(kind):
    if kind == "bpk":
        return Reader.from_static(support.read(support.data("rust/zoo.bpk")))
    from burnpack.safetensors import Reader as Safetensors

    return Safetensors.from_static(support.read(support.data("rust/zoo.%s" % kind)))


def test_a_checkpoint_of_pytorch_becomes_what_burn_makes_of_it():
    burns = zoo("bpk")
    module = Zoo()
    result = module.apply(zoo("safetensors"), None, FROM_TORCH)
    assert (result.missing, result.unused, result.errors, len(result.applied)) == ([], [], [], 40)
    for path, param in params_of(module).items():
        assert bytes(param.data) == bytes(burns.view(path)), path


def test_what_burn_holds_becomes_the_checkpoint_of_pytorch_again():
    module = Zoo()
    module.apply(zoo("bpk"))
    torchs = zoo("safetensors")
    tensors = module.collect(None, TO_TORCH)
    names = [name for name in torchs.names() if not name.endswith("num_batches_tracked")]
    assert sorted([tensor.name for tensor in tensors]) == sorted(names)
    for tensor in tensors:
        assert tensor.shape == torchs.tensor(tensor.name).shape, tensor.name
        assert bytes(tensor.data()) == bytes(torchs.view(tensor.name)), tensor.name


def test_there_and_back_gives_the_same_bytes():
    module = Zoo()
    module.apply(zoo("bpk"))
    again = Zoo()
    result = again.apply(Listing(module.collect(None, TO_TORCH)), None, FROM_TORCH)
    assert result.is_success() and result.missing == [] and result.unused == []
    burns = zoo("bpk")
    for path, param in params_of(again).items():
        assert bytes(param.data) == bytes(burns.view(path)) and param.param_id == burns.tensor(path).param_id
