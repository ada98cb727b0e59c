"""What PyTorch stacks into one tensor reaches Burn's gates and projections, and comes back the same."""

from burnpack.adapters import (
    BurnToPyTorchAdapter,
    Context,
    FloatCastAdapter,
    PyTorchToBurnAdapter,
    SplitAdapter,
)
from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.listing import Listing
from burnpack.module import walk
from burnpack.qfloat import QFloat
from burnpack.safetensors import Reader
from burnpack.safetensors_store import SafetensorsStore
from burnpack.tensor import Tensor
from burnrt import kernels, nn
from burnrt.kernels.plain.memory import weights
from burnrt.value import Value
from kit import support

CLOSE = 1e-5
FROM_TORCH = PyTorchToBurnAdapter()


class Net(nn.Module):
    """The layers of tests/vectors/stacked, as a user of Burn has them."""

    def __init__(self):
        self.lstm = nn.LSTM(3, 4)
        self.lstm_no_bias = nn.LSTM(3, 2, bias=False)
        self.lstm_layers = nn.LSTM(3, 4, num_layers=2, bidirectional=True)
        self.gru = nn.GRU(3, 4)
        self.gru_both_ways = nn.BiGru(2, 3)
        self.rnn = nn.RNN(3, 4)
        self.attention = nn.MultiheadAttention(6, 2)
        self.attention_no_bias = nn.MultiheadAttention(4, 4, bias=False)


def opened(name):
    return Reader.from_static(support.read(support.path("tests/vectors/stacked/%s.safetensors" % name)))


def loaded():
    module = Net()
    result = module.apply(opened("state"), None, FROM_TORCH)
    assert (result.missing, result.unused, result.errors) == ([], [], [])
    return module


def numbers(source, name):
    """Return a tensor as a `Value`."""
    tensor = source.tensor(name)
    size = count(tensor.shape)
    flat = weights(tensor.data(), "F32", size)
    return Value(kernels.floats([flat[at] for at in range(size)]), tensor.shape)


def test_layers_loaded_from_pytorchs_stacks_answer_as_pytorch_does():
    module, answers = loaded(), opened("answers")
    names = [name[: -len(".input")] for name in answers.names() if name.endswith(".input")]
    assert len(names) == 8
    for name in names:
        found, expected = numbers(answers, name + ".input"), numbers(answers, name + ".output")
        found, _ = getattr(module, name)(found)
        assert found.shape == expected.shape
        for number, wanted in zip(found.data, expected.data):
            assert abs(number - wanted) < CLOSE + CLOSE * abs(wanted), (name, number, wanted)


def test_what_was_taken_apart_is_put_together_again():
    state = opened("state")
    tensors = loaded().collect(None, BurnToPyTorchAdapter())
    listed = [name for name in state.names() if name.startswith("lstm_layers")]
    assert len(tensors) == len(state)
    for tensor in tensors:
        if tensor.name.startswith("lstm_layers."):  # each of Burn's layers is a layer of its own
            number, name = tensor.name.split(".")[1:]
            source = "lstm_layers.%s" % name.replace("l0", "l" + number)
            listed.remove(source)
        else:
            source = tensor.name
        assert tensor.shape == state.tensor(source).shape, source
        assert bytes(tensor.data()) == bytes(state.view(source)), source
    assert listed == []


def test_a_store_goes_there_and_back():
    module = loaded()
    store = SafetensorsStore.from_bytes().with_to_adapter(BurnToPyTorchAdapter())
    module.save_into(store)
    assert "gru.weight_ih_l0" in store.keys() and "lstm_layers.1.bias_hh_l0_reverse" in store.keys()
    again = Net()
    again.load_from(SafetensorsStore.from_bytes(store.get_bytes()).with_from_adapter(FROM_TORCH))
    kept = dict([(path, bytes(param.data)) for path, _, param in walk(module)])
    assert dict([(path, bytes(param.data)) for path, _, param in walk(again)]) == kept


def test_every_chain_with_a_split_in_it_gives_the_same():
    expected = dict([(path, bytes(param.data)) for path, _, param in walk(loaded())])
    for adapter in (FROM_TORCH.chain(SplitAdapter()), SplitAdapter().chain(FROM_TORCH)):
        module = Net()
        assert module.apply(opened("state"), None, adapter).missing == []
        assert dict([(path, bytes(param.data)) for path, _, param in walk(module)]) == expected


