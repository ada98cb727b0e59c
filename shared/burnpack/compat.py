"""What differs between CPython and MicroPython, in one place."""

import sys

if sys.implementation.name == "micropython":
    from micropython import const

    ON_BOARD = True
else:
    ON_BOARD = False

    def const(value):
        return value
