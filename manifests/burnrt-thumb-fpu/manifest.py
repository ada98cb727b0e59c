# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-thumb-fpu").
metadata(
    description="Layers, faster on ARM Cortex-M with a floating-point unit.",
    version="0.1.0",
)
require("burnrt-core")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/thumb_fpu/__init__.py",
        "kernels/thumb_fpu/conv.py",
        "kernels/thumb_fpu/dense.py",
        "kernels/thumb_fpu/each.py",
        "kernels/thumb_fpu/memory.py",
        "kernels/thumb_fpu/norm.py",
        "kernels/thumb_fpu/pool.py",
        "kernels/thumb_fpu/probability.py",
        "kernels/thumb_fpu/sigmoids.py",
    ],
)
