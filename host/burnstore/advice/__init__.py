"""What would mend a load that does not fit: found by trying the front end's own options.

A hint is a tuple, its kind first; `burnpack.hints` has those that a board can act upon, too.

    kinds     the hints, and why each helps
    names     how the file's names may have to change, by the names at hand
    search    which hints, tried together, make most of the module's parameters fit
    stores    hints as the methods of a store
    options   hints as the options of `burnstore convert`

The two front ends say how a hint is acted upon, in one table each: what is told is what was tried.
"""
