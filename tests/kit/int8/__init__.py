"""Integer models and kernels, and an emulated Arm processor."""
