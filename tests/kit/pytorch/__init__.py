"""Checkpoints as pickles written by hand."""
