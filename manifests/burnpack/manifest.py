# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnpack").
metadata(
    description="Burnpack and SafeTensors containers: reading, writing, adapters, filters.",
    version="0.1.0",
)
require("burnpack-read")
package(
    "burnpack",
    base_path="../../shared",
    files=[
        "adapters/base.py",
        "adapters/cast.py",
        "adapters/chain.py",
        "adapters/float_cast.py",
        "adapters/half_precision.py",
        "adapters/pytorch.py",
        "adapters/split.py",
        "cbor_encode.py",
        "collect.py",
        "hints.py",
        "json_encode.py",
        "json_header.py",
        "json_names.py",
        "listing.py",
        "provider.py",
        "quantized.py",
        "quantized_layout.py",
        "quantized_writer.py",
        "safetensors.py",
        "safetensors_header.py",
        "safetensors_store.py",
        "safetensors_writer.py",
        "small_float.py",
        "tied.py",
        "writer.py",
    ],
)
