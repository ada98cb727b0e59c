"""Where our reader and Burn 0.22's part ways on purpose, and why: on whatever else, they must agree."""

import re

import cbor2

from burnpack.errors import DuplicateName, InvalidTensor, Malformed, Truncated, Unsupported

WRONG_TYPE = "wrong type in the metadata"

# What we refuse and Burn takes: (our error's class, what it says, what it found or None for anything, why).
BURN_TAKES = (
    # Something would be lost, or be read as something else.
    (DuplicateName, "the same key twice", None, "Burn keeps the last of two, without a word"),
    (InvalidTensor, "tensors overlap in the data", None, "Burn reads the same bytes twice"),
    (Malformed, "impossible block size", None, "Burn divides by it when it decodes"),
    (Malformed, "number too large in a quantization scheme", None, "Burn stops with a panic when it decodes"),
    # The file is not what its writer meant.
    (Malformed, "bytes after the metadata", None, "Burn stops at the end of the first item"),
    (Malformed, "something else than zeros before the data", None, "Burn does not look"),
    (Malformed, "bytes after the last tensor", None, "Burn does not look"),
    (Truncated, "the file is cut short", None, "Burn asks for no padding that no tensor's bytes follow"),
    # Not the types that the format has there.
    (Malformed, WRONG_TYPE, "a simple value", "Burn takes undefined for null"),
    (Malformed, WRONG_TYPE, "a tag", "Burn passes over tags, and takes a bignum for a number"),
    (Malformed, WRONG_TYPE, "bytes", "Burn takes bytes for a key, and each byte for a number of a list"),
    (Malformed, "too many numbers in a list", None, "Burn passes over a third offset; we have 64 dimensions"),
    (Truncated, "the metadata is cut short", None, "as above, where the list claims more than there is"),
    (Malformed, "a chunk of text without a length", None, "Burn takes chunks within chunks"),
    (Malformed, WRONG_TYPE, "text", "Burn takes a kind and its content side by side, without the map around"),
    (Unsupported, "unknown dtype", "QFloat", "as above"),
    (InvalidTensor, "a shape of more than 64 bits", None, "Burn multiplies, and comes to a 0 in time"),
)
# And one row for whatever is wrong in a scheme of Burn 0.19 to 0.21.
OLDER_SCHEME = (Malformed, "", None, "Burn passes over an older level and param, and so loses block scales")


def _is_not_utf8(data):
    try:
        cbor2.loads(data[10 : 10 + int.from_bytes(data[6:10], "little")])
    except cbor2.CBORDecodeError as error:
        return "decoding text" in str(error)
    return False


# What Burn refuses and we take: (a pattern in its error, the dialect as which we read it, condition, why).
WE_TAKE = (
    ("File truncated", "0.19", None, "Burn 0.19 aligned nothing"),
    ("expected one of `Native`, `U8`, `U32`", "0.20", None, 'Burn 0.20 wrote a bare "Bool"'),
    ("unknown variant `U32`", "0.20-0.21", None, 'Burn 0.19 wrote "U32" for packed words'),
    ("invalid type: string, expected str or bytes", "0.22", None, "Burn's decoder takes no key in chunks"),
    ("invalid type: map, expected enum", "0.22", None, "Burn's decoder takes no dtype that is an open map"),
    (
        "invalid type: simple, expected known",
        "",
        None,
        "Burn's decoder knows no other simple value to pass over",
    ),
    (r"Syntax\(", "", _is_not_utf8, "we pass over text that nobody asked for without decoding it"),
)


def why_burn_takes(error, data):
    """Return the row of `BURN_TAKES` for our error about a container, or None."""
    if type(error) is Malformed and (b"elevel" in data or b"eparam" in data):
        return OLDER_SCHEME
    for row in BURN_TAKES:
        if type(error) is row[0] and error.what == row[1] and row[2] in (None, error.found):
            return row
    return None


def why_we_take(text, dialect, data):
    """Return the row of `WE_TAKE` for an error of Burn's about a container that we read, or None."""
    for row in WE_TAKE:
        if re.search(row[0], text) and row[1] in ("", dialect) and (row[2] is None or row[2](data)):
            return row
    return None
