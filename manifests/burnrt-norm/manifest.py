# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-norm").
metadata(
    description="Normalisation.",
    version="0.1.0",
)
require("burnrt-core")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "nn/group_norm.py",
        "nn/norm.py",
    ],
)
