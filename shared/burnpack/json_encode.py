"""Writing JSON text, as the reference implementation of SafeTensors writes it."""

from burnpack import utf8
from burnpack.errors import Malformed

_SHORT = {0x22: b'\\"', 0x5C: b"\\\\", 0x08: b"\\b", 0x09: b"\\t", 0x0A: b"\\n", 0x0C: b"\\f", 0x0D: b"\\r"}


def text(value: str, what: str) -> bytes:
    """Return `value` as a JSON string in UTF-8. what: its part in the container, for error messages."""
    if not isinstance(value, str):
        raise Malformed("a %s must be text" % what, None, None, None, "text", repr(value))
    try:
        encoded = utf8.encode(value)
    except ValueError:
        raise Malformed("a %s that UTF-8 can't hold" % what, None, None, None, None, repr(value))
    if b'"' in encoded or b"\\" in encoded or (encoded and min(encoded) < 0x20):
        encoded = b"".join([_escaped(byte) for byte in encoded])
    return b'"' + encoded + b'"'


def _escaped(byte: int) -> bytes:
    if byte in _SHORT:
        return _SHORT[byte]
    return b"\\u%04x" % byte if byte < 0x20 else bytes((byte,))
