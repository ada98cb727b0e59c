# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-core").
metadata(
    description="Finding, loading and testing models of Burn's.",
    version="0.1.0",
)
require("burnpack-read")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "__init__.py",
        "allocation.py",
        "arena.py",
        "blob.py",
        "calls.py",
        "kernels/__init__.py",
        "kernels/choice.py",
        "kernels/families.py",
        "kernels/plain/__init__.py",
        "kernels/plain/in_place.py",
        "kernels/plain/memory.py",
        "kernels/plain/probability.py",
        "kernels/plain/strides.py",
        "kernels/plain/windows.py",
        "nn/__init__.py",
        "nn/copying.py",
        "nn/index.py",
        "nn/layer.py",
        "nn/module.py",
        "nn/shape.py",
        "parameters.py",
        "plan.py",
        "trace.py",
        "value.py",
        "views.py",
    ],
)
