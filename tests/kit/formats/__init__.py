"""Containers written by hand: right ones, and ones that readers refuse."""
