"""Names of tensors: which ones pass, and what they are called instead.

filters   which parameters a store takes, by regular expressions too
patterns  regular expressions, checked when they are given
rust      what Rust reads otherwise than Python
remap     names changed by patterns and replacements
template  the replacements, in Rust's syntax
indices   gaps in the numbering of lists closed up
prefixes  what wrappers put before every name
steps     these one after the other, and the check that no two names become one
"""
