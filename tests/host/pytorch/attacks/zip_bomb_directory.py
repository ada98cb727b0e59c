"""A directory of 700,000 entries."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too much is read at once",)


def build():
    """The same short entry, again and again."""
    data = p.archive({"data.pkl": p.pickled(b"N")})
    start = data.find(b"PK\x01\x02")
    end = data.find(b"PK\x05\x06")
    entries = data[start:end] * 700_000
    record = data[end : end + 12] + len(entries).to_bytes(4, "little") + start.to_bytes(4, "little") + b"\0\0"
    return data[:start] + entries + record
