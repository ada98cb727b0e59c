"""Networks as pictures: a source makes a `Picture`, which is folded, laid out, and written in a format."""
