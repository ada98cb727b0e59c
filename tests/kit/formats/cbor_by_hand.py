"""CBOR (RFC 8949) put together by hand, right and wrong alike, for tests of those that read it.

Every function returns the bytes of one item. `width` forces a longer head than needed: 0 (in the initial
byte), 1, 2, 4 or 8 bytes.
"""

UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE = range(8)
BREAK = b"\xff"
FALSE, TRUE, NULL, UNDEFINED = b"\xf4", b"\xf5", b"\xf6", b"\xf7"
HALF_ONE = b"\xf9\x3c\x00"  # 1.0
_INFORMATION = {1: 24, 2: 25, 4: 26, 8: 27}


def head(major, argument, width=None):
    """Return an item's head: its type and its argument."""
    if width is None:
        width = _narrowest(argument)
    if width == 0:
        return bytes([major << 5 | argument])
    return bytes([major << 5 | _INFORMATION[width]]) + argument.to_bytes(width, "big")


def _narrowest(argument):
    if argument < 24:
        return 0
    for width in (1, 2, 4):
        if argument < 1 << (8 * width):
            return width
    return 8


def opened(major):
    """Return the head of an item that a break ends."""
    return bytes([major << 5 | 31])


def unsigned(value, width=None):
    return head(UNSIGNED, value, width)


def negative(value):
    """Return a number below zero."""
    return head(NEGATIVE, -1 - value)


def text(value, width=None):
    """Return a text: a str, or the bytes that shall stand for one."""
    encoded = value if isinstance(value, bytes) else value.encode()
    return head(TEXT, len(encoded), width) + encoded


def blob(value):
    return head(BYTES, len(value)) + value


def array(*items):
    return head(ARRAY, len(items)) + b"".join(items)


def numbers(*values):
    """Return an array of unsigned integers."""
    return array(*[unsigned(value) for value in values])


def mapping(*pairs):
    """Return a map of (key, item): a key is a str, or the bytes of an item."""
    return head(MAP, len(pairs)) + _entries(pairs)


def opened_mapping(*pairs):
    """Return a map whose length is not given."""
    return opened(MAP) + _entries(pairs) + BREAK


def opened_array(*items):
    return opened(ARRAY) + b"".join(items) + BREAK


def opened_text(*chunks):
    """Return a text in chunks."""
    return opened(TEXT) + b"".join([text(chunk) for chunk in chunks]) + BREAK


def tagged(number, item):
    return head(TAG, number) + item


def _entries(pairs):
    return b"".join([(text(key) if isinstance(key, str) else key) + item for key, item in pairs])
