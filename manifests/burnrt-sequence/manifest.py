# ruff: noqa: F821 - the build defines these functions
# Made by tools/mip_packages.py. A firmware's manifest takes it in by require("burnrt-sequence").
metadata(
    description="Recurrent layers and attention.",
    version="0.1.0",
)
require("burnrt-dense")
package(
    "burnrt",
    base_path="../../device",
    files=[
        "kernels/plain/attending.py",
        "kernels/plain/gated.py",
        "kernels/plain/recurrent.py",
        "kernels/plain/steps.py",
        "nn/attention.py",
        "nn/bidirectional.py",
        "nn/gru.py",
        "nn/lstm.py",
        "nn/recurrent.py",
        "nn/rnn.py",
        "nn/working.py",
    ],
)
