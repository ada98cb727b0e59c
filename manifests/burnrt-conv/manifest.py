# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-conv").
metadata(
    description="Convolutions and pooling.",
    version="0.1.0",
)
require("burnrt-core")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/plain/conv.py",
        "kernels/plain/conv_transpose.py",
        "kernels/plain/pool.py",
        "nn/conv.py",
        "nn/conv_transpose.py",
        "nn/declared.py",
        "nn/geometry.py",
        "nn/pool.py",
        "nn/pool1d.py",
    ],
)
