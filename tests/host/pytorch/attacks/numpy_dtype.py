"""A NumPy dtype of a strange code, of objects, and a scalar that claims another length."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("NumPy scalar", "8")


def build():
    """scalar(dtype("f8"), b"xyz")."""
    strange = p.call(p.name("numpy", "dtype"), "1000000000V9", False, True)
    dtype = p.call(p.name("numpy", "dtype"), "f8", False, True)
    scalar = p.call(p.name("numpy.core.multiarray", "scalar"), dtype, b"C\x03xyz")
    return p.checkpoint(p.a_dict({"a": strange, "b": scalar}))
