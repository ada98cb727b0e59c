"""Matching tensors with a module: what is taken, what is left, and what is said about it."""

from burnpack.adapters import BurnToPyTorchAdapter, PyTorchToBurnAdapter
from burnpack.errors import DuplicateName, LimitExceeded, LoadFailed, Truncated
from burnpack.filter import PathFilter
from burnpack.module import Module, Param
from burnpack.qfloat import QFloat
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from kit import support
from kit.models.small_models import NET, BatchNorm, Linear, Net, filled, params_of, state_of


def tensors_for(module, first=100):
    """Return a tensor for each parameter, the n-th one of bytes of value `first` + n, with ids."""
    params = params_of(module)
    found = []
    for number, path in enumerate(sorted(params)):
        param = params[path]
        data = bytes((first + number,)) * param.nbytes()
        found.append(Tensor(path, param.dtype, param.shape, data, 1000 + number))
    return found


def without(tensors, name):
    return [tensor for tensor in tensors if tensor.name != name]


def changed(tensors, name, dtype="F32", shape=(), data=b"", param_id=None):
    """Return the tensors with another in the place of the one called `name`."""
    return without(tensors, name) + [Tensor(name, dtype, shape, data, param_id)]


def test_every_tensor_finds_its_parameter():
    module = Net()
    result = module.apply(tensors_for(module))
    assert sorted(result.applied) == sorted(NET)
    assert (result.skipped, result.missing, result.unused, result.errors) == ([], [], [], [])
    assert result.is_success()
    for number, path in enumerate(sorted(NET)):
        param = params_of(module)[path]
        assert (
            bytes(param.data) == bytes((100 + number,)) * param.nbytes() and param.param_id == 1000 + number
        )


def test_an_opened_container_serves_as_well_as_a_list():
    listed, opened = Net(), Net()
    tensors = tensors_for(listed)
    listed.apply(tensors)
    opened.apply(Reader.from_static(Writer(tensors).to_bytes()))
    assert state_of(opened) == state_of(listed)


def test_nothing_is_copied():
    buffer = bytearray(Writer(tensors_for(Net())).to_bytes())
    module = Net()
    reader = Reader.from_static(buffer)
    module.apply(reader)
    start, _ = reader.span("fc.weight")
    buffer[start] = 7
    assert module.fc.weight.data[0] == 7
    given = bytearray(24)
    module.apply([Tensor("fc.weight", "F32", (2, 3), given)])
    assert module.fc.weight.data is given


def test_what_is_not_in_the_source_is_missing_and_stays_as_it_was():
    module = filled(Net())
    before = state_of(module)
    result = module.apply(without(tensors_for(module), "blocks.1.beta"))
    assert result.missing == [("blocks.1.beta", ("Struct:Net", "Vec", "Struct:BatchNorm"))]
    assert result.is_success() and len(result.applied) == 6
    assert [row for row in state_of(module) if row in before] == [before[sorted(NET).index("blocks.1.beta")]]


def test_what_no_parameter_takes_is_unused():
    module = Net()
    more = [Tensor("fc.scale", "F32", (1,), bytes(4)), Tensor("", "F32", (), bytes(4))]
    result = module.apply(tensors_for(module) + more)
    assert sorted(result.unused) == ["", "fc.scale"] and result.is_success()


def test_a_tensor_of_another_shape_is_an_error_and_the_parameter_stays_as_it_was():
    for shape in ((3, 2), (6,), (2, 3, 1), (2, 4), ()):
        module = filled(Net())
        data = module.fc.weight.data
        size = 4
        for extent in shape:
            size *= extent
        result = module.apply(changed(tensors_for(module), "fc.weight", "F32", shape, bytes(size)))
        text = "[%s]" % ", ".join([str(extent) for extent in shape])
        assert result.errors == [("ShapeMismatch", "fc.weight", "[2, 3]", text)]
        assert not result.is_success() and "fc.weight" not in result.applied and len(result.applied) == 6
        assert module.fc.weight.data is data and module.fc.weight.shape == (2, 3)


def test_a_tensor_of_another_kind_is_an_error():
    for held, given, expected, found in (
        ("I64", "F32", "int", "float"),
        ("F32", "I64", "float", "int"),
        ("F32", "Bool", "float", "bool"),
        ("Bool", "U16", "bool", "int"),
        ("Bool", "I8", "bool", "int"),
        ("Bool", "I64", "bool", "int"),
        ("Bool", "F32", "bool", "float"),
        ("U8", "Bool(U8)", "int", "bool"),
        ("I64", QFloat(), "int", "float"),
    ):
        module = Module()
        module.x = Param((1,), held)
        tensor = Tensor("x", given, (1,), None)
        result = module.apply([Tensor("x", given, (1,), bytes(tensor.nbytes))])
        assert result.errors == [("KindMismatch", "x", expected, found)]
        assert module.x.data is None and module.x.dtype == held


