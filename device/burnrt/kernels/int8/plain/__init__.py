"""Integer kernels in plain Python, for any interpreter. Each family is imported when it is first used.

Nothing is allocated: no slices, no tuples, and no number that does not fit a small integer. Weights are read
without a sign, as bytes u of which u ^ 128 is the weight + 128.
"""

from burnrt.kernels.families import kernel


def __getattr__(name):
    return kernel("burnrt.kernels.int8.plain", name)
