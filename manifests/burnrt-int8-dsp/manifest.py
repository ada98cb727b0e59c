# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-int8-dsp").
metadata(
    description="Quantized models, fastest on ARM Cortex-M4, M7, M33 and later.",
    version="0.1.0",
)
require("burnrt-int8-thumb")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/int8/thumb_dsp/__init__.py",
        "kernels/int8/thumb_dsp/broadcasting.py",
        "kernels/int8/thumb_dsp/conv.py",
        "kernels/int8/thumb_dsp/dense.py",
        "kernels/int8/thumb_dsp/depthwise.py",
        "kernels/int8/thumb_dsp/elementwise.py",
        "kernels/int8/thumb_dsp/max_pool.py",
        "kernels/int8/thumb_dsp/normalizing.py",
        "kernels/int8/thumb_dsp/packed.py",
        "kernels/int8/thumb_dsp/products.py",
        "kernels/int8/thumb_dsp/sequences.py",
    ],
)
