"""What the arguments of each kernel of floats must be, by families.

Each function is called like the kernel that it is for, with its arguments; but of a buffer, in the arena or
in the file, it is given a list with how many numbers there are; of bytes in the arena a text, as "9 bytes".
So no number is taken for a buffer, nor are bytes for floats.

It returns (work, written, shared), or something false for arguments that do not go together; `ValueError`,
`TypeError` and the like mean the same.

work     how many numbers are looked at
written  a bit for each argument that is written, the first is bit 0
shared   a bit for each that is read, and may be the very place of one that is written, or is written as well
"""
