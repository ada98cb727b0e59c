"""Whether files are what they should be.

digest sealing     one SHA-256 of all that a file says, and writing it
opening            the content of a file of any format
checking           a whole file, read byte by byte: `burnstore.check`
numbers spaces     what is unusual in a tensor's numbers, and between tensors
differing          two files: `burnstore.diff`
pairing apart      which tensor of one is which of the other, and how far apart their numbers are
"""
