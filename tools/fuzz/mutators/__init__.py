"""Functions that change a good file in its structure: `changed(data, rng, others) -> bytes`.

rng: says what is changed. others: good files of the same kind, of which pieces may be taken.
"""
