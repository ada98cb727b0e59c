"""A thousand tensors of 1 GiB each over one storage of 4 KiB: too much taken together."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("taken together",)


def build():
    """1,000 expanded views."""
    views = {str(number): p.tensor("0", 1024, (1 << 18, 1024), (0, 1)) for number in range(1000)}
    return p.checkpoint(p.a_dict(views), {"0": bytes(4096)})
