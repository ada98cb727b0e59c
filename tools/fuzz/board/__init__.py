"""What runs on MicroPython, and, as the other side of each comparison, on CPython."""
