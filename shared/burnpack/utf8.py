"""UTF-8, strictly: MicroPython's own decoder lets surrogates and overlong forms through."""

if False:  # for type checkers
    from burnpack.types import Buffer


def decode(buffer: "Buffer") -> str:
    """Return the text that `buffer` holds; raises `ValueError` where it is not UTF-8."""
    text = str(buffer, "utf-8")  # UnicodeError, a ValueError, for stray or missing bytes
    if len(text) != len(buffer):
        _check_forms(buffer)
    return text


def encode(text: str) -> bytes:
    """Return `text` as UTF-8; raises `ValueError` for a surrogate, on every interpreter."""
    encoded = text.encode()
    if len(encoded) != len(text):
        _check_forms(encoded)
    return encoded


def _check_forms(buffer: "Buffer") -> None:
    # A lead byte and the byte behind it settle what the interpreter does not look at.
    previous = 0
    for byte in buffer:
        if previous >= 0xE0:
            code = (previous << 8) | byte
            if code < 0xE0A0 or 0xEDA0 <= code < 0xEE00 or 0xF000 <= code < 0xF090 or code >= 0xF490:
                raise ValueError("not UTF-8")
        elif previous in (0xC0, 0xC1):
            raise ValueError("not UTF-8")
        previous = byte
