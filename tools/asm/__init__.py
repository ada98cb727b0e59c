"""Kernels in MicroPython's inline assembler, written from assembly sources: see README.md."""
