"""100,000 modules that share their state, and in it the names of 200,000 transient buffers."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many values",)


def build():
    """Each module would look through all names."""
    names = b"\x8f(" + b"K\x01" * 200_000 + b"\x90"
    inner = {"_parameters": p.a_dict({"n": 1}), "_buffers": p.a_dict({}), "_modules": p.a_dict({})}
    state = p.a_dict({**inner, "_non_persistent_buffers_set": names}) + b"q\x000"
    module = p.name("torch.nn", "Linear") + b"q\x010"
    return p.checkpoint(state + module + b"](" + b"h\x01)Rh\x00b" * 100_000 + b"e")
