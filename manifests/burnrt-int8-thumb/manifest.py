# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-int8-thumb").
metadata(
    description="Quantized models, fastest on ARM Cortex-M0, M0+ and M23.",
    version="0.1.0",
)
require("burnrt-int8-viper")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/int8/thumb_m0/__init__.py",
        "kernels/int8/thumb_m0/avg_pool.py",
        "kernels/int8/thumb_m0/broadcasting.py",
        "kernels/int8/thumb_m0/conv.py",
        "kernels/int8/thumb_m0/dense.py",
        "kernels/int8/thumb_m0/depthwise.py",
        "kernels/int8/thumb_m0/elementwise.py",
        "kernels/int8/thumb_m0/masked.py",
        "kernels/int8/thumb_m0/max_pool.py",
        "kernels/int8/thumb_m0/moves.py",
        "kernels/int8/thumb_m0/normalizing.py",
        "kernels/int8/thumb_m0/packed.py",
        "kernels/int8/thumb_m0/probability.py",
        "kernels/int8/thumb_m0/products.py",
        "kernels/int8/thumb_m0/resampling.py",
        "kernels/int8/thumb_m0/sequences.py",
        "kernels/int8/thumb_m0/table.py",
        "kernels/int8/thumb_m0/tables.py",
    ],
)
