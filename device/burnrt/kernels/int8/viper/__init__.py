"""Integer kernels in viper, for any chip that MicroPython's native emitter knows.

Each family of kernels is imported when it is first used. What shapes all of them:

- Viper keeps the first locals in registers, two in a .mpy and three elsewhere, and the rest in memory. So
  arguments are called as what these are used for later: x, where numbers lie; s, a sum; w, the other place.
  As s is an integer, a kernel takes addresses alone, no buffers.
- `(w[0] ^ 128) * x[0] + s`, in this order, needs the fewest moves: 9 or 10 instructions with all the loads.
- ptr8 reads without a sign. Of a weight in -128..127, `w[0] ^ 128` is the weight + 128, so a sum of such
  products is 128 × Σx too large.
- A pointer is moved seldom, and what lies behind it is reached by small constant indices.
- ptr32 reads without a sign, too, where machine words have 64 bits: `(word ^ sign) - sign` with sign 2^31
  gives it one, and changes nothing on 32 bits. Sums may wrap there before all is added, but not in the end.
- Every output is rescaled in place: `(s + 32768) >> 16` is 0 where nothing must be cut, and
  `(product >> b - 1) + 1 >> 1` is `(product + 2^(b - 1)) >> b`.
- Addresses are compared for equality only: in a machine word, some are negative.
- Up to three values may be assigned at once; four would be a tuple, and allocate.
"""

import micropython

from burnrt.kernels.families import kernel


@micropython.viper
def _probe():
    """Make the import of this package fail where there is no viper, or another chip's."""


def __getattr__(name):
    return kernel("burnrt.kernels.int8.viper", name)
