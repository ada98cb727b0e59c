"""What a board needs for what it does: the one table, which every tool reads.

Layers and kernels are found by the tables that boards have: `burnrt.nn.HOMES` and `burnrt.kernels.families`.
What is said here, a test holds against the imports of MicroPython.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from burnpack.errors import NotFound

PACKAGES = ("burnpack", "burnrt")
INTEGER = "int8."  # what the names of kernels of integers begin with

# A row for each module that runs on a board: what it imports when it is imported itself, which brings what
# that imports in turn, and the packages above both; and behind the bar the kernels that it calls: of layers,
# or as in "int8.linear" of integers.
_BURNPACK = """
burnpack:
adapters:
adapters.base:
adapters.cast: adapters.base half tensor
adapters.chain: adapters.base
adapters.float_cast: adapters.cast
adapters.half_precision: adapters.cast adapters.layers
adapters.layers:
adapters.pytorch: adapters.base adapters.layers tensor
adapters.split: adapters.base checks context limits tensor
apply: checks compat context module result
cbor: errors half utf8
cbor_encode: half utf8
checks: dtype errors
collect: context module provider tensor
compat:
container: limits tensor
context:
descriptor: checks compat
dtype:
errors:
filter:
half: compat
forms: adapters.layers context
hints: apply forms
index: cbor descriptor layout
json_encode: errors utf8
json_header: compat errors utf8
json_names: json_header
layout: compat errors
limits: compat
listing: errors
loading_store: apply filter
memory_store: loading_store version
module: dtype errors
provider: errors
qfloat: dtype errors
quantized: qfloat quantized_layout small_float tensor
quantized_layout: dtype
quantized_writer: quantized
reader: container index
result:
safetensors: container json_names safetensors_header
safetensors_header: checks json_header
safetensors_store: memory_store safetensors
safetensors_writer: json_encode limits provider safetensors_header tensor
scalar: errors
scheme: descriptor qfloat
similar: forms
small_float: half
store: memory_store reader
summary: similar errors
tensor: dtype errors
tied: collect
turned: context forms tensor
utf8:
version:
writer: cbor_encode descriptor layout limits provider scalar
"""
_BURNRT = """
burnrt:
arena:
arguments: burnpack.compat
binding: arguments calls kernels kernels.int8.memory
blob: burnpack.reader
calls:
checks:
checks.constants: burnpack.compat checks.holding
checks.floats:
checks.floats.attending: checks.floats.counts
checks.floats.broadcasting: checks.floats.counts
checks.floats.conv: checks.floats.pool
checks.floats.counts: burnpack.compat
checks.floats.dense: checks.floats.counts
checks.floats.each: checks.floats.counts
checks.floats.norm: checks.floats.counts
checks.floats.pool: checks.floats.counts checks.windows
checks.floats.recurrent: checks.floats.counts
checks.floats.reducing: checks.floats.counts
checks.floats.resampling: checks.floats.counts
checks.floats.rows: checks.floats.counts
checks.holding:
checks.integers: burnpack.compat
checks.integers.broadcasting: checks.holding checks.integers words
checks.integers.each: checks.constants checks.integers words
checks.integers.moves: burnpack.compat checks.holding checks.integers words
checks.integers.packed: checks.integers.sums
checks.integers.products: checks.constants checks.integers words
checks.integers.normalizing: checks.constants checks.holding checks.integers words
checks.integers.recurrent: checks.constants checks.integers recurrent_words words
checks.integers.resampling: burnpack.compat checks.constants checks.integers checks.integers.sums words
checks.integers.sums: checks.constants checks.integers checks.windows words
checks.integers.wide: checks.constants checks.integers checks.windows wide_words words
checks.named:
checks.program: checks.holding checks.integers kernels.named refusal words
checks.windows: burnpack.compat checks.holding
functional: value
functional.activations: nn.activation nn.rectifier
functional.arithmetic: functional.broadcasting functional.operands nn.add \
| add add_strided affine floats multiply multiply_strided subtract
functional.attention: functional.padding nn.working | affine attention floats
functional.broadcasting: burnpack.errors nn.layer
functional.clamping: functional.comparing nn.rectifier | clamp relu
functional.comparing: functional.broadcasting functional.operands | compare maximum minimum where
functional.convolutions: functional.given nn.conv nn.conv_transpose
functional.copies: nn.index | fill
functional.dense: functional.given nn.embedding | conv2d
functional.dims: functional.wholes
functional.dividing: functional.arithmetic | divide
functional.each: functional.arithmetic | absolute cos erf exp expm1 log log1p rsqrt sin sqrt tan
functional.given: functional.operands nn.layer
functional.joining: functional.copies functional.operands functional.wholes
functional.matrices: functional.arithmetic | fill linear matmul
functional.more_activations: functional.given nn.glu nn.prelu nn.rectifier nn.shrink nn.smooth
functional.norms: functional.given nn.group_norm nn.norm
functional.operands: burnpack.module parameters value
functional.ordering: functional.copies functional.operands functional.wholes
functional.padding: functional.copies functional.operands nn.edges
functional.parts: functional.copies functional.operands functional.wholes
functional.pooling: nn.pool1d
functional.powers: functional.dividing functional.each | power
functional.probability: nn.softmax
functional.quantizing: functional.operands nn.layer | fake_quantize
functional.reducing: functional.comparing functional.dims \
| adaptive_avg_pool2d amax amin argmax argmin fill total
functional.repeating: functional.copies functional.operands functional.wholes
functional.resizing: functional.operands nn.upsample
functional.rounding: functional.each | ceil floor floor_divide fmod remainder rint trunc
functional.scaling: functional.clamping functional.padding functional.pooling functional.statistics
functional.selecting: functional.copies functional.operands functional.wholes | index_select
functional.shuffling: functional.copies functional.operands functional.wholes nn.shuffle
functional.statistics: functional.powers functional.reducing | cumsum product variance
functional.viewing: functional.operands
functional.wholes: burnpack.errors
kernels: kernels.choice
kernels.choice:
kernels.families:
kernels.int8:
kernels.int8.memory:
kernels.int8.plain: kernels.families
kernels.int8.plain.broadcasting: words
kernels.int8.plain.conv: kernels.int8.plain.sums
kernels.int8.plain.dense: kernels.int8.plain.sums
kernels.int8.plain.depthwise: kernels.int8.plain.sums
kernels.int8.plain.elementwise: words
kernels.int8.plain.masked: words
kernels.int8.plain.moves: burnpack.compat words
kernels.int8.plain.packed: kernels.int8.plain.sums
kernels.int8.plain.normalizing: words
kernels.int8.plain.pool: kernels.int8.plain.sums
kernels.int8.plain.probability: words
kernels.int8.plain.products: kernels.int8.plain.sums
kernels.int8.plain.resampling: kernels.int8.plain.sums words
kernels.int8.plain.tables: words
kernels.int8.plain.sequences: kernels.int8.plain.sums recurrent_words words
kernels.int8.plain.sums: words
kernels.int8.plain.table: words
kernels.int8.plain.wide_broadcasting: kernels.int8.plain.wide_sums wide_words words
kernels.int8.plain.wide_each: wide_words words
kernels.int8.plain.wide_sums: wide_words words
kernels.int8.thumb_dsp: kernels.families
kernels.int8.thumb_dsp.broadcasting:
kernels.int8.thumb_dsp.conv:
kernels.int8.thumb_dsp.dense:
kernels.int8.thumb_dsp.depthwise:
kernels.int8.thumb_dsp.elementwise:
kernels.int8.thumb_dsp.max_pool:
kernels.int8.thumb_dsp.normalizing:
kernels.int8.thumb_dsp.packed:
kernels.int8.thumb_dsp.products:
kernels.int8.thumb_dsp.sequences:
kernels.int8.thumb_m0: kernels.families
kernels.int8.thumb_m0.avg_pool:
kernels.int8.thumb_m0.broadcasting:
kernels.int8.thumb_m0.conv:
kernels.int8.thumb_m0.dense:
kernels.int8.thumb_m0.depthwise:
kernels.int8.thumb_m0.elementwise:
kernels.int8.thumb_m0.max_pool:
kernels.int8.thumb_m0.moves:
kernels.int8.thumb_m0.normalizing:
kernels.int8.thumb_m0.packed:
kernels.int8.thumb_m0.products:
kernels.int8.thumb_m0.resampling:
kernels.int8.thumb_m0.sequences:
kernels.int8.thumb_m0.masked:
kernels.int8.thumb_m0.probability:
kernels.int8.thumb_m0.table:
kernels.int8.thumb_m0.tables:
kernels.int8.thumb_m3: kernels.families
kernels.int8.thumb_m3.conv:
kernels.int8.thumb_m3.dense:
kernels.int8.thumb_m3.packed:
kernels.int8.thumb_m3.products:
kernels.int8.thumb_m3.sequences:
kernels.int8.thumb_m3.masked:
kernels.int8.thumb_m3.probability:
kernels.int8.viper: kernels.families
kernels.int8.viper.broadcasting:
kernels.int8.viper.conv:
kernels.int8.viper.dense:
kernels.int8.viper.depthwise:
kernels.int8.viper.elementwise:
kernels.int8.viper.masked:
kernels.int8.viper.moves:
kernels.int8.viper.packed:
kernels.int8.viper.normalizing:
kernels.int8.viper.pool:
kernels.int8.viper.probability:
kernels.int8.viper.products: kernels.int8 | int8.linear
kernels.int8.viper.sequences: kernels kernels.int8 | int8.linear
kernels.int8.viper.resampling:
kernels.int8.viper.table:
kernels.int8.viper.tables:
kernels.int8.viper.wide_broadcasting:
kernels.int8.viper.wide_each:
kernels.int8.viper.wide_sums:
kernels.named: binding checks.named kernels.int8
kernels.plain: kernels.families
kernels.plain.activation: kernels.plain.special
kernels.plain.attending: kernels.plain.dense kernels.plain.memory kernels.plain.probability
kernels.plain.broadcasting: kernels.plain.by_rows
kernels.plain.by_rows:
kernels.plain.choosing:
kernels.plain.conv: kernels.plain.memory kernels.plain.windows
kernels.plain.conv_transpose: kernels.plain.memory kernels.plain.windows
kernels.plain.dense:
kernels.plain.dividing: kernels.plain.broadcasting
kernels.plain.elementwise:
kernels.plain.functions: kernels.plain.special
kernels.plain.gated: kernels kernels.plain.steps | lerp multiply sigmoid tanh
kernels.plain.in_place:
kernels.plain.matrices:
kernels.plain.memory: burnpack.dtype burnpack.half kernels.plain.in_place
kernels.plain.norm:
kernels.plain.picking: kernels | copy_rows
kernels.plain.pool: kernels.plain.windows
kernels.plain.probability:
kernels.plain.rectifier:
kernels.plain.quantizing: numbers
kernels.plain.recurrent: kernels kernels.plain.steps | relu tanh
kernels.plain.reducing:
kernels.plain.resampling:
kernels.plain.rounding:
kernels.plain.smooth: kernels.plain.special
kernels.plain.special:
kernels.plain.steps: kernels | add copy_rows linear
kernels.plain.strides: kernels | copy_rows
kernels.plain.table: burnpack.errors
kernels.plain.windows:
kernels.thumb_fpu: kernels.families
kernels.thumb_fpu.conv: kernels.plain kernels.thumb_fpu.memory
kernels.thumb_fpu.dense: kernels.plain kernels.thumb_fpu.memory
kernels.thumb_fpu.each: kernels.plain kernels.thumb_fpu.memory
kernels.thumb_fpu.memory:
kernels.thumb_fpu.norm: kernels.plain kernels.thumb_fpu.memory
kernels.thumb_fpu.pool: kernels.plain kernels.thumb_fpu.memory
kernels.thumb_fpu.probability: kernels.plain kernels.thumb_fpu.memory
kernels.thumb_fpu.sigmoids: kernels.plain kernels.thumb_fpu.memory
kernels.ulab: kernels.plain.windows
memory: kernels.named refusal
model: checks.program memory numbers refusal
nn:
nn.activation: nn.layer | gelu gelu_tanh sigmoid silu tanh
nn.add: nn.layer | add
nn.attention: nn.linear nn.working | attention floats linear
nn.bidirectional: nn.gru nn.lstm nn.rnn
nn.cells: nn.gru nn.lstm nn.rnn
nn.container: nn.module
nn.conv: nn.geometry nn.layer | conv2d
nn.conv_transpose: nn.geometry nn.layer | conv_transpose2d
nn.copying: kernels | copy_rows copy_strided
nn.declared: nn.conv nn.conv_transpose
nn.divided: kernels | affine avg_pool2d floats
nn.edges: nn.geometry
nn.embedding: nn.layer | embedding
nn.enum: nn.module
nn.geometry: burnpack.errors
nn.group_norm: nn.layer | affine floats layer_norm
nn.glu: nn.layer nn.working | copy_rows multiply sigmoid
nn.gru: nn.recurrent | gru
nn.hidden: burnpack.module
nn.index: nn.copying nn.layer value
nn.layer: nn.module parameters
nn.linear: nn.layer | linear
nn.lstm: nn.recurrent | lstm
nn.masked: functional.operands nn.layer
nn.module: burnpack.module
nn.module_dict: nn.container
nn.moving: nn.copying nn.layer | fill
nn.norm: nn.layer | batch_norm floats layer_norm rms_norm
nn.pad: nn.edges nn.moving
nn.parameter: burnpack.module
nn.pool: nn.geometry nn.layer | adaptive_avg_pool2d adaptive_max_pool2d avg_pool2d max_pool2d
nn.pool1d: nn.pool
nn.prelu: nn.layer | prelu
nn.rectifier: nn.layer | clamp floats hard_sigmoid hard_swish prelu relu
nn.recurrent: nn.linear nn.working | copy_rows fill
nn.rnn: nn.recurrent | rnn
nn.shape: nn.layer
nn.shrink: nn.layer | add affine clamp floats tanh threshold
nn.smooth: nn.layer | affine elu floats mish softplus softsign
nn.softmax: nn.layer | affine floats log_softmax softmax
nn.shuffle: nn.pad
nn.unflatten: nn.layer
nn.upsample: nn.copying nn.layer | resample2d
nn.working: value
lengths:
numbers:
parameters: burnpack.dtype burnpack.errors kernels | weights
plan: arena calls allocation trace | buffer floats
allocation: burnpack.errors
recurrent_words: burnpack.compat
refusal:
trace: burnpack.module value
value: burnpack.compat burnpack.dtype burnpack.errors kernels | buffer floats
views: value
wide_words: burnpack.compat
words: burnpack.compat
"""

# Of burnrt, but on no board: kernels that run on a computer alone, and texts that are of use there.
HOST_ONLY = frozenset(
    (
        "burnrt.advice",
        "burnrt.kernels.int8.numpy",
        "burnrt.kernels.int8.numpy_broadcasting",
        "burnrt.kernels.int8.numpy_normalizing",
        "burnrt.kernels.int8.numpy_recurrent",
        "burnrt.kernels.int8.numpy_resampling",
        "burnrt.kernels.int8.numpy_wide",
        "burnrt.kernels.numpy",
        "burnrt.kernels.numpy.broadcasting",
        "burnrt.kernels.numpy.each",
        "burnrt.kernels.numpy.laid",
        "burnrt.kernels.numpy.quantizing",
        "burnrt.kernels.numpy.reducing",
    )
)

# What is imported inside functions, by what it is for.
LOADING = (
    "burnpack.apply",
    "burnpack.module",
    "burnpack.store",
    "burnpack.summary",
    "burnpack.turned",
    "burnrt.blob",
    "burnrt.nn",
)
RUNNING = ("burnrt.plan", "burnrt.value", "burnrt.kernels.plain.memory")  # of a model in floats
PROGRAM = ("burnrt.model",)  # of any model with a program
SCALARS = ("burnpack.scalar",)  # of a file that has some
QUANTIZED = ("burnpack.scheme",)  # tensors in a file

# Sets of kernels with native code: the processors that run it, as mpy-cross calls them.
_DSP = ("armv7em", "armv7emsp", "armv7emdp")
_ARMV7M = ("armv7m", *_DSP)
_THUMB = ("armv6m", *_ARMV7M)
NATIVE = {
    "burnrt.kernels.int8.thumb_dsp": _DSP,
    "burnrt.kernels.int8.thumb_m3": _ARMV7M,
    "burnrt.kernels.int8.thumb_m0": _THUMB,
    "burnrt.kernels.int8.viper": ("x86", "x64", "armv6", *_THUMB, "xtensa", "xtensawin", "rv32imc"),
    "burnrt.kernels.thumb_fpu": ("armv7emsp", "armv7emdp"),
}

# Kernels that a module of native code lacks, of those that other sets have in a module of its name.
LACKING = {
    "burnrt.kernels.int8.thumb_dsp.elementwise": "lookup",
    "burnrt.kernels.thumb_fpu.memory": "buffer floats fill copy_rows weights",
    "burnrt.kernels.thumb_fpu.pool": "adaptive_max_pool2d",
    "burnrt.kernels.thumb_fpu.norm": "batch_norm affine",
    "burnrt.kernels.thumb_fpu.probability": "log_softmax",
}

# Sets that are one module: the kernels in it.
SINGLE = {
    "burnrt.kernels.ulab": "linear conv2d batch_norm affine layer_norm adaptive_avg_pool2d softmax add relu "
    "sigmoid tanh"
}

# A Cortex-M3 says that it is an armv7em without floats, as an M4 does, and can't run all of its code: the set
# finds that out on the board, which then needs another.
UNSURE = frozenset((("burnrt.kernels.int8.thumb_dsp", "armv7em"),))


class Needs(NamedTuple):
    """What a module imports when it is imported itself, and what kernels it calls, of layers and integers."""

    imports: tuple[str, ...]
    kernels: tuple[str, ...]
    integers: tuple[str, ...] = ()


@cache
def table() -> dict[str, Needs]:
    """Return {module: what it needs} of all that runs on a board, sorted."""
    rows = [*_rows("burnpack", _BURNPACK), *_rows("burnrt", _BURNRT)]
    return dict(sorted(rows))


def _rows(package: str, text: str) -> Iterator[tuple[str, Needs]]:
    for line in text.split("\n"):
        name, found, rest = line.partition(":")
        if found:
            imports, _, kernels = rest.partition("|")
            modules = tuple(_full(package, module) for module in imports.split())
            called = kernels.split()
            integers = [kernel.removeprefix(INTEGER) for kernel in called if kernel.startswith(INTEGER)]
            floats = tuple(kernel for kernel in called if not kernel.startswith(INTEGER))
            yield _full(package, name), Needs(modules, floats, tuple(integers))


def _full(package: str, name: str) -> str:
    return name if name.partition(".")[0] in PACKAGES else f"{package}.{name}"


@cache
def kernels_of(name: str) -> dict[str, str]:
    """Return {kernel: the module that has it} of a set, as far as it runs on boards.

    name: of the set, as in "burnrt.kernels.plain".
    """
    from burnrt.kernels.families import FAMILIES

    if name in SINGLE:
        return dict.fromkeys(SINGLE[name].split(), name)
    found: dict[str, str] = {}
    for family, *kernels in lines(FAMILIES):
        module = f"{name}.{family}"
        if module in table():
            found |= {each: module for each in kernels if each not in LACKING.get(module, "").split()}
    return found


@cache
def int8_sets() -> tuple[str, ...]:
    """Return the sets of integer kernels for boards, fastest first."""
    from burnrt.kernels.int8 import SETS

    names = [f"burnrt.kernels.int8.{name}" for name in SETS]
    return tuple(name for name in names if name in table())


@cache
def check_of(kernel: str) -> str:
    """Return the module that has the check of a kernel's steps. Raises `NotFound`."""
    from burnrt.checks.named import FAMILIES

    for home, *kernels in lines(FAMILIES):
        if kernel in kernels:
            return f"burnrt.checks.{home}"
    raise NotFound("no check of such a kernel", kernel)


def takes_addresses(module: str) -> bool:
    """Return whether the integer kernels of a module are given plain addresses."""
    from burnrt.kernels.named import NATIVE as sets

    return module.split(".")[3] in sets


@cache
def layers() -> dict[str, str]:
    """Return {name of a layer, PyTorch's names included: the module that has it}."""
    from burnrt import nn

    homes = {name: f"burnrt.nn.{module}" for module, *names in lines(nn.HOMES) for name in names}
    return homes | {alias: homes[name] for name, *aliases in lines(nn.ALIASES) for alias in aliases}


def lines(text: str) -> Iterator[list[str]]:
    """Yield the words of each line of a table that has some."""
    yield from filter(None, map(str.split, text.split("\n")))
