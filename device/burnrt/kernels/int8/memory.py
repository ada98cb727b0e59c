"""32-bit words in place, for every set of kernels at once."""

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Words


try:
    import uctypes

    def words(data: "Any") -> "Words":
        """Return the little-endian 32-bit words in `data` as a sequence that kernels take the address of too.

        data: a buffer, aligned to 4, which the caller keeps alive. Nothing is copied.
        """
        layout = {"words": (uctypes.ARRAY | 0, len(data) // 4 | uctypes.INT32)}
        return uctypes.struct(uctypes.addressof(data), layout).words  # type: ignore[no-any-return]

except ImportError:

    def words(data: "Any") -> "Words":
        """Return the little-endian 32-bit words in `data` as a sequence; nothing is copied."""
        return memoryview(data).cast("i")
