"""What the packages weigh on a board: bytes of .mpy, and how many they may be."""

from functools import cache

from burnstore.boards.runtime import modules as runtime
from tools import mpy

# What is imported, or a whole package: the most bytes of .mpy that this may bring. Of the sets of kernels a
# board has one or two, so it never brings all of burnrt. Plain Python and viper have all kernels of integers,
# and machine code all of those on bytes.
BUDGET = {
    "burnpack.reader": 19_300,
    "burnpack.safetensors": 18_100,
    "burnpack.writer": 14_300,
    "burnpack.store": 28_300,
    "burnpack.*": 76_000,
    "burnrt.nn.linear": 11_300,
    "burnrt.plan": 17_400,
    "burnrt.model": 18_400,  # with the check of what an arena holds
    "burnrt.kernels.int8.plain.*": 17_500,
    "burnrt.kernels.int8.viper.*": 47_500,
    "burnrt.kernels.int8.thumb_m0.*": 14_000,
    "burnrt.kernels.int8.thumb_m3.*": 7_300,
    "burnrt.kernels.int8.thumb_dsp.*": 12_200,
    "burnrt.kernels.thumb_fpu.*": 9_500,
    "burnrt.*": 284_000,
}


@cache
def sizes() -> dict[str, int]:
    """Return {module: bytes of its .mpy} for all that runs on a board."""
    return {module: len(mpy.compiled(path)) for module, path in runtime.modules().items()}


def weight(entry: str) -> int:
    """Return the bytes of .mpy that importing `entry` brings."""
    return sum(sizes()[module] for module in brought_by(entry))


def brought_by(entry: str) -> list[str]:
    """Return the modules that a board loads when it imports `entry`; of "package.*", all there are."""
    package = entry.removesuffix(".*")
    if package == entry:
        return runtime.imported([entry])
    return [module for module in sizes() if (module + ".").startswith(package + ".")]
