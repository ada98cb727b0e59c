# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-int8-viper").
metadata(
    description="Quantized models, faster where there is a native emitter.",
    version="0.1.0",
)
require("burnrt-int8")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/int8/viper/__init__.py",
        "kernels/int8/viper/broadcasting.py",
        "kernels/int8/viper/conv.py",
        "kernels/int8/viper/dense.py",
        "kernels/int8/viper/depthwise.py",
        "kernels/int8/viper/elementwise.py",
        "kernels/int8/viper/masked.py",
        "kernels/int8/viper/moves.py",
        "kernels/int8/viper/normalizing.py",
        "kernels/int8/viper/packed.py",
        "kernels/int8/viper/pool.py",
        "kernels/int8/viper/probability.py",
        "kernels/int8/viper/products.py",
        "kernels/int8/viper/resampling.py",
        "kernels/int8/viper/sequences.py",
        "kernels/int8/viper/table.py",
        "kernels/int8/viper/tables.py",
        "kernels/int8/viper/wide_broadcasting.py",
        "kernels/int8/viper/wide_each.py",
        "kernels/int8/viper/wide_sums.py",
    ],
)