def test_within_a_kind_the_stored_dtype_is_kept():
    for held, given in (
        ("F32", "F16"),
        ("F32", "BF16"),
        ("F16", "F64"),
        ("F32", "Flex32"),
        ("F32", QFloat("Q4S", block=((4,), "F16"))),
        (QFloat(), "F32"),
        ("I32", "I64"),
        ("I64", "U8"),
        ("Bool", "Bool(U32)"),
    ):
        module = Module()
        module.x = Param((4,), held)
        nbytes = Tensor("x", given, (4,), None).nbytes
        result = module.apply([Tensor("x", given, (4,), bytes(nbytes))])
        assert result.applied == ["x"] and module.x.dtype == given
        assert len(module.x.data) == nbytes == module.x.nbytes()


def test_truths_load_from_the_integers_that_formats_without_them_store():
    for given, stored, data in (
        ("U8", "Bool(U8)", bytes((0, 1, 2, 255))),
        ("U32", "Bool(U32)", bytes((0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 255, 0, 0, 0))),
    ):
        for held in ("Bool", "Bool(U8)", "Bool(U32)"):
            module = Module()
            module.x = Param((4,), held)
            tensor = Tensor("x", given, (4,), data, 5)
            result = module.apply([tensor])
            assert (result.applied, result.errors) == (["x"], [])
            assert (module.x.dtype, module.x.data, module.x.param_id) == (stored, data, 5)
            assert tensor.dtype == given  # the source's own stays what it is


def test_an_id_in_the_source_replaces_the_modules_own_and_none_leaves_it():
    module = filled(Net())
    module.fc.weight.param_id = 5
    module.fc.bias.param_id = 6
    tensors = changed(tensors_for(module), "fc.weight", "F32", (2, 3), bytes(24), None)
    module.apply(changed(tensors, "fc.bias", "F32", (3,), bytes(12), 0))
    assert module.fc.weight.param_id == 5 and module.fc.bias.param_id == 0


def test_what_the_filter_leaves_out_is_skipped_and_neither_missing_nor_unused():
    module = filled(Net())
    only = PathFilter().with_full_path("fc.weight")
    result = module.apply(without(tensors_for(module), "steps"), only)
    assert result.applied == ["fc.weight"]
    assert sorted(result.skipped) == sorted([path for path in NET if path != "fc.weight"])
    assert result.missing == [] and result.unused == []


def test_a_name_of_the_other_side_is_found_through_the_adapter():
    module = Module()
    module.bn = BatchNorm(gamma=(2,), beta=(2,))
    module.fc = Linear(weight=(2, 3))
    tensors = [
        Tensor("bn.weight", "F32", (2,), b"\1" * 8),
        Tensor("bn.bias", "F32", (2,), b"\2" * 8),
        Tensor("fc.weight", "U8", (3, 2), bytes(range(6))),
    ]
    module.fc.weight.dtype = "U8"
    result = module.apply(tensors, None, PyTorchToBurnAdapter())
    assert sorted(result.applied) == ["bn.beta", "bn.gamma", "fc.weight"] and result.unused == []
    assert bytes(module.bn.gamma.data) == b"\1" * 8 and bytes(module.bn.beta.data) == b"\2" * 8
    assert list(module.fc.weight.data) == [0, 2, 4, 1, 3, 5]


def test_the_modules_own_name_goes_before_the_adapters_other_name():
    module = Module()
    module.bn = BatchNorm(gamma=(1,))
    tensors = [Tensor("bn.gamma", "F32", (1,), b"\1" * 4), Tensor("bn.weight", "F32", (1,), b"\2" * 4)]
    result = module.apply(tensors, None, PyTorchToBurnAdapter())
    assert bytes(module.bn.gamma.data) == b"\1" * 4 and result.unused == ["bn.weight"]


class Refusing:
    """An adapter that can't do the tensors with `name`."""

    def __init__(self, name):
        self.name = name

    def adapt(self, tensor, context):
        if tensor.name == self.name:
            raise LoadFailed("this can't be adapted", tensor.name)
        return tensor

    def get_alternative_param_name(self, name, module_type):
        return None


def test_what_the_adapter_refuses_is_an_error_of_that_parameter():
    module = filled(Net())
    data = module.fc.bias.data
    result = module.apply(tensors_for(module), None, Refusing("fc.bias"))
    assert result.errors == [("AdapterError", "fc.bias", None, "fc.bias: this can't be adapted")]
    assert len(result.applied) == 6 and module.fc.bias.data is data


class Failing(Refusing):
    """An adapter that goes wrong, as a user's own may."""

    def adapt(self, tensor, context):
        if tensor.name != self.name:
            return tensor
        raise ValueError("not my day")


class Forgetful(Refusing):
    """An adapter that returns nothing for the tensors with `name`."""

    def adapt(self, tensor, context):
        return tensor if tensor.name != self.name else None


def test_what_an_adapter_does_wrong_is_an_error_of_that_parameter_and_the_rest_goes_on():
    for adapter, told in (
        (Failing("fc.bias"), "ValueError('not my day'"),
        (Forgetful("fc.bias"), "AttributeError"),
    ):
        module = filled(Net())
        data = module.fc.bias.data
        result = module.apply(tensors_for(module), None, adapter)
        [(kind, path, _, found)] = result.errors
        assert (kind, path) == ("AdapterError", "fc.bias") and found.startswith(told), found
        assert len(result.applied) == 6 and module.fc.bias.data is data


