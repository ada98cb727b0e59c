"""Kernels in plain Python, for any interpreter. Floats are as wide as the interpreter's own.

Each family of kernels is imported when it is first used.
"""

from burnrt.kernels.families import kernel


def __getattr__(name):
    return kernel("burnrt.kernels.plain", name)
