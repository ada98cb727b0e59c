# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt").
metadata(
    description="All layers of Burn's, and quantized models.",
    version="0.1.0",
)
require("burnrt-core")
require("burnrt-dense")
require("burnrt-conv")
require("burnrt-norm")
require("burnrt-embedding")
require("burnrt-sequence")
require("burnrt-int8")
require("burnrt-ulab")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/plain/resampling.py",
        "nn/divided.py",
        "nn/enum.py",
        "nn/hidden.py",
        "nn/module_dict.py",
        "nn/pad.py",
        "nn/parameter.py",
        "nn/smooth.py",
        "nn/unflatten.py",
        "nn/upsample.py",
    ],
)
