"""Rust's regular expressions, written as Python's: see `pattern`.

pattern     groups, flags, repetition
characters  single characters, classes such as \\d, sets in brackets
properties  Unicode's general categories and ASCII's classes
cursor      a text that is read from its beginning to its end
"""

from burnstore.naming.rust.pattern import translated

__all__ = ["translated"]
