"""Burn's own crates as a judge."""
