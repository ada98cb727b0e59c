"""What would mend a load that does not fit: found by trying the front end's own options.

A hint is a tuple, its kind first; `burnpack.hints` has those that a board can act upon, too.

    kinds        the hints, and why each helps
    search       which hints, tried together, make most of the module's parameters fit
    names        how the file's names may have to change
    classes      layers that no adapter knows, and arguments that are swapped
    settings     what else can be set for a file
    stores       hints as the methods of a store
    conversions  hints as the options of `burnstore convert`, and as its keywords in Python

The front ends have one table each, which says how a hint is acted upon and how that is worded.
"""