def test_a_split_alone_changes_no_layout():
    module = nn.Module()
    module.attention = nn.MultiHeadAttention(6, 2)
    state = opened("state")
    module.apply(state, None, SplitAdapter())
    whole = bytes(state.view("attention.in_proj_weight"))
    parts = [module.attention.query, module.attention.key, module.attention.value]
    assert b"".join([bytes(part.weight.data) for part in parts]) == whole
    tensors = dict([(tensor.name, tensor) for tensor in module.collect(None, SplitAdapter())])
    assert bytes(tensors["attention.in_proj_weight"].data()) == whole
    assert sorted(tensors) == [name for name in sorted(state.names()) if name.startswith("attention.")]


def test_parts_of_a_buffer_in_memory_are_slices_of_it():
    whole = bytearray(3 * 2 * 4)
    module = nn.Module()
    module.attention = nn.MultiHeadAttention(2, 1, bias=False)
    source = [
        Tensor("attention.in_proj_bias", "F32", (6,), whole),
        Tensor("attention.out_proj.weight", "F32", (2, 2), bytes(16)),
    ]
    module.attention.query.bias = module.attention.key.bias = nn.Param((2,))
    module.attention.value.bias = nn.Param((2,))
    module.apply(source, None, FROM_TORCH)
    whole[16] = 7
    assert module.attention.value.bias.data[0] == 7


def test_nothing_is_read_before_the_bytes_are_asked_for():
    asked = []

    def data():
        asked.append(1)
        return bytes(16 * 3 * 4)

    adapter = SplitAdapter().chain(FROM_TORCH)
    for _ in range(8):
        adapter = adapter.chain(FloatCastAdapter.to("F32"))
    module = nn.Module()
    module.lstm = nn.LSTM(3, 4)
    from burnpack.apply import match

    whole = Tensor("lstm.weight_ih_l0", "F32", (16, 3), data)
    result, matches = match(module, Listing([whole]), None, adapter)
    assert asked == [] and len(result.applied) == 4
    assert [len(tensor.data()) for _, tensor in matches] == [48] * 4 and len(asked) == 4


def test_names_without_a_stack_are_found_too():
    module = loaded()
    again = Net()
    burns = dict([(path, param) for path, _, param in walk(module)])
    tensors = [Tensor(path, "F32", param.shape, param.data) for path, param in burns.items()]
    assert again.apply(tensors, None, None).missing == []
    separate = [
        Tensor("attention.%s_proj_weight" % letter, "F32", (6, 6), bytes((number,)) * 144)
        for number, letter in enumerate("qkv")
    ]
    only = nn.Module()
    only.attention = nn.MultiHeadAttention(6, 2, bias=False)
    result = only.apply(separate, None, FROM_TORCH)
    assert len(result.applied) == 3 and only.attention.value.weight.data[0] == 2


# shape of lstm.weight_ih_l0, dtype, what is wrong with it
BROKEN = (
    ((15, 3), "F32", "can't be taken apart (expected a multiple of 4 rows, found [15, 3])"),
    ((), "F32", "has no rows to cut or stack"),
    ((16, 6), "F4", "rows of this dtype can't be cut or stacked"),
    ((16, 3), QFloat(), "rows of this dtype can't be cut or stacked"),
)


def test_a_stack_that_can_not_be_cut_is_an_error_of_each_parameter():
    for shape, dtype, words in BROKEN:
        module = nn.Module()
        module.lstm = nn.LSTM(3, 4)
        size = Tensor("x", dtype, shape, None).nbytes
        result = module.apply([Tensor("lstm.weight_ih_l0", dtype, shape, bytes(size))], None, FROM_TORCH)
        assert [error[0] for error in result.errors] == ["AdapterError"] * 4
        assert all([words in error[3] and "lstm.weight_ih_l0" in error[3] for error in result.errors]), (
            result.errors
        )


def test_a_stack_of_other_gates_fits_no_shape():
    module = nn.Module()
    module.gru = nn.GRU(3, 4)
    wrong = [Tensor("gru.weight_ih_l0", "F32", (24, 3), bytes(24 * 3 * 4))]
    result = module.apply(wrong, None, FROM_TORCH)
    assert [error[0] for error in result.errors] == ["ShapeMismatch"] * 3


