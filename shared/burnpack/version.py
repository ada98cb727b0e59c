"""The version of this package, as it is written into what it saves."""

VERSION = "0.1.0"
