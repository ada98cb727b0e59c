"""A NumPy array whose shape doubles itself: it is described without being printed."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("[]",)


def build():
    """An array with the state (1, doubled, dtype, False, b"")."""
    doubled = p.doubled(100)
    dtype = p.call(p.name("numpy", "dtype"), "f8", False, True)
    array = p.call(
        p.name("numpy._core.multiarray", "_reconstruct"), p.name("numpy", "ndarray"), p.a_tuple(0), "b"
    )
    return p.checkpoint(p.a_dict({"x": array + p.a_tuple(1, doubled, dtype, False, None) + b"b"}))