def test_a_part_that_no_parameter_wants_leaves_the_stack_unused():
    module = nn.Module()
    module.lstm = nn.LSTM(3, 4)
    module.lstm.forget_gate = None  # as in Burn where the gates are coupled
    result = module.apply([Tensor("lstm.weight_ih_l0", "F32", (16, 3), bytes(16 * 3 * 4))], None, FROM_TORCH)
    assert result.unused == ["lstm.weight_ih_l0"] and len(result.applied) == 3


def test_parts_that_do_not_belong_together_are_not_saved():
    def attention():
        module = nn.Module()
        module.attention = nn.MultiHeadAttention(2, 1, bias=False)
        for _, _, param in walk(module):
            param.data = bytes(16)
        return module

    narrow, halved, quantized = attention(), attention(), attention()
    narrow.attention.key.weight = nn.Param((2, 3), "F32", bytes(24))
    halved.attention.key.weight = nn.Param((2, 2), "F16", bytes(8))
    for part in (quantized.attention.query, quantized.attention.key, quantized.attention.value):
        part.weight = nn.Param((2, 2), QFloat(), bytes(8))
    for module, error_class, item in (
        (narrow, InvalidTensor, "attention.key.weight"),
        (halved, InvalidTensor, "attention.key.weight"),
        (quantized, Unsupported, "attention.query.weight"),
    ):
        error = support.raises(error_class, module.collect, None, SplitAdapter())
        assert error.item == item, str(error)
    only = lambda path, _: not path.endswith("key.weight")  # noqa: E731
    from burnpack.filter import PathFilter

    error = support.raises(
        InvalidTensor, attention().collect, PathFilter().with_predicate(only), SplitAdapter()
    )
    assert error.item == "attention.in_proj_weight" and "in part only" in str(error)


def test_a_variants_name_may_be_left_out_of_a_stack():
    class Layer(nn.Enum):
        pass

    module = nn.Module()
    module.cell = Layer(Gru=nn.GRU(3, 4))
    stacks = [
        Tensor("cell.weight_ih_l0", "F32", (12, 3), bytes(144)),
        Tensor("cell.weight_hh_l0", "F32", (12, 4), bytes(192)),
        Tensor("cell.bias_ih_l0", "F32", (12,), bytes(48)),
        Tensor("cell.bias_hh_l0", "F32", (12,), bytes(48)),
    ]
    assert len(module.apply(stacks, None, FROM_TORCH).missing) == 12
    result = module.apply(stacks, None, FROM_TORCH, True)
    assert (result.missing, result.unused, len(result.applied)) == ([], [], 12)
    names = sorted([tensor.name for tensor in module.collect(None, BurnToPyTorchAdapter(), True)])
    assert names == sorted([tensor.name for tensor in stacks])
    told = [tensor.renamed(tensor.name.replace("cell.", "cell.Gru.")) for tensor in stacks]
    assert module.apply(told, None, FROM_TORCH, True).missing == []


def test_only_what_is_named_as_in_pytorch_is_a_stack():
    from burnpack.adapters.split import places

    lstm = ("Struct:Net", "Struct:Lstm", "Struct:GateController", "Struct:Linear")
    for path, containers, expected in (
        ("r.input_gate.input_transform.weight", lstm, [("r.weight_ih_l0", 0, 4)]),
        ("r.output_gate.hidden_transform.bias", lstm, [("r.bias_hh_l0", 3, 4)]),
        ("r.input_gate.input_transform.scale", lstm, []),
        ("r.gate.input_transform.weight", lstm, []),
        ("r.input_gate.transform.weight", lstm, []),
        ("input_gate.input_transform.weight", lstm[1:], [("weight_ih_l0", 0, 4)]),
        ("weight", ("Struct:Linear",), []),
        ("query.weight", ("Struct:CrossAttention", "Struct:Linear"), []),
        ("dropout.weight", ("Struct:MultiHeadAttention", "Struct:Linear"), []),
        ("output.bias", ("Struct:MultiHeadAttention", "Struct:Linear"), [("out_proj.bias", 0, 1)]),
    ):
        assert places(Context(path, containers)) == expected, path
