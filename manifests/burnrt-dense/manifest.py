# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-dense").
metadata(
    description="Dense layers, sums, activations and softmax.",
    version="0.1.0",
)
require("burnrt-core")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/plain/activation.py",
        "kernels/plain/dense.py",
        "kernels/plain/elementwise.py",
        "kernels/plain/rectifier.py",
        "kernels/plain/smooth.py",
        "kernels/plain/special.py",
        "nn/activation.py",
        "nn/add.py",
        "nn/container.py",
        "nn/linear.py",
        "nn/prelu.py",
        "nn/rectifier.py",
        "nn/softmax.py",
    ],
)