def test_an_adapter_that_fails_to_name_a_parameter_is_one_error():
    class Nameless(Refusing):
        def get_alternative_param_name(self, name, module_type):
            raise ValueError("not my day")

    module = filled(Net())
    before = state_of(module)
    error = support.raises(
        LoadFailed, module.apply, without(tensors_for(module), "fc.bias"), None, Nameless("")
    )
    assert "the adapter failed: ValueError('not my day'" in str(error) and state_of(module) == before


def test_a_lazy_tensor_that_goes_wrong_is_an_error_of_that_parameter_and_the_rest_goes_on():
    def failing():
        raise ValueError("no such page")

    for provider, told in ((failing, "ValueError('no such page'"), (lambda: None, "TypeError")):
        module = filled(Net())
        data = module.fc.bias.data
        tensors = without(tensors_for(module), "fc.bias") + [Tensor("fc.bias", "F32", (3,), provider)]
        result = module.apply(tensors)
        [(kind, path, _, found)] = result.errors
        assert (kind, path) == ("LoadError", "fc.bias") and found.startswith(told), found
        assert len(result.applied) == 6 and module.fc.bias.data is data


def test_memory_that_runs_out_is_no_error_of_a_parameter():
    for error in (MemoryError, LimitExceeded):  # the latter of a file's tensor

        def exhausted(error=error):
            raise error("more bytes than there is memory for")

        module = filled(Net())
        before = state_of(module)
        tensors = without(tensors_for(module), "fc.bias") + [Tensor("fc.bias", "F32", (3,), exhausted)]
        support.raises(error, module.apply, tensors)
        assert state_of(module) == before


def test_an_adapter_without_arguments_may_be_given_by_its_class():
    module, again = Net(), filled(Net())
    result = module.apply(again.collect(None, BurnToPyTorchAdapter), None, PyTorchToBurnAdapter)
    assert result.is_success() and not result.missing and state_of(module) == state_of(again)


def test_an_adapter_is_asked_for_another_name_only_within_a_module():
    class Asking(Refusing):
        def get_alternative_param_name(self, name, module_type):
            return module_type.upper()

    class Wrapped(Module):
        def container(self):
            return "Rows"

    wrapped = Wrapped()
    wrapped.w = Param((1,))
    assert wrapped.apply([], None, Asking("")).missing == [("w", ("Rows",))]


def test_bytes_that_can_not_be_had_are_an_error_of_that_parameter():
    def gone():
        raise Truncated("the file ends early", "fc.bias", "a.bpk")

    module = filled(Net())
    data = module.fc.bias.data
    tensors = without(tensors_for(module), "fc.bias") + [Tensor("fc.bias", "F32", (3,), gone)]
    result = module.apply(tensors)
    assert result.errors == [("LoadError", "fc.bias", None, "a.bpk: fc.bias: the file ends early")]
    assert "fc.bias" not in result.applied and module.fc.bias.data is data
    short = without(tensors_for(module), "fc.bias") + [Tensor("fc.bias", "F32", (3,), lambda: bytes(11))]
    assert module.apply(short).errors[0][:2] == ("LoadError", "fc.bias")


def test_a_count_of_batches_is_optional_on_both_sides():
    module = Module()
    module.bn = BatchNorm(gamma=(1,))
    counted = [
        Tensor("bn.gamma", "F32", (1,), bytes(4)),
        Tensor("bn.num_batches_tracked", "I64", (), bytes(8)),
    ]
    result = module.apply(counted)
    assert (result.applied, result.unused, result.missing) == (["bn.gamma"], [], [])
    module.bn.num_batches_tracked = Param((), "I64")
    assert module.apply(counted[:1]).missing == []
    assert sorted(module.apply(counted).applied) == ["bn.gamma", "bn.num_batches_tracked"]


def test_a_parameter_under_two_names_is_filled_under_both():
    shared = Param((1,))
    module = Module()
    module.layers = [Linear(weight=shared), Linear(weight=shared)]
    both = [
        Tensor("layers.0.weight", "F32", (1,), b"\1" * 4),
        Tensor("layers.1.weight", "F32", (1,), b"\1" * 4),
    ]
    result = module.apply(both)
    assert (
        sorted(result.applied) == ["layers.0.weight", "layers.1.weight"] and bytes(shared.data) == b"\1" * 4
    )


def test_two_tensors_of_one_name_are_refused():
    tensors = tensors_for(Net())
    error = support.raises(DuplicateName, Net().apply, tensors + tensors[:1])
    assert str(error).startswith(tensors[0].name)


def test_matching_reads_nothing():
    from burnpack.apply import match
    from burnpack.listing import Listing

    asked = []

    def data():
        asked.append(1)
        return bytes(24)

    _, matches = match(
        Net(), Listing([Tensor("fc.weight", "F32", (3, 2), data)]), None, PyTorchToBurnAdapter()
    )
    assert asked == [] and [tensor.name for _, tensor in matches] == ["fc.weight"]
