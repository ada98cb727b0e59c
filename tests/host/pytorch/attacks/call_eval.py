"""A call of eval, in a pickle of the oldest protocol."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("__builtin__.eval", "not run")


def build():
    """c__builtin__ eval, then a call."""
    return p.archive({"data.pkl": b'c__builtin__\neval\n(S\'open("touched", "w")\'\ntR.'})
