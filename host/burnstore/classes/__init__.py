"""Classes of networks, described: which layers they have, and what `forward` does, line by line.

description  the layers and the lines
running      a described class that runs
source       its source text, as a person would have written it: `tree` of modules, `bodies` of their
             `forward`, `sharing` of classes by blocks, `naming` of values, `statements`, and `code`, laid out
identifiers  names out of files that may stand in a source
"""
