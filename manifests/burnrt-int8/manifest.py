# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-int8").
metadata(
    description="Quantized models, on every processor.",
    version="0.1.0",
)
require("burnrt-core")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "arguments.py",
        "binding.py",
        "checks/__init__.py",
        "checks/holding.py",
        "checks/integers/__init__.py",
        "checks/named.py",
        "checks/program.py",
        "kernels/int8/__init__.py",
        "kernels/int8/memory.py",
        "kernels/int8/plain/__init__.py",
        "kernels/int8/plain/broadcasting.py",
        "kernels/int8/plain/conv.py",
        "kernels/int8/plain/dense.py",
        "kernels/int8/plain/depthwise.py",
        "kernels/int8/plain/elementwise.py",
        "kernels/int8/plain/moves.py",
        "kernels/int8/plain/pool.py",
        "kernels/int8/plain/probability.py",
        "kernels/int8/plain/sums.py",
        "kernels/named.py",
        "memory.py",
        "model.py",
        "numbers.py",
        "refusal.py",
        "words.py",
    ],
)
