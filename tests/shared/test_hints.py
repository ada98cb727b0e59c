"""What a board offers where names do not match: tried, and only what its stores have options for."""

from burnpack.adapters import HalfPrecisionAdapter, PyTorchToBurnAdapter
from burnpack.errors import LoadFailed
from burnpack.hints import BURN, LAYOUT, PARTIAL, PYTORCH, VARIANTS
from burnpack.module import Enum, Module
from burnpack.safetensors_store import SafetensorsStore
from burnpack.safetensors_writer import Writer
from burnpack.store import BurnpackStore
from burnpack.tensor import Tensor
from burnpack.writer import Writer as BurnpackWriter
from kit.models.small_models import BatchNorm, Conv2d, Linear, PRelu
from kit.support import raises

FROM_TORCH = PyTorchToBurnAdapter()
AS_PYTORCH, AS_BURN = (LAYOUT, PYTORCH), (LAYOUT, BURN)


class Activation(Enum):
    pass


class Net(Module):
    def __init__(self):
        self.conv = Conv2d(weight=(2, 1, 3, 3), bias=(2,))
        self.norm = BatchNorm(gamma=(2,), beta=(2,))
        self.fc = Linear(weight=(8, 3), bias=(3,))


class Chosen(Module):
    def __init__(self):
        self.act = Activation(PRelu=PRelu(alpha=(2,)))


TORCH = (
    ("conv.weight", (2, 1, 3, 3)),
    ("conv.bias", (2,)),
    ("norm.weight", (2,)),
    ("norm.bias", (2,)),
    ("fc.weight", (3, 8)),
    ("fc.bias", (3,)),
)


def store(shapes, adapter=None, of=SafetensorsStore):
    tensors = [
        Tensor(name, "F32", shape, bytes(Tensor("", "F32", shape, None).nbytes)) for name, shape in shapes
    ]
    writer = Writer if of is SafetensorsStore else BurnpackWriter
    return of.from_bytes(writer(tensors).to_bytes()).with_from_adapter(adapter)


def refused(module, source):
    """Return the error of a load, whose text says all hints, and these."""
    error = raises(LoadFailed, module.load_from, source)
    advice = error.result.advice(error.result)
    lines = str(error).split("\n")
    assert [line for line in lines if line.startswith("help: ")] == ["help: " + text for _, text in advice]
    return error, [hint for hint, _ in advice]


def acted_upon(source, hints):
    """Return a store with what its hints say, as they say it."""
    for hint in hints:
        if hint[0] == LAYOUT:
            source = source.with_from_adapter(PyTorchToBurnAdapter() if hint[1] == PYTORCH else None)
        elif hint[0] == VARIANTS:
            source = source.skip_enum_variants(True)
        else:
            source = source.allow_partial(True)
    return source


def test_what_is_offered_loads_all_of_the_model():
    for module, source, expected in (
        (Net(), store(TORCH), [AS_PYTORCH]),
        (Net(), store(TORCH, HalfPrecisionAdapter()), [AS_PYTORCH]),
        (Net(), store(TORCH, of=BurnpackStore), [AS_PYTORCH]),
        (Chosen(), store([("act.alpha", (2,))]), [(VARIANTS,)]),
        (Chosen(), store([("act.weight", (2,))], FROM_TORCH), [(VARIANTS,)]),
        (Chosen(), store([("act.weight", (2,))]), [AS_PYTORCH, (VARIANTS,)]),
    ):
        _, hints = refused(module, source)
        assert hints == expected
        assert module.load_from(acted_upon(source, hints)).missing == []


def test_a_file_of_burns_that_is_read_as_pytorchs_is_told():
    module = Net()
    burns = [("conv.weight", (2, 1, 3, 3)), ("conv.bias", (2,)), ("norm.gamma", (2,)), ("norm.beta", (2,))]
    source = store(burns + [("fc.weight", (8, 3)), ("fc.bias", (3,))], FROM_TORCH)
    _, hints = refused(module, source)
    assert hints == [AS_BURN] and len(module.load_from(acted_upon(source, hints)).applied) == 6


def test_an_option_that_a_store_lacks_is_not_offered():
    assert refused(Chosen(), store([("act.alpha", (2,))], of=BurnpackStore))[1] == []


def test_what_a_board_can_not_change_is_not_offered():
    error, hints = refused(Net(), store([("module." + name, shape) for name, shape in TORCH]))
    assert hints == [] and "missing: norm.gamma (is it module.norm.weight?)" in str(error).split("\n")


def test_a_part_is_offered_where_most_is_there():
    source = store(TORCH[:3] + TORCH[4:])
    _, hints = refused(Net(), source)
    assert hints == [AS_PYTORCH, (PARTIAL,)]
    assert len(Net().load_from(acted_upon(source, hints)).applied) == 5
    assert refused(Net(), store(TORCH[1:2]))[1] == []


def test_nothing_is_offered_where_nothing_helps():
    for shapes in ([("other.scale", (2,))], [("conv.weight", (7, 7))], [("norm.weight", (9,))]):
        assert refused(Net(), store(shapes))[1] == []
        assert refused(Net(), store(shapes, FROM_TORCH))[1] == []


def test_a_load_in_part_says_what_would_mend_it_where_it_is_printed():
    result = Net().load_from(store(TORCH).allow_partial(True).validate(False))
    assert len([line for line in str(result).split("\n") if line.startswith("help: ")]) == 1


def test_the_missing_line_names_what_is_meant():
    lines = str(Net().apply(list(store(TORCH).get_all_tensors()))).split("\n")
    assert "missing: norm.gamma (is it norm.weight?)" in lines
    lines = str(Chosen().apply(store([("act.weight", (2,))]).get_all_tensors())).split("\n")
    assert "missing: act.PRelu.alpha (is it act.weight?)" in lines
