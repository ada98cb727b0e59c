"""Comparing models, and proving that one is what it was.

digest       one SHA-256 of all that a file says
opening      the tensors of a file of any format, as `convert` would name them
numbers      what is unusual in a tensor's numbers; how far those of two tensors are apart
checking     a whole file, read byte by byte: `burnstore.check`
pairing      which tensor of one file is which of another
differing    two files: `burnstore.diff`
"""
