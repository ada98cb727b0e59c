# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-int8-m3").
metadata(
    description="Quantized models, fastest on ARM Cortex-M3.",
    version="0.1.0",
)
require("burnrt-int8-thumb")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/int8/thumb_m3/__init__.py",
        "kernels/int8/thumb_m3/conv.py",
        "kernels/int8/thumb_m3/dense.py",
        "kernels/int8/thumb_m3/masked.py",
        "kernels/int8/thumb_m3/packed.py",
        "kernels/int8/thumb_m3/probability.py",
        "kernels/int8/thumb_m3/products.py",
        "kernels/int8/thumb_m3/sequences.py",
    ],
)
